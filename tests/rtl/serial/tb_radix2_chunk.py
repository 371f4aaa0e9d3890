# SPDX-License-Identifier: Apache-2.0
"""monpro_radix2_chunk: one slice is the whole of a short multiplier; its carries and bits."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge

import agents

TOP = "monpro_radix2_chunk"
PARAMETERS = ({"Width": 8},)
IDLE = {
    "load_modulus_i": 0, "modulus_i": 0, "load_i": 0, "y_i": 0, "sum_i": 0, "zero_i": 0,
    "first_i": 0, "take_y_i": 0, "take_n_i": 0, "carry_i": 0, "above_i": 0,
}  # fmt: skip


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def rows(dut: Any) -> None:
    """F = T + select + carry in each cycle, T = F / 2 with the bit from above."""
    await agents.reset(dut, clear_i=1, **IDLE)
    width = agents.parameters()["Width"]
    for _ in range(20):
        y, n, total = (random.getrandbits(width) for _ in range(3))
        agents.drive(dut, load_modulus_i=1, modulus_i=n, load_i=1, y_i=y, sum_i=total)
        await RisingEdge(dut.clk_i)
        agents.drive(dut, load_modulus_i=0, load_i=0, modulus_i=0, y_i=0, sum_i=0, zero_i=1)
        agents.drive(dut, take_y_i=0, take_n_i=0)
        await RisingEdge(dut.clk_i)
        agents.drive(dut, zero_i=0)
        t, chosen, before = 0, 0, None
        for row in range(30):
            carry, above = random.getrandbits(1), random.getrandbits(1)
            take_y, take_n = random.getrandbits(1), random.getrandbits(1)
            agents.drive(
                dut,
                first_i=row == 0,
                carry_i=carry,
                above_i=above,
                take_y_i=take_y,
                take_n_i=take_n,
            )
            f = (t | (0 if row == 0 else above) << (width - 1)) + chosen + carry
            await FallingEdge(dut.clk_i)
            assert int(dut.low_o.value) == f & 1
            if before is not None:
                assert int(dut.carry_o.value) == before >> width
                assert int(dut.last_o.value) == before & ((1 << width) - 1)
            await RisingEdge(dut.clk_i)
            before, t = f, (f & ((1 << width) - 1)) >> 1
            chosen = [0, y, n, total][take_y + 2 * take_n]
    agents.drive(dut, clear_i=1, **IDLE)
    await agents.cycles(dut, 2)
    assert not agents.not_zero(dut)
