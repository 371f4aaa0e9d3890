# SPDX-License-Identifier: Apache-2.0
"""monpro_element: rows of a Montgomery product, at the times its head states."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents
from monpro.hardware.models import montgomery

TOP = "monpro_element"
PARAMETERS = (
    {"WordBits": 17},
    {"WordBits": 8},
    {"WordBits": 24, "DigitBits": 17},
    {"WordBits": 8, "DigitBits": 4},
)
SPACING_CYCLES = 6  # of the next element's inputs behind this one's


class Row:
    """A row's operands, and what it must give."""

    def __init__(self, word_bits: int, words: int, kind: str) -> None:
        digit_bits = agents.parameters().get("DigitBits", word_bits)
        top = (1 << digit_bits) - 1
        # N' such that M = B * N' - 1 leaves two bits free: then every t stays in its words
        scaled_bits = word_bits * (words - 1) - 2
        pick = {
            "random": lambda bits: random.getrandbits(bits),
            "ones": lambda bits: (1 << bits) - 1,
            "zero": lambda bits: 0,
        }[kind]
        self.word_bits, self.words = word_bits, words
        self.x = top if kind == "ones" else random.randint(0, top) if kind == "random" else 0
        scaled = pick(scaled_bits)
        self.y = pick(scaled_bits + digit_bits)
        self.t = pick(scaled_bits + digit_bits)
        u = self.t + self.x * self.y
        self.result = (u >> digit_bits) + (u & top) * scaled
        self.y_words, self.n_words, self.t_words = (
            montgomery.split(value, words, word_bits) for value in (self.y, scaled, self.t)
        )


async def run_rows(dut: Any, rows: list[Row], gaps: list[int]) -> list[list[int]]:
    """Runs rows that begin at even cycles with idle cycles between; gives each row's words."""
    begin, starts = 4, []
    for row, gap in zip(rows, gaps, strict=True):
        starts.append(begin)
        begin += 2 * row.words + 2 * gap
    drive: dict[int, dict[str, int]] = {}
    collect: dict[int, tuple[int, int]] = {}
    bus: dict[int, int] = {}
    loads = set()
    for number, (start, row) in enumerate(zip(starts, rows, strict=True)):
        drive.setdefault(start - 1, {}).update(load_i=1, x_i=row.x)
        loads.add(start - 1)
        for k in range(row.words):
            drive.setdefault(start + 2 * k, {})["bus_i"] = bus[start + 2 * k] = row.y_words[k]
            drive.setdefault(start + 5 + 2 * k, {})["bus_i"] = row.n_words[k]
            bus[start + 5 + 2 * k] = row.n_words[k]
            drive.setdefault(start + 4 + 2 * k, {})["t_i"] = row.t_words[k]
            collect[start + 10 + 2 * k] = (number, k)
    results = [[0] * row.words for row in rows]
    for cycle in range(begin + 20):
        now = drive.get(cycle, {})
        agents.drive(
            dut,
            odd_i=cycle % 2,
            even_i=1 - cycle % 2,
            load_i=now.get("load_i", 0),
            x_i=now.get("x_i", random.getrandbits(4)),  # of no meaning without load_i
            bus_i=now.get("bus_i", 0),
            t_i=now.get("t_i", 0) if cycle % 2 == 0 else random.getrandbits(4),  # of no meaning
        )
        await RisingEdge(dut.clk_i)
        # inputs set after the edge before this one were there in `cycle`
        assert agents.number(dut.load_o) == (cycle - SPACING_CYCLES in loads)
        assert agents.number(dut.bus_o) == bus.get(cycle - SPACING_CYCLES, 0)
        if cycle in collect:
            number, k = collect[cycle]
            results[number][k] = agents.number(dut.t_o)
    return results


async def start(dut: Any) -> int:
    agents.start_clock(dut)
    agents.drive(dut, clear_i=1, odd_i=0, even_i=0, load_i=0, x_i=0, bus_i=0, t_i=0)
    await agents.cycles(dut, 2)
    agents.drive(dut, clear_i=0)
    return agents.parameters()["WordBits"]


def check(rows: list[Row], results: list[list[int]]) -> None:
    for row, words in zip(rows, results, strict=True):
        assert montgomery.join(words, row.word_bits) == row.result


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(kind=["random", "ones", "zero"], gap=[0, 1, 7])
async def rows_in_a_row(dut: Any, kind: str, gap: int) -> None:
    """Rows of one length, without a gap or with one: no carry leaks from one into the next."""
    word_bits = await start(dut)
    for words in [7, 8, 31]:
        rows = [Row(word_bits, words, kind if i % 3 else "ones") for i in range(12)]
        check(rows, await run_rows(dut, rows, [gap] * len(rows)))


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def random_gaps_and_lengths(dut: Any) -> None:
    word_bits = await start(dut)
    for _ in range(10):
        rows = [Row(word_bits, random.randint(5, 20), "random") for _ in range(10)]
        check(rows, await run_rows(dut, rows, [random.randint(5, 9) for _ in rows]))


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def clear_zeroes_every_register(dut: Any) -> None:
    word_bits = await start(dut)
    rows = [Row(word_bits, 9, "ones") for _ in range(2)]
    runner = cocotb.start_soon(run_rows(dut, rows, [0, 0]))
    await agents.cycles(dut, 30)
    runner.cancel()
    assert agents.not_zero(dut)
    agents.drive(dut, clear_i=1, load_i=0, bus_i=0, t_i=0)
    await agents.cycles(dut, 2)
    assert not agents.not_zero(dut)
    agents.drive(dut, clear_i=0)
    rows = [Row(word_bits, 9, "random")]
    check(rows, await run_rows(dut, rows, [0]))
