# SPDX-License-Identifier: Apache-2.0
"""Area of the reference designs by synthesis, and how many of them fit a device."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Hashable, Mapping
from typing import TypeVar

from monpro.base import cache
from monpro.errors import MonproError
from monpro.hardware import designs
from monpro.hardware.designs import Design
from monpro.synth import run as synth
from monpro.synth import targets, tools
from monpro.synth.targets import Counts

TARGET = "xc7a100t"  # another one of its family has the same cells, and another number of them
SLICE_LUTS = 4  # a slice of this family has so many, and one CARRY4

Key = TypeVar("Key", bound=Hashable)


def sized(name: str, bits: int) -> Design:
    """The design built for one length, as the thesis builds its own."""
    design = designs.get(name)
    return design if bits == design.max_bits else design.with_parameters(max_bits=bits)


def kept(design: Design) -> Counts | None:
    """What the cache has of the design's synthesis, or None."""
    target = targets.get(TARGET)
    try:
        version = tools.version(tools.YOSYS)
    except ImportError:  # there is no such tool
        return None
    sources = synth.Sources.of(design, target)
    text = synth.script(sources, target.family, write=False)
    found = cache.recall(synth.folder() / f"{cache.digest([version, text], sources.files)}.json")
    return targets.count(target.family, found["cells"]) if found else None


def synthesized(design: Design) -> Counts:
    """The same, made where the cache has nothing."""
    target = targets.get(TARGET)
    sources = synth.Sources.of(design, target)
    netlist = synth.synthesize(sources, target.family, write=False)
    return targets.count(target.family, netlist.cells)


def no_tool() -> str | None:
    """Why what is not in the cache cannot be made."""
    try:
        tools.require([tools.YOSYS])
    except MonproError as why:
        return why.message
    return None


def known(todo: Mapping[Key, Design], *, quick: bool) -> tuple[dict[Key, Counts], list[Key]]:
    """What the cache has, and what is to be made: nothing in a quick run, or without the tool."""
    found = {key: counts for key, design in todo.items() if (counts := kept(design))}
    missing = [key for key in todo if key not in found]
    if quick:
        return found, []
    if missing and (why := no_tool()):
        print(f"monpro: {len(missing)} areas are left out: {why}", file=sys.stderr)
        return found, []
    return found, missing


def instances(parts: Mapping[str, float], target: str = TARGET) -> int:
    """How many fit, by the part that runs out first."""
    there = dataclasses.asdict(targets.get(target).available)
    there["carry"] = there["lut"] // SLICE_LUTS
    return min(int(there[part] // number) for part, number in parts.items() if number)


def parts_of(counts: Counts) -> dict[str, float]:
    """The parts by their names in instances() and in the records."""
    return {k: v for k, v in dataclasses.asdict(counts).items() if k != "lut_sites"}
