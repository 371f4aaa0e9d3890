# SPDX-License-Identifier: Apache-2.0
"""monpro_halve_stage: a number and its modulus in, half of it modulo n out, two cycles later."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents
from monpro.hardware.models.montgomery import join, split

TOP = "monpro_halve_stage"
PARAMETERS = ({"WordBits": 36, "IndexBits": 7}, {"WordBits": 8, "IndexBits": 4})
LATENCY_CYCLES = 2


IDLE = {"clear_i": 0, "valid_i": 0, "first_i": 0, "last_i": 0, "index_i": 0, "a_i": 0, "n_i": 0}


async def halve(dut: Any, numbers: list[tuple[int, int]], words: int, gap: int) -> None:
    """Numbers with at most so many cycles between them; n must come out beside each, at the same
    time, with its place."""
    bits, index_bits = (agents.parameters()[name] for name in ("WordBits", "IndexBits"))
    sent: list[dict[str, int] | None] = []
    for a, n in numbers:
        a_words, n_words = split(a, words, bits), split(n, words, bits)
        sent += [
            {"first": i == 0, "last": i == words - 1, "index": i, "a": a_words[i], "n": n_words[i]}
            for i in range(words)
        ]
        sent += [None] * random.randint(0, gap)
    sent += [None] * (LATENCY_CYCLES + 1)
    found: list[int] = []
    for cycle, word in enumerate(sent):
        # between numbers anything but a valid word
        given = word or {
            "first": random.getrandbits(1), "last": random.getrandbits(1),
            "index": random.getrandbits(index_bits), "a": random.getrandbits(bits),
            "n": random.getrandbits(bits),
        }  # fmt: skip
        agents.drive(dut, valid_i=word is not None, **{f"{k}_i": v for k, v in given.items()})
        await RisingEdge(dut.clk_i)
        expected = sent[cycle - LATENCY_CYCLES] if cycle >= LATENCY_CYCLES else None
        assert int(dut.valid_o.value) == (expected is not None), f"cycle {cycle}"
        if expected:
            for name in ("first", "last", "index", "n"):
                assert int(dut[f"{name}_o"].value) == expected[name], f"{name}, cycle {cycle}"
            found.append(int(dut.a_o.value))
    halves = [join(found[at : at + words], bits) for at in range(0, len(found), words)]
    assert halves == [(a + n * (a & 1)) // 2 for a, n in numbers]


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(gap=[0, 3])
async def numbers(dut: Any, gap: int) -> None:
    """Even and odd ones, as large as fit, at every length, one after the other."""
    await agents.reset(dut, **IDLE)
    p = agents.parameters()
    for words in (1, 2, 3, 9, (1 << p["IndexBits"]) - 1):
        top = 1 << (p["WordBits"] * words)
        stream = []
        for n in (1, 3, top // 4 - 1, random.randrange(top // 4) | 1):
            # a + n fits
            some = [0, 1, n, n - 1, top - 1 - n, top - 2 - n]
            stream += [(a, n) for a in [*some, random.randrange(top - n), top - 1 - n]]
        random.shuffle(stream)
        await halve(dut, stream, words, gap)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def cleared(dut: Any) -> None:
    """Nothing is left of a number, and the next one is right."""
    await agents.reset(dut, **IDLE)
    ones = (1 << agents.parameters()["WordBits"]) - 1
    for stop in range(1, 6):
        for index in range(stop):
            agents.drive(dut, valid_i=1, first_i=index == 0, last_i=index == 4, index_i=index)
            agents.drive(dut, a_i=ones, n_i=ones)
            await RisingEdge(dut.clk_i)
        agents.drive(dut, clear_i=1)  # over a word that comes in
        await agents.cycles(dut, 2)
        assert not agents.not_zero(dut)
        agents.drive(dut, **IDLE)
        for _ in range(3):
            await RisingEdge(dut.clk_i)
            assert not int(dut.valid_o.value)
        await halve(dut, [(13, 7)], 3, 0)
