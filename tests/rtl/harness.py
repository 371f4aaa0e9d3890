# SPDX-License-Identifier: Apache-2.0
"""Builds the model of one RTL module and runs its cocotb tests, from pytest.

A test bench is a file `tb_*.py`, in the folder of tests/rtl that its module has in rtl/, or in
tests/boards. It has cocotb tests, and

- `TOP`, the module that they test,
- `PARAMETERS`, the parameter sets that the module is built with, by names or as a plain list,
- `INSIDE = False` if it sees only the signals of `TOP`, and no signal of the modules in it.
  Verilator may then simplify these modules. A large model takes a quarter of the time to build and
  to run.

pytest varies the parameters, and cocotb the stimulus. The cache folder keeps models by what they
are made of (sources that the module really uses, parameters, flags, tools), so a second run builds
nothing.
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

from cocotb_tools.config import libs_dir
from cocotb_tools.runner import get_runner

import models
from monpro.base import paths
from monpro.hardware import rtl

HERE = Path(__file__).resolve().parent
TESTS = HERE.parent
RTL = TESTS.parent / "rtl"
BOARDS = TESTS.parent / "boards"
VENDOR = HERE / "vendor"
SEED = int(os.environ.get("MONPRO_SEED", "2026"))
TIMESCALE = ("1ns", "1ns")

_FLAGS = ["--x-assign", "unique", "--x-initial", "unique", "--no-timing", "-Wno-fatal"]
_FLAGS += ["--output-split", "0", "--timescale", "/".join(TIMESCALE)]
_ALL_SIGNALS = ["--public-flat-rw"]
_TOP_ALONE = ["--public-depth", "1"]


Parameters = Mapping[str, int | str]


@dataclass(frozen=True, slots=True)
class Bench:
    """A test bench with one parameter set."""

    module: str
    top: str
    parameters: tuple[tuple[str, int | str], ...]
    name: str = ""
    """Of the parameter set; empty: its values say enough."""

    @property
    def room(self) -> str:
        """The folder of its file in tests/."""
        return str(Path(load(self.module).__file__ or "").parent.relative_to(TESTS))

    @property
    def model(self) -> tuple[object, ...]:
        """What makes its model: benches with the same share it."""
        return self.top, self.parameters, self.inside

    @property
    def inside(self) -> bool:
        """Whether it looks at signals of the modules in its top."""
        return bool(getattr(load(self.module), "INSIDE", True))

    @property
    def flags(self) -> list[str]:
        """Verilator's."""
        values = [f"-G{name}={value}" for name, value in self.parameters]
        return _FLAGS + (_ALL_SIGNALS if self.inside else _TOP_ALONE) + values

    def __str__(self) -> str:
        values = self.name or "-".join(f"{name}{value}" for name, value in self.parameters)
        return f"{self.module.removeprefix('tb_')}-{values}".rstrip("-")


def bench_files() -> list[Path]:
    """The files of all test benches. A name is unique: it is imported here and in a simulator."""
    found = [*HERE.glob("*/tb_*.py"), *(TESTS / "boards").glob("tb_*.py")]
    for folder in sorted({path.parent for path in found}):
        if str(folder) not in sys.path:
            sys.path.append(str(folder))
    return sorted(found, key=lambda path: path.stem)


def load(module: str) -> ModuleType:
    """A test bench's file as a module; outside a simulator its tests just lie there."""
    return importlib.import_module(module)


def benches() -> list[Bench]:
    """Every test bench with each of its parameter sets."""
    found = []
    for path in bench_files():
        tb = load(path.stem)
        sets: Mapping[str, Parameters] | Sequence[Parameters] = tb.PARAMETERS
        named = sets.items() if isinstance(sets, Mapping) else [("", values) for values in sets]
        found += [Bench(path.stem, tb.TOP, tuple(values.items()), name) for name, values in named]
    return found


def sources(top: str) -> list[Path]:
    """The files that a module needs, each after those that it names itself."""
    # A file is named for what is in it; the vendors' primitives are models of the tests.
    ours = [*rtl.sources(RTL), *rtl.sources(BOARDS)]
    files = {path.stem: path for path in [*ours, *sorted(VENDOR.glob("*.sv"))]}
    ordered: list[str] = []

    def visit(name: str) -> None:
        if name in ordered:
            return
        code = re.sub(r"//.*", "", files[name].read_text(encoding="utf-8"))
        for used in sorted(set(re.findall(r"\b\w+\b", code)) & files.keys() - {name}):
            visit(used)
        ordered.append(name)

    visit(top)
    return [files[name] for name in ordered]


def _digest(bench: Bench) -> str:
    sha = hashlib.sha256(json.dumps([bench.top, bench.flags, models.tools()]).encode())
    for path in sources(bench.top):
        data = path.read_bytes()
        sha.update(f"\0{path.name}\0{len(data)}\0".encode() + data)
    return sha.hexdigest()[:32]


def build(bench: Bench) -> Path:
    """The folder with the model's program, built if the cache has none."""
    cache = paths.cache() / "cocotb"
    cache.mkdir(parents=True, exist_ok=True)
    result = cache / _digest(bench)
    with result.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another bench, elsewhere, may be building it
        if not (result / bench.top).exists():
            _build(bench, result)
    return result


def _build(bench: Bench, result: Path) -> None:
    """Builds in a folder of its own; only a whole model gets its name."""
    with tempfile.TemporaryDirectory(dir=result.parent, prefix=".build-") as name:
        work, whole = Path(name) / "model", Path(name) / "whole"
        work.mkdir()
        whole.mkdir()
        try:
            program = models.build(
                bench.top, sources(bench.top), bench.flags, work, cache=result.parent
            )
        except AssertionError as why:
            raise AssertionError(f"{bench} does not build: {why}") from None
        program.rename(whole / program.name)
        shutil.rmtree(result, ignore_errors=True)  # in which there is no program
        whole.rename(result)


def run(bench: Bench, model: Path, work: Path) -> None:
    """Runs every cocotb test of a bench; fails with the names and the log if any of them does."""
    log = work / "sim.log"
    results = work / "results.xml"
    try:
        get_runner("verilator").test(
            test_module=bench.module,
            hdl_toplevel=bench.top,
            hdl_toplevel_lang="verilog",
            build_dir=model,
            test_dir=work,
            results_xml=str(results),
            timescale=TIMESCALE,
            seed=SEED,
            log_file=log,
            plusargs=["+verilator+rand+reset+2", f"+verilator+seed+{SEED}"],
            extra_env={
                "MONPRO_PARAMETERS": json.dumps(dict(bench.parameters)),
                "MONPRO_INSIDE": str(int(bench.inside)),
                "COCOTB_ANSI_OUTPUT": "0",
                # The environment that built the model may be gone.
                "LD_LIBRARY_PATH": str(libs_dir),
                # cocotb loads pytest for its assertions; the others' plugins take longer than that
                "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            },
        )
    except (SystemExit, RuntimeError) as why:
        if not results.exists():
            raise AssertionError(f"{bench} died: {why}\n{_end(log)}") from None
    cases = ElementTree.parse(results).getroot().findall(".//testcase")
    failed = [
        case.get("name")
        for case in cases
        if case.find("failure") is not None or case.find("error") is not None
    ]
    assert cases, f"{bench}: no test ran\n{_end(log)}"
    assert not failed, f"{bench}: {', '.join(map(str, failed))} (seed {SEED})\n{_end(log)}"


def _end(log: Path, most: int = 8000) -> str:
    return log.read_text(errors="replace")[-most:] if log.exists() else "no log"
