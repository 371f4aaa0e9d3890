"""docs/array-schedule.md: its figures are those of the model, and account for every cycle."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from monpro import designs
from monpro.models.coprocessor import Coprocessor
from monpro.models.montgomery import Array, modulus_words, operand_words
from monpro.regs import Scheme

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


def test_a_larger_design_is_never_slower() -> None:
    for bits in range(min(BITS), max(BITS) + 1):
        cycles = [array(design, bits).interval_cycles for design in DESIGNS]
        assert cycles == sorted(cycles, reverse=True), bits


def slower_spans(design: str, interval: str = "interval_cycles") -> list[list[int]]:
    """First and last length, fewest and most elements that beat the design's, cycles of the best.

    One entry for each run of lengths at which fewer elements are faster.
    """
    spans: list[list[int]] = []
    for bits in range(min(BITS), max(BITS) + 1):
        unit = array(design, bits)
        cycles, elements = min(
            (getattr(replace(unit, elements=fewer), interval), fewer)
            for fewer in range(1, unit.elements)
        )
        if cycles >= getattr(unit, interval):
            continue
        if not spans or spans[-1][1] != bits - 1:
            spans.append([bits, bits, elements, elements, cycles, cycles])
        first, _, fewest, most, low, high = spans[-1]
        spans[-1] = [
            first, bits, min(fewest, elements), max(most, elements),
            min(low, cycles), max(high, cycles),
        ]  # fmt: skip
    return spans


def test_where_fewer_elements_are_faster() -> None:
    """The page names every such length, and by how many cycles."""
    text = PAGE.read_text("utf-8")
    paragraph = text[text.index("\nAt every length") :].split("\n\n")[0]
    said = [int(n) for n in re.findall(r"\d+", paragraph[paragraph.index("From ") :])]
    (a, b), (c, d) = slower_spans("small"), slower_spans("fast")
    slow = [array("small", span[0]).interval_cycles for span in (a, b)]
    fast = [array("fast", span[0]).interval_cycles for span in (c, d)]
    [pair] = slower_spans("fast", "pair_interval_cycles")
    assert b[2] == b[3]
    assert said == [
        *a, 16, slow[0], b[0], b[1], b[2], b[4], b[5], slow[1],
        min(c[2], d[2]), max(c[3], d[3]), 36, min(c[4], d[4]), max(c[5], d[5]),
        c[0], c[1], d[0], d[1], 32, *fast,
        *pair, array("fast", pair[0]).pair_interval_cycles,
    ]  # fmt: skip


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


@pytest.mark.parametrize(("column", "blocks", "bits"), [(0, 1, 1024), (1, 13, 1024), (2, 13, 2048)])
def test_every_cycle_of_narrow_digits_is_accounted_for(column: int, blocks: int, bits: int) -> None:
    unit = Array(24, blocks, operand_words(bits, 24), digit_bits=17)
    n, s, r = modulus_words(bits, 24), unit.words, modulus_words(bits, 17)
    assert row("n, s words")[column] == f"{n}, {s}; {r}, {unit.digits}; {unit.rows}"
    account = {
        "x·y and q·N'": 2 * n * r,
        "word n of y": (s - n) * r,
        "the slot of N'": (s - n) * r,
        "digits r to": 2 * s * (unit.digits - r),
        "rounding to": 2 * s * (unit.rows - unit.digits),
        "a period above": (unit.period_cycles - 2 * s) * unit.rows,
    }
    for first, cycles in account.items():
        assert row(first)[column] == str(cycles), first
    total, least = unit.interval_cycles * blocks, 2 * n * r + r
    assert sum(account.values()) == total
    assert row("sum ")[column] == str(total)
    assert row("least, ")[column] == str(least)
    assert row("share of it")[column] == fraction(least / total)


@pytest.mark.parametrize("blocks", [1, 13, 14, 16])
def test_exponentiations_with_narrow_digits(blocks: int) -> None:
    name = "tiny" if blocks == 1 else f"small,elements={blocks}"
    design = designs.parse(f"{name},word_bits=24,digit_bits=17")
    model = design.model()
    assert isinstance(model, Coprocessor)
    cells = []
    for bits in (1024, 2048):
        cycles = min(
            model.modexp(Scheme.FIXED_WINDOW, bits, bits, window, warm=False).cycles
            for window in range(1, 7)
            if model.window_fits(bits, window)
        )
        cells += [str(cycles), f"{cycles * design.multipliers / 1e6:.2f}"]
    assert row({1: "one", 13: "thirteen", 14: "fourteen", 16: "sixteen"}[blocks]) == cells


def test_the_heads_of_the_modules_say_the_same() -> None:
    """Times of the page's cycle table, in the model's terms."""
    text = PAGE.read_text("utf-8")
    for design, first, spacing in (("small", 8, 6), ("fast", 9, 3)):
        unit = array(design, 1024)
        assert re.search(rf"\| {spacing}P \+ {first} \+ 2j", text)
        last = spacing * unit.elements + first + 2 * (unit.words - 1)
        assert unit.latency_cycles == (unit.passes - 1) * unit.period_cycles + last
