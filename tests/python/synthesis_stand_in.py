# SPDX-License-Identifier: Apache-2.0
"""Stands in for Yosys and nextpnr: figures that follow from a design's parameters, at once.

`use` puts it into this process. `modules` serves other processes, such as a worker of a cluster: it
is a folder for PYTHONPATH that has the stand-ins under the names of the real packages.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from monpro import MonproError
from monpro.synth import tools

LUTS, LUTS_EACH = 1000, 100
CLOCK_MHZ = 150.0


def run_yosys(arguments: Sequence[str], folder: Path) -> None:
    """Cells by the elements that the script asks for. 11: one that no table knows; 13: fails."""
    script = (folder / "synth.ys").read_text()
    _note("yosys", folder)
    found = re.search(r"-G (?:Elements|Lanes)=(\d+)", script)
    elements = int(found[1]) if found else 1
    if "Elements=13 " in script:
        raise MonproError("MONPRO_ERR_BUILD", "run_yosys failed (exit 1):\nERROR: unlucky")
    cells = {"LUT4": LUTS + LUTS_EACH * elements, "TRELLIS_FF": 50, "MULT18X18D": elements}
    if "synth_xilinx" in script:
        cells = {"LUT6": cells["LUT4"], "FDRE": 50, "CARRY4": 5, "DSP48E1": elements}
    if elements == 11:
        cells["ODD"] = 1
    (folder / "stat.json").write_text(json.dumps({"design": {"num_cells_by_type": cells}}))
    if "write_json" in script:
        top = re.search(r"--top (\w+)", script)
        assert top
        module = {"netnames": {"x": {"bits": [2]}}, "cells": {}, "elements": elements}
        (folder / "netlist.json").write_text(json.dumps({"modules": {top[1]: module}}))


def run_nextpnr(arguments: Sequence[str], folder: Path) -> None:
    """A clock that falls with the elements, and with the seed; nine elements do not route."""
    _note("nextpnr", folder)
    [module] = json.loads((folder / "netlist.json").read_text())["modules"].values()
    if module["elements"] == 9:
        raise MonproError("MONPRO_ERR_BUILD", "nextpnr failed (exit 1):\nERROR: no route")
    seed = int(arguments[arguments.index("--seed") + 1])
    step = {"type": "logic", "delay": 1.0, "from": {"cell": "a"}, "to": {"cell": "b"}}
    report = {
        "fmax": {"clk": {"achieved": CLOCK_MHZ - module["elements"] - seed}},
        "critical_paths": [{"from": "posedge clk", "to": "posedge clk", "path": [step]}],
        "utilization": {"TRELLIS_COMB": {"used": 1}},
    }
    (folder / "report.json").write_text(json.dumps(report))


def _note(tool: str, folder: Path) -> None:
    """A line for each call, and the time that it shall take."""
    if log := os.environ.get("STAND_IN_LOG"):
        with Path(log).open("a") as file:
            file.write(f"{tool} {os.getpid()}\n")
    time.sleep(float(os.environ.get("STAND_IN_S", "0")))


class Calls(list[str]):
    """The tools that were called, in order."""


def use(monkeypatch: pytest.MonkeyPatch, cache: Path) -> Calls:
    """Instead of the tools of this process, with an empty cache."""
    calls = Calls()

    def run(tool: tools.Tool, arguments: Sequence[str], folder: Path) -> None:
        calls.append(tool.entry)
        (run_yosys if tool == tools.YOSYS else run_nextpnr)(arguments, folder)

    monkeypatch.setenv("MONPRO_CACHE", str(cache))
    monkeypatch.setattr(tools, "run", run)
    monkeypatch.setattr(tools, "require", lambda needed: None)
    monkeypatch.setattr(tools, "version", lambda tool: "1.0")
    return calls


def modules(folder: Path) -> Path:
    """The folder for PYTHONPATH, with modules that are named as the wheels' are."""
    folder.mkdir()
    for tool, ours in ((tools.YOSYS, "run_yosys"), (tools.NEXTPNR, "run_nextpnr")):
        (folder / f"{tool.module}.py").write_text(
            "import sys\nfrom pathlib import Path\n"
            f"sys.path.append({str(Path(__file__).parent)!r})\n"
            "import synthesis_stand_in\n"
            f"def {tool.entry}(arguments):\n"
            f"    synthesis_stand_in.{ours}(arguments, Path())\n    return 0\n"
        )
    return folder
