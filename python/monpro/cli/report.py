# SPDX-License-Identifier: Apache-2.0
"""The command `monpro report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from monpro.cli import options as o

app = typer.Typer(rich_markup_mode=None)


@app.command()
def report(
    out: Annotated[
        str,
        typer.Option("--out", "-o", metavar="FILE", help='The page; "-": standard output.'),
    ] = "build/report.html",
    folder: Annotated[
        Path,
        typer.Option(
            "--records", metavar="DIR", help="Where bench/ and explore/ are, with their records."
        ),
    ] = Path("build"),
    plots: Annotated[
        Path | None,
        typer.Option("--plots", metavar="DIR", help="The same plots as PNG and SVG, into DIR."),
    ] = None,
    json: o.Json = False,
) -> None:
    """Make one HTML page of all records: tables and plots, with published figures beside.

    The page needs no network. What was not measured yet is named with the command that does it.
    """
    if json and out == "-":
        o.not_both_to_standard_output(json, out)
    from monpro.webpage import page

    page.run(out, folder, plots, as_json=json)
