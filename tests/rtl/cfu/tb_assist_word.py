# SPDX-License-Identifier: Apache-2.0
"""monpro_assist_word: the paper's instruction; below 2^31 it halves modulo M."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import Timer

import agents
from agents.assist import MASK, halved

TOP = "monpro_assist_word"
PARAMETERS = ({},)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def as_drawn(dut: Any) -> None:
    edges = [0, 1, 2, MASK, MASK - 1, 1 << 31, (1 << 31) - 1]
    pairs = [(z, m) for z in edges for m in edges]
    pairs += [(random.getrandbits(32), random.getrandbits(32)) for _ in range(500)]
    for z, m in pairs:
        agents.drive(dut, z_i=z, m_i=m)
        await Timer(1, "ns")
        assert int(dut.z_o.value) == ((z + m & MASK) if z % 2 else z) >> 1


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def halves_modulo_m(dut: Any) -> None:
    for _ in range(500):
        m = random.getrandbits(31) | 1
        z = random.randrange(m)
        agents.drive(dut, z_i=z, m_i=m)
        await Timer(1, "ns")
        assert int(dut.z_o.value) == halved(z, m) == z * pow(2, -1, m) % m
