"""The named sets of coefficients: given, fitted on the thesis's points, or made of other sets."""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from collections.abc import Mapping

from monpro.errors import MonproError
from monpro.hardware import designs
from monpro.power import sets as power_sets
from monpro.power.fit import Point, fit, leave_out, worst
from monpro.power.sets import Activity, Coefficients, File, Table
from monpro.published import power as published_power

THESIS_MHZ = 10.0
# What Vivado 2021.2, the thesis's tool, assumes at a design's inputs where no simulation tells it
# more (UG907, Switching Tab: 12.5 %).
VECTORLESS = 0.125


def names(more: File | None = None) -> list[str]:
    return list({**(more.sets if more else {}), **power_sets.load().sets})


def get(name: str, more: File | None = None) -> Coefficients:
    """A set by its name; more: a file that goes before Monpro's own."""
    tables = {**power_sets.load().sets, **(more.sets if more else {})}
    if name not in tables:
        raise MonproError(
            "MONPRO_ERR_ARGUMENT",
            f'no set of coefficients "{name}"; there are: {", ".join(tables)}',
        )
    table = tables[name]
    if table.of is not None:
        return _together(table, [get(each, more) for each in table.of])
    if table.fit is not None:
        return thesis(table)
    joules: dict[str, float] = dict(
        (table.joules or {}).items()
    )  # such a table has a family and a factor
    return Coefficients(
        name, joules, table.family or "", table.factor or 0.0, table.source, table.device,
        table.static_W, table.calibrated,
    )  # fmt: skip


def _together(table: Table, sets: list[Coefficients]) -> Coefficients:
    """The first set that knows a kind is asked for it; the widest factor holds."""
    first = sets[0]
    joules: dict[str, float] = {}
    for each in reversed(sets):
        joules |= each.joules
    return Coefficients(
        table.name, joules, first.family, max(each.factor for each in sets), table.source,
        first.device, first.static_W, all(each.calibrated for each in sets),
    )  # fmt: skip


def thesis_points(activities: Mapping[tuple[str, int], Activity]) -> list[Point]:
    """The published dynamic power of those designs and lengths, with the published LUTs and FFs."""
    known = published_power.load(power_sets.FITTED)
    found = []
    for name in known.designs:
        for bits in known.bits:
            if (name, bits) not in activities:
                continue
            parts = {"lut": known.figure("LUT", name, bits), "ff": known.figure("FF", name, bits)}
            toggles = activities[name, bits].by_kind(parts | {"dsp": 0, "bram": 0})
            watts = known.figure("dynamic_W", name, bits)
            found.append(Point(name, bits, THESIS_MHZ, toggles, watts))
    return found


def assumed(rate: float) -> dict[tuple[str, int], Activity]:
    """The same toggles everywhere, which a report without a simulation assumes."""
    known = published_power.load(power_sets.FITTED)
    return {
        (name, bits): Activity(rate, rate, obtained="assumed")
        for name in known.designs
        for bits in known.bits
    }


def usual() -> dict[tuple[str, int], Activity]:
    """Those of Monpro's designs of the same names: what is usual of their multipliers."""
    known = published_power.load(power_sets.FITTED)
    return {
        (name, bits): power_sets.usual(designs.get(name).multiplier)
        for name in known.designs
        for bits in known.bits
    }


def thesis(table: Table) -> Coefficients:
    """The set that its table in energy.toml describes: fitted on all points of the thesis."""
    points = thesis_points(usual())
    known = published_power.load(power_sets.FITTED)
    static = {known.figure("static_W", name, bits) for name in known.designs for bits in known.bits}
    return Coefficients(
        table.name,
        fit(points, static=False).joules,
        table.family or "",
        worst(leave_out(points, static=False)),
        table.source,
        table.device,
        max(static),
    )
