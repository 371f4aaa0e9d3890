# SPDX-License-Identifier: Apache-2.0
"""The custom function unit of `assist`, as a processor sees it, and what it has to answer."""

from __future__ import annotations

import random
from typing import Any

from cocotb.triggers import RisingEdge

MASK = (1 << 32) - 1
WORD, LIMBS, HELD = range(3)  # funct3
ADD_FIRST, ADD_NEXT, HALVE_FIRST, HALVE_NEXT, HALVE_LAST, CLEAR, TOP = range(7)
SET_M, SET_M_HIGH, SET_Y, SET_Y_HIGH, SET_T, SET_T_HIGH, STEP, REDUCE, READ = range(9)
IDLE = {"cmd_valid_i": 0, "cmd_function_i": 0, "cmd_a_i": 0, "cmd_b_i": 0, "rsp_ready_i": 1}


def words(value: int, count: int = 4) -> list[int]:
    return [value >> 32 * i & MASK for i in range(count)]


def number(parts: list[int]) -> int:
    return sum(part << 32 * i for i, part in enumerate(parts))


def halved(t: int, m: int) -> int:
    return (t + m) // 2 if t % 2 else t // 2


class Unit:
    """Instructions over the port; the response waits now and then if `stalls`."""

    def __init__(self, dut: Any, *, stalls: bool) -> None:
        self.dut, self.stalls = dut, stalls

    async def __call__(self, form: int, op: int, a: int = 0, b: int = 0) -> tuple[int, int]:
        """The result, and in how many cycles the instruction was taken."""
        dut, cycles = self.dut, 0
        dut.cmd_valid_i.value, dut.cmd_function_i.value = 1, op << 3 | form
        dut.cmd_a_i.value, dut.cmd_b_i.value = a, b
        while True:
            dut.rsp_ready_i.value = int(not self.stalls or random.random() < 0.5)
            await RisingEdge(dut.clk_i)
            cycles += 1
            if int(dut.cmd_ready_o.value):
                break
        dut.cmd_valid_i.value = 0
        dut.rsp_ready_i.value = 0
        await RisingEdge(dut.clk_i)
        assert int(dut.rsp_valid_o.value) == 1
        result = int(dut.rsp_data_o.value)
        for _ in range(random.randrange(3) if self.stalls else 0):
            await RisingEdge(dut.clk_i)
            assert (int(dut.rsp_valid_o.value), int(dut.rsp_data_o.value)) == (1, result)
        dut.rsp_ready_i.value = 1
        return result, cycles
