# SPDX-License-Identifier: Apache-2.0
"""monpro_rows: rows and elements of every length against the model, when its head says."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents
from monpro.hardware.models.montgomery import Array

TOP = "monpro_rows"
PARAMETERS = (
    {"WordBits": 17, "Elements": 16, "Delay": 0, "RowBits": 13},
    {"WordBits": 36, "Elements": 32, "Delay": 1, "RowBits": 13},
    {"WordBits": 17, "Elements": 1, "Delay": 0, "RowBits": 9},
    {"WordBits": 8, "Elements": 3, "Delay": 1, "RowBits": 8},
    {"WordBits": 24, "DigitBits": 17, "Elements": 13, "Delay": 0, "RowBits": 9},
    {"WordBits": 17, "DigitBits": 9, "Elements": 16, "Delay": 0, "RowBits": 8},
    {"WordBits": 24, "DigitBits": 17, "Elements": 1, "Delay": 0, "RowBits": 9},
)


def longest() -> int:
    """Words for which RowBits are enough, by row_bits: as few bits as a core has them."""
    p = agents.parameters()
    narrow = p.get("DigitBits", p["WordBits"]) != p["WordBits"]
    return min(130, (1 << p["RowBits"] - 1 - narrow) - 1)


def array_of(words: int) -> Array:
    p = agents.parameters()
    return Array(p["WordBits"], p["Elements"], words, p["Delay"], p.get("DigitBits", 0))


async def check(dut: Any, words: int) -> None:
    """words_i may change with restart_i and the cycle after it; what it was before has no say."""
    array = array_of(words)
    agents.drive(dut, restart_i=1, words_i=random.randint(3, 60))
    await RisingEdge(dut.clk_i)
    agents.drive(dut, restart_i=0, words_i=random.randint(3, 60))
    await RisingEdge(dut.clk_i)
    dut.words_i.value = words
    cycles = 1
    while cycles == 1 or not agents.number(dut.settled_o):
        await RisingEdge(dut.clk_i)
        cycles += 1
        assert cycles < 600, array
    assert cycles == array.settle_cycles, array
    got = agents.number(dut.rows_o), agents.number(dut.elements_o)
    assert got == (array.rows, array.used_elements), array


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def every_length(dut: Any) -> None:
    await agents.reset(dut, restart_i=0, words_i=3)
    lengths = list(range(3, longest() + 1))
    random.shuffle(lengths)
    for words in lengths:
        await check(dut, words)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def they_stay(dut: Any) -> None:
    await agents.reset(dut, restart_i=0, words_i=3)
    for words in random.sample(range(3, longest() + 1), 20):
        await check(dut, words)
        array = array_of(words)
        for _ in range(30):
            await RisingEdge(dut.clk_i)
            assert agents.number(dut.settled_o) == 1
            assert agents.number(dut.rows_o) == array.rows
            assert agents.number(dut.elements_o) == array.used_elements


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def from_reset(dut: Any) -> None:
    """Without a restart: of what is there in the end of the reset."""
    await agents.reset(dut, restart_i=0, words_i=40)
    await agents.cycles(dut, array_of(40).settle_cycles + 4)
    array = array_of(40)
    assert agents.number(dut.settled_o) == 1
    assert agents.number(dut.rows_o) == array.rows
    assert agents.number(dut.elements_o) == array.used_elements
