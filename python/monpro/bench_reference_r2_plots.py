"""R2's tables 2 and 3 as plots: speed-up against lanes and against blocks, from records alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from monpro import published_reference
from monpro.bench_reference_products_table import Found
from monpro.bench_reference_r2_lanes import LANES, TABLE_FORMS, Host, total
from monpro.errors import MonproError
from monpro.records import Record

FORMATS = ("png", "svg")
# Okabe and Ito's colours, told apart with any colour vision; markers differ as well.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00")
MARKERS = ("o", "s", "^", "D", "v")
Y_LABEL = "times as fast as the host's SOS (above 1: time saved)"


def _pyplot() -> Any:
    try:
        import matplotlib
    except ImportError as why:
        raise MonproError(
            "MONPRO_ERR_UNSUPPORTED", "plots need matplotlib: pip install 'monpro[plots]'"
        ) from why
    matplotlib.use("Agg")
    from matplotlib import pyplot

    return pyplot


def _ratio(saved_percent: float) -> float:
    """From time saved to times as fast."""
    return 1 / (1 - saved_percent / 100)


def _axes(plot: Any, title: str, x_label: str) -> tuple[Any, Any]:
    figure, axes = plot.subplots(figsize=(7, 5), layout="constrained")
    axes.set_title(title, fontsize=10)
    axes.set_xlabel(x_label)
    axes.set_ylabel(Y_LABEL)
    axes.set_yscale("log", base=2)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.axhline(1, color="black", linewidth=1, linestyle=":")
    axes.grid(visible=True, which="major", alpha=0.3)
    return figure, axes


def _save(plot: Any, figure: Any, folder: Path, name: str) -> list[Path]:
    paths = [folder / f"{name}.{kind}" for kind in FORMATS]
    for path in paths:
        figure.savefig(path, dpi=150)
    plot.close(figure)
    return paths


def _of(item: Record, *, prepared: bool = False) -> float:
    return float(item["time_host_ms"] / item["time_prepared_ms" if prepared else "time_ms"])


def _clock(found: Found) -> str:
    items = [found.every("batch", lanes=lanes)[0] for lanes in LANES]
    words = dict.fromkeys(f"{i['clock_mhz']:.4g} MHz {i['clock_obtained']}" for i in items)
    return " / ".join(words)


def against_lanes(plot: Any, found: Found, folder: Path) -> list[Path]:
    dataflow = published_reference.load_dataflow()
    blocks = dataflow.rows[-1].blocks
    title = f"{blocks} blocks of 1024 bits, kernel at {_clock(found)}"
    figure, axes = _axes(plot, title, "lanes (32x32-bit multipliers)")
    for form, colour, marker in zip(TABLE_FORMS, COLOURS, MARKERS, strict=True):
        items = [found.one("batch", form=form, lanes=lanes, blocks=blocks) for lanes in LANES]
        style = {"color": colour, "marker": marker, "markersize": 5}
        axes.plot(LANES, [_of(item) for item in items], label=f"form {form}", **style)
        axes.plot(
            LANES, [_of(item, prepared=True) for item in items], linestyle="--", linewidth=0.8,
            **{**style, "markersize": 3},
        )  # fmt: skip
    theirs = {1: dataflow.rows[-1].speedup_percent} | {
        row.lanes: row.speedup_percent[-1] for row in dataflow.lanes
    }
    axes.plot(
        list(theirs), [_ratio(percent) for percent in theirs.values()], color="black", marker="x",
        label="paper (its host)",
    )  # fmt: skip
    axes.plot([], [], color="grey", linestyle="--", linewidth=0.8, label="preparation counted")
    axes.set_xscale("log", base=2)
    axes.set_xticks(LANES, [f"{lanes}" for lanes in LANES])
    figure.legend(fontsize=8, ncols=4, loc="outside lower center")
    return _save(plot, figure, folder, "R2-lanes")


def against_blocks(plot: Any, found: Found, folder: Path) -> list[Path]:
    dataflow = published_reference.load_dataflow()
    blocks = [row.blocks for row in dataflow.rows]
    of = Host.of(found.all)
    title = f"1024 bits, kernel at {_clock(found)}"
    figure, axes = _axes(plot, title, "blocks of 1024 bits")
    theirs = {1: tuple(row.speedup_percent for row in dataflow.rows)} | {
        row.lanes: row.speedup_percent for row in dataflow.lanes
    }
    many = [1 << power for power in range(22)]
    for lanes, colour, marker in zip(LANES, COLOURS, MARKERS, strict=False):
        style = {"color": colour, "marker": marker, "markersize": 4}
        clock_mhz = found.every("batch", lanes=lanes)[0]["clock_mhz"]
        for form, line in (("c", "-"), ("e", ":")):
            totals = [total(of, form, lanes, count, clock_mhz) for count in many]
            ratios = [one.host_s / one.time_s for one in totals]
            axes.plot(many, ratios, linestyle=line, label=f"form {form}, lanes: {lanes}", **style)
        if lanes in theirs:
            ratios = [_ratio(percent) for percent in theirs[lanes]]
            axes.plot(blocks, ratios, linestyle="-.", label=f"paper, lanes: {lanes}", **style)
    axes.set_xscale("log")
    figure.legend(fontsize=8, ncols=4, loc="outside lower center")
    return _save(plot, figure, folder, "R2-blocks")


def draw(found: Sequence[Record], folder: Path) -> list[Path]:
    """Both plots, as PNG and SVG, into a folder that is made if need be."""
    plot, of = _pyplot(), Found(found)
    if len({item["lanes"] for item in of.every("batch")}) < len(LANES):
        raise MonproError(
            "MONPRO_ERR_ARGUMENT", "--plots takes what table 3 does: not --table 1, 2"
        )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return against_lanes(plot, of, folder) + against_blocks(plot, of, folder)
    except OSError as why:
        raise MonproError("MONPRO_ERR_FILE", f"{folder}: {why.strerror}") from why
