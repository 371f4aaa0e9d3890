# SPDX-License-Identifier: Apache-2.0
"""docs/array-schedule.md: its figures are those of the model, and account for every cycle."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest

from monpro.hardware import designs
from monpro.hardware.models.coprocessor import Coprocessor
from monpro.hardware.models.montgomery import Array, Modulus, modulus_words, operand_words
from monpro.hardware.regs import Scheme

PAGE = Path(__file__).resolve().parents[3] / "docs" / "array-schedule.md"
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
    for bits in range(min(designs.get(design).min_bits for design in DESIGNS), max(BITS) + 1):
        able = [design for design in DESIGNS if designs.get(design).min_bits <= bits]
        cycles = [array(design, bits).interval_cycles for design in able]
        assert cycles == sorted(cycles, reverse=True), bits


def slower_by_an_element(word_bits: int, delay: int) -> dict[int, set[int]]:
    """By words of an operand, the numbers of elements with which fewer elements are faster, of
    those of which the product needs more than half."""
    found: dict[int, set[int]] = {}
    for words in range(
        operand_words(128, word_bits, delay), operand_words(max(BITS), word_bits, delay) + 1
    ):
        best = best_pair = Array(word_bits, 1, words, delay)
        for elements in range(2, 65):
            unit = Array(word_bits, elements, words, delay)
            if words + delay < unit.least_elements:
                continue
            if (
                unit.interval_cycles > best.interval_cycles
                or unit.pair_interval_cycles > best_pair.pair_interval_cycles
            ):
                found.setdefault(words, set()).add(elements)
            best = min(best, unit, key=lambda one: one.interval_cycles)
            best_pair = min(best_pair, unit, key=lambda one: one.pair_interval_cycles)
    return found


def shortest_bits(word_bits: int, elements: int, delay: int) -> int:
    """Of which a product has more rows than half of the elements."""
    return next(
        bits for bits in range(32, max(BITS))
        if operand_words(bits, word_bits, delay) + delay > elements // 2
    )  # fmt: skip


def test_one_element_more_is_never_slower() -> None:
    assert not slower_by_an_element(36, 1)
    found = slower_by_an_element(17, 0)
    text = PAGE.read_text("utf-8")
    paragraph = " ".join(text[text.index("\nAt every length") :].split("\n\n")[0].split())
    said = [int(n) for n in re.findall(r"\d+", paragraph[paragraph.index("But `array`") :])]
    (few, at_few), (many, at_many) = sorted(found.items())
    spans = [
        [bits for bits in range(128, min(BITS)) if operand_words(bits, 17) == words]
        for words in (few, many)
    ]
    less = [Array(17, elements, words).interval_cycles + 2
            for elements, words in ((2, few), (4, many))]  # fmt: skip
    more = [Array(17, elements, few).interval_cycles for elements in at_few]
    more += [Array(17, elements, many).interval_cycles for elements in at_many]
    assert more == [less[0]] * len(at_few) + [less[1]] * len(at_many)
    assert said == [
        *sorted(at_few), 2, spans[0][0], spans[0][-1],
        *sorted(at_many), 4, spans[1][0], spans[1][-1],
    ]  # fmt: skip
    assert shortest_bits(*DESIGNS["small"]) <= designs.get("small").min_bits
    assert f"for `fast` {shortest_bits(*DESIGNS['fast'])} bits and more" in paragraph
    assert not (at_few | at_many) & {DESIGNS[name][1] for name in DESIGNS}


def test_short_products_on_fast() -> None:
    """What those lose that would do with less than half of the elements."""
    first, last = designs.get("fast").min_bits, shortest_bits(*DESIGNS["fast"]) - 1
    best = {}
    for bits in range(first, last + 1):
        unit = array("fast", bits)
        cycles, elements = min(
            (replace(unit, elements=fewer).interval_cycles, fewer)
            for fewer in range(1, unit.elements)
        )
        best[elements] = cycles
        assert unit.interval_cycles == unit.pair_interval_cycles == 64
        assert cycles == replace(unit, elements=elements).pair_interval_cycles < 64
    said = (
        f"from {first} to {last} it takes the 64 cycles of 17 elements where an array of "
        f"{min(best)} to {max(best)} would take {min(best.values())} to {max(best.values())}."
    )
    assert said in " ".join(PAGE.read_text("utf-8").split())


def test_one_element_more_with_narrow_digits() -> None:
    worst = 0
    for words in range(operand_words(min(BITS), 24), operand_words(max(BITS), 24) + 1):
        cycles = [Array(24, n, words, digit_bits=17).interval_cycles for n in range(1, 65)]
        worst = max(worst, *(one - min(cycles[: i + 1]) for i, one in enumerate(cycles)))
    assert f"One element more may here be slower, by {worst} cycles" in PAGE.read_text("utf-8")


def test_what_the_page_says_of_fewer_elements() -> None:
    text = PAGE.read_text("utf-8")
    section = text[text.index("\n## How many elements") :].split("\n## ")[1]
    thirty_three, half = Array(17, 16, 33), array("fast", 512)
    assert (thirty_three.passes, thirty_three.used_elements) == (3, 11)
    full = 6 * thirty_three.elements + 10
    said = f"of {full} cycles each; three passes over 11 elements are\nenough, of "
    assert f"{said}{thirty_three.period_cycles}." in section
    rows = half.words + half.delay
    alone = f"32 elements would take {4 * (half.elements - 1)} cycles"
    assert f"{rows} rows, for which {alone} and {rows} take {half.pair_interval_cycles}" in section
    waiting = {
        bits for bits in range(128, max(BITS) + 1)
        if array("fast", bits).min_period_cycles > 2 * array("fast", bits).turn_cycles
    }  # fmt: skip
    assert not waiting


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
        "rounding to whole passes: rows": 2 * s * (unit.passes * unit.elements - s - unit.delay),
        "waiting": (period - 2 * s) * unit.passes * unit.elements,
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
        "rounding to whole passes |": 2 * s * (unit.rows - unit.digits),
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


# ---- what is not built


def symmetric_interval_cycles(unit: Array, *, pair: bool) -> int:
    """What a squaring would take in which words without a product go by in a cycle each."""
    total, last = 0, unit.passes - 1
    for number in range(unit.passes):
        head = 2 * unit.words - min(number * unit.used_elements, unit.words)
        first_word = unit.min_period_cycles + (unit.used_elements if number < last else 0)
        total += max(2 * head if pair else head, first_word)
    return total


def symmetric_cycles(unit: Coprocessor, bits: int, *, crt: bool) -> tuple[int, int]:
    """With symmetric squarings after the window's table, and as built."""
    found, as_built = [], []
    for window in range(1, 7):
        if not unit.window_fits(bits, window, crt=crt):
            continue
        if crt:
            cycles = unit.rsa_private(bits, window, warm=False).cycles
        else:
            cycles = unit.modexp(Scheme.FIXED_WINDOW, bits, bits, window, warm=False).cycles
        array = unit.array(bits)
        built = array.pair_interval_cycles if crt else array.interval_cycles
        symmetric = symmetric_interval_cycles(array, pair=crt)
        as_built.append(cycles)
        if array.words * unit.steps(window) << crt < window * symmetric:  # no wait for a look-up
            found.append(cycles - (bits - window) * (built - symmetric))
    return min(found), min(as_built)


@pytest.mark.parametrize("design", DESIGNS)
def test_a_symmetric_squaring_is_one(design: str) -> None:
    """Row by row: congruent to x * x / R, and its T below 5M."""
    source = random.Random(design)
    for bits in (128, 256, 1024):
        unit = array(design, bits)
        modulus = Modulus(unit, source.getrandbits(bits) | 1 | 1 << (bits - 1))
        word_bits, t, q = unit.word_bits, 0, 0
        mask = (1 << word_bits) - 1
        x = 2 * modulus.m - 1 - source.getrandbits(bits // 2)
        for i in range(unit.rows):
            digit = x >> i * word_bits & mask
            above = x >> (i + 1) * word_bits << (i + 1) * word_bits
            f = t + digit * ((digit << i * word_bits) + 2 * above)
            if unit.delay:
                f += q * modulus.scaled << word_bits
                t, q = f >> word_bits, f & mask
            else:
                t = (f >> word_bits) + (f & mask) * modulus.scaled
            assert t < 5 * modulus.m
        result = t << word_bits | q if unit.delay else t
        assert result % modulus.n == modulus.product(x, x) % modulus.n
        assert result < modulus.bound


def test_what_the_page_says_of_symmetric_squaring() -> None:
    text = " ".join(PAGE.read_text("utf-8").split())
    said = text[text.index("* **Symmetric squaring**") : text.index("* **Residue")]
    for name, bits in (
        ("tiny", 1024), ("small", 1024), ("small,elements=8", 1024),
        ("tiny", 2048), ("small", 2048),
    ):  # fmt: skip
        design = designs.parse(name)
        model = design.model()
        assert isinstance(model, Coprocessor)
        cycles, built = (
            f"{n * design.multipliers / 1e6:.2f}" for n in symmetric_cycles(model, bits, crt=False)
        )
        where = name.replace(",elements=", "` with ") + ("` " if "," not in name else " elements ")
        assert re.search(rf"{cycles} (million multiplier-cycles )?on `{where}\({built}\)", said)
    model = designs.get("fast").model()
    assert isinstance(model, Coprocessor)
    cycles, built = (f"{n:,}" for n in symmetric_cycles(model, 2048, crt=True))
    assert f"RSA-4096 by CRT {cycles} cycles on `fast` ({built})" in said
    assert len(set(symmetric_cycles(model, 1024, crt=True))) == 1


def test_what_the_page_says_of_residues() -> None:
    channels, small = modulus_words(1024, 17), array("small", 1024)
    rounds = -(-channels // small.elements)
    products = 2 * channels**2 + 5 * channels
    busy = (2 * channels + 5) * rounds * small.elements
    spent = small.interval_cycles * small.elements
    text = " ".join(PAGE.read_text("utf-8").split())
    assert f"k = {channels}, that is {products} products where `small` spends {spent};" in text
    assert f"four rounds for {channels} channels, {busy}," in text
    assert rounds == 4


def test_the_heads_of_the_modules_say_the_same() -> None:
    """Times of the page's cycle table, in the model's terms."""
    text = PAGE.read_text("utf-8")
    for design, first, spacing in (("small", 9, 6), ("fast", 12, 3)):
        unit = array(design, 1024)
        assert re.search(rf"\| {spacing}U \+ {first} \+ 2j", text)
        last = spacing * unit.used_elements + first + 2 * (unit.words - 1)
        assert unit.latency_cycles == (unit.passes - 1) * unit.period_cycles + last
