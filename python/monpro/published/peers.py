# SPDX-License-Identifier: Apache-2.0
"""The figures of others, from `published/peers.toml`, and the figures that follow from them."""

from __future__ import annotations

import dataclasses
import functools
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta

from monpro.base import paths, toml
from monpro.base.toml import Positive, Text, Whole

Operation = Literal["modexp", "rsa_private", "rsa_public", "product"]
Obtained = Literal["published", "measured"]
OPERATIONS: tuple[str, ...] = typing.get_args(Operation)
Range = tuple[float, float]
Rates = Annotated[
    Mapping[int, Positive], Meta(min_length=1, description="a table of positive numbers by bits")
]


class NumberOrRange(Range):
    """A range in the form of the file: a list of two numbers, or one number for both ends."""

    __slots__ = ()

    @classmethod
    def from_toml(cls, value: Any) -> NumberOrRange:
        pair = value if isinstance(value, list) else [value, value]
        if len(pair) != 2 or not all(map(_is_number, pair)) or not 0 <= pair[0] <= pair[1]:
            raise ValueError("a number, or a range of two")
        return cls(pair)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Hardware:
    """One operation of one coprocessor; what its source does not say is None."""

    who: Text
    device: Text
    operation: Operation
    bits: Whole
    obtained: Obtained
    multipliers: NumberOrRange | None = None
    clock_mhz: NumberOrRange | None = None
    cycles: Whole | None = None
    cycles_precompute: Whole | None = None
    time_ms: Positive | None = None
    scheme: Text | None = None
    constant_time: bool | None = None
    crt: bool | None = None
    key_state: Text | None = None
    lut: Whole | None = None
    doubts: tuple[str, ...] = ()

    @property
    def cycle_range(self) -> Range | None:
        """The cycles that are given, or the cycles of the time at each clock that is named."""
        if self.cycles is not None:
            return self.cycles, self.cycles
        if self.time_ms is None or self.clock_mhz is None:
            return None
        low, high = (self.time_ms * 1e3 * clock for clock in self.clock_mhz)
        return low, high

    @property
    def multiplier_cycles(self) -> Range | None:
        """Blocks present times cycles; None if either is unknown or there are no blocks."""
        cycles = self.cycle_range
        if cycles is None or self.multipliers is None or self.multipliers[1] == 0:
            return None
        return self.multipliers[0] * cycles[0], self.multipliers[1] * cycles[1]

    @property
    def shown_time_ms(self) -> float | None:
        """The time given, or cycles over clock."""
        if self.time_ms is not None:
            return self.time_ms
        if self.cycles is None or self.clock_mhz is None:
            return None
        return self.cycles / self.clock_mhz[1] / 1e3


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A peer's clock and area, where its source was placed and routed."""

    who: Text
    device: Text
    multipliers: Whole
    clock_mhz: Positive
    lut: Whole
    ff: Whole
    seeds: Whole
    obtained: Obtained
    doubts: tuple[str, ...] = ()


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class Software:
    """Operations a second of a library, by length in bits."""

    who: Text
    operation: Operation
    ops_per_s: Rates
    obtained: Obtained
    blinded: bool | None = None
    checked: bool | None = None
    note: Text | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class Source:
    """What the file is."""

    id: str
    title: str
    note: str


@dataclasses.dataclass(frozen=True, slots=True)
class Peers:
    """Everything in the file."""

    source: Source
    hardware: tuple[Hardware, ...] = ()
    placed: tuple[Placed, ...] = ()
    software: tuple[Software, ...] = ()


def read(source: Path) -> Peers:
    """A file with the form of peers.toml; an unknown key anywhere is an error."""
    return toml.read(source, Peers)


@functools.cache
def load() -> Peers:
    """The peers that Monpro is measured against."""
    return read(paths.share() / "published" / "peers.toml")
