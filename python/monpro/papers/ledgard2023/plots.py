"""Latency and energy against size, from records and published figures."""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from collections.abc import Mapping, Sequence

from monpro.base import terminal
from monpro.papers.ledgard2023 import figures as ledgard2023_figures
from monpro.papers.ledgard2023 import words
from monpro.papers.ledgard2023.figures import PAPER_MHZ, Thesis
from monpro.papers.ledgard2023.found import Found
from monpro.plots.plot import Axis, Plot, Series
from monpro.records import Record

# What the plots say of each kind of exponent.
KINDS = {"ones": "all ones", "random": "mean of 40"}


def latency_against_size(found: Sequence[Record]) -> Plot | None:
    thesis = ledgard2023_figures.load()
    items = [i for i in found if i["operation"] == "modexp" and "cycles" in i]
    if not items:
        return None
    series = []
    for number, name in enumerate(ledgard2023_figures.DESIGNS[1:]):
        for kind, column in (("ones", "latency_us_max"), ("random", "latency_us_avg")):
            of = [i for i in items if (i["design"], i.get("exponent_kind")) == (name, kind)]
            series.append(
                Series(
                    f"{name}, {KINDS[kind]}", tuple(i["bits"] for i in of),
                    tuple(i["cycles"] / PAPER_MHZ for i in of),
                    tuple((f"{name}, {i['bits']} bits, {KINDS[kind]}",
                           f"{terminal.significant(i['cycles'] / PAPER_MHZ, 4)} us at "
                           f"{PAPER_MHZ:g} MHz (the thesis's clock, assumed)",
                           str(i["obtained"]),
                           "monpro papers ledgard2023 --full") for i in of),
                    mode="both", colour=2 * number + (kind == "random"),
                )
            )  # fmt: skip
            series.append(
                Series(
                    f"thesis: {name}, {KINDS[kind]}", thesis.bits, thesis.tables[column][name],
                    tuple((f"thesis: {name}, {bits} bits, {KINDS[kind]}", f"{value:g} us, "
                           "published", _doubt(items, thesis, name, bits))
                          for bits, value in zip(thesis.bits, thesis.tables[column][name],
                                                 strict=True)),
                    mode="both", colour=2 * number + (kind == "random"), rough=True,
                )
            )  # fmt: skip
    return Plot(
        "ledgard2023-latency", f"Latency against size, at {PAPER_MHZ:g} MHz",
        Axis("modulus, bits", log=True, ticks=thesis.bits), Axis("time, us", log=True),
        tuple(series),
        "Dashed and hollow: the thesis's, which grow with the length where a bit-serial "
        "multiplier must grow with its square; see the bound and the doubts at the tables.",
        "monpro papers ledgard2023 --full",
    )  # fmt: skip


def _doubt(found: Sequence[Record], thesis: Thesis, name: str, bits: int) -> str:
    """What the bound says against a latency of the thesis's; empty where it says nothing."""
    bound = words.Bound.of(Found(found), thesis, name, bits)
    if bound.theirs_per_lut <= words.PER_LUT:
        return ""
    return (
        f"doubt: {bound.theirs_per_lut:.1f} one-bit multiply-adds a LUT and cycle, above the "
        f"{words.PER_LUT} that it can do"
    )


def energy_against_size(found: Sequence[Record]) -> Plot | None:
    """Estimates with their range; the thesis's own as published."""
    thesis = ledgard2023_figures.load()
    items = [i for i in found if "energy_uj" in i and i["bits"]]
    if not items:
        return None
    series = []
    for number, name in enumerate(ledgard2023_figures.DESIGNS):
        of = _one_a_length([item for item in items if item["design"] == name])
        if of:
            ranges = [item.get("energy_uj_range", [item["energy_uj"]] * 2) for item in of]
            series.append(
                Series(
                    name, tuple(i["bits"] for i in of), tuple(i["energy_uj"] for i in of),
                    tuple((f"{name}, {i['bits']} bits",
                           f"{terminal.significant(i['energy_uj'])} uJ estimated, "
                           f"{terminal.significant(r[0])} to {terminal.significant(r[1])}",
                           f"coefficients: {i.get('coefficients', '?')}",
                           "monpro papers ledgard2023 --full")
                          for i, r in zip(of, ranges, strict=True)),
                    mode="both", colour=number, low=tuple(r[0] for r in ranges),
                    high=tuple(r[1] for r in ranges),
                )
            )  # fmt: skip
        theirs = _thesis_energy_uj(thesis, name)
        if theirs:
            series.append(
                Series(
                    f"thesis: {name}", thesis.bits, theirs,
                    tuple((f"thesis: {name}, {bits} bits", f"{terminal.significant(value)} uJ, "
                           "published") for bits, value in zip(thesis.bits, theirs, strict=True)),
                    mode="both", colour=number, rough=True,
                )
            )  # fmt: skip
    return Plot(
        "ledgard2023-energy", "Energy of an exponentiation against size",
        Axis("modulus, bits", log=True, ticks=thesis.bits), Axis("energy, uJ", log=True),
        tuple(series),
        "Ours: estimated from switching activity, with its range; it ranks designs and is no "
        "measurement. Dashed and hollow: the thesis's as published; see its doubts.",
        "monpro papers ledgard2023 --full",
    )  # fmt: skip


def _one_a_length(items: Sequence[Record]) -> list[Record]:
    """One record for each length: the mean of random exponents if there is one, else the first."""
    found: dict[int, Record] = {}
    for item in items:
        if item["bits"] not in found or item.get("exponent_kind") == "random":
            found[item["bits"]] = item
    return [found[bits] for bits in sorted(found)]


def _thesis_energy_uj(thesis: Thesis, name: str) -> tuple[float, ...]:
    published: Mapping[str, tuple[float, ...]] = thesis.tables.get("energy_J", {})
    return tuple(1e6 * value for value in published.get(name, ()))


OVERVIEW = (("Energy against size", energy_against_size),)
PLOTS = (latency_against_size,)
