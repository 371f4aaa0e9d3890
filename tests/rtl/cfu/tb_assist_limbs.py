# SPDX-License-Identifier: Apache-2.0
"""monpro_assist_limbs: sums and halvings of one to five words, and what is left above them."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge

import agents
from agents import assist as a

TOP = "monpro_assist_limbs"
PARAMETERS = ({},)


async def instruction(dut: Any, op: int, x: int = 0, y: int = 0) -> int:
    """In one cycle; now and then one before it in which the same is there and not taken."""
    agents.drive(dut, op_i=op, a_i=x, b_i=y, valid_i=0)
    if random.random() < 0.2:
        await RisingEdge(dut.clk_i)
    dut.valid_i.value = 1
    await FallingEdge(dut.clk_i)
    result = int(dut.data_o.value)
    await RisingEdge(dut.clk_i)
    dut.valid_i.value = 0
    return result


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def sums_and_halvings(dut: Any) -> None:
    """T = (T + Y) or T, then halved: as in Python, one bit above the words included."""
    await agents.reset(dut, valid_i=0, op_i=0, a_i=0, b_i=0)
    for size in (1, 2, 4, 5) * 5:
        full = 1 << 32 * size
        m = random.randrange(full) | 1 | full >> 1
        m_words = a.words(m, size)
        await instruction(dut, a.CLEAR)
        t = random.randrange(m)
        for _ in range(30):
            low = a.words(t, size)
            if random.random() < 0.5:
                y = random.choice([random.randrange(m), m - 1])
                ops = [a.ADD_FIRST, *[a.ADD_NEXT] * (size - 1)]
                each = zip(ops, low, a.words(y, size), strict=True)
                low = [await instruction(dut, *one) for one in each]
                t += y
                assert a.number(low) == t % full
            assert await instruction(dut, a.HALVE_FIRST, low[0], m_words[0]) == 0
            pairs = list(zip(low, m_words, strict=True))[1:]
            found = [await instruction(dut, a.HALVE_NEXT, *pair) for pair in pairs]
            found.append(await instruction(dut, a.HALVE_LAST))
            t = a.halved(t, m)
            assert t < 2 * m
            assert [*found, await instruction(dut, a.TOP)] == a.words(t, size + 1)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def clear_forgets(dut: Any) -> None:
    await agents.reset(dut, valid_i=0, op_i=0, a_i=0, b_i=0)
    for last in (a.TOP, a.HALVE_LAST):
        await instruction(dut, a.ADD_FIRST, a.MASK, a.MASK)  # a carry
        await instruction(dut, a.CLEAR)
        await instruction(dut, a.HALVE_FIRST, 0, 1)
        assert await instruction(dut, last) == 0
