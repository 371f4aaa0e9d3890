"""docs/array-schedule.md: its figures are those of the model, and account for every cycle."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from monpro.models.montgomery import Array, modulus_words, operand_words

PAGE = Path(__file__).resolve().parents[2] / "docs" / "array-schedule.md"
BITS = (512, 1024, 1536, 2048, 3072, 4096)
DESIGNS = {"tiny": (17, 1, 0), "small": (17, 16, 0), "fast": (36, 32, 1)}


def array(design: str, bits: int) -> Array:
    word_bits, elements, delay = DESIGNS[design]
    return Array(word_bits, elements, operand_words(bits, word_bits, delay), delay)


def bound(words: int) -> int:
    return 2 * words * words + words


def row(first: str) -> list[str]:
    """The cells behind the first one of the only table row that begins with it."""
    lines = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith(f"| {first}")]
    assert len(lines) == 1, f"{first}: {len(lines)} rows"
    return [cell.strip() for cell in lines[0].strip("|").split("|")][1:]


def fraction(share: float) -> str:
    return f"{100 * share:.1f} %"


@pytest.mark.parametrize("bits", BITS)
def test_cycles_of_each_length(bits: int) -> None:
    cells = []
    for design in DESIGNS:
        unit = array(design, bits)
        work = bound(modulus_words(bits, unit.word_bits))
        if design == "fast":
            cycles = unit.pair_interval_cycles
            cells.append(f"{cycles} ({fraction(2 * work / cycles / unit.elements)})")
        cycles = unit.interval_cycles
        cells.append(f"{cycles} ({fraction(work / cycles / unit.elements)})")
    assert row(f"{bits} ") == cells


@pytest.mark.parametrize(
    ("column", "design", "bits"), [(0, "small", 1024), (1, "fast", 1024), (2, "fast", 2048)]
)
def test_every_cycle_is_accounted_for(column: int, design: str, bits: int) -> None:
    unit = array(design, bits)
    n, s, rows = modulus_words(bits, unit.word_bits), unit.words, unit.rows
    pair = unit.delay == 1
    period = unit.pair_period_cycles // 2 if pair else unit.period_cycles
    account = {
        "products of n x n": 2 * n * n,
        "words n to s": n * (s - n),
        "slots of N'": n * (s - n),
        "rows n to s": 2 * s * (s - n),
        "the row that uses": 2 * s * unit.delay,
        "rows without a digit": 2 * s * (rows - s - unit.delay),
        "waiting": (period - 2 * s) * rows,
    }
    assert row("n, s, rows")[column] == f"{n}, {s}, {rows}"
    for first, cycles in account.items():
        assert row(first)[column] == str(cycles), first
    total = period * unit.passes * unit.elements
    assert sum(account.values()) == total
    assert row("all ")[column] == str(total)
    assert row("bound, 2n")[column] == str(bound(n))
    assert row("fraction ")[column] == fraction(bound(n) / total)


def test_the_heads_of_the_modules_say_the_same() -> None:
    """Times of the page's cycle table, in the model's terms."""
    text = PAGE.read_text("utf-8")
    for design, first, spacing in (("small", 7, 6), ("fast", 9, 3)):
        unit = array(design, 1024)
        assert re.search(rf"\| {spacing}P \+ {first} \+ 2j", text)
        last = spacing * unit.elements + first + 2 * (unit.words - 1)
        assert unit.latency_cycles == (unit.passes - 1) * unit.period_cycles + last
