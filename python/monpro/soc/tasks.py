# SPDX-License-Identifier: Apache-2.0
"""Tasks: what the firmware is asked for, as soc/firmware/tasks.h lays it out in ROM."""

from __future__ import annotations

import dataclasses
import struct
from collections.abc import Sequence
from enum import IntEnum
from typing import get_args

from monpro.hardware.schemes import SchemeName

MAGIC = 0x4B53544D


class Kind(IntEnum):
    MODEXP = 1
    RSA_PUBLIC = 2
    RSA_PRIVATE = 3
    MISUSE = 4
    PEER = 5
    STREAM = 6


class On(IntEnum):
    """Who computes."""

    SOFT = 0
    DEVICE = 1


PUBLIC, NO_CRT, DMA = 1, 2, 4  # flags

# A scheme's place is its value of monpro_scheme in monpro.h.
SCHEMES: tuple[str, ...] = get_args(SchemeName)


def number(value: int) -> bytes:
    """A number as the tasks have it: big-endian, without leading zeros."""
    return value.to_bytes(max(1, (value.bit_length() + 7) // 8), "big")


@dataclasses.dataclass(frozen=True, slots=True)
class Task:
    """One task, and what its result has to be: None where it is to fail."""

    kind: Kind
    on: On
    fields: tuple[bytes, ...]
    expected: int | None
    bits: int
    operation: str
    scheme: str = "default"
    window: int = 0
    flags: int = 0

    def encode(self) -> bytes:
        head = [self.kind, self.on, SCHEMES.index(self.scheme), self.window, self.flags]
        words = [*head, len(self.fields), *map(len, self.fields)]
        data = b"".join(field + bytes(-len(field) % 4) for field in self.fields)
        return struct.pack(f"<{len(words)}I", *words) + data


def encode(tasks: Sequence[Task]) -> bytes:
    """The tasks as they lie in ROM."""
    return struct.pack("<2I", MAGIC, len(tasks)) + b"".join(task.encode() for task in tasks)
