"""records/catalogue.toml: which records there are, and the command that makes each."""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

CYCLES, PLACED, SYSTEMS, MEASURED = "cycles", "placed", "systems", "measured"

COMMANDS = ("monpro ", "python -m formal")

# What a record of a kind is when the RTL has changed since: an error, nothing, or a line that its
# tables carry. The word is what the line says of it.
MADE: Mapping[str, str] = {PLACED: "placed", SYSTEMS: "simulated"}
KINDS = (CYCLES, PLACED, SYSTEMS, MEASURED)


class FiguresError(Exception):
    """A file under records/ or a page is not as it should be; the text says which and why."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of records."""

    kind: str
    name: str
    commands: tuple[str, ...]
    """Whose --json is kept, one after the other."""
    rtl: tuple[str, ...]
    """Designs, or modules, whose RTL decides the figures."""
    keep: tuple[str, ...]
    """The fields of a record that tables need."""
    where: Mapping[str, tuple[Any, ...]]
    """Only records in which these fields have one of these values are kept."""
    made: str
    """How the figures were made, for the line about a change of the RTL."""

    @property
    def key(self) -> str:
        return f"{self.kind}/{self.name}"

    @property
    def path(self) -> str:
        """Below records/."""
        return f"{self.key}.json"


_FIELDS = {"command", "rtl", "keep", "where", "made"}


def _entry(kind: str, name: str, table: Mapping[str, Any], source: Path) -> Entry:
    where = f"{source}: [{kind}.{name}]"
    if unknown := sorted(set(table) - _FIELDS):
        known = ", ".join(sorted(_FIELDS))
        raise FiguresError(f'{where}: unknown key "{unknown[0]}"; there are: {known}')
    if missing := sorted({"command", "keep"} - set(table)):
        raise FiguresError(f'{where}: "{missing[0]}" is missing')
    commands = table["command"]
    commands = (commands,) if isinstance(commands, str) else tuple(commands)
    if wrong := [command for command in commands if not command.startswith(COMMANDS)]:
        known = f"a command of monpro is wanted, or {COMMANDS[1]}"
        raise FiguresError(f"{where}: {known}, not {wrong[0]}")
    if kind == CYCLES and not table.get("rtl"):
        raise FiguresError(f'{where}: "rtl" is missing: which designs decide the cycles')
    return Entry(
        kind=kind,
        name=name,
        commands=commands,
        rtl=tuple(table.get("rtl", ())),
        keep=tuple(table["keep"]),
        where={field: tuple(values) for field, values in table.get("where", {}).items()},
        made=table.get("made", MADE.get(kind, "")),
    )


def read(records: Path) -> dict[str, Entry]:
    """The entries by their keys, such as "cycles/designs"."""
    source = records / "catalogue.toml"
    try:
        tables = tomllib.loads(source.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as why:
        raise FiguresError(f"{source}: {why}") from why
    if unknown := [kind for kind in tables if kind not in KINDS]:
        kinds = ", ".join(KINDS)
        raise FiguresError(f'{source}: unknown kind "{unknown[0]}"; there are: {kinds}')
    entries = [
        _entry(kind, name, table, source)
        for kind, named in tables.items()
        for name, table in named.items()
    ]
    return {entry.key: entry for entry in entries}
