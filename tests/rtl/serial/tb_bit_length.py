# SPDX-License-Identifier: Apache-2.0
"""monpro_bit_length: the length of numbers that are written word by word."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents
from monpro.hardware.models.montgomery import split

TOP = "monpro_bit_length"
PARAMETERS = ({"IndexBits": 3},)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def lengths(dut: Any) -> None:
    """Every length, the number before longer or shorter; words above it are zero or not written."""
    await agents.reset(dut, clear_i=1, write_i=0, index_i=0, word_i=0)
    for bits in random.sample(range(257), 257):
        value = (random.getrandbits(bits) | 1 << (bits - 1)) if bits else 0
        words = split(value, random.randint(max(1, -(-bits // 32)), 8), 32)
        for index, word in enumerate(words):
            agents.drive(dut, write_i=1, index_i=index, word_i=word)
            await RisingEdge(dut.clk_i)
        agents.drive(dut, write_i=0, index_i=0, word_i=random.getrandbits(32))
        await agents.cycles(dut, 2)
        assert int(dut.bits_o.value) == bits
        assert int(dut.odd_o.value) == value & 1
    agents.drive(dut, clear_i=1)
    await agents.cycles(dut, 2)
    assert not agents.not_zero(dut)
