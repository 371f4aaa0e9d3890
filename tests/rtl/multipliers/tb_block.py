# SPDX-License-Identifier: Apache-2.0
"""monpro_block: a product three cycles later, one pair a cycle, nothing left after clear."""

from __future__ import annotations

import random
from collections import deque
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents

TOP = "monpro_block"
PARAMETERS = ({"WordBits": 17}, {"WordBits": 8}, {"WordBits": 24, "DigitBits": 17})
LATENCY_CYCLES = 3


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(clear_chance=[0.0, 0.05])
async def one_product_a_cycle(dut: Any, clear_chance: float) -> None:
    p = agents.parameters()
    tops = [(1 << bits) - 1 for bits in (p.get("DigitBits", p["WordBits"]), p["WordBits"])]
    edges = [[0, 1, top, top - 1, 1 << (top.bit_length() - 1)] for top in tops]
    pairs = [(a, b) for a in edges[0] for b in edges[1]]
    pairs += [(random.randint(0, tops[0]), random.randint(0, tops[1])) for _ in range(2000)]
    agents.start_clock(dut)
    agents.drive(dut, clear_i=1, a_i=tops[0], b_i=tops[1])
    await RisingEdge(dut.clk_i)
    pipe = deque([0] * LATENCY_CYCLES)
    for a, b in pairs:
        clear = random.random() < clear_chance
        agents.drive(dut, clear_i=clear, a_i=a, b_i=b)
        await RisingEdge(dut.clk_i)
        assert int(dut.p_o.value) == pipe.popleft()
        pipe.append(a * b)
        if clear:
            pipe = deque([0] * LATENCY_CYCLES)
