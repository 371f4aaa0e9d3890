# SPDX-License-Identifier: Apache-2.0
"""Power and energy of a design, estimated from what it consists of and how often that switches.

    dynamic energy = sum over kinds of  parts x toggles a part and cycle x joules a toggle x cycles

The parts are those of a synthesis (`synth.targets.Counts`). The toggles are those of a simulation,
or, where there was none, the usual ones of the design's kind (`power.sets`). The joules are those
of a named set. Each factor says where it comes from.

No set here is calibrated on a board. An estimate ranks designs, and its range, not its value, is
what may be believed. `monpro power fit` makes a set from a board's measurements.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from monpro.power import coefficients as known_sets
from monpro.power import sets as power_sets
from monpro.power.sets import Activity, Coefficients
from monpro.synth.targets import Counts

# Estimates for cells that the set was not made for: another family's LUTs, another process.
OTHER_FAMILY_FACTOR = 2.0


@dataclass(frozen=True, slots=True)
class Estimate:
    """What an operation takes. J joules, W watts; dynamic is what the design adds by working.

    low_J, high_J: the range of energy_J. static: of the whole device, whatever is in it; None
    where the set knows none of this device, and energy_J is then the dynamic part alone. parts:
    dynamic_J by kind. unknown: kinds that are there and that the set has no figure of.
    """

    energy_J: float
    low_J: float
    high_J: float
    static_W: float | None
    dynamic_W: float
    dynamic_J: float
    dynamic_low_J: float
    dynamic_high_J: float
    time_s: float
    factor: float
    parts: Mapping[str, float]
    unknown: tuple[str, ...]
    coefficients: str
    activity: str
    obtained: str = "estimated"

    def record(self) -> dict[str, Any]:
        """The figures of a record, by the names of its fields. Unknown figures are None."""
        return {
            "energy_uj": self.energy_J * 1e6,
            "energy_uj_range": [self.low_J * 1e6, self.high_J * 1e6],
            "dynamic_uj": self.dynamic_J * 1e6,
            "dynamic_uj_range": [self.dynamic_low_J * 1e6, self.dynamic_high_J * 1e6],
            "power_mw": (self.dynamic_W + (self.static_W or 0)) * 1e3,
            "dynamic_mw": self.dynamic_W * 1e3,
            "static_mw": None if self.static_W is None else self.static_W * 1e3,
            "power_obtained": self.obtained,
            "coefficients": self.coefficients,
            "activity": self.activity,
            "energy_leaves_out": list(self.unknown) or None,
        }


def estimate(
    counts: Counts,
    activity: Activity | str,
    cycles: float,
    clock_MHz: float,
    coefficients: Coefficients | str = power_sets.DEFAULT,
    *,
    family: str = "xilinx7",
    device: str | None = None,
) -> Estimate:
    """The estimate for an operation of `cycles` cycles at a clock.

    activity: simulated (activity.measured); or the name of a multiplier (Design.multiplier), for
    what is usual of its kind, with a wider range. coefficients: a set, or its name. family: where
    the counts are from (Target.family). device: Target.device. The static power of the set counts
    only for the set's own device. MonproError for an unknown set or multiplier.
    """
    known = known_sets.get(coefficients) if isinstance(coefficients, str) else coefficients
    switching = power_sets.usual(activity) if isinstance(activity, str) else activity
    parts = dataclasses.asdict(counts)
    time_s = cycles / clock_MHz / 1e6
    found, unknown = {}, []
    for kind, toggles in switching.by_kind(parts).items():
        each = known.joules.get(kind)
        if each is not None:
            found[kind] = toggles * each * cycles
        elif toggles:
            unknown.append(kind)
    factor = known.factor * switching.factor
    if family != known.family:
        factor *= OTHER_FAMILY_FACTOR
    dynamic = sum(found.values())
    static = known.static_W if device is None or device == known.device else None
    if device is None and family != known.family:
        static = None
    rest = (static or 0.0) * time_s
    return Estimate(
        energy_J=dynamic + rest,
        low_J=dynamic / factor + rest,
        high_J=dynamic * factor + rest,
        static_W=static,
        dynamic_W=dynamic / time_s if time_s else 0.0,
        dynamic_J=dynamic,
        dynamic_low_J=dynamic / factor,
        dynamic_high_J=dynamic * factor,
        time_s=time_s,
        factor=factor,
        parts=found,
        unknown=tuple(unknown),
        coefficients=known.name,
        activity=switching.obtained,
    )
