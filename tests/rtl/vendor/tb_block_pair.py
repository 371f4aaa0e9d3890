# SPDX-License-Identifier: Apache-2.0
"""A vendor's block and the portable one on the same inputs: the same output in every cycle."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents

TOP = "monpro_block_pair"
PARAMETERS = {
    f"{target}-{bits}": {"Target": f'"{target}"', "WordBits": bits, "DigitBits": digit}
    for target, widths in {
        "ecp5": ((18, 18), (8, 8)),
        "xilinx7": ((17, 17), (8, 8), (24, 17), (20, 11)),
    }.items()
    for bits, digit in widths
}
CLEARED_CYCLES = 3  # until both have forgotten what their registers held at power-up


def ones() -> tuple[int, int]:
    """The largest a and b."""
    p = agents.parameters()
    return (1 << p["DigitBits"]) - 1, (1 << p["WordBits"]) - 1


def edges(top: int) -> list[int]:
    powers = (1 << i for i in range(top.bit_length()))
    return sorted({0, 1, top, top - 1, top >> 1, *powers})


def operands(count: int) -> Iterator[tuple[int, int]]:
    """All pairs of edge values, single bits among them, then random ones."""
    a_top, b_top = ones()
    yield from ((a, b) for a in edges(a_top) for b in edges(b_top))
    yield from ((random.randint(0, a_top), random.randint(0, b_top)) for _ in range(count))


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(clear_chance=[0.0, 0.05, 0.5])
async def same_output_in_every_cycle(dut: Any, clear_chance: float) -> None:
    a_top, b_top = ones()
    agents.start_clock(dut)
    agents.drive(dut, clear_i=1, a_i=a_top, b_i=b_top)
    await agents.cycles(dut, CLEARED_CYCLES)
    seen = set()
    for a, b in operands(3000):
        agents.drive(dut, clear_i=random.random() < clear_chance, a_i=a, b_i=b)
        await RisingEdge(dut.clk_i)
        assert agents.number(dut.vendor_o) == agents.number(dut.portable_o)
        seen.add(agents.number(dut.vendor_o))
    assert len(seen) > 1  # it was not the equality of two constants


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def one_cycle_of_clear_empties_every_stage(dut: Any) -> None:
    a_top, b_top = ones()
    agents.start_clock(dut)
    agents.drive(dut, clear_i=0, a_i=a_top, b_i=b_top)
    await agents.cycles(dut, 5)
    assert agents.number(dut.vendor_o) == a_top * b_top
    agents.drive(dut, clear_i=1)
    await RisingEdge(dut.clk_i)
    agents.drive(dut, clear_i=0, a_i=0)
    for _ in range(5):
        await RisingEdge(dut.clk_i)
        assert agents.number(dut.vendor_o) == agents.number(dut.portable_o) == 0
