"""monpro_look_up_control: when look-ups begin, in which half, into which slot.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.handle import Immediate
from cocotb.triggers import RisingEdge

import agents
from agents.whole_numbers import ACC, SEL, STATES

TOP = "monpro_look_up_control"
PARAMETERS = ({"Crt": 0}, {"Crt": 1})
PULSES = {"ready_i": 0, "product_i": 0, "consume_i": 0, "done_i": 0}


async def step(dut: Any, name: str, **inputs: int) -> None:
    agents.drive(dut, **PULSES | inputs, state_i=1 << STATES.index(name))
    await RisingEdge(dut.clk_i)


async def set_up(dut: Any, both: int) -> None:
    dut.state_i.value = Immediate(1 << STATES.index("StWipe"))
    await agents.reset(dut, **PULSES, state_i=1, both_i=both)
    await step(dut, "StIdle")


async def look_up(dut: Any, name: str, both: int, target: int, **begin: int) -> None:
    """A look-up from its begin to its end, by the halves."""
    await step(dut, name, **begin)
    assert agents.number(dut.begin_o)
    for half in range(1 + both):
        await step(dut, name)
        assert agents.number(dut.look_up_o), "it begins in the cycle after"
        assert agents.number(dut.half_o) == half
        for _ in range(random.randrange(3, 6)):
            await step(dut, name)
            assert not agents.number(dut.look_up_o)
            assert agents.number(dut.half_o) == half
            assert agents.number(dut.target_o) == target
            assert not agents.number(dut.end_o)
        await step(dut, name, done_i=1)
        assert agents.number(dut.end_o) == (half == both)
        ends = name in ("StFirst", "StBitSelect") and half == both
        assert agents.number(dut.step_end_o) == ends


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(both=[0, 1])
async def every_kind(dut: Any, both: int) -> None:
    if both > agents.parameters()["Crt"]:
        return
    await set_up(dut, both)
    for _ in range(10):
        await look_up(dut, "StFirst", both, ACC, ready_i=1)
        await step(dut, "StNext")
        await look_up(dut, "StBitSelect", both, SEL, ready_i=1)
        await step(dut, "StSquare")
        assert agents.number(dut.selected_o)
        await step(dut, "StSquare", consume_i=1)
        await step(dut, "StSquare")
        assert not agents.number(dut.selected_o), "the entry of the bits before"
        await look_up(dut, "StSquare", both, SEL, product_i=1)
        await step(dut, "StSquare")
        assert agents.number(dut.selected_o)
        await step(dut, "StSquare", ready_i=1)
        assert not agents.number(dut.begin_o), "a step that is no look-up waits for a product"
        await step(dut, "StIdle")
        await step(dut, "StIdle")
        assert not agents.number(dut.selected_o), "of the operation before"


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def wiped(dut: Any) -> None:
    both = agents.parameters()["Crt"]
    await set_up(dut, both)
    await step(dut, "StFirst", ready_i=1)
    await agents.cycles(dut, 3)
    await step(dut, "StFirst", done_i=1)
    for _ in range(3):
        await step(dut, "StWipe")
    assert not agents.number(dut.half_o)
    assert not agents.number(dut.look_up_o)
    assert agents.number(dut.target_o) == SEL
