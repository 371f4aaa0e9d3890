"""The command bench: the main job, designs or schemes side by side, the tables of a reference."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from monpro.cli import options as o
from monpro.errors import MonproError
from monpro.hardware import designs as design_list

RECORDS = Path("build/bench")


def bench(
    bits: Annotated[
        list[int] | None,
        typer.Option(
            "--bits",
            metavar="BITS",
            help="A length; can be repeated. [1024, 2048, 3072, 4096, as the engine takes them]",
        ),
    ] = None,
    engine: o.EngineSpec = o.ENGINE,
    rounds: Annotated[
        int, typer.Option("--rounds", metavar="N", min=1, help="Rounds of the software timing.")
    ] = 9,
    designs: Annotated[
        str | None,
        typer.Option(
            "--designs", metavar="A,B", help="Instead: these designs side by side, and the peers."
        ),
    ] = None,
    scheme: Annotated[
        str | None,
        typer.Option(
            "--scheme",
            metavar="A,B",
            help='With --designs: schemes of exponentiation at one length; "all".',
        ),
    ] = None,
    engines: Annotated[
        str | None,
        typer.Option(
            "--engines",
            metavar="A,B",
            help="Instead: software side by side, of soft, lanes, lanes:isa=NAME, openssl, "
            "openssl:ifma=off, gmp.",
        ),
    ] = None,
    dudect: Annotated[
        int | None,
        typer.Option(
            "--dudect",
            metavar="N",
            min=100,
            help="With --engines, of soft and lanes: does the time tell the exponent, by N "
            "measurements?",
        ),
    ] = None,
    reference: Annotated[
        str | None,
        typer.Option(
            "--reference",
            metavar="R1|R2|R3|R4|R5",
            help="Instead: a published design's tables beside ours.",
        ),
    ] = None,
    table: Annotated[
        int | None,
        typer.Option("--table", metavar="N", help="With --reference R2 or R5: one table alone."),
    ] = None,
    plots: Annotated[
        Path | None,
        typer.Option(
            "--plots", metavar="DIR", help="With --reference R2: speed-up as PNG and SVG, into DIR."
        ),
    ] = None,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick", help="With --designs: up to 1024 bits; with --reference: some seconds."
        ),
    ] = False,
    full: Annotated[
        bool, typer.Option("--full", help="With --designs: simulate all, however long it takes.")
    ] = False,
    seed: Annotated[
        int,
        typer.Option(
            "--seed", metavar="N", help="With --designs or --reference: of the random numbers."
        ),
    ] = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Write the records here, as JSON. [build/bench/records.json; with --designs "
            "designs.json, with --scheme schemes.json, with --reference R1 R1.json]",
        ),
    ] = None,
    json: o.Json = False,
) -> None:
    """Run RSA with real keys; check, count, time it.

    Keys and a file made by the openssl program are signed, verified, encrypted and decrypted
    through the engine and through software; OpenSSL checks every result.

    With --designs: exponentiations and RSA of every length on each of the designs, cycle for
    cycle, beside the published figures of others.

    With --engines: software engines and their peers in turns, on one processor.

    With --reference: the tables of a published design with Monpro's figures beside its own.
    """
    given: dict[str, object]
    if engines is not None:
        given = {"--designs": designs, "--reference": reference, "--scheme": scheme}
        given |= {"--quick": quick, "--full": full, "--engine": engine != o.ENGINE}
        if wrong := [name for name, value in given.items() if value]:
            raise MonproError("MONPRO_ERR_ARGUMENT", f"--engines does not take {wrong[0]}")
        from monpro.bench import engines as bench_engines

        if dudect is not None:
            out = out or RECORDS / "dudect.json"
            ok = bench_engines.dudect(engines, bits, dudect, seed, out, as_json=json)
        else:
            out = out or RECORDS / "engines.json"
            ok = bench_engines.run(engines, bits, rounds, seed, out, as_json=json)
    elif dudect is not None:
        raise MonproError("MONPRO_ERR_ARGUMENT", "--dudect needs --engines")
    elif reference is not None:
        ok = _reference(
            reference, designs, bits, engine, scheme, quick, full, seed, out, json, table, plots
        )
    elif table is not None or plots is not None:
        name = "--table" if table is not None else "--plots"
        raise MonproError("MONPRO_ERR_ARGUMENT", f"{name} needs --reference")
    elif designs is None:
        given = {"--scheme": scheme, "--quick": quick, "--full": full}
        if wrong := [name for name, value in given.items() if value]:
            more = " or --reference" if wrong[0] == "--quick" else ""
            raise MonproError("MONPRO_ERR_ARGUMENT", f"{wrong[0]} needs --designs{more}")
        from monpro.bench import rsa as main_job

        out = out or RECORDS / "records.json"
        ok = main_job.run(bits, engine, rounds, out, as_json=json)
    else:
        ok = _side_by_side(designs, bits, engine, scheme, quick, full, seed, out, json)
    if not ok:
        raise typer.Exit(1)


def _reference(
    name: str,
    designs: str | None,
    bits: list[int] | None,
    engine: str,
    scheme: str | None,
    quick: bool,
    full: bool,
    seed: int,
    out: Path | None,
    json: bool,
    table: int | None,
    plots: Path | None,
) -> bool:
    from monpro.papers import registry

    given = {"--designs": designs, "--bits": bits, "--scheme": scheme, "--full": full}
    given["--engine"] = engine != o.ENGINE
    if wrong := [option for option, value in given.items() if value]:
        raise MonproError("MONPRO_ERR_ARGUMENT", f"--reference does not take {wrong[0]}")
    out = out or RECORDS / f"{name}.json"
    return registry.run(name, seed, out, quick=quick, as_json=json, table=table, plots=plots)


def _side_by_side(
    names: str,
    bits: list[int] | None,
    engine: str,
    scheme: str | None,
    quick: bool,
    full: bool,
    seed: int,
    out: Path | None,
    json: bool,
) -> bool:
    from monpro.bench import designs as bench_designs
    from monpro.bench import schemes

    if engine != o.ENGINE:
        raise MonproError("MONPRO_ERR_ARGUMENT", "give --designs or --engine, not both")
    if quick and full:
        raise MonproError("MONPRO_ERR_ARGUMENT", "give --quick or --full, not both")
    chosen = [design_list.get(name) for name in dict.fromkeys(names.split(","))]
    if scheme is None:
        out = out or RECORDS / "designs.json"
        return bench_designs.run(chosen, bits, seed, out, quick=quick, full=full, as_json=json)
    if quick or full:
        raise MonproError("MONPRO_ERR_ARGUMENT", "--scheme takes neither --quick nor --full")
    if bits and len(bits) > 1:
        raise MonproError("MONPRO_ERR_ARGUMENT", "--scheme takes one --bits")
    out = out or RECORDS / "schemes.json"
    length = bits[0] if bits else schemes.BITS
    return schemes.run(chosen, scheme.split(","), length, seed, out, as_json=json)


def add_to(app: typer.Typer) -> None:
    app.command()(bench)
