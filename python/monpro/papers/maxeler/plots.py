# SPDX-License-Identifier: Apache-2.0
"""maxeler's tables 2 and 3 as plots: speed-up against lanes and against blocks, from records."""

from __future__ import annotations

from collections.abc import Sequence

from monpro.base import terminal
from monpro.papers.maxeler import figures as maxeler_figures
from monpro.papers.maxeler.lanes import LANES, TABLE_FORMS, Host, total
from monpro.papers.table_kit import Found
from monpro.plots.plot import Axis, Plot, Series
from monpro.records import Record

Y_LABEL = "times as fast as the host's SOS"


def speed_up(saved_percent: float) -> float:
    """Turns saved time, which the paper states, into a speed-up."""
    return 1 / (1 - saved_percent / 100)


def _times(ratio: float) -> str:
    return f"{terminal.significant(ratio)} times as fast as the host"


def _batches(records: Sequence[Record]) -> Found | None:
    """maxeler's batches, if table 3 is among the records: every number of lanes."""
    found = Found(records)
    lanes = {item["lanes"] for item in found.every("batch")}
    return found if lanes == set(LANES) else None


def _batch_hover(item: Record, ratio: float, *, prepared: bool) -> tuple[str, ...]:
    return (
        f"form {item['form']}, lanes: {item['lanes']}, {item['blocks']} blocks",
        _times(ratio) + (", preparation counted" if prepared else ""),
        f"{item['obtained']}; kernel at {item['clock_mhz']:.4g} MHz, {item['clock_obtained']}",
        "monpro papers maxeler --full",
    )


def against_lanes(records: Sequence[Record]) -> Plot | None:
    """None without table 3's records."""
    found = _batches(records)
    if not found:
        return None
    published = maxeler_figures.load()
    blocks = published.rows[-1].blocks
    series = []
    for number, form in enumerate(TABLE_FORMS):
        items = [found.one("batch", form=form, lanes=lanes, blocks=blocks) for lanes in LANES]
        for prepared in (False, True):
            name = "time_prepared_ms" if prepared else "time_ms"
            ratios = tuple(item["time_host_ms"] / item[name] for item in items)
            series.append(
                Series(
                    f"form {form}{', prepared' if prepared else ''}", LANES, ratios,
                    tuple(_batch_hover(i, r, prepared=prepared)
                          for i, r in zip(items, ratios, strict=True)),
                    mode="both", colour=number, rough=prepared,
                )
            )  # fmt: skip
    theirs = {1: published.rows[-1].speedup_percent} | {
        row.lanes: row.speedup_percent[-1] for row in published.lanes
    }
    series.append(
        Series(
            "paper (its host)", tuple(theirs), tuple(map(speed_up, theirs.values())),
            tuple((f"paper, lanes: {lanes}", f"{percent} % of the time saved, published")
                  for lanes, percent in theirs.items()),
            mode="both", rough=True,
        )
    )  # fmt: skip
    return Plot(
        "maxeler-lanes", f"Speed-up against lanes, {blocks} blocks of 1024 bits",
        Axis("lanes (32x32-bit multipliers)", log=True, ticks=LANES),
        Axis(Y_LABEL, log=True), tuple(series),
        "Above 1 time is saved. Each form against this machine's own SOS; dashed: the preparation "
        "of the streams counted too. The kernel is simulated where its cost is not yet linear, "
        "then by formula: estimated. The paper's figures are against its own host.",
        "monpro papers maxeler --full",
    )  # fmt: skip


def against_blocks(records: Sequence[Record]) -> Plot | None:
    """None without table 3's records."""
    found = _batches(records)
    if not found:
        return None
    published, host = maxeler_figures.load(), Host.of(found.all)
    many = tuple(1 << power for power in range(22))
    series = []
    for number, lanes in enumerate(LANES):
        item = found.every("batch", lanes=lanes)[0]
        for form, rough in (("c", False), ("e", True)):
            totals = [total(host, form, lanes, count, item["clock_mhz"]) for count in many]
            ratios = tuple(one.host_s / one.time_s for one in totals)
            series.append(
                Series(
                    f"form {form}, lanes: {lanes}", many, ratios,
                    tuple((f"form {form}, lanes: {lanes}, {count} blocks", _times(ratio),
                           f"estimated: by formula, kernel at {item['clock_mhz']:.4g} MHz, "
                           f"{item['clock_obtained']}", "monpro papers maxeler --full")
                          for count, ratio in zip(many, ratios, strict=True)),
                    mode="line", colour=number, rough=rough,
                )
            )  # fmt: skip
    theirs = {1: tuple(row.speedup_percent for row in published.rows)} | {
        row.lanes: row.speedup_percent for row in published.lanes
    }
    blocks = tuple(row.blocks for row in published.rows)
    for lanes, percents in theirs.items():
        of = blocks[: len(percents)]
        series.append(
            Series(
                f"paper, lanes: {lanes}", of, tuple(map(speed_up, percents)),
                tuple((f"paper, lanes: {lanes}, {count} blocks",
                       f"{percent} % of the time saved, published")
                      for count, percent in zip(of, percents, strict=True)),
                colour=LANES.index(lanes), rough=True,
            )
        )  # fmt: skip
    return Plot(
        "maxeler-blocks", "Speed-up against blocks of 1024 bits", Axis("blocks", log=True),
        Axis(Y_LABEL, log=True), tuple(series),
        "Above 1 time is saved. Whole lines: form c (constants held on the device); dashed: form e "
        "(carries on the device). Hollow points: the paper's, against its own host.",
        "monpro papers maxeler --full",
    )  # fmt: skip


OVERVIEW = (("Speed-up against lanes", against_lanes),)
PLOTS = (against_blocks,)
