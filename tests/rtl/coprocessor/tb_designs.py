# SPDX-License-Identifier: Apache-2.0
"""Every named design as it is: a few exponentiations over the bus, at its shortest and longest."""

from __future__ import annotations

import random
from typing import Any

import cocotb

import agents
from agents import device
from agents.device import Device
from agents.product import Products
from monpro.hardware import designs, regs
from monpro.hardware.models.coprocessor import PUBLIC_SCHEMES
from monpro.hardware.regs import Scheme

TOP = "monpro_coprocessor"
INSIDE = False
WINDOWED = (Scheme.FIXED_WINDOW, Scheme.SLIDING_WINDOW)
PARAMETERS = {
    name: design.rtl_parameters() for name, design in designs.load().items() if not design.stream
}


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
    word = await unit.read(regs.PARAM_FEATURES)
    assert regs.PARAM_FEATURES_SCHEMES.get(word) == p["Schemes"]
    assert regs.PARAM_FEATURES_ENTRIES.get(word) == p["Entries"]


async def ready(dut: Any) -> Device:
    unit = Products(dut) if agents.parameters()["Entries"] else Device(dut)
    await unit.set_up()
    return unit


def schemes() -> list[tuple[Scheme, bool]]:
    """What a design without a table has, and whether the exponent is public."""
    p = agents.parameters()
    have = [scheme for scheme in Scheme if p["Schemes"] >> scheme & 1]
    if Scheme.FIXED_WINDOW in have and not p["Entries"]:
        return []
    secret = [(scheme, False) for scheme in have if scheme not in PUBLIC_SCHEMES]
    return secret + [(scheme, True) for scheme in have]


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def shortest(dut: Any) -> None:
    unit = await ready(dut)
    bits = unit.model.min_bits
    n: int | None = device.modulus(bits)
    for window in unit.windows(bits) if not schemes() else []:
        x, e = random.randrange(n or unit.n), random.getrandbits(bits)
        await unit.modexp(n, x, e, bits, window)
        n = None
    for scheme, public in schemes():
        x, e = random.randrange(n or unit.n), random.getrandbits(6)
        windows = unit.windows(bits, scheme) if scheme in WINDOWED else [1]
        for window in windows:
            await unit.modexp(n, x, e, 6, window, scheme, public=public)
            n = None
    if agents.parameters()["Schemes"] >> Scheme.BINARY & 1:
        x = random.randrange(unit.n)
        await unit.modexp(None, x, 65537, 17, scheme=Scheme.BINARY, public=True)


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def longest(dut: Any) -> None:
    """A short exponent: its length only repeats what the multiplier does at this one."""
    unit = await ready(dut)
    bits = unit.model.max_bits
    n = (1 << bits) - 1 - 2 * random.getrandbits(16)
    scheme, public = [*schemes(), (Scheme.FIXED_WINDOW, False)][0]
    window = max(unit.windows(bits, scheme), default=1)
    await unit.modexp(n, n - 1, 0b1011, 4, window, scheme, public=public)


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def between(dut: Any) -> None:
    """A length in the middle whose words are not full."""
    unit = await ready(dut)
    bits = min(unit.model.max_bits // 2, 1024) - 3
    n = device.modulus(bits)
    scheme, public = [*schemes(), (Scheme.FIXED_WINDOW, False)][0]
    length = 6 if schemes() else 13
    x, e = random.randrange(n), random.getrandbits(length)
    await unit.modexp(n, x, e, length, 4, scheme, public=public)
