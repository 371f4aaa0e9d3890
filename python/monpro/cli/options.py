# SPDX-License-Identifier: Apache-2.0
"""Options that several commands share, and how an engine is opened for a command."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, get_args

import typer

from monpro.base import files
from monpro.engine import DEFAULT, Scheme
from monpro.errors import MonproError
from monpro.hardware import schemes
from monpro.rsa import Key

# The names of schemes in papers.
SHORT_NAMES = {s.facts.alias: s.name.lower() for s in schemes.Scheme if s.facts.alias}
PASSPHRASE = "MONPRO_PASSPHRASE"  # noqa: S105 - the name of the variable

EngineSpec = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="SPEC",
        help='"soft", "lanes", "sim:DESIGN", "sim:DESIGN,PARAMETER=VALUE" or "sim:PATH.so".',
    ),
]
Trace = Annotated[
    str | None,
    typer.Option(
        "--trace", metavar="FILE.fst", help="Write a waveform of the simulation (sim:DESIGN only)."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print records instead of text.")]
Records = Annotated[
    Path, typer.Option("--out", metavar="FILE", help="Write the records here, as JSON.")
]
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
SchemeName = Annotated[
    str,
    typer.Option(
        "--scheme",
        metavar="NAME",
        help=f"One of {', '.join(get_args(Scheme))}; for short {', '.join(SHORT_NAMES)}.",
    ),
]
Input = Annotated[str, typer.Argument(metavar="FILE", help='"-": standard input.')]

ENGINE = DEFAULT


def number(text: str, what: str) -> int | bytes:
    """A number as the user writes it: decimal or 0x...; nothing at all is left to the library."""
    if text == "":
        return b""
    try:
        value = int(text, 0)
    except ValueError:
        raise MonproError(
            "MONPRO_ERR_ARGUMENT", f'the {what} "{text}" is not a number, as 17 or 0x11'
        ) from None
    if value < 0:
        raise MonproError("MONPRO_ERR_ARGUMENT", f"the {what} is negative")
    return value


def scheme(name: str) -> Scheme:
    """A scheme by its name or its short one; the engine says what it does not know."""
    return SHORT_NAMES.get(name, name)  # type: ignore[return-value]


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
