"""The figures of a reference design, from `published/R4.toml`: by length, each with its doubts."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from monpro import paths
from monpro.errors import MonproError

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
}
CLOCK = "max_frequency_MHz"  # one figure for each design
SECONDS = "latency_repeated_s"  # one table of its own
# Of the same file, for those who print them: power, software on a microcontroller, a survey.
OTHERS = ("static_W", "dynamic_W", "energy_J", "msp430", "survey")


@dataclass(frozen=True, slots=True)
class Doubt:
    """A figure that contradicts itself or arithmetic, and why."""

    of: str
    why: str


@dataclass(frozen=True, slots=True)
class Thesis:
    """R4. Every list has a figure for each of `bits`."""

    source: Mapping[str, Any]
    bits: tuple[int, ...]
    clock_mhz: Mapping[str, float]
    repeated_s: tuple[float, ...]
    tables: Mapping[str, Mapping[str, tuple[float, ...]]]
    doubts: tuple[Doubt, ...]

    def figure(self, table: str, design: str, bits: int) -> float:
        return self.tables[table][design][self.bits.index(bits)]

    def doubts_of(self, *beginnings: str) -> list[Doubt]:
        """Those whose figure is named so."""
        return [doubt for doubt in self.doubts if doubt.of.startswith(beginnings)]


def _error(source: Path, message: str) -> MonproError:
    return MonproError("MONPRO_ERR_FILE", f"{source}: {message}")


def _list(source: Path, where: str, value: Any, length: int) -> tuple[float, ...]:
    numbers = value if isinstance(value, list) else []
    positive = [x for x in numbers if isinstance(x, int | float) and x > 0]
    if len(numbers) != length or len(positive) != length:
        raise _error(source, f"{where} is not a list of {length} positive numbers")
    return tuple(numbers)


def read(source: Path) -> Thesis:
    """A file with the form of R4.toml; an unknown key is an error."""
    try:
        data = tomllib.loads(source.read_text(encoding="utf-8"))
    except OSError as why:
        raise _error(source, why.strerror or str(why)) from why
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as why:
        raise _error(source, str(why)) from why
    known = ["bits", "source", "doubt", CLOCK, SECONDS, *TABLES, *OTHERS]
    if unknown := [key for key in data if key not in known]:
        raise _error(source, f'unknown key "{unknown[0]}"; there are: {", ".join(known)}')
    needed = [key for key in known if key not in OTHERS]
    if missing := [key for key in needed if key not in data]:
        raise _error(source, f'"{missing[0]}" is missing')
    bits = tuple(int(x) for x in _list(source, "bits", data["bits"], len(data["bits"])))
    tables = {}
    for name, designs in TABLES.items():
        if set(data[name]) != set(designs):
            raise _error(source, f"[{name}] has exactly the keys {', '.join(designs)}")
        tables[name] = {
            design: _list(source, f"{name}.{design}", data[name][design], len(bits))
            for design in designs
        }
    if set(data[CLOCK]) != set(DESIGNS):
        raise _error(source, f"[{CLOCK}] has exactly the keys {', '.join(DESIGNS)}")
    repeated_s = _list(source, SECONDS, data[SECONDS].get("repeated"), len(bits))
    doubts = tuple(Doubt(**item) for item in data["doubt"])
    return Thesis(data["source"], bits, data[CLOCK], repeated_s, tables, doubts)


@functools.cache
def load() -> Thesis:
    """The thesis that the designs repeated, binary and montgomery are measured beside."""
    return read(paths.share() / "published" / "R4.toml")
