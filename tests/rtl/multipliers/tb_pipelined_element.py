# SPDX-License-Identifier: Apache-2.0
"""monpro_pipelined_element: rows of a Montgomery product, at the times its head states."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents
from monpro.hardware.models import montgomery

TOP = "monpro_pipelined_element"
PARAMETERS = ({"WordBits": 36}, {"WordBits": 17}, {"WordBits": 8})
LOAD, Y, N, T, Q_IN, OUT = -6, -5, -4, 0, -2, 1  # by tau


def carry_bit(word_bits: int) -> int:
    """The place of the carry that a word of T has beside it."""
    return (word_bits + 4) // 2


class Row:
    """A row's operands, and what it must give: F = T + x * Y + q * N' * W."""

    def __init__(self, word_bits: int, words: int, kind: str) -> None:
        pick = {
            "random": lambda bits: random.getrandbits(bits),
            "ones": lambda bits: (1 << bits) - 1,
            "zero": lambda bits: 0,
        }[kind]
        self.word_bits, self.words, self.skip = word_bits, words, random.random() < 0.2
        self.x, self.q = pick(word_bits), pick(word_bits)
        # bits free at the top: then F is below W^(words + 1)
        y, t = pick(word_bits * words - 2), pick(word_bits * words - 3)
        self.t_carries = [pick(1) for _ in range(words - 1)] + [0]  # none beside the highest word
        scaled = pick(word_bits * (words - 1) - 2)
        self.f = t + (0 if self.skip else self.x) * y + (self.q * scaled << word_bits)
        for i, carry in enumerate(self.t_carries):
            self.f += carry << carry_bit(word_bits) + word_bits * i
        self.y_words, self.t_words = (montgomery.split(v, words, word_bits) for v in (y, t))
        self.n_words = montgomery.split(scaled, words - 1, word_bits)


async def run_rows(dut: Any, rows: list[Row], gaps: list[int]) -> list[int]:
    """Runs rows that begin at even cycles with idle slots between; gives each row's F."""
    begin, starts = 8, []
    for row, gap in zip(rows, gaps, strict=True):
        starts.append(begin)
        begin += 2 * row.words + 2 * gap
    drive: dict[int, dict[str, int]] = {}
    bus: dict[int, int] = {}
    q_words: dict[int, int] = {}
    t_words: dict[int, tuple[int, int]] = {}
    for number, (start, row) in enumerate(zip(starts, rows, strict=True)):
        drive.setdefault(start + LOAD, {}).update(load_i=1, zero_i=row.skip, x_i=row.x)
        drive.setdefault(start + Q_IN, {})["q_i"] = row.q
        for j in range(row.words):
            if j == 0:
                bus[start + N] = row.y_words[0]
            else:
                bus[start + Y + 2 * j] = row.y_words[j]
                bus[start + N + 2 * j] = row.n_words[j - 1]
            drive.setdefault(start + T + 2 * j, {}).update(
                t_i=row.t_words[j], t_carry_i=row.t_carries[j]
            )
            t_words[start + OUT + 2 * (j + 1)] = number, j
        q_words[start + OUT] = number
    word_bits = rows[0].word_bits
    results = [0] * len(rows)
    q_in, x_last = 0, 0
    for cycle in range(begin + 16):
        now = drive.get(cycle, {})
        q_in = now.get("q_i", q_in)
        x = now.get("x_i", random.getrandbits(8))  # of no meaning without load_i
        agents.drive(
            dut,
            phase_i=(cycle + 1) % 2,
            load_i=now.get("load_i", 0),
            zero_i=now.get("zero_i", random.getrandbits(1)),
            x_i=x,
            q_i=q_in,
            bus_i=bus.get(cycle, 0),
            t_i=now.get("t_i", 0),
            t_carry_i=now.get("t_carry_i", 0),
        )
        await RisingEdge(dut.clk_i)
        # inputs set after the edge before this one were there in `cycle`
        assert agents.number(dut.bus_o) == bus.get(cycle - 3, 0)
        if cycle > 0:
            assert agents.number(dut.x_o) == x_last
            assert agents.number(dut.phase_o) == cycle % 2
        x_last = x
        if cycle in q_words:
            results[q_words[cycle]] += agents.number(dut.q_o)
        if cycle in t_words:
            number, j = t_words[cycle]
            word = agents.number(dut.t_o)
            word += agents.number(dut.t_carry_o) << carry_bit(word_bits)
            results[number] += word << word_bits * (j + 1)
    return results


async def start(dut: Any) -> int:
    agents.start_clock(dut)
    agents.drive(
        dut, clear_i=1, phase_i=0, load_i=0, zero_i=0, x_i=0, q_i=0, bus_i=0, t_i=0, t_carry_i=0
    )  # fmt: skip
    await agents.cycles(dut, 2)
    agents.drive(dut, clear_i=0)
    return agents.parameters()["WordBits"]


def check(rows: list[Row], results: list[int]) -> None:
    assert results == [row.f for row in rows]


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(kind=["random", "ones", "zero"], gap=[0, 1, 7])
async def rows_in_a_row(dut: Any, kind: str, gap: int) -> None:
    """Rows of one length, without a gap or with one: no carry leaks from one into the next."""
    word_bits = await start(dut)
    for words in [3, 4, 31]:
        rows = [Row(word_bits, words, kind if i % 3 else "ones") for i in range(12)]
        check(rows, await run_rows(dut, rows, [gap] * len(rows)))


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def random_gaps_and_lengths(dut: Any) -> None:
    word_bits = await start(dut)
    for _ in range(10):
        rows = [Row(word_bits, random.randint(3, 20), "random") for _ in range(10)]
        check(rows, await run_rows(dut, rows, [random.randint(0, 4) for _ in rows]))


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def clear_zeroes_every_register(dut: Any) -> None:
    word_bits = await start(dut)
    rows = [Row(word_bits, 9, "ones") for _ in range(2)]
    runner = cocotb.start_soon(run_rows(dut, rows, [0, 0]))
    await agents.cycles(dut, 20)
    runner.cancel()
    assert agents.not_zero(dut)
    agents.drive(dut, clear_i=1, load_i=0, phase_i=0, x_i=0, bus_i=0, t_i=0, t_carry_i=0)
    await agents.cycles(dut, 2)
    assert not agents.not_zero(dut)
    agents.drive(dut, clear_i=0)
    rows = [Row(word_bits, 9, "random")]
    check(rows, await run_rows(dut, rows, [0]))
