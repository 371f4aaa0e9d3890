# SPDX-License-Identifier: Apache-2.0
"""RSA private operations on the coprocessor: both CRT halves in lockstep, over the bus."""

from __future__ import annotations

import random
from typing import Any

import cocotb

from agents import device
from agents.device import Device, Status
from monpro.hardware import designs, regs
from monpro.hardware.regs import Error, Fault, Scheme, Slot

TOP = "monpro_coprocessor"
INSIDE = False


def _parameters(**changes: int) -> dict[str, int | str]:
    return designs.get("fast").with_parameters(**changes).rtl_parameters()


_STREAM: dict[str, int | str] = {"Stream": 1}  # which tb_stream_crt uses


# Rows that fill their passes and rows that do not; one word of a block and four.
PARAMETERS = {
    "narrow": _STREAM
    | _parameters(word_bits=8, elements=3, min_bits=32, max_bits=256, table_words=512),
    "tiles": _parameters(word_bits=20, elements=4, min_bits=64, max_bits=512, table_words=1024),
    "fast": designs.get("fast").rtl_parameters(),
}


async def ready(dut: Any) -> Device:
    unit = Device(dut)
    await unit.set_up()
    return unit


def lengths(unit: Device, count: int) -> list[int]:
    """Of primes: the ends of the range, and others between."""
    low, high = unit.model.min_bits, unit.model.max_bits // 2
    if high > 512:
        return [low, 512]
    return [low, low + 1, high, *(random.randint(low, high) for _ in range(count))]


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def random_operations(dut: Any) -> None:
    """Cold, then warm, with each window that the table holds."""
    unit = await ready(dut)
    for bits in lengths(unit, 3):
        key = device.key(bits)
        await unit.rsa_private(key, random.randrange(key.p * key.q), 1 if bits > 500 else 2)
        if bits <= 500:
            for window in random.choices(unit.windows(bits, crt=True), k=2):
                await unit.rsa_private(None, random.randrange(key.p * key.q), window)


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def edges(dut: Any) -> None:
    """Primes at the ends of their length, q far from p either way, bases and halves at the edge."""
    unit = await ready(dut)
    bits = unit.model.min_bits
    low, high = (1 << (bits - 1)) | 1, (1 << bits) - 1
    for p, q in ((high, low), (low, high), (high, high - 2), (low + 2, low)):
        key = device.key(bits, p, q)
        n = key.p * key.q
        first: device.Key | None = key
        extremes = (0, 1, n - 1, key.p, key.q, (1 << (2 * bits)) - 1, key.p * (key.q - 1), 2)
        for c in extremes if bits < 256 else random.sample(extremes, 2):
            d = random.choice([(0, 0), (1, 1), (0, 1), (1, 0), (high, high), (key.dp, key.dq)])
            await unit.rsa_private(first, c, 2, d=d)
            first = None


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def between_other_operations(dut: Any) -> None:
    """The halves of a slot and the whole of it hold what belongs there, long after short too."""
    unit = await ready(dut)
    low, high = unit.model.min_bits, min(unit.model.max_bits // 2, 260)
    for bits in (high, low, max(high - 7, low), low):
        n = device.modulus(2 * bits - random.randint(0, 1))
        await unit.modexp(n, random.randrange(n), 65537, 17, 1, Scheme.BINARY, public=True)
        key = device.key(bits)
        c = random.randrange(key.p * key.q)
        await unit.rsa_private(key, c, 3)
        await unit.rsa_private(None, c ^ 1, 3)


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def nothing_beside_the_result(dut: Any) -> None:
    """Beyond its words the result slot reads zero, to the end of the memory: m mod q was there."""
    unit = await ready(dut)
    for bits in (unit.model.min_bits, min(unit.model.max_bits // 2, 256)):
        key = device.key(bits)
        c = random.randrange(key.p * key.q)
        await unit.rsa_private(key, c, 2)
        await unit.select(Slot.RESULT)
        words = [await unit.read(regs.DATA) for _ in range(2 * unit.base_words(bits) + 8)]
        m_p, m_q = pow(c, key.dp, key.p), pow(c, key.dq, key.q)
        result = m_q + key.q * (key.inverse * (m_p - m_q) % key.p)
        assert sum(word << (32 * i) for i, word in enumerate(words)) == result


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def far_from_each_other(dut: Any) -> None:
    """q beyond 2p but as long in words as p: an error, not a wrong result that factors n."""
    unit = await ready(dut)
    bits = unit.model.min_bits
    while unit.model.length(bits) != unit.model.length(bits + 4):
        bits += 1
    key = device.key(bits, (1 << (bits - 1)) | 5, (1 << (bits + 4)) - 5)
    await unit.load_key(key)
    await unit.load_crt_operands(key, key.q - 1, (0, 1))  # m_p = 1, m_q = q - 1
    await unit.configure(Scheme.FIXED_WINDOW, 2, public=False, crt=True)
    await unit.enable_interrupt()
    await unit.start()
    status = await unit.finish()
    assert status == Status(0, 1, 0, 0, Error.MODULUS_SIZE, Fault.NONE), status


@cocotb.test(timeout_time=100, timeout_unit="ms")
async def equal_time(dut: Any) -> None:
    """Exponents of any weight take the same cycles."""
    unit = await ready(dut)
    key = device.key(unit.model.min_bits)
    await unit.rsa_private(key, 3, 3)
    ones = (1 << key.bits) - 1
    weights = [(0, 0), (ones, 0), (0, ones), (ones, ones), (key.dp, key.dq)]
    assert len({await unit.rsa_private(None, 5, 3, d=d) for d in weights}) == 1
