# SPDX-License-Identifier: Apache-2.0
"""The command `monpro explore`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from monpro import records
from monpro.cli import options as o
from monpro.errors import MonproError
from monpro.explore import front
from monpro.explore import space as explore_space
from monpro.explore import table as explore_table
from monpro.synth import targets

app = typer.Typer(rich_markup_mode=None)
RECORDS = Path("build/explore/records.json")
ASSUMED_MHZ = 100.0


def _limit(option: str, what: str) -> Any:
    """An option with a limit. It is typed like typer.Option."""
    return typer.Option(option, metavar="N", min=0, help=what)


@app.command()
def explore(
    design: Annotated[
        list[str] | None,
        typer.Option(
            "--design",
            metavar="SPEC",
            help='Hardware, with alternatives: "small,elements=4/8/16,word_bits=17/18"; can be '
            "repeated. [a space of all multipliers]",
        ),
    ] = None,
    target: Annotated[
        list[str] | None,
        typer.Option(
            "--target",
            metavar="NAME",
            help=f"One of {', '.join(targets.load())}; can be repeated. [ecp5-25]",
        ),
    ] = None,
    bits: Annotated[
        list[int] | None,
        typer.Option("--bits", metavar="BITS", help="A length; can be repeated. [1024 to 4096]"),
    ] = None,
    operation: Annotated[
        str,
        typer.Option(
            "--operation", metavar="NAME", help=f"One of {', '.join(explore_space.OPERATIONS)}."
        ),
    ] = "modexp",
    scheme: Annotated[
        list[str] | None,
        typer.Option(
            "--scheme",
            metavar="NAME",
            help='A scheme; can be repeated; "all"; "best": the fastest of each design. [best]',
        ),
    ] = None,
    window: Annotated[
        str, typer.Option("--window", metavar="N", help='Bits; or "all" that fit, or "best".')
    ] = "best",
    warm: Annotated[
        bool, typer.Option("--warm", help="With a key whose constants are there. [cold]")
    ] = False,
    clock: Annotated[
        str,
        typer.Option("--clock", metavar="placed|assumed", help="By place and route, or as told."),
    ] = "placed",
    mhz: Annotated[
        float | None,
        typer.Option("--mhz", metavar="F", min=1, help="With --clock assumed. [100]"),
    ] = None,
    seeds: Annotated[
        int, typer.Option("--seeds", metavar="N", min=1, help="Place and route with seeds 1 to N.")
    ] = 1,
    max_lut: Annotated[
        float | None, _limit("--max-lut", "LUT sites: LUTs, and those that carry chains take.")
    ] = None,
    max_ff: Annotated[float | None, _limit("--max-ff", "Flip-flops.")] = None,
    max_blocks: Annotated[float | None, _limit("--max-blocks", "Multiplier blocks.")] = None,
    max_ram: Annotated[float | None, _limit("--max-ram", "RAM blocks.")] = None,
    max_ms: Annotated[float | None, _limit("--max-ms", "Time of an operation.")] = None,
    max_energy_mj: Annotated[
        float | None,
        _limit("--max-energy-mj", "Energy of an operation: the upper end of the estimate."),
    ] = None,
    min_bits: Annotated[float | None, _limit("--min-bits", "Length of the modulus.")] = None,
    best: Annotated[
        str,
        typer.Option("--best", metavar="|".join(explore_table.BEST), help="What is recommended."),
    ] = "time",
    area: Annotated[
        str, typer.Option("--area", metavar="lut|blocks", help="What the front weighs as area.")
    ] = "lut",
    search: Annotated[
        int | None,
        typer.Option(
            "--search", metavar="N", min=1, help="Look at N designs only, chosen by Optuna."
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Of --search.")] = 1,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", metavar="N", min=1, help="Tools that run at the same time. [2]"),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option("--scheduler", metavar="ADDRESS", help="Work on this Dask cluster instead."),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Show all points, those on the front marked.")
    ] = False,
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="Write the records here, as JSON.")
    ] = RECORDS,
    json: o.Json = False,
) -> None:
    """Sweep designs, lengths and devices; show the Pareto front and the best for a budget.

    Cycles come from the models, area from synthesis, the clock from place and route, energy from
    the estimate. What has been synthesized or placed once is kept in the cache: an exploration
    that was interrupted goes on where it was.
    """
    from monpro.explore import exploration, pool
    from monpro.explore.run import Clock

    names = scheme or ["best"]
    _one_of("--operation", operation, explore_space.OPERATIONS)
    _one_of("--clock", clock, ("placed", "assumed"))
    _one_of("--best", best, explore_table.BEST)
    _one_of("--area", area, ("lut", "blocks"))
    if not (window in ("best", "all") or (window.isdecimal() and int(window) > 0)):
        raise MonproError("MONPRO_ERR_ARGUMENT", f'--window "{window}" is not best, all or 1 to 6')
    if clock == "placed" and mhz is not None:
        raise MonproError("MONPRO_ERR_ARGUMENT", "--mhz needs --clock assumed")
    if clock == "assumed" and seeds != 1:
        raise MonproError("MONPRO_ERR_ARGUMENT", "--seeds needs --clock placed")
    if scheduler is not None and jobs is not None:
        raise MonproError("MONPRO_ERR_ARGUMENT", "--jobs is for this machine, without --scheduler")
    specs = tuple(design or explore_space.DESIGNS)
    space = explore_space.Space(
        explore_space.expand_all(specs),
        tuple(targets.get(name) for name in dict.fromkeys(target or ["ecp5-25"])),
        tuple(sorted(set(bits or explore_space.BITS))),
        operation,
        explore_space.schemes(names, operation),
        "best" in names,
        window,
        warm,
    )
    limits = front.constraints(
        max_lut=max_lut, max_ff=max_ff, max_blocks=max_blocks, max_ram=max_ram, max_ms=max_ms,
        max_energy_mj=max_energy_mj, min_bits=min_bits,
    )  # fmt: skip
    if limits and not any(length >= (min_bits or 0) for length in space.bits):
        raise MonproError(
            "MONPRO_ERR_ARGUMENT",
            f"--min-bits {min_bits:g} excludes every length: the longest here is {space.bits[-1]}",
        )
    assumed = (mhz or ASSUMED_MHZ) if clock == "assumed" else None
    timed = Clock(seeds, assumed)
    asked = exploration.Asked(space, timed, limits, area, best, search, seed, specs)
    with pool.open_workers(scheduler, jobs) as workers:
        found = exploration.explore(asked, workers, out)
    if json:
        records.show(found.records)
    else:
        exploration.show(found, asked, out, everything=everything)
    if not found.ok:
        raise typer.Exit(1)


def _one_of(option: str, value: str, known: object) -> None:
    names = list(known)  # type: ignore[call-overload]
    if value not in names:
        raise MonproError(
            "MONPRO_ERR_ARGUMENT", f'{option} "{value}": there are: {", ".join(names)}'
        )
