"""Plots of the reference designs, theirs and ours, from records and published figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from monpro.base import terminal
from monpro.papers.bishop2021 import table as r5
from monpro.papers.ledgard2023 import table as r4
from monpro.papers.ledgard2023 import words
from monpro.papers.table_kit import Found
from monpro.plots.plot import Axis, Plot, Series
from monpro.published import papers
from monpro.records import Record
from monpro.webpage.figures import Records

# Of R4's exponents, what the plots say of each kind.
KINDS = {"ones": "all ones", "random": "mean of 40"}


# ---- R3


def multiplier_cycles(records: Records) -> Plot | None:
    """The poster's comparison as multiplier-cycles, with our schemes in it."""
    ours = [
        item for item in records["R3"]
        if item["operation"] == "modexp" and item["bits"] == 1024
        and item["engine"] == "sim:codesign" and item.get("multiplier_cycles")
    ]  # fmt: skip
    if not ours:
        return None
    theirs = [(row, work) for row in papers.load_poster().rows
              if (work := row.multiplier_cycles)]  # fmt: skip
    low = Series(
        "published, at the lower clock", tuple(row.who for row, _ in theirs),
        tuple(work[0] / 1e6 for _, work in theirs),
        tuple((f"{row.who}, {row.device}, {row.timed}", f"{work[0] / 1e6:.3g} to "
               f"{work[1] / 1e6:.3g} M multiplier-cycles", f"{row.DSP} DSP blocks, {row.time_ms:g} "
               f"ms at {row.MHz} MHz, published") for row, work in theirs),
        mode="bars",
    )  # fmt: skip
    more = Series(
        "more, at the higher clock",
        low.x,
        tuple((work[1] - work[0]) / 1e6 for _, work in theirs),
        low.hover,
        mode="bars",
        rough=True,
    )
    names = [f"{item['scheme'].replace('_', ' ')}, {item['exponent']}" for item in ours]
    own = Series(
        "codesign", tuple(names), tuple(item["multiplier_cycles"] / 1e6 for item in ours),
        tuple((f"codesign, {name} exponent, key {item['key_state']}",
               f"{item['multiplier_cycles'] / 1e6:.4g} M multiplier-cycles, "
               f"{100 * item['bound_fraction']:.1f} % of the bound", str(item["obtained"]),
               "monpro bench --reference R3") for name, item in zip(names, ours, strict=True)),
        mode="bars", colour=0,
    )  # fmt: skip
    return Plot(
        "R3-multiplier-cycles", "Multiplier-cycles of an exponentiation of 1024 bits",
        Axis("design or scheme", categories=True), Axis("million multiplier-cycles"),
        (low, more, own),
        "Multiplier blocks present times cycles; less is better. Rows without DSP blocks have "
        "none. public: the time depends on the exponent.",
        "monpro bench --reference R3", stacked=True,
    )  # fmt: skip


# ---- R4


def latency_against_size(records: Records) -> Plot | None:
    thesis = papers.load()
    items = [i for i in records["R4"] if i["operation"] == "modexp" and "cycles" in i]
    if not items:
        return None
    series = []
    for number, name in enumerate(papers.DESIGNS[1:]):
        for kind, column in (("ones", "latency_us_max"), ("random", "latency_us_avg")):
            of = [i for i in items if (i["design"], i.get("exponent_kind")) == (name, kind)]
            series.append(
                Series(
                    f"{name}, {KINDS[kind]}", tuple(i["bits"] for i in of),
                    tuple(i["cycles"] / r4.PAPER_MHZ for i in of),
                    tuple((f"{name}, {i['bits']} bits, {KINDS[kind]}",
                           f"{terminal.significant(i['cycles'] / r4.PAPER_MHZ, 4)} us at "
                           f"{r4.PAPER_MHZ:g} MHz (the thesis's clock, assumed)",
                           str(i["obtained"]),
                           "monpro bench --reference R4") for i in of),
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
        "R4-latency", f"Latency against size, at {r4.PAPER_MHZ:g} MHz",
        Axis("modulus, bits", log=True, ticks=thesis.bits), Axis("time, us", log=True),
        tuple(series),
        "Dashed and hollow: the thesis's, which grow with the length where a bit-serial "
        "multiplier must grow with its square; see the bound and the doubts at the tables.",
        "monpro bench --reference R4",
    )  # fmt: skip


def _doubt(found: Sequence[Record], thesis: papers.Thesis, name: str, bits: int) -> str:
    """What the bound says against a latency of the thesis's; empty where it says nothing."""
    bound = words.Bound.of(r4.Found(found), thesis, name, bits)
    if bound.theirs_per_lut <= words.PER_LUT:
        return ""
    return (
        f"doubt: {bound.theirs_per_lut:.1f} one-bit multiply-adds a LUT and cycle, above the "
        f"{words.PER_LUT} that it can do"
    )


def energy_against_size(records: Records) -> Plot | None:
    """Estimates with their range; the thesis's own as published."""
    thesis = papers.load()
    items = [i for i in records["R4"] if "energy_uj" in i and i["bits"]]
    if not items:
        return None
    series = []
    for number, name in enumerate(papers.DESIGNS):
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
                           "monpro bench --reference R4")
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
        "R4-energy", "Energy of an exponentiation against size",
        Axis("modulus, bits", log=True, ticks=thesis.bits), Axis("energy, uJ", log=True),
        tuple(series),
        "Ours: estimated from switching activity, with its range; it ranks designs and is no "
        "measurement. Dashed and hollow: the thesis's as published; see its doubts.",
        "monpro bench --reference R4",
    )  # fmt: skip


def _one_a_length(items: Sequence[Record]) -> list[Record]:
    """Of each length the mean of random exponents if there is one, else the first."""
    found: dict[int, Record] = {}
    for item in items:
        if item["bits"] not in found or item.get("exponent_kind") == "random":
            found[item["bits"]] = item
    return [found[bits] for bits in sorted(found)]


def _thesis_energy_uj(thesis: papers.Thesis, name: str) -> tuple[float, ...]:
    published: Mapping[str, tuple[float, ...]] = thesis.tables.get("energy_J", {})
    return tuple(1e6 * value for value in published.get(name, ()))


# ---- R5


def steps(records: Records) -> Plot | None:
    found = Found(records["R5"])
    columns = r5.columns(found)
    if not columns:
        return None
    paper = papers.load_optimizations()
    numbers = tuple(row.iteration for row in paper.rows)
    first = paper.rows[0].roundtrip_s
    series = [
        Series(
            "report, time (published)", numbers,
            tuple(100 * row.roundtrip_s / first for row in paper.rows),
            tuple((f"step {row.iteration}: {row.what}", f"{1e3 * row.roundtrip_s:.2f} ms, "
                   "published") for row in paper.rows),
            mode="both", rough=True,
        )
    ]  # fmt: skip
    for number, column in enumerate(columns):
        name = r5.name(column)
        items = [r5.item_of(found, column, row.iteration) for row in paper.rows]
        counts = [r5.mean(item) for item in items]
        series.append(
            Series(
                f"{name}, instructions", numbers, tuple(100 * one / counts[0] for one in counts),
                tuple((f"step {row.iteration}, {name}: {row.what}",
                       f"{r5.millions(count)} M instructions a round trip",
                       str(item["obtained"]), "monpro bench --reference R5")
                      for row, count, item in zip(paper.rows, counts, items, strict=True)),
                mode="both", colour=number,
            )
        )  # fmt: skip
    return Plot(
        "R5-steps", "What is left after each optimization step",
        Axis("step", ticks=numbers), Axis("of step 0, %"), tuple(series),
        "A round trip of encryption and decryption, 128 bits: the report's time, our instructions "
        "on an emulated 32-bit ARM. What each step is: the table.",
        "monpro bench --reference R5",
    )  # fmt: skip
