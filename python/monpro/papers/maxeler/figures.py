# SPDX-License-Identifier: Apache-2.0
"""The paper's figures: its profile, rows of blocks and of lanes, and two figures of its text."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

from monpro.base.toml import Positive, Text, Whole, Wholes
from monpro.published import figures
from monpro.published.figures import Doubt, Source


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileRow:
    """One function of the host's program, by gprof."""

    function: Text
    time_percent: Positive
    cumulative_s: Positive


@dataclass(frozen=True, slots=True, kw_only=True)
class BlocksRow:
    """Many blocks through one lane; "speed-up" is time saved."""

    input_MB: Whole
    blocks: Whole
    cpu_s: Positive
    dfe_s: Positive
    speedup_percent: Whole


@dataclass(frozen=True, slots=True, kw_only=True)
class LanesRow:
    """More lanes, at several sizes."""

    lanes: Whole
    input_MB: Wholes
    speedup_percent: Wholes


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleProduct:
    """One product with a restart for each of its constants."""

    what: Text
    cpu_ns: Positive
    dfe_ms: Positive


@dataclass(frozen=True, slots=True, kw_only=True)
class DataflowTotal:
    """What the paper concludes, by Amdahl's law."""

    multiplication_share_percent: Positive
    multiplication_improved_percent: Positive
    whole_encryption_improved_percent: Positive


@dataclass(frozen=True, slots=True)
class Dataflow:
    """Tables 1 to 3 and two figures of the text."""

    source: Source
    profile: tuple[ProfileRow, ...]
    rows: tuple[BlocksRow, ...]
    lanes: tuple[LanesRow, ...]
    single_product: SingleProduct
    total: DataflowTotal
    doubts: tuple[Doubt, ...]


def read(file: Path) -> Dataflow:
    """A file of the form of paper.toml; an unknown key is an error."""
    names = ("source", "profile", "row", "lanes", "single_product", "total", "doubt")
    data = figures.tables(file, *names)
    lanes = figures.rows(LanesRow, data["lanes"], file, "lanes")
    for number, row in enumerate(lanes, 1):
        if len(row.input_MB) != len(row.speedup_percent):
            raise figures.error(file, f"lanes {number}: a speed-up for each size")
    [single] = figures.rows(SingleProduct, data["single_product"], file, "single_product")
    [total] = figures.rows(DataflowTotal, data["total"], file, "total")
    return Dataflow(
        figures.source(file, data),
        figures.rows(ProfileRow, data["profile"], file, "profile"),
        figures.rows(BlocksRow, data["row"], file, "row"),
        lanes,
        single,
        total,
        figures.doubts(file, data),
    )


@functools.cache
def load() -> Dataflow:
    """The paper.toml of this folder."""
    return read(figures.path("maxeler"))
