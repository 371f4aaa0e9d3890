"""What is left after each optimization step, from records and published figures."""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from collections.abc import Sequence

from monpro.papers.bishop2021 import figures as bishop2021_figures
from monpro.papers.bishop2021 import table
from monpro.papers.table_kit import Found
from monpro.plots.plot import Axis, Plot, Series
from monpro.records import Record


def steps(found: Sequence[Record]) -> Plot | None:
    records = Found(found)
    columns = table.columns(records)
    if not columns:
        return None
    paper = bishop2021_figures.load()
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
        name = table.name(column)
        items = [table.item_of(records, column, row.iteration) for row in paper.rows]
        counts = [table.mean(item) for item in items]
        series.append(
            Series(
                f"{name}, instructions", numbers, tuple(100 * one / counts[0] for one in counts),
                tuple((f"step {row.iteration}, {name}: {row.what}",
                       f"{table.millions(count)} M instructions a round trip",
                       str(item["obtained"]), "monpro papers bishop2021 --full")
                      for row, count, item in zip(paper.rows, counts, items, strict=True)),
                mode="both", colour=number,
            )
        )  # fmt: skip
    return Plot(
        "bishop2021-steps", "What is left after each optimization step",
        Axis("step", ticks=numbers), Axis("of step 0, %"), tuple(series),
        "A round trip of encryption and decryption, 128 bits: the report's time, our instructions "
        "on an emulated 32-bit ARM. What each step is: the table.",
        "monpro papers bishop2021 --full",
    )  # fmt: skip


PLOTS = (steps,)
