# SPDX-License-Identifier: Apache-2.0
"""TOML files as frozen dataclasses.

`read` converts a file into a dataclass whose fields are the keys of the file. msgspec converts the
values. This module adds what msgspec does not have for dataclasses: an unknown key is an error, and
each error names the file, the table, the key and what is allowed.

    @dataclass(frozen=True, slots=True)
    class Row:
        bits: Whole
        time_ms: Positive
        note: Text | None = None

    @dataclass(frozen=True, slots=True)
    class File:
        source: Mapping[str, Any]
        row: tuple[Row, ...]

    toml.read(path, File)

- A field without a default is a key that must be there.
- `tuple[Row, ...]` is a list of tables: `[[row]]`.
- `Mapping[str, Row]` is one table for each name: `[row.NAME]`.
- A `Literal` allows the listed values only.
- `Meta(description=...)` of an annotated type says in an error what is allowed.
- A rule over several keys belongs to `__post_init__`, which raises ValueError.
- A class with a method `from_toml` converts its value itself, and raises ValueError.
"""

from __future__ import annotations

import dataclasses
import tomllib
import types
import typing
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from monpro.errors import MonproError

T = TypeVar("T")

Positive = Annotated[float, Meta(gt=0, description="a positive number")]
NotNegative = Annotated[float, Meta(ge=0, description="a number of 0 or more")]
Whole = Annotated[int, Meta(ge=0, description="a whole number")]
Text = Annotated[str, Meta(min_length=1, description="a text")]
Wholes = Annotated[tuple[int, ...], Meta(min_length=1, description="a list of whole numbers")]

FILE = "MONPRO_ERR_FILE"
_WORDS: Mapping[Any, str] = {
    int: "a whole number", float: "a number", str: "a text", bool: "true or false",
    tuple: "a list", Mapping: "a table",
}  # fmt: skip
_TABLE_NAMES = ("name", "who")  # keys whose value names a table of a list in an error


def load(path: Path, *, error: str = FILE) -> dict[str, Any]:
    """The tables of a file. error: the name of the error of a file that is not TOML."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as why:
        raise MonproError(FILE, f"{path}: {why.strerror or why}") from why
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as why:
        raise MonproError(error, f"{path}: {why}") from why


def read(path: Path, kind: type[T], *, error: str = FILE) -> T:
    """A file as a dataclass. error: the name of the error of a file that has not this form."""
    return convert(load(path, error=error), kind, path, error=error)


def convert(
    data: Any, kind: type[T], source: Path, *where: str, error: str = FILE, **given: Any
) -> T:
    """A table of a file as a dataclass.

    where: the names of the tables around it, for errors. given: fields that the table has no keys
    for, because they are known from elsewhere, as the name of the table.
    """
    try:
        _check(data, kind, where, given)
        whole = {**data, **given} if given else data
        return msgspec.convert(whole, kind, dec_hook=_own, str_keys=True)
    except _WrongError as why:
        place = f"{source}: {'.'.join(why.where)}" if why.where else str(source)
        raise MonproError(error, f"{place}: {why}") from None


class _WrongError(Exception):
    """A value does not have its type. where: the tables that it is in."""

    def __init__(self, where: tuple[str, ...], message: str) -> None:
        super().__init__(message)
        self.where = where


def _own(kind: Any, value: Any) -> Any:
    """A value of a type that msgspec does not know: a given field, or one of from_toml."""
    return value if isinstance(value, kind) else kind.from_toml(value)


def _bare(kind: Any) -> Any:
    """The type without None: what is absent in a file is never given."""
    if isinstance(kind, types.UnionType) or typing.get_origin(kind) is typing.Union:
        arms = [arm for arm in typing.get_args(kind) if arm is not type(None)]
        return arms[0] if len(arms) == 1 else kind
    return kind


def _plain(kind: Any) -> Any:
    """The type without its annotations."""
    kind = _bare(kind)
    return typing.get_args(kind)[0] if typing.get_origin(kind) is Annotated else kind


def _check(data: Any, kind: Any, where: tuple[str, ...], given: Mapping[str, Any]) -> None:
    """Raises an error for the first value that does not have its type."""
    if not isinstance(data, dict):
        raise _WrongError(where[:-1], f"{where[-1] if where else 'this'} is not a table")
    hints = typing.get_type_hints(kind, include_extras=True)
    fields = {f.name: f for f in dataclasses.fields(kind) if f.name not in given}
    if unknown := [key for key in data if key not in fields]:
        thing = "table" if _is_tables(data[unknown[0]]) else "key"
        raise _WrongError(where, f'unknown {thing} "{unknown[0]}"; {_there(fields)}')
    for name, each in fields.items():
        needed = each.default is each.default_factory is dataclasses.MISSING
        if needed and name not in data:
            raise _WrongError(where, f'"{name}" is missing')
    for key, value in data.items():
        _check_value(key, value, hints[key], where)
    try:
        msgspec.convert({**data, **given}, kind, dec_hook=_own, str_keys=True)
    except msgspec.ValidationError as why:  # a rule of the dataclass itself
        raise _WrongError(where, str(why.__cause__ or why)) from None


def _check_value(key: str, value: Any, kind: Any, where: tuple[str, ...]) -> None:
    plain = _plain(kind)
    origin, arguments = typing.get_origin(plain), typing.get_args(plain)
    if dataclasses.is_dataclass(plain):
        return _check(value, plain, (*where, key), {})
    if origin is tuple and dataclasses.is_dataclass(arguments[0]):
        if not isinstance(value, list):
            raise _WrongError(where, f"{key} is not a list of tables: write [[{key}]]")
        for label, table in _labelled(key, value):
            _check(table, arguments[0], (*where, label), {})
    elif origin is Mapping and isinstance(value, dict):
        for name, item in value.items():
            _check_name(name, arguments[0], (*where, key))
            _check_value(name, item, arguments[1], (*where, key))
    try:
        msgspec.convert(value, _bare(kind), dec_hook=_own, str_keys=True)
    except msgspec.ValidationError as why:
        if typing.get_origin(plain) is typing.Literal and isinstance(value, str):
            message = f'{key} = "{value}"; {_there(arguments)}'
        else:
            message = f"{key} = {value!r} is not {why.__cause__ or _allowed(kind)}"
        raise _WrongError(where, message) from None


def _check_name(name: str, kind: Any, where: tuple[str, ...]) -> None:
    """Checks the key of a table that has names of its own."""
    if typing.get_origin(kind) is typing.Literal:
        if name not in typing.get_args(kind):
            known = _there(typing.get_args(kind))
            raise _WrongError(where, f'unknown key "{name}"; {known}')
    elif kind is int and not name.isdecimal():
        raise _WrongError(where, f'the key "{name}" is not {_WORDS[int]}')


def _is_tables(value: Any) -> bool:
    return isinstance(value, dict) or (
        isinstance(value, list) and bool(value) and isinstance(value[0], dict)
    )


def _labelled(key: str, tables: list[Any]) -> Iterator[tuple[str, Any]]:
    """The tables of a list, each with its number, and its name where it has one."""
    for number, table in enumerate(tables, 1):
        names = [table[name] for name in _TABLE_NAMES if isinstance(table, dict) and name in table]
        yield f"{key} {number}" + (f" ({names[0]})" if names else ""), table


def _there(names: typing.Iterable[str]) -> str:
    known = [str(name) for name in names]
    return f"there {'is' if len(known) == 1 else 'are'}: {', '.join(known)}"


def _allowed(kind: Any) -> str:
    """What a value may be, in words."""
    kind = _bare(kind)
    for note in getattr(kind, "__metadata__", ()):
        if isinstance(note, Meta) and note.description:
            return note.description
    plain = _plain(kind)
    origin, arguments = typing.get_origin(plain), typing.get_args(plain)
    if origin is tuple:
        return f"a list, each item {_allowed(arguments[0])}"
    if origin is typing.Literal:
        return "one of " + ", ".join(map(str, arguments))
    return _WORDS.get(origin or plain) or str(getattr(plain, "__name__", plain))
