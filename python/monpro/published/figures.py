"""How the figures of a paper are read: tables of rows, each checked, and the doubts about them."""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import dataclasses
import tomllib
import types
import typing
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from monpro.base import paths
from monpro.errors import MonproError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


Row = TypeVar("Row", bound="DataclassInstance")


@dataclass(frozen=True, slots=True)
class Doubt:
    """A figure that contradicts itself or arithmetic, and why."""

    of: str
    why: str


def doubts_of(doubts: Sequence[Doubt], *beginnings: str) -> list[Doubt]:
    """Those whose figure is named so."""
    return [doubt for doubt in doubts if doubt.of.startswith(beginnings)]


def path(key: str) -> Path:
    """The file with a paper's figures."""
    return paths.package() / "papers" / key / "paper.toml"


def error(source: Path, message: str) -> MonproError:
    return MonproError("MONPRO_ERR_FILE", f"{source}: {message}")


def load(source: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(source.read_text(encoding="utf-8"))
    except OSError as why:
        raise error(source, why.strerror or str(why)) from why
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as why:
        raise error(source, str(why)) from why


def numbers(source: Path, where: str, value: Any, length: int) -> tuple[float, ...]:
    items = value if isinstance(value, list) else []
    positive = [x for x in items if isinstance(x, int | float) and x > 0]
    if len(items) != length or len(positive) != length:
        raise error(source, f"{where} is not a list of {length} positive numbers")
    return tuple(items)


def _value(kind: Any, value: Any) -> Any:
    """A value as its field has it; ValueError says what it should have been."""
    if isinstance(kind, types.UnionType):  # X | None: what is absent never comes here
        [kind] = [arm for arm in typing.get_args(kind) if arm is not type(None)]
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind == tuple[int, ...]:
        if not isinstance(value, list) or not value or {type(x) for x in value} != {int}:
            raise ValueError("a list of whole numbers")
        return tuple(value)
    if kind is float:
        if not number or value <= 0:
            raise ValueError("a positive number")
    elif kind is int:
        if type(value) is not int or value < 0:
            raise ValueError("a whole number")
    elif kind is bool:
        if not isinstance(value, bool):
            raise ValueError("true or false")
    elif not isinstance(value, str) or not value:
        raise ValueError("a text")
    return value


def row(kind: type[Row], table: Any, source: Path, where: str) -> Row:
    hints = typing.get_type_hints(kind)
    if not isinstance(table, dict):
        raise error(source, f"{where} is not a table")
    if unknown := [key for key in table if key not in hints]:
        raise error(source, f'{where}: unknown key "{unknown[0]}"; there are: {", ".join(hints)}')
    needed = [f.name for f in dataclasses.fields(kind) if f.default is dataclasses.MISSING]
    if missing := [key for key in needed if key not in table]:
        raise error(source, f'{where}: "{missing[0]}" is missing')
    values = {}
    for key, value in table.items():
        try:
            values[key] = _value(hints[key], value)
        except ValueError as why:
            raise error(source, f"{where}: {key} = {value!r} is not {why}") from None
    return kind(**values)


def rows(kind: type[Row], given: Any, source: Path, name: str) -> tuple[Row, ...]:
    if not isinstance(given, list):
        raise error(source, f"{name} is not a list of tables: write [[{name}]]")
    each = enumerate(given, 1)
    return tuple(row(kind, table, source, f"{name} {number}") for number, table in each)


def tables(source: Path, *names: str) -> dict[str, Any]:
    """A file of rows; every one of the names is in it, and nothing else."""
    data = load(source)
    if unknown := [key for key in data if key not in names]:
        raise error(source, f'unknown table "{unknown[0]}"; there are: {", ".join(names)}')
    if missing := [name for name in names if name not in data]:
        raise error(source, f'"{missing[0]}" is missing')
    return data
