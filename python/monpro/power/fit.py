"""Coefficients from points of known power: R4's published ones, or a board's, measured.

    power = static + clock x sum over kinds of (toggles a cycle x joules a toggle)

No joules are negative, and the sum of the squared logarithms of estimate / known is least: a point
of 2 mW counts as much as one of 1 W. How far off a set is, it shows on designs that were left out.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from monpro.errors import MonproError
from monpro.hardware import designs
from monpro.power import sets as power_sets
from monpro.power.sets import KINDS, Activity, Coefficients
from monpro.published import papers
from monpro.synth.targets import Counts

THESIS_MHZ = 10.0
# What Vivado 2021.2, the thesis's tool, assumes at a design's inputs where no simulation tells it
# more (UG907, Switching Tab: 12.5 %).
VECTORLESS = 0.125
STATIC = "static"
# Kinds that share a coefficient where the points cannot tell them apart: a net is a net, whether a
# LUT or a flip-flop drives it.
NETS = ("lut", "ff")
ROUNDS = 40


@dataclass(frozen=True, slots=True)
class Point:
    """toggles: a cycle, by kind. power_W: dynamic, or all of it where a static part is fitted."""

    design: str
    bits: int
    clock_MHz: float
    toggles: Mapping[str, float]
    power_W: float


# ---- least squares


def _eliminate(matrix: list[list[float]], right: list[float]) -> list[float] | None:
    """The solution of a small symmetric system, scaled to a diagonal of 1; None if singular."""
    size = len(right)
    scale = [math.sqrt(matrix[i][i]) for i in range(size)]
    if not all(scale):
        return None
    rows = [
        [matrix[i][j] / scale[i] / scale[j] for j in range(size)] + [right[i] / scale[i]]
        for i in range(size)
    ]
    for i in range(size):
        pivot = max(range(i, size), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        if abs(rows[i][i]) < 1e-9:
            return None
        for r in range(size):
            if r != i:
                times = rows[r][i] / rows[i][i]
                rows[r] = [a - times * b for a, b in zip(rows[r], rows[i], strict=True)]
    return [rows[i][size] / rows[i][i] / scale[i] for i in range(size)]


def _least(rows: Sequence[Sequence[float]], wanted: Sequence[float]) -> list[float] | None:
    """x >= 0 with the least |rows x - wanted|^2: the best of all choices of what is not 0."""
    size, best = len(rows[0]), None
    for count in range(1, size + 1):
        for chosen in itertools.combinations(range(size), count):
            matrix = [[sum(row[i] * row[j] for row in rows) for j in chosen] for i in chosen]
            right = [sum(r[i] * w for r, w in zip(rows, wanted, strict=True)) for i in chosen]
            found = _eliminate(matrix, right)
            if found is None or min(found) < 0:
                continue
            full = [0.0] * size
            for place, value in zip(chosen, found, strict=True):
                full[place] = value
            error = sum(
                (sum(a * x for a, x in zip(row, full, strict=True)) - w) ** 2
                for row, w in zip(rows, wanted, strict=True)
            )
            if best is None or error < best[0]:
                best = error, full
    return best[1] if best else None


def least_log(rows: Sequence[Sequence[float]], known: Sequence[float]) -> list[float]:
    """x >= 0 with the least sum of log(rows x / known)^2, by linear steps from the relative fit."""
    weighted = [[a / k for a in row] for row, k in zip(rows, known, strict=True)]
    wanted, found = [1.0] * len(known), [0.0] * len(rows[0])
    for _ in range(ROUNDS):
        step = _least(weighted, wanted)
        if step is None:
            raise MonproError(
                "MONPRO_ERR_ARGUMENT", "no coefficients of 0 or more come near the points"
            )
        change = max(abs(a - b) for a, b in zip(step, found, strict=True)) / max(step)
        # Half a step at a time: a whole one may jump from one side of the answer to the other. The
        # last one whole, so that what is 0 is 0.
        done = change < 1e-6
        found = [
            (a + b) / 2 if any(found) and not done else a for a, b in zip(step, found, strict=True)
        ]
        if done:
            break
        got = [
            max(sum(a * x for a, x in zip(row, found, strict=True)), k * 1e-3)
            for row, k in zip(rows, known, strict=True)
        ]
        weighted = [[a / g for a in row] for row, g in zip(rows, got, strict=True)]
        wanted = [1 - math.log(g / k) for g, k in zip(got, known, strict=True)]
    return found


@dataclass(frozen=True, slots=True)
class Fit:
    """joules a toggle by kind; static_W where it was fitted."""

    joules: Mapping[str, float]
    static_W: float | None

    def power_W(self, point: Point) -> float:
        """What it says of a point, static part included where it has one."""
        watts = sum(self.joules.get(kind, 0.0) * n for kind, n in point.toggles.items())
        return watts * point.clock_MHz * 1e6 + (self.static_W or 0.0)


def groups(points: Sequence[Point]) -> list[tuple[str, ...]]:
    """Kinds that the points have at all, nets together."""
    there = {kind for kind in KINDS for point in points if point.toggles.get(kind)}
    found = [tuple(kind for kind in NETS if kind in there)]
    found += [(kind,) for kind in KINDS if kind in there and kind not in NETS]
    return [group for group in found if group]


def fit(points: Sequence[Point], *, static: bool) -> Fit:
    """The coefficients. MonproError if there are fewer points than coefficients."""
    chosen = groups(points)
    unknown = len(chosen) + static
    if len(points) < max(unknown, 2):
        raise MonproError(
            "MONPRO_ERR_ARGUMENT",
            f"too few points: {len(points)} for {unknown} coefficients "
            f"({', '.join('+'.join(group) for group in chosen)}{', static' if static else ''})",
        )
    # In picojoules and watts: numbers of one size.
    rows = [
        [sum(p.toggles.get(kind, 0.0) for kind in group) * p.clock_MHz * 1e-6 for group in chosen]
        + [1.0] * static
        for p in points
    ]
    found = least_log(rows, [point.power_W for point in points])
    joules = {
        kind: value * 1e-12 for group, value in zip(chosen, found, strict=False) for kind in group
    }
    return Fit(joules, found[-1] if static else None)


# ---- how good it is


@dataclass(frozen=True, slots=True)
class Prediction:
    """A point that was not in the fit, and what the fit says of it."""

    point: Point
    predicted_W: float

    @property
    def ratio(self) -> float:
        return self.predicted_W / self.point.power_W


def leave_out(points: Sequence[Point], *, static: bool) -> list[Prediction]:
    """Each design predicted from the others; where there is only one, each point."""
    names = list(dict.fromkeys(point.design for point in points))
    if len(names) > 1:
        parts = [[p for p in points if p.design == name] for name in names]
    else:
        parts = [[point] for point in points]
    found = []
    for part in parts:
        rest = [point for point in points if point not in part]
        fitted = fit(rest, static=static)
        found += [Prediction(point, fitted.power_W(point)) for point in part]
    return found


def worst(predictions: Sequence[Prediction]) -> float:
    """The factor by which the worst one is off, above or below."""
    return max(max(each.ratio, 1 / max(each.ratio, 1e-9)) for each in predictions)


# ---- R4's points


def thesis_points(activities: Mapping[tuple[str, int], Activity]) -> list[Point]:
    """The published dynamic power of those designs and lengths, with the published LUTs and FFs."""
    known = papers.load()
    found = []
    for name in papers.DESIGNS:
        for bits in known.bits:
            if (name, bits) not in activities:
                continue
            parts = {"lut": known.figure("LUT", name, bits), "ff": known.figure("FF", name, bits)}
            toggles = activities[name, bits].by_kind(parts | {"dsp": 0, "bram": 0})
            watts = known.figure("dynamic_W", name, bits)
            found.append(Point(name, bits, THESIS_MHZ, toggles, watts))
    return found


def assumed(rate: float) -> dict[tuple[str, int], Activity]:
    """The same toggles everywhere, as a report without a simulation has them."""
    known = papers.load()
    return {
        (name, bits): Activity(rate, rate, obtained="assumed")
        for name in papers.DESIGNS
        for bits in known.bits
    }


def usual() -> dict[tuple[str, int], Activity]:
    """Those of Monpro's designs of the same names: what is usual of their multipliers."""
    known = papers.load()
    return {
        (name, bits): power_sets.usual(designs.get(name).multiplier)
        for name in papers.DESIGNS
        for bits in known.bits
    }


def thesis(table: Mapping[str, Any]) -> Coefficients:
    """The set that its table in energy.toml describes: fitted on all points of R4."""
    points = thesis_points(usual())
    known = papers.load()
    static = {
        known.figure("static_W", name, bits) for name in papers.DESIGNS for bits in known.bits
    }
    return Coefficients(
        table["name"],
        fit(points, static=False).joules,
        table["family"],
        worst(leave_out(points, static=False)),
        table["source"],
        table["device"],
        max(static),
    )


# ---- a board's points

COLUMNS = (
    "design", "bits", "clock_MHz", "lut", "ff", "dsp", "bram", "logic", "register", "dsp_toggles",
    "power_W",
)  # fmt: skip
_TEXT, _POSITIVE = ("design",), ("bits", "clock_MHz", "ff", "power_W")


def lines(design: str, bits: int, clock_MHz: float, counts: Counts, a: Activity) -> str:
    """The first line of such a file, and one whose power is left to be measured."""
    cells = [
        f'"{design}"', str(bits), f"{clock_MHz:g}", str(counts.lut_sites or counts.lut),
        *(f"{part:g}" for part in (counts.ff, counts.dsp, counts.bram)),
        *(f"{toggles:.5g}" for toggles in (a.logic, a.register, a.dsp)),
    ]  # fmt: skip
    return f"{','.join(COLUMNS)}\n{','.join(cells)},"


def _cell(where: str, column: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value < 0 or (column in _POSITIVE and not value):
        least = "above 0" if column in _POSITIVE else "0 or more"
        raise MonproError(
            "MONPRO_ERR_FILE", f'{where}, column {column}: "{text}" is not a number {least}'
        )
    return value


def read_csv(name: str, text: str) -> list[Point]:
    """Measurements of a board: a first line with the names of COLUMNS, in any order."""
    reader = csv.reader(io.StringIO(text), strict=True)
    found: list[Point] = []
    head: list[str] | None = None
    try:
        for cells in reader:
            where = f"{name}: line {reader.line_num}"
            if not cells or cells[0].lstrip().startswith("#"):
                continue
            cells = [cell.strip() for cell in cells]
            if head is None:
                head = cells
                if unknown := [cell for cell in cells if cell not in COLUMNS]:
                    raise MonproError(
                        "MONPRO_ERR_FILE",
                        f'{where}: unknown column "{unknown[0]}"; there are: {", ".join(COLUMNS)}',
                    )
                if missing := [column for column in COLUMNS if column not in cells]:
                    raise MonproError("MONPRO_ERR_FILE", f'{where}: no column "{missing[0]}"')
                continue
            if len(cells) != len(head):
                raise MonproError(
                    "MONPRO_ERR_FILE", f"{where}: {len(cells)} columns, the first has {len(head)}"
                )
            table = dict(zip(head, cells, strict=True))
            if not table["design"]:
                raise MonproError("MONPRO_ERR_FILE", f"{where}, column design: it is empty")
            v = {c: _cell(where, c, table[c]) for c in COLUMNS if c not in _TEXT}
            activity = Activity(v["logic"], v["register"], v["dsp_toggles"])
            found.append(
                Point(
                    table["design"],
                    int(v["bits"]),
                    v["clock_MHz"],
                    activity.by_kind(v),
                    v["power_W"],
                )
            )
    except csv.Error as why:
        raise MonproError("MONPRO_ERR_FILE", f"{name}: line {reader.line_num}: {why}") from why
    if not found:
        raise MonproError("MONPRO_ERR_FILE", f"{name}: no measurements in it")
    return found


def to_toml(
    found: Fit, name: str, family: str, device: str | None, factor: float, source: str
) -> str:
    """A file with one set, as energy.toml has them."""
    joules = ", ".join(f"{kind} = {value:.4g}" for kind, value in found.joules.items())
    lines = [
        "[[set]]",
        f"name = {json.dumps(name)}",
        f"joules = {{ {joules} }}",
        f"static_W = {found.static_W or 0:.4g}",
        f"factor = {factor:.4g}",
        f"family = {json.dumps(family)}",
        *([f"device = {json.dumps(device)}"] if device else []),
        "calibrated = true",
        f"source = {json.dumps(source)}",
    ]
    return "\n".join(lines) + "\n"
