"""A Vivado project for a PYNQ-Z2: the coprocessor at an AXI port of the Zynq's processing system.

Vivado is not among the tools that this project is tested with: what is written here is elaborated
by others as far as it is portable, and its script is run by a plain Tcl interpreter whose Vivado
commands do nothing.
"""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from monpro.base import files, paths
from monpro.errors import MonproError
from monpro.hardware.designs import Design
from monpro.litex.coprocessor import sources
from monpro.pynq import IP_NAME
from monpro.soc import build as soc_build

BOARD, FOLDER = "pynq-z2", "pynq_z2"
WRAPPER, SCRIPT, PINS, OVERLAY = "monpro_axi.v", "project.tcl", "pynq_z2.xdc", "monpro.dtso"
SETTINGS = "settings.tcl"


def address() -> tuple[int, int]:
    """Where Linux looks for the coprocessor, and how much of it there is: the device tree's."""
    text = (paths.share() / "boards" / FOLDER / OVERLAY).read_text(encoding="utf-8")
    found = re.search(r"reg = <(0x[0-9a-f]+) (0x[0-9a-f]+)>", text)
    if found is None:
        raise MonproError("MONPRO_ERR_FILE", f"{OVERLAY} has no address")
    return int(found[1], 0), int(found[2], 0)


def settings(design: Design, rtl: list[Path], clock_mhz: float) -> str:
    """What project.tcl takes from the design."""
    origin, size = address()
    # A DSP48E1 takes 17 bits without a sign: blocks of 18 are left for Vivado to infer.
    target = "portable" if design.word_bits % 18 == 0 else "xilinx7"
    values = [
        item
        for name, value in (design.rtl_parameters() | {"Target": target}).items()
        for item in (f"CONFIG.{name}", str(value).strip('"'))
    ]
    names = [f"rtl/{path.name}" for path in rtl]
    return "\n".join(
        [
            f"# {design.name}: {design.summary}",
            f"set sources {{{' '.join([*names, WRAPPER])}}}",
            f"set parameters {{{' '.join(values)}}}",
            f"set clock_mhz {clock_mhz:g}",
            f"set address {origin:#x}",
            f"set range {size:#x}",
            f"set instance {IP_NAME}",
            "",
        ]
    )


def write(design: Design, folder: Path, clock_mhz: float) -> list[Path]:
    """Writes a project into a folder, which is made; returns its files."""
    soc_build.check(design)
    if not 0 < clock_mhz <= 250:
        raise MonproError("MONPRO_ERR_ARGUMENT", "the clock is not between 0 and 250 MHz")
    share, rtl = paths.share() / "boards", sources()
    try:
        (folder / "rtl").mkdir(parents=True, exist_ok=True)
        made = [Path(shutil.copy(path, folder / "rtl")) for path in rtl]
        for path in (
            share / "common" / WRAPPER,
            *(share / FOLDER / name for name in (SCRIPT, PINS, OVERLAY)),
        ):
            made.append(Path(shutil.copy(path, folder)))
        made.append(folder / SETTINGS)
        made[-1].write_text(settings(design, rtl, clock_mhz), encoding="ascii")
    except OSError as why:
        raise files._error(str(folder), why) from why
    return made
