"""The figures that pai2025 publishes: tables I and II."""

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
class PaperRow:
    """One operation, in software or hardware. The cycles are those of the processor's clock."""

    bits: int
    op: str
    impl: str
    cycles_M: float
    time_ms: float
    throughput_ops_s: float
    speedup: float | None = None


@dataclass(frozen=True, slots=True)
class Paper:
    """Tables I and II."""

    source: Mapping[str, Any]
    rows: tuple[PaperRow, ...]
    doubts: tuple[Doubt, ...]

    def row(self, bits: int, op: str, impl: str) -> PaperRow:
        [found] = [row for row in self.rows if (row.bits, row.op, row.impl) == (bits, op, impl)]
        return found


def read(source: Path) -> Paper:
    """A file with the form of this folder's paper.toml."""
    data = figures.tables(source, "source", "row", "doubt")
    rows = figures.rows(PaperRow, data["row"], source, "row")
    wanted = {(b, op, how) for b in (1024, 2048) for op in ("encrypt", "decrypt")
              for how in ("software", "hardware")}  # fmt: skip
    if sorted((row.bits, row.op, row.impl) for row in rows) != sorted(wanted):
        raise figures.error(source, "there is one row of each length, op and impl")
    return Paper(data["source"], rows, figures.rows(Doubt, data["doubt"], source, "doubt"))


@functools.cache
def load() -> Paper:
    """What the design pynq is measured beside."""
    return read(figures.path("pai2025"))
