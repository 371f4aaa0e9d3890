# SPDX-License-Identifier: Apache-2.0
"""monpro_digits: every digit of numbers of every length, in the cycle its head states."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents
from monpro.hardware.models.montgomery import split

TOP = "monpro_digits"
PARAMETERS = (
    {"WordBits": 24, "DigitBits": 17, "Elements": 13, "IndexBits": 6},
    {"WordBits": 24, "DigitBits": 17, "Elements": 1, "IndexBits": 8},
    {"WordBits": 8, "DigitBits": 5, "Elements": 3, "IndexBits": 4},
    {"WordBits": 8, "DigitBits": 8, "Elements": 2, "IndexBits": 4},
)
SPACING_CYCLES = 6


class Source:
    """The memory, and what the digits must be."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        p = agents.parameters()
        self.elements = random.randint(1, p["Elements"])  # in use
        self.word_bits, self.digit_bits = p["WordBits"], p["DigitBits"]
        self.index_bits = p["IndexBits"]
        self.words: list[int] = []

    async def set_up(self) -> None:
        await agents.reset(
            self.dut, clear_i=0, words_i=3, elements_i=self.elements, begin_i=0, next_i=0, word_i=0
        )
        self.reads = agents.Reads(self.dut, "word_i", bits=self.word_bits)

    def number(self, words: int, *, ones: bool) -> int:
        bits = self.word_bits * words
        value = (1 << bits) - 1 if ones else random.getrandbits(bits)
        self.words = split(value, words, self.word_bits)
        return value

    async def cycle(self) -> None:
        await RisingEdge(self.dut.clk_i)
        index = agents.number(self.dut.index_o)
        known = index < len(self.words)  # beyond: anything
        self.reads.cycle(word_i=self.words[index] if known else random.getrandbits(self.word_bits))

    async def digits(self, passes: int, wait: int, stop_after: int | None = None) -> list[int]:
        """The digits of so many passes, with so many cycles more between them than they need."""
        found = []
        for number in range(passes):
            first = {"begin_i": 1} if number == 0 else {"next_i": 1}
            agents.drive(self.dut, words_i=len(self.words), **first)
            await self.cycle()
            agents.drive(self.dut, begin_i=0, next_i=0)
            for time in range(1, SPACING_CYCLES * self.elements + 2 + wait):
                await self.cycle()
                if time % SPACING_CYCLES == 3 and len(found) < (number + 1) * self.elements:
                    found.append(agents.number(self.dut.digit_o))
                if stop_after is not None and time == stop_after:
                    return found
        return found


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(wait=[0, 1, 17], ones=[False, True])
async def every_digit(dut: Any, wait: int, ones: bool) -> None:
    """Those of the number, and zeros after them for a whole pass."""
    source = Source(dut)
    await source.set_up()
    for words in {3, 4, 5, (1 << source.index_bits) - 1}:
        value = source.number(words, ones=ones)
        digits = -(-source.word_bits * words // source.digit_bits)
        passes = -(-digits // source.elements) + 1
        expected = split(value, passes * source.elements, source.digit_bits)
        assert await source.digits(passes, wait) == expected


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def cleared(dut: Any) -> None:
    """At any time; and nothing of the number before gets into the next."""
    source = Source(dut)
    await source.set_up()
    for stop_after in range(1, SPACING_CYCLES * source.elements, 5):
        source.number(6, ones=True)
        await source.digits(2, 0, stop_after)
        agents.drive(dut, clear_i=1, word_i=0)
        await agents.cycles(dut, 2)
        assert not agents.not_zero(dut)
        agents.drive(dut, clear_i=0)
        value = source.number(4, ones=False)
        passes = -(-source.word_bits * 4 // source.digit_bits // source.elements) + 1
        expected = split(value, passes * source.elements, source.digit_bits)
        assert await source.digits(passes, 0) == expected
