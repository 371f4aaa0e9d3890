"""monpro_halve_stage: a number and its modulus in, half of it modulo n out, two cycles later."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents
from monpro.models.montgomery import join, split

TOP = "monpro_halve_stage"
PARAMETERS = ({"WordBits": 36, "IndexBits": 7}, {"WordBits": 8, "IndexBits": 4})
LATENCY_CYCLES = 2


async def halve(dut: Any, a: int, n: int, words: int) -> None:
    """One number; n must come out beside it, at the same time."""
    bits = agents.parameters()["WordBits"]
    a_words, n_words = split(a, words, bits), split(n, words, bits)
    found: list[int] = []
    for cycle in range(words + LATENCY_CYCLES + random.randint(1, 3)):
        valid = cycle < words
        agents.drive(
            dut, valid_i=valid, index_i=cycle if valid else 0,
            a_i=a_words[cycle] if valid else random.getrandbits(bits),
            n_i=n_words[cycle] if valid else random.getrandbits(bits),
        )  # fmt: skip
        await RisingEdge(dut.clk_i)
        at = cycle - LATENCY_CYCLES
        assert int(dut.valid_o.value) == (0 <= at < words), f"cycle {cycle}"
        if 0 <= at < words:
            assert int(dut.index_o.value) == at
            assert int(dut.n_o.value) == n_words[at]
            found.append(int(dut.a_o.value))
    assert join(found, bits) == (a + n * (a & 1)) // 2


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def numbers(dut: Any) -> None:
    """Even and odd ones, as large as fit, at every length."""
    await agents.reset(dut, clear_i=0, valid_i=0, index_i=0, a_i=0, n_i=0)
    p = agents.parameters()
    for words in (1, 2, 3, 9, (1 << p["IndexBits"]) - 1):
        top = 1 << (p["WordBits"] * words)
        for n in (1, 3, top // 4 - 1, random.randrange(top // 4) | 1):
            # a + n fits
            for a in (0, 1, n, n - 1, top - 1 - n, top - 2 - n, random.randrange(top - n)):
                await halve(dut, a, n, words)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def cleared(dut: Any) -> None:
    """Nothing is left of a number, and the next one is right."""
    await agents.reset(dut, clear_i=0, valid_i=0, index_i=0, a_i=0, n_i=0)
    ones = (1 << agents.parameters()["WordBits"]) - 1
    for stop in range(1, 6):
        for index in range(stop):
            agents.drive(dut, valid_i=1, index_i=index, a_i=ones, n_i=ones)
            await RisingEdge(dut.clk_i)
        agents.drive(dut, clear_i=1, valid_i=0)
        await agents.cycles(dut, 2)
        assert not agents.not_zero(dut)
        agents.drive(dut, clear_i=0, a_i=0, n_i=0)
        await agents.cycles(dut, 3)
        await halve(dut, 12, 7, 3)
