# SPDX-License-Identifier: Apache-2.0
"""RSAES-OAEP's encoding (RFC 8017, 7.1) for many blocks, around raw operations in batches.

The C library pads one block with each operation. A batch has to be padded before it is handed to an
engine. The digest is SHA-256, also for MGF1. A block of k bytes is

    00 | seed xor MGF1(maskedDB)  | DB xor MGF1(seed)      1 + 32 + (k - 33) bytes
    DB = SHA-256(label) | 00 ... 00 | 01 | message

and has room for k - 66 bytes.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets

HASH = 32
OVERHEAD = 2 * HASH + 2


def _mask(seed: bytes, length: int) -> int:
    """MGF1 as a number."""
    start, mask = hashlib.sha256(seed), b""
    for counter in range(-(-length // HASH)):
        part = start.copy()
        part.update(counter.to_bytes(4, "big"))
        mask += part.digest()
    return int.from_bytes(mask[:length], "big")


def _masked(data: bytes, seed: bytes) -> bytes:
    return (int.from_bytes(data, "big") ^ _mask(seed, len(data))).to_bytes(len(data), "big")


def encode(message: bytes, label_hash: bytes, size: int) -> bytes:
    """The block of `size` bytes for one message, which has to fit."""
    zeros = bytes(size - OVERHEAD - len(message))
    data = _masked(label_hash + zeros + b"\1" + message, seed := secrets.token_bytes(HASH))
    return b"\0" + _masked(seed, data) + data


def decode(block: bytes, label_hash: bytes) -> bytes | None:
    """The message in a block, or None.

    What is wrong with a block must not show (Manger): first byte and label are compared at once
    and in full, and everything is computed before anything is decided.
    """
    data = block[1 + HASH :]
    seed = _masked(block[1 : 1 + HASH], data)
    plain = _masked(data, seed)
    zeros, mark, message = plain[HASH:].partition(b"\1")
    right = hmac.compare_digest(block[:1] + plain[:HASH], b"\0" + label_hash)
    padded = bool(mark) & (zeros.count(0) == len(zeros))
    return message if right & padded else None
