# SPDX-License-Identifier: Apache-2.0
"""monpro_taps: the word of the tap, Stages cycles later; the other words may be anything."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents

TOP = "monpro_taps"
PARAMETERS = (
    {"Width": 17, "Taps": 8, "Stages": 1},
    {"Width": 5, "Taps": 22, "Stages": 2},
    {"Width": 8, "Taps": 3, "Stages": 2},
    {"Width": 8, "Taps": 1, "Stages": 1},
)


def _word(bits: int) -> int:
    return random.choice([0, (1 << bits) - 1, random.getrandbits(bits)])


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def every_tap(dut: Any) -> None:
    p = agents.parameters()
    width, stages = p["Width"], p["Stages"]
    await agents.reset(dut, clear_i=0, tap_i=0, words_i=0)
    for tap in random.sample(range(p["Taps"]), k=p["Taps"]):
        agents.drive(dut, tap_i=tap)
        await agents.cycles(dut, 1 + stages)
        expected: list[int] = []
        for _ in range(8):
            words = [_word(width) for _ in range(p["Taps"])]
            agents.drive(dut, words_i=sum(w << i * width for i, w in enumerate(words)))
            await RisingEdge(dut.clk_i)
            if len(expected) >= stages:
                assert agents.number(dut.word_o) == expected[-stages]
            expected.append(words[tap])


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def cleared(dut: Any) -> None:
    p = agents.parameters()
    ones = (1 << p["Width"] * p["Taps"]) - 1
    await agents.reset(dut, clear_i=0, tap_i=p["Taps"] - 1, words_i=ones)
    await agents.cycles(dut, 4)
    assert agents.number(dut.word_o) == (1 << p["Width"]) - 1
    agents.drive(dut, clear_i=1)
    await agents.cycles(dut, 2)
    assert not agents.not_zero(dut)
