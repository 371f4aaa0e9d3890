# SPDX-License-Identifier: Apache-2.0
"""The measured clock of a design, from what `monpro synth` has left in the cache."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import statistics
from pathlib import Path
from typing import Any

from monpro.base import cache
from monpro.errors import MonproError
from monpro.hardware.designs import Design
from monpro.synth import run as synth
from monpro.synth import targets, tools
from monpro.synth.targets import Target


@dataclasses.dataclass(frozen=True, slots=True)
class Clock:
    """A placed-and-routed clock: the median over seeds."""

    mhz: float
    device: str
    seeds: int


class _NotPlacedError(Exception):
    """A placement that the cache does not have."""


class _Netlist(synth.Netlist):
    """A netlist by its digest alone: with it a placement is recalled, and never made."""

    @property
    def path(self) -> Path:
        raise _NotPlacedError


def _recalled(design: Design, target: Target) -> Clock | None:
    sources = synth.Sources.to_place(design, target)
    text = synth.script(sources, target.family, write=True)
    digest = cache.digest([tools.version(tools.YOSYS), text], sources.files)
    netlist, found = _Netlist(digest, {}, 0.0), []
    try:
        for seed in itertools.count(1):
            found.append(synth.place(netlist, sources.top, target, seed).clock_mhz)
    except (_NotPlacedError, MonproError):  # MonproError: there is not even the tool
        pass
    return Clock(statistics.median(found), target.device, len(found)) if found else None


@functools.cache
def placed(design: Design) -> Clock | None:
    """The clock of this design as it is now, seeds from 1 on; None if it was not measured."""
    try:
        # The smaller device of a family comes first: the one that a design was meant for.
        placing = (target for target in targets.load().values() if target.is_placed)
        clocks = (_recalled(design, target) for target in placing)
        return next((clock for clock in clocks if clock), None)
    except ImportError:  # there is no such tool
        return None


def figures(design: Design, cycles: int) -> dict[str, Any]:
    """The time of `cycles` cycles, and the clock. Empty if no clock was measured."""
    clock = placed(design)
    if clock is None:
        return {}
    return {
        "time_ms": cycles / clock.mhz / 1e3,
        "clock_mhz": clock.mhz,
        "clock_obtained": "placed",
        "clock_device": clock.device,
        "clock_seeds": clock.seeds,
    }
