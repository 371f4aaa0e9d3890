"""monpro_recoding: what the bits of an exponent ask for, by each scheme.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.handle import Immediate
from cocotb.triggers import RisingEdge

import agents
from agents import structs
from agents.whole_numbers import SEQUENCER, STATES

TOP = "monpro_recoding"
PARAMETERS = ({"Schemes": 63}, {"Schemes": 3})

REPEATED, SLIDING = 5, 3  # schemes, as Schemes has them


class Unit:
    """The exponent at the ports, from its most significant bit on."""

    def __init__(self, dut: Any, bits: list[int]) -> None:
        self.dut, self.left = dut, list(bits)
        self.value = self.count = 0

    async def step(self, name: str, **inputs: int) -> None:
        agents.drive(
            self.dut, **{"settled_i": 0, "product_done_i": 0, "taken_i": 0} | inputs,
            state_i=1 << STATES.index(name),
        )  # fmt: skip
        await RisingEdge(self.dut.clk_i)

    async def take(self, name: str) -> list[int]:
        """A step that takes bits, to its end."""
        dut = self.dut
        while not agents.number(dut.take_o):
            await self.step(name, settled_i=1)
        wanted = min(agents.number(dut.count_o), len(self.left))
        new, self.left = self.left[:wanted], self.left[wanted:]
        self.value = self.value if agents.number(dut.append_o) else 0
        for _ in range(random.randrange(4)):
            await self.step(name, settled_i=1)
            assert not agents.number(dut.take_o), "bits are taken once"
        for bit in new:
            self.value = (self.value << 1 | bit) & 63
        agents.drive(dut, value_i=self.value, taken_count_i=wanted)
        while not agents.number(dut.taken_o):
            await self.step(name, settled_i=1, taken_i=1)
        assert agents.number(dut.none_taken_o) == agents.number(dut.none_taken_q_o) == (not new)
        assert agents.number(dut.one_taken_o) == agents.number(dut.one_taken_q_o) == self.value & 1
        await self.step(name)
        return new

    async def squarings(self, name: str, last: str) -> int:
        """How many products a step has."""
        for count in range(1, 64):
            await self.step(name)
            await self.step(name)
            ends = agents.number(getattr(self.dut, last))
            await self.step(name, product_done_i=1)
            if ends:
                return count
        raise AssertionError(f"{name} has no end")


async def unit_of(dut: Any, bits: list[int], *method: str, window: int = 1) -> Unit:
    dut.state_i.value = Immediate(1 << STATES.index("StWipe"))
    await agents.reset(
        dut, state_i=1, settled_i=0, product_done_i=0, taken_i=0, taken_count_i=0, value_i=0,
        window_i=window, clear_i=1,
        method_i=structs.bits(SEQUENCER, "method_t", **dict.fromkeys(method, 1)),
    )  # fmt: skip
    dut.clear_i.value = 0
    unit = Unit(dut, bits)
    await unit.step("StWipe")
    await unit.step("StBase")
    return unit


def some_bits(count: int) -> list[int]:
    return [random.getrandbits(1) for _ in range(count)]


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def fixed_window(dut: Any) -> None:
    for window in range(1, 7):
        bits = some_bits(20)
        unit = await unit_of(dut, bits, "tabled", "selecting", window=window)
        seen = []
        while new := await unit.take("StNext"):
            assert await unit.squarings("StSquare", "last_squaring_o") == len(new)
            seen += new
        assert seen == bits


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def sliding_window(dut: Any) -> None:
    """Squarings and odd entries give the exponent again."""
    if not agents.parameters()["Schemes"] >> SLIDING & 1:
        return
    for window in range(1, 6):
        bits = some_bits(40)
        unit = await unit_of(dut, bits, "sliding", "selecting", window=window)
        value, first = 0, True
        while new := await unit.take("StNext"):
            if not new[0]:
                assert first or await unit.squarings("StZeros", "last_zero_o") == 1
                value <<= 1
                continue
            await unit.take("StMore")
            entry = 2 * agents.number(dut.entry_o) + 1
            zeros = agents.number(dut.zeros_o)
            count = await unit.squarings("StSquare", "last_squaring_o")
            assert entry.bit_length() <= count if not first else True
            value = (value << count) + entry
            if zeros:
                value <<= await unit.squarings("StZeros", "last_zero_o")
            first = False
        assert value == int("".join(map(str, bits)), 2)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def repeated(dut: Any) -> None:
    """e - 1 multiplications; a wipe forgets the count."""
    for e in (0, 1, 2, 3, 9, 30):
        unit = await unit_of(dut, [int(bit) for bit in f"{e:06b}"], "repeated")
        while await unit.take("StCount"):
            pass
        if not agents.parameters()["Schemes"] >> REPEATED & 1:
            assert not agents.number(dut.repeats_q)
            continue
        assert agents.number(dut.repeats_q) == (e - 1) % (1 << 32)
        count = 0
        await unit.step("StRepeat")
        while e > 1 and agents.number(dut.repeats_o):
            await unit.step("StRepeat", product_done_i=1)
            await unit.step("StRepeat")
            await unit.step("StRepeat")
            count += 1
        assert count == max(0, e - 2), "the last one is not told apart"
        await unit.step("StWipe")
        await unit.step("StWipe")
        assert not agents.number(dut.repeats_q)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def cleared(dut: Any) -> None:
    """A wipe in the middle of everything leaves nothing of the exponent."""
    for state in ("StNext", "StMore", "StCount"):
        unit = await unit_of(dut, [1] * 12, "sliding", "selecting", window=4)
        await unit.take(state)
        dut.clear_i.value = 1
        await unit.step("StWipe")
        await unit.step("StWipe")
        left = agents.not_zero(dut, "squarings_q", "zeros_q", "repeats_more_q")
        assert not left, left
