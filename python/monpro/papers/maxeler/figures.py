"""The figures that maxeler publishes: a profile, tables by blocks and by lanes, two of its text."""

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
class ProfileRow:
    """One function of the host's program, by gprof."""

    function: str
    time_percent: float
    cumulative_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BlocksRow:
    """Many blocks through one lane; "speed-up" is time saved."""

    input_MB: int
    blocks: int
    cpu_s: float
    dfe_s: float
    speedup_percent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LanesRow:
    """More lanes, at several sizes."""

    lanes: int
    input_MB: tuple[int, ...]
    speedup_percent: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleProduct:
    """One product with a restart for each of its constants."""

    what: str
    cpu_ns: float
    dfe_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DataflowTotal:
    """What it concludes, by Amdahl's law."""

    multiplication_share_percent: float
    multiplication_improved_percent: float
    whole_encryption_improved_percent: float


@dataclass(frozen=True, slots=True)
class Dataflow:
    """Tables 1 to 3 and two figures of its text."""

    source: Mapping[str, Any]
    profile: tuple[ProfileRow, ...]
    rows: tuple[BlocksRow, ...]
    lanes: tuple[LanesRow, ...]
    single_product: SingleProduct
    total: DataflowTotal
    doubts: tuple[Doubt, ...]


def read(source: Path) -> Dataflow:
    """A file with the form of this folder's paper.toml."""
    names = ("source", "profile", "row", "lanes", "single_product", "total", "doubt")
    data = figures.tables(source, *names)
    lanes = figures.rows(LanesRow, data["lanes"], source, "lanes")
    for number, row in enumerate(lanes, 1):
        if len(row.input_MB) != len(row.speedup_percent):
            raise figures.error(source, f"lanes {number}: a speed-up for each size")
    [single] = figures.rows(SingleProduct, data["single_product"], source, "single_product")
    [total] = figures.rows(DataflowTotal, data["total"], source, "total")
    return Dataflow(
        data["source"],
        figures.rows(ProfileRow, data["profile"], source, "profile"),
        figures.rows(BlocksRow, data["row"], source, "row"),
        lanes,
        single,
        total,
        figures.rows(Doubt, data["doubt"], source, "doubt"),
    )


@functools.cache
def load() -> Dataflow:
    """What the scanning methods are measured beside."""
    return read(figures.path("maxeler"))
