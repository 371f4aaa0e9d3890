"""The command `monpro papers`."""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Annotated

import typer

from monpro import records
from monpro.base import terminal
from monpro.cli import options as o
from monpro.errors import MonproError
from monpro.papers import registry

app = typer.Typer(rich_markup_mode=None)


def _list(*, json: bool) -> None:
    """Every paper, from its paper.toml alone."""
    known = [registry.get(key) for key in registry.known()]
    if json:
        records.show(
            [
                {"paper": one.key, "command": one.command, **dataclasses.asdict(one.source)}
                for one in known
            ]
        )
        return
    rows: list[tuple[str, str]] = []
    for one in known:
        parts = (one.source.who, one.source.summary, one.command)
        rows += [(one.key, one.source.title), *(("", part) for part in parts if part)]
    terminal.show_table(("key", "paper, authors; what is measured; the command"), rows)
    terminal.show_text("\nEach takes seconds; with --full it measures everything.")


@app.command()
def papers(
    keys: Annotated[
        list[str] | None, typer.Argument(metavar="KEY", help="Which; none: the list of them.")
    ] = None,
    everyone: Annotated[
        bool, typer.Option("--all", help="Every paper, one after the other.")
    ] = False,
    full: Annotated[
        bool, typer.Option("--full", help="Measure everything: minutes, and it says how many.")
    ] = False,
    table: Annotated[
        int | None, typer.Option("--table", metavar="N", help="One table alone, where it can be.")
    ] = None,
    plots: Annotated[
        Path | None,
        typer.Option("--plots", metavar="DIR", help="The plots as PNG and SVG, into DIR."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Of the random numbers.")] = 1,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Write the records of one paper here, as JSON. [build/papers/KEY.json]",
        ),
    ] = None,
    json: o.Json = False,
) -> None:
    """Show the tables of published systems with Monpro's figures beside them.

    Without a key: the papers that there are.
    """
    if everyone:
        if keys:
            raise MonproError("MONPRO_ERR_ARGUMENT", "give keys or --all, not both")
        keys = registry.known()
    if not keys:
        given = {"--full": full, "--table": table, "--plots": plots, "--out": out}
        if wrong := [option for option, value in given.items() if value]:
            raise MonproError(
                "MONPRO_ERR_ARGUMENT", f"{wrong[0]} needs the key of a paper, or --all"
            )
        _list(json=json)
        return
    if not registry.run(keys, seed, out, quick=not full, as_json=json, table=table, plots=plots):
        raise typer.Exit(1)
