# SPDX-License-Identifier: Apache-2.0
"""The published points of power, and the times of a microcontroller, from a paper's file.

Coefficients of energy are fitted on these points (monpro/power/fit.py). Both are read from the
paper's file by the paper's key, because power/ lies below papers/ and cannot use its code.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path

from monpro.published import figures
from monpro.published.figures import Lists

# The tables of a paper with such points. Their lists are those of its designs, in order.
TABLES = ("LUT", "FF", "static_W", "dynamic_W")
LATENCY = "latency_us_avg"  # published for some of the designs
SOFTWARE = "msp430"


@dataclass(frozen=True, slots=True, kw_only=True)
class SoftwareRow:
    """RSA-1024 on a microcontroller at one of its clocks."""

    MHz: float
    encrypt_ms: float
    decrypt_s: float


@dataclass(frozen=True, slots=True)
class Points(Lists):
    """Area, power and mean latency of designs, by length; the designs in the order of the file."""

    designs: tuple[str, ...]
    software: tuple[SoftwareRow, ...]


def read(file: Path) -> Points:
    """A file that has the tables above; it may have more."""
    data = figures.load(file)
    if missing := [name for name in (*TABLES, LATENCY, SOFTWARE) if name not in data]:
        raise figures.error(file, f'"{missing[0]}" is missing')
    designs = tuple(data[TABLES[0]])
    wanted = dict.fromkeys(TABLES, designs) | {LATENCY: tuple(data[LATENCY])}
    lists = figures.lists(file, data, wanted)
    software = figures.columns(SoftwareRow, data[SOFTWARE], file, SOFTWARE)
    return Points(lists.bits, lists.tables, designs, software)


@functools.cache
def load(key: str) -> Points:
    """The points of a paper."""
    return read(figures.path(key))
