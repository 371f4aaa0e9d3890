# SPDX-License-Identifier: Apache-2.0
"""A bitstream for a board: a design behind the board's pins, placed, routed and packed."""

from __future__ import annotations

import json
import re
import time

from monpro import records
from monpro.base import cache, terminal
from monpro.errors import MonproError
from monpro.hardware.boards import Board
from monpro.hardware.designs import Design
from monpro.records import Record
from monpro.synth import floorplan, targets, tools
from monpro.synth import run as synth
from monpro.synth import table as synth_table

TOOLS = (tools.YOSYS, tools.NEXTPNR, tools.ECPPACK)


def target(board: Board) -> targets.Target:
    """The device of a board; an error where it cannot be placed, or its clock is in doubt."""
    if board.tool != "nextpnr":
        raise MonproError(
            "MONPRO_ERR_UNSUPPORTED",
            f"no bitstream is made for {board.name}: its tool is {board.tool} "
            f"(monpro soc build --board {board.name})",
        )
    if board.target not in targets.load():
        placed = [name for name, each in targets.load().items() if each.is_placed]
        raise board.error(f'target = "{board.target}"; there are: {", ".join(placed)}')
    found = targets.get(board.target)
    if not found.is_placed:
        raise board.error(f'target = "{board.target}": nextpnr does not place this device')
    text = board.constraints.read_text(encoding="utf-8")
    clocks = [float(mhz) for mhz in re.findall(r"^FREQUENCY PORT \S+ ([\d.]+) MHZ;", text, re.M)]
    if board.clock_mhz != max(clocks, default=0.0):
        raise board.error(
            f"clock_mhz = {board.clock_mhz:g}, but {board.pins} has the FREQUENCY "
            f"{max(clocks, default=0.0):g} MHZ"
        )
    return found


def make(design: Design, board: Board, say: synth.Say) -> tuple[bytes, Record]:
    """The bitstream of a design on a board, and a record of how it came about."""
    if design.stream:
        raise MonproError(
            "MONPRO_ERR_UNSUPPORTED",
            f"{design.name} has streams and no registers for the board's serial line: no bitstream",
        )
    files = [*board.shared(), board.top_file("coprocessor")]
    sources = synth.Sources.of(design, target(board), board.top("coprocessor"), files)
    return build(sources, board, design.name, say)


def build(sources: synth.Sources, board: Board, name: str, say: synth.Say) -> tuple[bytes, Record]:
    """The bitstream of anything with the pins of a board, and its record. name: for errors."""
    device = target(board)
    tools.require(TOOLS)
    with terminal.Steps(2) as steps:
        netlist = synth.synthesize(sources, device.family, write=True)
        steps.done(f"{sources.top} synthesized ({synth.took(netlist.wall_s, netlist.kept)})")
        counts = targets.count(device.family, netlist.cells)
        if excess := targets.too_many(device, counts):
            raise MonproError(
                "MONPRO_ERR_BUILD",
                f"{name} does not fit into {device.device}: {'; '.join(excess)}",
            )
        synth.warn(sum(netlist.cells.values()), 1, 1, say)
        data, clock_mhz, wall_s = _pack(netlist, board, device)
        steps.done(f"placed, routed and packed ({wall_s} s)")
    head = {"part": "board", "board": board.name, "target": device.name, "device": device.device}
    figures = {
        "lut": counts.lut, "carry": counts.carry, "lut_sites": counts.lut_sites, "ff": counts.ff,
        "dsp": counts.dsp, "bram": counts.bram, "clock_mhz": round(clock_mhz, 2),
        "clock_mhz_needed": board.clock_mhz, "bytes": len(data), "wall_s": netlist.wall_s,
        "wall_place_s": wall_s,
    }  # fmt: skip
    item = records.record("synth", head | figures, design=name, ok=True, obtained="placed")
    versions = {tool.package: tools.version(tool) for tool in TOOLS}
    return data, item | {"tool_versions": records.tool_versions() | versions}


def _pack(
    netlist: synth.Netlist, board: Board, device: targets.Target
) -> tuple[bytes, float, float]:
    """Bitstream, clock that was reached and seconds that it took, from the cache or done.

    A clock that the board's own is too fast for is an error: nextpnr fails.
    """
    arguments = [
        device.flag, "--package", board.package, "--speed", str(device.speed), "--seed", "1",
        "--quiet",
    ]  # fmt: skip
    version = tools.version(tools.NEXTPNR)
    name = cache.digest(
        [netlist.digest, version, *arguments, floorplan.text(device)], [board.constraints]
    )
    note, result = synth.folder() / f"{name}.json", synth.folder() / f"{name}.bit"
    if found := cache.recall(note):
        return result.read_bytes(), found["clock_mhz"], found["wall_s"]
    start = time.monotonic()
    with cache.work_folder() as work:
        laid = floorplan.lay(netlist.read(), device)
        (work / "netlist.json").write_bytes(laid)
        (work / "pins.lpf").write_bytes(board.constraints.read_bytes())
        extra = ["--json", "netlist.json", "--lpf", "pins.lpf", "--report", "report.json",
                 "--textcfg", "board.config"]  # fmt: skip
        tools.run(tools.NEXTPNR, [*arguments, *extra], work)
        timing = json.loads((work / "report.json").read_text(encoding="utf-8"))
        packing = ["--compress", "board.config", "board.bit"]
        tools.run(tools.ECPPACK, packing, work)
        data = (work / "board.bit").read_bytes()
    clock_mhz = synth_table.clock_mhz(timing)
    wall_s = round(time.monotonic() - start, 1)
    cache.keep(result, data)
    known = {"design": netlist.digest, "clock_mhz": clock_mhz, "wall_s": wall_s}
    cache.keep(note, json.dumps(known).encode() + b"\n")
    return data, clock_mhz, wall_s
