# SPDX-License-Identifier: Apache-2.0
"""Files sealed block by block: sizes, and that every change of order, length or content is seen."""

from __future__ import annotations

import hashlib
import io
import os
import tracemalloc
from collections.abc import Callable

import pytest

from monpro import Engine, MonproError
from monpro import rsa as monpro_rsa
from monpro.measure import openssl
from monpro.measure.openssl import Party
from monpro.rsa import Key
from monpro.seal import blocks as seal_blocks
from monpro.seal import formats, oaep
from monpro.seal.recipients import NOT_OPENED
from sealing import Drip, Memory, flipped, opened

HEAD = 38
ROOM = 128 - 66  # of a block of the 1024-bit key
FIRST = ROOM - 32
BATCH = seal_blocks.BATCH
FULL = FIRST + (BATCH - 1) * ROOM  # what one batch holds


@pytest.fixture(scope="module")
def key(party: Party) -> Key:
    return Key.read_file(party.key)


def sealed(engine: Engine, key: Key, content: bytes) -> bytes:
    out = io.BytesIO()
    count = seal_blocks.seal(engine, key, Memory(content), len(content), out.write)
    assert len(out.getvalue()) == HEAD + count * key.size
    assert count == seal_blocks.block_count(key, len(content))
    return out.getvalue()


def cut(file: bytes) -> tuple[bytes, list[bytes]]:
    """The head and the blocks."""
    return file[:HEAD], [file[i : i + 128] for i in range(HEAD, len(file), 128)]


def refused(engine: Engine, key: Key, file: bytes, words: str = NOT_OPENED) -> None:
    with pytest.raises(MonproError) as caught:
        opened(engine, key, file)
    assert caught.value.name in ("MONPRO_ERR_DECRYPT", "MONPRO_ERR_CIPHERTEXT")
    assert words in caught.value.message


@pytest.mark.parametrize(
    ("size", "blocks"),
    [
        (0, 1), (1, 1), (FIRST - 1, 1), (FIRST, 1), (FIRST + 1, 2), (FIRST + ROOM - 1, 2),
        (FIRST + ROOM, 2), (FIRST + ROOM + 1, 3), (FULL - 1, BATCH), (FULL, BATCH),
        (FULL + 1, BATCH + 1), (2 * FULL + 32, 2 * BATCH), (2 * FULL + 33, 2 * BATCH + 1),
    ],
)  # fmt: skip
def test_there_and_back(soft: Engine, key: Key, size: int, blocks: int) -> None:
    content = os.urandom(size)
    assert seal_blocks.block_count(key, size) == blocks
    file = sealed(soft, key, content)
    assert opened(soft, key, file) == content
    assert sealed(soft, key, content)[HEAD:] != file[HEAD:]  # a fresh secret, fresh seeds


def test_slow_sources_and_progress(soft: Engine, key: Key) -> None:
    content, out, back = os.urandom(FULL + 5), io.BytesIO(), io.BytesIO()
    seen: list[tuple[int, int | None]] = []
    seal_blocks.seal(soft, key, Drip(content), None, out.write, lambda *at: seen.append(at))
    assert seen == [(BATCH, None), (BATCH + 1, None)]
    formats.open_file(soft, key, Drip(out.getvalue()), back.write)  # type: ignore[arg-type]
    assert back.getvalue() == content
    seen.clear()
    opened(soft, key, out.getvalue(), progress=lambda *at: seen.append(at))
    assert seen == [(BATCH, BATCH + 1), (BATCH + 1, BATCH + 1)]


def test_order_and_length(soft: Engine, key: Key) -> None:
    file = sealed(soft, key, os.urandom(FIRST + 4 * ROOM))
    head, blocks = cut(file)
    a, b, c, d, e = blocks
    for damaged in (
        [a, c, b, d, e], [b, a, c, d, e], [a, b, c, e, d],  # swapped
        [b, c, d, e], [a, c, d, e], [a, b, c, e],  # dropped
        [a, b, c, d], [a], [e], [b],  # cut
        [a, a, b, c, d, e], [a, b, b, c, d, e], [a, b, c, d, e, e],  # repeated
        [a, b, c, d, e, a],  # more behind the end
    ):  # fmt: skip
        refused(soft, key, head + b"".join(damaged))
    refused(soft, key, head, "damaged")


def test_blocks_of_another_file_and_made_up_ones(soft: Engine, key: Key) -> None:
    content = os.urandom(FIRST + 2 * ROOM)
    head, ours = cut(sealed(soft, key, content))
    _, others = cut(sealed(soft, key, content))
    for index in range(3):
        mixed = [*ours[:index], others[index], *ours[index + 1 :]]
        refused(soft, key, head + b"".join(mixed))
    # One who has the public key, knows the format and all of the content, but not the secret.
    for secret in (bytes(32), os.urandom(32)):
        label = hashlib.sha256(head + secret + (1).to_bytes(8, "big") + b"\0").digest()
        block = oaep.encode(bytes(ROOM), label, 128)
        [forged] = monpro_rsa.raw_public(soft, key, [block])
        refused(soft, key, head + ours[0] + forged + ours[2])


@pytest.mark.parametrize(("first", "last"), [(ROOM - 1, b"x"), (ROOM, b""), (31, None), (10, b"x")])
def test_only_one_file_holds_a_content(
    soft: Engine, key: Key, first: int, last: bytes | None
) -> None:
    """A block that is short, an end that is empty, a first one without its secret: refused."""
    head = sealed(soft, key, b"")[:HEAD]
    labels = seal_blocks._Labels(head)
    message = bytes(first)
    blocks = [oaep.encode(message, labels.hash(0, last is None), 128)]
    labels.secret = message[:32]
    if last is not None:
        blocks.append(oaep.encode(last, labels.hash(1, True), 128))
    refused(soft, key, head + b"".join(monpro_rsa.raw_public(soft, key, blocks)))


def test_every_byte_and_every_length(soft: Engine, key: Key) -> None:
    file = sealed(soft, key, os.urandom(FIRST + 1))
    for damaged in flipped(file, (0x01, 0x80)):
        with pytest.raises(MonproError):
            opened(soft, key, damaged)
    for length in range(len(file)):
        with pytest.raises(MonproError):
            opened(soft, key, file[:length])
    refused(soft, key, file + b"\0", "inside a block")
    refused(soft, key, file + bytes(128))
    refused(soft, key, file[:HEAD] + b"\xff" * 128)  # not below the modulus


def test_a_wrong_key(soft: Engine, key: Key, parties: Callable[[int], Party]) -> None:
    file = sealed(soft, key, b"content")
    other = Key.read_file(parties(1088).key)
    refused(soft, other, file)
    # ... and with the head that the other key would have
    refused(soft, other, sealed(soft, other, b"")[:HEAD] + file[HEAD:] + bytes(8))
    with pytest.raises(MonproError, match="MONPRO_ERR_KEY_PUBLIC"):
        opened(soft, Key.read(key.write("public_spki")), file)


def test_constant_memory(soft: Engine, key: Key) -> None:
    class Zeros:
        left = 400_000

        def read(self, most: int, /) -> bytes:
            count = min(most, self.left)
            self.left -= count
            return bytes(count)

    tracemalloc.start()
    try:
        written = []
        seal_blocks.seal(soft, key, Zeros(), None, lambda data: written.append(len(data)))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert sum(written) > 800_000
    assert peak < 200_000


# ---- the encoding


@pytest.mark.parametrize("length", [0, 1, 32, ROOM - 1, ROOM])
def test_the_encoding_is_the_librarys(soft: Engine, party: Party, key: Key, length: int) -> None:
    label, message = os.urandom(17), os.urandom(length)
    hashed = hashlib.sha256(label).digest()
    [block] = monpro_rsa.raw_public(soft, key, [oaep.encode(message, hashed, 128)])
    options = [
        item
        for pair in ("padding_mode:oaep", "oaep_md:sha256", "mgf1_md:sha256")
        for item in ("-pkeyopt", f"rsa_{pair}")
    ]
    options += ["-pkeyopt", f"rsa_oaep_label:{label.hex()}"]
    assert openssl.must("pkeyutl", "-decrypt", "-inkey", party.key, *options, data=block) == message
    found = monpro_rsa.decrypt(soft, key, block, padding="oaep", digest="sha256", label=label)
    assert found == message
    theirs = openssl.must(
        "pkeyutl", "-encrypt", "-pubin", "-inkey", party.public, *options, data=message
    )
    ours = monpro_rsa.encrypt(soft, key, message, padding="oaep", digest="sha256", label=label)
    for block in monpro_rsa.raw_private(soft, key, [theirs, ours]):
        assert oaep.decode(block, hashed) == message
        assert oaep.decode(block, hashlib.sha256(b"other").digest()) is None
        for damaged in flipped(block, (0x01,)):
            assert oaep.decode(damaged, hashed) is None


@pytest.mark.parametrize("tail", [bytes(ROOM + 1), b"\0\0\2\1" + bytes(ROOM - 3), b"\2" * 63])
def test_a_block_without_its_mark(tail: bytes) -> None:
    hashed = hashlib.sha256(b"").digest()
    assert len(tail) == ROOM + 1
    seed = bytes(32)
    data = oaep._masked(hashed + tail, seed)
    block = b"\0" + oaep._masked(seed, data) + data
    assert oaep.decode(block, hashed) is None
