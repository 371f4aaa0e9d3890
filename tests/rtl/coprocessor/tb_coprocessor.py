# SPDX-License-Identifier: Apache-2.0
"""monpro_coprocessor over its bus: exponentiations and registers, on `study`."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents
from agents import device
from agents.device import Device, Status
from monpro.hardware import designs, regs
from monpro.hardware.models.coprocessor import PUBLIC_SCHEMES
from monpro.hardware.regs import Error, Fault, Scheme, Slot

WINDOWED = (Scheme.FIXED_WINDOW, Scheme.SLIDING_WINDOW)

TOP = "monpro_coprocessor"
INSIDE = False
PARAMETERS = {"study": designs.get("study").rtl_parameters()}


async def ready(dut: Any, stall: float = 0.0) -> Device:
    unit = Device(dut, stall)
    await unit.set_up()
    return unit


# ---- results


@cocotb.test(timeout_time=10, timeout_unit="ms")
@cocotb.parametrize(stall=[0.0, 0.2, 0.8])
async def random_operations(dut: Any, stall: float) -> None:
    """Every scheme, cold and warm, over a bus that waits in any of its channels."""
    unit = await ready(dut, stall)
    for number in range(20 if stall == 0 else 6):
        length = random.randint(32, 96 if stall else 160)
        n = device.modulus(length) if number == 0 or random.random() < 0.6 else None
        length = (n or unit.n).bit_length()
        bits = random.randint(1, 64)
        x, e = random.randrange(n or unit.n), random.getrandbits(bits)
        scheme = random.choice([Scheme.FIXED_WINDOW, Scheme.FIXED_WINDOW, Scheme.BINARY])
        window = random.choice(unit.windows(length))
        await unit.modexp(n, x, e, bits, window, scheme, public=random.random() < 0.5)


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(scheme=list(Scheme))
async def schemes(dut: Any, scheme: Scheme) -> None:
    """Each scheme, secret and public, over exponents that meet each of its ways."""
    unit = await ready(dut)
    n: int | None = device.modulus(random.randint(33, 90))
    length = n.bit_length()
    exponents = {(0, 1), (1, 1), (0, 7), (1, 7), (2, 2), (3, 2), (64, 7), (127, 7), (0b1011000, 9)}
    if scheme != Scheme.REPEATED:
        exponents |= {(random.getrandbits(b), b) for b in (31, 32, 33, 48, 65)}
    for e, bits in sorted(exponents):
        for public in (False, True):
            if scheme in PUBLIC_SCHEMES and not public:
                continue
            windows = unit.windows(length, scheme) if scheme in WINDOWED else [1]
            for window in windows if bits > 30 else [random.choice(windows)]:
                x = random.randrange(unit.n or n)
                await unit.modexp(n, x, e, bits, window, scheme, public=public)
                n = None


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def every_length(dut: Any) -> None:
    """Moduli of every length from 32 to 256 bits in steps that meet every fill of a word."""
    unit = await ready(dut)
    for length in [*range(32, 72), *range(72, 256, 9), 255, 256]:
        n = random.choice([device.modulus(length), (1 << length) - 1, 1 << (length - 1) | 1])
        window = max(unit.windows(length))
        await unit.modexp(n, random.randrange(n), random.getrandbits(6), 6, window)


@cocotb.test(timeout_time=10, timeout_unit="ms")
@cocotb.parametrize(length=[32, 64, 129])
async def edges(dut: Any, length: int) -> None:
    """Extreme moduli, bases and exponents."""
    unit = await ready(dut)
    w = unit.model.word_bits
    low = 1 << (w * (unit.model.length(length) - 1) - 2)  # the least of this many words
    for n in {(1 << length) - 1, 1 << (length - 1) | 1, low | 1, 0x55 * (1 << length) // 255 | 1}:
        words = sum(0xFF << i for i in range(0, n.bit_length() - w, 2 * w))
        await unit.load_modulus(n)
        first: int | None = n
        for x in (0, 1, 2, n - 1, n - 2, n // 2, words % n):
            e, bits = random.choice(
                [(0, 1), (1, 1), (0, 9), (1, 9), (2, 2), (3, 2), (255, 8), (256, 9), (511, 9)]
            )
            await unit.modexp(first, x, e, bits, random.choice(unit.windows(length)))
            first = None


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def exponents(dut: Any) -> None:
    """Lengths of k * w and k * w + 1 bits, powers of two, all ones, zero; longer than N too."""
    unit = await ready(dut)
    n: int | None = device.modulus(40)
    for bits in (1, 8, 9, 16, 17, 31, 32, 33, 64, 65, 255, 256):
        for e in {0, 1, 1 << (bits - 1), (1 << bits) - 1, random.getrandbits(bits)}:
            e %= 1 << bits
            for scheme, public in ((Scheme.FIXED_WINDOW, False), (Scheme.BINARY, True)):
                x = random.randrange(n or unit.n)
                await unit.modexp(n, x, e, bits, random.randint(1, 5), scheme, public=public)
                n = None


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def equal_time(dut: Any) -> None:
    """Secret exponents of weight 1, half and full: the counters show the same cycles."""
    unit = await ready(dut)
    n, bits = device.modulus(64), 64
    await unit.modexp(n, 2, 3, 2)
    for scheme in set(Scheme) - set(PUBLIC_SCHEMES):
        costs = {
            await unit.modexp(None, random.randrange(n), e, bits, 4, scheme)
            for e in (1, 1 << 63, 0x5555555555555555, 0xFFFFFFFF00000000, (1 << 64) - 1)
        }
        assert len(costs) == 1


# ---- registers


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def after_reset(dut: Any) -> None:
    """What software may rely on when it first looks."""
    unit = await ready(dut)
    assert regs.ID_MAGIC.reset == await unit.read(regs.ID)
    version = await unit.read(regs.VERSION)
    assert regs.VERSION_MAJOR.get(version) == regs.VERSION_MAJOR.reset
    assert regs.VERSION_MINOR.get(version) == regs.VERSION_MINOR.reset
    features = await unit.read(regs.PARAM_FEATURES)
    assert regs.PARAM_FEATURES_SCHEMES.get(features) == agents.parameters()["Schemes"]
    assert regs.PARAM_FEATURES_MULTIPLIERS.get(features) == unit.model.elements
    assert regs.PARAM_FEATURES_CRT.get(features) == regs.PARAM_FEATURES_STREAM.get(features) == 0
    assert await unit.status() == Status(0, 1, 0, 0, Error.NONE, Fault.NONE)  # the wipe has ended
    for register in (regs.OPERATIONS, regs.PRODUCTS, regs.CYCLES_PRECOMPUTE, regs.LENGTH):
        assert await unit.read(register) == 0
    assert int(dut.irq_o.value) == 0


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def interrupt(dut: Any) -> None:
    """A level: done and enabled. Cleared by clear, by start and by wipe."""
    unit = await ready(dut)
    n = device.modulus(32)

    async def operate() -> None:
        await unit.load_modulus(n)
        await unit.load_base(2)
        await unit.load_exponent(3, 2)
        await unit.start()
        while not (await unit.status()).done:
            pass

    await operate()
    assert int(dut.irq_o.value) == 0
    await unit.enable_interrupt()
    assert int(dut.irq_o.value) == 1
    await unit.write(regs.INTERRUPT, 0)
    assert int(dut.irq_o.value) == 0
    await unit.enable_interrupt()
    await unit.clear()
    assert int(dut.irq_o.value) == 0
    assert not (await unit.status()).done
    await operate()
    assert int(dut.irq_o.value) == 1
    await unit.command(regs.COMMAND_WIPE)
    assert int(dut.irq_o.value) == 0
    await RisingEdge(dut.irq_o)
    assert await unit.status() == Status(0, 1, 0, 0, Error.NONE, Fault.NONE)


@cocotb.test(timeout_time=5, timeout_unit="ms")
@cocotb.parametrize(stall=[0.0, 0.5])
async def bus_counters(dut: Any, stall: float) -> None:
    """The cycles of the bus, against an observer of its wires; and the count of operations."""
    unit = await ready(dut, stall)
    seen = {"load": 0, "loaded": 0, "read": 0}

    def wire(name: str) -> bool:
        return bool(agents.number(dut[f"s_axil_{name}"]))

    async def observe() -> None:
        under_way = {"load": False, "read": False}  # from the request to the response taken
        before = under_way.copy()  # a cycle before, which is when it is counted
        while True:
            await RisingEdge(dut.clk_i)
            busy = agents.number(dut.core_busy)
            now = {
                "load": under_way["load"] or wire("awvalid") or wire("wvalid"),
                "read": under_way["read"] or wire("arvalid"),
            }
            if agents.number(dut.start):
                seen["loaded"], seen["load"], seen["read"] = seen["load"], 0, 0
            elif not busy:
                seen["load"] += before["load"]
                seen["read"] += before["read"]
            before = now
            under_way["load"] = now["load"] and not (wire("bvalid") and wire("bready"))
            under_way["read"] = now["read"] and not (wire("rvalid") and wire("rready"))

    cocotb.start_soon(observe())
    n: int | None = device.modulus(50)
    for number in range(1, 4):
        await unit.modexp(n, 5, 3, 2)
        n = None
        assert await unit.read(regs.OPERATIONS) == number
        assert await unit.read(regs.CYCLES_LOAD) == seen["loaded"]
        before = seen["read"]
        told = await unit.read(regs.CYCLES_READ)
        assert before <= told <= seen["read"]
    await unit.load_base(unit.n)
    await unit.load_exponent(3, 2)
    await unit.start()
    assert (await unit.finish()).error == Error.BASE_RANGE
    assert await unit.read(regs.OPERATIONS) == 3


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def warm_keys(dut: Any) -> None:
    """The constants stay until the modulus or the length is written."""
    unit = await ready(dut)
    n = device.modulus(64)
    cold = await unit.modexp(n, 2, 3, 2)
    warm = await unit.modexp(None, 3, 3, 2)
    assert warm.cycles_precompute < cold.cycles_precompute
    await unit.load_exponent(5, 3)
    assert (await unit.status()).warm == 1
    await unit.select(Slot.MODULUS)
    assert (await unit.status()).warm == 1
    await unit.data(n, 1)
    assert (await unit.status()).warm == 0
    assert await unit.modexp(n, 2, 3, 2) == cold
    await unit.write(regs.LENGTH, unit.model.length(64))
    status = await unit.status()
    assert (status.warm, status.result) == (0, 0)
