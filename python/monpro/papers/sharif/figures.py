# SPDX-License-Identifier: Apache-2.0
"""The poster's figures: the rows of its comparison table, and two claims."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

from monpro.base.toml import Positive, Text, Whole, Wholes
from monpro.published import figures
from monpro.published.figures import Doubt, Source

OWN = "(this poster)"  # ends the name of the poster's own row


@dataclass(frozen=True, slots=True, kw_only=True)
class PosterRow:
    """An exponentiation of 1024 bits by one of several designs."""

    who: Text
    schemes: Text
    sizes: Wholes
    coprocessor: Text
    device: Text
    MHz: Text  # two of them, where a source names two and not which is the multiplier's
    LUT: Whole
    BRAM: Whole
    DSP: Whole
    time_ms: Positive

    @property
    def timed(self) -> str:
        """The scheme that the time is of."""
        schemes, mark, _ = self.schemes.partition(" timed)")
        return schemes.split("(")[-1] if mark else schemes

    @property
    def cycles(self) -> tuple[float, float]:
        """At the lowest clock that is named, and at the highest."""
        clocks = [float(clock) for clock in self.MHz.split("/")]
        return clocks[0] * 1e3 * self.time_ms, clocks[-1] * 1e3 * self.time_ms

    @property
    def multiplier_cycles(self) -> tuple[float, float] | None:
        """None without DSP blocks."""
        low, high = self.cycles
        return (self.DSP * low, self.DSP * high) if self.DSP else None


@dataclass(frozen=True, slots=True, kw_only=True)
class PosterClaim:
    """What the poster says beside its table."""

    speedup_over_relic_max: Positive
    communication_overhead_percent_below: Positive


@dataclass(frozen=True, slots=True)
class Poster:
    """The comparison table and the claims."""

    source: Source
    claim: PosterClaim
    rows: tuple[PosterRow, ...]
    doubts: tuple[Doubt, ...]

    @property
    def own(self) -> PosterRow:
        """The row of the poster's own design."""
        [found] = [row for row in self.rows if row.who.endswith(OWN)]
        return found


def read(file: Path) -> Poster:
    """A file of the form of paper.toml; an unknown key is an error."""
    data = figures.tables(file, "source", "claim", "row", "doubt")
    [claim] = figures.rows(PosterClaim, data["claim"], file, "claim")
    rows = figures.rows(PosterRow, data["row"], file, "row")
    for number, row in enumerate(rows, 1):
        if not all(part.replace(".", "", 1).isdecimal() for part in row.MHz.split("/")):
            raise figures.error(
                file, f'row {number}: MHz = "{row.MHz}" is not a clock, or two: "1/2"'
            )
    return Poster(figures.source(file, data), claim, rows, figures.doubts(file, data))


@functools.cache
def load() -> Poster:
    """The paper.toml of this folder."""
    return read(figures.path("sharif"))
