"""A bitstream for a board: the coprocessor behind the board's UART, placed, routed and packed."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from monpro import records
from monpro.base import cache, paths, terminal
from monpro.errors import MonproError
from monpro.hardware.designs import Design
from monpro.records import Record
from monpro.synth import floorplan, targets, tools
from monpro.synth import run as synth
from monpro.synth import table as synth_table

TOOLS = (tools.YOSYS, tools.NEXTPNR, tools.ECPPACK)


@dataclass(frozen=True, slots=True)
class Board:
    """A board: boards/NAME/ has its top, monpro_NAME, and its pins and clock, NAME.lpf."""

    name: str
    target: str

    @property
    def top(self) -> str:
        return f"monpro_{self.name}"

    @property
    def pins(self) -> Path:
        return _folder() / self.name / f"{self.name}.lpf"

    def sources(self) -> list[Path]:
        """The RTL that all boards share, and the board's own."""
        folder = _folder()
        return [*sorted((folder / "common").glob("*.sv")), folder / self.name / f"{self.top}.sv"]

    def clock_mhz(self) -> float:
        """The frequency of the board's clock, as its pin file has it."""
        text = self.pins.read_text(encoding="utf-8")
        found = re.findall(r"^FREQUENCY PORT \S+ ([\d.]+) MHZ;", text, re.M)
        return max(map(float, found))


BOARDS: Mapping[str, Board] = {"ulx3s": Board("ulx3s", "ecp5-85")}


def _folder() -> Path:
    path = paths.share() / "boards"
    if not path.is_dir():
        raise MonproError("MONPRO_ERR_FILE", f"there is no folder {path}")
    return path


def get(name: str) -> Board:
    """A board by its name."""
    if name not in BOARDS:
        raise MonproError(
            "MONPRO_ERR_ARGUMENT", f'no board "{name}"; there are: {", ".join(BOARDS)}'
        )
    return BOARDS[name]


def make(design: Design, board: Board, say: synth.Say) -> tuple[bytes, Record]:
    """The bitstream of a design on a board, and a record of how it came about."""
    if design.stream:
        raise MonproError(
            "MONPRO_ERR_UNSUPPORTED",
            f"{design.name} has streams and no registers for the board's serial line: no bitstream",
        )
    sources = synth.Sources.of(design, targets.get(board.target), board.top, board.sources())
    return build(sources, board, design.name, say)


def build(sources: synth.Sources, board: Board, name: str, say: synth.Say) -> tuple[bytes, Record]:
    """The bitstream of anything with the pins of a board, and its record. name: for errors."""
    tools.require(TOOLS)
    target = targets.get(board.target)
    with terminal.Steps(2) as steps:
        netlist = synth.synthesize(sources, target.family, write=True)
        steps.done(f"{sources.top} synthesized ({synth.took(netlist.wall_s, netlist.kept)})")
        counts = targets.count(target.family, netlist.cells)
        if excess := targets.too_many(target, counts):
            raise MonproError(
                "MONPRO_ERR_BUILD",
                f"{name} does not fit into {target.device}: {'; '.join(excess)}",
            )
        synth.warn(sum(netlist.cells.values()), 1, 1, say)
        data, clock_mhz, wall_s = _pack(netlist, board, target)
        steps.done(f"placed, routed and packed ({wall_s} s)")
    head = {"part": "board", "board": board.name, "target": target.name, "device": target.device}
    figures = {
        "lut": counts.lut, "carry": counts.carry, "lut_sites": counts.lut_sites, "ff": counts.ff,
        "dsp": counts.dsp, "bram": counts.bram, "clock_mhz": round(clock_mhz, 2),
        "clock_mhz_needed": board.clock_mhz(), "bytes": len(data), "wall_s": netlist.wall_s,
        "wall_place_s": wall_s,
    }  # fmt: skip
    item = records.record("synth", head | figures, design=name, ok=True, obtained="placed")
    versions = {tool.package: tools.version(tool) for tool in TOOLS}
    return data, item | {"tool_versions": records.tool_versions() | versions}


def _pack(
    netlist: synth.Netlist, board: Board, target: targets.Target
) -> tuple[bytes, float, float]:
    """Bitstream, clock that was reached and seconds that it took, from the cache or done.

    A clock that the board's own is too fast for is an error: nextpnr fails.
    """
    arguments = [
        target.flag, "--package", target.package, "--speed", str(target.speed), "--seed", "1",
        "--quiet",
    ]  # fmt: skip
    version = tools.version(tools.NEXTPNR)
    name = cache.digest([netlist.digest, version, *arguments, floorplan.text(target)], [board.pins])
    note, result = synth.folder() / f"{name}.json", synth.folder() / f"{name}.bit"
    if found := cache.recall(note):
        return result.read_bytes(), found["clock_mhz"], found["wall_s"]
    start = time.monotonic()
    with cache.work_folder() as work:
        laid = floorplan.lay(netlist.read(), target)
        (work / "netlist.json").write_bytes(laid)
        (work / "pins.lpf").write_bytes(board.pins.read_bytes())
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
