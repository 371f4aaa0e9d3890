# SPDX-License-Identifier: Apache-2.0
"""monpro_word_products: sums of products, slot after slot, of every kind in any order."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents

TOP = "monpro_word_products"
PARAMETERS = (
    {"WordBits": 32, "Elements": 1},
    {"WordBits": 32, "Elements": 2},
    {"WordBits": 16, "Elements": 1},
    {"WordBits": 8, "Elements": 2},
)
SUM_CYCLES = 5  # from the last operands to xy_i, ab_i; the sum comes a cycle later


@dataclass(frozen=True, slots=True)
class Slot:
    """`xy`, `ab`: what is summed. One without xy has no operands x and y in any cycle."""

    xy: bool
    ab: bool
    x: int
    y: int
    a: int
    b: int

    @property
    def total(self) -> int:
        return (self.x * self.y if self.xy else 0) + (self.a * self.b if self.ab else 0)


def some_slots(bits: int) -> list[Slot]:
    top = (1 << bits) - 1
    half = (1 << bits // 2) - 1
    edges = [0, 1, half, top ^ half, top - 1, top]
    kinds = [(True, True), (True, False), (False, True)]
    slots = [Slot(True, True, top, top, top, top)] * 2
    for _ in range(1500):
        words = [random.choice([random.choice(edges), random.randint(0, top)]) for _ in range(4)]
        slots.append(Slot(*random.choice(kinds), *words))
    return slots


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(gaps=[0.0, 0.3])
async def slots_in_any_order(dut: Any, gaps: float) -> None:
    p = agents.parameters()
    bits, two = p["WordBits"], p["Elements"] == 2
    top = (1 << bits) - 1
    await agents.reset(dut, clear_i=1, second_i=0, x_i=0, y_i=0, a_i=0, b_i=0, xy_i=0, ab_i=0)
    # What is on the inputs in each cycle, and the slots whose last cycle it is.
    inputs: list[dict[str, int]] = []
    ends: dict[int, Slot] = {}
    for slot in some_slots(bits):
        while random.random() < gaps:
            inputs.append({"second_i": 0})
        if two:
            inputs.append({"x_i": slot.x, "y_i": slot.y, "a_i": slot.a, "b_i": slot.b})
        else:
            if slot.xy:
                inputs.append({"second_i": 0, "x_i": slot.x, "y_i": slot.y})
            inputs.append({"second_i": 1, "a_i": slot.a, "b_i": slot.b})
        ends[len(inputs) - 1] = slot
    checked = 0
    for cycle in range(len(inputs) + SUM_CYCLES + 2):
        values = {f"{name}_i": random.randint(0, top) for name in "xyab"}
        values["second_i"] = random.getrandbits(1)
        values |= inputs[cycle] if cycle < len(inputs) else {}
        summed = ends.get(cycle - SUM_CYCLES)
        agents.drive(
            dut, **values, xy_i=bool(summed and summed.xy), ab_i=bool(summed and summed.ab)
        )
        await RisingEdge(dut.clk_i)
        if summed:
            assert int(dut.digit_o.value) == summed.a * summed.b & top
        if slot_out := ends.get(cycle - SUM_CYCLES - 1):
            low, upper = int(dut.low_o.value), int(dut.upper_o.value)
            assert low + (upper << bits) == slot_out.total, f"{slot_out}"
            assert low < 6 << bits
            assert upper < 2 << bits
            checked += 1
    assert checked == len(ends)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def clear_zeroes_every_register(dut: Any) -> None:
    top = (1 << agents.parameters()["WordBits"]) - 1
    await agents.reset(
        dut, clear_i=1, second_i=0, x_i=top, y_i=top, a_i=top, b_i=top, xy_i=1, ab_i=1
    )
    await agents.cycles(dut, 8)
    assert agents.not_zero(dut)
    agents.drive(dut, clear_i=1)
    await agents.cycles(dut, 2)
    assert not agents.not_zero(dut)
