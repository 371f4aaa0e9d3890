"""Options that several commands share, and how an engine is opened for a command."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from monpro import files
from monpro.engine import DEFAULT
from monpro.errors import MonproError
from monpro.rsa import Key

PASSPHRASE = "MONPRO_PASSPHRASE"  # noqa: S105 - the name of the variable

EngineSpec = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="SPEC",
        help='"soft", "sim:DESIGN", "sim:DESIGN,PARAMETER=VALUE" or "sim:PATH.so".',
    ),
]
Trace = Annotated[
    str | None,
    typer.Option(
        "--trace", metavar="FILE.fst", help="Write a waveform of the simulation (sim:DESIGN only)."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print records instead of text.")]
Out = Annotated[
    str | None,
    typer.Option("--out", "-o", metavar="FILE", help="Write the result here. [standard output]"),
]
KeyFile = Annotated[
    str, typer.Option("--key", metavar="FILE", help='The key, PEM or DER; "-": standard input.')
]
PassphraseFile = Annotated[
    str | None,
    typer.Option(
        "--passphrase-file",
        metavar="FILE",
        help=f"The key's passphrase is this file's first line. [environment: {PASSPHRASE}]",
    ),
]
Digest = Annotated[
    str | None, typer.Option("--digest", metavar="NAME", help="Digest of the message. [sha256]")
]
OaepDigest = Annotated[
    str | None,
    typer.Option("--digest", metavar="NAME", help="OAEP's digest. [sha1, as openssl has it]"),
]
NoCrt = Annotated[
    bool, typer.Option("--no-crt", help="Do without the CRT: one exponentiation of full length.")
]
Input = Annotated[str, typer.Argument(metavar="FILE", help='"-": standard input.')]

ENGINE = DEFAULT


def passphrase(file: str | None) -> bytes | None:
    """The passphrase, never from the command line: others can read that."""
    if file is not None:
        return files.read(file).split(b"\n", 1)[0].removesuffix(b"\r")
    value = os.environ.get(PASSPHRASE)
    return None if value is None else os.fsencode(value)


def read_key(path: str, passphrase_file: str | None) -> Key:
    data, words = files.read(path), passphrase(passphrase_file)
    try:
        return Key.read(data, words)
    except MonproError as error:
        raise MonproError(error.name, f"{path}: {error.message}") from error


def one_standard_input(*paths: str) -> None:
    if paths.count("-") > 1:
        raise MonproError("MONPRO_ERR_ARGUMENT", "only one input can be standard input")


def not_both_to_standard_output(as_json: bool, out: str | None) -> None:
    """Records and a binary result cannot share one stream."""
    if as_json and out in (None, "-"):
        raise MonproError("MONPRO_ERR_ARGUMENT", "with --json, name a file for the result: --out")
