"""monpro_lengths: words, digits and doublings of every length, against the model.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents
from monpro.hardware.models.montgomery import Array

TOP = "monpro_lengths"
PARAMETERS = (
    {"WordBits": 17, "Elements": 16, "IndexBits": 8, "RowBits": 9, "DoublingBits": 5,
     "Doublings": 3},
    {"WordBits": 8, "Elements": 3, "Delay": 1, "Crt": 1, "IndexBits": 6, "RowBits": 7,
     "DoublingBits": 3, "Doublings": 2},
    {"WordBits": 24, "DigitBits": 17, "Elements": 13, "IndexBits": 6, "RowBits": 8,
     "DoublingBits": 15},
)  # fmt: skip


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def every_length(dut: Any) -> None:
    p = agents.parameters()
    delay, narrow = p.get("Delay", 0), "DigitBits" in p
    await agents.reset(dut, length_i=3, wide_i=0, restart_i=0)
    longest = (1 << p["IndexBits"]) - 2 - delay - p["Elements"] * delay
    lengths = list(range(3, longest))
    random.shuffle(lengths)
    for length in lengths:
        wide = bool(p.get("Crt")) and 2 * length < longest and random.random() < 0.5
        agents.drive(dut, length_i=length, wide_i=wide, restart_i=1)
        await RisingEdge(dut.clk_i)
        dut.restart_i.value = 0
        await agents.cycles(dut, 3)
        while not agents.number(dut.settled_o):
            await RisingEdge(dut.clk_i)
        await agents.cycles(dut, 3)
        words = length + 1 + delay
        row_words = 2 * length if wide else words
        array = Array(p["WordBits"], p["Elements"], row_words, delay, p.get("DigitBits", 0))
        assert agents.number(dut.operand_words_o) == words
        assert agents.number(dut.rows_o) == array.rows
        assert agents.number(dut.elements_o) == array.used_elements
        digits = (array.rows - delay) % (1 << p["IndexBits"])
        assert agents.number(dut.digits_o) == digits
        assert agents.number(dut.words_o) == (digits if wide else words)
        if narrow:
            wanted = p["DigitBits"] * array.rows - p["WordBits"] * (words - 2)
            assert agents.number(dut.doublings_o) == wanted + p["DigitBits"] + 1
        elif not wide:
            assert agents.number(dut.doublings_o) == array.rows - words + p["Doublings"]
