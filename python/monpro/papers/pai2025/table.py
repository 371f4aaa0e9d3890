# SPDX-License-Identifier: Apache-2.0
"""pai2025's tables I and II with Monpro's figures beside its own, from records alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from monpro.base import terminal
from monpro.hardware import bounds
from monpro.papers import table_kit as shared
from monpro.papers.pai2025 import figures as pai2025_figures
from monpro.papers.pai2025 import softcore
from monpro.papers.pai2025.figures import OperationRow, Tables
from monpro.papers.softcore import split
from monpro.papers.table_kit import NONE, Found
from monpro.published.figures import doubts_of
from monpro.records import Record

TABLES = {2048: "I", 1024: "II"}
OPERATIONS = ("encrypt", "decrypt")
E = 65537
WORD_BITS = 32
# The most that a DSP block of the paper's device does, whose logic is that of Artix-7: by the data
# sheet DS181, a DSP48E1 with all its registers, speed grade 1.
DSP_MHZ = 464.25

INTRODUCTION = (
    "Published: M cycles, ms and ops/s of the paper; its cycles are those of the processor's clock "
    "(about 650 MHz by its own rows), Monpro's those of the design: compare them with care. "
    "Monpro: the design pynq, with one and with two multipliers of 32-bit words; the library has "
    "the exponentiation and keeps the queue of products filled."
)
COLUMNS = (
    "M cycles: the design at work, operands in place; with CRT both halves, in constant time, and "
    "without the check of the result by e, one encryption more. Fixed cost of a call, in cycles of "
    "the bus: operands in and result out, with the key's constants there (warm) and not (cold; "
    "with CRT always). MHz to equal: the clock at which the whole call takes as long as the "
    "paper's hardware. ms, ops/s: of the whole call at Monpro's clock. The host's own time (making "
    "the commands, blinding, recombination of CRT, the constants of a cold key) is in none of "
    "Monpro's figures, MHz to equal included, while the paper's ms include its processor's."
)
TABLE = ["", "M\ncycles", "fixed\nwarm", "fixed\ncold", "pro-\nducts", "MHz to\nequal", "ms",
         "ops/s"]  # fmt: skip


def published(paper: Tables, row: OperationRow, figure: float) -> str:
    """A published figure, with a star if a doubt about this length and implementation names it."""
    doubts = doubts_of(paper.doubts, f"RSA-{row.bits} ")
    named = any(row.impl in doubt.of and f" {figure:g} " in doubt.of for doubt in doubts)
    return f"{figure:g}{'*' if named else ''}"


def published_row(paper: Tables, row: OperationRow) -> list[str]:
    figures = (row.cycles_M, row.time_ms, row.throughput_ops_s)
    cycles, ms, ops = (published(paper, row, figure) for figure in figures)
    return [f" paper, {row.impl}", cycles, "", "", "", "", ms, ops]


def name(item: Record) -> str:
    """A row of ours."""
    several = item["word_multipliers"] > 1
    parts = [f"{item['word_multipliers']} multiplier{'s'[:several]}"]
    if item["operation"] == "decrypt":
        kind = "constant" if item["exponent"] == "secret" else "variable"
        parts += ["CRT" if item["crt"] else f"{kind} time"]
    return f" {', '.join(parts)}{shared.mark(item)}"


def to_equal_mhz(item: Record) -> float:
    """The clock at which the call, bus included, takes the paper's time."""
    cycles = item.get("cycles_total", item["cycles"])
    return float(cycles / item["published"]["time_ms"] / 1e3)


def rows(found: Found, paper: Tables, bits: int) -> list[list[str]]:
    result = []
    for operation in OPERATIONS:
        result.append([operation, *[""] * (len(TABLE) - 1)])
        for impl in ("software", "hardware"):
            result.append(published_row(paper, paper.row(bits, operation, impl)))
        for item in found.every(operation, bits=bits):
            warm = NONE if item["crt"] else shared.fixed(item, "cycles_load")
            result.append(
                [name(item), shared.millions(item["cycles"]), warm,
                 shared.fixed(item, "cycles_load_cold"), f"{item['products']}",
                 f"{to_equal_mhz(item):.0f}", *shared.time(item)]
            )  # fmt: skip
    return result


def ahead(found: Found, paper: Tables, bits: int) -> str:
    """At which clocks Monpro is ahead, and why."""
    encrypt = found.every("encrypt", bits=bits)
    low, high = sorted(to_equal_mhz(item) for item in (encrypt[0], encrypt[-1]))
    each_us = 1e3 * paper.row(bits, "encrypt", "hardware").time_ms / encrypt[0]["products"]
    decrypt = found.every("decrypt", bits=bits)
    plain = [to_equal_mhz(i) for i in decrypt if i["exponent"] == "secret" and not i["crt"]]
    crt = [to_equal_mhz(i) for i in decrypt if i["crt"]]
    text = (
        f"Who is ahead: encrypt, Monpro above {high:.0f} MHz with one multiplier, {low:.0f} with "
        f"two: {encrypt[0]['products']} products are all there is to do, and the paper's time "
        f"leaves {each_us:.0f} us for each: a fixed cost of a call, it seems, that it does not "
        f"state. Decrypt, Monpro above {max(crt):.0f} MHz with CRT and one multiplier, "
        f"{min(crt):.0f} with two; without CRT and in constant time above {max(plain):.0f} and "
        f"{min(plain):.0f} MHz: below, the paper is ahead by its own figures. Why: without CRT "
        "every product has the full length, and in constant time every bit takes two. "
        f"{without_crt(paper.row(bits, 'decrypt', 'hardware'))}"
    )
    known = [item for item in [*encrypt, *decrypt] if "time_ms" in item]
    if known:
        faster = [i for i in known if i["time_ms"] < i["published"]["time_ms"]]
        here = [f"{i['operation']} ({name(i).strip().removesuffix(' m')})" for i in faster]
        text += (
            f" At the clock below, of {len(known)} rows with one, Monpro is ahead in "
            f"{', '.join(here) or 'none'}."
        )
    return text


def without_crt(row: OperationRow) -> str:
    """Whether the published time of a decryption leaves room for it, by the bound."""
    count, one, _ = needed_mhz(row)
    why = f"the DSP blocks of the paper's device end at {DSP_MHZ:.0f} MHz"
    words = f"that needs {one:.0f} MHz with one multiplier, {one / 2:.0f} with two, and {why}"
    if one / 2 > DSP_MHZ:
        says = f"is too short for {count} products without CRT, as the bound says: {words}."
    else:
        how = "with one multiplier or two" if one <= DSP_MHZ else "with two multipliers, not one"
        says = (
            f"leaves room for {count} products without CRT {how}, as the bound says: {words}. "
            "Whether the paper's decryption has CRT it does not say."
        )
    return f"The paper's time {says}"


PRODUCT = ["bits", "multi-\npliers", "cycles\nmeasured", "cycles\nformula", "bound", "% of\nbound",
           "operand\nin", "result\nout"]  # fmt: skip


def product_rows(found: Found) -> list[list[str]]:
    return [
        [f"{item['bits']}", f"{item['word_multipliers']}", f"{item['cycles']}",
         f"{item['formula_cycles']}", f"{item['bound_word_products'] / item['word_multipliers']:g}",
         f"{100 * item['bound_fraction']:.1f}", f"{item['cycles_load']}", f"{item['cycles_read']}"]
        for item in found.every("product")
    ]  # fmt: skip


BOUND = ["", "implied\nMHz", "pro-\nducts", "no CRT,\n1 mult.", "no CRT,\n2 mult.",
         "CRT,\n1 mult.", "CRT,\n2 mult."]  # fmt: skip


def word_products(bits: int) -> int:
    words = bits // WORD_BITS
    return 2 * words * words + words


def needed_mhz(row: OperationRow) -> tuple[int, float, float | None]:
    """Products, and the clock that one multiplier of words needs to do them in the published time.

    The clock is given without CRT and with it. For a decryption half the bits of the exponent are
    set.
    """
    if row.op == "encrypt":
        count = bounds.products("binary", E, E.bit_length(), public=True)
        return count, count * word_products(row.bits) / row.time_ms / 1e3, None
    count = 3 * row.bits // 2
    plain, crt = (
        count * word_products(length) / row.time_ms / 1e3 for length in (row.bits, row.bits // 2)
    )
    return count, plain, crt


def bound_rows(paper: Tables) -> list[list[str]]:
    result = []
    for bits in TABLES:
        for operation in OPERATIONS:
            row = paper.row(bits, operation, "hardware")
            count, plain, crt = needed_mhz(row)
            both = [NONE, NONE] if crt is None else [f"{crt:.0f}", f"{crt / 2:.0f}"]
            result.append(
                [f"RSA-{bits} {operation}", f"{1e3 * row.cycles_M / row.time_ms:.0f}",
                 f"{count}", f"{plain:.0f}", f"{plain / 2:.0f}", *both]
            )  # fmt: skip
    return result


def bound_words(paper: Tables) -> str:
    verdicts = []
    for bits in TABLES:
        _, plain, crt = needed_mhz(paper.row(bits, "decrypt", "hardware"))
        assert crt is not None
        words = [
            f"{how} CRT {mhz / 2:.0f} MHz, which {'can' if mhz / 2 <= DSP_MHZ else 'cannot'} be"
            for how, mhz in (("without", plain), ("with", crt))
        ]
        verdicts.append(f"RSA-{bits} {', '.join(words)}")
    return (
        "A product of s words is 2 s^2 + s products of words: one multiplier of 32 bits does one a "
        'cycle, two at the same time are the paper\'s "one reduction step per clock cycle". The '
        f"DSP blocks of its device end at {DSP_MHZ:.0f} MHz. Decryption in its time by two "
        f"multipliers, bus and software not counted: {'; '.join(verdicts)}."
    )


def show(
    all_records: Sequence[Record], out: Path, seed: int, elapsed_s: float, quick: bool
) -> None:
    """Every table, the bound and doubts under it, and who is ahead."""
    own, compared = split(all_records)
    found, paper = Found(own), pai2025_figures.load()
    shared.show_heading("pai2025", paper.source)
    terminal.show_text(INTRODUCTION)
    terminal.show_text(COLUMNS)
    for bits, number in TABLES.items():
        terminal.show_text(
            f"\nTable {number}: RSA-{bits}, e = {E}; the paper's cycles at about 650 MHz"
        )
        terminal.show_table(TABLE, rows(found, paper, bits), numbers=TABLE[1:])
        shared.show_doubts(doubts_of(paper.doubts, f"RSA-{bits}"))
        terminal.show_text(ahead(found, paper, bits))
    terminal.show_text(f"\n{shared.clocks(own)}")
    softcore.show(compared, paper, TABLES)

    terminal.show_text("\nSingle products, start to start; operands and result over the bus apart")
    terminal.show_table(PRODUCT, product_rows(found), numbers=PRODUCT)
    terminal.show_text(
        "Bound: 2 s^2 + s products of words over the multipliers there are. A call for one "
        "product, as the paper has it, writes two operands and reads the result: here they stay "
        "where they are. The paper does not publish the cycles of a product; nobody can be called "
        "ahead."
    )

    terminal.show_text("\nThe bound of the paper's hardware: MHz that its times need")
    terminal.show_table(BOUND, bound_rows(paper), numbers=BOUND[1:])
    shared.show_doubts(doubts_of(paper.doubts, "encrypt against"))
    terminal.show_text(bound_words(paper))

    shared.show_area(
        found, "Area (the paper publishes none)", [],
        "Who is ahead: not known, as the paper has no figure. A 32-bit multiplier takes four DSPs.",
    )  # fmt: skip
    if any(item["obtained"] == "estimated" for item in all_records):
        terminal.show_text(
            "\nm: by the formula, to which each simulated one is held in this run; without the bus."
            + (" Quick: the longer ones are simulated in the full form only." if quick else "")
        )
    checked = "Python's pow and the openssl program, whose keys they use,"
    shared.show_end(all_records, out, seed, elapsed_s, checked)
