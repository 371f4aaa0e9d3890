# SPDX-License-Identifier: Apache-2.0
"""published/energy.toml: what a toggle costs, in named sets, and how often designs toggle.

A set gives its joules, or names a paper to whose points they are fitted, or is made of other sets.
`coefficients` makes the joules of a set from its table. `monpro power fit` writes files of the same
form.
"""

from __future__ import annotations

import functools
import typing
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from monpro.base import paths, toml
from monpro.base.toml import NotNegative, Text
from monpro.errors import MonproError

# What counts as a toggle of each kind. lut: a change of a LUT's output, with the wires behind it.
# ff: of a flip-flop's. clock: of the clock at a flip-flop, two a cycle. dsp: of one of the two
# factors' bits at a multiplier block. bram: of the clock at a RAM block, two a cycle.
Kind = Literal["lut", "ff", "clock", "dsp", "bram"]
KINDS: tuple[Kind, ...] = typing.get_args(Kind)
CLOCK_TOGGLES = 2
DEFAULT = "thesis+vtr"
Fitted = Literal["ledgard2023"]
FITTED: Fitted = "ledgard2023"  # the paper to whose points a set can be fitted


@dataclass(frozen=True, slots=True)
class Activity:
    """Toggles a cycle: of a LUT's output, of a flip-flop, of all factor bits of a multiplier block.

    factor: how far an operation may be from it, above and below; 1 where it was simulated.
    """

    logic: NotNegative
    register: NotNegative
    dsp: NotNegative = 0.0
    factor: NotNegative = 1.0
    obtained: Text = "simulated"

    def by_kind(self, parts: Mapping[str, float]) -> dict[str, float]:
        """Toggles of a design in a cycle; parts by the names of synth_targets.Counts."""
        return {
            # Where a carry takes LUTs' places (ECP5), those are counted with it.
            "lut": self.logic * (parts.get("lut_sites") or parts["lut"]),
            "ff": self.register * parts["ff"],
            "clock": CLOCK_TOGGLES * parts["ff"],
            "dsp": self.dsp * parts["dsp"],
            "bram": CLOCK_TOGGLES * parts["bram"],
        }


@dataclass(frozen=True, slots=True)
class Coefficients:
    """A set: joules a toggle by kind. factor: between the set and what it was held against."""

    name: str
    joules: Mapping[str, float]
    family: str
    factor: float
    source: str
    device: str | None = None
    static_W: float | None = None
    calibrated: bool = False


@dataclass(frozen=True, slots=True)
class Microcontroller:
    """What ledgard2023 compares with: W when it works and when it sleeps."""

    who: Text
    active_W: NotNegative
    active_MHz: NotNegative
    sleep_W: NotNegative
    source: Text


@dataclass(frozen=True, slots=True)
class Table:
    """One set in the form of its file: by joules, by a fit, or made of other sets."""

    name: Text
    source: Text
    family: Text | None = None
    device: Text | None = None
    static_W: NotNegative | None = None
    factor: NotNegative | None = None
    joules: Mapping[Kind, NotNegative] | None = None
    fit: Fitted | None = None
    of: tuple[str, ...] | None = None
    calibrated: bool = False

    def __post_init__(self) -> None:
        if sum(way is not None for way in (self.joules, self.fit, self.of)) != 1:
            raise ValueError("exactly one of joules, fit and of")
        if self.of is None and self.family is None:
            raise ValueError('"family" is missing')
        if self.joules is not None and self.factor is None:
            raise ValueError('"factor" is missing')


@dataclass(frozen=True, slots=True)
class File:
    """A file with the form of energy.toml; the fields are its tables."""

    set: tuple[Table, ...] = ()
    usual: Mapping[str, Activity] = field(default_factory=dict)
    microcontroller: Microcontroller | None = None

    @property
    def sets(self) -> dict[str, Table]:
        """The sets by their names."""
        return {table.name: table for table in self.set}


def read(path: Path) -> File:
    """A file with the form of energy.toml; an unknown key is an error."""
    return toml.read(path, File)


def _path() -> Path:
    return paths.share() / "published" / "energy.toml"


@functools.cache
def load() -> File:
    """What Monpro comes with."""
    return read(_path())


def usual(multiplier: str) -> Activity:
    """How often designs with this multiplier toggle, from a simulation of some of them."""
    known = load().usual
    if multiplier not in known:
        raise MonproError(
            "MONPRO_ERR_ARGUMENT",
            f'no activity of the multiplier "{multiplier}"; there are: {", ".join(known)}',
        )
    return known[multiplier]


def microcontroller() -> Microcontroller:
    other = load().microcontroller
    if other is None:
        raise MonproError("MONPRO_ERR_FILE", f'{_path()}: "microcontroller" is missing')
    return other
