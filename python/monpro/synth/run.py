# SPDX-License-Identifier: Apache-2.0
"""A design on a device: Yosys synthesizes it; nextpnr places and routes it where that is possible.

The cache keeps the result of each step under a digest of everything that it comes from: sources,
parameters, target, seed, tools (`monpro.base.cache`).
"""

from __future__ import annotations

import dataclasses
import gzip
import json
import re
import shutil
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from monpro import records
from monpro.base import cache, paths, terminal
from monpro.errors import MonproError
from monpro.hardware import rtl
from monpro.hardware.designs import BLOCK_BITS, Design
from monpro.records import Record
from monpro.synth import floorplan, targets
from monpro.synth import table as synth_table
from monpro.synth import tools as synth_tools
from monpro.synth.targets import Target

PLACED = "monpro_pin_registers"
PLACED_STREAMS = "monpro_pin_streams"
CORE = "monpro_core"
SERIAL_CORE = "monpro_serial_core"
PRODUCT_CORE = "monpro_product_core"
# What nextpnr is asked for: above what designs reach, so that it does not stop trying.
WANTED_MHZ = 200
TIMING_WEIGHT = 30  # of the placer; with its own 10 the wires of the slowest paths are longer
# By its own measure; this machine's may be slower. Only for saying so before a long run.
PLACE_S_PER_CELL = 0.01
LONG_S = 60

Say = Callable[[str], None]

# What the cache has of a synthesis.
COUNTED = ("cells", "wall_s")


class BrokenNetlistError(MonproError):
    """The cache's netlist cannot be read; it is removed, and can be made again."""


@dataclass(frozen=True, slots=True)
class Sources:
    """What is synthesized: RTL, the vendors' primitives as black boxes, and the top module.

    data: files beside these that the RTL fills memories from.
    """

    files: tuple[Path, ...]
    top: str
    parameters: tuple[tuple[str, str], ...]
    data: tuple[Path, ...] = ()

    @staticmethod
    def to_place(design: Design, target: Target) -> Sources:
        """The design with its pins behind registers: what is placed to measure the clock."""
        top = PLACED_STREAMS if design.stream else PLACED
        return Sources.of(design, target, top, [paths.share() / "boards" / "common" / f"{top}.sv"])

    @staticmethod
    def of(
        design: Design, target: Target, top: str | None = None, more: Sequence[Path] = ()
    ) -> Sources:
        """more: of a board, say. A parameter that the top does not have is left out.

        top: the design's own, if none is named.
        """
        if design.narrow and targets.family(target.family).narrow is None:
            word, digit = design.block_bits
            raise MonproError(
                "MONPRO_ERR_UNSUPPORTED",
                f"{design.name} wants multiplier blocks of {word} x {digit} bits, as 7-series has; "
                f"those of {target.device} take {BLOCK_BITS} x {BLOCK_BITS}",
            )
        top = top or design.top
        root = paths.share() / "rtl"
        found = [*sorted(root.rglob("*.v")), *rtl.sources(root), *more]
        known = _parameters(next(path for path in found if path.stem == top))
        values = design.rtl_parameters() | {"Target": f'"{target.family}"'}
        chosen = tuple((name, str(value)) for name, value in values.items() if name in known)
        return Sources(tuple(found), top, chosen)


def _parameters(module: Path) -> set[str]:
    text = re.sub(r"//[^\n]*", "", module.read_text(encoding="utf-8"))
    return set(re.findall(r"\bparameter\b[^=,;]*?(\w+)\s*=", text))


@dataclass(frozen=True, slots=True)
class Netlist:
    """The result of a synthesis. kept: the cache had it."""

    digest: str
    cells: dict[str, int]
    wall_s: float
    kept: bool = False

    @property
    def path(self) -> Path:
        return folder() / f"{self.digest}.netlist.gz"

    def read(self) -> bytes:
        """Itself, as Yosys wrote it; BrokenNetlistError if the cache's file is broken or gone."""
        path = self.path
        try:
            return gzip.decompress(path.read_bytes())
        except (OSError, EOFError, zlib.error) as why:
            cache.forget(path.with_name(f"{self.digest}.json"), "its netlist is broken")
            cache.forget(path, why)
            raise BrokenNetlistError(
                "MONPRO_ERR_FILE", f"{path}: {why}; removed: the next run makes it again"
            ) from why


@dataclass(frozen=True, slots=True)
class Placement:
    """The result of place and route with one seed. used: of nextpnr's kinds of places.

    kept: the cache had it.
    """

    seed: int
    clock_mhz: float
    path: Record
    used: dict[str, int]
    wall_s: float
    kept: bool = False


def took(wall_s: float, kept: bool) -> str:
    """How long a step took, in words, for a line of progress."""
    return f"{wall_s:g} s{', kept from an earlier run' if kept else ''}"


def folder() -> Path:
    """Where results are kept, made if need be."""
    path = paths.cache() / "synth"
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as why:
        raise MonproError("MONPRO_ERR_BUILD", f"no cache folder {path}: {why.strerror}") from why
    return path


# ---- synthesis


def script(sources: Sources, family: str, *, write: bool) -> str:
    """The script for Yosys, which runs in a folder that has the sources under their own names."""
    values = "".join(f" -G {name}={value}" for name, value in sources.parameters)
    names = " ".join(path.name for path in sources.files)
    known = targets.family(family)
    narrow = "DigitBits" in dict(sources.parameters)
    command = " ".join([known.synthesis, *([known.narrow] if narrow and known.narrow else [])])
    lines = [
        # One thread: the reader's own do not work in this build of Yosys.
        f"read_slang -j 1 --top {sources.top}{values} {names}",
        f"{command} -top {sources.top}",
        "tee -q -o stat.json stat -json",
        *(["write_json netlist.json"] if write else []),
    ]
    return "\n".join(lines) + "\n"


def netlist_digest(sources: Sources, family: str, *, write: bool) -> str:
    """The name of a synthesis' result."""
    text = script(sources, family, write=write)
    every = [*sources.files, *sources.data]
    return cache.digest([synth_tools.version(synth_tools.YOSYS), text], every)


def synthesize(sources: Sources, family: str, *, write: bool) -> Netlist:
    """The netlist of a top, from the cache or made. write: itself, and not only its counts."""
    name = netlist_digest(sources, family, write=write)
    note = folder() / f"{name}.json"
    if found := cache.recall(note, COUNTED):
        return Netlist(name, found["cells"], found["wall_s"], kept=True)
    synth_tools.require([synth_tools.YOSYS])
    start = time.monotonic()
    with cache.work_folder() as work:
        for path in (*sources.files, *sources.data):
            shutil.copy(path, work)
        text = script(sources, family, write=write)
        (work / "synth.ys").write_text(text, encoding="utf-8")
        synth_tools.run(synth_tools.YOSYS, ["-q", "-s", "synth.ys"], work)
        stat = json.loads((work / "stat.json").read_text(encoding="utf-8"))
        result = Netlist(name, synth_table.cells(stat), round(time.monotonic() - start, 1))
        if write:
            cache.keep(result.path, gzip.compress((work / "netlist.json").read_bytes(), 1))
    known = {"cells": result.cells, "wall_s": result.wall_s}
    cache.keep(note, json.dumps(known).encode() + b"\n")  # last: with it the result counts as there
    return result


# ---- place and route


def _place_arguments(target: Target, seed: int) -> list[str]:
    return [
        target.flag, "--package", target.package, "--speed", str(target.speed),
        "--freq", str(WANTED_MHZ), "--seed", str(seed), "--timing-allow-fail",
        "--placer-heap-timingweight", str(TIMING_WEIGHT),
        "--lpf-allow-unconstrained", "--quiet",
    ]  # fmt: skip


def placement_digest(netlist: str, target: Target, seed: int) -> str:
    """The name of a placement's result, by the netlist's name."""
    version = synth_tools.version(synth_tools.NEXTPNR)
    places = floorplan.text(target)
    return cache.digest([netlist, version, *_place_arguments(target, seed), places])


def place(netlist: Netlist, top: str, target: Target, seed: int) -> Placement:
    """A netlist placed and routed, from the cache or done."""
    arguments = _place_arguments(target, seed)
    note = folder() / f"{placement_digest(netlist.digest, target, seed)}.json"
    if found := cache.recall(note, Placement.__dataclass_fields__):
        return dataclasses.replace(Placement(**found), kept=True)
    synth_tools.require([synth_tools.NEXTPNR])
    start = time.monotonic()
    with cache.work_folder() as work:
        data = netlist.read()
        (work / "netlist.json").write_bytes(floorplan.lay(data, target))
        extra = ["--json", "netlist.json", "--report", "report.json"]
        synth_tools.run(synth_tools.NEXTPNR, [*arguments, *extra], work)
        timing = json.loads((work / "report.json").read_text(encoding="utf-8"))
    names = synth_table.register_names(json.loads(data), top)
    result = Placement(
        seed=seed,
        clock_mhz=synth_table.clock_mhz(timing),
        path={"seed": seed} | synth_table.slowest_path(timing, names).record(),
        used={kind: n["used"] for kind, n in timing["utilization"].items() if n["used"]},
        wall_s=round(time.monotonic() - start, 1),
    )
    cache.keep(note, json.dumps(dataclasses.asdict(result)).encode() + b"\n")
    return result


# ---- a design on a device


def core(design: Design) -> str:
    """The module under the coprocessor that is the design without its bus."""
    if design.products:
        return PRODUCT_CORE
    return SERIAL_CORE if design.serial else CORE


def measure(design: Design, target: Target, seeds: int, jobs: int, say: Say) -> list[Record]:
    """Counts of the whole top and of the core alone, and where it is placed the clock by seed."""
    tools = [synth_tools.YOSYS] + ([synth_tools.NEXTPNR] if target.is_placed else [])
    synth_tools.require(tools)
    numbers = range(1, seeds + 1) if target.is_placed else range(0)
    tops = {"top": design.top} | ({} if design.stream else {"core": core(design)})
    count = len(tops) + bool(numbers) + len(numbers)
    with terminal.Steps(count) as steps, _pool(jobs) as pool:
        running = {}
        for part, top in tops.items():
            sources = Sources.of(design, target, top)
            running[part] = pool.submit(synthesize, sources, target.family, write=False)
        if numbers:
            to_place = Sources.to_place(design, target)
            placed = pool.submit(synthesize, to_place, target.family, write=True)
        found = []
        for part, top in tops.items():
            netlist = running[part].result()
            steps.done(f"{top} synthesized ({took(netlist.wall_s, netlist.kept)})")
            found.append(_counted(design, target, part, netlist))
        whole = running["top"].result()
        if excess := targets.too_many(target, targets.count(target.family, whole.cells)):
            if target.is_placed:
                raise MonproError(
                    "MONPRO_ERR_BUILD",
                    f"{design.name} does not fit into {target.device}: {'; '.join(excess)}",
                )
            say(f"{design.name} does not fit into {target.device}: {'; '.join(excess)}")
        if numbers:
            netlist = placed.result()
            steps.done(f"{to_place.top} synthesized ({took(netlist.wall_s, netlist.kept)})")
            warn(sum(netlist.cells.values()), len(numbers), jobs, say)
            placing = [pool.submit(place, netlist, to_place.top, target, seed) for seed in numbers]
            found[0] |= _placed(placing, steps)
    for item in found:
        used = tools if item["obtained"] == "placed" else tools[:1]
        item["tool_versions"] |= {tool.package: synth_tools.version(tool) for tool in used}
    return found


@contextmanager
def _pool(jobs: int) -> Iterator[ThreadPoolExecutor]:
    """After an error or an interrupt nothing more is started."""
    pool = ThreadPoolExecutor(jobs)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def warn(cells: int, seeds: int, jobs: int, say: Say) -> None:
    """Long ones say so first."""
    seconds = cells * PLACE_S_PER_CELL * -(-seeds // jobs)
    if seconds > LONG_S:
        say(
            f"placing and routing {cells} cells with {seeds} seed{'s'[: seeds > 1]}: about "
            f"{round(seconds / 60) or 1} min, unless the cache has it"
        )


def _counted(design: Design, target: Target, part: str, netlist: Netlist) -> Record:
    counts = dataclasses.asdict(targets.count(target.family, netlist.cells))
    if "lut_sites" not in targets.family(target.family).names:
        del counts["lut_sites"]  # means nothing where carries take no LUTs
    head = {"part": part, "target": target.name, "device": target.device}
    return records.record(
        "synth",
        head | counts,
        design=design.name,
        ok=True,
        obtained="synthesized",
        wall_s=netlist.wall_s,
    ) | {"tool_versions": dict(records.tool_versions())}


def _placed(placing: Sequence[Future[Placement]], steps: terminal.Steps) -> Record:
    """What placements add to the record of a synthesis."""
    done = []
    for future in placing:
        placement = future.result()
        steps.done(
            f"placed and routed with seed {placement.seed}: {placement.clock_mhz:.1f} MHz "
            f"({took(placement.wall_s, placement.kept)})"
        )
        done.append(placement)
    worst = min(done, key=lambda placement: placement.clock_mhz)
    return {
        "obtained": "placed",
        "seeds": [placement.seed for placement in done],
        **synth_table.clock_figures([placement.clock_mhz for placement in done]),
        "slowest_path": worst.path,
        "used": worst.used,
        "wall_place_s": [placement.wall_s for placement in done],
    }
