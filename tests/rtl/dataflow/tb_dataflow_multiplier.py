# SPDX-License-Identifier: Apache-2.0
"""monpro_dataflow_multiplier: both words of a product five cycles later, one pair a cycle."""

from __future__ import annotations

import random
from collections import deque
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents

TOP = "monpro_dataflow_multiplier"
PARAMETERS: tuple[dict[str, int], ...] = ({},)
LATENCY_CYCLES = 5
MASK = (1 << 32) - 1


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def one_product_a_cycle(dut: Any) -> None:
    edges = [0, 1, 0xFFFF, 0xFFFF0000, MASK - 1, MASK]
    pairs = [(x, y) for x in edges for y in edges]
    pairs += [(random.randint(0, MASK), random.randint(0, MASK)) for _ in range(700)]
    await agents.reset(dut, x_i=0, y_i=0)
    pipe = deque([0] * LATENCY_CYCLES)
    for x, y in pairs:
        agents.drive(dut, x_i=x, y_i=y)
        await RisingEdge(dut.clk_i)
        assert int(dut.low_o.value) | int(dut.high_o.value) << 32 == pipe.popleft()
        pipe.append(x * y)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def clear_zeroes_every_register(dut: Any) -> None:
    await agents.reset(dut, x_i=MASK, y_i=MASK)
    await agents.cycles(dut, 8)
    assert agents.not_zero(dut)
    agents.drive(dut, clear_i=1)
    await agents.cycles(dut, 2)
    assert not agents.not_zero(dut)
