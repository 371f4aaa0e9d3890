# SPDX-License-Identifier: Apache-2.0
"""The slow steps of an exploration: a synthesis for the counts, one to place, a placement a seed.

They are the steps of `monpro synth`, and lie in its cache under the same digests. So each command
finds what the other has done. A step that a worker on another machine has done is kept here too, if
that machine has the same sources and tools.
"""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from monpro.base import cache
from monpro.errors import MonproError
from monpro.hardware.designs import Design
from monpro.synth import run as synth
from monpro.synth.targets import Target

# What the cache has of a placement.
PLACED = tuple(field.name for field in dataclasses.fields(synth.Placement))

# Seconds of one processor, by what was measured of `tiny` to `small`, and more for each multiplier
# block: for the time left only, which is corrected by the steps that are done.
_COUNT_S = (6.5, 0.4)
_PLACE_S = (38.0, 3.0)


@dataclass(frozen=True, slots=True)
class Step:
    """One of them. seed 0: the counts of the design itself; else a placement, and before it the
    synthesis of the design with its pins behind registers, unless the cache has that."""

    design: Design
    target: Target
    seed: int = 0

    @property
    def title(self) -> str:
        if not self.seed:
            return f"{self.design.name} synthesized"
        return f"{self.design.name} on {self.target.name} placed with seed {self.seed}"

    @property
    def expected_s(self) -> float:
        base, each = _PLACE_S if self.seed else _COUNT_S
        return base + each * self.design.multipliers

    @property
    def digest(self) -> str:
        """The name of its result in the cache: by everything that it comes from."""
        write = bool(self.seed)
        name = synth.netlist_digest(self._sources(), self.target.family, write=write)
        return synth.placement_digest(name, self.target, self.seed) if self.seed else name

    def recalled(self) -> Outcome | None:
        """Its result, if the cache has it."""
        digest = self.digest
        found = cache.recall(_note(digest), PLACED if self.seed else synth.COUNTED)
        return None if found is None else Outcome(digest, found, kept=True)

    def run(self) -> Outcome:
        """Its result, from the cache or done: takes minutes.

        MonproError MONPRO_ERR_BUILD: a tool failed, of a design that does not route, say.
        """
        try:
            return self._run()
        except synth.BrokenNetlistError:  # it has been said, and is done again
            return self._run()

    def _run(self) -> Outcome:
        sources = self._sources()
        netlist = synth.synthesize(sources, self.target.family, write=bool(self.seed))
        if self.seed:
            placement = synth.place(netlist, sources.top, self.target, self.seed)
            values = dataclasses.asdict(placement) | {"kept": False}
            return Outcome(self.digest, values, placement.kept)
        values = {"cells": netlist.cells, "wall_s": netlist.wall_s}
        return Outcome(netlist.digest, values, netlist.kept)

    def _sources(self) -> synth.Sources:
        if self.seed:
            return synth.Sources.to_place(self.design, self.target)
        return synth.Sources.of(self.design, self.target)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a step in the form of the cache: cells of a synthesis, or a placement."""

    digest: str
    values: dict[str, Any]
    kept: bool = False

    @property
    def cells(self) -> dict[str, int]:
        return dict(self.values["cells"])

    @property
    def clock_mhz(self) -> float:
        return float(self.values["clock_mhz"])


def _note(digest: str) -> Path:
    return synth.folder() / f"{digest}.json"


def perform(step: Step) -> Outcome:
    """A step on whatever machine this is."""
    return step.run()


def accept(step: Step, outcome: Outcome) -> None:
    """Keeps what a worker has done; MonproError if it comes from other sources or tools."""
    if outcome.digest != step.digest:
        raise MonproError(
            "MONPRO_ERR_BUILD",
            f"{step.title}: the worker has other sources or other versions of the tools than this "
            "machine: install the same Monpro and the same yowasp packages on both",
        )
    note = _note(outcome.digest)
    if not note.exists():
        cache.keep(note, json.dumps(outcome.values).encode() + b"\n")
