"""Every named design as it is: a few exponentiations over the bus, at its shortest and longest."""

from __future__ import annotations

import random
from typing import Any

import cocotb

import agents
import device
from device import Device
from monpro import designs, regs
from monpro.regs import Scheme

TOP = "monpro_coprocessor"
PARAMETERS = {name: design.rtl_parameters() for name, design in designs.load().items()}


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def tells_its_parameters(dut: Any) -> None:
    unit = Device(dut)
    await unit.set_up()
    p = agents.parameters()
    word = await unit.read(regs.PARAM_ARRAY)
    assert regs.PARAM_ARRAY_WORD_BITS.get(word) == p["WordBits"]
    assert regs.PARAM_ARRAY_ELEMENTS.get(word) == p["Elements"]
    word = await unit.read(regs.PARAM_BITS)
    assert regs.PARAM_BITS_MIN_BITS.get(word) == p["MinBits"]
    assert regs.PARAM_BITS_MAX_BITS.get(word) == p["MaxBits"]
    assert regs.PARAM_TABLE_WORDS.get(await unit.read(regs.PARAM_TABLE)) == p["TableWords"]


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def shortest(dut: Any) -> None:
    unit = Device(dut)
    await unit.set_up()
    bits = unit.model.min_bits
    n: int | None = device.modulus(bits)
    for window in unit.windows(bits):
        x, e = random.randrange(n or unit.n), random.getrandbits(bits)
        await unit.modexp(n, x, e, bits, window)
        n = None
    x = random.randrange(unit.n)
    await unit.modexp(None, x, 65537, 17, scheme=Scheme.BINARY, public=True)


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def longest(dut: Any) -> None:
    """A short exponent: its length only repeats what the multiplier does at this one."""
    unit = Device(dut)
    await unit.set_up()
    bits = unit.model.max_bits
    n = (1 << bits) - 1 - 2 * random.getrandbits(16)
    await unit.modexp(n, n - 1, 0b1011, 4, max(unit.windows(bits)))


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def between(dut: Any) -> None:
    """A length in the middle whose words are not full."""
    unit = Device(dut)
    await unit.set_up()
    bits = min(unit.model.max_bits // 2, 1024) - 3
    n = device.modulus(bits)
    await unit.modexp(n, random.randrange(n), random.getrandbits(13), 13, 4)
