# SPDX-License-Identifier: Apache-2.0
"""The command `monpro trace`: values of an exponentiation in C code and in RTL, side by side."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from monpro import records
from monpro.base import files
from monpro.cli import options as o
from monpro.engine import Job
from monpro.errors import MonproError
from monpro.hardware import designs as design_list
from monpro.study import scanning
from monpro.trace import c_code
from monpro.trace import key as trace_key
from monpro.trace import run as comparison
from monpro.trace import text as trace_text
from monpro.trace.run import Injection

app = typer.Typer(rich_markup_mode=None)
WARNING = (
    "intermediate values are secrets, as message and key are: who has them has the message, and "
    "of a secret exponent the key. They go to standard output and nowhere else."
)


def _injection(text: str | None, into: str) -> Injection | None:
    """STEP or STEP:BIT."""
    if into not in ("rtl", "c"):
        raise MonproError("MONPRO_ERR_ARGUMENT", f'--inject-into {into}: there are "rtl" and "c"')
    if text is None:
        return None
    step, _colon, bit = text.partition(":")
    try:
        return Injection(int(step), int(bit or "0"), into)  # type: ignore[arg-type]
    except ValueError:
        raise MonproError(
            "MONPRO_ERR_ARGUMENT", f"--inject {text}: not of the form STEP or STEP:BIT"
        ) from None


def _whole(text: str | None, what: str) -> int:
    value = o.number(text or "", what)
    if isinstance(value, bytes):
        raise MonproError("MONPRO_ERR_ARGUMENT", f"the {what} is missing: --{what}")
    return value


def _numbers(
    key: str | None, passphrase_file: str | None, modulus: str | None, exponent: str | None,
    secrets: bool, public: bool,
) -> tuple[int, int, bool]:  # fmt: skip
    """Modulus, exponent, and whether that is public."""
    if key is None:
        if secrets:
            raise MonproError("MONPRO_ERR_ARGUMENT", "--secrets is for a private key: --key")
        return _whole(modulus, "modulus"), _whole(exponent, "exponent"), public
    if modulus is not None or exponent is not None or public:
        raise MonproError(
            "MONPRO_ERR_ARGUMENT", "give --key, or --modulus and --exponent, not both"
        )
    data, words = files.read(key), o.passphrase(passphrase_file)
    try:
        numbers = trace_key.read(data, words)
        used = trace_key.private_exponent(numbers) if secrets else numbers.e
    except MonproError as error:
        raise MonproError(error.name, f"{key}: {error.message}") from error
    return numbers.n, used, not secrets


@app.command()
def trace(
    message: Annotated[
        str,
        typer.Option("--message", "-m", metavar="NUMBER", help="Decimal, or 0x and hexadecimal."),
    ],
    key: Annotated[
        str | None,
        typer.Option(
            "--key",
            metavar="FILE",
            help="The key, PEM or DER, of 32 bits or more; its public exponent is used.",
        ),
    ] = None,
    secrets: Annotated[
        bool, typer.Option("--secrets", help="Use the private exponent, which the trace shows.")
    ] = False,
    modulus: Annotated[
        str | None, typer.Option("--modulus", metavar="NUMBER", help="Instead of a key.")
    ] = None,
    exponent: Annotated[
        str | None, typer.Option("--exponent", metavar="NUMBER", help="With --modulus.")
    ] = None,
    public: Annotated[
        bool, typer.Option("--public", help="With --exponent: it is no secret.")
    ] = False,
    passphrase_file: o.PassphraseFile = None,
    design: Annotated[
        str, typer.Option("--design", metavar="DESIGN", help='As "small", "small,elements=4".')
    ] = "small",
    digit_bits: Annotated[
        int,
        typer.Option(
            "--digit-bits",
            metavar="BITS",
            help=f"Digits of the C code: {', '.join(map(str, scanning.WIDTHS))}.",
        ),
    ] = 32,
    method: Annotated[
        str,
        typer.Option(
            "--method", metavar="NAME", help=f"Of the C code: {', '.join(scanning.METHODS)}."
        ),
    ] = "cios",
    scheme: o.SchemeName = "default",
    window: Annotated[
        int,
        typer.Option(
            "--window", metavar="BITS", min=0, max=6, help="1 to 6 bits; 0: the fastest that fits."
        ),
    ] = 0,
    inject: Annotated[
        str | None,
        typer.Option(
            "--inject", metavar="STEP[:BIT]", help="Change this bit of the value after a step."
        ),
    ] = None,
    inject_into: Annotated[
        str, typer.Option("--inject-into", metavar="rtl|c", help="Where to change it.")
    ] = "rtl",
    raw: Annotated[
        bool, typer.Option("--raw", help="Show also the values as they are, in Montgomery form.")
    ] = False,
    full: Annotated[bool, typer.Option("--full", help="Show all digits of long values.")] = False,
    json: o.Json = False,
) -> None:
    """Compare an exponentiation's intermediate values, from C and from RTL.

    Shown is the value after each step of the exponent, a bit or a window, out of Montgomery form.
    Exit status 1: there is a difference; the first one is pointed at.
    """
    numbers = _numbers(key, passphrase_file, modulus, exponent, secrets, public)
    base = _whole(message, "message")
    injection = _injection(inject, inject_into)
    way = c_code.way(method, digit_bits)
    chosen = design_list.parse(design.removeprefix("sim:"))
    name = o.scheme(scheme)
    job = Job(base, numbers[1], numbers[0], numbers[2], name, window)
    print(f"monpro: warning: {WARNING}", file=sys.stderr)
    result = comparison.run(chosen, way, job, injection)
    if json:
        records.show([trace_text.record(result, injection, raw=raw)])
    else:
        trace_text.show(result, raw=raw, full=full)
    if result.difference:
        where = trace_text.where(result, result.difference)
        raise MonproError("MONPRO_ERR_CHECK", f"the C code and {chosen.name} differ: {where}")
