# SPDX-License-Identifier: Apache-2.0
"""The tables of the designs side by side, with the published figures beside them, from records."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from monpro.base import terminal
from monpro.published import peers
from monpro.published.peers import Hardware, Range
from monpro.records import Record

TITLES = {
    "modexp": "Exponentiation, {} bits, secret exponent of full length, constant time",
    "rsa_private": "RSA-{} private operation (CRT), constant time",
    "rsa_public": "RSA-{} public operation, e = 65537",
}


def _line(item: Record) -> str:
    """Which of a design's lines: its key, and what is inside."""
    if item["operation"] == "rsa_private":
        return "with check" if item.get("checked") else "no check"
    return str(item["key_state"])


def _cells(item: Record, clocked: bool) -> list[str]:
    name = f" {item['design']}"
    if "cycles" not in item:
        return [name, "FAILED"]
    cells = [
        name,
        _line(item),
        str(item["cycles"]),
        f"{item['multiplier_cycles'] / 1e6:.3f}",
        f"{100 * item['bound_fraction']:.1f}",
        f"{100 * item['overhead']:.2f}" if "overhead" in item else "",
    ]
    if clocked:
        cells.append(terminal.significant(item["time_ms"]) if "time_ms" in item else "")
    return [*cells, "model" if item["obtained"] == "estimated" else "simulated"]


def heads(clocked: bool) -> list[str]:
    columns = ["design", "key", "cycles", "M multiplier-\ncycles", "% of\nbound", "bus\n%"]
    return [*columns, *(["ms"] if clocked else []), "obtained"]


def rows(found: Sequence[Record], clocked: bool) -> list[list[str]]:
    """The lines of one operation and length."""
    width = len(heads(clocked))
    return [(_cells(item, clocked) + [""] * width)[:width] for item in found]


def _groups(found: Sequence[Record]) -> dict[tuple[str, int], list[Record]]:
    groups: dict[tuple[str, int], list[Record]] = {}
    for item in found:
        groups.setdefault((item["operation"], item["bits"]), []).append(item)
    return groups


def _millions(value: Range | None) -> str:
    if value is None:
        return ""
    low, high = (terminal.significant(side / 1e6) for side in value)
    return low if low == high else f"{low}-{high}"


def _count(value: Range | None) -> str:
    if value is None:
        return "?"
    low, high = (f"{side:g}" for side in value)
    return low if low == high else f"{low}-{high}"


def _yes(value: bool | None) -> str:
    return {True: "yes", False: "no", None: "?"}[value]


def _unit(operation: str) -> str:
    return "us" if operation == "product" else "ms"


def peer_heads(operation: str) -> list[str]:
    return [
        "", "device", "blocks", "M mult.-\ncycles", _unit(operation), "const.\ntime", "obtained",
    ]  # fmt: skip


_Row = tuple[float, float, list[str]]


def _time(time_ms: float | None, unit: str) -> str:
    return terminal.significant(time_ms * (1e3 if unit == "us" else 1)) if time_ms else ""


def _peer(row: Hardware) -> _Row:
    work, time_ms = row.multiplier_cycles, row.shown_time_ms
    name = row.who + (f", {row.key_state}" if row.key_state else "") + ("*" if row.doubts else "")
    cells = [
        name, row.device, _count(row.multipliers), _millions(work),
        _time(time_ms, _unit(row.operation)), _yes(row.constant_time), row.obtained,
    ]  # fmt: skip
    infinity = float("inf")
    return work[0] if work else infinity, time_ms or infinity, cells


def _own(item: Record) -> _Row:
    work = float(item["multiplier_cycles"])
    state = _line(item)
    obtained = "model" if item["obtained"] == "estimated" else item["obtained"]
    cells = [
        f"Monpro {item['design']}, {state}", item.get("clock_device", ""),
        str(item["multipliers"]), _millions((work, work)),
        terminal.significant(item["time_ms"]) if "time_ms" in item else "",
        _yes(item["exponent"] == "secret" or None), obtained,
    ]  # fmt: skip
    if item["exponent"] == "public":
        cells[5] = "public"
    return work, item.get("time_ms", float("inf")), cells


def peer_rows(operation: str, bits: int, found: Sequence[Record]) -> list[list[str]]:
    """Theirs and ours by multiplier-cycles; those without come last, by time."""
    theirs = [
        _peer(row)
        for row in peers.load().hardware
        if (row.operation, row.bits) == (operation, bits)
    ]
    ours = [_own(item) for item in found if "cycles" in item]
    return [cells for *_, cells in sorted([*theirs, *ours], key=lambda row: row[:2])]


PEER_TITLES = {
    "modexp": "whole exponentiations of {} bits",
    "rsa_private": "whole RSA-{} private operations",
    "rsa_public": "whole RSA-{} public operations, e = 65537",
    "product": "one modular product of {} bits, no exponentiation",
}


def _show_peers(found: Sequence[Record]) -> None:
    hardware = peers.load().hardware
    groups = _groups(found)
    wanted = dict.fromkeys(
        [*((row.operation, row.bits) for row in hardware if (row.operation, row.bits) in groups),
         *((row.operation, row.bits) for row in hardware if row.operation == "product")]
    )  # fmt: skip
    for operation, bits in wanted:
        title = PEER_TITLES[operation].format(bits)
        terminal.show_text(f"\nBeside others: {title}")
        table = peer_rows(operation, bits, groups.get((operation, bits), []))
        columns = peer_heads(operation)
        terminal.show_table(columns, table, numbers=columns[2:5])
    terminal.show_text("")
    for note in peer_notes([row for row in hardware if (row.operation, row.bits) in wanted]):
        terminal.show_text(note)


def peer_notes(shown: Sequence[Hardware]) -> list[str]:
    """The doubts about the rows shown, and what a warm key leaves out of them."""
    doubts: dict[str, dict[str, None]] = {}
    for row in shown:
        for doubt in row.doubts:
            doubts.setdefault(doubt, {})[row.who] = None
    notes = [f"* {', '.join(who)}: {doubt}." for doubt, who in doubts.items()]
    for row in shown:
        if row.cycles_precompute:
            more = f"{row.cycles_precompute / 1e6:.3g} M cycles more for a key that is new"
            notes.append(f"{row.who}, {row.bits} bits: {more}.")
    if any(row.multipliers and not row.multipliers[1] for row in shown):
        notes.append("0 blocks: built of LUTs alone, so it has no multiplier-cycles.")
    return notes


def _notes(found: Sequence[Record], out: Path, seed: int, elapsed_s: float) -> list[str]:
    checked = [item for item in found if item["ok"] is not None]
    right = sum(item["ok"] for item in checked)
    lines = [
        "Cycles are counted by the coprocessor, whose RTL is simulated clock by clock, from start "
        "to done; blocks are the multiplier blocks present. cold: the device has not seen the "
        "modulus and computes its constants within the figure; bound: the word products of "
        "the scheme without those constants, one a block and cycle; bus: operands in and result "
        "out over AXI4-Lite, as a share of the whole operation.",
    ]
    if any(item["operation"] == "rsa_private" for item in found):
        halves = sorted({i["design"] for i in found if not i.get("crt_on_chip", True)})
        text = "Private operations are blinded; keys are cold"
        if halves:
            text += f"; {', '.join(halves)}: the halves one after the other, recombined on the host"
        lines.append(f"{text}. The check is x^e = c before the result is released.")
    if any(item["obtained"] == "estimated" for item in found):
        lines.append(
            "model: not simulated in this run, but computed by python/monpro/hardware/models, "
            "which the tests hold to the RTL cycle for cycle; not a checked result."
        )
    names = ("design", "clock_device", "clock_mhz", "clock_seeds")
    clocks = {tuple(item[name] for name in names) for item in found if "clock_mhz" in item}
    for design, device, mhz, seeds in sorted(clocks):
        lines.append(
            f"ms, {design}: placed and routed by monpro synth, {device}, {mhz:.1f} MHz "
            f"(median of {seeds} seed{'s'[: seeds > 1]})."
        )
    without = sorted({item["design"] for item in found} - {design for design, *_ in clocks})
    if without:
        lines.append(
            f"No time for {', '.join(without)}: no placed clock is in the cache "
            f"(monpro synth {without[0]})."
        )
    lines.append(
        f"{right} of {len(checked)} results right, by Python's pow. Seed {seed}, "
        f"{elapsed_s:.0f} s in all. Records: {out}"
    )
    return lines


def show(found: Sequence[Record], out: Path, seed: int, elapsed_s: float) -> None:
    clocked = any("time_ms" in item for item in found)
    for (operation, bits), group in _groups(found).items():
        terminal.show_text(f"\n{TITLES[operation].format(bits)}")
        numbers = heads(clocked)[2:-1]
        terminal.show_table(heads(clocked), rows(group, clocked), numbers=numbers)
    _show_peers(found)
    for line in _notes(found, out, seed, elapsed_s):
        terminal.show_text(f"\n{line}")
    for item in found:
        if "failure" in item:
            terminal.show_text(f"FAILED: {item['failure']}")
