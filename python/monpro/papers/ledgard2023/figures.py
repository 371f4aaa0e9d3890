# SPDX-License-Identifier: Apache-2.0
"""The thesis's figures: lists by length of three designs, and the times of a microcontroller."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from monpro.published import figures
from monpro.published.figures import Doubt, Lists, Source
from monpro.published.power import SOFTWARE, SoftwareRow

DESIGNS = ("repeated", "binary", "montgomery")
PAPER_MHZ = 10.0  # the thesis's simulation clock
# Tables with a figure for each length; those that the thesis has for two of the designs only.
TABLES = {
    "LUT": DESIGNS,
    "FF": DESIGNS,
    "cycles": DESIGNS,
    "throughput_bit_s": DESIGNS,
    "latency_us_min": DESIGNS[1:],
    "latency_us_max": DESIGNS[1:],
    "latency_us_avg": DESIGNS[1:],
    "static_W": DESIGNS,
    "dynamic_W": DESIGNS,
    "energy_J": DESIGNS[1:],
}
CLOCK = "max_frequency_MHz"  # one figure for each design
SECONDS = "latency_repeated_s"  # one table of its own
OTHERS = ("survey",)  # of the same file, for those who print it


@dataclass(frozen=True, slots=True)
class Thesis(Lists):
    """Every list has a figure for each of `bits`."""

    source: Source
    clock_mhz: Mapping[str, float]
    repeated_s: tuple[float, ...]
    doubts: tuple[Doubt, ...]
    software: tuple[SoftwareRow, ...]

    def doubts_of(self, *beginnings: str) -> list[Doubt]:
        """The doubts about the figures whose names begin so."""
        return figures.doubts_of(self.doubts, *beginnings)


def read(file: Path) -> Thesis:
    """A file of the form of paper.toml; an unknown key is an error."""
    data = figures.load(file)
    known = ["bits", "source", "doubt", CLOCK, SECONDS, SOFTWARE, *TABLES, *OTHERS]
    if unknown := [key for key in data if key not in known]:
        raise figures.error(file, f'unknown key "{unknown[0]}"; there are: {", ".join(known)}')
    if missing := [key for key in known if key not in data and key not in OTHERS]:
        raise figures.error(file, f'"{missing[0]}" is missing')
    lists = figures.lists(file, data, TABLES)
    if set(data[CLOCK]) != set(DESIGNS):
        raise figures.error(file, f"[{CLOCK}] has exactly the keys {', '.join(DESIGNS)}")
    repeated = data[SECONDS].get("repeated")
    return Thesis(
        lists.bits,
        lists.tables,
        figures.source(file, data),
        data[CLOCK],
        figures.numbers(file, SECONDS, repeated, len(lists.bits)),
        figures.doubts(file, data),
        figures.columns(SoftwareRow, data[SOFTWARE], file, SOFTWARE),
    )


@functools.cache
def load() -> Thesis:
    """The paper.toml of this folder."""
    return read(figures.path("ledgard2023"))
