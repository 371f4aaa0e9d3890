# SPDX-License-Identifier: Apache-2.0
"""What an operation leaves behind, and what a master of the bus can do with that."""

from __future__ import annotations

import math
import random
from collections.abc import Awaitable, Callable
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents
from agents.device import Device, Status
from monpro.hardware import designs, regs
from monpro.hardware.regs import Error, Fault, Leave, Scheme, Slot

TOP = "monpro_coprocessor"
PARAMETERS = {
    "study": {**designs.get("study").rtl_parameters(), "Stream": 1},
    "montgomery": designs.get("montgomery").with_parameters(max_bits=128).rtl_parameters(),
}
P, Q = (1 << 61) - 1, (1 << 62) - 57  # primes
N = P * Q


async def ready(dut: Any) -> Device:
    unit = Device(dut)
    await unit.set_up()
    await unit.enable_interrupt()
    return unit


async def load(unit: Device, n: int, x: int, e: int, leave: int, bits: int = 16) -> None:
    """Everything for an operation with a secret exponent."""
    unit.n = n
    await unit.write(regs.LENGTH, unit.model.length(n.bit_length()))
    await unit.write(regs.EXPONENT, bits)
    await configure(unit, leave)
    await unit.select(Slot.MODULUS)
    await unit.data(n, unit.data_words(unit.model.length(n.bit_length())))
    await unit.load_base(x)
    await unit.select(Slot.EXPONENT)
    await unit.data(e, 1)


async def configure(unit: Device, leave: int) -> None:
    value = regs.CONFIG_SCHEME.put(int(Scheme.BINARY)) | regs.CONFIG_WINDOW.put(1)
    await unit.write(regs.CONFIG, value | regs.CONFIG_LEAVE.put(leave))


async def is_locked(unit: Device) -> bool:
    return bool(regs.STATUS_LOCKED.get(await unit.read(regs.STATUS)))


async def idle(unit: Device) -> None:
    while (await unit.status()).busy:
        pass


async def right(unit: Device, x: int, e: int, **expected: int) -> None:
    """Starts an operation, which has to give x^e."""
    await unit.start()
    status = await unit.finish()
    assert (status.done, status.result, status.error, status.fault) == (1, 1, 0, 0), status
    for name, value in expected.items():
        assert getattr(status, name) == value, status
    assert await unit.result() == pow(x, e, unit.n)
    await unit.clear()


async def squares(unit: Device, x: int) -> int:
    """A public squaring under the modulus that is there, by a master who does not know it; or 0."""
    words = unit.data_words(unit.model.length(P.bit_length()))
    await unit.clear()
    await unit.write(regs.EXPONENT, 2)
    await unit.select(Slot.EXPONENT)
    await unit.data(2, 1)
    await unit.configure(Scheme.BINARY, 1, public=True)
    await unit.select(Slot.BASE)
    await unit.data(x, words)
    await unit.start()
    while not (await unit.status()).done:
        pass
    await idle(unit)
    await unit.select(Slot.RESULT)
    value = await unit.read(regs.DATA) | await unit.read(regs.DATA) << 32
    await unit.clear()
    return value


async def attack(unit: Device) -> int:
    """The prime, by the greatest common divisor of N and what squarings leave over; or 1 or N."""
    found = 0
    for _ in range(3):
        x = random.randrange(1 << 60)
        found = math.gcd(found, x * x - await squares(unit, x))
    return math.gcd(found, N)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def prime_by_squarings(dut: Any) -> None:
    """It comes out of a key that is kept. It does not where the key is locked or wiped."""
    unit = await ready(dut)
    for leave, prime in ((Leave.KEEP, True), (Leave.LOCK, False), (Leave.WIPE, False), (3, False)):
        await load(unit, P, 5, 0xBEEF, leave)
        await right(unit, 5, 0xBEEF)
        await idle(unit)
        assert (await attack(unit) == P) == prime, leave
        await unit.command(regs.COMMAND_WIPE)
        await idle(unit)
        await unit.clear()


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def locked(dut: Any) -> None:
    """Only a base can be written; the operation is the same, and warm. A wipe ends the lock."""
    unit = await ready(dut)
    e = 0xBEEF
    await load(unit, P, 5, e, Leave.LOCK)
    assert not await is_locked(unit)
    await right(unit, 5, e, busy=0, warm=1)
    assert await is_locked(unit)
    cost = None
    for _ in range(3):
        x = random.randrange(P)
        await unit.load_base(x)
        await right(unit, x, e, busy=0, warm=1)
        now = await unit.cost()
        assert cost in (None, now)
        cost = now
    await load_again(unit)
    await unit.command(regs.COMMAND_WIPE)
    assert await unit.finish() == Status(0, 1, 0, 0, Error.NONE, Fault.NONE)
    assert not await is_locked(unit)
    await unit.clear()
    await load(unit, P, 5, e, Leave.KEEP)
    await right(unit, 5, e)


async def load_again(unit: Device) -> None:
    """What does not touch the key leaves it: other slots selected, reads, commands."""
    for slot in Slot:
        await unit.select(slot)
    await unit.read(regs.LENGTH)
    await unit.clear()
    await unit.command(regs.COMMAND_FLUSH)
    assert await is_locked(unit)
    await unit.load_base(7)
    await right(unit, 7, 0xBEEF, warm=1)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def nothing_beside_a_locked_key(dut: Any) -> None:
    """Any other write is dropped and wipes: registers with the values that they have, too."""
    unit = await ready(dut)
    e, words = 0xBEEF, unit.data_words(unit.model.length(P.bit_length()))

    def writes(slot: Slot, value: int, count: int) -> Callable[[], Awaitable[None]]:
        async def write() -> None:
            await unit.select(slot)
            await unit.data(value, count)

        return write

    breaches: list[Callable[[], Awaitable[None]]] = [
        lambda: unit.write(regs.LENGTH, unit.model.length(P.bit_length())),
        lambda: unit.write(regs.LENGTH, 0),
        lambda: unit.write(regs.EXPONENT, 16),
        lambda: unit.write(regs.EXPONENT, 1),
        lambda: configure(unit, Leave.LOCK),
        lambda: configure(unit, Leave.KEEP),
        lambda: unit.configure(Scheme.BINARY, 1, public=True),
        lambda: unit.write_byte(regs.CONFIG, 2, 0),
        *(writes(slot, 1, 1) for slot in Slot if slot not in (Slot.BASE, Slot.ENTRY)),
        writes(Slot.MODULUS, Q, words),  # warm constants of p
        writes(Slot.EXPONENT, 2, 1),
    ]
    for number, breach in enumerate(breaches):
        await load(unit, P, 5, e, Leave.LOCK)
        await right(unit, 5, e)
        before = [await unit.read(r) for r in (regs.LENGTH, regs.EXPONENT, regs.CONFIG)]
        if number % 2:
            await unit.load_base(9)
        await breach()
        await idle(unit)
        status = await unit.status()
        assert (status.warm, status.result, status.error) == (0, 0, 0), number
        assert status.fault == Fault.LOCKED, number
        assert (status.done, await is_locked(unit)) == (1, False), number
        assert before == [await unit.read(r) for r in (regs.LENGTH, regs.EXPONENT, regs.CONFIG)]
        assert held(dut) == {}, number
        await unit.clear()
        await unit.load_base(9)
        await unit.start()
        assert (await unit.finish()).error == Error.OPERAND_MISSING
        await unit.clear()


def held(dut: Any) -> dict[str, int]:
    """The memories in which there is something, with their words as a number."""
    found: dict[str, int] = {}
    for name, value in agents.registers(dut).items():
        memory, _, index = name.partition("memory_q[")
        if value and index:
            place = agents.parameters()["WordBits"] * int(index.rstrip("]"))
            found[memory] = found.get(memory, 0) | value << place
    return found


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def half_a_key(dut: Any) -> None:
    """What was loaded to be wiped or locked is not used in another way; nor is part of it, by an
    operation that ends in an error."""
    unit = await ready(dut)
    for leave in (Leave.LOCK, Leave.WIPE):
        await load(unit, P, 5, 0xBEEF, leave)
        await configure(unit, Leave.KEEP)
        await configure(unit, leave)
        await unit.start()
        assert (await unit.finish()).error == Error.OPERAND_MISSING
        assert held(dut) == {}
        await unit.clear()
        await unit.write(regs.LENGTH, unit.model.length(P.bit_length()))
        await configure(unit, leave)
        await unit.select(Slot.MODULUS)
        await unit.data(P, unit.data_words(unit.model.length(P.bit_length())))
        assert await attack(unit) in (1, N)
    await load(unit, P, 5, 0xBEEF, Leave.LOCK)
    await unit.load_base(P)  # out of range
    await unit.start()
    assert (await unit.finish()).error == Error.BASE_RANGE
    assert not await is_locked(unit)
    assert held(dut) == {}


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def wiped(dut: Any) -> None:
    """Behind done: the result can be read at once, more than once, and it alone is left."""
    unit = await ready(dut)
    e = 0xBEEF
    expected = None
    for number, leave in enumerate((Leave.KEEP, Leave.WIPE, 3)):
        await load(unit, N, N - 2, 3, Leave.KEEP)
        await right(unit, N - 2, 3)  # whose result is longer
        await load(unit, P, 5, e, leave)
        wipes = leave != Leave.KEEP
        await right(unit, 5, e, busy=wipes, warm=not wipes)
        cost = await unit.cost()
        assert expected in (None, cost), "done comes in the same cycle"
        expected = cost
        assert await unit.read(regs.OPERATIONS) == 2 * number + 2
        while (await unit.status()).busy:
            assert await unit.result() == pow(5, e, P)
        assert (await unit.status()).result == 1
        assert (await unit.status()).done == 0  # the wipe's end is none
        assert await unit.result() == pow(5, e, P)
        if wipes:
            assert set(held(dut).values()) == {pow(5, e, P)}, held(dut)
            await unit.load_base(5)
            await unit.start()
            assert (await unit.finish()).error == Error.OPERAND_MISSING
            assert held(dut) == {}
            await unit.clear()
        await unit.clear()


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(how=["wipe", "abort", "reset", "write", "start"])
async def while_it_is_wiped(dut: Any, how: str) -> None:
    """A wipe or an abort takes the result as well; what else is too early is a fault, as ever."""
    unit = await ready(dut)
    for wait in (0, 3, 20, *(random.randrange(250) for _ in range(6))):
        await load(unit, P, 5, 0xBEEF, Leave.WIPE)
        await unit.start()
        await unit.finish()
        await unit.clear()
        await agents.cycles(dut, wait + 1)
        if not agents.number(dut.clearing):
            continue
        if how == "reset":
            await unit.reset()
            assert held(dut) == {}
            await unit.enable_interrupt()
            continue
        if how in ("wipe", "abort"):
            await unit.command(regs.COMMAND_WIPE if how == "wipe" else regs.COMMAND_ABORT)
            error = Error.ABORTED if how == "abort" else Error.NONE
            while not int(dut.irq_o.value):
                await RisingEdge(dut.clk_i)
            assert await unit.status() == Status(0, 1, 0, 0, error, Fault.NONE), wait
            assert held(dut) == {}
        else:
            await (unit.start() if how == "start" else unit.write(regs.LENGTH, 9))
            fault = Fault.START_WHILE_BUSY if how == "start" else Fault.WRITE_WHILE_BUSY
            assert (await unit.status()).fault == fault
            await idle(unit)
            assert await unit.result() == pow(5, 0xBEEF, P)
        await unit.clear()
    await load(unit, P, 6, 3, Leave.KEEP)
    await right(unit, 6, 3)
