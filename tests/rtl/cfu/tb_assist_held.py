# SPDX-License-Identifier: Apache-2.0
"""monpro_assist_held: steps of any count, the subtraction in the end, cycles."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge

import agents
from agents import assist as a

TOP = "monpro_assist_held"
PARAMETERS = ({},)
BITS = 128


async def instruction(dut: Any, op: int, x: int = 0, y: int = 0) -> tuple[int, int]:
    """The result, and the cycles."""
    agents.drive(dut, op_i=op, a_i=x, b_i=y, valid_i=1)
    cycles = 0
    while True:
        await FallingEdge(dut.clk_i)
        done, result = int(dut.done_o.value), int(dut.data_o.value)
        await RisingEdge(dut.clk_i)
        cycles += 1
        if done:
            break
    dut.valid_i.value = 0
    return result, cycles


async def put(dut: Any, op: int, value: int) -> None:
    low, mid, high, top = a.words(value)
    assert await instruction(dut, op, low, mid) == (0, 1)
    assert await instruction(dut, op + 1, high, top) == (0, 1)


async def get(dut: Any) -> int:
    return a.number([(await instruction(dut, a.READ + i))[0] for i in range(4)])


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def steps(dut: Any) -> None:
    """T after each group of steps, by Python; a longest modulus and a short one."""
    await agents.reset(dut, valid_i=0, op_i=0, a_i=0, b_i=0)
    for bits in (128, 128, 127, 40):
        m = random.getrandbits(bits) | 1 << bits - 1 | 1
        y = random.choice([random.randrange(m), m - 1])
        t = 0
        await put(dut, a.SET_M, m)
        await put(dut, a.SET_Y, y)
        await put(dut, a.SET_T, 0)
        for count in (1, 2, 31, 32, 32, 5, 25):
            x = random.getrandbits(32)
            assert await instruction(dut, a.STEP, x, count) == (0, count)
            for i in range(count):
                t = a.halved(t + (x >> i & 1) * y, m)
            assert t < 2 * m
            assert await get(dut) == t % (1 << BITS)
        assert (await instruction(dut, a.REDUCE))[1] == 1
        t -= m * (t >= m)
        assert await get(dut) == t
        await instruction(dut, a.REDUCE)
        assert await get(dut) == t


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def set_t_clears_the_bit_above(dut: Any) -> None:
    await agents.reset(dut, valid_i=0, op_i=0, a_i=0, b_i=0)
    m = (1 << BITS) - 1
    await put(dut, a.SET_M, m)
    await put(dut, a.SET_Y, m - 1)
    await put(dut, a.SET_T, 0)
    for _ in range(4):
        await instruction(dut, a.STEP, a.MASK, 32)
    assert int(dut.t_q.value) >> BITS == 1
    await put(dut, a.SET_T, 3)
    await instruction(dut, a.REDUCE)
    assert await get(dut) == 3
