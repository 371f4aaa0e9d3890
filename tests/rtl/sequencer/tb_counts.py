"""monpro_counts: how many passes and products each of its steps has.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.handle import Immediate
from cocotb.triggers import RisingEdge

import agents
from agents.whole_numbers import STATES, pass_halvings

TOP = "monpro_counts"
PARAMETERS = (
    {"WordBits": 17, "Delay": 0, "RowBits": 9, "DoublingBits": 5, "SplitBits": 0,
     "FirstDoublings": 2},
    {"WordBits": 36, "Delay": 1, "RowBits": 8, "DoublingBits": 6, "SplitBits": 2,
     "FirstDoublings": 11},
    {"WordBits": 24, "DigitBits": 17, "Delay": 0, "RowBits": 8, "DoublingBits": 12, "SplitBits": 0,
     "FirstDoublings": 2},
)  # fmt: skip


class Counts:
    def __init__(self, dut: Any) -> None:
        self.dut = dut

    async def step(self, name: str, **inputs: int) -> None:
        """A cycle in a step."""
        idle = {"pass_done_i": 0, "alu_done_i": 0, "product_done_i": 0}
        agents.drive(self.dut, state_i=1 << STATES.index(name), **idle | inputs)
        await RisingEdge(self.dut.clk_i)

    async def passes(self, name: str, last: str, done: str = "pass_done_i") -> int:
        """In a step until the output `last` says that its pass is the last one."""
        for count in range(1, 10_000):
            await self.step(name)
            for _ in range(random.choice([0, 0, 3])):
                await self.step(name)
            await self.step(name)
            if agents.number(getattr(self.dut, last)):
                await self.step(name, **{done: 1})
                return count
            await self.step(name, **{done: 1})
        raise AssertionError(f"{name} has no end")


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def every_step(dut: Any) -> None:
    p = agents.parameters()
    digit, delay = p.get("DigitBits", p["WordBits"]), p["Delay"]
    dut.state_i.value = Immediate(1 << STATES.index("StWipe"))
    await agents.reset(
        dut, state_i=1, rows_i=8, doublings_i=0, pass_done_i=0, alu_done_i=0, product_done_i=0
    )
    unit = Counts(dut)
    unscale = digit * (1 + delay) // pass_halvings(digit, delay)
    for _ in range(12):
        rows = random.randrange(delay + 2, 1 << p["RowBits"] - 1)
        doublings = random.randrange(1 << min(p["DoublingBits"], 6))
        agents.drive(dut, rows_i=rows, doublings_i=doublings)
        await unit.step("StScaleInit")
        assert await unit.passes("StScale", "last_pass_o") == unscale
        await unit.step("StPowerInit")
        count = await unit.passes("StPower", "last_doubling_o")
        if "DigitBits" in p:
            assert count == doublings + 1
        else:
            assert count == p["FirstDoublings"] + p["WordBits"] * doublings
        while not await top_is_one(unit):  # however short a step is
            pass
        await unit.step("StPowerEnd")
        power = 1
        while True:
            await unit.step("StSquareR2")
            one, last = agents.number(dut.power_one_o), agents.number(dut.power_last_o)
            power = 2 * power + one
            await unit.step("StSquareR2", product_done_i=1)
            if one:
                await unit.step("StMultiplyR2")
                await unit.step("StMultiplyR2")
                assert agents.number(dut.power_end_o) == last
            if last:
                break
        assert power == (rows - delay) << p["SplitBits"]
        await unit.step(random.choice(["StLastInit", "StLast"]))
        assert await unit.passes("StUnscale", "last_pass_o") == unscale
        await unit.step("StDiff")
        assert await unit.passes("StDiffFix", "last_pass_o", "alu_done_i") == 2


async def top_is_one(unit: Counts) -> bool:
    await unit.step("StPower")
    power = agents.number(unit.dut.power_q)
    return bool(power >> len(unit.dut.power_q) - 1)
