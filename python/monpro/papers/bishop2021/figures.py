"""The figures that bishop2021 publishes: table 1, and an instruction that was drawn."""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from monpro.published import figures
from monpro.published.figures import Doubt


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRow:
    """A program after so many optimization steps."""

    iteration: int
    what: str
    roundtrip_s: float
    gain_percent: float | None = None  # against iteration 0
    assembly_lines: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Assist:
    """An instruction that was drawn."""

    what: str
    software_cycles: int
    assisted_cycles: int
    estimated_speedup: float
    measured: bool


@dataclass(frozen=True, slots=True)
class Optimizations:
    """Table 1, and the instruction."""

    source: Mapping[str, Any]
    rows: tuple[StepRow, ...]
    assist: Assist
    doubts: tuple[Doubt, ...]


def read(source: Path) -> Optimizations:
    """A file with the form of this folder's paper.toml."""
    data = figures.tables(source, "source", "row", "hardware_assist", "doubt")
    rows = figures.rows(StepRow, data["row"], source, "row")
    if [row.iteration for row in rows] != list(range(len(rows))):
        raise figures.error(source, "rows are of the iterations 0, 1, 2 ...")
    assist = figures.row(Assist, data["hardware_assist"], source, "hardware_assist")
    return Optimizations(
        data["source"], rows, assist, figures.rows(Doubt, data["doubt"], source, "doubt")
    )


@functools.cache
def load() -> Optimizations:
    """What the program in soc/assist and the design assist are measured beside."""
    return read(figures.path("bishop2021"))
