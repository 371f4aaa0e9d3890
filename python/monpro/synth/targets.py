# SPDX-License-Identifier: Apache-2.0
"""Device families and devices that `monpro synth` knows, and how many parts a netlist takes.

A family is one file of families/. It says how the family is synthesized, which devices there are,
and what its cells take. The files are found by a scan. A family's name is its file's, and the value
of the RTL's parameter Target.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from monpro.base import paths, toml
from monpro.base.toml import NotNegative, Positive, Text, Whole, Wholes
from monpro.errors import MonproError

Part = Literal["lut", "ff", "dsp", "bram", "carry", "lut_sites"]


@dataclass(frozen=True, slots=True)
class Counts:
    """Parts of a device: those that a netlist takes, or those that the device has.

    lut_sites: LUTs and the places that carries take, for a family whose carries take places of
    LUTs; else 0. bram: in blocks of the size that the family's file names. A smaller block is a
    part of one.
    """

    lut: Whole
    ff: Whole
    dsp: Whole
    bram: NotNegative
    carry: Whole = 0
    lut_sites: Whole = 0


@dataclass(frozen=True, slots=True)
class Target:
    """A device. flag, package, speed (the grade): for nextpnr, where it places the family.

    dsp_columns, dsp_rows: where the groups of multiplier blocks are, as nextpnr counts.
    """

    name: Text
    device: Text
    family: Text
    available: Counts
    flag: str = ""
    package: str = ""
    speed: Whole = 0
    dsp_columns: Wholes = ()
    dsp_rows: Wholes = ()

    @property
    def is_placed(self) -> bool:
        """Whether the clock is measured, by place and route."""
        return family(self.family).placed


@dataclass(frozen=True, slots=True)
class Group:
    """Neighbouring multiplier blocks: the cell, the columns of its blocks from the first one on,
    and nextpnr's name of a place, with {column}, {row} and {offset} (the column in the group)."""

    cell: Text
    columns: Wholes
    place: Text


@dataclass(frozen=True, slots=True)
class Block:
    """A module of the RTL over a primitive of the family, which lint checks.

    declared: the file in which Yosys has the primitive. replaces: what Yosys would call the same
    thing. count: primitives in the module, with the parameters (each NAME=VALUE).
    """

    module: Text
    primitive: Text
    declared: Text
    replaces: Text
    parameters: tuple[str, ...] = ()
    count: Whole = 1


@dataclass(frozen=True, slots=True)
class Family:
    """A device family. The fields are the keys of its file; `name` is the name of the file.

    target: the rows of its devices, with the keys of Target.
    """

    name: Text
    synthesis: Text
    names: Mapping[Part, Text]
    cells: Mapping[str, Mapping[Part, Positive]]
    target: tuple[Mapping[str, Any], ...]
    free: tuple[str, ...] = ()
    placed: bool = False
    narrow: Text | None = None
    group: Group | None = None
    block: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True)
class Known:
    """All families and all devices, by name."""

    families: Mapping[str, Family]
    targets: Mapping[str, Target]


def read(folder: Path) -> Known:
    """The families of a folder: one for each file."""
    families: dict[str, Family] = {}
    found: dict[str, Target] = {}
    for path in sorted(folder.glob("*.toml")):
        one = toml.convert(toml.load(path), Family, path, name=path.stem)
        families[one.name] = one
        for number, row in enumerate(one.target, 1):
            target = toml.convert(row, Target, path, f"target {number}", family=one.name)
            if target.name in found:
                raise MonproError(
                    "MONPRO_ERR_FILE",
                    f'{path}: target {number}: name = "{target.name}" is a target of the family '
                    f"{found[target.name].family} already",
                )
            found[target.name] = target
    return Known(families, found)


@functools.cache
def _known() -> Known:
    return read(paths.package() / "synth" / "families")


def families() -> Mapping[str, Family]:
    """The families that Monpro comes with, by name."""
    return _known().families


def load() -> Mapping[str, Target]:
    """The devices that Monpro comes with, by name."""
    return _known().targets


def family(name: str) -> Family:
    """A family by its name."""
    if name not in families():
        raise MonproError(
            "MONPRO_ERR_ARGUMENT", f'no family "{name}"; there are: {", ".join(families())}'
        )
    return families()[name]


def get(name: str) -> Target:
    """A target by its name."""
    if name not in load():
        raise MonproError(
            "MONPRO_ERR_ARGUMENT", f'no target "{name}"; there are: {", ".join(load())}'
        )
    return load()[name]


def count(name: str, cells: Mapping[str, int]) -> Counts:
    """What the cells of a netlist take, by their types and how many there are of each.

    A type that the family's file does not have is an error: a count that leaves something out is
    worth nothing. name: of the family.
    """
    known = family(name)
    total = {field.name: 0.0 for field in dataclasses.fields(Counts)}
    for kind, number in cells.items():
        if kind in known.cells:
            for part, each in known.cells[kind].items():
                total[part] += each * number
        elif kind not in known.free:
            raise MonproError(
                "MONPRO_ERR_BUILD", f"synthesis left {number} x {kind}, which no table counts"
            )
    bram = total.pop("bram")
    return Counts(bram=bram, **{part: int(value) for part, value in total.items()})


def too_many(target: Target, counts: Counts) -> list[str]:
    """The parts of which a design needs more than its target has, in words."""
    found = []
    for part, name in family(target.family).names.items():
        there, needed = getattr(target.available, part), getattr(counts, part)
        if there and needed > there:
            found.append(f"{needed:g} {name} of {there:g}")
    return found
