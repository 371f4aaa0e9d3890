# SPDX-License-Identifier: Apache-2.0
"""Plots as plotly's figures. plotly's own program draws them, and is part of the page."""

from __future__ import annotations

import html
import json
from typing import Any

from monpro.errors import MonproError
from monpro.plots.plot import COLOURS, NEUTRAL, Plot, Series, tick_text

SYMBOLS = ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross")
OTHERS = "x"


def _plotly() -> tuple[Any, Any]:
    try:
        from plotly import graph_objects, offline
    except ImportError as why:
        raise MonproError(
            "MONPRO_ERR_UNSUPPORTED", "the page needs plotly: pip install '.[report]'"
        ) from why
    return graph_objects, offline


def program() -> str:
    """plotly.js, minified: some megabytes."""
    return str(_plotly()[1].get_plotlyjs())


def _hover(series: Series) -> dict[str, Any]:
    texts = ["<br>".join(html.escape(line) for line in lines if line) for lines in series.hover]
    if not texts:
        return {"hoverinfo": "skip"}
    return {"text": texts, "hovertemplate": "%{text}<extra></extra>"}


def _trace(graph: Any, series: Series) -> Any:
    colour = NEUTRAL if series.colour is None else COLOURS[series.colour % len(COLOURS)]
    common = {"x": list(series.x), "y": list(series.y), "name": series.name, **_hover(series)}
    if series.mode == "bars":
        # A bar would have `text` written on it.
        if texts := common.pop("text", None):
            common |= {"hovertext": texts, "hovertemplate": "%{hovertext}<extra></extra>"}
        pattern = {"shape": "/", "fgcolor": colour, "bgcolor": "rgba(0,0,0,0)"}
        marker = {"color": colour, "line": {"color": colour, "width": 1}}
        return graph.Bar(**common, marker=marker | ({"pattern": pattern} if series.rough else {}))
    symbol = OTHERS if series.colour is None else SYMBOLS[series.colour % len(SYMBOLS)]
    mode = {"points": "markers", "line": "lines", "both": "lines+markers"}[series.mode]
    errors = {}
    if series.low:
        errors["error_y"] = {
            "type": "data", "symmetric": False, "thickness": 1, "width": 3,
            "array": [high - y for y, high in zip(series.y, series.high, strict=True)],
            "arrayminus": [y - low for y, low in zip(series.y, series.low, strict=True)],
        }  # fmt: skip
    return graph.Scatter(
        **common,
        mode=mode,
        marker={"color": colour, "size": 9, "symbol": symbol + ("-open" if series.rough else "")},
        line={"color": colour, "dash": "dash" if series.rough else "solid", "width": 2},
        **errors,
    )


def figure(plot: Plot) -> dict[str, Any]:
    """data and layout, without colours of the theme: the page sets those."""
    graph, _ = _plotly()
    axes = {}
    for axis, name in ((plot.x, "xaxis"), (plot.y, "yaxis")):
        kind = "category" if axis.categories else "log" if axis.log else "linear"
        values = plot.ticks(axis)
        ticks = {"tickvals": values, "ticktext": [tick_text(value) for value in values]}
        axes[name] = {
            "title": {"text": html.escape(axis.title)},
            "type": kind,
            "automargin": True,
            **(ticks if values else {}),
        }
    traces = [_trace(graph, series) for series in plot.series]
    found = graph.Figure(data=traces, layout=graph.Layout(template="none", **axes))
    if plot.stacked:
        found.update_layout(barmode="stack")
    parsed: dict[str, Any] = json.loads(found.to_json())
    return parsed
