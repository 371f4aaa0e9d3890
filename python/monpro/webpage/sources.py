# SPDX-License-Identifier: Apache-2.0
"""Where the page finds its records, which command makes them, and how each kind is shown."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from monpro.base import terminal
from monpro.bench import designs_table, rsa_table, schemes
from monpro.bench import engines as bench_engines
from monpro.errors import MonproError
from monpro.explore import front
from monpro.explore import table as explore_table
from monpro.papers import registry
from monpro.power import verdict_table
from monpro.records import Record

Parts = list[str | terminal.Grid]
# What a record of a page has at least; `run` is what all of one file have in common.
NEEDED = ("command", "operation", "obtained")


@dataclass(frozen=True, slots=True)
class Source:
    """One file of records. show: records, file, `run` -> texts and tables, as on the terminal."""

    key: str
    title: str
    file: str
    command: str
    show: Callable[[list[Record], Path, Mapping[str, Any]], None]
    # What the whole table takes, where the command above is the short form.
    full: str | None = None


@dataclass(frozen=True, slots=True)
class Loaded:
    """A source and its records; none if the file is not there."""

    source: Source
    path: Path
    records: list[Record]

    def shown(self) -> Parts:
        """What the command printed when it made the records, of them alone.

        MonproError MONPRO_ERR_FILE for records that the tables cannot be made of.
        """
        run = self.records[0].get("run", {})
        try:
            with terminal.collected() as parts:
                self.source.show(self.records, self.path, run)
        except (KeyError, ValueError, TypeError, IndexError, AttributeError) as why:
            raise MonproError(
                "MONPRO_ERR_FILE",
                f"{self.path}: records of another version or form ({type(why).__name__}: {why}); "
                f"make them again: {self.source.command}",
            ) from why
        return parts


def _main(found: list[Record], out: Path, run: Mapping[str, Any]) -> None:
    rsa_table.show(found, run["spec"], out, run["elapsed_s"])


def _designs(found: list[Record], out: Path, run: Mapping[str, Any]) -> None:
    designs_table.show(found, out, run["seed"], run["elapsed_s"])


def _schemes(found: list[Record], out: Path, run: Mapping[str, Any]) -> None:
    schemes.show(found, out, run["seed"], run["elapsed_s"])


def _engines(found: list[Record], out: Path, run: Mapping[str, Any]) -> None:
    bench_engines.show(found, [], out)


def _explore(found: list[Record], out: Path, run: Mapping[str, Any]) -> None:
    usable = [item for item in found if explore_table.meets(item)]
    keys = front.objectives(run["area"], usable)
    limits = front.constraints(**run["constraints"])
    explore_table.show(found, keys, limits, run["best"], out, everything=False)


def _verdict(found: list[Record], out: Path, run: Mapping[str, Any]) -> None:
    verdict_table.show(found, found[0]["rate_per_s"], out)


def _paper(key: str) -> Callable[[list[Record], Path, Mapping[str, Any]], None]:
    def show(found: list[Record], out: Path, run: Mapping[str, Any]) -> None:
        registry.get(key).show(found, out, run["seed"], run["elapsed_s"], quick=run["quick"])

    return show


def sources() -> tuple[Source, ...]:
    """All sources, in the order of the page."""
    papers = [
        Source(
            key, f"{key}: {paper.source.title}", f"papers/{key}.json",
            paper.command, _paper(key), f"{paper.command} --full",
        )
        for key, paper in ((key, registry.get(key)) for key in registry.known())
    ]  # fmt: skip
    return (
        Source("main", "RSA with real keys: the main job", "bench/records.json", "monpro bench",
               _main),
        Source("designs", "Designs side by side, and others", "bench/designs.json",
               "monpro bench designs tiny,small,fast", _designs),
        Source("schemes", "Schemes of exponentiation", "bench/schemes.json",
               "monpro bench schemes small", _schemes),
        Source("engines", "Software engines", "bench/engines.json",
               "monpro bench engines soft,lanes,openssl", _engines),
        Source("explore", "Exploration", "explore/records.json", "monpro explore", _explore),
        Source("verdict", "Fitness for a cyber-physical system", "verdict.json",
               "monpro verdict", _verdict),
        *papers,
    )  # fmt: skip


def read(path: Path) -> list[Record]:
    """The records of a file; none if it is not there.

    MonproError MONPRO_ERR_FILE: it is not readable, not JSON, or not a list of records.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as why:
        reason = why.strerror if isinstance(why, OSError) else why
        raise MonproError("MONPRO_ERR_FILE", f"{path}: {reason}") from why
    try:
        found = json.loads(text)
    except json.JSONDecodeError as why:
        raise MonproError("MONPRO_ERR_FILE", f"{path}: not JSON: {why}") from why
    if not isinstance(found, list):
        raise MonproError("MONPRO_ERR_FILE", f"{path}: not a list of records")
    for number, item in enumerate(found, 1):
        if not isinstance(item, dict) or (missing := [k for k in NEEDED if k not in item]):
            what = f'"{missing[0]}" is missing' if isinstance(item, dict) else "not a record"
            raise MonproError("MONPRO_ERR_FILE", f"{path}: record {number}: {what}")
    return found


def load(folder: Path, wanted: Sequence[Source] | None = None) -> dict[str, Loaded]:
    """Every source's records under a folder, by its key. MonproError if there are none at all."""
    found = {}
    for source in sources() if wanted is None else wanted:
        path = folder / source.file
        found[source.key] = Loaded(source, path, read(path))
    if not any(one.records for one in found.values()):
        first = next(iter(found.values())).source
        raise MonproError(
            "MONPRO_ERR_FILE",
            f"{folder}: no records; make some, for example: {first.command}",
        )
    return found
