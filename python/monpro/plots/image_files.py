# SPDX-License-Identifier: Apache-2.0
"""Plots as PNG and SVG files, by matplotlib."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from monpro.base import files
from monpro.errors import MonproError
from monpro.plots.plot import COLOURS, NEUTRAL, Plot, Series, tick_text

FORMATS = ("png", "svg")
MARKERS = ("o", "s", "^", "D", "v", "P")
OTHERS = "X"
# The same input makes the same file: no date, and names in an SVG that do not come by chance.
METADATA = {"png": {"Software": None}, "svg": {"Date": None}}


def _pyplot() -> Any:
    try:
        import matplotlib
    except ImportError as why:
        raise MonproError(
            "MONPRO_ERR_UNSUPPORTED", "plots need matplotlib: pip install '.[plots]'"
        ) from why
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "monpro"
    from matplotlib import pyplot

    return pyplot


def _line(axes: Any, series: Series) -> None:
    colour = NEUTRAL if series.colour is None else COLOURS[series.colour % len(COLOURS)]
    marker = OTHERS if series.colour is None else MARKERS[series.colour % len(MARKERS)]
    style: dict[str, Any] = {"color": colour, "markersize": 5, "label": series.name}
    style["marker"] = "" if series.mode == "line" else marker
    style["linestyle"] = "" if series.mode == "points" else "--" if series.rough else "-"
    if series.rough:
        style |= {"markerfacecolor": "none", "linewidth": 1}
    axes.plot(series.x, series.y, **style)
    if series.low:
        below = [y - low for y, low in zip(series.y, series.low, strict=True)]
        above = [high - y for y, high in zip(series.y, series.high, strict=True)]
        axes.errorbar(series.x, series.y, [below, above], fmt="none", ecolor=colour, elinewidth=1)


def _bars(axes: Any, all_series: Sequence[Series]) -> None:
    heights: dict[float | str, float] = {}
    for series in all_series:
        colour = NEUTRAL if series.colour is None else COLOURS[series.colour % len(COLOURS)]
        base = [heights.get(x, 0.0) for x in series.x]
        style = {"facecolor": "none", "hatch": "///"} if series.rough else {"facecolor": colour}
        axes.bar(series.x, series.y, bottom=base, edgecolor=colour, label=series.name, **style)
        heights |= {x: low + y for x, low, y in zip(series.x, base, series.y, strict=True)}
    axes.set_ylim(0, 1.05 * max(heights.values()))
    axes.tick_params("x", rotation=90 if len(heights) > 6 else 30)


def _draw(plot: Plot, pyplot: Any) -> Any:
    figure, axes = pyplot.subplots(figsize=(7, 5), layout="constrained")
    axes.set_title(plot.title, fontsize=10)
    for axis, letter in ((plot.x, "x"), (plot.y, "y")):
        getattr(axes, f"set_{letter}label")(axis.title)
        if axis.log:
            getattr(axes, f"set_{letter}scale")("log")
        if ticks := plot.ticks(axis):
            getattr(axes, f"set_{letter}ticks")(ticks, [tick_text(tick) for tick in ticks])
            getattr(axes, f"{letter}axis").minorticks_off()
    if bars := [series for series in plot.series if series.mode == "bars"]:
        _bars(axes, bars)
    for series in plot.series:
        if series.mode != "bars":
            _line(axes, series)
    axes.grid(visible=True, which="major", alpha=0.3)
    figure.legend(fontsize=8, ncols=3, loc="outside lower center")
    return figure


def draw(plots: Sequence[Plot], folder: Path) -> list[Path]:
    """Each plot in each format, into a folder that is made if need be; a file is whole or absent.

    MonproError: MONPRO_ERR_UNSUPPORTED without matplotlib, MONPRO_ERR_FILE where it cannot write.
    """
    pyplot = _pyplot()
    found = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as why:
        raise MonproError("MONPRO_ERR_FILE", f"{folder}: {why.strerror}") from why
    for plot in plots:
        figure = _draw(plot, pyplot)
        try:
            for kind in FORMATS:
                path, data = folder / f"{plot.key}.{kind}", io.BytesIO()
                figure.savefig(data, format=kind, dpi=150, metadata=METADATA[kind])
                with files.output(str(path)) as write:
                    write(data.getvalue())
                found.append(path)
        finally:
            pyplot.close(figure)
    return found
