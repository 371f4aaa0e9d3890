# SPDX-License-Identifier: Apache-2.0
"""The reader of published figures: what the files papers/KEY/paper.toml have in common.

Each file has a table [source], which says what the paper is, and tables [[doubt]]. All its other
tables are the paper's own. The paper's papers/KEY/figures.py names them, and reads them with the
functions here. A row of a file becomes a dataclass, by `monpro.base.toml`.

Every error names the file, the place in it and what is valid there (MONPRO_ERR_FILE).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from monpro.base import paths, toml
from monpro.base.toml import Text, Whole
from monpro.errors import MonproError

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What a paper is. summary: one line about what Monpro sets beside its figures."""

    title: Text
    summary: Text
    device: Text
    authors: Text | None = None
    year: Whole | None = None
    design: Text | None = None
    workload: Text | None = None

    @property
    def who(self) -> str:
        """Authors and year, as far as they are known."""
        return ", ".join(str(part) for part in (self.authors, self.year) if part is not None)


@dataclass(frozen=True, slots=True)
class Doubt:
    """A figure that contradicts itself or arithmetic, and why."""

    of: Text
    why: Text


@dataclass(frozen=True, slots=True)
class Lists:
    """Tables of a paper with several designs: for each design a list, with a figure a length."""

    bits: tuple[int, ...]
    tables: Mapping[str, Mapping[str, tuple[float, ...]]]

    def figure(self, table: str, design: str, bits: int) -> float:
        return self.tables[table][design][self.bits.index(bits)]


def doubts_of(doubts: Sequence[Doubt], *beginnings: str) -> list[Doubt]:
    """The doubts about the figures whose names begin so."""
    return [doubt for doubt in doubts if doubt.of.startswith(beginnings)]


def path(key: str) -> Path:
    """The file with a paper's figures."""
    return paths.package() / "papers" / key / "paper.toml"


def error(file: Path, message: str) -> MonproError:
    return MonproError("MONPRO_ERR_FILE", f"{file}: {message}")


def load(file: Path) -> dict[str, Any]:
    """The whole file as it is."""
    return toml.load(file)


def tables(file: Path, *names: str) -> dict[str, Any]:
    """A file that has exactly these tables."""
    data = load(file)
    if unknown := [key for key in data if key not in names]:
        raise error(file, f'unknown table "{unknown[0]}"; there are: {", ".join(names)}')
    if missing := [name for name in names if name not in data]:
        raise error(file, f'"{missing[0]}" is missing')
    return data


def source(file: Path, data: Mapping[str, Any]) -> Source:
    """The table [source] of a file."""
    if "source" not in data:
        raise error(file, '"source" is missing')
    return row(Source, data["source"], file, "source")


def doubts(file: Path, data: Mapping[str, Any]) -> tuple[Doubt, ...]:
    """The tables [[doubt]] of a file."""
    return rows(Doubt, data["doubt"], file, "doubt")


def numbers(file: Path, where: str, value: Any, length: int) -> tuple[float, ...]:
    """A list of positive numbers, of the length that it has to have."""
    found = value if isinstance(value, list) else []
    positive = [x for x in found if isinstance(x, int | float) and x > 0]
    if len(found) != length or len(positive) != length:
        raise error(file, f"{where} is not a list of {length} positive numbers")
    return tuple(found)


def lists(file: Path, data: Mapping[str, Any], wanted: Mapping[str, Sequence[str]]) -> Lists:
    """The tables that are named, each with exactly its designs; `bits` has the lengths."""
    if missing := [name for name in ("bits", *wanted) if name not in data]:
        raise error(file, f'"{missing[0]}" is missing')
    bits = tuple(int(x) for x in numbers(file, "bits", data["bits"], len(data["bits"])))
    found = {}
    for name, designs in wanted.items():
        if set(data[name]) != set(designs):
            raise error(file, f"[{name}] has exactly the keys {', '.join(designs)}")
        found[name] = {
            design: numbers(file, f"{name}.{design}", data[name][design], len(bits))
            for design in designs
        }
    return Lists(bits, found)


def columns(kind: type[T], table: Any, file: Path, name: str) -> tuple[T, ...]:
    """A table of lists of one length, one for each field, as rows."""
    keys = [field.name for field in dataclasses.fields(kind)]  # type: ignore[arg-type]
    if set(table) != set(keys):
        raise error(file, f"[{name}] has exactly the keys {', '.join(keys)}")
    many = len(table[keys[0]])
    found = [numbers(file, f"{name}.{key}", table[key], many) for key in keys]
    return tuple(kind(**dict(zip(keys, each, strict=True))) for each in zip(*found, strict=True))


def row(kind: type[T], table: Any, file: Path, where: str) -> T:
    """A table as a dataclass; an unknown key is an error."""
    return toml.convert(table, kind, file, where)


def rows(kind: type[T], found: Any, file: Path, name: str) -> tuple[T, ...]:
    """A list of tables as dataclasses."""
    if not isinstance(found, list):
        raise error(file, f"{name} is not a list of tables: write [[{name}]]")
    return tuple(row(kind, table, file, f"{name} {n}") for n, table in enumerate(found, 1))
