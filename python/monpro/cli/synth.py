# SPDX-License-Identifier: Apache-2.0
"""The command `monpro synth`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from monpro import records
from monpro.base import files
from monpro.cli import options as o
from monpro.errors import MonproError
from monpro.hardware import boards, designs
from monpro.synth import bitstream as synth_bitstream
from monpro.synth import run as synthesis
from monpro.synth import table as synth_table
from monpro.synth import targets

app = typer.Typer(rich_markup_mode=None)


def _say(line: str) -> None:
    print(f"monpro: {line}", file=sys.stderr, flush=True)


@app.command()
def synth(
    design: Annotated[str, typer.Argument(help='As in an engine: "small", "small,elements=4".')],
    target: Annotated[
        list[str] | None,
        typer.Option(
            "--target",
            metavar="NAME",
            help=f"One of {', '.join(targets.load())}; can be repeated. [ecp5-85]",
        ),
    ] = None,
    seeds: Annotated[
        int,
        typer.Option("--seeds", metavar="N", min=1, help="Place and route with seeds 1 to N."),
    ] = 1,
    jobs: Annotated[
        int, typer.Option("--jobs", metavar="N", min=1, help="Tools that run at the same time.")
    ] = 2,
    bitstream: Annotated[
        str | None,
        typer.Option("--bitstream", metavar="FILE", help="Make a board's bitstream instead."),
    ] = None,
    board: Annotated[
        str | None,
        typer.Option("--board", metavar="NAME", help=f"One of {', '.join(boards.load())}."),
    ] = None,
    json: o.Json = False,
) -> None:
    """Synthesize a design; for ECP5 place and route it, or make a bitstream.

    Counts LUTs, flip-flops, multiplier and RAM blocks, and measures the clock for ECP5. What has
    been done once is kept in the cache.
    """
    chosen = designs.parse(design.removeprefix("sim:"))
    if bitstream is None:
        if board is not None:
            raise MonproError("MONPRO_ERR_ARGUMENT", "--board needs --bitstream")
        wanted = [targets.get(name) for name in dict.fromkeys(target or ["ecp5-85"])]
        found = []
        for place in wanted:
            of_target = synthesis.measure(chosen, place, seeds, jobs, _say)
            if not json:
                synth_table.show(of_target)
            found += of_target
        if json:
            records.show(found)
        return
    if target or seeds != 1:
        raise MonproError(
            "MONPRO_ERR_ARGUMENT", "a bitstream is for its board: without --target and --seeds"
        )
    place_on = boards.get(board) if board else boards.default()
    place_on.check_output(bitstream)
    with files.output(bitstream) as write:
        data, made = synth_bitstream.make(chosen, place_on, _say)
        write(data)
    if json and bitstream != "-":
        records.show([made])
    else:
        _say(
            f"{chosen.name} for {place_on.name}: {len(data)} bytes, {made['clock_mhz']:.1f} MHz "
            f"reached of {made['clock_mhz_needed']:g}{place_on.next_step(bitstream)}"
        )
