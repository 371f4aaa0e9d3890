# SPDX-License-Identifier: Apache-2.0
"""The paper's figures: one row for each operation of its tables I and II."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

from monpro.base.toml import Positive, Text, Whole
from monpro.published import figures
from monpro.published.figures import Doubt, Source


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationRow:
    """One operation, in software or hardware. The cycles are those of the processor's clock."""

    bits: Whole
    op: Text
    impl: Text
    cycles_M: Positive
    time_ms: Positive
    throughput_ops_s: Positive
    speedup: Positive | None = None


@dataclass(frozen=True, slots=True)
class Tables:
    """Tables I and II."""

    source: Source
    rows: tuple[OperationRow, ...]
    doubts: tuple[Doubt, ...]

    def row(self, bits: int, op: str, impl: str) -> OperationRow:
        [found] = [row for row in self.rows if (row.bits, row.op, row.impl) == (bits, op, impl)]
        return found


def read(file: Path) -> Tables:
    """A file of the form of paper.toml; an unknown key is an error."""
    data = figures.tables(file, "source", "row", "doubt")
    rows = figures.rows(OperationRow, data["row"], file, "row")
    wanted = {(b, op, how) for b in (1024, 2048) for op in ("encrypt", "decrypt")
              for how in ("software", "hardware")}  # fmt: skip
    if sorted((row.bits, row.op, row.impl) for row in rows) != sorted(wanted):
        raise figures.error(file, "there is one row of each length, op and impl")
    return Tables(figures.source(file, data), rows, figures.doubts(file, data))


@functools.cache
def load() -> Tables:
    """The paper.toml of this folder."""
    return read(figures.path("pai2025"))
