# SPDX-License-Identifier: Apache-2.0
"""monpro_coprocessor with entries over its bus: products, copies, the queue, every misuse."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge
from cocotb.utils import get_sim_time

import agents
from agents import device
from agents.product import Command, Products, any_operand, program, ready
from monpro.hardware import regs
from monpro.hardware.models.product import QUEUE_DEPTH
from monpro.hardware.regs import Error, Fault, Slot

TOP = "monpro_coprocessor"
_COMMON = {"TableWords": 0, "TableBanks": 1, "Schemes": 2, "Crt": 0}
PARAMETERS = {
    "array": {
        "Multiplier": '"array"', "WordBits": 8, "Elements": 4, "MinBits": 32, "MaxBits": 256,
        "Entries": 8, "Stream": 1, **_COMMON,  # which tb_stream_products uses
    },
    "word": {
        "Multiplier": '"word"', "WordBits": 32, "Elements": 1, "MinBits": 512, "MaxBits": 768,
        "Entries": 8, **_COMMON,
    },
    "word_two": {
        "Multiplier": '"word"', "WordBits": 16, "Elements": 2, "MinBits": 256, "MaxBits": 384,
        "Entries": 8, **_COMMON,
    },
}  # fmt: skip
STATES = ("StWipe", "StFetch", "StLook", "StIssue", "StCopy")


def lengths(unit: Products) -> list[int]:
    """Shortest, longest and what fills its highest word in different ways."""
    low, high = unit.model.min_bits, unit.model.max_bits
    return [low, low + 1, low + 7, (low + high) // 2, high - 1, high]


async def loaded(unit: Products, bits: int | None = None, entries: int = 4) -> None:
    """A modulus and operands in the lowest entries."""
    await unit.load_modulus(device.modulus(bits or unit.model.min_bits))
    for entry in range(entries):
        await unit.load(entry, any_operand(unit))


async def check_entries(unit: Products) -> None:
    for entry, value in unit.entries.items():
        assert await unit.unload(entry) == value, f"entry {entry}, N = {unit.n:#x}"


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(stall=[0.0, 0.5])
async def random_programs(dut: Any, stall: float) -> None:
    """Products and copies in any order, each entry right and each cycle accounted for."""
    unit = await ready(dut, stall)
    for bits in lengths(unit) if not stall else lengths(unit)[:1]:
        await loaded(unit, bits)
        for count in (1, 2, 3, 12):
            steps = program(unit, count, 4)
            if stall:  # the bus may be slower than the queue: results only
                for step in steps:
                    while await unit.queued() == QUEUE_DEPTH:
                        pass
                    await unit.push(step)
                    unit.expect(step)
                while (await unit.status()).busy:
                    pass
            else:
                await unit.run(steps)
        await check_entries(unit)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def chains(dut: Any) -> None:
    """Squarings in place, each on the result of the one before, then a copy of the last."""
    unit = await ready(dut)
    await loaded(unit)
    await unit.run([Command(0, 0, 0)] * 5 + [Command(0, 1, 2, choose=True, first=True)] * 2)
    await unit.run([Command(0, 1, 1), Command(1, 1, 0), Command(0, 1, 3, choose=True)])
    await check_entries(unit)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def copies_take_equal_time(dut: Any) -> None:
    """Whichever is chosen, and whatever they hold."""
    unit = await ready(dut)
    await loaded(unit)
    await unit.load(2, 0)
    costs = set()
    for first in (False, True):
        for x, y in ((0, 1), (2, 1), (0, 2)):
            steps = [Command(0, 1, 3), Command(x, y, 3, choose=True, first=first)]
            costs.add(await unit.run(steps))
            assert await unit.unload(3) == unit.entries[x if first else y]
    assert len(costs) == 1


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def products_take_equal_time(dut: Any) -> None:
    """Whatever the operands."""
    unit = await ready(dut)
    await loaded(unit)
    top = unit.bound() - 1
    costs = set()
    for x, y in ((0, 0), (0, top), (top, top), (1, unit.n - 1), (any_operand(unit), 3)):
        await unit.load(0, x)
        await unit.load(1, y)
        costs.add(await unit.run([Command(0, 1, 2)]))
    assert len(costs) == 1


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def queue(dut: Any) -> None:
    """It tells how full it is, raises the line at half, and drops what it has no room for."""
    unit = await ready(dut)
    await loaded(unit, unit.model.max_bits)
    assert agents.number(dut.irq_o) == 0
    await unit.write(regs.INTERRUPT, regs.INTERRUPT_QUEUE.put(1))
    await agents.cycles(dut, 3)
    assert agents.number(dut.irq_o) == 1  # empty
    taken = QUEUE_DEPTH + 2  # one has begun, one waits for the multiplier
    for _ in range(taken + 1):
        await unit.push(Command(0, 1, 2))
    status = await unit.status()
    assert status.fault == Fault.QUEUE_FULL
    assert await unit.queued() == QUEUE_DEPTH
    assert agents.number(dut.irq_o) == 0
    await unit.command(regs.COMMAND_CLEAR)
    await RisingEdge(dut.irq_o)
    assert await unit.queued() == QUEUE_DEPTH // 2
    await unit.write(regs.INTERRUPT, 0)
    await agents.cycles(dut, 3)
    assert agents.number(dut.irq_o) == 0
    await unit.enable_interrupt()
    status = await unit.finish()
    assert status.done
    assert await unit.read(regs.PRODUCTS) == taken
    assert await unit.read(regs.OPERATIONS) == taken
    assert await unit.queued() == 0
    unit.expect(Command(0, 1, 2))
    await unit.clear()
    await unit.write(regs.INTERRUPT, 0)
    await check_entries(unit)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def every_error(dut: Any) -> None:
    """Each provoked: named, reported, everything wiped; the first stays until COMMAND.start."""
    unit = await ready(dut)
    number = agents.parameters()["Entries"]

    async def fails(error: Error, *steps: Command) -> None:
        await unit.enable_interrupt()
        await unit.start()
        for step in steps:
            await unit.push(step)
        status = await unit.finish()
        assert (status.error, status.busy, status.warm) == (error, 0, 0), status
        assert status.fault in (Fault.NONE, Fault.QUEUE_FULL)  # the wipe takes no product
        await unit.clear()
        assert not any(v for k, v in agents.registers(dut).items() if "memory_q[" in k)
        await unit.select_entry(0)
        assert await unit.read(regs.DATA) == 0
        assert (await unit.status()).fault == Fault.NOT_READABLE
        await unit.clear()

    ok = Command(0, 1, 2)
    for missing in (Command(3, 0, 2), Command(0, 3, 2), Command(3, 3, 1, choose=True)):
        await loaded(unit, entries=3)
        await fails(Error.OPERAND_MISSING, missing)
    for beyond in (Command(number, 0, 1), Command(0, number, 1), Command(0, 1, number)):
        if number < 32:
            await loaded(unit)
            await fails(Error.OPERAND_MISSING, ok, beyond, ok)
    # no entry of that number: nothing is written, and none of a lower number either
    await loaded(unit)
    await unit.select_entry(number + 1 if number < 32 else 31)
    await unit.data(7, unit.operand_words())
    if number < 32:
        await check_entries(unit)
        await unit.select_entry(number + 1)
        assert await unit.read(regs.DATA) == 0
        assert (await unit.status()).fault == Fault.NOT_READABLE
        await unit.clear()
    # no modulus: LENGTH forgets, and so it does entries
    await loaded(unit)
    await unit.write(regs.LENGTH, regs.LENGTH_WORDS.put(unit.model.length(unit.bits)))
    await fails(Error.OPERAND_MISSING, ok)
    await loaded(unit)
    await unit.select(Slot.MODULUS)
    await unit.data(1, 1)
    await fails(Error.OPERAND_MISSING, ok)
    # an entry that was begun, or has a bit too many
    await loaded(unit)
    await unit.select_entry(1)
    await unit.data(1, 1)
    await fails(Error.OPERAND_MISSING, ok)
    await loaded(unit)
    await unit.select_entry(1)
    await unit.data(1 << (32 * unit.operand_words()), unit.operand_words() + 1)
    assert (await unit.status()).fault == Fault.OPERAND_TOO_LONG
    await unit.clear()
    await fails(Error.OPERAND_MISSING, ok)
    for length in (0, unit.model.length(unit.model.min_bits) - 1,
                   unit.model.length(unit.model.max_bits) + 1):  # fmt: skip
        await loaded(unit)
        await unit.write(regs.LENGTH, regs.LENGTH_WORDS.put(length))
        await unit.load(0, 1)  # dropped
        await fails(Error.LENGTH, ok)
    if unit.model.exact:
        await unit.load_modulus(device.modulus(unit.model.min_bits) - 1)
        await unit.load(0, 5)
        await unit.load(1, 7)
        await fails(Error.MODULUS_EVEN, ok)
        await loaded(unit)
        await unit.load(0, 3)
        await unit.load(1, 5)
        await unit.load_inverse(1)
        await fails(Error.INVERSE, ok, ok)
        await loaded(unit)
        await unit.write(regs.LENGTH, regs.LENGTH_WORDS.put(unit.model.length(unit.bits)))
        await unit.select(Slot.MODULUS)
        await unit.data(unit.n, unit.operand_words())
        await unit.load(0, 1)
        await unit.load(1, 1)
        await fails(Error.OPERAND_MISSING, ok)  # n'
    await loaded(unit)
    await unit.run([ok])
    await check_entries(unit)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def faults(dut: Any) -> None:
    """Writes while it is busy are dropped; slots that are not there take nothing."""
    unit = await ready(dut)
    await loaded(unit, unit.model.max_bits)
    await unit.enable_interrupt()
    for slot in (Slot.BASE, Slot.EXPONENT, Slot.MODULUS_Q, Slot.EXPONENT_Q, Slot.RESULT):
        await unit.select(slot)
        await unit.data(1, 1)
        assert await unit.read(regs.DATA) == 0
        assert (await unit.status()).fault == Fault.NOT_READABLE
        await unit.clear()
    busy_writes = [
        (regs.LENGTH, 0), (regs.OPERAND, regs.OPERAND_ENTRY.put(1)), (regs.DATA, 1),
        (regs.COMMAND, regs.COMMAND_WIPE.put(1)),
    ]  # fmt: skip
    await unit.select_entry(0)
    for register, value in busy_writes:
        step = Command(0, 1, 2)
        await unit.push(step)
        await unit.push(step)
        await unit.write(register, value)
        status = await unit.finish()
        unit.expect(step)
        assert (status.fault, status.error) == (Fault.WRITE_WHILE_BUSY, Error.NONE), register.name
        await unit.clear()
    await unit.push(Command(0, 1, 2))
    await unit.start()
    assert (await unit.finish()).fault == Fault.START_WHILE_BUSY
    await unit.clear()
    # another entry, by its byte alone, in the middle of one: it begins at its lowest word
    await unit.select_entry(0)
    await unit.data(5, 1)
    await unit.write_byte(regs.OPERAND, 1, 1)
    await unit.data(3, unit.operand_words())
    unit.entries[1] = 3
    await unit.load(0, 4)
    await check_entries(unit)
    # a wipe takes no product
    products = await unit.read(regs.PRODUCTS)
    await unit.command(regs.COMMAND_WIPE)
    await unit.push(Command(0, 1, 2))
    assert (await unit.finish()).fault == Fault.QUEUE_FULL
    assert await unit.read(regs.PRODUCTS) == products


@cocotb.test(timeout_time=50, timeout_unit="ms")
@cocotb.parametrize(how=["abort", "reset", "wipe"])
async def nothing_is_left(dut: Any, how: str) -> None:
    """Stopped in any cycle, or wiped afterwards, no register or memory holds what it held."""
    unit = await ready(dut)
    blank = {k: v for k, v in agents.registers(dut).items() if _secret(k)}
    steps = [Command(0, 1, 2), Command(2, 2, 3), Command(2, 3, 1, True, True), Command(1, 1, 1)]
    await loaded(unit)
    whole = unit.model.cycles(steps, unit.bits)
    states = set()
    stops = [1, 2, 3, 4, 5, *random.sample(range(whole), 9)]
    for stop in [whole + 60] if how == "wipe" else stops:
        await loaded(unit)
        await unit.load(0, unit.n - 2)
        await unit.load(1, unit.n - 2)
        for step in steps:
            await unit.push(step)
        await agents.cycles(dut, stop)
        states.add(agents.number(dut.g_products.u_core.state_q))
        running = agents.number(dut.core_busy)
        if how == "reset":
            await unit.reset()
        else:
            await unit.command(regs.COMMAND_ABORT if how == "abort" else regs.COMMAND_WIPE)
            begin = get_sim_time("ns")
            # The last product may have ended while the command was on its way.
            running = running and agents.number(dut.core_busy)
            if agents.number(dut.core_busy):
                await FallingEdge(dut.core_busy)
            elapsed = (get_sim_time("ns") - begin) / agents.CLOCK_NS
            if running or how == "wipe":
                assert unit.model.wipe_cycles - 8 <= elapsed <= unit.model.wipe_cycles
                error = Error.ABORTED if how == "abort" else Error.NONE
                assert (await unit.status()).error == error
            await unit.clear()
        if how == "abort" and not running:
            continue
        left = {k: v for k, v in agents.registers(dut).items() if _secret(k) and v != blank[k]}
        assert not left, left
    assert how == "wipe" or len(states) > 1
    await loaded(unit)
    await unit.run(steps)
    await check_entries(unit)


# What holds no operand and nothing that follows from one: lengths, counters, the bus.
_NO_SECRET = {
    "words_q", "length_ok_q", "wipe_addr_q", "error_q", "near_index_q", "near_q", "one_q",
    "clear_index_q", "row_ok_q", "x_step_q", "x_valid_q", "write_entry_q", "last_q", "tag_q",
    "wanted_q", "rows_q", "elements_q", "passes_q", "spare_q", "change_q", "more_q",
    "one_pass_q", "settled_q", "in_use_q", "which_q", "group_on_q",
}  # fmt: skip


def _secret(name: str) -> bool:
    return ".u_core." in f".{name}" and name.rpartition(".")[2] not in _NO_SECRET
