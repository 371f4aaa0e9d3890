# SPDX-License-Identifier: Apache-2.0
"""The system on chip as a bitstream for a board.

It has the processor, memories with a program in them, and the coprocessor with its streams and DMA.
Open tools synthesize, place, route and pack it. The board does what the simulation does: the same
firmware, the same tasks, the same lines over the UART.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from monpro.base import cache, paths
from monpro.hardware.boards import Board
from monpro.hardware.designs import Design
from monpro.records import Record
from monpro.soc import build as soc_build
from monpro.soc.records import PROCESSOR
from monpro.soc.tasks import Task, encode
from monpro.synth import bitstream as synth_bitstream
from monpro.synth import run as synth
from monpro.synth import tools

BAUD = 115_200
BLACK_BOXES = Path("rtl", "vendor", "primitives.v")


def sources(design: Design | None, rom: str, board: Board, folder: Path) -> synth.Sources:
    """The system, its Verilog and the content of its memories written into a folder.

    rom: as of soc_build.rom().
    """
    family, clock_hz = synth_bitstream.target(board).family, round(board.clock_mhz * 1e6)
    litex = soc_build.litex()
    soc = litex.MonproSoC(
        litex.Bare(), design, streams=design is not None, target=family, clock_hz=clock_hz,
        baud=BAUD, rom=[int(word, 16) for word in rom.split()],
    )  # fmt: skip
    verilog = soc.verilog(soc_build.NAME)
    main = folder / f"{soc_build.NAME}.v"
    # The same system has the same name in the cache, whenever it is written.
    text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "", verilog.main_source)
    main.write_text(text, encoding="utf-8")
    data = []
    for name, text in verilog.data_files.items():
        data.append(folder / name)
        data[-1].write_text(text, encoding="ascii")
    share = paths.share()
    files = [
        *(Path(path) for path, *_ in soc.platform.sources),
        *([share / BLACK_BOXES] if design is not None else []),
        main,
        board.top_file("system"),
    ]
    return synth.Sources(tuple(files), board.top("system"), (), tuple(data))


def bitstream(
    design: Design | None, tasks: Sequence[Task], program: bytes, board: Board, say: synth.Say
) -> tuple[bytes, Record]:
    """A bitstream of a system that does these tasks when it is switched on, and its record."""
    soc_build.check(design)
    tools.require(synth_bitstream.TOOLS)
    name = design.name if design else "none"
    with cache.work_folder() as folder:
        found = sources(design, soc_build.rom(program, encode(tasks)), board, folder)
        data, item = synth_bitstream.build(found, board, f"the system around {name}", say)
    head = {"command": "soc build", "part": "system", "processor": PROCESSOR}
    return data, item | head | {"design": design.name if design else None}
