"""The table of docs/scanning.md: where the time of a program in C goes."""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import tomllib

from figures.catalogue import ROOT
from figures.store import Store
from figures.tables.kit import markdown, table

PAPER = ROOT / "python" / "monpro" / "papers" / "maxeler" / "paper.toml"
METHODS = ("sos", "cios", "fios", "fips", "cihs")
SHARES = {  # of the products of digits: its line, the program, the field of its record
    "products of digits, called": ("called", "time_percent"),
    "products of digits, in place": ("plain", "time_percent"),
    "of all operations counted": ("plain", "operations_percent"),
}


def _published() -> str:
    """The share that the paper's own profile has."""
    profile = tomllib.loads(PAPER.read_text(encoding="utf-8"))["profile"]
    [share] = [row["time_percent"] for row in profile if row["function"] == "mult32x32"]
    return f"{share}"


@table
def scanning_profile(store: Store) -> str:
    rows: list[list[str]] = []
    for line, (form, field) in SHARES.items():
        found = [store.one("measured/scanning", method=name, form=form) for name in METHODS]
        shares = [f"{item[field]['multiply']:.1f}" for item in found]
        rows.append([line, "" if rows else _published(), *shares])
    return markdown(["", "maxeler", *(name.upper() for name in METHODS)], rows)
