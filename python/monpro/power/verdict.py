# SPDX-License-Identifier: Apache-2.0
"""Is a design fit for a cyber-physical system? RSA-1024 against a microcontroller.

ledgard2023 asks the question in watts. Here it is answered in joules too, at a rate of operations:

    mean power at r operations a second = idle + r x (energy of one - idle x its time)

A microcontroller sleeps between operations. An FPGA that keeps its configuration goes on taking its
static power. An FPGA that is switched off would have to be configured again; nobody measured that
here.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from monpro import records
from monpro.errors import MonproError
from monpro.hardware import designs
from monpro.hardware.designs import Design
from monpro.hardware.models.product import ProductCoprocessor
from monpro.hardware.models.serial import SerialCoprocessor
from monpro.hardware.regs import Scheme
from monpro.measure import predict
from monpro.power import activity
from monpro.power import estimate as power
from monpro.power import sets as power_sets
from monpro.power.sets import Coefficients
from monpro.published import power as published_power
from monpro.records import Record
from monpro.synth import area, clocks, targets

BITS = 1024
E = 65537
DECRYPT, ENCRYPT = "decrypt", "encrypt"
ASSUMED_MHZ = 10.0  # where no clock was placed: the thesis's
RATE = 0.1  # operations a second
# For 7-series: a DSP48E1 takes 17 unsigned bits, so words of 36 do not fit its blocks.
OURS = ("binary", "montgomery", "tiny", "small", "fast,word_bits=34")
THEIRS = ("binary", "montgomery")
THESIS = "thesis: "
# What the power of the thesis's designs would take with cycles that keep the bound.
BOUND = "its watts, our cycles: "


@dataclass(frozen=True, slots=True)
class Subject:
    """One operation of one machine. active_W: while it works, all of the device; low_J, high_J:
    the range of energy_J where it is an estimate."""

    who: str
    operation: str
    time_s: float
    energy_J: float
    idle_W: float
    obtained: str
    low_J: float | None = None
    high_J: float | None = None
    clock_MHz: float | None = None
    clock_obtained: str | None = None
    cycles: float | None = None

    @property
    def active_W(self) -> float:
        return self.energy_J / self.time_s

    @property
    def most_a_second(self) -> float:
        return 1 / self.time_s

    def mean_W(self, rate: float) -> float | None:
        """Mean power at `rate` operations a second. None: the design cannot do as many."""
        if rate > self.most_a_second * (1 + 1e-9):
            return None
        return self.idle_W + rate * self.above_idle_J

    @property
    def above_idle_J(self) -> float:
        return self.energy_J - self.idle_W * self.time_s


def break_even(one: Subject, other: Subject) -> float | None:
    """Operations a second from which `one` takes less power than `other`; 0: at once, None: never.

    It may lie above what the other can do at all.
    """
    gained = other.above_idle_J - one.above_idle_J
    dearer = one.idle_W - other.idle_W
    if dearer <= 0:
        return 0.0 if gained >= 0 else None
    return dearer / gained if gained > 0 else None


# ---- who is compared


def microcontrollers() -> list[Subject]:
    """The microcontroller at each of its clocks.

    Its energy is its highest power times the time. That power is stated for one of the clocks.
    """
    known = power_sets.microcontroller()
    found = []
    for row in published_power.load(power_sets.FITTED).software:
        for operation, time_s in ((DECRYPT, row.decrypt_s), (ENCRYPT, row.encrypt_ms / 1e3)):
            found.append(
                Subject(
                    f"{known.who}, {row.MHz:g} MHz", operation, time_s, known.active_W * time_s,
                    known.sleep_W, "published", clock_MHz=row.MHz, clock_obtained="published",
                )
            )  # fmt: skip
    return found


def theirs() -> list[Subject]:
    """The thesis's designs as published, by their mean latency."""
    known = published_power.load(power_sets.FITTED)
    found = []
    for name in THEIRS:
        static, dynamic = (known.figure(f"{k}_W", name, BITS) for k in ("static", "dynamic"))
        time_s = known.figure("latency_us_avg", name, BITS) / 1e6
        found.append(
            Subject(
                f"{THESIS}{name}", DECRYPT, time_s, (static + dynamic) * time_s, static,
                "published", clock_MHz=ASSUMED_MHZ, clock_obtained="published",
            )
        )  # fmt: skip
    return found


def cycles(design: Design, operation: str, bits: int = BITS) -> int:
    """Cycles of an operation by the formula, with a cold key.

    A private operation takes constant time, with CRT and its check where the library has them. A
    public one has e = 65537.
    """
    model = design.model()
    if design.schemes == ("repeated",):
        raise MonproError("MONPRO_ERR_UNSUPPORTED", f"{design.name} has no secret exponents")
    if isinstance(model, ProductCoprocessor):
        raise MonproError(
            "MONPRO_ERR_UNSUPPORTED",
            f"{design.name} does single products: what the processor beside it takes is not known",
        )
    if not design.min_bits <= bits <= design.max_bits:
        raise MonproError(
            "MONPRO_ERR_PARAMETER",
            f"{design.name} takes {design.min_bits} to {design.max_bits} bits, not {bits}",
        )
    if isinstance(model, SerialCoprocessor):
        if operation == ENCRYPT:
            return model.modexp(Scheme.BINARY, bits, 24, warm=False, exponent=E).cycles
        return model.modexp(Scheme.RIGHT_TO_LEFT, bits, bits, warm=False).cycles
    if operation == ENCRYPT:
        return predict.predict(design, "rsa_public", bits, E).rows[0][2]
    return predict.predict(design, "rsa_private", bits, E).rows[-1][2]


def _clock(name: str, given: float | None) -> tuple[float, str]:
    """Megahertz, and whose clock it is: the one of the named design as it is listed."""
    if given is not None:
        return given, "assumed"
    found = clocks.placed(designs.get(name.partition(",")[0]))
    if found is None:
        return ASSUMED_MHZ, "assumed"
    return found.mhz, f"placed, {found.device}"


def ours(
    name: str, coefficients: Coefficients, clock_MHz: float | None, *, quick: bool
) -> list[Subject]:
    """A design of Monpro; nothing if its area is not in the cache and cannot or may not be made."""
    design = designs.parse(name)
    counts = area.kept(design)
    if counts is None:
        why = "--quick" if quick else area.no_tool()
        if why:
            print(f"monpro: {name} is left out, its area is not known: {why}", file=sys.stderr)
            return []
        counts = area.synthesized(design)
    mhz, whose = _clock(name, clock_MHz)
    simulated = activity.kept(design, BITS)
    switching = simulated.activity if simulated else power_sets.usual(design.multiplier)
    target = targets.get(area.TARGET)
    found = []
    for operation in (DECRYPT, ENCRYPT):
        count = cycles(design, operation)
        each = power.estimate(
            counts, switching, count, mhz, coefficients, family=target.family, device=target.device
        )
        found.append(
            Subject(
                name, operation, each.time_s, each.energy_J, each.static_W or 0.0, each.obtained,
                each.low_J, each.high_J, mhz, whose, count,
            )
        )  # fmt: skip
    return found


def bounded(found: Sequence[Subject]) -> list[Subject]:
    """The thesis's watts for as long as Monpro's design of the name needs at the same clock."""
    result = []
    for row in theirs():
        name = row.who.removeprefix(THESIS)
        count = cycles(designs.get(name), DECRYPT)
        time_s = count / ASSUMED_MHZ / 1e6
        result.append(
            replace(
                row, who=BOUND + name, time_s=time_s, energy_J=row.active_W * time_s,
                obtained="estimated", cycles=count,
            )
        )  # fmt: skip
    return result


def subjects(
    coefficients: Coefficients, clock_MHz: float | None = None, *, quick: bool = False
) -> list[Subject]:
    """All of them. MonproError for a set that knows no static power: nothing could be compared."""
    if coefficients.static_W is None:
        raise MonproError(
            "MONPRO_ERR_ARGUMENT",
            f'the set "{coefficients.name}" has no static power: a verdict needs it',
        )
    found = [*microcontrollers(), *theirs()]
    found += bounded(found)
    for name in OURS:
        found += ours(name, coefficients, clock_MHz, quick=quick)
    return found


# ---- records


def record(subject: Subject, others: Sequence[Subject], rate: float, set_name: str) -> Record:
    """One subject, with its break-even rate against each microcontroller of the operation."""
    figures: dict[str, Any] = {
        "who": subject.who,
        "cycles": subject.cycles,
        "clock_mhz": subject.clock_MHz,
        "clock_obtained": subject.clock_obtained,
        "time_ms": subject.time_s * 1e3,
        "power_mw": subject.active_W * 1e3,
        "energy_uj": subject.energy_J * 1e6,
        "idle_mw": subject.idle_W * 1e3,
        "rate_per_s": rate,
        "most_per_s": subject.most_a_second,
    }
    mean = subject.mean_W(rate)
    figures["mean_mw"] = None if mean is None else mean * 1e3
    if subject.low_J is not None and subject.high_J is not None:
        figures["energy_uj_range"] = [subject.low_J * 1e6, subject.high_J * 1e6]
        figures["coefficients"] = set_name
    mine = [other for other in others if other.operation == subject.operation]
    if subject not in mine:
        figures["break_even_per_s"] = {
            f"{other.clock_MHz:g} MHz": found
            for other in mine
            if (found := break_even(subject, other)) is not None
        }
    name = subject.who if subject.who in OURS else None
    return records.record(
        "verdict",
        figures,
        design=name,
        operation="rsa_private" if subject.operation == DECRYPT else "rsa_public",
        bits=BITS,
        ok=None,
        obtained=subject.obtained,
        paper=power_sets.FITTED,
    )


def run(
    coefficients: Coefficients, rate: float, clock_MHz: float | None = None, *, quick: bool = False
) -> list[Record]:
    """The records of a verdict at a rate of operations a second."""
    if not rate > 0:
        raise MonproError("MONPRO_ERR_ARGUMENT", f"{rate:g} operations a second: above 0, please")
    found = subjects(coefficients, clock_MHz, quick=quick)
    others = [each for each in found if each.who.startswith(power_sets.microcontroller().who)]
    return [record(each, others, rate, coefficients.name) for each in found]
