# SPDX-License-Identifier: Apache-2.0
"""A vendor's memory and the portable one on the same inputs: the same output in every cycle."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents

TOP = "monpro_ram_pair"
# Every width of the block memory, one block and several of them, words that do not fill them, the
# last depth before each change of width and the first after it.
PARAMETERS = {
    f"{depth}x{width}": {"Target": '"ecp5"', "Width": width, "Depth": depth}
    for depth, width in [
        (8193, 1), (8192, 17), (4096, 5), (2048, 17), (1024, 36), (512, 37), (64, 8), (63, 8),
    ]
}  # fmt: skip


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def same_output_in_every_cycle(dut: Any) -> None:
    """Over every address once, then at random, mostly near the last one written."""
    p = agents.parameters()
    width, depth = p["Width"], p["Depth"]
    agents.start_clock(dut)
    agents.drive(dut, write_i=1, read_addr_i=0)
    for address in range(depth):
        agents.drive(dut, write_addr_i=address, write_data_i=random.getrandbits(width))
        await RisingEdge(dut.clk_i)
    agents.drive(dut, write_i=0)
    seen = set()
    for cycle in range(depth + 4000):
        random_at = random.randrange(depth)
        read_at = cycle if cycle < depth else random_at
        write = cycle >= depth and random.random() < 0.5
        at = random.choice([read_at, random.randrange(depth), depth - 1 - read_at])
        data = random.getrandbits(width)
        agents.drive(dut, write_i=write, write_addr_i=at, write_data_i=data, read_addr_i=read_at)
        await RisingEdge(dut.clk_i)
        if cycle >= 3:  # until then of the first loop's reads, before the address was written
            assert agents.number(dut.vendor_o) == agents.number(dut.portable_o)
            seen.add(agents.number(dut.vendor_o))
    assert len(seen) > 1  # it was not the equality of two constants
