# SPDX-License-Identifier: Apache-2.0
"""Files sealed block by block: all of the content goes through RSA-OAEP, in batches.

A file is a head of 38 bytes and n > 0 blocks of k bytes, where k is the key's length:

    head = "monpro blocks 1" newline | k, two bytes | SHA-1 key identifier, 20 bytes
    block 0     = OAEP(secret | data,  label = head | 0 ... 0 | 0 | last)
    block i > 0 = OAEP(data,           label = head | secret  | i | last)

The secret is 32 fresh random bytes. i has eight bytes. `last` has one byte: 1 for the last block,
else 0. Every block but the last is full. The last block is empty only if the file is.

The label is never sent. A reader computes it, and a block with another label does not decrypt. So a
block that was moved, left out, repeated, or cut away at the end is an error.

Anyone can encrypt a block to a public key. But only who has read block 0 knows the secret, and so
the labels of the other blocks. A block of another file is therefore an error, and so is a block
that was made up. Whoever replaces block 0 has to replace all. The sender is not proven: for that a
file is signed.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterator

from monpro import rsa
from monpro.engine import Engine
from monpro.errors import MonproError
from monpro.rsa import Key
from monpro.seal import oaep
from monpro.seal.ber import Source, damaged, read_exactly
from monpro.seal.recipients import NOT_OPENED, key_identifier

MAGIC = b"monpro blocks 1\n"
SECRET = 32
BATCH = 32  # blocks in an engine at a time

Write = Callable[[bytes], None]
Progress = Callable[[int, int | None], None]  # blocks done, and of how many if that is known


def _head(key: Key) -> bytes:
    return MAGIC + key.size.to_bytes(2, "big") + key_identifier(key)


def _room(key: Key) -> int:
    """Bytes of content in a block; the first has fewer by the secret."""
    return key.size - oaep.OVERHEAD


def block_count(key: Key, size: int) -> int:
    """How many blocks a content of `size` bytes becomes."""
    return max(1, -(-(size + SECRET) // _room(key)))


class _Labels:
    """The hash of each block's label."""

    def __init__(self, head: bytes) -> None:
        self._start = hashlib.sha256(head)
        self.secret = bytes(SECRET)

    def hash(self, index: int, last: bool) -> bytes:
        label = self._start.copy()
        label.update(self.secret if index else bytes(SECRET))
        label.update(index.to_bytes(8, "big") + bytes([last]))
        return label.digest()


def _pieces(source: Source, first: int, others: int) -> Iterator[tuple[bytes, bool]]:
    """What a source gives, cut to these lengths, each with whether it is the last."""
    piece, following = read_exactly(source, first), b""
    while len(piece) == first and (following := read_exactly(source, others)):
        yield piece, False
        piece, first = following, others
    yield piece, True


def _batches(source: Source, first: int, others: int) -> Iterator[list[tuple[int, bytes, bool]]]:
    """The pieces with their indexes, in batches."""
    batch = []
    for index, (piece, last) in enumerate(_pieces(source, first, others)):
        batch.append((index, piece, last))
        if last or len(batch) == BATCH:
            yield batch
            batch = []


def seal(
    engine: Engine,
    key: Key,
    source: Source,
    size: int | None,
    write: Write,
    progress: Progress | None = None,
) -> int:
    """Seals what a source gives to a key; returns how many blocks it became."""
    head, room = _head(key), _room(key)
    labels = _Labels(head)
    secret = secrets.token_bytes(SECRET)
    expected = None if size is None else block_count(key, size)
    write(head)
    done = 0
    for batch in _batches(source, room - SECRET, room):
        blocks = []
        for index, piece, last in batch:
            message = piece if index else secret + piece
            blocks.append(oaep.encode(message, labels.hash(index, last), key.size))
            labels.secret = secret
        write(b"".join(rsa.raw_public(engine, key, blocks)))
        done += len(blocks)
        if progress:
            progress(done, expected)
    return done


def open_sealed(
    engine: Engine,
    key: Key,
    source: Source,
    size: int | None,
    write: Write,
    progress: Progress | None = None,
) -> int:
    """Writes the content of a sealed file; it is whole only when this has returned.

    `size` is the file's, head included. Returns how many blocks it had.
    """
    head = _head(key)
    found = read_exactly(source, len(head))
    if found[: len(MAGIC)] != MAGIC or len(found) < len(head):
        raise damaged("it ends too early, or does not begin as one of --blocks")
    if found != head:
        raise MonproError("MONPRO_ERR_DECRYPT", NOT_OPENED)
    labels = _Labels(head)
    expected = None if size is None else (size - len(head)) // key.size
    done = 0
    for batch in _batches(source, key.size, key.size):
        if len(batch[-1][1]) != key.size:
            raise damaged("it ends inside a block")
        for (index, _, last), block in zip(
            batch, _decrypt(engine, key, [block for _, block, _ in batch]), strict=True
        ):
            message = oaep.decode(block, labels.hash(index, last))
            if message is None or not _regular(message, index, last, _room(key)):
                raise MonproError("MONPRO_ERR_DECRYPT", f"{NOT_OPENED} (block {index})")
            if index == 0:
                labels.secret, message = message[:SECRET], message[SECRET:]
            write(message)
        done += len(batch)
        if progress:
            progress(done, expected)
    return done


def _regular(message: bytes, index: int, last: bool, room: int) -> bool:
    """Whether a block has the length that its place asks for."""
    return len(message) == room if not last else len(message) >= (1 if index else SECRET)


def _decrypt(engine: Engine, key: Key, blocks: list[bytes]) -> list[bytes]:
    try:
        return rsa.raw_private(engine, key, blocks)
    except MonproError as error:
        if error.name not in ("MONPRO_ERR_BASE_RANGE", "MONPRO_ERR_CIPHERTEXT"):
            raise
        # A block that is not below the modulus was never made by the key.
        raise MonproError("MONPRO_ERR_DECRYPT", NOT_OPENED) from error
