"""Breaks what the RTL asserts, on purpose: see test_assertions. The environment says what to break.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import os
from typing import Any

import cocotb
from cocotb.handle import Immediate
from cocotb.triggers import FallingEdge, RisingEdge

import agents
import tb_core
from agents.whole_numbers import STATES
from monpro.hardware.regs import Scheme


async def for_a_cycle(dut: Any, **registers: int) -> None:
    """Registers hold these at a clock edge, whatever the logic says."""
    await FallingEdge(dut.clk_i)
    for register, value in registers.items():
        getattr(dut, register).value = Immediate(value)
    await RisingEdge(dut.clk_i)
    await agents.cycles(dut, 4)


async def quiet(dut: Any, **inputs: int) -> None:
    """After a reset, with every input at zero but for these."""
    idle = {item._name: 0 for item in dut if item._name.endswith("_i")}
    idle |= {item._name: 0 for item in dut if item._name.startswith(("s_ax", "m_ax"))}
    await agents.reset(dut, **{n: v for n, v in (idle | inputs).items() if n != "clk_i"})
    await agents.cycles(dut, 4)


async def two_steps(dut: Any) -> None:
    await quiet(dut)
    await for_a_cycle(dut, state_q=0b11)


async def no_step(dut: Any) -> None:
    await quiet(dut)
    await for_a_cycle(dut, state_q=0)


async def dropped_product(dut: Any) -> None:
    idle = 1 << STATES.index("StIdle")
    for port in (dut.state_i, dut.after_i):
        port.value = Immediate(idle)
    await quiet(dut, state_i=idle, after_i=idle)
    await for_a_cycle(dut, mul_valid_q=1)


async def dropped_write_answer(dut: Any) -> None:
    await quiet(dut)
    await for_a_cycle(dut, bvalid_q=1)
    await for_a_cycle(dut, bvalid_q=0)


async def dropped_read_answer(dut: Any) -> None:
    await quiet(dut)
    await for_a_cycle(dut, rvalid_q=1)
    await for_a_cycle(dut, rvalid_q=0)


async def dropped_word(dut: Any) -> None:
    await quiet(dut)
    await for_a_cycle(dut, answer_valid_q=1)
    await for_a_cycle(dut, answer_valid_q=0)


async def operate(dut: Any, **inputs: int) -> None:
    """An operation, in which these inputs come that may not."""
    unit = await tb_core.core(dut)
    await unit.load((1 << 61) + 15, 5, 3)
    await unit.start(4, Scheme.FIXED_WINDOW, 2, False)
    agents.drive(dut, **inputs)
    await agents.cycles(dut, 2000)


async def two_writers(dut: Any) -> None:
    """Both write a zero to word 0, so that nothing but the two of them can be seen."""
    await tb_core.core(dut)
    await FallingEdge(dut.clk_i)
    dut.u_alu.valid_q.value = Immediate(1 << 4)
    agents.drive(dut, load_base_i=1, load_index_i=0, load_data_i=0)
    await agents.cycles(dut, 4)


async def two_words(dut: Any) -> None:
    await operate(dut, load_data_i=1)


async def two_readers(dut: Any) -> None:
    await tb_core.core(dut)
    await FallingEdge(dut.clk_i)
    dut.u_multiplier.g_array.u_multiplier.u_y_index.index_q.value = Immediate(1)
    await for_a_cycle(dut, result_index_q=1)


async def two_operands(dut: Any) -> None:
    await quiet(dut)
    await for_a_cycle(dut.u_operand_port, load_base_o=1, load_modulus_o=1)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def violation(dut: Any) -> None:
    await globals()[os.environ["MONPRO_VIOLATION"]](dut)
