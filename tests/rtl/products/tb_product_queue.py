# SPDX-License-Identifier: Apache-2.0
"""monpro_product_queue: commands come back in their order, and none that has gone is kept."""

from __future__ import annotations

import random
from collections import deque
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge

import agents
from monpro.hardware.models.product import QUEUE_DEPTH

TOP = "monpro_product_queue"
PARAMETERS = ({},)
COMMAND_BITS = 17
IDLE = {"push_i": 0, "command_i": 0, "pop_i": 0}


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def order(dut: Any) -> None:
    """Any mix of pushes and pops: what is pushed into a full queue is dropped."""
    await agents.reset(dut, clear_i=1, **IDLE)
    held: deque[int] = deque()
    fullest, chance = 0, 0.7
    for cycle in range(3000):
        await FallingEdge(dut.clk_i)
        count = len(held)
        assert int(dut.count_o.value) == count
        assert int(dut.valid_o.value) == (count > 0)
        assert int(dut.full_o.value) == (count == QUEUE_DEPTH)
        assert int(dut.command_o.value) == (held[0] if held else 0), "one that is gone is kept"
        fullest += count == QUEUE_DEPTH
        if cycle % 100 == 0:
            chance = random.choice([0.2, 0.5, 0.8])
        push, pop = random.random() < chance, bool(held) and random.random() < 0.5
        command = random.getrandbits(COMMAND_BITS)
        agents.drive(dut, push_i=push, command_i=command, pop_i=pop)
        if push and count < QUEUE_DEPTH:
            held.append(command)
        if pop:
            held.popleft()
    assert fullest > 100


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def cleared(dut: Any) -> None:
    await agents.reset(dut, clear_i=1, **IDLE)
    agents.drive(dut, push_i=1, command_i=(1 << COMMAND_BITS) - 1)
    await agents.cycles(dut, QUEUE_DEPTH // 2)
    agents.drive(dut, push_i=0, command_i=0)
    await agents.cycles(dut, 2)
    assert agents.not_zero(dut)
    agents.drive(dut, clear_i=1)
    await agents.cycles(dut, 2)
    assert not agents.not_zero(dut)
