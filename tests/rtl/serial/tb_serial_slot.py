# SPDX-License-Identifier: Apache-2.0
"""monpro_serial_slot: a word of each of its writers is read back; a wipe takes them all."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents

TOP = "monpro_serial_slot"
PARAMETERS = ({"AddrBits": 3},)
WRITERS = ("load", "keep", "write")


async def read(dut: Any, address: int) -> int:
    agents.drive(dut, read_index_i=address)
    await agents.cycles(dut, 3)
    return int(dut.read_data_o.value)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def writers(dut: Any) -> None:
    idle = {f"{w}_{what}": 0 for w in WRITERS for what in ("i", "index_i", "data_i")}
    agents.start_clock(dut)
    agents.drive(dut, wipe_i=1, wipe_addr_i=0, read_index_i=0, **idle)
    for address in range(8):
        agents.drive(dut, wipe_addr_i=address)
        await RisingEdge(dut.clk_i)
    agents.drive(dut, wipe_i=0)
    held = [0] * 8
    for _ in range(100):
        writer, address = random.choice(WRITERS), random.randrange(8)
        held[address] = random.getrandbits(32)
        for other in WRITERS:  # the others have an index and a word too
            index, word = random.randrange(8), random.getrandbits(32)
            agents.drive(dut, **{f"{other}_index_i": index, f"{other}_data_i": word})
        agents.drive(
            dut,
            **{f"{writer}_i": 1, f"{writer}_index_i": address, f"{writer}_data_i": held[address]},
        )
        await RisingEdge(dut.clk_i)
        agents.drive(dut, **{f"{writer}_i": 0})
        place = random.randrange(8)
        assert await read(dut, place) == held[place]
    agents.drive(dut, wipe_i=1, keep_i=1, load_i=1, write_i=1)
    for address in range(8):
        agents.drive(dut, wipe_addr_i=address)
        await RisingEdge(dut.clk_i)
    agents.drive(dut, wipe_i=0, keep_i=0, load_i=0, write_i=0)
    for address in range(8):
        assert await read(dut, address) == 0
