# SPDX-License-Identifier: Apache-2.0
"""The commands `monpro power ...` and `monpro verdict`: estimates of power and energy."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from monpro import records
from monpro.base import files
from monpro.cli import options as o
from monpro.errors import MonproError
from monpro.hardware import designs
from monpro.hardware.designs import Design
from monpro.power import activity, coefficients, measurements, verdict, verdict_table
from monpro.power import estimate as power_estimate
from monpro.power import fit as fitting
from monpro.power import sets as power_sets
from monpro.power import table as power_table
from monpro.synth import clocks, targets
from monpro.synth import run as synth
from monpro.synth.targets import Counts, Target

RECORDS = Path("build/verdict.json")
app = typer.Typer(rich_markup_mode=None)
estimates = typer.Typer(rich_markup_mode=None)
app.add_typer(estimates, name="power")
DesignName = Annotated[str, typer.Argument(metavar="DESIGN", help='As in an engine: "small".')]
Bits = Annotated[int, typer.Option("--bits", metavar="N", min=32, max=4096)]
SetName = Annotated[
    str, typer.Option("--set", metavar="NAME", help="Coefficients; see `monpro power sets`.")
]
SetsFile = Annotated[
    Path | None,
    typer.Option("--sets", metavar="FILE", help="More sets, as `monpro power fit` writes them."),
]
ClockMhz = Annotated[
    float | None,
    typer.Option("--clock-mhz", metavar="F", help="[as placed, where the cache has that, or 10]"),
]


def _set(name: str, path: Path | None) -> power_sets.Coefficients:
    return coefficients.get(name, power_sets.read(path) if path else None)


def _given(clock_mhz: float | None) -> float | None:
    if clock_mhz is not None and not 0 < clock_mhz < 1e6:
        raise MonproError("MONPRO_ERR_ARGUMENT", f"--clock-mhz {clock_mhz:g} is no clock")
    return clock_mhz


def _counts(design: Design, target: Target) -> Counts:
    sources = synth.Sources.of(design, target)
    netlist = synth.synthesize(sources, target.family, write=False)
    return targets.count(target.family, netlist.cells)


@estimates.callback()
def power() -> None:
    """Estimate power and energy, or fit coefficients to a board's measurements."""


@estimates.command("sets")
def sets(more: SetsFile = None, json: o.Json = False) -> None:
    """List the sets of coefficients: picojoules a toggle, and where they come from."""
    extra = power_sets.read(more) if more else None
    found = [coefficients.get(name, extra) for name in coefficients.names(extra)]
    if json:
        records.show([power_table.set_record(each) for each in found])
    else:
        power_table.show_sets(found)


@estimates.command("activity")
def activity_(design: DesignName, bits: Bits = 1024, json: o.Json = False) -> None:
    """Simulate an operation and count how often each part of the design switches."""
    chosen = designs.parse(design.removeprefix("sim:"))
    found = activity.measured(chosen, bits)
    if json:
        engine = f"sim:{chosen.name}"
        records.show(
            [
                records.record(
                    "power", found.record(), engine=engine, design=chosen.name,
                    operation=found.operation, bits=bits, ok=True, obtained="simulated",
                )
            ]
        )  # fmt: skip
    else:
        power_table.show_activity(found)


@estimates.command("usual")
def usual() -> None:
    """Simulate what is usual of each multiplier, as published/energy.toml has it."""
    sys.stdout.write(activity.to_toml(activity.usual()))


@estimates.command("estimate")
def estimate(
    design: DesignName,
    bits: Bits = 1024,
    target: Annotated[
        str,
        typer.Option("--target", metavar="NAME", help=f"One of {', '.join(targets.load())}."),
    ] = "xc7a100t",
    clock_mhz: ClockMhz = None,
    set_: SetName = power_sets.DEFAULT,
    more: SetsFile = None,
    simulate: Annotated[
        bool, typer.Option("--simulate", help="Count toggles by a run, if the cache has none.")
    ] = False,
    csv: Annotated[
        bool, typer.Option("--csv", help="Print a line for `power fit`, to measure power_W for.")
    ] = False,
    json: o.Json = False,
) -> None:
    """Estimate power and energy of an RSA private operation."""
    chosen, place = designs.parse(design.removeprefix("sim:")), targets.get(target)
    coefficients, mhz = _set(set_, more), _given(clock_mhz)
    count = verdict.cycles(chosen, verdict.DECRYPT, bits)
    measured = activity.measured(chosen, bits) if simulate or csv else activity.kept(chosen, bits)
    switching = measured.activity if measured else power_sets.usual(chosen.multiplier)
    counts, whose = _counts(chosen, place), "assumed"
    if mhz is None:
        placed = clocks.placed(chosen)
        mhz = placed.mhz if placed else verdict.ASSUMED_MHZ
        whose = "placed" if placed else whose
    if csv:
        print(measurements.lines(chosen.name, bits, mhz, counts, switching))
        return
    found = power_estimate.estimate(
        counts, switching, count, mhz, coefficients, family=place.family, device=place.device
    )
    item = records.record(
        "power",
        found.record(),
        engine=f"sim:{chosen.name}", design=chosen.name, operation="rsa_private", bits=bits,
        obtained=found.obtained, target=place.name, device=place.device, cycles=count,
        clock_mhz=mhz, clock_obtained=whose, time_ms=found.time_s * 1e3,
    )  # fmt: skip
    if json:
        records.show([item])
    else:
        power_table.show_estimate(item, found)


@estimates.command("fit")
def fit(
    file: Annotated[Path, typer.Argument(metavar="FILE.csv", help="A board's power.")],
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="Of the set.")] = "board",
    family: Annotated[
        str,
        typer.Option("--family", metavar="NAME", help=f"One of {', '.join(targets.families())}."),
    ] = "xilinx7",
    device: Annotated[
        str | None, typer.Option("--device", metavar="NAME", help="As XC7A100T.")
    ] = None,
    out: o.Out = None,
    json: o.Json = False,
) -> None:
    """Fit coefficients to a board's measured power; writes a set for --sets.

    Columns: design, bits, clock_MHz, lut, ff, dsp, bram, logic, register, dsp_toggles, power_W;
    `monpro power estimate DESIGN --csv` prints a line with all but the last.
    """
    o.not_both_to_standard_output(json, out)
    targets.family(family)  # an unknown one is an error
    try:
        text = files.read(str(file)).decode("utf-8")
    except UnicodeDecodeError as why:
        raise MonproError("MONPRO_ERR_FILE", f"{file}: {why}") from why
    points = measurements.read_csv(str(file), text)
    found = fitting.fit(points, static=True)
    held = fitting.leave_out(points, static=True)
    source = f"measured on a board: {len(points)} points of {file.name}"
    made = measurements.to_toml(found, name, family, device, fitting.worst(held), source)
    with files.output(out) as write:
        write(made.encode())
    if json:
        records.show([power_table.fit_record(name, found, held)])


@app.command("verdict")
def verdict_(
    rate: Annotated[
        float, typer.Option("--rate", metavar="R", help="Private operations a second.")
    ] = verdict.RATE,
    clock_mhz: ClockMhz = None,
    set_: SetName = power_sets.DEFAULT,
    more: SetsFile = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Leave out designs whose area the cache has not.")
    ] = False,
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="Write the records here, as JSON.")
    ] = RECORDS,
    json: o.Json = False,
) -> None:
    """Say whether designs suit a cyber-physical system: watts, joules, a rate of operations.

    RSA-1024 against an MSP430 at three clocks: a thesis's designs as published, and Monpro's.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    with files.output(str(out)) as write:
        found = verdict.run(_set(set_, more), rate, _given(clock_mhz), quick=quick)
        write(records.to_json(found).encode() + b"\n")
    if json:
        records.show(found)
    else:
        verdict_table.show(found, rate, out)
