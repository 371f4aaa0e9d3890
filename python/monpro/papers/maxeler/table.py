# SPDX-License-Identifier: Apache-2.0
"""maxeler's tables with Monpro's figures beside its own, from records alone.

Tables 2 and 3 are in lanes_table.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from monpro.base import terminal
from monpro.papers.maxeler import figures as maxeler_figures
from monpro.papers.maxeler import lanes_table
from monpro.papers.maxeler.figures import Dataflow
from monpro.papers.maxeler.measure import BITS, FIGURES, OURS, PAPERS, PROFILE_BITS, WHOLE
from monpro.papers.table_kit import NONE, Found, show_doubts, show_heading
from monpro.published.figures import doubts_of
from monpro.records import Record
from monpro.study.scanning import LIBRARY, METHODS

INTRODUCTION = (
    "Montgomery products by the five methods of Koc, Acar and Kaliski (separated, coarsely and "
    "finely integrated operand scanning, finely integrated product scanning, coarsely integrated "
    "hybrid scanning), from one source at each width w of a digit, in constant time. The "
    "exponentiation is binary, left to right, with a square and a product for each bit."
)
# The paper's functions, and what is that here; its gprof does not tell more.
ROWS = (
    ("monPro", "monpro"),
    ("mult32x32", "multiply"),
    ("calcRem", "constants"),
    ("product", None),
    ("RDTSC", "clock"),
    ("setVectors", "vectors"),
    ("select", "select"),
)
WHAT = (
    "monPro: products without those of digits, which are mult32x32; calcRem: here n', R mod n and "
    "R^2 mod n; product: no step of ours; RDTSC: the clock; setVectors: bytes to digits and back; "
    "select: by each bit of the exponent, product or square. Called: products of digits by a "
    "function of four 16-bit products, as the paper has it; in place: by the compiler. The time of "
    "mult32x32 is the difference to products that have one exclusive-or in the place of each "
    "product of digits; they take the same path, as time here depends on no value. Counted: "
    "products, additions, reads and writes of digits alike."
)
BASES = {"called": "called", "plain": "in place"}
KERNELS = {"ab": "a*b", "ab_mn": "+ m*n", "ab_mn_m": "+ m", WHOLE: "monPro"}
HIDDEN_PERCENT = 20  # below that the products of digits are called hidden
PROFILE = ["", "paper\n%", "paper\ns", *METHODS]
SAVED = ["", *KERNELS.values(), "at\n70 %"]
COUNTS = ["", "pro-\nducts", "addi-\ntions", "", "reads", " ", "writes", "  "]


def _profile(found: Found, form: str) -> list[Record]:
    """The records of a profile, in the order of the methods."""
    return [found.one("profile", form=form, method=method) for method in METHODS]


def _percent(value: float) -> str:
    return f"{value:.1f}" if abs(value) >= 1 else f"{value:.2f}"


def profile_rows(found: Found, dataflow: Dataflow) -> list[list[str]]:
    published = {row.function: row for row in dataflow.profile}
    rows = []
    for form, words in BASES.items():
        items = _profile(found, form)
        rows.append([f"time, {words}", *[""] * (len(PROFILE) - 1)])
        for name, key in ROWS:
            cells = ["", ""]
            if form == "called" and name in published:
                row = published[name]
                cells = [f"{row.time_percent:g}", f"{row.cumulative_s:g}"]
            ours = [_percent(item["time_percent"][key]) if key else NONE for item in items]
            rows.append([f" {name}", *cells, *ours])
        times = [terminal.significant(item["time_ms"]) for item in items]
        rows.append([" ms in all", "", "", *times])
    rows.append(["counted", *[""] * (len(PROFILE) - 1)])
    for name, key in ROWS:
        if key in _profile(found, "plain")[0]["operations_percent"]:
            items = _profile(found, "plain")
            ours = [_percent(item["operations_percent"][key]) for item in items]
            rows.append([f" {name}", "", "", *ours])
    return rows


def saved_rows(found: Found, dataflow: Dataflow) -> list[list[str]]:
    """Amdahl's totals; the last column with the paper's improvement of the multiplication."""
    total = dataflow.total
    [multiply] = [row for row in dataflow.profile if row.function == "mult32x32"]
    part = total.multiplication_improved_percent / 100
    share = total.multiplication_share_percent
    rows = [
        [" paper, text*", "", f"{share:g}", "", "", f"{total.whole_encryption_improved_percent:g}"],
        [" paper, table 1", "", f"{multiply.time_percent:g}", "", "",
         f"{part * multiply.time_percent:.1f}"],
    ]  # fmt: skip
    for form, words in BASES.items():
        rows.append([words, *[""] * (len(SAVED) - 1)])
        for item in _profile(found, form):
            saved = item["saved_percent"]
            cells = [_percent(saved[kernel]) for kernel in KERNELS]
            rows.append([f" {item['method']}", *cells, _percent(part * saved["ab_mn"])])
    return rows


def spread(found: Found) -> float:
    """The widest of the ranges."""
    items = found.every("profile")
    return max(float(value) for item in items for value in item["saved_spread_percent"].values())


def counts_rows(found: Found) -> list[list[str]]:
    rows = []
    for method in METHODS:
        item = found.one("counts", method=method, digit_bits=PROFILE_BITS)
        for name, formulas, of in (
            (method, OURS, item),
            (" Koc et al.", PAPERS, item["published"]),
        ):
            cells = [f"{item['digit_products']}"]
            for figure, formula in zip(FIGURES, formulas[method], strict=True):
                cells += [f"{of[figure]}", str(formula)]
            rows.append([name, *cells])
    return rows


def widths(found: Found) -> list[int]:
    return list(dict.fromkeys(item["digit_bits"] for item in found.every("counts")))


def speed_table(
    found: Found, operation: str, unit: str, each: float
) -> tuple[list[str], list[list[str]]]:
    """Heads and rows: the time, and how many times as long as the library's own."""
    heads = [""]
    for bits in widths(found):
        heads += [f"w={bits}\n{unit}", f"w={bits}\nratio"]
    rows = []
    for method in (*METHODS, LIBRARY):
        cells: list[str] = []
        for bits in widths(found):
            every = found.every(operation, method=method, digit_bits=bits)
            for item in every:
                cells.append(terminal.significant(each * item["time_ms"]))
                cells.append(f"{item['ratio_to_library']:.2f}")
            cells += [""] * 2 * (not every)
        rows.append([method, *cells])
    return heads, rows


def _fastest(found: Found, bits: int) -> Record:
    items = [i for i in found.every("product", digit_bits=bits) if i["method"] != LIBRARY]
    return min(items, key=lambda item: item["time_ms"])


def ahead_in_speed(found: Found) -> str:
    each = [f"{_fastest(found, bits)['method'].upper()} at w = {bits}" for bits in widths(found)]
    best = min((_fastest(found, bits) for bits in widths(found)), key=lambda item: item["time_ms"])
    return (
        f"Who is ahead: {', '.join(each)}. The paper's source has CIOS as the best in C and in "
        "assembly, on processors of 1996. Twice the width of a digit is a quarter of the "
        f"operations. The best product here, {best['method'].upper()} at w = {best['digit_bits']}, "
        f"takes {best['ratio_to_library']:.2f} of the time of libmonpro's, which does a row of a*b "
        "and one of m*n in one pass; its exponentiation has squarings of its own as well."
    )


def profile_words(found: Found, dataflow: Dataflow) -> str:
    """What the paper's share becomes, in words."""
    shares = {
        form: [item["time_percent"]["multiply"] for item in _profile(found, form)] for form in BASES
    }
    called, plain = shares["called"], shares["plain"]
    text = (
        f"Products of digits take {min(called):.0f} to {max(called):.0f} % of the time as a "
        "function of four 16-bit products (which is what a profile by function can see: call, "
        f"split and carries included), and {min(plain):.0f} to {max(plain):.0f} % as the "
        "compiler's own product. "
    )
    if max(plain) < HIDDEN_PERCENT:
        text += (
            "On this processor their work is hidden under the additions and carries that wait for "
            "each other: a multiplier elsewhere, however fast and near, saves no more than that. "
            "What pays is to move the carries too: the whole of monPro."
        )
    else:
        text += "A multiplier elsewhere saves that at most; moving all of monPro saves the rest."
    return text


def text_experiment(found: Found, dataflow: Dataflow) -> str:
    """The host's side of the paper's experiment with one product."""
    item = found.one("profile", form="called", method="sos")
    products = 2 * BITS + 2
    each_us = 1e3 * item["time_ms"] * item["saved_percent"]["ab"] / 100 / products
    return (
        f"Of its text: the host does the {(BITS // PROFILE_BITS) ** 2} products of digits of one "
        f"a*b in {dataflow.single_product.cpu_ns:g} ns*. Here, called: {each_us:.1f} us, by the "
        "same difference."
    )


def show(
    all_records: Sequence[Record], out: Path, seed: int, elapsed_s: float, quick: bool
) -> None:
    """Every table that there are records of, the doubts under it, and who is ahead."""
    found, dataflow = Found(all_records), maxeler_figures.load()
    show_heading("maxeler", dataflow.source)
    if found.every("profile"):
        _show_profile(found, dataflow)
    lanes_table.show(found)
    _end(all_records, out, seed, elapsed_s, quick)


def _show_profile(found: Found, dataflow: Dataflow) -> None:
    """Table 1, and what belongs to it."""
    terminal.show_text(INTRODUCTION)
    terminal.show_text(
        f"\nTable 1: where an exponentiation of {BITS} bits spends its time, w = {PROFILE_BITS}; %"
    )
    terminal.show_table(PROFILE, profile_rows(found, dataflow), numbers=PROFILE[1:])
    terminal.show_text(WHAT)
    terminal.show_text(profile_words(found, dataflow))
    terminal.show_text(text_experiment(found, dataflow))
    show_doubts(doubts_of(dataflow.doubts, "24 ns"))

    terminal.show_text(
        "\nAmdahl's total: time saved at most, %, if a kernel moves away and costs nothing"
    )
    terminal.show_table(SAVED, saved_rows(found, dataflow), numbers=SAVED[1:])
    terminal.show_text(
        "From left to right one more moves: products of digits for a*b, for m*n, those that make "
        "m, the whole Montgomery product. Last column: a*b and m*n, improved as the paper says. A "
        "negative figure is noise, or code that came out worse: half of the rounds lie within "
        f"{spread(found):.1f} points of their median, or closer."
    )
    show_doubts(doubts_of(dataflow.doubts, "multiplication is"))

    s = BITS // PROFILE_BITS
    terminal.show_text(
        f"\nCounted: one product of s = {s} digits of {PROFILE_BITS} bits, up to the subtraction"
    )
    terminal.show_table(COUNTS, counts_rows(found), numbers=["pro-\nducts", "addi-\ntions",
                                                           "reads", "writes"])  # fmt: skip
    item = found.one("counts", method="sos", digit_bits=PROFILE_BITS)
    terminal.show_text(
        "As Koc, Acar and Kaliski count: every digit is in memory but sum and carry. Ours differ "
        "where a carry of theirs runs on as far as it goes (SOS, FIOS: it waits in a register "
        "here, so that time tells nothing), where SOS copies its result, and where CIHS loses "
        "carries (theirs gives wrong results from three digits on). Then the subtraction, with a "
        f"selection by mask: {item['around_additions']} additions, {item['around_reads']} reads. "
        "The same at each width, by the same formulas."
    )
    for operation, unit, each, what in (
        ("product", "us", 1e3, "One product"),
        ("modexp", "ms", 1, "One exponentiation, secret exponent of full length"),
    ):
        terminal.show_text(f"\n{what}, {BITS} bits: time, and ratio to libmonpro's own")
        heads, rows = speed_table(found, operation, unit, each)
        terminal.show_table(heads, rows, numbers=heads[1:])
    terminal.show_text(ahead_in_speed(found))


def _end(
    all_records: Sequence[Record], out: Path, seed: int, elapsed_s: float, quick: bool
) -> None:
    wrong = sum(item["ok"] is not True for item in all_records)
    rounds = "few rounds (quick)" if quick else "rounds"
    terminal.show_text(
        f"\nMeasured: medians over {rounds} in which all take turns, pinned to one processor, in "
        "time of this thread on it. Results by Python's pow, counts and cycles by the formulas: "
        f"{'all right' if not wrong else f'{wrong} WRONG'}, {len(all_records)} figures. "
        f"Seed {seed}, {elapsed_s:.0f} s in all. Records: {out}"
    )
