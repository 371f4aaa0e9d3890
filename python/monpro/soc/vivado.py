# SPDX-License-Identifier: Apache-2.0
"""A Vivado project for a board: the coprocessor at an AXI port of the Zynq's processing system.

This project is not tested with Vivado. The tests elaborate the modules with Verilator, and run the
script with a plain Tcl interpreter in which Vivado's commands do nothing.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from monpro.base import files
from monpro.errors import MonproError
from monpro.hardware import rtl
from monpro.hardware.boards import Board
from monpro.hardware.designs import Design
from monpro.pynq import IP_NAME
from monpro.soc import build as soc_build
from monpro.synth import targets

SETTINGS = "settings.tcl"


def _file(board: Board, name: str | None) -> Path:
    if name is None:
        raise MonproError(
            "MONPRO_ERR_UNSUPPORTED", f"{board.name} has no project: its tool is {board.tool}"
        )
    return board.folder / name


def script(board: Board) -> Path:
    return _file(board, board.script)


def overlay(board: Board) -> Path:
    """The overlay of the device tree."""
    return _file(board, board.overlay)


def address(board: Board) -> tuple[int, int]:
    """The address and the size of the coprocessor's registers, from the device tree."""
    text = overlay(board).read_text(encoding="utf-8")
    found = re.search(r"reg = <(0x[0-9a-f]+) (0x[0-9a-f]+)>", text)
    if found is None:
        raise MonproError("MONPRO_ERR_FILE", f"{overlay(board)} has no address")
    return int(found[1], 0), int(found[2], 0)


def settings(design: Design, board: Board, sources: list[Path], clock_mhz: float) -> str:
    """What the board's script takes from the design."""
    origin, size = address(board)
    device = targets.get(board.target)
    # A DSP48E1 takes 17 bits without a sign: blocks of 18 are left for Vivado to infer.
    target = "portable" if design.word_bits % 18 == 0 else device.family
    values = [
        item
        for name, value in (design.rtl_parameters() | {"Target": target}).items()
        for item in (f"CONFIG.{name}", str(value).strip('"'))
    ]
    names = [f"rtl/{path.name}" for path in sources]
    return "\n".join(
        [
            f"# {design.name}: {design.summary}",
            f"set sources {{{' '.join([*names, board.top_file('system').name])}}}",
            f"set parameters {{{' '.join(values)}}}",
            f"set part {device.device.lower()}{board.package}",
            f"set clock_mhz {clock_mhz:g}",
            f"set address {origin:#x}",
            f"set range {size:#x}",
            f"set instance {IP_NAME}",
            "",
        ]
    )


def write(design: Design, board: Board, folder: Path, clock_mhz: float) -> list[Path]:
    """Writes a project into a folder, which is made; returns its files."""
    soc_build.check(design)
    if not 0 < clock_mhz <= 250:
        raise MonproError("MONPRO_ERR_ARGUMENT", "the clock is not between 0 and 250 MHz")
    sources = rtl.coprocessor()
    given = [board.top_file("system"), script(board), board.constraints, overlay(board)]
    try:
        (folder / "rtl").mkdir(parents=True, exist_ok=True)
        made = [Path(shutil.copy(path, folder / "rtl")) for path in sources]
        made += [Path(shutil.copy(path, folder)) for path in given]
        made.append(folder / SETTINGS)
        made[-1].write_text(settings(design, board, sources, clock_mhz), encoding="ascii")
    except OSError as why:
        raise files._error(str(folder), why) from why
    return made
