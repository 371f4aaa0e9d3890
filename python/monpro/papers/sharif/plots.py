"""The poster's comparison as a plot, from records and published figures."""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from collections.abc import Sequence

from monpro.papers.sharif import figures as sharif_figures
from monpro.plots.plot import Axis, Plot, Series
from monpro.published.figures import doubts_of
from monpro.records import Record


def multiplier_cycles(found: Sequence[Record]) -> Plot | None:
    """The poster's comparison as multiplier-cycles, with our schemes in it."""
    ours = [
        item for item in found
        if item["operation"] == "modexp" and item["bits"] == 1024
        and item["engine"] == "sim:codesign" and item.get("multiplier_cycles")
    ]  # fmt: skip
    if not ours:
        return None
    theirs = [(row, work) for row in sharif_figures.load().rows
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
               "monpro papers sharif --full") for name, item in zip(names, ours, strict=True)),
        mode="bars", colour=0,
    )  # fmt: skip
    return Plot(
        "sharif-multiplier-cycles", "Multiplier-cycles of an exponentiation of 1024 bits",
        Axis("design or scheme", categories=True), Axis("million multiplier-cycles"),
        (low, more, own),
        "Multiplier blocks present times cycles; less is better. Rows without DSP blocks have "
        "none. public: the time depends on the exponent.",
        "monpro papers sharif --full", stacked=True,
    )  # fmt: skip


def in_speed_against_area() -> Series:
    """The rows of the comparison, for the page's plot of time against area."""
    poster = sharif_figures.load()
    rows = [row for row in poster.rows if row.LUT]
    return Series(
        "others, published", tuple(row.LUT for row in rows),
        tuple(row.time_ms for row in rows),
        tuple(
            (f"{row.who}, {row.device}", f"{row.LUT} LUT, {row.DSP} DSP, {row.BRAM} BRAM",
             f"{row.time_ms:g} ms at {row.MHz} MHz, {row.timed}, published",
             *(f"doubt: {doubt.why}" for doubt in doubts_of(poster.doubts, row.who)))
            for row in rows
        ),
        rough=True,
    )  # fmt: skip


PLOTS = (multiplier_cycles,)
JOINS = {"speed-area": in_speed_against_area}
