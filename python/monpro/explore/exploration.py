# SPDX-License-Identifier: Apache-2.0
"""`monpro explore`: sweeps or searches a space, marks the front, names the best for a budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from monpro import records
from monpro.base import files
from monpro.explore import front
from monpro.explore import search as explore_search
from monpro.explore import table as explore_table
from monpro.explore.front import Constraint
from monpro.explore.pool import Workers
from monpro.explore.run import Clock, Explorer, say
from monpro.explore.space import Space
from monpro.records import Record


@dataclass(frozen=True, slots=True)
class Asked:
    """What an exploration is to find out. best: what is recommended. search: of how many designs,
    if not of all. specs: of the space's designs, with alternatives; none: by their names."""

    space: Space
    clock: Clock
    limits: tuple[Constraint, ...]
    area: str = "lut"
    best: str = "time"
    search: int | None = None
    seed: int = 1
    specs: tuple[str, ...] = ()

    def about(self) -> Record:
        """What was asked, for `run` of the records: a record does not say what else was asked."""
        space, clock = self.space, self.clock
        figures = {
            "designs": list(self.specs) or [design.name for design in space.designs],
            "targets": [target.name for target in space.targets],
            "bits": list(space.bits),
            "operation": space.operation,
            "schemes": ["best"] if space.scheme_best else list(space.schemes),
            "window": space.window,
            "key_state": "warm" if space.warm else "cold",
            "clock": clock.obtained,
            "mhz": clock.assumed_mhz,
            "seeds": clock.seeds if clock.obtained == "placed" else None,
            "constraints": {limit.name: limit.limit for limit in self.limits},
            "area": self.area,
            "best": self.best,
            "search": self.search,
            "seed": None if self.search is None else self.seed,
        }
        return {key: value for key, value in figures.items() if value is not None}


@dataclass(frozen=True, slots=True)
class Found:
    """The records, those on the front marked; keys: the figures that the front weighs."""

    records: list[Record]
    keys: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether there is a point to choose."""
        return any(explore_table.meets(item) for item in self.records)


def explore(asked: Asked, workers: Workers, out: Path) -> Found:
    """Finds out everything and writes the records, whole or not at all.

    MonproError if constraints exclude every point that could be had, and which one does.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    with files.output(str(out)) as write:
        explorer = Explorer(asked.clock, asked.limits, workers, say)
        if asked.search is None:
            found = explorer.run(asked.space.points())
        else:
            found = explore_search.search(
                explorer, asked.space, asked.area, asked.search, asked.seed
            )
        keys = _mark(found, asked)
        found = records.of_run(found, **asked.about())
        write(records.to_json(found).encode() + b"\n")
    return Found(found, keys)


def _mark(found: Sequence[Record], asked: Asked) -> tuple[str, ...]:
    """Marks the front of each device and length."""
    possible = [item for item in found if "failure" not in item]
    usable = [item for item in found if explore_table.meets(item)]
    if possible and not usable and asked.limits:
        raise front.impossible(possible, asked.limits)
    for item in found:
        item["pareto"] = False
    keys = front.objectives(asked.area, usable)
    front.mark(usable, keys, lambda item: (item["target"], item["bits"]))
    return keys


def show(found: Found, asked: Asked, out: Path, *, everything: bool) -> None:
    """Shows an exploration as tables and sentences."""
    explore_table.show(
        found.records, found.keys, asked.limits, asked.best, out, everything=everything
    )
