# SPDX-License-Identifier: Apache-2.0
"""monpro_serial_fifo: words come back in their order, two cycles after they are asked for."""

from __future__ import annotations

import random
from collections import deque
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge

import agents

TOP = "monpro_serial_fifo"
PARAMETERS = ({"Width": 32, "Depth": 8}, {"Width": 8, "Depth": 2})
IDLE = {"wipe_i": 0, "wipe_addr_i": 0, "push_i": 0, "word_i": 0, "pop_i": 0}


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def order(dut: Any) -> None:
    """Any mix of pushes and pops that neither overruns it nor reads a word just written."""
    await agents.reset(dut, clear_i=1, **IDLE)
    p = agents.parameters()
    held: deque[tuple[int, int]] = deque()
    due: deque[tuple[int, int]] = deque()
    popped = 0
    for cycle in range(2000):
        await FallingEdge(dut.clk_i)
        while due and due[0][0] == cycle:
            assert int(dut.word_o.value) == due.popleft()[1]
            popped += 1
        pop = bool(held) and held[0][0] < cycle and random.random() < 0.5
        if pop:
            due.append((cycle + 2, held.popleft()[1]))
        push = len(held) < p["Depth"] - 1 and random.random() < 0.5
        word = random.getrandbits(p["Width"])
        if push:
            held.append((cycle, word))
        agents.drive(dut, push_i=push, pop_i=pop, word_i=word)
    assert popped > 300


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def wiped(dut: Any) -> None:
    await agents.reset(dut, clear_i=1, **IDLE)
    p = agents.parameters()
    agents.drive(dut, push_i=1, word_i=(1 << p["Width"]) - 1)
    await agents.cycles(dut, p["Depth"] - 1)
    agents.drive(dut, push_i=0, word_i=0)
    await agents.cycles(dut, 2)
    assert agents.not_zero(dut)
    agents.drive(dut, clear_i=1, wipe_i=1)
    for address in range(p["Depth"]):
        agents.drive(dut, wipe_addr_i=address)
        await agents.cycles(dut, 1)
    agents.drive(dut, clear_i=0, wipe_i=0)
    await agents.cycles(dut, 4)
    assert not agents.not_zero(dut)
