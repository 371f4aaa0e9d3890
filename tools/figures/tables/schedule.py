"""The tables of docs/array-schedule.md: all by the models, which the tests hold to the RTL."""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from figures.store import Store
from figures.tables.kit import markdown, percent, table
from monpro.hardware import designs
from monpro.hardware.models.coprocessor import MAX_WINDOW, Coprocessor
from monpro.hardware.models.montgomery import Array, modulus_words
from monpro.hardware.regs import Scheme

LENGTHS = (512, 1024, 1536, 2048, 3072, 4096)
NARROW = {"one": 1, "thirteen": 13, "fourteen": 14, "sixteen": 16}
NARROW_WORD, NARROW_DIGIT = 24, 17


def _coprocessor(spec: str) -> Coprocessor:
    model = designs.parse(spec).model()
    assert isinstance(model, Coprocessor)
    return model


def _bound(words: int) -> int:
    """Word products of a Montgomery product: x·y, q·N and the digits."""
    return 2 * words * words + words


def _account(unit: Array, n: int) -> list[tuple[str, int]]:
    """Where the element-cycles of a product of n-word numbers go."""
    s = unit.words
    pair = unit.delay == 1
    period = unit.pair_period_cycles // 2 if pair else unit.period_cycles
    idle_rows = unit.passes * unit.elements - s - unit.delay
    return [
        ("products of n x n words, x·y and q·N': 2n²", 2 * n * n),
        ("words n to s − 1 of y, in n rows", n * (s - n)),  # noqa: RUF001
        ("slots of N' without a word, in n rows", n * (s - n)),
        ("rows n to s − 1: the further digits of x", 2 * s * (s - n)),  # noqa: RUF001
        ("the row that uses the last digit (D = 1)", 2 * s * unit.delay),
        (
            "rounding to whole passes: rows without a digit, elements not in use",
            2 * s * idle_rows,
        ),
        (
            "waiting: period above 2s (array) or 4s (pair)",
            (period - 2 * s) * unit.passes * unit.elements,
        ),
    ]


@table
def array_account(_: Store) -> str:
    columns = [("small", 1024), ("fast", 1024), ("fast", 2048)]
    units = [_coprocessor(design).array(bits) for design, bits in columns]
    words = [
        modulus_words(bits, unit.word_bits)
        for (_design, bits), unit in zip(columns, units, strict=True)
    ]
    accounts = [_account(unit, n) for unit, n in zip(units, words, strict=True)]
    totals = [sum(cycles for _line, cycles in account) for account in accounts]
    sizes = [f"{n}, {unit.words}, {unit.rows}" for unit, n in zip(units, words, strict=True)]
    shares = [percent(_bound(n) / total) for n, total in zip(words, totals, strict=True)]
    lines = [
        [rows[0][0], *(str(cycles) for _line, cycles in rows)]
        for rows in zip(*accounts, strict=True)
    ]
    return markdown(
        ["", *(f"`{design}`, {bits} bits" for design, bits in columns)],
        [
            ["n, s, rows", *sizes],
            *lines,
            ["all", *map(str, totals)],
            ["bound, 2n² + n", *(str(_bound(n)) for n in words)],
            ["fraction", *shares],
        ],
    )


@table
def array_products(_: Store) -> str:
    rows = []
    for bits in LENGTHS:
        cells = [str(bits)]
        for design in ("tiny", "small", "fast"):
            unit = _coprocessor(design).array(bits)
            work = _bound(modulus_words(bits, unit.word_bits)) / unit.elements
            if unit.delay:
                pair = unit.pair_interval_cycles
                cells.append(f"{pair} ({percent(2 * work / pair)})")
            one = unit.interval_cycles
            cells.append(f"{one} ({percent(work / one)})")
        rows.append(cells)
    return markdown(["bits", "`tiny`", "`small`", "`fast`, pair", "`fast`, one"], rows)


def _narrow(blocks: int) -> str:
    base = "tiny" if blocks == 1 else f"small,elements={blocks}"
    return f"{base},word_bits={NARROW_WORD},digit_bits={NARROW_DIGIT}"


def _narrow_account(unit: Array, n: int, r: int) -> list[tuple[str, int]]:
    """The same where digits are narrower than words: n words, r digits of N."""
    s = unit.words
    return [
        ("x·y and q·N': 2nr", 2 * n * r),
        ("word n of y, in r rows", (s - n) * r),
        ("the slot of N' without a word, in r rows", (s - n) * r),
        ("digits r to r' − 1 of x", 2 * s * (unit.digits - r)),  # noqa: RUF001
        ("rounding to whole passes", 2 * s * (unit.rows - unit.digits)),
        ("a period above 2s", (unit.period_cycles - 2 * s) * unit.rows),
    ]


@table
def array_narrow_account(_: Store) -> str:
    columns = [(1, 1024), (13, 1024), (13, 2048)]
    heads, sizes, accounts, leasts = [], [], [], []
    for blocks, bits in columns:
        unit = _coprocessor(_narrow(blocks)).array(bits)
        n, r = modulus_words(bits, NARROW_WORD), modulus_words(bits, NARROW_DIGIT)
        heads.append(f"{blocks}, {bits} bits")
        sizes.append(f"{n}, {unit.words}; {r}, {unit.digits}; {unit.rows}")
        accounts.append(_narrow_account(unit, n, r))
        leasts.append(2 * n * r + r)
    totals = [sum(cycles for _line, cycles in account) for account in accounts]
    shares = [percent(least / total) for least, total in zip(leasts, totals, strict=True)]
    lines = [
        [rows[0][0], *(str(cycles) for _line, cycles in rows)]
        for rows in zip(*accounts, strict=True)
    ]
    return markdown(
        ["blocks of 24 x 17 bits", *heads],
        [
            ["n, s words; r, r' digits; all rows", *sizes],
            *lines,
            ["sum", *map(str, totals)],
            ["least, 2nr + r", *map(str, leasts)],
            ["share of it", *shares],
        ],
    )


def _secret_cycles(spec: str, bits: int) -> int:
    """Cycles of an exponentiation with a cold key in constant time, with the best window."""
    model = _coprocessor(spec)
    return min(
        model.modexp(Scheme.FIXED_WINDOW, bits, bits, window, warm=False).cycles
        for window in range(1, MAX_WINDOW + 1)
        if model.window_fits(bits, window)
    )


@table
def array_narrow_exponentiations(_: Store) -> str:
    rows = []
    for name, blocks in NARROW.items():
        cells = [name]
        for bits in (1024, 2048):
            cycles = _secret_cycles(_narrow(blocks), bits)
            cells += [str(cycles), f"{cycles * blocks / 1e6:.2f}"]
        rows.append(cells)
    return markdown(
        ["blocks", "1024 bits: cycles", "millions", "2048 bits: cycles", "millions"], rows
    )
