"""The figures of others, from `published/peers.toml`: what is there, and what follows from it."""

from __future__ import annotations

import dataclasses
import functools
import tomllib
import types
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from monpro.base import paths
from monpro.errors import MonproError

OPERATIONS = ("modexp", "rsa_private", "rsa_public", "product")
OBTAINED = ("published", "measured")
Range = tuple[float, float]
T = typing.TypeVar("T")


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Hardware:
    """One operation of one coprocessor; what its source does not say is None."""

    who: str
    device: str
    operation: str
    bits: int
    obtained: str
    multipliers: Range | None = None
    clock_mhz: Range | None = None
    cycles: int | None = None
    cycles_precompute: int | None = None
    time_ms: float | None = None
    scheme: str | None = None
    constant_time: bool | None = None
    crt: bool | None = None
    key_state: str | None = None
    lut: int | None = None
    doubts: tuple[str, ...] = ()

    @property
    def cycle_range(self) -> Range | None:
        """The cycles given, or those of the time at each clock that is named."""
        if self.cycles is not None:
            return self.cycles, self.cycles
        if self.time_ms is None or self.clock_mhz is None:
            return None
        low, high = (self.time_ms * 1e3 * clock for clock in self.clock_mhz)
        return low, high

    @property
    def multiplier_cycles(self) -> Range | None:
        """Blocks present times cycles; None if either is unknown or there are no blocks."""
        cycles = self.cycle_range
        if cycles is None or self.multipliers is None or self.multipliers[1] == 0:
            return None
        return self.multipliers[0] * cycles[0], self.multipliers[1] * cycles[1]

    @property
    def shown_time_ms(self) -> float | None:
        """The time given, or cycles over clock."""
        if self.time_ms is not None:
            return self.time_ms
        if self.cycles is None or self.clock_mhz is None:
            return None
        return self.cycles / self.clock_mhz[1] / 1e3


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A peer's clock and area, where its source was placed and routed."""

    who: str
    device: str
    multipliers: int
    clock_mhz: float
    lut: int
    ff: int
    seeds: int
    obtained: str
    doubts: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Software:
    """Operations a second of a library, by length in bits."""

    who: str
    operation: str
    ops_per_s: Mapping[int, float]
    obtained: str
    blinded: bool | None = None
    checked: bool | None = None
    note: str | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Peers:
    """Everything in the file."""

    source: Mapping[str, str]
    hardware: tuple[Hardware, ...]
    placed: tuple[Placed, ...]
    software: tuple[Software, ...]


def _error(where: str, message: str) -> MonproError:
    return MonproError("MONPRO_ERR_FILE", f"{where}: {message}")


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _value(kind: Any, value: Any) -> Any:
    """A value as its field has it; ValueError says what it should have been."""
    if isinstance(kind, types.UnionType):  # X | None: what is absent never comes here
        [kind] = [arm for arm in typing.get_args(kind) if arm is not type(None)]
    if kind == Range:
        pair = value if isinstance(value, list) else [value, value]
        if len(pair) != 2 or not all(map(_number, pair)) or not 0 <= pair[0] <= pair[1]:
            raise ValueError("a number, or a range of two")
        return tuple(pair)
    if kind == tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise ValueError("a list of strings")
        return tuple(value)
    if kind == Mapping[int, float]:
        pairs = value.items() if isinstance(value, dict) else []
        if not pairs or not all(k.isdecimal() and _number(v) and v > 0 for k, v in pairs):
            raise ValueError("a table of positive numbers by bits")
        return {int(k): v for k, v in pairs}
    if kind is float:
        if not _number(value) or value <= 0:
            raise ValueError("a positive number")
        return value
    if type(value) is not kind or (kind is int and value < 0) or value == "":
        raise ValueError(f"a {kind.__name__}")
    return value


def _row(kind: type[T], table: Mapping[str, Any], where: str) -> T:
    hints = typing.get_type_hints(kind)
    fields = dataclasses.fields(kind)  # type: ignore[arg-type]
    if unknown := [key for key in table if key not in hints]:
        raise _error(where, f'unknown key "{unknown[0]}"; there are: {", ".join(hints)}')
    needed = [field.name for field in fields if field.default is dataclasses.MISSING]
    if missing := [key for key in needed if key not in table]:
        raise _error(where, f'"{missing[0]}" is missing')
    values = {}
    for key, value in table.items():
        try:
            values[key] = _value(hints[key], value)
        except ValueError as why:
            raise _error(where, f"{key} = {value!r} is not {why}") from None
    for key, valid in (("operation", OPERATIONS), ("obtained", OBTAINED)):
        if key in values and values[key] not in valid:
            raise _error(where, f'{key} = "{values[key]}"; there are: {", ".join(valid)}')
    return kind(**values)


def _rows(kind: type[T], tables: Mapping[str, Any], name: str, source: Path) -> tuple[T, ...]:
    rows = tables.get(name, [])
    if not isinstance(rows, list):
        raise _error(str(source), f"{name} is not a list of tables: write [[{name}]]")
    return tuple(
        _row(kind, row, f"{source}: {name} {number} ({row.get('who', 'nameless')})")
        for number, row in enumerate(rows, 1)
    )


def read(source: Path) -> Peers:
    """A file with the form of peers.toml; an unknown key anywhere is an error."""
    try:
        tables = tomllib.loads(source.read_text(encoding="utf-8"))
    except OSError as why:
        raise _error(str(source), why.strerror or str(why)) from why
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as why:
        raise _error(str(source), str(why)) from why
    kinds = {"source": None, "hardware": Hardware, "placed": Placed, "software": Software}
    if unknown := [key for key in tables if key not in kinds]:
        valid = ", ".join(kinds)
        raise _error(str(source), f'unknown table "{unknown[0]}"; there are: {valid}')
    head = tables.get("source", {})
    if set(head) != {"id", "title", "note"}:
        raise _error(str(source), "[source] has exactly the keys id, title, note")
    return Peers(
        head,
        _rows(Hardware, tables, "hardware", source),
        _rows(Placed, tables, "placed", source),
        _rows(Software, tables, "software", source),
    )


@functools.cache
def load() -> Peers:
    """The peers that Monpro is measured against."""
    return read(paths.share() / "published" / "peers.toml")
