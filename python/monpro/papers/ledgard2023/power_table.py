# SPDX-License-Identifier: Apache-2.0
"""ledgard2023's tables 11 to 14, power and energy, with Monpro's estimates beside, from records."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from monpro.base import terminal
from monpro.papers.ledgard2023.figures import DESIGNS, Thesis
from monpro.papers.ledgard2023.power import ASSUMED, SET, SIMULATED, USUAL
from monpro.records import Record

NONE = "-"
DISAGREE = 0.02  # of two figures that should be one

POWER = ["bits", "static\nthesis", "dynamic\nthesis", "total\nthesis", "dynamic\nMonpro", "from",
         "to", "total\nMonpro", "toggles\na LUT", "a FF"]  # fmt: skip
ENERGY = ["", "thesis", "its power\nx its mean", "its power x\nour cycles", "Monpro", "from", "to",
          "of it\ndynamic"]  # fmt: skip
WAYS = {
    ASSUMED: "same toggles everywhere, as a report without a simulation",
    SIMULATED: "toggles simulated on Monpro's designs of the same names and lengths",
    USUAL: "toggles usual of Monpro's designs of the same names",
}


def _of(found: Sequence[Record], operation: str) -> list[Record]:
    return [item for item in found if item["operation"] == operation]


def _number(value: float | None) -> str:
    return NONE if value is None else terminal.significant(value)


def power_rows(items: Sequence[Record]) -> list[list[str]]:
    """Milliwatts at the thesis's clock."""
    rows = []
    for item in items:
        known = item["published"]
        static, dynamic = known["static_mw"], known["dynamic_mw"]
        row = [str(item["bits"]), f"{static:g}", f"{dynamic:g}", f"{static + dynamic:g}"]
        if "dynamic_mw" in item:
            each = item["dynamic_mw"] / item["dynamic_uj"]
            row += [_number(item["dynamic_mw"])]
            row += [_number(end * each) for end in item["dynamic_uj_range"]]
            row += [_number(item["power_mw"]), f"{item['logic_toggles']:.3f}",
                    f"{item['register_toggles']:.3f}"]  # fmt: skip
        rows.append(row + [NONE] * (len(POWER) - len(row)))
    return rows


def energy_rows(items: Sequence[Record]) -> list[list[str]]:
    """Microjoules an exponentiation, of the mean of 40 exponents or of e = 65537."""
    rows = []
    for name, group in itertools.groupby(items, key=lambda item: item["design"]):
        rows.append([name, *[""] * (len(ENERGY) - 1)])
        for item in group:
            known = item["published"]
            theirs = known.get("energy_uj")
            own = known.get("energy_of_latency_uj")
            mark = "*" if theirs and own and abs(theirs / own - 1) > DISAGREE else ""
            low, high = item.get("energy_uj_range", (None, None))
            rows.append(
                [f" {item['bits']}", _number(theirs) + mark, _number(own),
                 _number(known["energy_of_our_cycles_uj"]), _number(item.get("energy_uj")),
                 _number(low), _number(high), _number(item.get("dynamic_uj"))]
            )  # fmt: skip
    return rows


def error_rows(found: Sequence[Record], bits: Sequence[int]) -> list[list[str]]:
    """Predicted over published, of each design by the other two."""
    rows = []
    for way in WAYS:
        of_way = [item for item in found if item["activity"] == way]
        if of_way:
            rows.append([way, *[""] * (len(bits) + 1)])
        for name in DESIGNS:
            ratios = {i["bits"]: i["ratio"] for i in of_way if i["design"] == name}
            if ratios:
                worst = max(max(r, 1 / r) for r in ratios.values())
                cells = [terminal.significant(ratios[b], 2) if b in ratios else NONE for b in bits]
                rows.append([f" {name}", *cells, terminal.significant(worst, 2)])
    return rows


def per_part(thesis: Thesis, design: str, bits: int) -> float:
    """Published dynamic power over LUTs and clock: picojoules a LUT and cycle."""
    watts = thesis.figure("dynamic_W", design, bits)
    return watts / thesis.figure("LUT", design, bits) / 10e6 * 1e12


def power_words(thesis: Thesis, items: Sequence[Record]) -> str:
    last = thesis.bits[-1]
    each = {name: per_part(thesis, name, last) for name in DESIGNS}
    low, high = min(each, key=lambda n: each[n]), max(each, key=lambda n: each[n])
    text = (
        f"What the published figures say: at {last} bits {high} takes {each[high]:.1f} pJ a LUT "
        f"and cycle, {low} {each[low]:.1f}, {each[high] / each[low]:.0f} times as much on one "
        f"device at one clock; so no count of parts alone gives both. The points have three "
        f"decimals of a watt: 0.002 W is 25 % wide."
    )
    ours = {i["design"]: i for i in items if i["bits"] == last and "dynamic_mw" in i}
    if not ours:
        return f"{text} Monpro's area is not synthesized, so its power is not estimated here."
    parts = []
    for name, item in ours.items():
        theirs = item["published"]["dynamic_mw"]
        each_ = item["dynamic_mw"] / item["dynamic_uj"]
        low_mw, high_mw = (end * each_ for end in item["dynamic_uj_range"])
        if low_mw <= theirs <= high_mw:
            parts.append(f"{name}: not told apart, the range has the published {theirs:g} mW")
        else:
            parts.append(f"{name}: {'the thesis' if theirs < low_mw else 'Monpro'}")
    order = sorted(ours, key=lambda name: ours[name]["dynamic_mw"])
    return (
        f"{text} Who is ahead, dynamic power at {last} bits: {'; '.join(parts)}. Rank of Monpro's, "
        f"least first: {', '.join(order)}; the thesis's: "
        f"{', '.join(sorted(DESIGNS, key=lambda n: thesis.figure('dynamic_W', n, last)))}."
    )


def energy_words(thesis: Thesis, items: Sequence[Record]) -> str:
    last = thesis.bits[-1]
    text = (
        "its power x its mean: published power times published mean latency, which table 14 is "
        "said to be; * marks where it is not. its power x our cycles: what the published power "
        "would take for as long as Monpro's bit-serial multipliers, which keep the bound above. "
        "Monpro: static power of the whole device in it, as in the thesis's."
    )
    ours = [i for i in items if i["bits"] == last and "energy_uj" in i and
            "energy_uj" in i["published"]]  # fmt: skip
    parts = []
    for item in ours:
        theirs = item["published"]["energy_uj"]
        share = 100 * (1 - item["dynamic_uj"] / item["energy_uj"])
        ahead = "Monpro" if item["energy_uj"] < theirs else "the thesis by its own figures"
        ratio = max(item["energy_uj"] / theirs, theirs / item["energy_uj"])
        parts.append(
            f"{item['design']}: {ahead}, {terminal.significant(ratio, 2)} times ({share:.0f} % of "
            "Monpro's is static power while it works)"
        )
    if parts:
        text += (
            f" Who is ahead at {last} bits: {'; '.join(parts)}. Why: the thesis's joules rest on "
            "cycles that stand above the bound (tables 7 to 10), and fall with them."
        )
    return text


def error_words(found: Sequence[Record]) -> str:
    ways = dict.fromkeys(item["activity"] for item in found)
    worst = {
        way: max(max(i["ratio"], 1 / i["ratio"]) for i in found if i["activity"] == way)
        for way in ways
    }
    parts = [f"{WAYS[way]}: off by up to {factor:.1f} times" for way, factor in worst.items()]
    return (
        f"{'; '.join(parts)}. Two coefficients, one a toggle of a LUT or flip-flop and one a clock "
        f"edge, fitted on two designs of the thesis, its LUTs and FFs, and held against the third. "
        f'The ranges above are as wide as the set "{SET}" is off by this measure: they rank '
        "designs and are no milliwatts. Glitches, which a long carry chain has many of, are in no "
        "toggles."
    )


def show(all_records: Sequence[Record], thesis: Thesis) -> None:
    """The tables, each followed by its doubts and by who is ahead; nothing without records."""
    items, fits = _of(all_records, "power"), _of(all_records, "power_prediction")
    for number, name in enumerate(DESIGNS, 11):
        of_one = [item for item in items if item["design"] == name]
        if of_one:
            terminal.show_text(
                f"\nTable {number}: {name}, power at 10 MHz, mW; Monpro estimated, with its range"
            )
            terminal.show_table(POWER, power_rows(of_one), numbers=POWER)
    if items:
        terminal.show_text(power_words(thesis, items))
        terminal.show_text(
            "\nTable 14: energy of an exponentiation at 10 MHz, uJ; Monpro estimated; "
            "mean exponent, repeated: e = 65537"
        )
        terminal.show_table(ENERGY, energy_rows(items), numbers=ENERGY[1:])
        for doubt in thesis.doubts_of("energy", "latency at"):
            terminal.show_text(f"Doubt, {doubt.of}: {doubt.why}")
        terminal.show_text(energy_words(thesis, items))
    if fits:
        terminal.show_text("\nPrediction of each design's published dynamic power from the other "
                         "two: estimated / published")  # fmt: skip
        head = ["", *map(str, thesis.bits), "off by"]
        terminal.show_table(head, error_rows(fits, thesis.bits), numbers=head[1:])
        terminal.show_text(error_words(fits))
