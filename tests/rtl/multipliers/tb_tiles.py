# SPDX-License-Identifier: Apache-2.0
"""monpro_tiles: the parts of a product four cycles later, one pair a cycle."""

from __future__ import annotations

import random
from collections import deque
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents

TOP = "monpro_tiles"
PARAMETERS = ({"WordBits": 36}, {"WordBits": 20}, {"WordBits": 18}, {"WordBits": 8})
LATENCY_CYCLES = 4


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(clear_chance=[0.0, 0.05])
async def one_product_a_cycle(dut: Any, clear_chance: float) -> None:
    bits = agents.parameters()["WordBits"]
    tile_bits = bits // 2 if bits > 18 else bits
    top = (1 << bits) - 1
    half = (1 << bits // 2) - 1
    edges = [0, 1, half, top ^ half, top - 1, top]
    pairs = [(a, b) for a in edges for b in edges]
    pairs += [(random.randint(0, top), random.randint(0, top)) for _ in range(2000)]
    agents.start_clock(dut)
    agents.drive(dut, clear_i=1, a_i=top, b_i=top)
    await RisingEdge(dut.clk_i)
    pipe = deque([0] * LATENCY_CYCLES)
    for a, b in pairs:
        clear = random.random() < clear_chance
        agents.drive(dut, clear_i=clear, a_i=a, b_i=b)
        await RisingEdge(dut.clk_i)
        lo, mid, hi = (int(getattr(dut, port).value) for port in ("lo_o", "mid_o", "hi_o"))
        assert lo + ((mid + hi) << bits) == pipe.popleft()
        assert lo < 3 << bits
        assert mid < 2 << tile_bits
        assert mid + hi <= top
        pipe.append(a * b)
        if clear:
            pipe = deque([0] * LATENCY_CYCLES)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def clear_zeroes_every_register(dut: Any) -> None:
    top = (1 << agents.parameters()["WordBits"]) - 1
    agents.start_clock(dut)
    agents.drive(dut, clear_i=0, a_i=top, b_i=top)
    await agents.cycles(dut, 8)
    assert agents.not_zero(dut)
    agents.drive(dut, clear_i=1)
    await agents.cycles(dut, 2)
    assert not agents.not_zero(dut)
