# SPDX-License-Identifier: Apache-2.0
"""Coefficients from points of known power: the thesis's published ones, or a board's measurements.

    power = static + clock x sum over kinds of (toggles a cycle x joules a toggle)

No joules are negative. The fit makes the sum of the squared logarithms of estimate / known least,
so a point of 2 mW counts as much as one of 1 W. Designs that were left out show how far off a set
is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from monpro.errors import MonproError
from monpro.power.sets import KINDS

# Kinds that share a coefficient where the points cannot tell them apart: a net is a net, whether a
# LUT or a flip-flop drives it.
NETS = ("lut", "ff")
ROUNDS = 40


@dataclass(frozen=True, slots=True)
class Point:
    """toggles: in a cycle, by kind. power_W: dynamic; or all of it, if a static part is fitted."""

    design: str
    bits: int
    clock_MHz: float
    toggles: Mapping[str, float]
    power_W: float


# ---- least squares


def _least(rows: Sequence[Sequence[float]], wanted: Sequence[float]) -> list[float] | None:
    """x >= 0 with the least |rows x - wanted|^2; None if that is no coefficient at all."""
    # They take half a second to import; most of what imports this file fits nothing.
    import numpy
    import scipy.optimize

    matrix = numpy.asarray(rows, dtype=float)
    scale = numpy.linalg.norm(matrix, axis=0)  # columns of one size: the solver's tolerance is one
    scale[scale == 0] = 1.0
    found, _ = scipy.optimize.nnls(matrix / scale, numpy.asarray(wanted, dtype=float))
    return [float(x) for x in found / scale] if found.any() else None


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
    """A point that was left out of the fit, and what the fit says of it."""

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
