# SPDX-License-Identifier: Apache-2.0
"""monpro_dataflow_queue: beats in and out against a list, full and empty, with waits."""

from __future__ import annotations

import random
from collections import deque
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents

TOP = "monpro_dataflow_queue"
INSIDE = False
PARAMETERS = ({"Width": 8, "Depth": 4},)


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(pushes=[0.2, 0.9, 1.0], takes=[0.2, 0.9, 1.0])
async def in_order(dut: Any, pushes: float, takes: float) -> None:
    """Depth beats and the one at the output fit; that one stays until it is taken."""
    depth = agents.parameters()["Depth"]
    await agents.reset(dut, push_i=0, beat_i=0, ready_i=0)
    inside: deque[tuple[int, int]] = deque()  # cycle of the push, and the beat
    taken = 0
    for cycle in range(300):
        push = random.random() < pushes and len(inside) < depth
        beat = random.getrandbits(8)
        ready = random.random() < takes
        agents.drive(dut, push_i=push, beat_i=beat, ready_i=ready)
        await RisingEdge(dut.clk_i)
        there = bool(inside) and inside[0][0] <= cycle - 2
        assert bool(dut.valid_o.value) == there
        if there:
            assert int(dut.beat_o.value) == inside[0][1]
        if there and ready:
            inside.popleft()
            taken += 1
        if push:
            inside.append((cycle, beat))
    assert taken > 40
