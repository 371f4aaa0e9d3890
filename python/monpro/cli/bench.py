# SPDX-License-Identifier: Apache-2.0
"""The commands `monpro bench ...`: the main job, designs, schemes, software engines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from monpro.cli import options as o
from monpro.errors import MonproError
from monpro.hardware import designs as design_list
from monpro.hardware.designs import Design

RECORDS = Path("build/bench")
app = typer.Typer(rich_markup_mode=None)
benches = typer.Typer(rich_markup_mode=None)
app.add_typer(benches, name="bench")

Bits = Annotated[
    list[int] | None,
    typer.Option("--bits", metavar="BITS", help="A length; can be repeated. [all that there are]"),
]
Rounds = Annotated[
    int, typer.Option("--rounds", metavar="N", min=1, help="Rounds of the software timing.")
]
Seed = Annotated[int, typer.Option("--seed", metavar="N", help="Of the random numbers.")]


def _designs(names: str) -> list[Design]:
    return [design_list.get(name) for name in dict.fromkeys(names.split(","))]


def _done(ok: bool) -> None:
    """Exit status 1 if a result was wrong."""
    if not ok:
        raise typer.Exit(1)


@benches.callback(invoke_without_command=True)
def bench(context: typer.Context) -> None:
    """Measure RSA, designs, schemes or software engines; alone as `bench rsa`."""
    if context.invoked_subcommand is None:
        rsa()


@benches.command()
def rsa(
    bits: Bits = None,
    engine: o.EngineSpec = o.ENGINE,
    rounds: Rounds = 9,
    out: o.Records = RECORDS / "records.json",
    json: o.Json = False,
) -> None:
    """Run RSA with real keys; check, count, time it.

    Keys and a file made by the openssl program are signed, verified, encrypted and decrypted
    through the engine and through software; OpenSSL checks every result.
    """
    from monpro.bench import rsa as main_job

    _done(main_job.run(bits, engine, rounds, out, as_json=json))


@benches.command()
def designs(
    names: Annotated[
        str, typer.Argument(metavar="A,B", help="See `monpro designs`.")
    ] = "tiny,small,fast",
    bits: Bits = None,
    quick: Annotated[bool, typer.Option("--quick", help="Up to 1024 bits.")] = False,
    full: Annotated[
        bool, typer.Option("--full", help="Simulate all, however long it takes.")
    ] = False,
    seed: Seed = 1,
    out: o.Records = RECORDS / "designs.json",
    json: o.Json = False,
) -> None:
    """Run exponentiations and RSA of every length on designs, side by side.

    Each result is checked. The published figures of others stand beside.
    """
    from monpro.bench import designs as bench_designs

    if quick and full:
        raise MonproError("MONPRO_ERR_ARGUMENT", "give --quick or --full, not both")
    chosen = _designs(names)
    _done(bench_designs.run(chosen, bits, seed, out, quick=quick, full=full, as_json=json))


@benches.command()
def schemes(
    names: Annotated[str, typer.Argument(metavar="A,B", help="See `monpro designs`.")] = "small",
    scheme: Annotated[
        str, typer.Option("--scheme", metavar="A,B", help='Schemes of exponentiation; or "all".')
    ] = "all",
    bits: Annotated[int, typer.Option("--bits", metavar="BITS", help="The length.")] = 1024,
    seed: Seed = 1,
    out: o.Records = RECORDS / "schemes.json",
    json: o.Json = False,
) -> None:
    """Run the schemes of exponentiation at one length on designs, side by side."""
    from monpro.bench import schemes as bench_schemes

    _done(bench_schemes.run(_designs(names), scheme.split(","), bits, seed, out, as_json=json))


@benches.command()
def engines(
    specs: Annotated[
        str,
        typer.Argument(
            metavar="A,B",
            help="Of soft, lanes, lanes:isa=NAME, openssl, openssl:ifma=off, gmp.",
        ),
    ] = "soft,lanes,openssl",
    bits: Bits = None,
    rounds: Rounds = 9,
    dudect: Annotated[
        int | None,
        typer.Option(
            "--dudect",
            metavar="N",
            min=100,
            help="Instead, of soft and lanes: does the time tell the exponent, by N measurements?",
        ),
    ] = None,
    seed: Seed = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Write the records here, as JSON. [build/bench/engines.json, or dudect.json]",
        ),
    ] = None,
    json: o.Json = False,
) -> None:
    """Time software engines and their peers in turns, on one processor."""
    from monpro.bench import engines as bench_engines

    if dudect is None:
        out = out or RECORDS / "engines.json"
        _done(bench_engines.run(specs, bits, rounds, seed, out, as_json=json))
    else:
        out = out or RECORDS / "dudect.json"
        _done(bench_engines.dudect(specs, bits, dudect, seed, out, as_json=json))
