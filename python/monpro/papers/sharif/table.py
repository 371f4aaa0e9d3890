# SPDX-License-Identifier: Apache-2.0
"""sharif's comparison with Monpro's figures beside it, from records alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from monpro.base import terminal
from monpro.hardware import bounds
from monpro.papers import table_kit as shared
from monpro.papers.sharif import figures as sharif_figures
from monpro.papers.sharif import softcore
from monpro.papers.sharif.figures import Poster, PosterRow
from monpro.papers.sharif.measure import BITS, KINDS, POSTER_BITS, Kind
from monpro.papers.softcore import split
from monpro.papers.table_kit import NONE, Found
from monpro.published.figures import doubts_of
from monpro.records import Record

WORD_BITS = 17
WINDOW = 5  # of the sliding window in the published rows' bound, with an exponent of half ones

INTRODUCTION = (
    "Published: the poster's own row and those of others that it lists. Monpro: the design "
    "codesign, 17 multiplier blocks; the library has the exponentiation and keeps the queue of "
    "products filled; schemes and sizes are chosen for each operation, of the same device."
)
COMPARISON = ["", "timed", "does", "device", "MHz", "LUT", "BRAM", "DSP", "ms",
              "M mult.-\ncycles", "% of\nbound"]  # fmt: skip


def average_products(scheme: str) -> int | None:
    """Products for an exponent of 1024 bits, every second of which is set. None: unknown scheme."""
    exponent = int("5" * (POSTER_BITS // 4), 16) | 1 << (POSTER_BITS - 1)
    if scheme == "SLID":
        # A window of k bits with the zeros behind it has k + 1 on average; squarings, the table,
        # and into Montgomery form and out.
        return POSTER_BITS + POSTER_BITS // (WINDOW + 1) + (1 << (WINDOW - 1)) + 2
    names = {"L2R": "binary", "R2L": "right_to_left"}
    if scheme not in names:
        return None
    return bounds.products(names[scheme], exponent, POSTER_BITS, public=True)


def bound(row: PosterRow) -> float | None:
    """Word products that the timed scheme needs, in words of 17 bits."""
    count = average_products(row.timed)
    return None if count is None else count * bounds.product_work(POSTER_BITS, WORD_BITS)


def span(low: float, high: float, digits: int) -> str:
    """As "10.6-21.3", or one figure."""
    first, last = (f"{number:.{digits}f}" for number in (low, high))
    return first if first == last else f"{first}-{last}"


def published_rows(poster: Poster) -> list[list[str]]:
    result = []
    for row in poster.rows:
        work, spent = bound(row), row.multiplier_cycles
        cycles = share = NONE
        if spent:
            cycles = span(spent[0] / 1e6, spent[1] / 1e6, 1)
        if spent and work:
            share = span(100 * work / spent[1], 100 * work / spent[0], 0)
        does = row.coprocessor.split()[0]
        result.append(
            [row.who, row.timed, does, row.device, row.MHz, f"{row.LUT}", f"{row.BRAM}",
             f"{row.DSP}", f"{row.time_ms:g}", cycles, share]
        )  # fmt: skip
    return result


OURS = ["scheme", "time", "win-\ndow", "products", "M\ncycles", "M mult.-\ncycles", "% of\nbound",
        "ms", "ops/s"]  # fmt: skip


def time_kind(kind: Kind) -> str:
    return "variable" if kind.public else "constant"


def of(found: Found, kind: Kind, bits: int) -> Record:
    exponent = "public" if kind.public else "secret"
    return found.one("modexp", bits=bits, scheme=kind.scheme, exponent=exponent)


def our_rows(found: Found) -> list[list[str]]:
    result = []
    for kind in KINDS:
        item = of(found, kind, POSTER_BITS)
        result.append(
            [kind.title + shared.mark(item), time_kind(kind), f"{item.get('window', NONE)}",
             f"{item['products']}", shared.millions(item["cycles"]),
             shared.millions(item["multiplier_cycles"]),
             f"{100 * item['bound_word_products'] / item['multiplier_cycles']:.1f}",
             *shared.time(item)]
        )  # fmt: skip
    return result


def why_faster(row: PosterRow, ours: Record) -> str:
    """What a row of less time has more of than Monpro: a time is its multiplier-cycles over the
    DSP blocks and the clock, so that one of the three is there."""
    if not row.DSP:
        return f"{row.MHz} MHz, without DSPs, {row.LUT} LUTs"
    reasons = []
    if float(row.MHz.split("/")[-1]) > ours["clock_mhz"]:
        reasons.append(f"a clock of {row.MHz} MHz for {ours['clock_mhz']:.0f}")
    if ours["multipliers"] < row.DSP:
        reasons.append(f"{row.DSP} DSPs for {ours['multipliers']}")
    return ", ".join(reasons) or f"fewer multiplier-cycles, with {row.DSP} DSPs at {row.MHz} MHz"


def faster(poster: Poster, ours: Record) -> str:
    """Every published row of less time than Monpro's, the shortest first, and why it is."""
    rows = [row for row in poster.rows if row.time_ms < ours["time_ms"]]
    rows.sort(key=lambda row: row.time_ms)
    each = [f"{row.who}, {row.time_ms:g} ms ({row.device}; {why_faster(row, ours)})"
            for row in rows]  # fmt: skip
    return f"Less time than Monpro's in the published table: {'; '.join(each) or 'nobody'}."


def ahead(found: Found, poster: Poster) -> str:
    """Who is ahead: in multiplier-cycles, which need no device; in time, if a clock is known."""
    theirs = poster.own
    sliding, fixed = of(found, KINDS[0], POSTER_BITS), of(found, KINDS[3], POSTER_BITS)
    low, high = (cycles / 1e6 for cycles in theirs.cycles)
    ours = sliding["cycles"] / 1e6
    if ours < low:
        who = f"Monpro, by {low / ours:.2f} or {high / ours:.2f} times"
    elif ours > high:
        who = f"the poster, by {ours / high:.2f} or {ours / low:.2f} times"
    else:
        who = "Monpro at the higher of the poster's clocks, the poster at the lower"
    a_product = sliding["cycles"] / sliding["products"]
    work = bounds.product_work(POSTER_BITS, WORD_BITS) / sliding["multipliers"]
    fewer = [
        row.who
        for row in poster.rows
        if row.multiplier_cycles and row.multiplier_cycles[1] < sliding["multiplier_cycles"]
    ]
    text = (
        f"Who is ahead, by cycles of the sliding window: {who} (the poster {low:.3f} or "
        f"{high:.3f} M, by the clock that its {theirs.time_ms:g} ms are of, Monpro {ours:.3f} M). "
        f"Why: a product takes {a_product:.0f} cycles of Monpro's blocks, start to start, where "
        f"the bound is {work:.0f}: the scaled modulus has a word more, and rows go in whole rounds "
        f"of {sliding['multipliers']}; where the poster's cycles go it does not say. Fewer "
        "multiplier-cycles than Monpro, at the higher clock of a row: "
        f"{', '.join(fewer) or 'nobody'}. In constant time Monpro takes "
        f"{fixed['cycles'] / sliding['cycles']:.2f} times as long (fixed window: "
        f"{fixed['products']} products for {sliding['products']}, and the copies that choose from "
        "the table); of its rows the poster does not say that any is constant-time."
    )
    needed = float(sliding.get("cycles_total") or sliding["cycles"]) / theirs.time_ms / 1e3
    if "time_ms" in sliding:
        text += (
            f" By time: {theirs.time_ms:g} ms on its device, {sliding['time_ms']:.2f} ms of Monpro "
            f"at {sliding['clock_mhz']:.0f} MHz on another; MHz for the poster's time: "
            f"{needed:.0f}. {faster(poster, sliding)}"
        )
    else:
        text += f" Monpro takes the poster's time at {needed:.0f} MHz."
    return text


SIZES = ["scheme", "time", *(f"{bits}\nbits" for bits in BITS)]


def size_rows(found: Found) -> list[list[str]]:
    return [
        [kind.title, time_kind(kind),
         *(f"{(item := of(found, kind, bits))['cycles']}{shared.mark(item)}" for bits in BITS)]
        for kind in KINDS
    ]  # fmt: skip


OVERHEAD = ["bits", "operand in\nwarm", "operand in\ncold", "result\nout", "overhead %\nwarm",
            "overhead %\ncold", "poster\n%"]  # fmt: skip


def overhead(item: Record, load: str) -> float:
    """Share of the call in which the multiplier waits for the bus, in %."""
    bus = item[load] + item["cycles_read"]
    return float(100 * bus / (bus + item["cycles"]))


def overhead_rows(found: Found, poster: Poster) -> list[list[str]]:
    result = []
    for bits in BITS:
        item = of(found, KINDS[0], bits)
        if "cycles_load" not in item:
            continue
        shares = (f"{overhead(item, load):.3f}" for load in ("cycles_load", "cycles_load_cold"))
        below = poster.claim.communication_overhead_percent_below
        result.append(
            [f"{bits}", f"{item['cycles_load']}", f"{item['cycles_load_cold']}",
             f"{item['cycles_read']}", *shares, f"below {below:g}"]
        )  # fmt: skip
    return result


def overhead_words(found: Found, poster: Poster) -> str:
    below = poster.claim.communication_overhead_percent_below
    known = [item for bits in BITS if "cycles_load" in (item := of(found, KINDS[0], bits))]
    keeps = [item["bits"] for item in known if overhead(item, "cycles_load_cold") < below]
    breaks = [item["bits"] for item in known if overhead(item, "cycles_load_cold") >= below]
    words = f"below {below:g} % at {', '.join(map(str, keeps)) or 'no'} bits, cold key and warm"
    if breaks:
        words += f"; not at {', '.join(map(str, breaks))} with a cold key"
    return (
        "Overhead: cycles of the bus for operands and result, over all of the sliding window's, "
        f"the shortest of the schemes: {words}. Who is ahead: nobody where both are below; the "
        "poster has one figure for all. Why: operands stay in the design's memory from product to "
        "product, so that the bus carries a command of one word for each; Monpro's is AXI4-Lite, "
        "the poster's a stream with a DMA engine. The time in which a processor makes a command is "
        "not counted: a queue of eight hides it while a product takes longer. Here it never ran "
        "empty: the cycles are those of the formula, which has it so."
    )


def _show_published(poster: Poster) -> None:
    """The poster's own table, and the doubts about it."""
    terminal.show_text(f"\nPublished: exponentiation of {POSTER_BITS} bits")
    terminal.show_table(COMPARISON, published_rows(poster), numbers=COMPARISON[4:])
    alone = [row.who for row in poster.rows if "hardware only" in row.coprocessor]
    terminal.show_text(
        "does: MM, the coprocessor multiplies; ME, it exponentiates, without software "
        f"{', '.join(alone)}. M mult.-cycles: DSP blocks "
        "times clock times ms. Bound: 2 s^2 + s products of 17-bit words for each product of the "
        f"timed scheme, on average (SLID {average_products('SLID')}, L2R and R2L "
        f"{average_products('L2R')}); above 100 the clock was the other one, or the multiplier "
        "takes longer words. Of rows without DSP blocks there is none."
    )
    shared.show_doubts(doubts_of(poster.doubts, *(row.who for row in poster.rows)))


def show(
    all_records: Sequence[Record], out: Path, seed: int, elapsed_s: float, quick: bool
) -> None:
    """Every table, the bound and doubts under it, and who is ahead."""
    own, compared = split(all_records)
    found, poster = Found(own), sharif_figures.load()
    shared.show_heading("sharif", poster.source)
    terminal.show_text(INTRODUCTION)

    _show_published(poster)
    terminal.show_text(f"\nMonpro: codesign, {POSTER_BITS} bits, key warm")
    terminal.show_table(OURS, our_rows(found), numbers=OURS[2:])
    terminal.show_text(
        "% of bound: word products that the scheme needs for this exponent, over multiplier-cycles."
    )
    terminal.show_text(ahead(found, poster))
    terminal.show_text(shared.clocks(own))

    terminal.show_text("\nMonpro: cycles by scheme and size")
    terminal.show_table(SIZES, size_rows(found), numbers=SIZES[2:])
    terminal.show_text(
        "Variable time: of one random exponent, every second bit set on average, and only if the "
        "caller says that it is public. Who is ahead: the poster has no figures for these sizes."
    )

    terminal.show_text("\nCommunication overhead, sliding window; cycles")
    terminal.show_table(OVERHEAD, overhead_rows(found, poster), numbers=OVERHEAD)
    shared.show_doubts(doubts_of(poster.doubts, "communication"))
    terminal.show_text(overhead_words(found, poster))

    most = poster.claim.speedup_over_relic_max
    terminal.show_text(f"\nSpeed-up over software: the poster's is up to {most:g}.")
    shared.show_doubts(doubts_of(poster.doubts, "speed-up"))
    softcore.show(compared, most)

    theirs = poster.own
    parts = {"lut": theirs.LUT, "dsp": theirs.DSP, "bram": theirs.BRAM}
    shared.show_area(
        found, "Area",
        [["poster, XC7Z020", f"{theirs.LUT}", NONE, NONE, f"{theirs.DSP}", f"{theirs.BRAM}",
          f"{shared.fit(parts)}"]],
        area_words(found, theirs),
    )  # fmt: skip
    if any(item["obtained"] == "estimated" for item in all_records):
        terminal.show_text(
            "\nm: by the formula, to which each simulated one is held in this run."
            + (" Quick: the longer ones are simulated in the full form only." if quick else "")
        )
    shared.show_end(all_records, out, seed, elapsed_s, "Python's pow")


def area_words(found: Found, theirs: PosterRow) -> str:
    items = found.every("area")
    if not items:
        return "Who is ahead in area: not known without a synthesis."
    lut = items[0]["lut"]
    fewer, ratio = "Monpro", theirs.LUT / lut
    if lut >= theirs.LUT:
        fewer, ratio = "the poster", lut / theirs.LUT
    return (
        f"Who is ahead: {fewer} by {ratio:.1f} times in LUTs, with {items[0]['dsp']} DSPs for "
        f"{theirs.DSP}. Why: the poster does not say what its figure holds; its design has a "
        "stream interface with a DMA engine beside it, Monpro's has AXI4-Lite alone."
    )
