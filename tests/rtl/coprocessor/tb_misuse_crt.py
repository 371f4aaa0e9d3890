# SPDX-License-Identifier: Apache-2.0
"""RSA private operations misused, over the bus: operands that are missing, wrong or of another kind
of operation."""

from __future__ import annotations

from typing import Any

import cocotb

from agents import device
from agents.device import Device, Key, Status
from monpro.hardware import designs, regs
from monpro.hardware.regs import Error, Fault, Scheme, Slot

TOP = "monpro_coprocessor"
INSIDE = False
PARAMETERS: dict[str, dict[str, int | str]] = {
    "narrow": {"Stream": 1}
    | designs.get("fast")
    .with_parameters(word_bits=8, elements=3, min_bits=32, max_bits=256, table_words=512)
    .rtl_parameters()
}
KEPT = (Slot.MODULUS, Slot.MODULUS_Q)
USED_UP = (Slot.BASE, Slot.EXPONENT, Slot.EXPONENT_Q, Slot.INVERSE)


async def ready(dut: Any) -> tuple[Device, Key]:
    unit = Device(dut)
    await unit.set_up()
    await unit.enable_interrupt()
    return unit, device.key(unit.model.min_bits)


async def load(unit: Device, key: Key, *slots: Slot, c: int = 5, exponents: bool = True) -> None:
    """Writes these operands of a private operation. The length of the exponents is set before."""
    if exponents:
        await unit.write(regs.EXPONENT, key.bits)
    words = unit.data_words(unit.model.length(key.bits))
    operands = {
        Slot.MODULUS: (key.p, words),
        Slot.MODULUS_Q: (key.q, words),
        Slot.BASE: (c, unit.base_words(key.bits)),
        Slot.EXPONENT: (key.dp, -(-key.bits // 32)),
        Slot.EXPONENT_Q: (key.dq, -(-key.bits // 32)),
        Slot.INVERSE: (key.inverse, words),
    }
    for slot in slots:
        await unit.select(slot)
        await unit.data(*operands[slot])


async def length(unit: Device, key: Key) -> None:
    await unit.configure(Scheme.FIXED_WINDOW, 2, public=False, crt=True)
    await unit.write(regs.LENGTH, unit.model.length(key.bits))


async def ends(unit: Device, error: Error, what: str) -> None:
    await unit.start()
    there = int(error == Error.NONE)
    status = await unit.finish()
    assert status == Status(0, 1, there, there, error, Fault.NONE), (what, status)
    await unit.clear()


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def missing_operands(dut: Any) -> None:
    """Each operand alone: never written, used up by the operation before, or forgotten."""
    unit, key = await ready(dut)
    for slot in (*KEPT, *USED_UP):
        await length(unit, key)
        await load(unit, key, *{*KEPT, *USED_UP} - {slot})
        await ends(unit, Error.OPERAND_MISSING, f"{slot.name} was not written")
    for slot in USED_UP:
        await length(unit, key)
        await load(unit, key, *KEPT, *USED_UP)
        await ends(unit, Error.NONE, "all are there")
        await load(unit, key, *{*USED_UP} - {slot}, exponents=False)
        await ends(unit, Error.OPERAND_MISSING, f"{slot.name} is used up")
    for slot in (Slot.EXPONENT, Slot.EXPONENT_Q):
        await length(unit, key)
        await load(unit, key, *KEPT, *USED_UP)
        await unit.write(regs.EXPONENT, key.bits)
        await load(unit, key, *{Slot.EXPONENT, Slot.EXPONENT_Q} - {slot}, exponents=False)
        await ends(unit, Error.OPERAND_MISSING, f"{slot.name} is of the length before")
    await unit.rsa_private(key, 7, 2)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def another_kind(dut: Any) -> None:
    """What was loaded for an operation by the CRT is forgotten for one without it, and the other
    way round: an operand lies elsewhere then."""
    unit, key = await ready(dut)
    for before in (False, True):  # an operation has left constants
        if before:
            await unit.rsa_private(key, 7, 2)
        await length(unit, key)
        await load(unit, key, *KEPT, *USED_UP)
        await unit.configure(Scheme.FIXED_WINDOW, 2, public=False, crt=False)
        await ends(unit, Error.OPERAND_MISSING, "p as a modulus of its own")
        await length(unit, key)
        await load(unit, key, *KEPT, *USED_UP)
        for crt in (False, True):
            await unit.configure(Scheme.FIXED_WINDOW, 2, public=False, crt=crt)
        await ends(unit, Error.OPERAND_MISSING, "there and back")
        await unit.load_modulus(key.p)
        await unit.load_base(5)
        await unit.load_exponent(key.dp, key.bits)
        await unit.configure(Scheme.FIXED_WINDOW, 2, public=False, crt=True)
        await load(unit, key, Slot.MODULUS_Q, Slot.EXPONENT_Q, Slot.INVERSE, exponents=False)
        await ends(unit, Error.OPERAND_MISSING, "a modulus of its own as p")
    # Constants alone, too.
    await unit.rsa_private(key, 7, 2)
    await unit.configure(Scheme.FIXED_WINDOW, 2, public=False, crt=False)
    status = await unit.status()
    assert (status.warm, status.result) == (0, 0)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def wrong_operands(dut: Any) -> None:
    """Each half is checked, and so is the configuration."""
    unit, key = await ready(dut)
    p, q = key.p, key.q
    high = 1 << (unit.model.word_bits * unit.model.length(key.bits) - 2)
    wrong = [
        (Error.MODULUS_EVEN, Key(key.bits, p - 1, q, 1, 1)),
        (Error.MODULUS_EVEN, Key(key.bits, p, q - 1, 1, 1)),
        (Error.MODULUS_SIZE, Key(key.bits, high | 1, q, 1, 1)),
        (Error.MODULUS_SIZE, Key(key.bits, p, high | 1, 1, 1)),
        (Error.MODULUS_SIZE, Key(key.bits, p, 1, 1, 1)),
    ]
    for error, bad in wrong:
        await length(unit, key)
        await load(unit, key, Slot.INVERSE, *{*USED_UP} - {Slot.INVERSE})
        words = unit.data_words(unit.model.length(key.bits))
        for slot, value in ((Slot.MODULUS, bad.p), (Slot.MODULUS_Q, bad.q)):
            await unit.select(slot)
            await unit.data(value, words)
        await ends(unit, error, f"{bad.p:#x} {bad.q:#x}")
    await length(unit, key)
    await load(unit, key, *KEPT, *USED_UP)
    await unit.select(Slot.INVERSE)
    await unit.data(p, unit.data_words(unit.model.length(key.bits)))
    await ends(unit, Error.BASE_RANGE, "qInv is not below p")
    for scheme, public in ((Scheme.BINARY, False), (Scheme.FIXED_WINDOW, True)):
        await length(unit, key)
        await load(unit, key, *KEPT, *USED_UP)
        await unit.configure(scheme, 2, public, crt=True)
        await ends(unit, Error.SCHEME, scheme.name)
    await length(unit, key)
    await unit.write(regs.EXPONENT, unit.model.max_bits // 2 + 1)
    await load(unit, key, *KEPT, *USED_UP, exponents=False)
    await ends(unit, Error.EXPONENT_LENGTH, "longer than half of the longest")
    await unit.rsa_private(key, 7, 2)
