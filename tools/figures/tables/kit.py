"""What tables share: the mark of a table, Markdown, blocks of a console, forms of numbers."""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from collections.abc import Sequence

from figures.pages import Table

TABLES: dict[str, Table] = {}


def table(function: Table) -> Table:
    """Marks a function as the one that writes the table of its name."""
    name = function.__name__.replace("_", "-")
    if name in TABLES:
        raise ValueError(f"two tables are called {name}")
    TABLES[name] = function
    return function


def markdown(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table; the lines of README and docs begin and end with a bar."""
    if any(len(row) != len(heads) for row in rows):
        raise ValueError(f"a row has not the columns {heads}")
    return "\n".join([_row(heads), "|---" * len(heads) + "|", *map(_row, rows)])


def _row(cells: Sequence[str]) -> str:
    return "".join(f"| {cell} " if cell else "| " for cell in cells) + "|"


def console(lines: Sequence[str]) -> str:
    """A session, as README shows it."""
    return "\n".join(["```console", *lines, "```"])


def aligned(rows: Sequence[Sequence[str]], *, left: int = 1) -> list[str]:
    """Rows as plain text: the first columns to the left, the others to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        " ".join(
            cell.ljust(width) if i < left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def percent(share: float, digits: int = 1) -> str:
    return f"{100 * share:.{digits}f} %"


def spaced(number: int) -> str:
    """A whole number with its thousands apart: 4 428 900."""
    return f"{number:,}".replace(",", " ")
