# SPDX-License-Identifier: Apache-2.0
"""The report's figures: a row for each optimization step, and its estimate of an instruction."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

from monpro.base.toml import Positive, Text, Whole
from monpro.published import figures
from monpro.published.figures import Doubt, Source


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRow:
    """The program after a number of optimization steps. gain_percent: against iteration 0."""

    iteration: Whole
    what: Text
    roundtrip_s: Positive
    gain_percent: Positive | None = None
    assembly_lines: Whole


@dataclass(frozen=True, slots=True, kw_only=True)
class Assist:
    """The instruction that the report draws."""

    what: Text
    software_cycles: Whole
    assisted_cycles: Whole
    estimated_speedup: Positive
    measured: bool


@dataclass(frozen=True, slots=True)
class Optimizations:
    """Table 1, and the instruction."""

    source: Source
    rows: tuple[StepRow, ...]
    assist: Assist
    doubts: tuple[Doubt, ...]


def read(file: Path) -> Optimizations:
    """A file of the form of paper.toml; an unknown key is an error."""
    data = figures.tables(file, "source", "row", "hardware_assist", "doubt")
    rows = figures.rows(StepRow, data["row"], file, "row")
    if [row.iteration for row in rows] != list(range(len(rows))):
        raise figures.error(file, "rows are of the iterations 0, 1, 2 ...")
    assist = figures.row(Assist, data["hardware_assist"], file, "hardware_assist")
    return Optimizations(figures.source(file, data), rows, assist, figures.doubts(file, data))


@functools.cache
def load() -> Optimizations:
    """The paper.toml of this folder."""
    return read(figures.path("bishop2021"))
