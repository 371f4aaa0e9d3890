# SPDX-License-Identifier: Apache-2.0
"""A plot as data. The page's library and the library of the files (PNG, SVG) draw it alike."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

# Okabe and Ito's, told apart with any colour vision, on white and on black. Their black is not on
# black, their yellow not on white: both are left out. Markers differ as well.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
NEUTRAL = "#808080"  # what others have published, and bounds

Mode = Literal["points", "line", "both", "bars"]


@dataclass(frozen=True, slots=True)
class Axis:
    """title: with its unit. ticks: where, if not everywhere; log: base ten."""

    title: str
    log: bool = False
    ticks: tuple[float, ...] = ()
    categories: bool = False


@dataclass(frozen=True, slots=True)
class Series:
    """Points under one name. hover: what one reads at each, line by line.

    colour: by number, and with it the marker; None: neutral, of others. rough: hollow or dashed,
    what is published, estimated or in doubt. low, high: a range about each y.
    """

    name: str
    x: tuple[float | str, ...]
    y: tuple[float, ...]
    hover: tuple[tuple[str, ...], ...] = ()
    mode: Mode = "points"
    colour: int | None = None
    rough: bool = False
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if len(self.x) != len(self.y) or len(self.hover) not in (0, len(self.x)):
            raise ValueError(f"{self.name}: x, y and hover differ in number")
        if len(self.low) != len(self.high) or len(self.low) not in (0, len(self.y)):
            raise ValueError(f"{self.name}: a range for each y, or for none")


@dataclass(frozen=True, slots=True)
class Plot:
    """key: of the file's name. note: what one sees, whose figures they are. command: makes them."""

    key: str
    title: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    note: str
    command: str
    stacked: bool = False

    def ticks(self, axis: Axis) -> list[float]:
        """Where an axis of this plot has its ticks; none: where the library puts them.

        A logarithmic one has those that log_ticks finds.
        """
        if axis.ticks or not axis.log:
            return list(axis.ticks)
        every = [
            float(value)
            for series in self.series
            for value in (series.x if axis is self.x else (*series.y, *series.low, *series.high))
            if float(value) > 0
        ]
        return log_ticks(min(every), max(every))


def log_ticks(low: float, high: float) -> list[float]:
    """Powers of ten. Up to two decades also 2 and 5 times these. Below a factor of 4 even steps."""
    if high / low < 4:
        space = (high - low or high) / 3
        power = 10.0 ** math.floor(math.log10(space))
        step = max(digit * power for digit in (1, 2, 5) if digit * power <= space)
        return [step * number for number in range(max(1, int(low / step)), int(high / step) + 2)]
    digits = (1,) if high / low > 100 else (1, 2, 5)
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    found = [digit * 10.0**power for power in powers for digit in digits]
    return [tick for tick in found if low / 2 <= tick <= 2 * high]


def tick_text(value: float) -> str:
    """10, 1000, 20 k, 5 M: a few characters."""
    for size, unit in ((1e9, " G"), (1e6, " M"), (1e4, " k")):
        if value >= size:
            factor = 1e3 if unit == " k" else size
            return f"{value / factor:g}{unit}"
    return f"{value:g}"
