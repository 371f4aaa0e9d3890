# SPDX-License-Identifier: Apache-2.0
"""monpro_exponent: the bits, their cycles, and that addresses do not depend on them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents
from monpro.hardware.models.montgomery import split

TOP = "monpro_exponent"
PARAMETERS = (
    {"MaxBits": 256, "Crt": 0, "LowFirst": 1},
    {"MaxBits": 32, "Crt": 0, "LowFirst": 0},
    {"MaxBits": 128, "Crt": 1, "LowFirst": 1},
    {"MaxBits": 192, "Crt": 1, "LowFirst": 0},  # halves that are no power of two
)


@dataclass(frozen=True, slots=True)
class Way:
    """How the bits are to be taken."""

    both: bool = False
    low_first: bool = False


def longest(way: Way) -> int:
    """Bits of an exponent; two of them share the memory."""
    return agents.parameters()["MaxBits"] >> way.both


def ways() -> list[Way]:
    p = agents.parameters()
    return [
        Way(both, low_first)
        for both in ((False, True) if p["Crt"] else (False,))
        for low_first in ((False, True) if p["LowFirst"] else (False,))
    ]


async def start(dut: Any) -> None:
    await agents.reset(
        dut, clear_i=0, write_i=0, write_addr_i=0, write_data_i=0, rewind_i=0, bits_i=0,
        both_i=0, low_first_i=0, take_i=0, append_i=0, count_i=0,
    )  # fmt: skip


async def write(dut: Any, *exponents: int) -> None:
    """The one exponent, or dP and dQ."""
    bits = agents.parameters()["MaxBits"]
    upper = 1 << max(((bits - 1) // 32).bit_length() - 1, 0)
    for half, exponent in enumerate(exponents):
        for address, word in enumerate(split(exponent, -(-bits // len(exponents) // 32), 32)):
            agents.drive(dut, write_i=1, write_addr_i=half * upper + address, write_data_i=word)
            await RisingEdge(dut.clk_i)
    agents.drive(dut, write_i=0)


async def rewind(dut: Any, bits: int, way: Way) -> None:
    p = agents.parameters()
    agents.drive(dut, rewind_i=1, bits_i=bits)
    # inputs that the parameters make useless have any value
    agents.drive(dut, both_i=way.both if p["Crt"] else random.getrandbits(1))
    agents.drive(dut, low_first_i=way.low_first if p["LowFirst"] else random.getrandbits(1))
    await RisingEdge(dut.clk_i)
    agents.drive(dut, rewind_i=0)
    await RisingEdge(dut.clk_i)  # whether few bits are left is known a cycle after how many


async def take(
    dut: Any, count: int, expected: int, way: Way, *, append: bool = False
) -> tuple[tuple[int, ...], list[int]]:
    """Takes `expected` bits by asking for `count`; gives what there is now of each exponent, and
    the addresses read."""
    agents.drive(dut, take_i=1, append_i=append, count_i=count)
    addresses = []
    takes = 12 * expected + 3 if way.both else 6 * expected + 2
    read_addr, taken, edge = dut.u_ram.read_addr_i, dut.taken_o, RisingEdge(dut.clk_i)
    append_i, count_i = dut.append_i, dut.count_i
    for cycle in range(takes + 1):
        await edge
        if cycle == 0:
            dut.take_i.value = 0
        append_i.value, count_i.value = random.getrandbits(1), random.getrandbits(3)
        address = agents.number(read_addr)
        if cycle == 0:
            last_one = address
            continue
        assert agents.number(taken) == (cycle == takes), f"cycle {cycle}"
        if cycle == 1:
            assert address == last_one, "an address goes out before its cycle"
        else:
            addresses.append(address)
    for _ in range(random.randrange(4)):  # stays
        await RisingEdge(dut.clk_i)
        assert agents.number(dut.taken_o) == 1
    assert agents.number(dut.taken_count_o) == expected
    value = agents.number(dut.value_o)
    return ((value & 63, value >> 6) if way.both else (value & 63,)), addresses


def string(exponent: int, bits: int, way: Way) -> str:
    """The bits in the order in which they are taken."""
    digits = f"{exponent % (1 << bits):0{bits}b}"
    return digits[::-1] if way.low_first else digits


async def take_all(
    dut: Any, bits: int, counts: list[int], way: Way
) -> tuple[list[str], list[list[int]]]:
    """The exponents' bits as they come out, and every address that was read."""
    await rewind(dut, bits, way)
    left, traces = bits, []
    values = ["", ""] if way.both else [""]
    while left:
        count = random.choice(counts)
        expected = min(count, left)
        parts, trace = await take(dut, count, expected, way)
        assert all(part < 1 << expected for part in parts)
        values = [v + f"{part:0{expected}b}" for v, part in zip(values, parts, strict=True)]
        left -= expected
        traces.append(trace)
    for count in counts:
        assert not any((await take(dut, count, 0, way))[0])
    return values, traces


def random_exponents(way: Way) -> list[int]:
    return [random.getrandbits(longest(way)) for _ in range(1 + way.both)]


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(counts=[[1], [2], [5], [6], [1, 2, 3, 4, 5, 6]])
async def every_bit_once(dut: Any, counts: list[int]) -> None:
    await start(dut)
    for way in ways():
        most = longest(way)
        lengths = {1, 2, 5, 6, 7, 31, 32, 33, 64, 65, most - 1, most}
        exponents = random_exponents(way)
        await write(dut, *exponents)
        for bits in sorted(bits for bits in lengths if bits <= most):
            for _ in range(2):  # a second time without writing it again
                values, _ = await take_all(dut, bits, counts, way)
                assert values == [string(e, bits, way) for e in exponents], way


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def appended(dut: Any) -> None:
    """Bits that join those taken before, as many as are left, none included."""
    await start(dut)
    for way in ways():
        bits = longest(way)
        exponents = random_exponents(way)
        await write(dut, *exponents)
        digits = [string(e, bits, way) for e in exponents]
        await rewind(dut, bits, way)
        position = 0
        while position < bits:
            size = 0
            for number in range(random.randint(1, 3)):
                count = random.randint(0, 6 - size)
                expected = min(count, bits - position - size)
                size += expected
                values, _ = await take(dut, count, expected, way, append=number > 0)
                assert list(values) == [
                    int(d[position : position + size] or "0", 2) for d in digits
                ]
            position += size


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def rewound_in_the_middle(dut: Any) -> None:
    await start(dut)
    for way in ways():
        bits = longest(way)
        exponents = random_exponents(way)
        await write(dut, *exponents)
        for _ in range(6):
            await rewind(dut, bits, way)
            agents.drive(dut, take_i=1, append_i=0, count_i=6)
            await RisingEdge(dut.clk_i)
            agents.drive(dut, take_i=0)
            await agents.cycles(dut, random.randrange(12 * 6 + 4))
            values, _ = await take_all(dut, bits, [5], way)
            assert values == [string(e, bits, way) for e in exponents]


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(count=[1, 5])
async def addresses_are_the_same_for_every_exponent(dut: Any, count: int) -> None:
    await start(dut)
    for way in ways():
        bits, seen = longest(way), []
        ones = (1 << bits) - 1
        for exponent in (0, 1, ones, random.getrandbits(bits)):
            await write(dut, *[exponent, ones ^ exponent][: 1 + way.both])
            random.seed(1)  # the same pauses
            seen.append((await take_all(dut, bits, [count], way))[1])
        assert all(trace == seen[0] for trace in seen)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def cleared(dut: Any) -> None:
    """A clear in the middle leaves no bit outside the memory, which the wipe writes over."""
    await start(dut)
    way = ways()[-1]
    bits = longest(way)
    await write(dut, *[(1 << bits) - 1] * (1 + way.both))
    for stop in range(12 * 6 + 4 if way.both else 6 * 6 + 3):
        await rewind(dut, bits, way)
        agents.drive(dut, take_i=1, append_i=0, count_i=6)
        await RisingEdge(dut.clk_i)
        agents.drive(dut, take_i=0)
        await agents.cycles(dut, stop)
        agents.drive(dut, clear_i=1)
        await agents.cycles(dut, 2)
        # few_q says that few bits are left: none
        left = {name for name in agents.not_zero(dut, "few_q") if "u_ram" not in name}
        assert not left
        agents.drive(dut, clear_i=0)
    values, _ = await take_all(dut, bits, [6], way)
    assert values == ["1" * bits] * (1 + way.both)
