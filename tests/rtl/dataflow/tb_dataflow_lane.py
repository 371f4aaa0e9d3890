# SPDX-License-Identifier: Apache-2.0
"""monpro_dataflow_lane: each form's way through it, step by step, with every place in use."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents
from agents.dataflow import some_block, some_digits
from agents.dataflow_steps import steps
from monpro.hardware.models import dataflow
from monpro.hardware.models.dataflow import BUFFER_BLOCKS, GROUP_BLOCKS, Block, Form, Pair

TOP = "monpro_dataflow_lane"
INSIDE = False
PARAMETERS = ({"MaxDigits": 4},)
BEAT_CYCLES = 7  # from a beat to its product
STEP_CYCLES = 9
RESULT_CYCLES = 12  # from a step to where its digit can be read
READ_CYCLES = 3


def beat(pair: Pair) -> int:
    return pair[0] | pair[1] << 32


async def ready(dut: Any, form: Form) -> None:
    quiet = dict.fromkeys(
        ("load_constant_i", "load_ab_i", "load_n_i", "load_place_i", "load_index_i"), 0
    )
    await agents.reset(
        dut, form_i=int(form), beat_i=0, step_i=0, read_place_i=0, read_index_i=0, **quiet
    )


async def load(dut: Any, place: int, one: Block) -> None:
    for what, words in (("load_ab_i", (one.a, one.b)), ("load_n_i", (one.n, one.n))):
        for index, (low, high) in enumerate(zip(*words, strict=True)):
            if what == "load_n_i":
                high = random.getrandbits(32) if index else one.inverse
            agents.drive(dut, beat_i=beat((low, high)), load_place_i=place, load_index_i=index)
            agents.drive(dut, **{what: 1})
            await RisingEdge(dut.clk_i)
        agents.drive(dut, **{what: 0})


async def result(dut: Any, form: Form, place: int, digits: int) -> list[Pair]:
    found = []
    for cycle in range(digits + READ_CYCLES):
        agents.drive(dut, read_place_i=place, read_index_i=min(cycle, digits - 1))
        await RisingEdge(dut.clk_i)
        if cycle >= READ_CYCLES:
            word = int(dut.data_o.value)
            found.append((word & dataflow.DIGIT_MASK, word >> 32))
    return found


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(form=[Form.CONSTANT, Form.PAIRS])
async def streams(dut: Any, form: Form) -> None:
    await ready(dut, form)
    constant = random.getrandbits(32)
    agents.drive(dut, beat_i=beat((0, constant)), load_constant_i=1)
    await RisingEdge(dut.clk_i)
    agents.drive(dut, load_constant_i=0)
    pairs = list(zip(some_digits(300), some_digits(300), strict=True))
    for cycle in range(len(pairs) + BEAT_CYCLES):
        if cycle < len(pairs):
            agents.drive(dut, beat_i=beat(pairs[cycle]))
        await RisingEdge(dut.clk_i)
        if cycle >= BEAT_CYCLES:
            x, y = pairs[cycle - BEAT_CYCLES]
            assert int(dut.data_o.value) == x * (constant if form == Form.CONSTANT else y)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def held(dut: Any) -> None:
    await ready(dut, Form.HELD)
    blocks = [some_block(Form.HELD, 4) for _ in range(BUFFER_BLOCKS)]
    for place, one in enumerate(blocks):
        await load(dut, place, one)
    line = [
        (replace(step, place=place).packed(), one.a[step.x or 0] * one.b[step.y or 0])
        for place, one in enumerate(blocks)
        for step in steps(Form.HELD, 4)
    ]
    for cycle in range(len(line) + STEP_CYCLES):
        agents.drive(dut, step_i=line[cycle][0] if cycle < len(line) else 0)
        await RisingEdge(dut.clk_i)
        if cycle >= STEP_CYCLES:
            assert int(dut.data_o.value) == line[cycle - STEP_CYCLES][1]


@cocotb.test(timeout_time=2, timeout_unit="ms")
@cocotb.parametrize(form=[Form.PRODUCT, Form.MONTGOMERY], digits=[1, 2, 4])
async def groups(dut: Any, form: Form, digits: int) -> None:
    """Both halves of the buffers, one group right after the other."""
    await ready(dut, form)
    blocks = [some_block(form, digits) for _ in range(BUFFER_BLOCKS)]
    for place, one in enumerate(blocks):
        await load(dut, place, one)
    for base in (0, GROUP_BLOCKS):
        for step in steps(form, digits):
            for slot in range(GROUP_BLOCKS):
                agents.drive(dut, step_i=replace(step, place=base + slot).packed())
                await RisingEdge(dut.clk_i)
                assert dut.wrong_o.value == 0
    agents.drive(dut, step_i=0)
    await agents.cycles(dut, RESULT_CYCLES)
    for place, one in enumerate(blocks):
        assert await result(dut, form, place, digits) == dataflow.beats_out(form, one)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def wrong_inverse(dut: Any) -> None:
    """Shown when the block's first column ends, and by no other block."""
    await ready(dut, Form.MONTGOMERY)
    for place in range(GROUP_BLOCKS):
        one = dataflow.block(1, 3, 5, 7)
        await load(dut, place, replace(one, inverse=one.inverse ^ 2) if place == 5 else one)
    seen = []
    made = [
        replace(step, place=slot).packed()
        for step in steps(Form.MONTGOMERY, 1)
        for slot in range(GROUP_BLOCKS)
    ]
    for cycle in range(len(made) + RESULT_CYCLES):
        agents.drive(dut, step_i=made[cycle] if cycle < len(made) else 0)
        await RisingEdge(dut.clk_i)
        if dut.wrong_o.value == 1:
            seen.append(cycle)
    assert seen == [2 * GROUP_BLOCKS + 5 + RESULT_CYCLES - 1]
