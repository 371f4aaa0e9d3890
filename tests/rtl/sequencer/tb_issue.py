"""monpro_issue: each pass and each product is offered once for each half, and when it may be.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import cocotb
from cocotb.handle import Immediate
from cocotb.triggers import RisingEdge

import agents
from agents import structs
from agents.whole_numbers import SEQUENCER, STATES

TOP = "monpro_issue"
PARAMETERS = ({"Crt": 0}, {"Crt": 1})

PASSES = ["StCheck", "StScaleInit", "StOne", "StSub", "StRestore", "StPowerEnd"]
PRODUCTS = ["StSquareR2", "StMultiplyR2", "StBase", "StSquare", "StMultiply", "StLast"]
IDLE = {
    "step_i": 0, "public_i": 0, "crt_i": 0, "both_i": 0, "half_i": 0, "first_i": 0,
    "from_base_i": 0, "last_pass_i": 0, "entry_i": 0, "selected_i": 0, "taken_i": 0, "failed_i": 0,
    "look_up_begin_i": 0, "look_up_end_i": 0, "alu_done_i": 0, "mul_ready_i": 1, "mul_busy_i": 0,
    "clear_i": 0,
}  # fmt: skip


async def set_up(dut: Any, both: int) -> None:
    idle = 1 << STATES.index("StIdle")
    for port in (dut.state_i, dut.after_i):
        port.value = Immediate(idle)
    method = structs.bits(SEQUENCER, "method_t", tabled=1, selecting=1)
    await agents.reset(
        dut, **IDLE | {"crt_i": both, "both_i": both, "clear_i": 1}, method_i=method,
        state_i=idle, after_i=idle,
    )  # fmt: skip
    dut.clear_i.value = 0
    await agents.cycles(dut, 3)


async def come(dut: Any, name: str) -> None:
    """A cycle that ends the step; the next one comes."""
    agents.drive(dut, after_i=1 << STATES.index(name), step_i=1)
    await RisingEdge(dut.clk_i)
    agents.drive(dut, state_i=1 << STATES.index(name), step_i=0, half_i=0)


async def passes(dut: Any, *, both: int, after: str) -> None:
    """A pass for each half, once no product is in flight."""
    busy = random.randrange(1, 6) * agents.number(dut.mul_busy_i)
    for half in range(1 + both):
        waited = 0
        while not agents.number(dut.alu_start_o):
            await RisingEdge(dut.clk_i)
            waited += 1
            assert waited < 20, "no pass begins"
            assert not agents.number(dut.mul_valid_o)
            if waited == busy:
                dut.mul_busy_i.value = 0
        assert waited >= busy, "a pass begins while a product is in flight"
        busy = 0
        assert agents.number(dut.alu_o)
        assert agents.number(dut.alu_half_o) == half
        for _ in range(random.randrange(4, 8)):
            await RisingEdge(dut.clk_i)
            assert not agents.number(dut.alu_start_o), "a pass begins once"
            assert not agents.number(dut.half_done_o)
        dut.alu_done_i.value = 1
        await RisingEdge(dut.clk_i)
        dut.alu_done_i.value = 0
        await (come(dut, after) if half == both else RisingEdge(dut.clk_i))
        assert agents.number(dut.half_done_o)
        assert agents.number(dut.alu_done_o)
        assert agents.number(dut.pass_done_o) == (half == both)
        dut.half_i.value = int(half != both)


async def products(dut: Any, *, name: str, both: int, after: str) -> None:
    """A product for each half, which waits as long as the multiplier wants."""
    dut.mul_ready_i.value = 0
    if name == "StMultiply":
        for _ in range(8):
            await RisingEdge(dut.clk_i)
            assert not agents.number(dut.mul_valid_o), "the entry is not there"
        dut.selected_i.value = 1
    for half in range(1 + both):
        waited = 0
        while not agents.number(dut.mul_valid_o):
            await RisingEdge(dut.clk_i)
            waited += 1
            assert waited < 20, "no product is offered"
        asked = agents.number(dut.mul_product_o)
        for _ in range(random.randrange(4)):
            await RisingEdge(dut.clk_i)
            assert agents.number(dut.mul_valid_o)
            assert agents.number(dut.mul_product_o) == asked, "it stays until it is taken"
            assert not agents.number(dut.half_done_o)
        dut.mul_ready_i.value = 1
        await (come(dut, after) if half == both else RisingEdge(dut.clk_i))
        assert agents.number(dut.half_done_o)
        assert agents.number(dut.product_done_o) == (half == both)
        agents.drive(dut, mul_ready_i=0, half_i=half != both, mul_busy_i=1)
        await RisingEdge(dut.clk_i)
        assert not agents.number(dut.mul_valid_o), "a product is taken once"
    dut.selected_i.value = 0


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(both=[0, 1])
async def every_kind(dut: Any, both: int) -> None:
    if both > agents.parameters()["Crt"]:
        return
    await set_up(dut, both)
    name = "StCheck"
    await come(dut, name)
    for _ in range(60):
        after = random.choice(PASSES + PRODUCTS)
        step = passes if name in PASSES else partial(products, name=name)
        await step(dut, both=both, after=after)
        name = after


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def cleared(dut: Any) -> None:
    """What is offered is withdrawn."""
    await set_up(dut, 0)
    for name, offered in (("StCheck", dut.alu_o), ("StSquareR2", dut.mul_valid_o)):
        dut.mul_ready_i.value = 0
        await come(dut, name)
        while not agents.number(offered):
            await RisingEdge(dut.clk_i)
        agents.drive(dut, clear_i=1, state_i=1 << STATES.index("StWipe"))
        await agents.cycles(dut, 3)
        assert not agents.not_zero(dut, "last_half_q", "next_pass_q", "next_mul_q")
        dut.clear_i.value = 0
