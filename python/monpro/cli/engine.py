# SPDX-License-Identifier: Apache-2.0
"""Commands around engines and designs: modexp, designs, model, doctor."""

from __future__ import annotations

import random
import sys
import time
from typing import Annotated

import typer

from monpro import records
from monpro.base import terminal
from monpro.cli import doctor as checkup
from monpro.cli import options as o
from monpro.engine import Engine, Job, Result, Scheme
from monpro.errors import MonproError
from monpro.hardware import designs as design_list
from monpro.hardware import simulator
from monpro.records import Record

app = typer.Typer(rich_markup_mode=None)

# `monpro model` is also called by the C library, which tells these failures apart.
MODEL_STATUS = {"MONPRO_ERR_BUILD": 3, "MONPRO_ERR_DESIGN": 4, "MONPRO_ERR_PARAMETER": 5}


def _random_jobs(bits: int, count: int, seed: int, options: tuple[bool, Scheme, int]) -> list[Job]:
    if bits < 2:
        raise MonproError("MONPRO_ERR_ARGUMENT", f"--random {bits}: a modulus has 2 bits or more")
    source = random.Random(seed)  # noqa: S311 - for tests that can be repeated
    jobs = []
    for _ in range(count):
        modulus = source.getrandbits(bits) | 1 << (bits - 1) | 1
        jobs.append(Job(source.randrange(modulus), source.getrandbits(bits), modulus, *options))
    return jobs


def _expected(job: Job) -> int:
    numbers = [job.base, job.exponent, job.modulus]
    base, exponent, modulus = (
        n if isinstance(n, int) else int.from_bytes(n, "big") for n in numbers
    )
    return pow(base, exponent, modulus)


def _modexp_record(engine: Engine, job: Job, result: Result, time_ms: float) -> Record:
    modulus = job.modulus if isinstance(job.modulus, int) else 0
    spent = result.counters
    figures = records.cycle_figures(engine, spent)
    timed = {} if figures else {"time_ms": time_ms}
    return records.record(
        "modexp",
        {"result": hex(result.value), **figures, **timed},
        engine=engine,
        operation="modexp",
        bits=modulus.bit_length(),
        scheme=result.scheme,
        window=result.window or None,
        exponent="public" if job.public else "secret",
        key_state=records.key_state(spent),
        ok=result.value == _expected(job),
        obtained="simulated" if figures else "measured",
    )


@app.command()
def modexp(
    base: Annotated[str | None, typer.Argument(help="Decimal, or 0x and hexadecimal.")] = None,
    exponent: Annotated[str | None, typer.Argument(help="Likewise.")] = None,
    modulus: Annotated[str | None, typer.Argument(help="Likewise; odd.")] = None,
    engine: o.EngineSpec = o.ENGINE,
    public: Annotated[
        bool, typer.Option("--public", help="The exponent is no secret: time may depend on it.")
    ] = False,
    scheme: o.SchemeName = "default",
    window: Annotated[
        int, typer.Option("--window", metavar="BITS", help="1 to 6 bits; 0: the fastest that fits.")
    ] = 0,
    random_bits: Annotated[
        int | None,
        typer.Option("--random", metavar="BITS", help="Random numbers instead of given ones."),
    ] = None,
    count: Annotated[
        int, typer.Option("--count", metavar="N", min=1, help="How many random exponentiations.")
    ] = 1,
    seed: Annotated[
        int, typer.Option("--seed", metavar="N", help="Equal seeds give equal random numbers.")
    ] = 1,
    trace: o.Trace = None,
    json: o.Json = False,
) -> None:
    """Compute BASE ^ EXPONENT mod MODULUS.

    The result is checked against Python's own pow.
    """
    if not 0 <= window < 1 << 32:
        raise MonproError("MONPRO_ERR_SCHEME", f"a window of {window} bits is not possible")
    options = (public, o.scheme(scheme), window)
    if random_bits is not None:
        if base is not None:
            raise MonproError("MONPRO_ERR_ARGUMENT", "give numbers or --random, not both")
        jobs = _random_jobs(random_bits, count, seed, options)
    elif count != 1:
        raise MonproError("MONPRO_ERR_ARGUMENT", "--count needs --random")
    elif base is None or exponent is None or modulus is None:
        raise MonproError("MONPRO_ERR_ARGUMENT", "give BASE, EXPONENT and MODULUS, or --random")
    else:
        numbers = (
            o.number(base, "base"),
            o.number(exponent, "exponent"),
            o.number(modulus, "modulus"),
        )
        jobs = [Job(*numbers, *options)]
    results = []
    with Engine(engine, trace=trace) as unit:
        for job in jobs:
            start_s = time.perf_counter()
            [result] = unit.modexp_batch([job])
            results.append(_modexp_record(unit, job, result, (time.perf_counter() - start_s) * 1e3))
    if json:
        records.show(results)
    else:
        written_hex = modulus is None or modulus[:2].lower() == "0x"
        for item in results:
            print(item["result"] if written_hex else int(item["result"], 16))
    if not all(item["ok"] for item in results):
        raise MonproError("MONPRO_ERR_CHECK", "a result is not what Python's pow gives")


@app.command()
def designs(json: o.Json = False) -> None:
    """List the named designs with their parameters."""
    known = design_list.load().values()
    if json:
        records.show(
            [
                records.record(
                    "designs",
                    d.parameters(),
                    design=d.name,
                    engine=f"sim:{d.name}",
                    summary=d.summary,
                    multiplier=d.multiplier,
                    schemes=list(d.schemes),
                    bus=d.bus,
                    crt=d.crt,
                    reference=d.reference,
                )
                for d in known
            ]
        )
        return
    heads = ["design", "multiplier", "word", "elements", "bits", "table", "summary"]
    rows = [
        [d.name, d.multiplier, str(d.word_bits), str(d.elements), f"{d.min_bits}-{d.max_bits}",
         str(d.table_words), d.summary]
        for d in known
    ]  # fmt: skip
    terminal.show_table(heads, rows, numbers=heads[2:6])
    terminal.show_text(
        "\nUse one as --engine sim:DESIGN; change parameters as in sim:small,elements=4."
    )


@app.command()
def model(
    design: Annotated[str, typer.Argument(help='As in an engine: "small", "small,elements=4".')],
    trace: Annotated[bool, typer.Option("--trace", help="A model that can write waves.")] = False,
    json: o.Json = False,
) -> None:
    """Build a design's model and print its path.

    A model that the cache has is not built again.

    Exit status 3: the build failed; 4: no such design; 5: no such parameter, or a bad value.
    """
    try:
        chosen = design_list.parse(design.removeprefix("sim:"))
        path = simulator.model(chosen, trace=trace)
    except MonproError as error:
        print(f"monpro: error: {error}", file=sys.stderr)
        raise typer.Exit(MODEL_STATUS.get(error.name, 2)) from None
    if json:
        note = {"path": str(path), "trace": trace, **chosen.parameters()}
        records.show([records.record("model", note, design=chosen.name)])
    else:
        print(path)


@app.command()
def doctor(json: o.Json = False) -> None:
    """Show what is installed and what is missing."""
    findings = checkup.examine()
    if json:
        records.show([finding.record() for finding in findings])
    else:
        checkup.show(findings)
    if not all(finding.ok for finding in findings if finding.needed):
        raise typer.Exit(1)
