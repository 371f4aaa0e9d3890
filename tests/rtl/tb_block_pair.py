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
    f"{target}-{bits}": {"Target": f'"{target}"', "WordBits": bits}
    for target, widths in {"ecp5": (18, 8), "xilinx7": (17, 8)}.items()
    for bits in widths
}
CLEARED_CYCLES = 3  # until both have forgotten what their registers held at power-up


def operands(bits: int, count: int) -> Iterator[tuple[int, int]]:
    """All pairs of edge values, single bits among them, then random ones."""
    ones = (1 << bits) - 1
    edges = sorted({0, 1, ones, ones - 1, ones >> 1, *(1 << i for i in range(bits))})
    yield from ((a, b) for a in edges for b in edges)
    yield from ((random.randint(0, ones), random.randint(0, ones)) for _ in range(count))


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(clear_chance=[0.0, 0.05, 0.5])
async def same_output_in_every_cycle(dut: Any, clear_chance: float) -> None:
    bits = agents.parameters()["WordBits"]
    ones = (1 << bits) - 1
    agents.start_clock(dut)
    agents.drive(dut, clear_i=1, a_i=ones, b_i=ones)
    await agents.cycles(dut, CLEARED_CYCLES)
    seen = set()
    for a, b in operands(bits, 3000):
        agents.drive(dut, clear_i=random.random() < clear_chance, a_i=a, b_i=b)
        await RisingEdge(dut.clk_i)
        assert agents.number(dut.vendor_o) == agents.number(dut.portable_o)
        seen.add(agents.number(dut.vendor_o))
    assert len(seen) > 1  # it was not the equality of two constants


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def one_cycle_of_clear_empties_every_stage(dut: Any) -> None:
    ones = (1 << agents.parameters()["WordBits"]) - 1
    agents.start_clock(dut)
    agents.drive(dut, clear_i=0, a_i=ones, b_i=ones)
    await agents.cycles(dut, 5)
    assert agents.number(dut.vendor_o) == ones * ones
    agents.drive(dut, clear_i=1)
    await RisingEdge(dut.clk_i)
    agents.drive(dut, clear_i=0, a_i=0)
    for _ in range(5):
        await RisingEdge(dut.clk_i)
        assert agents.number(dut.vendor_o) == agents.number(dut.portable_o) == 0
