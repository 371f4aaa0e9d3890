# SPDX-License-Identifier: Apache-2.0
"""Plots of designs beside each other and beside others, from records and published figures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from monpro.base import terminal
from monpro.explore import front as explore_front
from monpro.explore import table as explore_table
from monpro.hardware import bounds
from monpro.hardware.schemes import Scheme
from monpro.papers import registry
from monpro.plots.plot import Axis, Plot, Series
from monpro.published import peers
from monpro.published.peers import Hardware, Range
from monpro.records import Record

BITS = 1024  # of the exponentiation that most others publish
WORD_BITS = 17  # of a multiplier block, for the bound
DESIGNS = "monpro bench designs tiny,small,fast"
LABELS = {scheme.name.lower(): scheme.facts.label for scheme in Scheme}
Records = Mapping[str, Sequence[Record]]


def _figure(value: float, unit: str) -> str:
    return f"{terminal.significant(value, 4)} {unit}"


def _count(number: int) -> str:
    """A number with a gap between thousands."""
    return f"{number:,}".replace(",", " ")


def _scheme(item: Record) -> str:
    name = str(item["scheme"])
    return LABELS.get(name, name)


def obtained(item: Record) -> str:
    """How a figure was obtained, and whose clock its time has."""
    words = [str(item["obtained"])]
    if item.get("method") == "model":
        words.append("by the model's formula")
    if "clock_mhz" in item:
        device = item.get("clock_device", "")
        how = item.get("clock_obtained", "placed")
        words.append(f"clock {item['clock_mhz']:.1f} MHz {how} {device}".strip())
    return ", ".join(words)


def _middle(value: Range) -> float:
    """The middle of a range on a logarithmic axis."""
    return float((value[0] * value[1]) ** 0.5)


def by_name(items: Iterable[Record], key: str = "design") -> dict[str, list[Record]]:
    found: dict[str, list[Record]] = {}
    for item in items:
        found.setdefault(str(item[key]), []).append(item)
    return found


# ---- cycles against multiplier blocks


def _blocks_of(item: Record, command: str) -> tuple[str, ...]:
    return (
        f"{item['design']}, {_scheme(item)}, {item['exponent']} exponent, key {item['key_state']}",
        f"{item['multipliers']} blocks, {_count(item['cycles'])} cycles",
        f"{item['multiplier_cycles'] / 1e6:.2f} M multiplier-cycles, "
        f"{100 * item['bound_fraction']:.1f} % of the bound",
        obtained(item),
        command,
    )


def _others(row: Hardware) -> tuple[str, ...]:
    work = row.multiplier_cycles
    assert work
    low, high = (terminal.significant(side / 1e6) for side in work)
    lines = [f"{row.who}, {row.device}", f"{low if low == high else f'{low} to {high}'} M "
             f"multiplier-cycles, {row.obtained}"]  # fmt: skip
    lines += [f"doubt: {doubt}" for doubt in row.doubts]
    return tuple(lines)


def _of_speed(records: Records) -> list[tuple[Record, str]]:
    """Simulated exponentiations of one length with their multiplier blocks, and their commands."""
    made_by = {"designs": DESIGNS}
    made_by |= {key: f"{registry.get(key).command} --full" for key in registry.known()}
    return [
        (item, command)
        for key, command in made_by.items()
        for item in records.get(key, ())
        if (item["operation"], item["bits"]) == ("modexp", BITS)
        and str(item["engine"]).startswith("sim:")
        and item.get("multiplier_cycles")
    ]


def _peers() -> Series:
    """The published exponentiations of others."""
    theirs = [
        (row, multipliers, cycles)
        for row in peers.load().hardware
        if (row.operation, row.bits) == ("modexp", BITS)
        and (multipliers := row.multipliers) and multipliers[1] > 0
        and (cycles := row.cycle_range)
    ]  # fmt: skip
    return Series(
        "others", tuple(_middle(multipliers) for _, multipliers, _ in theirs),
        tuple(_middle(cycles) for *_, cycles in theirs),
        tuple(_others(row) for row, *_ in theirs), rough=True,
        low=tuple(cycles[0] for *_, cycles in theirs),
        high=tuple(cycles[1] for *_, cycles in theirs),
    )  # fmt: skip


def _bound() -> Series:
    """The products of words that are needed, as a line over the multipliers that share them."""
    work = bounds.modexp(BITS, WORD_BITS, "fixed_window", 0, BITS, public=False)
    ends = (1.0, 512.0)
    return Series(
        "bound", ends, tuple(work / end for end in ends),
        tuple((f"bound, constant time: {work / 1e6:.2f} M products of words",) for _ in ends),
        mode="line", rough=True,
    )  # fmt: skip


def speed_against_blocks(records: Records) -> Plot | None:
    """Exponentiation of 1024 bits: cycles against multiplier blocks, with the bound as a line."""
    ours = _of_speed(records)
    if not ours:
        return None
    series = []
    for number, (name, items) in enumerate(by_name(item for item, _ in ours).items()):
        commands = [command for item, command in ours if item["design"] == name]
        series.append(
            Series(
                name,
                tuple(item["multipliers"] for item in items),
                tuple(item["cycles"] for item in items),
                tuple(_blocks_of(i, c) for i, c in zip(items, commands, strict=True)),
                colour=number,
            )
        )
    series += [_peers(), _bound()]
    return Plot(
        "speed-blocks",
        f"Speed against multiplier blocks: exponentiation of {BITS} bits",
        Axis("multiplier blocks present", log=True),
        Axis("cycles", log=True),
        tuple(series),
        "Lower and further left is better; a line parallel to the bound has the same "
        "multiplier-cycles, so that no device is needed to compare. The bound is of words of "
        f"{WORD_BITS} bits and a fixed window in constant time; schemes for public exponents, and "
        "longer words, may lie below it. Hollow: others, as published (or run from their sources: "
        "read the point); where two clocks are named, the range.",
        DESIGNS,
    )


# ---- time against area


def _area_hover(item: Record) -> tuple[str, ...]:
    return (*point_title(item), *point_figures(item), point_command(item))


def point_title(item: Record) -> tuple[str, ...]:
    """A point of an exploration: what it is."""
    window = f", window {item['window']}" if item.get("window") else ""
    return (
        f"{item['design']} on {item.get('target', '?')}",
        f"{item['operation']}, {item['bits']} bits, {_scheme(item)}"
        f"{window}, {item['exponent']} exponent, key {item['key_state']}",
    )


def point_figures(item: Record) -> tuple[str, ...]:
    """And what it takes; each figure with the word for how it was obtained."""
    lines = [
        ", ".join(
            f"{item[key]:g} {name}"
            for key, name in (
                ("lut_sites", "LUT sites"), ("ff", "FF"), ("dsp", "multiplier blocks"),
                ("bram", "RAM blocks"),
            )
            if key in item
        ),
        f"{_count(item['cycles'])} cycles{explore_table.share(item)}",
    ]  # fmt: skip
    if "time_ms" in item:
        lines.append(
            f"{_figure(item['time_ms'], 'ms')}{explore_table.share(item)}: {obtained(item)}"
        )
    if "energy_uj" in item:
        text = f"{_figure(item['energy_uj'] / 1e3, 'mJ')} estimated"
        if "energy_uj_range" in item:
            low, high = (terminal.significant(side / 1e3) for side in item["energy_uj_range"])
            text += f", {low} to {high}"
        lines.append(text)
    return tuple(line for line in lines if line)


def point_command(item: Record) -> str:
    """The command that makes this point's area and clock."""
    return str(item["made_by"])


def placed_points(records: Records) -> list[Record]:
    """Points of an exploration with an area and a time."""
    return [
        item for item in records["explore"] if "lut_sites" in item and "time_ms" in item
    ]  # fmt: skip


def speed_against_area(records: Records) -> Plot | None:
    """Exponentiation of 1024 bits: ms against LUTs, ours placed, others as published."""
    ours = [
        item
        for item in placed_points(records)
        if (item["operation"], item["bits"]) == ("modexp", BITS)
    ]
    if not ours:
        return None
    series = [
        Series(
            name,
            tuple(item["lut_sites"] for item in items),
            tuple(item["time_ms"] for item in items),
            tuple(_area_hover(item) for item in items),
            colour=number,
        )
        for number, (name, items) in enumerate(_families(ours).items())
    ]
    series += registry.joins("speed-area")
    return Plot(
        "speed-area",
        f"Speed against area: exponentiation of {BITS} bits",
        Axis("LUTs, each of its own device", log=True),
        Axis("time, ms", log=True),
        tuple(series),
        "Lower and further left is better. Ours: cycles by the model's formula over a clock that "
        "each point names (placed and routed, or assumed); area in LUT sites of ECP5. Hollow: "
        "other designs on other devices, as published; a LUT of theirs is not one of ours.",
        "monpro explore",
    )


def _families(items: Iterable[Record]) -> dict[str, list[Record]]:
    """Records by the named design that their specification begins with."""
    found: dict[str, list[Record]] = {}
    for item in items:
        found.setdefault(str(item["design"]).split(",")[0], []).append(item)
    return found


# ---- the front


def front(records: Records) -> Plot | None:
    """The Pareto front of an exploration, for each length; its area is what the front weighs."""
    items = placed_points(records)
    if not items:
        return None
    run = items[0]["run"]
    usable = [item for item in items if explore_table.meets(item)]
    keys = explore_front.objectives(run["area"], usable)
    area = keys[0]
    limits = explore_front.constraints(**run["constraints"])
    series: list[Series] = []
    for number, (name, of) in enumerate(by_name(items, "bits").items()):
        chosen = sorted((i for i in of if i.get("pareto")), key=lambda item: item[area])
        rest = [item for item in of if not item.get("pareto")]
        beaten = "dominated or excluded" if limits else "dominated"
        for label, some, on_front in ((f"{name} bits", chosen, True),
                                      (f"{name} bits, {beaten}", rest, False)):  # fmt: skip
            if some:
                series.append(
                    Series(
                        label, tuple(item[area] for item in some),
                        tuple(item["time_ms"] for item in some),
                        tuple(_area_hover(item) for item in some),
                        mode="both" if on_front else "points", colour=number, rough=not on_front,
                    )
                )  # fmt: skip
    left = len(records["explore"]) - len(items)
    text = (
        f"A point of the front is beaten in each of {explore_table.weighed(keys)} by no other of "
        "its length and device; the line joins them in the order of their area. Read a point for "
        "its parameters and the command that makes it. Energy is estimated."
    )
    if left:
        text += f" {left} points without a clock or an area are in the table only."
    title = "Pareto front of the exploration"
    if limits:
        title += f": {explore_table.budget(limits)}"
    # A design of LUTs alone has no blocks, and zero no place on a logarithmic axis.
    across = Axis(explore_table.NAMES[area], log=all(item[area] for item in items))
    return Plot(
        "pareto", title, across, Axis("time, ms", log=True), tuple(series),
        f"{text} {explore_table.request(run)}", "monpro explore",
    )  # fmt: skip


# ---- where the cycles go

PARTS = (
    ("load", "operands in", "cycles_load"),
    ("precompute", "constants of the key", "cycles_precompute"),
    ("exponentiate", "exponentiation", "cycles_exponentiate"),
    ("read", "result out", "cycles_read"),
)


def _stack(items: Sequence[tuple[str, Record]]) -> tuple[Series, ...]:
    found = []
    for number, (_, title, key) in enumerate(PARTS):
        found.append(
            Series(
                title,
                tuple(label for label, _ in items),
                tuple(100 * item.get(key, 0) / item["cycles_total"] for _, item in items),
                tuple(
                    (label, f"{title}: {_count(item.get(key, 0))} of "
                     f"{_count(item['cycles_total'])} cycles",
                     f"{100 * item.get(key, 0) / item['cycles_total']:.2f} %",
                     obtained(item))
                    for label, item in items
                ),
                mode="bars", colour=number,
            )
        )  # fmt: skip
    return tuple(found)


def cycles_of_the_main_job(records: Records) -> Plot | None:
    items = [
        (f"{item['step']} {item['bits']}{', warm' if item['key_state'] == 'warm' else ''}", item)
        for item in records["main"]
        if item.get("cycles_total")
    ]
    if not items:
        return None
    return Plot(
        "cycles-main", "Where the cycles of an RSA operation go",
        Axis("operation and key length, bits", categories=True), Axis("share of the cycles, %"),
        _stack(items),
        "Of whole operations through the engine of the table, from the first word written to the "
        "last one read, simulated. Private operations include the check of their result, which "
        "counts as constants and exponentiation.",
        "monpro bench", stacked=True,
    )  # fmt: skip


def cycles_of_designs(records: Records) -> Plot | None:
    items = [
        (f"{item['design']} {item['bits']}, {item['key_state']}", item)
        for item in records["designs"]
        if item["operation"] == "modexp" and item.get("cycles_total")
    ]
    if not items:
        return None
    return Plot(
        "cycles-designs", "Where the cycles of an exponentiation go",
        Axis("design, bits, key", categories=True), Axis("share of the cycles, %"), _stack(items),
        "Whole exponentiations with a secret exponent of full length, from the first word written "
        "to the last one read, simulated.",
        DESIGNS, stacked=True,
    )  # fmt: skip
