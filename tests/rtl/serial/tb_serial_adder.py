# SPDX-License-Identifier: Apache-2.0
"""monpro_serial_adder: every pass, alone and one after the other, on extreme and random numbers."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge

import agents
from monpro.hardware.models.montgomery import join, split

TOP = "monpro_serial_adder"
PARAMETERS = ({"Width": 32}, {"Width": 8})
IDLE = {
    "first_i": 0, "last_i": 0, "double_i": 0, "shift_i": 0, "restore_i": 0, "a_i": 0, "n_i": 0,
}  # fmt: skip


async def run(dut: Any, a: int, n: int, words: int, **what: int) -> int:
    """One pass; the result's words come a cycle after theirs."""
    width, found = agents.parameters()["Width"], list[int]()
    pairs = list(zip(split(a, words, width), split(n, words, width), strict=True))
    agents.drive(dut, **what)
    for cycle in range(words + 1):
        await FallingEdge(dut.clk_i)
        if cycle:
            found.append(int(dut.r_o.value))
        first, last = cycle == 0, cycle == words - 1
        a_word, n_word = pairs[cycle] if cycle < words else (0, 0)
        agents.drive(dut, first_i=first, last_i=last, a_i=a_word, n_i=n_word)
    return join(found, width)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def passes(dut: Any) -> None:
    """a << d minus n << s, and n << s back if that was below zero."""
    await agents.reset(dut, clear_i=1, **IDLE)
    width = agents.parameters()["Width"]
    for words in (1, 2, 3, 7):
        size = 1 << (width * words)
        numbers = [
            0,
            1,
            size - 1,
            size // 2,
            size // 2 - 1,
            *(random.randrange(size) for _ in "12"),
        ]
        for a in numbers:
            for n in numbers:
                double, shift = random.getrandbits(1), random.randrange(3)
                difference = (a << double) % size - (n << shift) % size
                result = await run(dut, a, n, words, double_i=double, shift_i=shift, restore_i=0)
                assert result == difference % size
                below = (difference % size) if difference >= 0 else difference
                assert int(dut.below_o.value) == (below < 0)
                restored = await run(dut, result, n, words, double_i=0, shift_i=shift, restore_i=1)
                assert restored == ((a << double) % size if below < 0 else result)
                assert int(dut.below_o.value) == (below < 0)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def cleared(dut: Any) -> None:
    await agents.reset(dut, clear_i=1, **IDLE)
    width = agents.parameters()["Width"]
    await run(dut, 0, (1 << 3 * width) - 1, 3, double_i=0, shift_i=0, restore_i=0)
    assert agents.not_zero(dut)
    agents.drive(dut, clear_i=1, **IDLE)
    await agents.cycles(dut, 2)
    assert not agents.not_zero(dut)
