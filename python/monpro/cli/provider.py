# SPDX-License-Identifier: Apache-2.0
"""The commands `monpro provider path`, `conf` and `stat`.

They give a program of OpenSSL what it needs to use Monpro, and say what it did with it.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Annotated

import typer

from monpro import records
from monpro.base import paths, terminal
from monpro.cli import options as o
from monpro.errors import MonproError

app = typer.Typer(rich_markup_mode=None)
commands = typer.Typer(rich_markup_mode=None)
app.add_typer(commands, name="provider")

# The file of counters, as provider/provider.h has it.
HEAD = b"monpro provider stat 1\n\0"
COUNTER = struct.Struct("=24sQ")
CONFIGURATION = """\
# OpenSSL with Monpro beside its default provider: OPENSSL_CONF={file} PROGRAM
openssl_conf = openssl_init

[openssl_init]
providers = provider_list
alg_section = algorithms

[algorithms]
default_properties = ?provider=monpro

[provider_list]
default = default_provider
monpro = monpro_provider

[default_provider]
activate = 1

[monpro_provider]
module = {module}
activate = 1
engine = {engine}
fallback = {fallback}
public = {public}
alone = {alone}
"""
CHOICES = {
    "fallback": ("error", "openssl"),
    "public": ("openssl", "engine"),
    "alone": ("auto", "engine", "openssl"),
}


@commands.callback()
def provider() -> None:
    """Use Monpro from programs of OpenSSL: the provider's module."""


@commands.command("path")
def path() -> None:
    """Print where the module is."""
    print(_module())


@commands.command("conf")
def conf(
    engine: Annotated[str, typer.Option("--engine", metavar="SPEC")] = "lanes",
    fallback: Annotated[
        str, typer.Option("--fallback", metavar="WHAT", help='"error" or "openssl".')
    ] = "error",
    public: Annotated[
        str, typer.Option("--public", metavar="BY", help='"openssl" or "engine".')
    ] = "openssl",
    alone: Annotated[
        str,
        typer.Option(
            "--alone", metavar="BY", help='Who does one at a time: "auto", "engine" or "openssl".'
        ),
    ] = "auto",
    counters: Annotated[
        Path | None, typer.Option("--counters", metavar="FILE", help="Count into this file.")
    ] = None,
) -> None:
    """Print an openssl.cnf that uses the module."""
    print(configuration(engine, fallback, public, alone, counters), end="")


def configuration(
    engine: str, fallback: str, public: str, alone: str, counters: Path | None
) -> str:
    """The text of an openssl.cnf."""
    for name, value in (("fallback", fallback), ("public", public), ("alone", alone)):
        if value not in CHOICES[name]:
            known = ", ".join(CHOICES[name])
            raise MonproError("MONPRO_ERR_ARGUMENT", f'no {name} "{value}"; there are: {known}')
    text = CONFIGURATION.format(
        file="FILE",
        module=_module(),
        engine=engine,
        fallback=fallback,
        public=public,
        alone=alone,
    )
    return text + (f"counters = {counters.absolute()}\n" if counters else "")


@commands.command("stat")
def stat(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file of counters.")],
    json: o.Json = False,
) -> None:
    """Print what the programs that count into FILE did, and by whom."""
    found = counters_in(file)
    if json:
        records.show([{"counter": name, "operations": value} for name, value in found.items()])
        return
    rows = [[name, str(value)] for name, value in found.items()]
    terminal.show_table(("counter", "operations"), rows, numbers=("operations",))


def _module() -> Path:
    module = paths.provider()
    if not module.is_file():
        raise MonproError("MONPRO_ERR_FILE", f"the provider is not in {module}")
    return module


def counters_in(file: Path) -> dict[str, int]:
    """What a file of counters holds, by name."""
    try:
        data = file.read_bytes()
    except OSError as why:
        raise MonproError("MONPRO_ERR_FILE", f"{file}: {why.strerror}") from why
    if data[: len(HEAD)] != HEAD or (len(data) - len(HEAD)) % COUNTER.size:
        raise MonproError("MONPRO_ERR_FILE", f"{file} is no file of the provider's counters")
    return {
        name.rstrip(b"\0").decode("ascii", "replace"): value
        for name, value in COUNTER.iter_unpack(data[len(HEAD) :])
    }
