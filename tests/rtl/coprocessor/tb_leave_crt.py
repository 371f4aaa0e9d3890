# SPDX-License-Identifier: Apache-2.0
"""What an RSA private operation leaves behind, and what a master of the bus can do with that."""

from __future__ import annotations

import math
import random
from typing import Any

import cocotb

from agents import device
from agents.device import Device, Key
from monpro.hardware import regs
from monpro.hardware.regs import Error, Fault, Leave, Scheme, Slot
from tb_misuse_crt import PARAMETERS as NARROW
from tb_misuse_crt import ready

TOP = "monpro_coprocessor"
INSIDE = False
PARAMETERS = NARROW


async def load(unit: Device, key: Key, leave: int, c: int, window: int = 2) -> None:
    await unit.configure(Scheme.FIXED_WINDOW, window, public=False, crt=True)
    config = await unit.read(regs.CONFIG)
    await unit.write(regs.CONFIG, config | regs.CONFIG_LEAVE.put(leave))
    await unit.write(regs.LENGTH, unit.model.length(key.bits))
    for slot, value in ((Slot.MODULUS, key.p), (Slot.MODULUS_Q, key.q)):
        await unit.select(slot)
        await unit.data(value, unit.data_words(unit.model.length(key.bits)))
    await unit.load_crt_operands(key, c, (key.dp, key.dq))


def power(key: Key, c: int, dp: int, dq: int, inverse: int) -> int:
    m_q = pow(c, dq, key.q)
    return m_q + key.q * (inverse * (pow(c, dp, key.p) - m_q) % key.p)


async def run(unit: Device, key: Key, c: int) -> int:
    """Starts it: the result, which has to be right."""
    await unit.start()
    status = await unit.finish()
    assert (status.result, status.error, status.fault) == (1, Error.NONE, Fault.NONE), status
    unit.n = key.p * key.q
    found = await unit.result()
    assert found == power(key, c, key.dp, key.dq, key.inverse)
    await unit.clear()
    return found


async def idle(unit: Device) -> None:
    while (await unit.status()).busy:
        pass


async def fresh(unit: Device) -> None:
    await idle(unit)
    await unit.command(regs.COMMAND_WIPE)
    await idle(unit)
    await unit.clear()


async def attack(unit: Device, key: Key, c: int) -> int:
    """An operation with dP = dQ = 1 and qInv = 0, which leaves c mod q: what it has in common with
    N = p * q is q. The primes are used as they are, and known to the device alone."""
    words = unit.data_words(unit.model.length(key.bits))
    await unit.clear()
    await unit.write(regs.EXPONENT, key.bits)
    for slot, value, count in (
        (Slot.BASE, c, unit.base_words(key.bits)), (Slot.EXPONENT, 1, -(-key.bits // 32)),
        (Slot.EXPONENT_Q, 1, -(-key.bits // 32)), (Slot.INVERSE, 0, words),
    ):  # fmt: skip
        await unit.select(slot)
        await unit.data(value, count)
    await unit.start()
    while not (await unit.status()).done:
        pass
    await idle(unit)
    await unit.select(Slot.RESULT)
    value = sum([await unit.read(regs.DATA) << (32 * i) for i in range(-(-key.bits // 16))])
    await unit.clear()
    return math.gcd(c - value, key.p * key.q)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def prime_by_exponents_of_one(dut: Any) -> None:
    """It comes out of a key that is kept. It does not where the key is locked or wiped."""
    unit, _ = await ready(dut)
    key = device.key(32, (1 << 32) - 5, (1 << 32) - 17)  # primes
    n = key.p * key.q
    for leave, prime in ((Leave.KEEP, True), (Leave.LOCK, False), (Leave.WIPE, False)):
        await load(unit, key, leave, 5)
        await run(unit, key, 5)
        await idle(unit)
        found = await attack(unit, key, random.randrange(n // 2, n))
        assert (found == key.q) == prime, leave
        await fresh(unit)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def locked(dut: Any) -> None:
    """With other bases the same operation, warm; each operand alone beside the others is refused,
    and so is any of them half loaded."""
    unit, key = await ready(dut)
    words = unit.data_words(unit.model.length(key.bits))
    await load(unit, key, Leave.LOCK, 5)
    await run(unit, key, 5)
    for _ in range(3):
        c = random.randrange(key.p * key.q)
        await unit.select(Slot.BASE)
        await unit.data(c, unit.base_words(key.bits))
        assert (await unit.status()).warm == 1
        await run(unit, key, c)
    await fresh(unit)
    others = {
        Slot.MODULUS: words, Slot.MODULUS_Q: words, Slot.INVERSE: words,
        Slot.EXPONENT: -(-key.bits // 32), Slot.EXPONENT_Q: -(-key.bits // 32),
    }  # fmt: skip
    for slot, count in others.items():
        for part in {1, count}:
            await load(unit, key, Leave.LOCK, 5)
            await run(unit, key, 5)
            await unit.select(Slot.BASE)
            await unit.data(7, unit.base_words(key.bits))
            await unit.select(slot)
            await unit.data(3, part)
            await idle(unit)
            status = await unit.status()
            assert (status.fault, status.warm, status.result) == (Fault.LOCKED, 0, 0), slot.name
            await unit.clear()
            await unit.start()
            assert (await unit.finish()).error == Error.OPERAND_MISSING, slot.name
            await unit.clear()


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def wiped(dut: Any) -> None:
    """The result is all that can be read while and after the wipe, also of a short key after a
    long one."""
    unit, key = await ready(dut)
    for bits in (min(unit.model.max_bits // 2, 100), key.bits):
        key = device.key(bits)
        await load(unit, key, Leave.WIPE, 5)
        found = await run(unit, key, 5)
        while (await unit.status()).busy:
            assert await unit.result() == found
        assert await unit.result() == found
        await unit.select(Slot.RESULT)
        all_words = [await unit.read(regs.DATA) for _ in range(2 * unit.base_words(bits) + 8)]
        assert sum(word << (32 * i) for i, word in enumerate(all_words)) == found
        assert (await unit.status()).warm == 0
        await unit.clear()
