# SPDX-License-Identifier: Apache-2.0
"""What `monpro power` shows: sets, activity, an estimate."""

from __future__ import annotations

from collections.abc import Sequence

from monpro.base import terminal
from monpro.base.terminal import significant
from monpro.power import sets as power_sets
from monpro.power.activity import Measured
from monpro.power.estimate import Estimate
from monpro.power.fit import Fit, Prediction
from monpro.power.sets import Coefficients
from monpro.records import Record


def _pj(joules: dict[str, float]) -> dict[str, float]:
    return {kind: value * 1e12 for kind, value in joules.items()}


def set_record(one: Coefficients) -> Record:
    """A set as JSON."""
    figures = {
        "set": one.name, "pj": _pj(dict(one.joules)), "static_mw": one.static_W,
        "device": one.device, "family": one.family, "factor": one.factor,
        "calibrated": one.calibrated, "source": one.source,
    }  # fmt: skip
    if one.static_W is not None:
        figures["static_mw"] = one.static_W * 1e3
    return {key: value for key, value in figures.items() if value is not None}


def fit_record(name: str, found: Fit, held: Sequence[Prediction]) -> Record:
    """A fit, and what it said of points that were left out."""
    return {
        "set": name,
        "pj": _pj(dict(found.joules)),
        "static_mw": (found.static_W or 0.0) * 1e3,
        "left_out": [
            {"design": each.point.design, "bits": each.point.bits, "ratio": each.ratio}
            for each in held
        ],
    }


def show_sets(found: Sequence[Coefficients]) -> None:
    head = ["", *(f"{kind}\npJ" for kind in power_sets.KINDS), "static\nmW", "off by\nup to"]
    rows = []
    for one in found:
        pj = _pj(dict(one.joules))
        cells = [f"{pj[kind]:.3g}" if kind in pj else "-" for kind in power_sets.KINDS]
        static = "-" if one.static_W is None else f"{one.static_W * 1e3:g}"
        rows.append([one.name, *cells, static, f"{one.factor:.2g} x"])
    terminal.show_table(head, rows, numbers=head[1:])
    for one in found:
        terminal.show_text(f"\n{one.name}: {one.source}")


def show_activity(found: Measured) -> None:
    text = (
        f"{found.design}, {found.bits} bits, {found.operation} with an exponent of "
        f"{found.exponent_bits} bits, {found.cycles} cycles, simulated. Toggles a cycle: "
        f"{found.logic:.4f} of a net (of {found.nets} that change at all), {found.register:.4f} of "
        f"a flip-flop (of {found.registers})"
    )
    if found.blocks:
        text += f", {found.dsp:.1f} of the factors of each of {found.blocks} multiplier blocks"
    terminal.show_text(f"{text}. No glitches: a net is evaluated once a cycle.")
    head = ["the busiest instances", "flip-flops,\ntoggles a cycle", "nets"]
    rows = [[where, f"{a:.2f}", f"{b:.2f}"] for where, a, b in found.modules]
    terminal.show_table(head, rows, numbers=head[1:])


def show_estimate(item: Record, found: Estimate) -> None:
    """item: the record of the same."""
    static = "not known of this device"
    if found.static_W is not None:
        static = f"{significant(item['static_mw'])} mW"
    terminal.show_text(
        f"{item['design']}, {item['bits']} bits on {item['device']}, private operation: "
        f"{item['cycles']} cycles, {significant(item['time_ms'])} ms at {item['clock_mhz']:g} MHz "
        f"({item['clock_obtained']})"
    )
    spans = {
        key: " to ".join(significant(end) for end in item[f"{key}_range"])
        for key in ("dynamic_uj", "energy_uj")
    }
    terminal.show_text(
        f"estimated: dynamic {significant(item['dynamic_mw'])} mW, "
        f"{significant(item['dynamic_uj'])} uJ ({spans['dynamic_uj']}); static {static}; in all "
        f"{significant(item['energy_uj'])} uJ ({spans['energy_uj']})"
    )
    head = ["dynamic, by kind", "uJ", "%"]
    rows = [
        [kind, significant(value * 1e6), f"{100 * value / found.dynamic_J:.0f}"]
        for kind, value in found.parts.items()
        if value
    ]
    terminal.show_table(head, rows, numbers=head[1:])
    text = f"Coefficients: {found.coefficients}; toggles: {found.activity}."
    if found.unknown:
        text += f" Left out, the set has no figure of them: {', '.join(found.unknown)}."
    terminal.show_text(
        f"{text} Off by up to {found.factor:.2g} times either way: it ranks designs, and is no "
        "measurement."
    )
