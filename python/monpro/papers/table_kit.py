# SPDX-License-Identifier: Apache-2.0
"""What the tables of papers share: area, clock, doubts, the last lines; from records alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from monpro.base import terminal
from monpro.papers.products import TARGETS
from monpro.published.figures import Doubt, Source
from monpro.records import Record
from monpro.synth import area, targets

NONE = "-"
AREA = ["", "LUT", "FF", "CARRY4", "DSP", "BRAM", "fit"]


class Found:
    """The records of one run, by what they are of."""

    def __init__(self, found: Sequence[Record]) -> None:
        self.all = found

    def every(self, operation: str, **more: object) -> list[Record]:
        """All records of an operation, in the order of the run."""
        return [
            item
            for item in self.all
            if item["operation"] == operation
            and all(item.get(key) == value for key, value in more.items())
        ]

    def one(self, operation: str, **more: object) -> Record:
        """The only one."""
        [found] = self.every(operation, **more)
        return found

    def first(self, operation: str, **more: object) -> Record:
        """The first one; an empty record if there is none."""
        return next(iter(self.every(operation, **more)), {})


def millions(cycles: float) -> str:
    """As the papers print cycles: four digits."""
    return terminal.significant(cycles / 1e6, 4)


def mark(item: Record) -> str:
    """Behind what was not simulated."""
    return " m" if item["obtained"] == "estimated" else ""


def fixed(item: Record, load: str) -> str:
    """Bus cycles of a call: operands in, result out."""
    return f"{item[load] + item['cycles_read']}" if load in item else NONE


def time(item: Record) -> list[str]:
    """ms, and operations a second, at the clock that was measured."""
    if "time_ms" not in item:
        return [NONE, NONE]
    return [
        terminal.significant(item["time_ms"], 4),
        terminal.significant(1e3 / item["time_ms"], 3),
    ]


def show_heading(key: str, source: Source) -> None:
    """The first line of a paper's tables: whose they are."""
    whose = f", {source.who}" if source.who else ""
    terminal.show_text(f"{key}: {source.title}{whose}; {source.device}.")


def show_doubts(doubts: Sequence[Doubt]) -> None:
    for doubt in doubts:
        terminal.show_text(f"Doubt, {doubt.of}: {doubt.why}")


def clocks(all_records: Sequence[Record]) -> str:
    """Whose clock the times have, in words."""
    known: dict[str, str] = {}
    missing: dict[str, None] = {}
    for item in all_records:
        if "clock_mhz" in item:
            seeds = item["clock_seeds"]
            known[item["design"]] = (
                f"{item['design']} {item['clock_mhz']:.1f} MHz ({item['clock_device']}, placed and "
                f"routed, {seeds} seed{'s'[: seeds > 1]})"
            )
        else:
            missing[item["design"]] = None
    text = f"Monpro's clock: {'; '.join(known.values())}." if known else ""
    if left := [name for name in missing if name not in known]:
        commands = ", ".join(f"monpro synth {name} --target ecp5-25" for name in left)
        names = " and ".join(left)
        text = f"{text} No time of {names}: the clock is not measured ({commands}).".strip()
    return text


def area_rows(found: Found) -> list[list[str]]:
    rows, device = [], None
    for item in found.every("area"):
        if item["device"] != device:
            device = item["device"]
            rows.append([device, *[""] * (len(AREA) - 1)])
        parts = ("lut", "ff", "carry", "dsp", "bram", "instances")
        rows.append([f" {item['design']}", *(f"{item[part]:g}" for part in parts)])
    return rows


def fit(parts: Mapping[str, float]) -> int:
    """How many a XC7Z020 holds of a published design."""
    return area.instances(parts, TARGETS[0])


def show_area(found: Found, title: str, published: list[list[str]], words: str) -> None:
    """published: the rows of the paper, in the same columns."""
    terminal.show_text(f"\n{title}")
    rows = area_rows(found)
    if rows or published:
        terminal.show_table(AREA, [*published, *rows], numbers=AREA[1:])
    if not rows:
        text = "Area of Monpro: not synthesized; the full form does it, and keeps it (Yosys)."
        terminal.show_text(text)
    else:
        first = found.every("area")[0]
        there = targets.get(first["target"]).available
        terminal.show_text(
            f"fit: how many the device holds, by what runs out first ({first['device']}: "
            f"{there.lut} LUTs, {there.dsp} DSPs). Monpro's figures are of the whole coprocessor "
            "with its bus; synthesized by Yosys, not by Vivado, and not placed: no clock is known "
            "on this family."
        )
    terminal.show_text(words)


def show_end(
    all_records: Sequence[Record], out: Path, seed: int, elapsed_s: float, values: str
) -> None:
    """How much was checked, and what failed."""
    checked = [item for item in all_records if item["operation"] != "area"]
    simulated = sum(item["ok"] is not None for item in checked)
    wrong = sum(item["ok"] is False for item in checked)
    terminal.show_text(
        f"\n{simulated} operations simulated; {'all' if not wrong else 'NOT ALL'} right, values by "
        f"{values} and cycles by the formula. Seed {seed}, {elapsed_s:.0f} s in all. Records: {out}"
    )
    for item in all_records:
        if "failure" in item:
            terminal.show_text(f"FAILED: {item['failure']}")
