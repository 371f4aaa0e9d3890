# SPDX-License-Identifier: Apache-2.0
"""monpro_index: the cycles in which each index is there, start over at any time, clear."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents

TOP = "monpro_index"
PARAMETERS = ({"IndexBits": 8},)


async def stream(dut: Any, words: int, stop_after: int | None = None) -> None:
    """Starts a stream and checks each of its cycles, or the first few of them."""
    agents.drive(dut, words_i=words)
    await RisingEdge(dut.clk_i)
    agents.drive(dut, start_i=1)
    await RisingEdge(dut.clk_i)
    agents.drive(dut, start_i=0)
    for cycle in range(2 * words if stop_after is None else stop_after):
        await RisingEdge(dut.clk_i)
        assert int(dut.valid_o.value) == (cycle % 2 == 0)
        assert int(dut.index_o.value) == cycle // 2 or cycle == 2 * words - 1
        assert int(dut.last_o.value) == (cycle == 2 * words - 2)
        assert int(dut.end_o.value) == (cycle >= 2 * words - 2)


async def silence(dut: Any) -> None:
    for _ in range(10):
        await RisingEdge(dut.clk_i)
        assert int(dut.valid_o.value) == 0
        assert int(dut.last_o.value) == 0
        assert int(dut.end_o.value) == 1


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def every_length(dut: Any) -> None:
    await agents.reset(dut, clear_i=0, start_i=0, words_i=1)
    await silence(dut)
    for words in [1, 2, 3, 17, 254, 255]:
        await stream(dut, words)
        await silence(dut)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def started_over(dut: Any) -> None:
    """A start in the middle of a stream begins at 0, in either of an index' two cycles."""
    await agents.reset(dut, clear_i=0, start_i=0, words_i=1)
    for _ in range(50):
        words = random.randint(2, 40)
        await stream(dut, words, stop_after=random.randrange(2 * words - 1))
    await stream(dut, 5)
    await silence(dut)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def cleared(dut: Any) -> None:
    await agents.reset(dut, clear_i=0, start_i=0, words_i=1)
    for stop_after in range(6):
        await stream(dut, 9, stop_after=stop_after)
        agents.drive(dut, clear_i=1)
        await RisingEdge(dut.clk_i)
        agents.drive(dut, clear_i=0)
        await silence(dut)
