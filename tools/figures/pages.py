"""The pages: README.md and docs/, and the generated tables between their markers."""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from figures.catalogue import ROOT, FiguresError
from figures.store import Store

Table = Callable[[Store], str]

_BEGIN, _END = "<!-- BEGIN GENERATED {} -->", "<!-- END GENERATED {} -->"
SHOWN_LINES = 6  # of a difference
_MARKER = re.compile(r"<!-- (BEGIN|END) GENERATED ([\w-]+) -->")


def pages(root: Path = ROOT) -> list[Path]:
    """The files in which generated tables may stand."""
    return [root / "README.md", *sorted((root / "docs").rglob("*.md"))]


def names(text: str, page: str) -> list[str]:
    """The tables of a page, whose markers have to come in pairs."""
    found: list[str] = []
    opened: str | None = None
    for kind, name in _MARKER.findall(text):
        if (kind == "BEGIN") != (opened is None) or (opened not in (None, name)):
            raise FiguresError(f"{page}: the markers of {opened or name} are not a pair")
        if kind == "BEGIN":
            found.append(name)
        opened = name if kind == "BEGIN" else None
    if opened is not None:
        raise FiguresError(f"{page}: {opened} has no end")
    return found


def made(name: str, table: Table, store: Store) -> str:
    """A table as it should stand, with a line if something in it is older than the RTL."""
    store.used.clear()
    try:
        text = table(store).strip("\n")
    except KeyError as why:
        raise FiguresError(f"the table {name}: a record has no field {why}") from why
    older: dict[str, list[str]] = {}
    for file in store.used.values():
        if file.entry.made and (outdated := file.outdated(store.digest)):
            older.setdefault(file.entry.made, []).extend(f"`{design}`" for design in outdated)
    for word, designs in older.items():
        text += (
            f"\n\n{', '.join(dict.fromkeys(designs))}: {word} before the last change of the RTL."
        )
    return f"{_BEGIN.format(name)}\n{text}\n{_END.format(name)}"


def generated(text: str, page: str, tables: Mapping[str, Table], store: Store) -> str:
    """A page with its tables made again."""
    for name in names(text, page):
        if name not in tables:
            raise FiguresError(f"{page}: no table is called {name}")
        begin, end = _BEGIN.format(name), _END.format(name)
        start, stop = text.index(begin), text.index(end) + len(end)
        text = text[:start] + made(name, tables[name], store) + text[stop:]
    return text


def _difference(was: str, now: str) -> str:
    """The first lines that differ: - is what the page has, + what it should have."""
    lines = difflib.unified_diff(was.splitlines(), now.splitlines(), lineterm="", n=0)
    changed = [line for line in lines if line[0] in "-+" and line[:3] not in ("---", "+++")]
    return "\n".join(f"    {line}" for line in changed[:SHOWN_LINES])


def problems(root: Path, tables: Mapping[str, Table], store: Store) -> list[str]:
    """Tables that are not what the records say, that nobody knows, or that no page shows."""
    found, shown = [], set()
    for path in pages(root):
        page, text = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
        try:
            there = names(text, page)
            if twice := sorted(name for name in there if name in shown or there.count(name) > 1):
                raise FiguresError(f"{page}: {twice[0]} is there twice")
            shown.update(there)
            now = generated(text, page, tables, store)
        except FiguresError as why:
            found.append(str(why))
            continue
        if now != text:
            found.append(
                f"{page} is not what the records say (make docs):\n{_difference(text, now)}"
            )
    found += [f"the table {name} is on no page" for name in sorted(set(tables) - shown)]
    if not found:
        idle = sorted(store.entries.keys() - store.needed)
        found += [f"records/{key}.json is in no table" for key in idle]
    return found


def write(root: Path, tables: Mapping[str, Table], store: Store) -> tuple[list[str], list[str]]:
    """Makes every table again: the pages that changed, and what is wrong with those that cannot."""
    changed, wrong = [], []
    for path in pages(root):
        page, text = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
        try:
            now = generated(text, page, tables, store)
        except FiguresError as why:
            wrong.append(f"{page}: left as it was: {why}")
            continue
        if now != text:
            path.write_text(now, encoding="utf-8")
            changed.append(page)
    return changed, wrong
