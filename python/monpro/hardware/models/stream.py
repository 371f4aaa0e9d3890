# SPDX-License-Identifier: Apache-2.0
"""Packets of the coprocessor's AXI4-Stream, and their cycles, as in rtl/bus/monpro_stream.sv."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum

from monpro.hardware import regs
from monpro.hardware.regs import Register, Slot

MAGIC = 0x4D50
MOST_WORDS = 0xFFFF
"""Of a packet after its header, and of a section."""


class Op(IntEnum):
    """What a section does."""

    WRITE = 1
    READ = 2
    WAIT = 3


@dataclass(frozen=True, slots=True)
class Section:
    """count: of the registers read; data: what is written."""

    op: Op
    address: int = 0
    data: tuple[int, ...] = ()
    count: int = 0

    @property
    def words(self) -> list[int]:
        count = len(self.data) if self.op == Op.WRITE else self.count
        return [self.op << 28 | count << 8 | self.address, *self.data]


def write(register: Register, *data: int) -> Section:
    """Writes this register and the next ones. DATA and PRODUCT take all words that follow."""
    return Section(Op.WRITE, register.offset, tuple(data))


def operand(slot: int, value: int, words: int, *, entry: int = 0) -> Section:
    """Selects a slot and writes it, least significant word first."""
    select = regs.OPERAND_SLOT.put(int(slot)) | regs.OPERAND_ENTRY.put(entry)
    return write(regs.OPERAND, select, *split(value, words))


def result(words: int, *, slot: int = Slot.RESULT, entry: int = 0) -> tuple[Section, Section]:
    select = regs.OPERAND_SLOT.put(int(slot)) | regs.OPERAND_ENTRY.put(entry)
    return write(regs.OPERAND, select), read(regs.DATA, words)


def read(register: Register, count: int = 1) -> Section:
    return Section(Op.READ, register.offset, count=count)


def wait() -> Section:
    return Section(Op.WAIT)


def packet(sections: Iterable[Section]) -> list[int]:
    body = [word for section in sections for word in section.words]
    assert len(body) <= MOST_WORDS
    return [MAGIC << 16 | len(body), *body]


def split(value: int, words: int) -> list[int]:
    """32-bit words, least significant first."""
    assert value >> (32 * words) == 0
    return [value >> (32 * i) & 0xFFFFFFFF for i in range(words)]


def join(words: Iterable[int]) -> int:
    return sum(word << (32 * i) for i, word in enumerate(words))


def accesses(section: Section) -> Iterator[int]:
    """The address of each register that is written or read."""
    address = section.address
    for _ in range(len(section.data) if section.op == Op.WRITE else section.count):
        yield address
        if address not in (regs.DATA.offset, regs.PRODUCT.offset):
            address += 4


@dataclass(slots=True)
class Port:
    """Cycles of accesses to DATA, by the head of monpro_operand_port."""

    word_bits: int
    slot: int = 0
    """What OPERAND was last set to."""
    done: int = 0
    """Accesses since then."""

    def select(self, value: int) -> None:
        self.slot, self.done = regs.OPERAND_SLOT.get(value), 0

    def _words(self, *, up: bool) -> int:
        """Words of the design that the next access completes, or needs."""
        before, after = 32 * self.done, 32 * (self.done + 1)
        self.done += 1
        if up:
            return -(-after // self.word_bits) - -(-before // self.word_bits)
        return after // self.word_bits - before // self.word_bits

    def write(self) -> int:
        if self.slot in (Slot.EXPONENT, Slot.EXPONENT_Q):
            return 6
        return 6 + 2 * self._words(up=False)

    def read(self) -> int:
        return 2 + 7 * self._words(up=True)


HEADER_CYCLES = SECTION_CYCLES = 2
WAIT_CYCLES = 1


def cycles(sections: Sequence[Section], word_bits: int) -> int:
    """Cycles of a packet, if nothing stalls and every access is possible.

    They count from the cycle that takes the header to the cycle that takes the last word of the
    answer, both included. A `wait` adds the cycles in which the coprocessor is busy.
    """
    port = Port(word_bits)
    total = HEADER_CYCLES
    for section in sections:
        total += SECTION_CYCLES
        if section.op == Op.WAIT:
            total += WAIT_CYCLES
        for number, address in enumerate(accesses(section)):
            if section.op == Op.READ:
                total += 2 + (2 + port.read() if address == regs.DATA.offset else 2)
            else:
                total += 3 + (2 + port.write() if address == regs.DATA.offset else 1)
                if address == regs.OPERAND.offset:
                    port.select(section.data[number])
    return total + 2 + 2
