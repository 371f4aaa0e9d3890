# SPDX-License-Identifier: Apache-2.0
"""monpro_ram: writes and reads at once, against a list."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents

TOP = "monpro_ram"
PARAMETERS = ({"Width": 17, "Depth": 243}, {"Width": 8, "Depth": 1})


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(write_chance=[0.0, 0.3, 1.0])
async def read_is_two_cycles_late(dut: Any, write_chance: float) -> None:
    """A read gives what was there in the cycle of its address, whatever is written in the next.

    If its address is the one that is being written, no one must take it for the old word.
    """
    p = agents.parameters()
    width, depth = p["Width"], p["Depth"]
    agents.start_clock(dut)
    memory = []
    dut.read_addr_i.value = 0
    for address in range(depth):
        memory.append(random.getrandbits(width))
        agents.drive(dut, write_i=1, write_addr_i=address, write_data_i=memory[-1])
        await RisingEdge(dut.clk_i)
    expected: list[int] = []
    for _ in range(2000):
        write = random.random() < write_chance
        at, data = random.randrange(depth), random.getrandbits(width)
        read_at = at if random.random() < 0.3 else random.randrange(depth)
        agents.drive(dut, write_i=write, write_addr_i=at, write_data_i=data, read_addr_i=read_at)
        await RisingEdge(dut.clk_i)
        if len(expected) == 2:
            assert int(dut.read_data_o.value) == expected.pop(0)
        collision = write and at == read_at
        expected.append(memory[read_at] ^ ((1 << width) - 1 if collision else 0))
        if write:
            memory[at] = data
