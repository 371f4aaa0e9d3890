# SPDX-License-Identifier: Apache-2.0
"""Drives monpro_radix2 and monpro_interleaved, whose ports are the same: streams of words."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from cocotb.triggers import FallingEdge, RisingEdge

import agents
from monpro.hardware.models import serial
from monpro.hardware.models.montgomery import join, split


@dataclass(slots=True)
class Job:
    """A product; an operand None is the result before, word by word as it comes."""

    x: int | None
    y: int | None
    gap: int = 0
    """Cycles between the result before and this start."""


@dataclass(slots=True)
class Outcome:
    cycles: int
    words: list[int] = field(default_factory=list)

    @property
    def value(self) -> int:
        return join(self.words, serial.WORD_BITS)


class Multiplier:
    """Streams operands in and results out, and counts the cycles from start to result."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        self.words = serial.chunks(agents.parameters()["MaxBits"])

    async def set_up(self) -> None:
        await agents.reset(
            self.dut, clear_i=0, wipe_i=0, wipe_addr_i=0, bits_i=0, modulus_write_i=0,
            modulus_index_i=0, modulus_i=0, start_i=0, x_i=0, y_i=0,
        )  # fmt: skip
        await self.wipe()

    async def wipe(self) -> None:
        agents.drive(self.dut, clear_i=1, wipe_i=1)
        for address in range(1 << (self.words - 1).bit_length()):
            agents.drive(self.dut, wipe_addr_i=address)
            await RisingEdge(self.dut.clk_i)
        agents.drive(self.dut, clear_i=0, wipe_i=0)
        await agents.cycles(self.dut, 4)

    async def modulus(self, bits: int, words: int) -> None:
        """What the multiplier wants of the modulus."""
        agents.drive(self.dut, bits_i=bits, modulus_write_i=1)
        for index, word in enumerate(split(words, self.words, serial.WORD_BITS)):
            agents.drive(self.dut, modulus_index_i=index, modulus_i=word)
            await RisingEdge(self.dut.clk_i)
        agents.drive(self.dut, modulus_write_i=0)
        await agents.cycles(self.dut, 4)

    async def run(self, jobs: list[Job], most: int) -> list[Outcome]:
        """Runs products one after the other, `most` cycles each at the most.

        Looks and acts in the middle of a cycle: a result's words can go in as they come out.
        """
        dut, outcomes, waiting = self.dut, list[Outcome](), list(jobs)
        feeds: list[tuple[int, Job, list[int]]] = []  # of words: first cycle, job, result before
        results: list[tuple[int, Outcome]] = []
        begun, start_at, left = 0, 0, len(jobs)
        number, edge = agents.number, FallingEdge(dut.clk_i)
        for cycle in range(sum(most + job.gap for job in jobs) + 4 * self.words):
            await edge
            word = number(dut.r_o)
            for first, outcome in results:
                if cycle >= first:
                    outcome.words.append(word)
            if not results:
                assert not word, "a word that is no result's"
            results = [(first, o) for first, o in results if len(o.words) < self.words]
            if number(dut.r_start_o):
                outcomes.append(Outcome(cycle - begun))
                results.append((cycle + 2, outcomes[-1]))
                left -= 1
                start_at = cycle + (waiting[0].gap if waiting else 0)
            starting = bool(waiting) and cycle == start_at
            if starting:
                feeds.append((cycle + 2, waiting.pop(0), outcomes[-1].words if outcomes else []))
                begun = cycle
            x, y = random.getrandbits(32), random.getrandbits(32)
            for first, job, words in feeds:
                if 0 <= (index := cycle - first) < self.words:
                    x, y = _word(job.x, index, words), _word(job.y, index, words)
            feeds = [feed for feed in feeds if cycle - feed[0] < self.words]
            agents.drive(dut, start_i=starting, x_i=x, y_i=y)
            if not left and not results:
                return outcomes
        raise AssertionError(f"{left} of {len(jobs)} products did not end")


def _word(value: int | None, index: int, words: list[int]) -> int:
    if value is None:
        return words[index]
    return value >> (serial.WORD_BITS * index) & 0xFFFFFFFF


Product = Callable[[int, int], int]


def expected(jobs: list[Job], product: Product) -> list[int]:
    results: list[int] = []
    for job in jobs:
        x = results[-1] if job.x is None else job.x
        y = results[-1] if job.y is None else job.y
        results.append(product(x, y))
    return results
