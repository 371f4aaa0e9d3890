# SPDX-License-Identifier: Apache-2.0
"""What a command printed, as blocks of a page: headings, paragraphs, tables that can be sorted."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from monpro.base.terminal import Grid
from monpro.webpage.sources import Parts

# How a text begins that is not plain.
_KINDS = {"Doubt": "doubt", "Who is ahead": "ahead", "FAILED": "wrong", "WRONG": "wrong"}
LONGEST_CAPTION, LONGEST_HEADING = 200, 100  # characters; more is a paragraph
# Words in a column's head whose figures are of others.
_THEIRS = ("thesis", "paper", "poster", "published", "report")


@dataclass(frozen=True, slots=True)
class Text:
    """kind: heading, plain, doubt, ahead or wrong."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Column:
    lines: tuple[str, ...]
    number: bool
    theirs: bool


@dataclass(frozen=True, slots=True)
class Row:
    """theirs: its figures are of others, whatever the columns say."""

    cells: tuple[str, ...]
    theirs: bool


@dataclass(frozen=True, slots=True)
class Group:
    """Rows under one heading, which is empty where there is none."""

    title: str
    rows: list[Row] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Table:
    caption: str
    columns: tuple[Column, ...]
    groups: tuple[Group, ...]


Block = Text | Table


def _of_others(name: str) -> bool:
    return name.lower().startswith(_THEIRS)


def _groups(grid: Grid, theirs: bool) -> tuple[Group, ...]:
    """A row of a first cell alone heads those after it that are indented; a row that is indented
    further belongs to the one above it, whose name it gets: sorted, it stands by itself."""
    groups = [Group("")]
    above: list[str] = []
    for first, *rest in grid.rows:
        name = first.strip()
        depth = len(first) - len(first.lstrip())
        if name and not any(rest) and depth == 0:
            groups.append(Group(name))
            above = []
            continue
        if depth == 0 and groups[-1].title and name:
            groups.append(Group(""))
        if depth <= 1:
            above = [name]
        else:
            name = ", ".join([*above[:1], name])
        groups[-1].rows.append(Row((name, *rest), theirs or _of_others(name)))
    return tuple(group for group in groups if group.rows)


def _table(caption: str, grid: Grid) -> Table:
    columns = tuple(
        Column(
            tuple(head.strip().split("\n")),
            head in grid.numbers,
            any(word in head.lower() for word in _THEIRS),
        )
        for head in grid.columns
    )
    return Table(caption, columns, _groups(grid, _of_others(caption)))


def _text(text: str) -> Text:
    first, text = text[:1], text.strip()
    if first == "\n" and len(text) <= LONGEST_HEADING and not text.endswith("."):
        return Text("heading", text)
    kind = next((kind for start, kind in _KINDS.items() if text.startswith(start)), "plain")
    return Text(kind, text)


def blocks(parts: Parts) -> Iterator[Block]:
    """The blocks of what was shown, in its order. The text right before a table is its caption."""
    following: Sequence[str | Grid | None] = [*parts[1:], None]
    caption = ""
    for part, after in itertools.zip_longest(parts, following):
        if isinstance(part, Grid):
            yield _table(caption, part)
            caption = ""
        elif isinstance(part, str) and part.strip():
            if isinstance(after, Grid) and len(part) <= LONGEST_CAPTION:
                caption = part.strip()
            else:
                yield _text(part)
