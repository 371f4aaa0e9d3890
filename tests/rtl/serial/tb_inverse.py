# SPDX-License-Identifier: Apache-2.0
"""monpro_inverse: twice the inverse of a power of two modulo N, in the same cycles for every N."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge

import agents
from monpro.hardware.models.montgomery import join, split
from monpro.hardware.models.serial import inverse

TOP = "monpro_inverse"
PARAMETERS = ({"Width": 32, "Bits": 2}, {"Width": 8, "Bits": 5})
LATENCY_CYCLES = 3


async def run(dut: Any, n: int, words: int, cycles: int | None = None) -> list[int]:
    """Streams N in, one word above it; gives the words that come out."""
    p, found = agents.parameters(), list[int]()
    data = [*split(n, words, p["Width"]), 0]
    for cycle in range(words + LATENCY_CYCLES + 1 if cycles is None else cycles):
        await FallingEdge(dut.clk_i)
        assert int(dut.first_o.value) == (cycle == LATENCY_CYCLES)
        if cycle >= LATENCY_CYCLES:
            found.append(int(dut.word_o.value))
        word = data[cycle] if cycle < len(data) else 0
        agents.drive(dut, first_i=cycle == 0, word_i=word)
    return found


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def inverses(dut: Any) -> None:
    """Moduli of every residue and of every length in words; the definition, and the model."""
    await agents.reset(dut, clear_i=1, first_i=0, word_i=0)
    p = agents.parameters()
    for words in (1, 2, 3, 9):
        size = p["Width"] * words
        some = [random.getrandbits(size) | 1 for _ in range(2 << p["Bits"])]
        for n in [*range(1, 2 << p["Bits"], 2), (1 << size) - 1, 1 << (size - 1) | 1, *some]:
            value = join(await run(dut, n, words), p["Width"])
            assert value == inverse(n, p["Bits"]), f"{n:#x}"
            assert value % 2 == 0
            assert (value << (p["Bits"] - 1)) % n == 1 % n, f"{n:#x}"
            assert value <= 2 * n


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def cleared_in_the_middle(dut: Any) -> None:
    await agents.reset(dut, clear_i=1, first_i=0, word_i=0)
    p = agents.parameters()
    for cycles in (2, 3, 4, 7):
        n = (1 << (p["Width"] * 6)) - 1
        await run(dut, n, 6, cycles)
        assert agents.not_zero(dut)
        agents.drive(dut, clear_i=1, first_i=0, word_i=0)
        await agents.cycles(dut, 2)
        agents.drive(dut, clear_i=0)
        assert not agents.not_zero(dut)
        assert join(await run(dut, n, 6), p["Width"]) == inverse(n, p["Bits"])
