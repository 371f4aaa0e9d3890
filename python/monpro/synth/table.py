# SPDX-License-Identifier: Apache-2.0
"""Reads what the tools of `monpro synth` leave behind, and makes the table of the command."""

from __future__ import annotations

import dataclasses
import re
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from monpro.base import terminal
from monpro.errors import MonproError
from monpro.records import Record
from monpro.synth import targets

# Yosys names a cell without a name of its own for a neighbour and what connects them.
_AUTONAME = re.compile(r"_(LUT4|TRELLIS_FF|CCU2C|PFUMX|L6MUX21)_")


@dataclass(frozen=True, slots=True)
class Path:
    """The slowest way from a register to a register."""

    begin: str
    end: str
    delay_ns: float
    routing_ns: float
    levels: int  # of LUTs and carries

    def record(self) -> Record:
        return {
            "from": self.begin,
            "to": self.end,
            "delay_ns": self.delay_ns,
            "routing_ns": self.routing_ns,
            "levels": self.levels,
        }


def cells(stat: Mapping[str, Any]) -> dict[str, int]:
    """Cells by type, from what Yosys' `stat -json` wrote of a flat design."""
    found = stat["design"]["num_cells_by_type"]
    return {str(kind): int(number) for kind, number in found.items()}


def clock_mhz(timing: Mapping[str, Any]) -> float:
    """The clock that nextpnr reached, from its report: the slowest if there are several.

    It covers the paths from register to register. Paths to and from pins are not in it.
    """
    reached = [float(clock["achieved"]) for clock in timing["fmax"].values()]
    if not reached:
        raise MonproError("MONPRO_ERR_BUILD", "place and route found no clock in the design")
    return min(reached)


def slowest_path(timing: Mapping[str, Any], names: Mapping[str, str]) -> Path:
    """The path that decides the clock. names: of cells, where there is a better one."""
    paths = [
        path["path"]
        for path in timing["critical_paths"]
        if "<async>" not in (path["from"], path["to"])
    ]
    if not paths:
        raise MonproError("MONPRO_ERR_BUILD", "no path between registers in nextpnr's report")
    steps = max(paths, key=lambda path: sum(step["delay"] for step in path))
    begin, end = steps[0]["from"]["cell"], steps[-1]["to"]["cell"]
    return Path(
        begin=names.get(begin, _short(begin)),
        end=names.get(end, _short(end)),
        delay_ns=round(sum(step["delay"] for step in steps), 3),
        routing_ns=round(sum(s["delay"] for s in steps if s["type"] == "routing"), 3),
        levels=sum(step["type"] == "logic" for step in steps),
    )


def _short(name: str) -> str:
    """A cell's name without what Yosys has added."""
    return _AUTONAME.split(name)[0]


def register_names(netlist: Mapping[str, Any], top: str) -> dict[str, str]:
    """For each flip-flop of a netlist, the name in the RTL of what it holds."""
    module = netlist["modules"][top]
    best: dict[int, tuple[bool, int, str]] = {}
    for name, net in module["netnames"].items():
        if net.get("hide_name") or _AUTONAME.search(name):
            continue
        for place, bit in enumerate(net["bits"]):
            label = f"{name}[{place}]" if len(net["bits"]) > 1 else name
            # A register's own name before what it is connected to, then the shortest.
            rank = (not name.endswith("_q"), len(label), label)
            if isinstance(bit, int) and (bit not in best or rank < best[bit]):
                best[bit] = rank
    flip_flops = {name: cell["connections"]["Q"][0] for name, cell in module["cells"].items()
                  if cell["type"] == "TRELLIS_FF"}  # fmt: skip
    return {name: best[bit][2] for name, bit in flip_flops.items() if bit in best}


# ---- the table


def _row(title: str, counts: Mapping[str, Any], family: str) -> list[str]:
    return [
        title,
        *(f"{counts[part]:g}" if part in counts else "" for part in targets.family(family).names),
    ]


def show(found: Sequence[Record]) -> None:
    """The records of one design on one target as a table and a line about its clock."""
    top = next(item for item in found if item["part"] == "top")
    target = targets.get(top["target"])
    names = targets.family(target.family).names
    terminal.show_text(f"{top['design']} on {target.device}, target {target.name}")
    heads = ["", *names.values()]
    available = dataclasses.asdict(target.available)
    there = {part: value for part, value in available.items() if value and part in names}
    rows = [_row("all", top, target.family)]
    rows += [_row("core alone", item, target.family) for item in found if item["part"] == "core"]
    rows.append(_row("there are", there, target.family))
    terminal.show_table(heads, rows, numbers=heads[1:])
    terminal.show_text(_clock_line(top))


def _clock_line(top: Record) -> str:
    if "clock_mhz" not in top:
        return "No clock is measured: there is no place and route for this device."
    text = f"clock {top['clock_mhz']:.1f} MHz, placed and routed"
    if len(top["seeds"]) > 1:
        text += (
            f": median of {len(top['seeds'])} seeds, {top['clock_mhz_min']:.1f} to "
            f"{top['clock_mhz_max']:.1f}"
        )
    path = top["slowest_path"]
    return (
        f"{text}. The slowest path of seed {path['seed']}: {path['delay_ns']:.1f} ns, of which "
        f"{path['routing_ns']:.1f} in wires, through {path['levels']} levels, from {path['from']} "
        f"to {path['to']}"
    )


def clock_figures(clocks: Sequence[float]) -> Record:
    """The figures of a record that come from the clocks of all seeds."""
    return {
        "clock_mhz": round(statistics.median(clocks), 2),
        "clock_mhz_min": round(min(clocks), 2),
        "clock_mhz_max": round(max(clocks), 2),
        "clocks_mhz": [round(clock, 2) for clock in clocks],
    }
