# SPDX-License-Identifier: Apache-2.0
"""What `monpro explore` prints: the fronts as tables, and the best for a budget in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from monpro.base import terminal
from monpro.explore import front as explore_front
from monpro.explore.front import Constraint
from monpro.hardware.schemes import Scheme
from monpro.records import Record

SCHEMES = {scheme.name.lower(): scheme.facts.short for scheme in Scheme}
NAMES = {
    "lut_sites": "LUT sites", "dsp": "multiplier blocks", "time_ms": "time", "energy_uj": "energy",
}  # fmt: skip
BEST = {"time": "time_ms", "area": "lut_sites", "blocks": "dsp", "energy": "energy_uj"}
WORDS = {
    "time": "fastest", "area": "smallest", "blocks": "one with fewest multiplier blocks",
    "energy": "one of least energy (estimated)",
}  # fmt: skip


def groups(found: Sequence[Record]) -> Iterator[tuple[str, int, list[Record]]]:
    """What can be compared: the points of a device and a length."""
    for target in dict.fromkeys(item["target"] for item in found):
        for bits in dict.fromkeys(item["bits"] for item in found):
            members = [i for i in found if (i["target"], i["bits"]) == (target, bits)]
            if members:
                yield target, bits, members


def meets(item: Record) -> bool:
    """Whether a point is one to choose from."""
    return "failure" not in item and not item["excluded_by"] and "time_ms" in item


def _scheme(item: Record) -> str:
    name = str(item["scheme"])
    name = SCHEMES.get(name, name)
    return f"{name} {item['window']}" if item.get("window") else name


def _name(item: Record) -> str:
    """The design without what has columns of its own."""
    base, *changes = item["design"].split(",")
    rest = [one for one in changes if not one.startswith(("elements=", "word_bits="))]
    return ", ".join([base, *rest, *([f"batch of {item['batch']}"] if "batch" in item else [])])


def share(item: Record) -> str:
    """What stands behind a time that is a share in a batch's."""
    return f" each in a batch of {item['batch']}" if "batch" in item else ""


def energy_words(item: Record) -> str:
    """The range of the estimate in millijoules."""
    if "energy_uj_range" not in item:
        return ""
    low, high = (terminal.significant(value / 1e3, 2) for value in item["energy_uj_range"])
    return f"{low}-{high}"


HEADS = [
    "design", "el.", "word", "scheme", "LUT\nsites", "FF", "mult.\nblocks", "RAM\nbl.", "MHz",
    "ms", "mJ, esti-\nmated",
]  # fmt: skip


def _row(item: Record, *, front: bool) -> list[str]:
    mark = "* " if front and item.get("pareto") else "  " if front else ""
    head = [
        f"{mark}{_name(item)}", str(item["elements"]), str(item["word_bits"]), _scheme(item),
    ]  # fmt: skip
    counts = [f"{item[key]:g}" if key in item else "" for key in ("lut_sites", "ff", "dsp", "bram")]
    if "failure" in item or "time_ms" not in item:
        return [*head, *counts, "", "", ""]
    times = [f"{item['clock_mhz']:.0f}", terminal.significant(item["time_ms"])]
    return [*head, *counts, *times, energy_words(item)]


def _because(item: Record) -> str:
    if "failure" in item:
        return str(item["failure"])
    return f"excluded by {', '.join(item['excluded_by'])}"


def show(
    found: Sequence[Record], keys: Sequence[str], limits: Sequence[Constraint], best: str,
    out: Path, *, everything: bool,
) -> None:  # fmt: skip
    """A table and a recommendation for each device and length, and what was left out."""
    for target, bits, members in groups(found):
        usable = [item for item in members if meets(item)]
        chosen = members if everything else [item for item in usable if item["pareto"]]
        front = sum(bool(item.get("pareto")) for item in usable)
        terminal.show_text(
            f"{target}, {bits} bits: {front} of {len(usable)} points on the front"
            + (f"; {len(members) - len(usable)} left out" if len(usable) < len(members) else "")
        )
        if chosen:
            ordered = sorted(chosen, key=lambda i: (not meets(i), i.get("lut_sites", 0)))
            rows = [_row(item, front=everything) for item in ordered]
            terminal.show_table(HEADS, rows, numbers=[*HEADS[1:3], *HEADS[4:]])
        for item in _unlike(members):
            terminal.show_text(f"{item['design']}: {_because(item)}")
        terminal.show_text("")
    for sentence in recommendations(found, limits, best):
        terminal.show_text(sentence)
    _show_notes(found, keys, out)


def _unlike(members: Sequence[Record]) -> list[Record]:
    """One record for each design that failed."""
    failed = [item for item in members if "failure" in item]
    return list({item["design"]: item for item in failed}.values())


def weighed(keys: Sequence[str]) -> str:
    """The figures that a front weighs."""
    return ", ".join(NAMES[key] for key in keys)


def _show_notes(found: Sequence[Record], keys: Sequence[str], out: Path) -> None:
    clock = next((item["clock_obtained"] for item in found if "clock_obtained" in item), None)
    whose = {
        "placed": "clock: placed and routed, median of the seeds",
        "assumed": "clock: assumed, not measured",
        None: "no clock",
    }[clock]
    terminal.show_text(
        f"\nFront: no other point is as good in {weighed(keys)} and better "
        "in one. Cycles: by the model, exact. Area: synthesized; LUT sites are those of LUTs and "
        f"carry chains. {whose[0].upper()}{whose[1:]}."
    )
    if any("energy_uj" in item for item in found):
        static = any(item.get("static_mw") is not None for item in found)
        terminal.show_text(
            "Energy: estimated, no board was measured, "
            + ("static power included" if static else "without static power")
            + "; the range is what may be believed, and it ranks."
        )
    if any("batch" in item for item in found):
        terminal.show_text(
            "Batch: so many operations side by side, which end together; cycles and time are those "
            "of all over their number, the kernel's alone, with a host that keeps up."
        )
    terminal.show_text(f"{len(found)} points. Records: {out}")


# ---- in words


def budget(limits: Sequence[Constraint]) -> str:
    """The constraints."""
    return ", ".join(map(str, limits)) or "no constraint"


def request(run: Mapping[str, Any]) -> str:
    """What was asked, by the `run` of records: the space, the budget, what is best."""
    clock, seeds = run["clock"], run.get("seeds")
    clock += f" with {seeds} seed{'s'[: seeds != 1]}" if seeds else f", {run['mhz']:g} MHz"
    limits = explore_front.constraints(**run["constraints"])
    area = NAMES[explore_front.objectives(run["area"], [])[0]]
    parts = [
        "; ".join(run["designs"]), "; ".join(run["targets"]),
        f"{', '.join(map(str, run['bits']))} bits",
        f"{run['operation']}, key {run['key_state']}",
        f"scheme {', '.join(run['schemes'])}, window {run['window']}", f"clock {clock}",
        budget(limits), f"area in {area}", f"best: the {WORDS[run['best']]}",
    ]  # fmt: skip
    if "search" in run:
        parts.append(f"--search {run['search']}, seed {run['seed']}")
    return f"Asked for: {'; '.join(parts)}."


def recommendations(
    found: Sequence[Record], limits: Sequence[Constraint], best: str
) -> Iterator[str]:
    """The best for this budget: a few sentences for each device and length that has one."""
    for target, bits, members in groups(found):
        usable = [item for item in members if meets(item)]
        key = BEST[best]
        ranked = sorted(
            (item for item in usable if key in item),
            key=lambda item: (item[key], item["time_ms"], item["lut_sites"]),
        )
        if ranked:
            yield _recommend(target, bits, ranked, members, limits, best)


def _recommend(
    target: str, bits: int, ranked: Sequence[Record], members: Sequence[Record],
    limits: Sequence[Constraint], best: str,
) -> str:  # fmt: skip
    first, key = ranked[0], BEST[best]
    one = len(ranked) == 1
    rank = "only one that qualifies" if one else f"{WORDS[best]} of {len(ranked)} that qualify"
    text = (
        f"Best for {budget(limits)} on {target} at {bits} bits: {first['design']}, "
        f"{_scheme(first)}: {_figures(first)}. The {rank}"
    )
    if second := next((item for item in ranked if item["design"] != first["design"]), None):
        text += f"; next {second['design']}: {_figures(second)}"
    better = [
        item
        for item in members
        if not meets(item) and "failure" not in item and key in item and item[key] < first[key]
    ]
    if better:
        nearest = min(better, key=lambda item: (len(item["excluded_by"]), item[key]))
        text += f". A better one, {nearest['design']}, is excluded: {_excess(nearest, limits)}"
    return text + "."


def _figures(item: Record) -> str:
    text = (
        f"{terminal.significant(item['time_ms'])} ms{share(item)} at {item['clock_mhz']:.0f} MHz "
        f"({item['clock_obtained']}), {item['lut_sites']} LUT sites, {item['dsp']} multiplier "
        f"block{'s'[: item['dsp'] != 1]}, {item['bram']:g} RAM blocks"
    )
    if energy := energy_words(item):
        text += f", {energy} mJ (estimated)"
    return text


def _excess(item: Record, limits: Sequence[Constraint]) -> str:
    found = []
    for limit in limits:
        excess = limit.excess(item)
        if excess is not None and excess > 0:
            word = "below" if limit.least else "above"
            found.append(f"{explore_front.figure(excess)} {limit.unit} {word} {limit}")
    return ", ".join(found)
