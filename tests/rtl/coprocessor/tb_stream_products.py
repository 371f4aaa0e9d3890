# SPDX-License-Identifier: Apache-2.0
"""Single products by packets: commands as fast as the queue takes them, which no bus counts."""

from __future__ import annotations

import random
from typing import Any

import cocotb

from agents import device
from agents.product import Command, Products, program
from agents.stream import Streams
from monpro.hardware import regs
from monpro.hardware.models import stream
from monpro.hardware.models.product import ACC, BASE, ONE, R2, commands
from monpro.hardware.models.stream import Section, operand, read, result, wait, write
from monpro.hardware.regs import Error, Fault, Scheme, Slot
from tb_products import PARAMETERS as _PARAMETERS
from tb_products import TOP as _TOP
from tb_products import loaded

TOP = _TOP
PARAMETERS = {"array": _PARAMETERS["array"]}
START = write(regs.COMMAND, regs.COMMAND_START.put(1))
COUNTERS = read(regs.CYCLES_LOAD, 7)


async def ready(dut: Any, *stalls: float) -> tuple[Products, Streams]:
    unit = Products(dut)
    streams = Streams(unit, *stalls)
    await unit.set_up()
    return unit, streams


def product(steps: list[Command]) -> Section:
    return write(
        regs.PRODUCT,
        *(
            regs.PRODUCT_X.put(s.x)
            | regs.PRODUCT_Y.put(s.y)
            | regs.PRODUCT_TO.put(s.to)
            | regs.PRODUCT_CHOOSE.put(s.choose)
            | regs.PRODUCT_FIRST.put(s.first)
            for s in steps
        ),
    )


def entry(unit: Products, number: int, value: int) -> Section:
    unit.entries[number] = value
    return operand(Slot.ENTRY, value, unit.operand_words(), entry=number)


def modulus(unit: Products, n: int) -> Section:
    unit.n, unit.entries = n, {}
    length, words = unit.model.length(unit.bits), unit.operand_words()
    slot = regs.OPERAND_SLOT.put(int(Slot.MODULUS))
    scaled = pow(2, -unit.model.word_bits, n) % n
    return write(regs.LENGTH, length, 0, 0, slot, *stream.split(scaled, words))


def exponentiation(unit: Products, n: int | None, x: int, steps: list[Command]) -> list[Section]:
    """From the modulus, or none, to the result."""
    sections = []
    if n is not None:
        sections += [modulus(unit, n), entry(unit, R2, unit.factor**2 % n), entry(unit, ONE, 1)]
    sections += [entry(unit, BASE, x), START, product(steps), wait(), COUNTERS]
    return [*sections, *result(unit.operand_words(), slot=Slot.ENTRY, entry=ACC)]


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(stalls=[(0.0, 0.0), (0.3, 0.6)])
async def whole_exponentiations(dut: Any, stalls: tuple[float, float]) -> None:
    """One packet each. The queue never runs empty: the cycles are those of the products alone."""
    unit, streams = await ready(dut, *stalls)
    n: int | None = None
    for number in range(4):
        if number % 2 == 0:
            n = device.modulus(random.randint(120, 200))
        length, e = random.randint(6, 14), 0
        e = random.getrandbits(length)
        scheme = random.choice([Scheme.BINARY, Scheme.LADDER, Scheme.RIGHT_TO_LEFT])
        steps = list(commands(scheme, e, length, 1, public=False))
        assert n is not None
        x = random.randrange(n)
        sections = exponentiation(unit, n if number % 2 == 0 else None, x, steps)
        for step in steps:
            unit.expect(step)
        answer = await streams.ask(sections)
        assert (answer.error, answer.fault, answer.busy) == (Error.NONE, Fault.NONE, 0), answer
        counters, value = answer.words[:7], stream.join(answer.words[7:])
        assert value == unit.entries[ACC]
        assert value % n == pow(x, e, n)
        expected = unit.model.modexp(scheme, unit.bits, length, 1, warm=number % 2 == 1)
        _, _, low, high, _, begun, products = counters
        assert (low | high << 32, products) == (expected.cycles_exponentiate, expected.products)
        assert begun > products


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def queue_is_waited_for(dut: Any) -> None:
    """Far more commands than it holds, in packets of any length; errors end as over registers."""
    unit, streams = await ready(dut)
    n = device.modulus(64)
    values = [random.randrange(n) for _ in range(4)]
    await streams.ask([modulus(unit, n), *(entry(unit, i, v) for i, v in enumerate(values))])
    steps = program(unit, 60, 4)
    for step in steps:
        unit.expect(step)
    at = 0
    while at < len(steps):
        count = random.randint(1, 30)
        answer = await streams.ask([product(steps[at : at + count])])
        assert (answer.fault, answer.error) == (Fault.NONE, Error.NONE)
        at += count
    await streams.ask([wait()])
    for number in range(4):
        answer = await streams.ask([*result(unit.operand_words(), slot=Slot.ENTRY, entry=number)])
        assert stream.join(answer.words) == unit.entries[number]
    # Operands cannot be written while the queue is at work, and no result can be read.
    for fault, misuse in (
        (Fault.WRITE_WHILE_BUSY, entry(unit, 5, 1)),
        (Fault.NOT_READABLE, read(regs.DATA)),
    ):
        answer = await streams.ask([product(steps[:9]), misuse, wait()])
        assert (answer.fault, answer.error) == (fault, Error.NONE)
        await unit.clear()
    # An entry that is not there, in the middle of many: an error, a wipe, and the packet's end.
    bad = [*steps[:20], Command(7, 7, 7), *steps[:40]]
    answer = await streams.ask([START, product(bad), wait()])
    assert answer.error == Error.OPERAND_MISSING
    assert answer.fault in (Fault.QUEUE_FULL, Fault.NONE)
    assert not any((await streams.ask([*result(2, slot=Slot.ENTRY, entry=0)])).words)
    await unit.clear()
    answer = await streams.ask(
        [START, modulus(unit, n), entry(unit, 0, 5), product([Command(0, 0, 1)])]
    )
    assert (answer.error, answer.fault) == (Error.NONE, Fault.NONE)
    await streams.ask([wait()])
    assert (await unit.status()).error == Error.NONE


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def aborted_with_a_full_queue(dut: Any) -> None:
    """The packet waits for room; an abort over the other bus ends it and wipes."""
    unit, streams = await ready(dut)
    n = device.modulus(128)
    await streams.ask([modulus(unit, n), entry(unit, 0, 3)])
    streams.took.clear()
    streams.send(stream.packet([product([Command(0, 0, 0)] * 100)]))
    while await unit.queued() < 8:
        pass
    assert (await unit.status()).fault == Fault.NONE
    await unit.push(Command(0, 2, 1))
    assert (await unit.status()).fault == Fault.STREAM_BUSY
    await unit.clear()
    streams.source.assert_reset()
    streams.dropping = True
    await unit.command(regs.COMMAND_ABORT)
    while (await unit.status()).busy:
        pass
    status = await unit.status()
    assert (status.error, status.fault) == (Error.ABORTED, Fault.STREAM_CUT)
    # Nothing of the command that was refused is left: of a write of x alone the rest is zero.
    await unit.clear()
    await loaded(unit)
    await unit.start()
    await unit.write_byte(regs.PRODUCT, 0, 0)
    unit.expect(Command(0, 0, 0))
    while (await unit.status()).busy:
        pass
    for number in (0, 1):
        assert await unit.unload(number) == unit.entries[number]
