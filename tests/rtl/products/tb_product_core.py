# SPDX-License-Identifier: Apache-2.0
"""monpro_product_core without a bus: commands at any distance, each cycle accounted for."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge
from cocotb.utils import get_sim_time

import agents
from monpro.hardware.models.montgomery import Array, Modulus, split
from monpro.hardware.models.product import QUEUE_DEPTH, Command, ProductCoprocessor
from monpro.hardware.regs import Error

TOP = "monpro_product_core"
PARAMETERS = {
    "array": {
        "Multiplier": '"array"', "WordBits": 8, "Elements": 2, "MinBits": 32, "MaxBits": 64,
        "Entries": 4,
    },
    "word": {
        "Multiplier": '"word"', "WordBits": 8, "Elements": 1, "MinBits": 64, "MaxBits": 96,
        "Entries": 4,
    },
}  # fmt: skip
IDLE = {
    "clear_error_i": 0, "wipe_i": 0, "abort_i": 0, "length_i": 0, "loaded_i": 0,
    "length_changed_i": 0, "push_i": 0, "push_command_i": 0, "load_modulus_i": 0,
    "load_inverse_i": 0, "load_entry_i": 0, "entry_loaded_i": 0, "entry_spoiled_i": 0,
    "entry_i": 0, "load_index_i": 0, "load_data_i": 0, "read_index_i": 0,
}  # fmt: skip


def packed(command: Command) -> int:
    """command_t, its first field at the top."""
    value = command.x << 5 | command.y
    return ((value << 5 | command.to) << 1 | command.choose) << 1 | command.first


class Core:
    """Loads what is needed and follows what commands do, on numbers."""

    def __init__(self, dut: Any) -> None:
        p = agents.parameters()
        self.dut = dut
        self.model = ProductCoprocessor(
            p["WordBits"], p["Elements"], p["MinBits"], p["MaxBits"], p["Entries"],
            agents.text("Multiplier"),
        )  # fmt: skip
        self.n, self.entries = 0, [0] * p["Entries"]

    async def set_up(self) -> None:
        await agents.reset(self.dut, **IDLE)
        await FallingEdge(self.dut.busy_o)
        await agents.cycles(self.dut, 2)

    @property
    def words(self) -> int:
        return self.model.words(self.n.bit_length())

    async def write(self, what: str, value: int, words: int, **more: int) -> None:
        agents.drive(self.dut, **{what: 1}, **more)
        for index, word in enumerate(split(value, words, self.model.word_bits)):
            agents.drive(self.dut, load_index_i=index, load_data_i=word)
            await RisingEdge(self.dut.clk_i)
        agents.drive(self.dut, **{what: 0}, load_index_i=0, load_data_i=0)

    async def load(self, n: int) -> None:
        """A modulus and an operand in each entry."""
        self.n = n
        agents.drive(self.dut, length_i=self.model.length(n.bit_length()), length_changed_i=1)
        await RisingEdge(self.dut.clk_i)
        agents.drive(self.dut, length_changed_i=0, loaded_i=1)
        if self.model.exact:
            w = 1 << self.model.word_bits
            await self.write("load_modulus_i", n, self.words)
            await self.write("load_inverse_i", -pow(n, -1, w) % w, 1)
        else:
            await self.write("load_modulus_i", self.modulus.scaled, self.words)
        for entry in range(len(self.entries)):
            await self.load_entry(entry, random.randrange(self.bound))

    async def load_entry(self, entry: int, value: int) -> None:
        await self.write("load_entry_i", value, self.words, entry_i=entry)
        agents.drive(self.dut, entry_loaded_i=1)
        await RisingEdge(self.dut.clk_i)
        agents.drive(self.dut, entry_loaded_i=0)
        self.entries[entry] = value

    @property
    def modulus(self) -> Modulus:
        unit = self.model.multiplier_at(self.n.bit_length())
        assert isinstance(unit, Array)
        return Modulus(unit, self.n)

    @property
    def bound(self) -> int:
        return self.n if self.model.exact else self.modulus.bound

    def expect(self, command: Command) -> None:
        x, y = self.entries[command.x], self.entries[command.y]
        if command.choose:
            result = x if command.first else y
        elif self.model.exact:
            r = self.model.multiplier_at(self.n.bit_length()).r
            result = x * y * pow(r, -1, self.n) % self.n
        else:
            result = self.modulus.product(x, y)
        self.entries[command.to] = result

    async def push(self, command: Command) -> None:
        agents.drive(self.dut, push_i=1, push_command_i=packed(command))
        await RisingEdge(self.dut.clk_i)
        agents.drive(self.dut, push_i=0, push_command_i=0)

    async def check_entries(self) -> None:
        dut, bits = self.dut, self.model.word_bits
        for entry, value in enumerate(self.entries):
            agents.drive(dut, entry_i=entry)
            found = 0
            for index in range(self.words):
                agents.drive(dut, read_index_i=index)
                await agents.cycles(dut, 3)
                assert agents.number(dut.readable_o) == 1
                found |= agents.number(dut.read_data_o) << (bits * index)
            assert found == value, f"entry {entry}, N = {self.n:#x}"

    async def settle(self) -> None:
        if agents.number(self.dut.busy_o):
            await FallingEdge(self.dut.busy_o)
        await agents.cycles(self.dut, 1)


def modulus(bits: int) -> int:
    return random.getrandbits(bits) | 1 | 1 << (bits - 1)


def any_command() -> Command:
    pick = random.randrange
    return Command(pick(4), pick(4), pick(4), random.random() < 0.5, pick(2) == 1)


async def core(dut: Any) -> Core:
    unit = Core(dut)
    await unit.set_up()
    return unit


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def queued_at_once(dut: Any) -> None:
    """All in the queue before the first has ended: from the first push to the end by formula."""
    unit = await core(dut)
    low, high = unit.model.min_bits, unit.model.max_bits
    for bits in (low, (low + high) // 2 + 1, high):
        await unit.load(modulus(bits))
        for count in (1, 2, 5, QUEUE_DEPTH):
            steps = [any_command() for _ in range(count)]
            begin = get_sim_time("ns")
            for step in steps:
                await unit.push(step)
                unit.expect(step)
            await RisingEdge(dut.end_o)
            cycles = (get_sim_time("ns") - begin) / agents.CLOCK_NS
            assert cycles == unit.model.cycles(steps, bits), f"{bits} bits, {steps}"
            await unit.settle()
        await unit.check_entries()


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def pushed_at_any_time(dut: Any) -> None:
    """Into a queue that is empty, in the very cycle in which the last command ends, or later."""
    unit = await core(dut)
    await unit.load(modulus(unit.model.min_bits))
    whole = unit.model.cycles([Command(0, 0, 0)], unit.model.min_bits)
    for gap in [*range(whole - 6, whole + 4), *random.sample(range(whole), 12)]:
        for step in (Command(0, 1, 2), any_command()):
            await unit.push(step)
            unit.expect(step)
            await agents.cycles(dut, max(gap, 1))
        await unit.settle()
        assert agents.number(dut.error_o) == Error.NONE
    await unit.check_entries()


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def a_spoiled_entry_is_missing(dut: Any) -> None:
    """And its use an error that wipes; the first error stays until it is cleared."""
    unit = await core(dut)
    await unit.load(modulus(unit.model.min_bits))
    agents.drive(dut, entry_i=1, entry_spoiled_i=1)
    await RisingEdge(dut.clk_i)
    agents.drive(dut, entry_spoiled_i=0)
    await agents.cycles(dut, 2)
    assert agents.number(dut.readable_o) == 0
    await unit.push(Command(0, 1, 2))
    await RisingEdge(dut.end_o)
    assert agents.number(dut.error_o) == Error.OPERAND_MISSING
    await agents.cycles(dut, 2)
    agents.drive(dut, length_i=0)
    await agents.cycles(dut, 2)
    await unit.push(Command(0, 0, 0))
    await RisingEdge(dut.end_o)
    assert agents.number(dut.error_o) == Error.OPERAND_MISSING
    await agents.cycles(dut, 2)
    agents.drive(dut, clear_error_i=1)
    await RisingEdge(dut.clk_i)
    agents.drive(dut, clear_error_i=0)
    await agents.cycles(dut, 2)
    assert agents.number(dut.error_o) == Error.NONE
    await unit.push(Command(0, 0, 0))
    await RisingEdge(dut.end_o)
    assert agents.number(dut.error_o) == Error.LENGTH
