"""monpro_exponent: the bits, their cycles, and that addresses do not depend on them."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents
from monpro.models.montgomery import split

TOP = "monpro_exponent"
PARAMETERS = ({"MaxBits": 256}, {"MaxBits": 32})


async def start(dut: Any) -> int:
    await agents.reset(
        dut, clear_i=0, write_i=0, write_addr_i=0, write_data_i=0,
        rewind_i=0, bits_i=0, take_i=0, count_i=0,
    )  # fmt: skip
    return agents.parameters()["MaxBits"]


async def write(dut: Any, exponent: int, max_bits: int) -> None:
    for address, word in enumerate(split(exponent, -(-max_bits // 32), 32)):
        agents.drive(dut, write_i=1, write_addr_i=address, write_data_i=word)
        await RisingEdge(dut.clk_i)
    agents.drive(dut, write_i=0)


async def rewind(dut: Any, bits: int) -> None:
    agents.drive(dut, rewind_i=1, bits_i=bits)
    await RisingEdge(dut.clk_i)
    agents.drive(dut, rewind_i=0, bits_i=random.getrandbits(5))


async def take(dut: Any, count: int, expected: int) -> tuple[int, list[int]]:
    """Takes `expected` bits by asking for `count`; gives them and the addresses read."""
    agents.drive(dut, take_i=1, count_i=count)
    addresses = []
    for cycle in range(2 * expected + 3):
        await RisingEdge(dut.clk_i)
        agents.drive(dut, take_i=0, count_i=random.getrandbits(3))
        addresses.append(int(dut.u_ram.read_addr_i.value))
        if cycle:
            assert int(dut.taken_o.value) == (cycle == 2 * expected + 2), f"cycle {cycle}"
    for _ in range(random.randrange(4)):  # stays
        await RisingEdge(dut.clk_i)
        assert int(dut.taken_o.value) == 1
    assert int(dut.taken_count_o.value) == expected
    return int(dut.value_o.value), addresses


async def take_all(dut: Any, bits: int, counts: list[int]) -> tuple[int, list[list[int]]]:
    """The exponent as it comes out, and every address that was read."""
    await rewind(dut, bits)
    value, left, traces = 0, bits, []
    while left:
        count = random.choice(counts)
        expected = min(count, left)
        part, trace = await take(dut, count, expected)
        assert part < 1 << expected
        value, left = value << expected | part, left - expected
        traces.append(trace)
    for count in counts:
        assert (await take(dut, count, 0))[0] == 0
    return value, traces


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(counts=[[1], [2], [3], [4], [5], [6], [1, 2, 3, 4, 5, 6]])
async def every_bit_once(dut: Any, counts: list[int]) -> None:
    max_bits = await start(dut)
    lengths = {1, 2, 5, 6, 7, 31, 32, 33, 63, 64, 65, max_bits - 1, max_bits}
    for bits in sorted(bits for bits in lengths if bits <= max_bits):
        exponent = random.getrandbits(max_bits)
        await write(dut, exponent, max_bits)
        for _ in range(2):  # a second time without writing it again
            value, _ = await take_all(dut, bits, counts)
            assert value == exponent % (1 << bits)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def rewound_in_the_middle(dut: Any) -> None:
    max_bits = await start(dut)
    exponent = random.getrandbits(max_bits)
    await write(dut, exponent, max_bits)
    for _ in range(20):
        await rewind(dut, max_bits)
        agents.drive(dut, take_i=1, count_i=6)
        await RisingEdge(dut.clk_i)
        agents.drive(dut, take_i=0)
        await agents.cycles(dut, random.randrange(16))
        value, _ = await take_all(dut, max_bits, [5])
        assert value == exponent


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(count=[1, 5])
async def addresses_are_the_same_for_every_exponent(dut: Any, count: int) -> None:
    max_bits = await start(dut)
    seen = []
    for exponent in (0, 1, (1 << max_bits) - 1, random.getrandbits(max_bits)):
        await write(dut, exponent, max_bits)
        random.seed(1)  # the same pauses
        seen.append((await take_all(dut, max_bits, [count]))[1])
    assert all(trace == seen[0] for trace in seen)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def cleared(dut: Any) -> None:
    """A clear in the middle leaves no bit outside the memory, which the wipe writes over."""
    max_bits = await start(dut)
    await write(dut, (1 << max_bits) - 1, max_bits)
    for stop in range(12):
        await rewind(dut, max_bits)
        agents.drive(dut, take_i=1, count_i=6)
        await RisingEdge(dut.clk_i)
        agents.drive(dut, take_i=0)
        await agents.cycles(dut, stop)
        agents.drive(dut, clear_i=1)
        await agents.cycles(dut, 2)
        left = {name for name in agents.not_zero(dut) if "u_ram" not in name}
        assert not left
        agents.drive(dut, clear_i=0)
    value, _ = await take_all(dut, max_bits, [6])
    assert value == (1 << max_bits) - 1
