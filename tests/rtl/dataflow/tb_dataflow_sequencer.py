# SPDX-License-Identifier: Apache-2.0
"""monpro_dataflow_sequencer: each step of each form, by definition, in its cycle."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import cocotb
from cocotb.triggers import ReadWrite, RisingEdge

import agents
from agents.dataflow_steps import Step, steps
from monpro.hardware.models.dataflow import BUFFER_BLOCKS, GROUP_BLOCKS, Form

TOP = "monpro_dataflow_sequencer"
INSIDE = False
PARAMETERS: tuple[dict[str, int], ...] = ({},)


def group(form: Form, s: int, size: int, base: int) -> list[Step]:
    """All cycles of a group: a step of each block in turn, idle where there are fewer than 8."""
    if form == Form.HELD:
        return [replace(step, place=base) for step in steps(form, s)]
    return [
        replace(step, place=base + slot, valid=slot < size)
        for step in steps(form, s)
        for slot in range(GROUP_BLOCKS)
    ]


@cocotb.test(timeout_time=10, timeout_unit="ms")
@cocotb.parametrize(form=[Form.HELD, Form.PRODUCT, Form.MONTGOMERY], gaps=[0.0, 0.3])
async def steps_by_definition(dut: Any, form: Form, gaps: float) -> None:
    """Groups without a cycle between them, or with, and in form held with cycles without enable."""
    await agents.reset(
        dut, form_i=int(form), last_digit_i=0, start_valid_i=0, start_size_i=0, enable_i=1
    )
    for s in (1, 2, 3, 5) if gaps else (1, 2, 3, 4, 9):
        agents.drive(dut, clear_i=1, last_digit_i=s - 1)
        await RisingEdge(dut.clk_i)
        agents.drive(dut, clear_i=0)
        base = 0
        waiting: list[Step] = []
        for _ in range(4 if s < 5 else 1):
            size = 1 if form == Form.HELD else random.choice([GROUP_BLOCKS, random.randint(1, 8)])
            # start_o comes with the last step of the group before.
            agents.drive(dut, start_valid_i=1, start_size_i=size)
            await take(dut, waiting, gaps if form == Form.HELD else 0.0, starts=True)
            agents.drive(dut, start_valid_i=0)
            waiting = group(form, s, size, base)
            base = (base + (1 if form == Form.HELD else GROUP_BLOCKS)) % BUFFER_BLOCKS
            if random.random() < gaps:
                await take(dut, waiting, gaps if form == Form.HELD else 0.0, starts=False)
                await agents.cycles(dut, random.randint(1, 9))
                waiting = []
        await take(dut, waiting, 0.0, starts=False)
        await RisingEdge(dut.clk_i)
        assert dut.busy_o.value == 0


async def take(dut: Any, waiting: list[Step], gaps: float, *, starts: bool) -> None:
    """The cycles of a group, up to its last, in which the next may start."""
    if not waiting:
        await RisingEdge(dut.clk_i)
        assert dut.start_o.value == starts
        return
    held = int(dut.form_i.value) == Form.HELD
    before: Step | None = None
    looks = False  # in the first cycle the step is still one of the group before
    for number, step in enumerate(waiting):
        while random.random() < gaps:
            agents.drive(dut, enable_i=0)
            await RisingEdge(dut.clk_i)
            if looks:
                check(dut, before)
            before, looks = None, True
            assert dut.start_o.value == dut.issue_o.value == 0
        agents.drive(dut, enable_i=1)
        await RisingEdge(dut.clk_i)
        if looks:
            check(dut, before)
        before, looks = step, True
        assert dut.start_o.value == (starts and number == len(waiting) - 1)
        assert dut.busy_o.value == 1
        assert dut.issue_o.value == held
    await ReadWrite()
    check(dut, before)


def check(dut: Any, step: Step | None) -> None:
    """What the cycle before has made. None: nothing."""
    word = int(dut.step_o.value)
    if step is None:
        assert not word >> 34
    else:
        assert step.matches(word), f"{word:#x}, not {step}"


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def clear_ends_a_group(dut: Any) -> None:
    """The next one begins with the first place and the first slot."""
    await agents.reset(
        dut, form_i=int(Form.MONTGOMERY), last_digit_i=2, start_valid_i=1, start_size_i=8,
        enable_i=1,
    )  # fmt: skip
    await agents.cycles(dut, 29)
    agents.drive(dut, clear_i=1, start_valid_i=0)
    await agents.cycles(dut, 2)
    assert dut.busy_o.value == 0
    agents.drive(dut, clear_i=0, start_valid_i=1)
    await take(dut, [], 0.0, starts=True)
    agents.drive(dut, start_valid_i=0)
    await take(dut, group(Form.MONTGOMERY, 3, 8, 0), 0.0, starts=False)
