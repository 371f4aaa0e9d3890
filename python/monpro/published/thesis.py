"""The figures that ledgard2023 publishes, by length, for each of three designs.

The power model is fitted on them, and the verdict asks its question: so they are read here, on a
floor below both.
"""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from monpro.published import figures
from monpro.published.figures import Doubt

DESIGNS = ("repeated", "binary", "montgomery")
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
SOFTWARE = "msp430"  # lists of its own, for each of its clocks
OTHERS = ("survey",)  # of the same file, for those who print it


@dataclass(frozen=True, slots=True, kw_only=True)
class SoftwareRow:
    """RSA-1024 on a microcontroller at one of its clocks."""

    MHz: float
    encrypt_ms: float
    decrypt_s: float


@dataclass(frozen=True, slots=True)
class Thesis:
    """R4. Every list has a figure for each of `bits`."""

    source: Mapping[str, Any]
    bits: tuple[int, ...]
    clock_mhz: Mapping[str, float]
    repeated_s: tuple[float, ...]
    tables: Mapping[str, Mapping[str, tuple[float, ...]]]
    doubts: tuple[Doubt, ...]
    software: tuple[SoftwareRow, ...]

    def figure(self, table: str, design: str, bits: int) -> float:
        return self.tables[table][design][self.bits.index(bits)]

    def doubts_of(self, *beginnings: str) -> list[Doubt]:
        """Those whose figure is named so."""
        return figures.doubts_of(self.doubts, *beginnings)


def read(source: Path) -> Thesis:
    """A file with the form of this folder's paper.toml; an unknown key is an error."""
    data = figures.load(source)
    known = ["bits", "source", "doubt", CLOCK, SECONDS, SOFTWARE, *TABLES, *OTHERS]
    if unknown := [key for key in data if key not in known]:
        raise figures.error(source, f'unknown key "{unknown[0]}"; there are: {", ".join(known)}')
    needed = [key for key in known if key not in OTHERS]
    if missing := [key for key in needed if key not in data]:
        raise figures.error(source, f'"{missing[0]}" is missing')
    bits = tuple(int(x) for x in figures.numbers(source, "bits", data["bits"], len(data["bits"])))
    tables = {}
    for name, designs in TABLES.items():
        if set(data[name]) != set(designs):
            raise figures.error(source, f"[{name}] has exactly the keys {', '.join(designs)}")
        tables[name] = {
            design: figures.numbers(source, f"{name}.{design}", data[name][design], len(bits))
            for design in designs
        }
    if set(data[CLOCK]) != set(DESIGNS):
        raise figures.error(source, f"[{CLOCK}] has exactly the keys {', '.join(DESIGNS)}")
    repeated_s = figures.numbers(source, SECONDS, data[SECONDS].get("repeated"), len(bits))
    doubts = tuple(Doubt(**item) for item in data["doubt"])
    columns = [field.name for field in dataclasses.fields(SoftwareRow)]
    if set(data[SOFTWARE]) != set(columns):
        raise figures.error(source, f"[{SOFTWARE}] has exactly the keys {', '.join(columns)}")
    many = len(data[SOFTWARE]["MHz"])
    lists = [
        figures.numbers(source, f"{SOFTWARE}.{key}", data[SOFTWARE][key], many) for key in columns
    ]
    software = tuple(
        SoftwareRow(**dict(zip(columns, row, strict=True))) for row in zip(*lists, strict=True)
    )
    return Thesis(data["source"], bits, data[CLOCK], repeated_s, tables, doubts, software)


@functools.cache
def load() -> Thesis:
    """The thesis that the designs repeated, binary and montgomery are measured beside."""
    return read(figures.path("ledgard2023"))
