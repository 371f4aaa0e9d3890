# SPDX-License-Identifier: Apache-2.0
"""Power and energy of ledgard2023's designs (tables 11 to 14) beside the published ones.

All of Monpro's are estimates: from the area on the thesis's device, simulated activity, and
coefficients that are fitted on the thesis's own points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from monpro import records
from monpro.hardware import designs
from monpro.hardware.designs import Design
from monpro.papers.ledgard2023 import figures as ledgard2023_figures
from monpro.power import activity, coefficients
from monpro.power import estimate as power
from monpro.power import fit as power_fit
from monpro.power import sets as power_sets
from monpro.power.activity import Measured
from monpro.power.fit import Point, Prediction
from monpro.records import Record
from monpro.synth import area, targets
from monpro.synth.targets import Counts

Size = tuple[str, int]
# The coefficients that the tables take: those of the thesis's own points.
SET = "thesis"
# A serial design is simulated as built for this length at least.
LEAST_BITS = 64
BUILD_S = 10  # of a model that counts toggles, and its run
ASSUMED, SIMULATED, USUAL = "assumed", "simulated", "usual"


def switching(name: str, bits: int) -> Design:
    """The design whose activity stands for that length."""
    return area.sized(name, max(bits, LEAST_BITS))


def known(sizes: Sequence[Size], *, quick: bool) -> tuple[dict[Size, Measured], list[Size]]:
    """What the cache has, and what is to be simulated: nothing in a quick run."""
    kept = {size: activity.kept(switching(*size), size[1]) for size in sizes}
    found = {size: each for size, each in kept.items() if each}
    return found, [] if quick else [size for size in sizes if size not in found]


def simulated(size: Size) -> Measured:
    """The same, simulated where the cache has nothing."""
    return activity.measured(switching(*size), size[1])


def estimated(
    size: Size, counts: Counts | None, cycles: float, found: Measured | None, clock_MHz: float
) -> Record:
    """The record of one design and length; without an area the published figures alone."""
    name, bits = size
    thesis, figures = ledgard2023_figures.load(), {}
    static, dynamic = (thesis.figure(f"{kind}_W", name, bits) for kind in ("static", "dynamic"))
    published = {"static_mw": static * 1e3, "dynamic_mw": dynamic * 1e3}
    if name in ledgard2023_figures.TABLES["energy_J"]:
        published["energy_uj"] = thesis.figure("energy_J", name, bits) * 1e6
        latency = thesis.figure("latency_us_avg", name, bits)
        published["energy_of_latency_uj"] = (static + dynamic) * latency
    # What the published power would take for as long as Monpro needs.
    published["energy_of_our_cycles_uj"] = (static + dynamic) * cycles / clock_MHz
    switched = found.activity if found else power_sets.usual(designs.get(name).multiplier)
    if counts:
        target = targets.get(area.TARGET)
        figures = power.estimate(
            counts, switched, cycles, clock_MHz, SET, family=target.family, device=target.device
        ).record()
        figures |= {"logic_toggles": switched.logic, "register_toggles": switched.register}
    return records.record(
        "papers",
        {key: value for key, value in figures.items() if value is not None},
        engine=f"sim:{name}",
        design=name,
        operation="power",
        bits=bits,
        ok=None,
        obtained="estimated" if counts else None,
        cycles=cycles,
        clock_mhz=clock_MHz,
        clock_obtained="assumed",
        published=published,
    )


def fits(found: Mapping[Size, Measured]) -> list[Record]:
    """Each design's published power predicted from the other two, by how activity is known: taken
    to be the same everywhere, or simulated on Monpro's designs of these names."""
    ways = {ASSUMED: coefficients.assumed(coefficients.VECTORLESS)}
    thesis = ledgard2023_figures.load()
    if len(found) == len(ledgard2023_figures.DESIGNS) * len(thesis.bits):
        ways[SIMULATED] = {size: each.activity for size, each in found.items()}
    else:
        ways[USUAL] = coefficients.usual()
    return [
        _fit(way, prediction)
        for way, activities in ways.items()
        for prediction in power_fit.leave_out(coefficients.thesis_points(activities), static=False)
    ]


def _fit(way: str, found: Prediction) -> Record:
    point: Point = found.point
    return records.record(
        "papers",
        design=point.design,
        operation="power_prediction",
        bits=point.bits,
        obtained="estimated",
        activity=way,
        fitted_on=[name for name in ledgard2023_figures.DESIGNS if name != point.design],
        dynamic_mw=found.predicted_W * 1e3,
        published_mw=point.power_W * 1e3,
        ratio=found.ratio,
    )
