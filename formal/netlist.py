# SPDX-License-Identifier: Apache-2.0
"""A netlist of Yosys: simple gates, arithmetic on words, flip-flops and memories, by bits."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from formal import yosys
from formal.theorem import sources

Bit = int | str
Pins = dict[str, list[Bit]]
Cell = tuple[str, Pins, tuple[bool, bool]]  # its kind, its pins, which of A and B are signed

GATES = {
    f"$_{name}_"
    for name in ["NOT", "BUF", "AND", "OR", "XOR", "NAND", "NOR", "XNOR", "ANDNOT", "ORNOT", "MUX"]
}
GATE_INPUTS = ("A", "B", "S")
WORDS = {"$add", "$sub", "$mul", "$lt", "$le", "$gt", "$ge", "$shl", "$shr", "$shiftx"}

# Don't-care values become zeros. Memories keep reads that are not clocked. A choice by many selects
# stays one cell, for its selects exclude each other.
_SCRIPT = (
    "hierarchy -check", "proc", "flatten", "setundef -zero", "opt_expr", "opt_clean",
    "memory_collect", "dffunmap -ce-only", "dffunmap -srst-only", "bmuxmap", "demuxmap",
    "simplemap * t:$pmux %d", "write_json netlist.json",
)  # fmt: skip


class NotKnown(Exception):
    """A cell of a kind that no analysis here has a rule for."""


@dataclass
class Memory:
    """A memory by its ports, whose reads are not clocked."""

    name: str
    public: dict[str, list[Bit]]  # addresses and enables, by port
    written: list[tuple[Bit, Bit]]  # data and its enable, a word for each port
    read: list[list[Bit]]


@dataclass
class Netlist:
    """A flattened module: its gates by output, its registers and memories, its names."""

    inputs: dict[str, list[Bit]]
    outputs: dict[str, list[Bit]]
    names: dict[str, list[Bit]]
    cells: list[Cell] = field(default_factory=list)
    registers: list[tuple[Bit, Bit, bool | None]] = field(default_factory=list)
    """D, Q, and the value after a reset; None if a reset does not change it."""
    memories: list[Memory] = field(default_factory=list)

    def bits(self, name: str) -> list[Bit]:
        """Of a wire, by its name, or of a field of it: `u_core.error_i`, `status_o[3:0]`."""
        whole, _, part = name.rpartition("[")
        if name in self.names:
            return self.names[name]
        if whole not in self.names:
            raise yosys.ToolError(f"the netlist has no wire {name}")
        high, _, low = part.rstrip("]").partition(":")
        return self.names[whole][int(low or high) : int(high) + 1]


def read(path: Path, top: str) -> Netlist:
    """A netlist as Yosys's write_json has it."""
    module = json.loads(path.read_text())["modules"][top]
    ports: dict[str, dict[str, list[Bit]]] = {"input": {}, "output": {}}
    for name, port in module["ports"].items():
        ports[port["direction"]][name] = port["bits"]
    names = {name: net["bits"] for name, net in module["netnames"].items()}
    netlist = Netlist(ports["input"], ports["output"], names)
    for name, cell in module["cells"].items():
        _add_cell(netlist, name, cell)
    return netlist


def _parameter(cell: dict[str, Any], name: str) -> int:
    return int(str(cell["parameters"][name]), 2)


def _add_cell(netlist: Netlist, name: str, cell: dict[str, Any]) -> None:
    kind, pins = cell["type"], cell["connections"]
    if kind == "$_DFF_P_":
        netlist.registers.append((pins["D"][0], pins["Q"][0], None))
    elif kind == "$_ALDFF_PN_" and pins["L"] == netlist.inputs["rst_ni"]:
        netlist.registers.append(
            (pins["D"][0], pins["Q"][0], {"0": False, "1": True}[pins["AD"][0]])
        )
    elif kind == "$mem_v2":
        netlist.memories.append(_memory(name, cell))
    elif kind in GATES or kind in WORDS or kind == "$pmux":
        signed = (False, False)
        if kind not in GATES and kind != "$pmux":
            signed = (bool(_parameter(cell, "A_SIGNED")), bool(_parameter(cell, "B_SIGNED")))
        netlist.cells.append((kind, pins, signed))
    elif kind not in ("$scopeinfo", "$check", "$print"):
        raise NotKnown(f"{name} is a {kind}")


def _memory(name: str, cell: dict[str, Any]) -> Memory:
    pins, width = cell["connections"], _parameter(cell, "WIDTH")
    if _parameter(cell, "RD_CLK_ENABLE"):
        raise NotKnown(f"{name} has clocked reads")
    address, public, read_data = _parameter(cell, "ABITS"), {}, []
    written = list(zip(pins["WR_DATA"], pins["WR_EN"], strict=True))
    for port in range(_parameter(cell, "WR_PORTS")):
        low = port * address
        public[f"write address {port}"] = pins["WR_ADDR"][low : low + address]
        public[f"write enable {port}"] = pins["WR_EN"][port * width : (port + 1) * width]
    for port in range(_parameter(cell, "RD_PORTS")):
        low = port * address
        public[f"read address {port}"] = pins["RD_ADDR"][low : low + address]
        read_data.append(pins["RD_DATA"][port * width : (port + 1) * width])
    return Memory(name, public, written, read_data)


def in_order(cells: Sequence[Cell]) -> list[Cell]:
    """Each cell behind those that drive it; where cells of words form a loop, some of them."""
    driver = {bit: place for place, (_, pins, _) in enumerate(cells) for bit in pins["Y"]}
    found: list[Cell] = []
    seen = [False] * len(cells)
    for first in range(len(cells)):
        todo = [(first, False)]
        while todo:
            place, ready = todo.pop()
            if ready:
                found.append(cells[place])
            elif not seen[place]:
                seen[place] = True
                todo.append((place, True))
                inputs = (b for pin, bits in cells[place][1].items() if pin != "Y" for b in bits)
                todo += [(driver[b], False) for b in inputs if b in driver and not seen[driver[b]]]
    return found


def make(top: str, parameters: Sequence[str], folder: Path) -> Netlist:
    """The netlist of a module of rtl/ in a work folder, with parameters NAME=VALUE."""
    values = " ".join(f"-G {value}" for value in parameters)
    first = f"read_slang -j 1 --top {top} {values} {sources(folder)}"
    yosys.script([first, *_SCRIPT], folder)
    return read(folder / "netlist.json", top)
