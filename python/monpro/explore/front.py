# SPDX-License-Identifier: Apache-2.0
"""Which points of an exploration are worth having: limits and the Pareto front."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from monpro.base import terminal
from monpro.errors import MonproError
from monpro.records import Record


@dataclass(frozen=True, slots=True)
class Constraint:
    """A limit of a figure. least: it has to be reached, not kept to.

    early: known before anything is placed, so that what breaks it needs no placement.
    """

    option: str
    key: str
    limit: float
    unit: str = ""
    least: bool = False
    early: bool = True

    @property
    def name(self) -> str:
        """The name that constraints() takes."""
        return self.option.removeprefix("--").replace("-", "_")

    def __str__(self) -> str:
        return f"{self.option} {self.limit:g}"

    def value(self, record: Record) -> float | None:
        """The figure of a record; None where it is not known."""
        found = record.get(self.key)
        if self.key == "energy_uj_range" and found is not None:
            return float(found[1]) / 1e3  # the upper end: an estimate is held to its worst
        return None if found is None else float(found)

    def excess(self, record: Record) -> float | None:
        """By how much a record breaks the constraint. It holds if that is not above 0."""
        value = self.value(record)
        if value is None:
            return None
        return self.limit - value if self.least else value - self.limit

    def holds(self, record: Record) -> bool:
        """Whether it is known to be met."""
        excess = self.excess(record)
        return excess is not None and excess <= 0

    def may_hold(self, record: Record) -> bool:
        """Whether it is not known to be broken."""
        return (self.excess(record) or 0) <= 0


def constraints(
    *,
    max_lut: float | None = None,
    max_ff: float | None = None,
    max_blocks: float | None = None,
    max_ram: float | None = None,
    max_ms: float | None = None,
    max_energy_mj: float | None = None,
    min_bits: float | None = None,
) -> tuple[Constraint, ...]:
    """Those that are given. LUTs are the sites that LUTs and carry chains take together."""
    known = (
        ("--min-bits", "bits", min_bits, "bits", True, True),
        ("--max-lut", "lut_sites", max_lut, "LUT sites", False, True),
        ("--max-ff", "ff", max_ff, "flip-flops", False, True),
        ("--max-blocks", "dsp", max_blocks, "multiplier blocks", False, True),
        ("--max-ram", "bram", max_ram, "RAM blocks", False, True),
        ("--max-ms", "time_ms", max_ms, "ms", False, False),
        ("--max-energy-mj", "energy_uj_range", max_energy_mj, "mJ", False, False),
    )
    return tuple(
        Constraint(option, key, limit, unit, least, early)
        for option, key, limit, unit, least, early in known
        if limit is not None
    )


def broken(record: Record, limits: Sequence[Constraint], *, early: bool = False) -> list[str]:
    """The constraints that a point does not meet, by their options. early: only of those known."""
    return [
        limit.option
        for limit in limits
        if not (early and not limit.early) and not limit.holds(record)
    ]


def impossible(records: Sequence[Record], limits: Sequence[Constraint]) -> MonproError:
    """What to say when no point meets all constraints: which one excludes all, and by how much.

    A constraint that no point meets by itself is named first; if each is met by some, those that no
    point meets together with all the others.
    """
    asked = [limit for limit in limits if any(limit.excess(item) is not None for item in records)]
    alone = [limit for limit in asked if not any(limit.may_hold(item) for item in records)]
    sentences = [_nearest(limit, records, "every point") for limit in alone]
    if not alone:
        for limit in asked:
            others = [other for other in asked if other is not limit]
            rest = [item for item in records if all(other.may_hold(item) for other in others)]
            if rest:
                sure = all(other.holds(item) for other in others for item in rest)
                whom = f"all that {'meet' if sure else 'may meet'} the other constraints"
                sentences.append(_nearest(limit, rest, whom))
    if not sentences:
        sentences.append(
            f"no point meets {', '.join(map(str, limits))} together, nor all but one of them"
        )
    return MonproError("MONPRO_ERR_ARGUMENT", "; ".join(sentences))


def _nearest(limit: Constraint, records: Sequence[Record], whom: str) -> str:
    """The sentence about a constraint that excludes these records."""
    known = [(excess, item) for item in records if (excess := limit.excess(item)) is not None]
    if not known:
        return f"{limit} excludes {whom}: none has that figure"
    excess, item = min(known, key=lambda pair: pair[0])
    value, word = limit.value(item), "below" if limit.least else "above"
    assert value is not None
    return (
        f"{limit} excludes {whom}: the nearest, {item['design']} at {item['bits']} bits, has "
        f"{figure(value)} {limit.unit}, {figure(excess)} {word} it"
    )


def figure(value: float) -> str:
    """A count as it is, anything else with three digits."""
    return f"{value:.0f}" if value == int(value) else terminal.significant(value)


# ---- the front


def objectives(area: str, records: Sequence[Record]) -> tuple[str, ...]:
    """What is weighed: area, time, and energy where every point has an estimate."""
    key = {"lut": "lut_sites", "blocks": "dsp"}[area]
    energy = bool(records) and all("energy_uj" in item for item in records)
    return (key, "time_ms", *(["energy_uj"] if energy else []))


def mark(
    records: Sequence[Record], keys: Sequence[str], group: Callable[[Record], Hashable]
) -> None:
    """Sets `pareto` in each record.

    It is true if no other record of the group is at least as good in all the figures and better in
    one. Of equal records the first counts.
    """
    groups: dict[Hashable, list[Record]] = {}
    for item in records:
        groups.setdefault(group(item), []).append(item)
    for members in groups.values():
        values = [tuple(float(item[key]) for key in keys) for item in members]
        for i, item in enumerate(members):
            item["pareto"] = not any(
                _at_least_as_good(other, values[i]) and (other != values[i] or j < i)
                for j, other in enumerate(values)
            )


def _at_least_as_good(one: Sequence[float], other: Sequence[float]) -> bool:
    return all(a <= b for a, b in zip(one, other, strict=True))
