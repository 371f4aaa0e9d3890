# SPDX-License-Identifier: Apache-2.0
"""monpro_dataflow_columns: sums of 8 blocks in turn, their digits, and the final subtraction."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents
from agents.dataflow_steps import Op, Step
from monpro.hardware.models.dataflow import DIGIT_BITS, DIGIT_MASK, GROUP_BLOCKS

TOP = "monpro_dataflow_columns"
INSIDE = False
PARAMETERS: tuple[dict[str, int], ...] = ({},)
ADDING = (Op.PRODUCT, Op.REDUCE, Op.FRESH)


@dataclass(slots=True)
class Slot:
    """A block's sum, and the borrow of its subtraction."""

    total: int = 0
    borrow: int = 0
    columns: int = 0
    results: int = 0
    results_wanted: int = 1
    steps_left: int = 0


@dataclass(frozen=True, slots=True)
class Cycle:
    """What goes in, and what must come out."""

    step: Step
    product: int
    n: int
    sum: int | None = None
    outputs: dict[str, int] = field(default_factory=dict)


def next_cycle(slot: Slot, place: int, montgomery: bool) -> Cycle:
    """A step of any kind in any order; sums are as long as the longest ones of the kernel."""
    first = slot.columns == 0 and slot.steps_left == 0
    if first:
        slot.total = slot.borrow = slot.results = 0
        slot.results_wanted = random.randint(1, 4)
    if slot.steps_left == 0:
        slot.steps_left = random.choice([1, 2, 5, 20])
        slot.columns += 1
    slot.steps_left -= 1
    op = random.choice(list(Op))
    product = random.choice([random.getrandbits(64), DIGIT_MASK**2, 0])
    n = random.choice([random.getrandbits(32), 0, DIGIT_MASK])
    if op in ADDING:
        slot.total += product
    last = slot.steps_left == 0
    result = last and random.random() < 0.7
    odd = random.random() < 0.5
    done = result and slot.results + 1 == slot.results_wanted
    index = slot.results
    digit, above = slot.total & DIGIT_MASK, slot.total >> DIGIT_BITS
    cancel = random.random() < 0.3
    step = Step(op, 0, 0, first, last, odd, cancel, result, index, done, place)
    outputs = {"wrong_o": int(cancel and digit != 0), "done_o": int(done)}
    outputs["even_write_o"] = int(result and (montgomery or not odd))
    outputs["odd_write_o"] = int(result and (montgomery or odd or done))
    if result:
        outputs |= {"place_o": place, "index_o": index}
        difference = digit - n - slot.borrow
        if montgomery:
            outputs |= {"even_o": digit, "odd_o": difference & DIGIT_MASK}
            if done:
                outputs["take_o"] = int(above & 1 == 1 or difference >= 0)
        else:
            outputs["odd_o" if odd else "even_o"] = digit
            if done and not odd:
                outputs["odd_o"] = above & DIGIT_MASK
        slot.borrow = int(difference < 0)
        slot.results += 1
    low = slot.total & DIGIT_MASK
    if last:
        slot.total >>= DIGIT_BITS
    if done:
        slot.columns = 0
    return Cycle(step, product, n, low, outputs)


def idle(place: int) -> Cycle:
    """Nothing for this block, whatever is on the wires."""
    step = Step(Op.PRODUCT, 0, 0, last=True, cancel=True, result=True, done=True, place=place)
    outputs = dict.fromkeys(("wrong_o", "done_o", "even_write_o", "odd_write_o"), 0)
    return Cycle(replace(step, valid=False), random.getrandbits(64), 0, None, outputs)


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(montgomery=[False, True])
async def any_steps(dut: Any, montgomery: bool) -> None:
    await agents.reset(dut, montgomery_i=montgomery, step_i=0, low_i=0, high_i=0, n_i=0)
    slots = [Slot() for _ in range(GROUP_BLOCKS)]
    line: list[Cycle] = []
    taken: set[int] = set()
    for cycle in range(2500):
        number = cycle % GROUP_BLOCKS
        place = number + random.choice([0, GROUP_BLOCKS])
        going = random.random() < 0.9
        line.append(next_cycle(slots[number], place, montgomery) if going else idle(place))
        now = line[-1]
        agents.drive(
            dut, step_i=now.step.packed(), low_i=now.product & DIGIT_MASK,
            high_i=now.product >> DIGIT_BITS, n_i=line[-3].n if cycle > 1 else 0,
        )  # fmt: skip
        await RisingEdge(dut.clk_i)
        if cycle >= 1 and (wanted := line[-2].sum) is not None:
            assert int(dut.sum_o.value) == wanted
        if cycle >= 3:
            for name, value in line[-4].outputs.items():
                assert int(getattr(dut, name).value) == value, f"{name}: {line[-4]}"
            if "take_o" in line[-4].outputs:
                taken.add(line[-4].outputs["take_o"])
    assert taken == ({0, 1} if montgomery else set())


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def clear_forgets_steps(dut: Any) -> None:
    """Whatever was under way, nothing is written and nothing is wrong."""
    step = Step(Op.PRODUCT, 0, 0, True, True, False, True, True, 0, True)
    await agents.reset(dut, montgomery_i=1, step_i=step.packed(), low_i=1, high_i=1, n_i=0)
    await agents.cycles(dut, 6)
    assert dut.wrong_o.value == 1
    agents.drive(dut, clear_i=1)
    await agents.cycles(dut, 3)
    agents.drive(dut, clear_i=0, step_i=0)
    for _ in range(5):
        await RisingEdge(dut.clk_i)
        for name in ("wrong_o", "done_o", "even_write_o", "odd_write_o"):
            assert getattr(dut, name).value == 0
