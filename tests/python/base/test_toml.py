# SPDX-License-Identifier: Apache-2.0
"""TOML files as dataclasses: what is read, and the error of each slip."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pytest

from monpro.base import toml
from monpro.base.toml import NotNegative, Positive, Text, Whole, Wholes
from monpro.errors import MonproError


class Pair(tuple[int, int]):
    """A type with a form of its own."""

    @classmethod
    def from_toml(cls, value: Any) -> Pair:
        if not isinstance(value, str) or ":" not in value:
            raise ValueError('a pair: "1:2"')
        first, second = map(int, value.split(":"))
        return cls((first, second))


@dataclass(frozen=True, slots=True)
class Row:
    who: Text
    bits: Whole
    time_ms: Positive | None = None
    sizes: Wholes = (1,)
    how: Literal["read", "made"] = "read"
    pair: Pair | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    low: NotNegative
    high: NotNegative
    exact: bool = False

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError("low is above high")


@dataclass(frozen=True, slots=True)
class File:
    title: Text
    source: Mapping[str, Any] = field(default_factory=dict)
    row: tuple[Row, ...] = ()
    limits: Mapping[str, Limits] = field(default_factory=dict)
    joules: Mapping[Literal["lut", "ff"], NotNegative] | None = None
    rates: Mapping[int, Positive] | None = None


GOOD = """
title = "t"
rates = { 8 = 1, 16 = 0.5 }
joules = { lut = 1e-12 }
[source]
id = "any"
year = 2020
[[row]]
who = "A"
bits = 8
[[row]]
who = "B"
bits = 16
time_ms = 3
sizes = [1, 2]
how = "made"
pair = "1:2"
[limits.one]
low = 1
high = 2
"""


def read(tmp_path: Path, text: str, error: str = toml.FILE) -> File:
    path = tmp_path / "a.toml"
    path.write_text(text)
    return toml.read(path, File, error=error)


def test_a_file_is_read_whole(tmp_path: Path) -> None:
    found = read(tmp_path, GOOD)
    assert found == File(
        "t",
        {"id": "any", "year": 2020},
        (Row("A", 8), Row("B", 16, 3.0, (1, 2), "made", Pair((1, 2)))),
        {"one": Limits(1, 2)},
        {"lut": 1e-12},
        {8: 1, 16: 0.5},
    )


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('title = "t"\n', "", 'a.toml: "title" is missing'),
        ('title = "t"', 'title = ""', "a.toml: title = '' is not a text"),
        ("[[row]]", "[[rows]]", 'unknown table "rows"; there are: title, source, row'),
        ("[[row]]\nwho", "[row]\nwho", "a.toml: "),
        ('who = "A"\n', "", 'row 1: "who" is missing'),
        ("bits = 8", "bitz = 8", 'row 1 (A): unknown key "bitz"; there are: who, bits'),
        ("bits = 8", "bits = true", "row 1 (A): bits = True is not a whole number"),
        ("bits = 8", "bits = -8", "bits = -8 is not a whole number"),
        ("time_ms = 3", "time_ms = 0", "row 2 (B): time_ms = 0 is not a positive number"),
        ("time_ms = 3", 'time_ms = "3"', "time_ms = '3' is not a positive number"),
        ("[1, 2]", "[1.5]", "sizes = [1.5] is not a list of whole numbers"),
        ("[1, 2]", "[]", "sizes = [] is not a list of whole numbers"),
        ('"made"', '"found"', 'how = "found"; there are: read, made'),
        ('"made"', "1", "how = 1 is not one of read, made"),
        ('"1:2"', "1", "pair = 1 is not a pair:"),
        ("low = 1", "low = 3", "limits.one: low is above high"),
        ("low = 1", "exact = 1\nlow = 1", "limits.one: exact = 1 is not true or false"),
        ("high = 2", "", 'limits.one: "high" is missing'),
        ("[limits.one]\nlow = 1\nhigh = 2", "[limits]\none = 3", "limits: one is not a table"),
        ("lut =", "tul =", 'joules: unknown key "tul"; there are: lut, ff'),
        ("1e-12", "-1", "joules: lut = -1 is not a number of 0 or more"),
        ("{ 8 =", "{ fast =", 'rates: the key "fast" is not a whole number'),
        ("{ 8 = 1, 16 = 0.5 }", "3", "rates = 3 is not a table"),
        ("[source]", "[source", "line 5"),
    ],
)
def test_a_slip_names_file_table_key_and_what_is_allowed(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert old in GOOD
    with pytest.raises(MonproError) as caught:
        read(tmp_path, GOOD.replace(old, new, 1), "MONPRO_ERR_DESIGN")
    assert caught.value.name == "MONPRO_ERR_DESIGN"
    assert message in caught.value.message
    assert "a.toml" in caught.value.message


def test_one_table_where_a_list_is_meant(tmp_path: Path) -> None:
    with pytest.raises(MonproError, match=r"row is not a list of tables: write \[\[row\]\]"):
        read(tmp_path, 'title = "t"\n[row]\nwho = "A"\nbits = 8\n')


def test_a_file_that_is_not_there_or_no_text(tmp_path: Path) -> None:
    with pytest.raises(MonproError, match=r"MONPRO_ERR_FILE: .*none\.toml: No such file"):
        toml.read(tmp_path / "none.toml", File, error="MONPRO_ERR_DESIGN")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(MonproError, match=r"binary\.toml: "):
        toml.read(tmp_path / "binary.toml", File)


def test_fields_that_the_table_has_no_keys_for(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    assert toml.convert({"bits": 8}, Row, path, "row.A", who="A") == Row("A", 8)
    with pytest.raises(MonproError, match=r'row\.A: unknown key "who"; there are: bits, time_ms'):
        toml.convert({"bits": 8, "who": "B"}, Row, path, "row.A", who="A")
