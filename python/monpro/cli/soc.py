# SPDX-License-Identifier: Apache-2.0
"""The commands `monpro soc run`, `list` and `build`.

They run programs on the simulated system on chip, and build the same system for boards.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from monpro import records
from monpro.base import files, terminal
from monpro.cli import options as o
from monpro.errors import MonproError
from monpro.hardware import boards, designs
from monpro.hardware.boards import Board
from monpro.hardware.designs import Design
from monpro.soc import bitstream as soc_bitstream
from monpro.soc import records as soc_records
from monpro.soc import run as simulation
from monpro.soc import vivado
from monpro.soc.programs import PROGRAMS
from monpro.soc.tasks import SCHEMES, Task

app = typer.Typer(rich_markup_mode=None)
programs = typer.Typer(rich_markup_mode=None)
app.add_typer(programs, name="soc")
PROGRESS_S = 10.0
HEADS = (
    "operation", "by", "scheme", "cycles", "device", "over-\nhead %", "ms", "software\n/ this",
)  # fmt: skip


def _asked(
    program: str, design: str, bits: int, scheme: str, seed: int
) -> tuple[Design | None, list[Task]]:
    """The design and the tasks that options name."""
    if program not in PROGRAMS:
        known = ", ".join(PROGRAMS)
        raise MonproError("MONPRO_ERR_ARGUMENT", f'no program "{program}"; there are: {known}')
    if scheme not in SCHEMES:
        raise MonproError(
            "MONPRO_ERR_SCHEME", f'no scheme "{scheme}"; there are: {", ".join(SCHEMES)}'
        )
    chosen = None if design == "none" else designs.parse(design.removeprefix("sim:"))
    if chosen is not None and not chosen.min_bits <= bits <= chosen.max_bits:
        raise MonproError(
            "MONPRO_ERR_MODULUS_LONG" if bits > chosen.max_bits else "MONPRO_ERR_MODULUS_SHORT",
            f"{chosen.name} takes {chosen.min_bits} to {chosen.max_bits} bits",
        )
    return chosen, PROGRAMS[program].tasks(chosen, bits, scheme, random.Random(seed))  # noqa: S311


def _say(line: str) -> None:
    print(f"monpro: {line}", file=sys.stderr, flush=True)


class _Progress:
    """A line now and then with how far the runs are, one for both of them."""

    def __init__(self, total_cycles: int) -> None:
        self._total, self._last = total_cycles, time.monotonic()

    def __call__(self, line: str, cycles: int) -> None:
        now = time.monotonic()
        if cycles and now - self._last >= PROGRESS_S:
            self._last = now
            _say(f"{cycles / 1e6:.0f} million cycles simulated of about {self._total / 1e6:.0f}")


@programs.callback()
def soc() -> None:
    """Run firmware on a simulated system: VexRiscv and a coprocessor."""


@programs.command("list")
def list_(json: o.Json = False) -> None:
    """List the programs."""
    if json:
        records.show([{"program": name, "summary": p.summary} for name, p in PROGRAMS.items()])
        return
    terminal.show_table(("program", ""), [[n, p.summary] for n, p in PROGRAMS.items()])


@programs.command("run")
def run(
    program: Annotated[str, typer.Argument(metavar="PROGRAM", help="See `monpro soc list`.")],
    design: Annotated[
        str, typer.Option("--design", metavar="NAME", help='A design; "none": software alone.')
    ] = "small",
    bits: Annotated[int, typer.Option("--bits", metavar="N", min=32, max=4096)] = 512,
    scheme: Annotated[
        str, typer.Option("--scheme", metavar="S", help="Of the coprocessor, with modexp.")
    ] = "default",
    dma: Annotated[
        bool, typer.Option("--dma", help="The coprocessor's operations as packets, by DMA.")
    ] = False,
    clock: Annotated[
        float, typer.Option("--clock", metavar="MHZ", help="Assumed, for times.")
    ] = 100.0,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Of keys and operands.")] = 1,
    json: o.Json = False,
) -> None:
    """Build a system and its firmware, simulate them, check every result.

    The processor is VexRiscv at the coprocessor's clock; cycles are those of its own counter, the
    driver's and the library's included.
    """
    if clock <= 0:
        raise MonproError("MONPRO_ERR_ARGUMENT", "--clock is not above zero")
    chosen, tasks = _asked(program, design, bits, scheme, seed)
    runs = simulation.parts(chosen, simulation.by_dma(tasks) if dma else tasks)
    image = simulation.firmware(peer=PROGRAMS[program].peer)
    new = [part for part in runs if not simulation.is_kept(*part, image)]
    total = max((simulation.expected_cycles(*part) for part in new), default=0)
    longest_s = max((simulation.seconds(*part) for part in new), default=0.0)
    _say(
        f"{program}, {bits} bits: about {total / 1e6:.1f} million cycles to simulate, "
        f"{terminal.duration(longest_s)} on two processors"
        if new
        else f"{program}, {bits} bits: simulated before, and kept in the cache"
    )
    simulation.build(new)
    start_s = time.monotonic()
    outcomes = simulation.run(runs, program=image, progress=_Progress(total))
    wall_s = time.monotonic() - start_s
    found = [soc_records.record(item, design, clock, seed, program) for item in outcomes]
    if json:
        records.show(found)
    else:
        how = f"{wall_s:.0f} s of simulation" if new else "Kept from an earlier simulation"
        _show(found, program, bits, clock, how)
    if not all(outcome.ok for outcome in outcomes):
        raise typer.Exit(1)


@programs.command("build")
def build(
    board: Annotated[
        str, typer.Option("--board", metavar="NAME", help=f"One of {', '.join(boards.load())}.")
    ],
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="PATH", help="The bitstream, or a folder.")
    ],
    design: Annotated[
        str, typer.Option("--design", metavar="NAME", help='A design; for a bitstream also "none".')
    ] = "tiny",
    program: Annotated[
        str, typer.Option("--program", metavar="NAME", help="What a bitstream runs.")
    ] = "stream",
    bits: Annotated[int, typer.Option("--bits", metavar="N", min=32, max=4096)] = 512,
    scheme: Annotated[str, typer.Option("--scheme", metavar="S", help="As in run.")] = "default",
    clock: Annotated[
        float | None,
        typer.Option("--clock", metavar="MHZ", help="Of a project's coprocessor. [the board's]"),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Of keys and operands.")] = 1,
    json: o.Json = False,
) -> None:
    """Build the system for a board.

    A board of open tools gets a bitstream, in minutes: VexRiscv, coprocessor and DMA, with a
    program and its tasks in ROM. A board of Vivado gets the files of a project, and Vivado is not
    run: the coprocessor at an AXI port of the processing system.
    """
    chosen, tasks = _asked(program, design, bits, scheme, seed)
    place = boards.get(board)
    if place.tool == "vivado":
        _project(chosen, place, Path(output), place.clock_mhz if clock is None else clock, json)
        return
    if clock is not None:
        raise MonproError(
            "MONPRO_ERR_ARGUMENT", f"the clock of {board} is {place.clock_mhz:g} MHz: no --clock"
        )
    place.check_output(output)
    with files.output(output) as write:
        image = simulation.firmware(peer=PROGRAMS[program].peer)
        data, made = soc_bitstream.bitstream(chosen, tasks, image, place, _say)
        write(data)
    if json:
        records.show([made])
    else:
        _say(
            f"the system around {design} for {board}: {len(data)} bytes, {made['lut']} LUT4, "
            f"{made['clock_mhz']:.1f} MHz reached of {made['clock_mhz_needed']:g}"
            f"{place.next_step(output)}"
        )


def _project(design: Design | None, board: Board, folder: Path, clock: float, json: bool) -> None:
    if design is None:
        raise MonproError("MONPRO_ERR_ARGUMENT", f"{board.name} wants a design")
    made = vivado.write(design, board, folder, clock)
    if json:
        records.show([{"board": board.name, "design": design.name, "files": list(map(str, made))}])
    else:
        script = str(folder / vivado.script(board).name)
        _say(f"{len(made)} files{board.next_step(script)}")


def _show(found: list[records.Record], program: str, bits: int, clock_mhz: float, how: str) -> None:
    if program == "errors":
        rows = [[str(r["operation"]), str(r["status"]), str(r.get("message", ""))] for r in found]
        terminal.show_table(("", "status", ""), rows)
    else:
        terminal.show_table(
            HEADS,
            [_row(item, found) for item in found],
            numbers=HEADS[3:],
        )
    right = sum(bool(item["ok"]) for item in found)
    terminal.show_text(
        f"{right} of {len(found)} as they must be, {bits} bits; cycles by the processor's counter, "
        f"milliseconds at {clock_mhz:g} MHz, which is assumed. {how}."
    )


def _row(item: records.Record, found: list[records.Record]) -> list[str]:
    key = item.get("key_state")
    by = str(item["engine"]) if key is None else f"{item['design']}, {key}"
    if item.get("path") == "stream":
        by += ", DMA"
    if not item["ok"]:
        return [str(item["operation"]), by, str(item["status"]), *[""] * 4, "WRONG"]
    soft = next(
        (x for x in found if x["engine"] == "soft" and x["operation"] == item["operation"]), None
    )
    ratio, overhead = "", item.get("overhead")
    if soft is not None and soft is not item and soft.get("cycles_total"):
        ratio = terminal.significant(soft["cycles_total"] / item["cycles_total"])
    return [
        str(item["operation"]), by, str(item.get("scheme") or ""), str(item["cycles_total"]),
        str(item.get("cycles_device", "")),
        "" if overhead is None else f"{100 * overhead:.2f}",
        terminal.significant(item["time_ms"]), ratio,
    ]  # fmt: skip
