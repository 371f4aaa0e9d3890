"""The files of records: reading them, making them, and whether they are older than the RTL."""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import datetime
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from figures import catalogue, sources
from figures.catalogue import CYCLES, ROOT, Entry, FiguresError
from monpro.records import Record

HEAD = ("command", "date", "commit", "machine", "tool_versions", "rtl")
Digest = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class File:
    """One file of records: its head, and the records that its command printed."""

    entry: Entry
    head: Record
    records: tuple[Record, ...]

    def outdated(self, digest: Digest) -> list[str]:
        """The designs whose RTL has changed since."""
        return [name for name, then in self.head["rtl"].items() if digest(name) != then]


@dataclass(slots=True)
class Store:
    """All files of records. used: those that were asked for since it was emptied; needed: the keys
    of all that tables asked for."""

    folder: Path = ROOT / "records"
    digest: Digest = sources.digest
    entries: dict[str, Entry] = field(init=False)
    used: dict[str, File] = field(init=False, default_factory=dict)
    needed: set[str] = field(init=False, default_factory=set)
    _files: dict[str, File] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.entries = catalogue.read(self.folder)

    def file(self, key: str) -> File:
        """A file by its key, such as "cycles/designs"."""
        if key not in self._files:
            if key not in self.entries:
                raise FiguresError(f"records/catalogue.toml has no [{key.replace('/', '.')}]")
            self._files[key] = self._read(self.entries[key])
        return self._files[key]

    def all(self, key: str, **wanted: Any) -> list[Record]:
        """The records of a file in which these fields have these values; it counts as used."""
        self.used[key] = self.file(key)
        self.needed.add(key)
        return [
            item
            for item in self.used[key].records
            if all(item.get(name) == value for name, value in wanted.items())
        ]

    def one(self, key: str, **wanted: Any) -> Record:
        """The only one of them."""
        found = self.all(key, **wanted)
        if len(found) != 1:
            raise FiguresError(f"records/{key}.json: {len(found)} records with {wanted}, not one")
        return found[0]

    def _read(self, entry: Entry) -> File:
        path = self.folder / entry.path
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            head, found = data["head"], tuple(data["records"])
        except FileNotFoundError:
            raise FiguresError(f"records/{entry.path} is missing: {how(entry)}") from None
        except (OSError, ValueError, KeyError, TypeError) as why:
            raise FiguresError(f"records/{entry.path}: {why!r}") from why
        if missing := [name for name in HEAD if name not in head]:
            raise FiguresError(f'records/{entry.path}: its head has no "{missing[0]}"')
        if list(map(without_seeds, head["command"])) != list(map(without_seeds, entry.commands)):
            commands = "; ".join(head["command"])
            raise FiguresError(f"records/{entry.path} was made by another command: {commands}")
        if tuple(head["rtl"]) != entry.rtl:
            raise FiguresError(f"records/{entry.path}: its head has not the RTL of the catalogue")
        return File(entry, head, found)

    def problems(self) -> list[str]:
        """Files that are missing, broken, in no catalogue; cycles that are older than the RTL."""
        found = []
        there = {path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*.json")}
        for extra in sorted(there - {entry.path for entry in self.entries.values()}):
            found.append(f"records/{extra} is not in records/catalogue.toml")
        for key, entry in self.entries.items():
            try:
                outdated = self.file(key).outdated(self.digest)
            except FiguresError as why:
                found.append(str(why))
                continue
            if entry.kind == CYCLES and outdated:
                designs = ", ".join(outdated)
                found.append(
                    f"records/{entry.path} is older than the RTL of {designs}: {how(entry)}"
                )
        return found


def how(entry: Entry) -> str:
    """What makes a file of records."""
    if entry.kind == CYCLES:
        return "make records makes it"
    if entry.kind == catalogue.PLACED:
        return f"make records-placed DESIGNS={entry.name} makes it"
    return f"make records-slow NAMES={entry.key} makes it"


def without_seeds(command: str) -> str:
    """A command without --seeds N, which may differ from the catalogue's."""
    return re.sub(r" --seeds \d+", "", command)


def with_seeds(command: str, seeds: int | None) -> str:
    """A command with another number of seeds, if one is given."""
    return command if seeds is None else f"{without_seeds(command)} --seeds {seeds}"


# ---- making


def _git_commit() -> str:
    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--abbrev=12"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def _rounded(value: object) -> object:
    """Six digits of a number with a fraction: more than any table shows."""
    if isinstance(value, float):
        return float(f"{value:.6g}")
    if isinstance(value, dict):
        return {name: _rounded(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return value


def kept(entry: Entry, printed: Sequence[Record]) -> list[Record]:
    """Of the records that a command printed, what the catalogue keeps: records and fields."""
    chosen = [
        item
        for item in printed
        if all(item.get(name) in values for name, values in entry.where.items())
    ]
    result = [
        {name: _rounded(item[name]) for name in entry.keep if item.get(name) is not None}
        for item in chosen
    ]
    if not result:
        raise FiguresError(f"{entry.key}: the command printed no record that the catalogue keeps")
    if wrong := [item for item in chosen if item.get("ok") is False]:
        raise FiguresError(f"{entry.key}: a record is wrong: {wrong[0]}")
    return result


def text(head: Record, found: Sequence[Record]) -> str:
    """A file of records: a line for each record, so that differences are small."""
    lines = ",\n".join(f"    {json.dumps(item, ensure_ascii=False)}" for item in found)
    opening = json.dumps({"head": head}, indent=2, ensure_ascii=False).removesuffix("\n}")
    return f'{opening},\n  "records": [\n{lines}\n  ]\n}}\n'


def _printed(command: str) -> list[Record]:
    """The records that a command of the installed package prints."""
    program, *arguments = shlex.split(command)
    run = [str(Path(sys.executable).with_name(program)), *arguments, "--json"]
    done = subprocess.run(
        run, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode != 0:
        raise FiguresError(f"{command} exited {done.returncode}")
    found: list[Record] = json.loads(done.stdout)
    return found


def make(entry: Entry, folder: Path, digest: Digest, *, seeds: int | None = None) -> Path:
    """Runs the entry's commands, and writes its file."""
    commands = [with_seeds(command, seeds) for command in entry.commands]
    printed = [item for command in commands for item in _printed(command)]
    return write(entry, folder, digest, commands, printed)


def write(
    entry: Entry, folder: Path, digest: Digest, commands: Sequence[str], printed: Sequence[Record]
) -> Path:
    """Writes an entry's file from what its commands printed."""
    head = {
        "command": list(commands),
        "date": datetime.date.today().isoformat(),
        "commit": _git_commit(),
        "machine": printed[0]["machine"],
        "tool_versions": printed[0]["tool_versions"],
        "rtl": {name: digest(name) for name in entry.rtl},
    }
    path = folder / entry.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text(head, kept(entry, printed)), encoding="utf-8")
    return path
