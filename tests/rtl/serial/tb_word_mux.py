# SPDX-License-Identifier: Apache-2.0
"""monpro_word_mux: the word that is selected, two cycles later, or zero."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge

import agents

TOP = "monpro_word_mux"
PARAMETERS = ({"Width": 8, "Words": 2}, {"Width": 8, "Words": 13})


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def words(dut: Any) -> None:
    await agents.reset(dut, clear_i=1, select_i=0, words_i=0)
    p = agents.parameters()
    expected = [0, 0]
    for cycle in range(300):
        await FallingEdge(dut.clk_i)
        assert int(dut.word_o.value) == expected[cycle]
        values = [random.getrandbits(8) for _ in range(p["Words"])]
        chosen = random.randrange(p["Words"] + 1)
        expected.append(values[chosen] if chosen < p["Words"] else 0)
        together = sum(value << (8 * i) for i, value in enumerate(values))
        select = (1 << chosen) & ((1 << p["Words"]) - 1)
        agents.drive(dut, select_i=select, words_i=together)
    agents.drive(dut, clear_i=1)
    await agents.cycles(dut, 2)
    assert not agents.not_zero(dut)
