# SPDX-License-Identifier: Apache-2.0
"""monpro_assist: the port to the processor, and whole products by the instructions of each form."""

from __future__ import annotations

import json
import os
import random
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents
from agents import assist as a
from agents.assist import HELD, IDLE, LIMBS, MASK, WORD, Unit

TOP = "monpro_assist"
PARAMETERS = ({"Forms": 3}, {"Forms": 1})
BITS = 128
# Read when the bench runs; not there when it is only listed.
FORMS = int(json.loads(os.environ.get("MONPRO_PARAMETERS", "{}")).get("Forms", 3))


def operands() -> tuple[int, int, int]:
    m = random.getrandbits(BITS) | 1 << BITS - 1 | 1
    return m, random.randrange(m), random.randrange(m)


async def _start(dut: Any, *, stalls: bool) -> Unit:
    await agents.reset(dut, **IDLE)
    return Unit(dut, stalls=stalls)


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(stalls=[False, True])
async def as_drawn(dut: Any, stalls: bool) -> None:
    unit = await _start(dut, stalls=stalls)
    for _ in range(200):
        z, m = random.getrandbits(32), random.getrandbits(32)
        right = ((z + m & MASK) if z % 2 else z) >> 1
        result, cycles = await unit(WORD, 0, z, m)
        assert result == right
        assert stalls or cycles == 1


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def one_a_cycle(dut: Any) -> None:
    """Instructions that follow each other, results that are taken at once."""
    await _start(dut, stalls=False)
    last = None
    for _ in range(100):
        z, m = random.getrandbits(32), random.getrandbits(31)
        agents.drive(dut, cmd_valid_i=1, cmd_function_i=WORD, cmd_a_i=z, cmd_b_i=m)
        await RisingEdge(dut.clk_i)
        assert int(dut.cmd_ready_o.value) == 1
        assert int(dut.rsp_valid_o.value) == (last is not None)
        if last is not None:
            assert int(dut.rsp_data_o.value) == last
        last = ((z + m & MASK) if z % 2 else z) >> 1


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def what_is_not_there(dut: Any) -> None:
    """An answer, 0, to each instruction that this unit has not."""
    unit = await _start(dut, stalls=False)
    unknown = [(form, op) for form in range(FORMS, 8) for op in range(16)]
    unknown += [(WORD, 1), (HELD, 127), (LIMBS, 127)]
    for form, op in unknown:
        assert await unit(form, op, random.getrandbits(32), random.getrandbits(32)) == (0, 1)


@cocotb.test(timeout_time=5, timeout_unit="ms", skip=FORMS < 2)
@cocotb.parametrize(stalls=[False, True])
async def products_by_words(dut: Any, stalls: bool) -> None:
    unit = await _start(dut, stalls=stalls)
    for _ in range(3):
        m, x, y = operands()
        m_words, y_words, t = a.words(m), a.words(y), [0] * 4
        await unit(LIMBS, a.CLEAR)
        for i in range(BITS):
            if x >> i & 1:
                ops = [a.ADD_FIRST, *[a.ADD_NEXT] * 3]
                t = [(await unit(LIMBS, *each))[0] for each in zip(ops, t, y_words, strict=True)]
            await unit(LIMBS, a.HALVE_FIRST, t[0], m_words[0])
            pairs = list(zip(t, m_words, strict=True))[1:]
            t = [(await unit(LIMBS, a.HALVE_NEXT, *pair))[0] for pair in pairs]
            t.append((await unit(LIMBS, a.HALVE_LAST))[0])
        top, _ = await unit(LIMBS, a.TOP)
        found = a.number([*t, top])
        assert found < 2 * m
        assert found % m == x * y * pow(2, -BITS, m) % m


@cocotb.test(timeout_time=5, timeout_unit="ms", skip=FORMS < 3)
@cocotb.parametrize(stalls=[False, True])
async def products_inside(dut: Any, stalls: bool) -> None:
    unit = await _start(dut, stalls=stalls)
    for _ in range(10):
        m, x, y = operands()
        for op, value in ((a.SET_M, m), (a.SET_Y, y), (a.SET_T, 0)):
            low, mid, high, top = a.words(value)
            await unit(HELD, op, low, mid)
            await unit(HELD, op + 1, high, top)
        todo = BITS
        while todo:
            steps = min(todo, random.choice([1, 7, 32]))
            _, cycles = await unit(HELD, a.STEP, x >> BITS - todo & MASK, steps)
            assert stalls or cycles == steps
            todo -= steps
        await unit(HELD, a.REDUCE)
        found = a.number([(await unit(HELD, a.READ + i))[0] for i in range(4)])
        assert found == x * y * pow(2, -BITS, m) % m
        for _ in range(4):
            await unit(HELD, a.STEP, 0, 32)
        one = a.number([(await unit(HELD, a.READ + i))[0] for i in range(4)])
        assert one == found * pow(2, -BITS, m) % m
