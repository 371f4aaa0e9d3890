# SPDX-License-Identifier: Apache-2.0
"""`monpro report`: records go in, and one HTML page with everything that it needs comes out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from monpro import records
from monpro.base import files
from monpro.errors import MonproError
from monpro.papers import registry
from monpro.plots import image_files, interactive
from monpro.plots.plot import Plot
from monpro.records import Record
from monpro.webpage import figures as page_figures
from monpro.webpage import sources
from monpro.webpage import tables as page_tables
from monpro.webpage.figures import Records
from monpro.webpage.sources import Loaded, Source

MOST_BYTES = 6_000_000  # of the page; a browser on a phone has to hold it

Builder = Callable[[Records], Plot | None]
# What each shows, and the command without whose records it is absent.
OWN: tuple[tuple[str, str, Builder], ...] = (
    ("Speed against multiplier blocks", "monpro bench designs tiny,small,fast",
     page_figures.speed_against_blocks),
    ("Speed against area", "monpro explore", page_figures.speed_against_area),
)  # fmt: skip
PLOTS: Mapping[str, tuple[Builder, ...]] = {
    "main": (page_figures.cycles_of_the_main_job,),
    "designs": (page_figures.cycles_of_designs,),
    "explore": (page_figures.front,),
}


def _of_paper(key: str, build: registry.Builder) -> Builder:
    return lambda of: build(of[key])


def overview() -> list[tuple[str, str, Builder]]:
    """The plots at the head of the page: our own, then each paper's."""
    papers = [registry.get(key) for key in registry.known()]
    return [
        *OWN,
        *(
            (title, f"{paper.command} --full", _of_paper(paper.key, build))
            for paper in papers
            for title, build in paper.overview
        ),
    ]


def plots_of(key: str) -> tuple[Builder, ...]:
    """The plots beside a source's tables."""
    if key in registry.known():
        return tuple(_of_paper(key, build) for build in registry.get(key).plots)
    return PLOTS.get(key, ())


@dataclass(frozen=True, slots=True)
class Section:
    """The section of one source. missing: what to say instead. made: what made its records."""

    source: Source
    plots: list[Plot] = field(default_factory=list)
    blocks: list[page_tables.Block] = field(default_factory=list)
    missing: str = ""
    made: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """What the template gets. absent: the command for each plot of the overview without records."""

    overview: list[Plot]
    absent: dict[str, str]
    sections: list[Section]

    @property
    def plots(self) -> list[Plot]:
        return [*self.overview, *(plot for section in self.sections for plot in section.plots)]


def _made(found: Sequence[Record]) -> str:
    """Where and by what, of one file: one run made them all."""
    first = found[0]
    versions = ", ".join(f"{name} {one}" for name, one in first.get("tool_versions", {}).items())
    parts = [versions, f"commit {first['commit']}" if first.get("commit") else "",
             str(first.get("machine", ""))]  # fmt: skip
    return "; ".join(part for part in parts if part)


def _section(one: Loaded, of: Records) -> Section:
    if not one.records:
        return Section(one.source, missing=f"No records in {one.path}.")
    try:
        blocks = list(page_tables.blocks(one.shown()))
    except MonproError as why:
        print(f"monpro: {why.message}", file=sys.stderr)
        return Section(one.source, missing=why.message)
    plots = [plot for build in plots_of(one.source.key) if (plot := build(of))]
    return Section(one.source, plots, blocks, made=_made(one.records))


def assemble(loaded: Mapping[str, Loaded]) -> Page:
    """The content of the page. What its records cannot be read as is left out of the plots too."""
    sections, usable = [], {key: one.records for key, one in loaded.items()}
    for key, one in loaded.items():
        section = _section(one, usable)
        if section.missing:
            usable[key] = []
        sections.append(section)
    built = [(what, command, build(usable)) for what, command, build in overview()]
    return Page(
        [plot for *_, plot in built if plot],
        {what: command for what, command, plot in built if not plot},
        sections,
    )


def render(page: Page) -> str:
    """The page as HTML, with the plotting library inside."""
    try:
        import jinja2
    except ImportError as why:
        raise MonproError(
            "MONPRO_ERR_UNSUPPORTED", "the page needs jinja2: pip install '.[report]'"
        ) from why
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("monpro.webpage"),
        autoescape=jinja2.select_autoescape(["html"]),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    figures = {plot.key: interactive.figure(plot) for plot in page.plots}
    return environment.get_template("page.html").render(
        page=page, figures=figures, program=interactive.program(), commit=records.commit()
    )


def run(out: str, folder: Path, plots: Path | None, *, as_json: bool) -> None:
    """Writes the page, whole or not at all, and the plots as files; says what is in it."""
    loaded = sources.load(folder)
    page = assemble(loaded)
    drawn = image_files.draw(page.plots, plots) if plots is not None else []
    data = render(page).encode()
    if len(data) > MOST_BYTES:
        print(f"monpro: the page has {len(data) / 1e6:.1f} MB", file=sys.stderr)
    if out != "-":
        Path(out).parent.mkdir(parents=True, exist_ok=True)
    with files.output(out, binary=False) as write:
        write(data)
    _say(page, out, len(data), drawn, as_json=as_json)


def _say(page: Page, out: str, size: int, drawn: Sequence[Path], *, as_json: bool) -> None:
    missing = {s.source.key: s.source.command for s in page.sections if s.missing}
    if as_json:
        figures: dict[str, Any] = {
            "page": out, "bytes": size, "plots": [plot.key for plot in page.plots],
            "sections": [s.source.key for s in page.sections if not s.missing],
            "missing": missing, "files": [str(path) for path in drawn],
        }  # fmt: skip
        records.show([records.record("report", figures, operation="report", ok=True)])
        return
    where = sys.stderr if out == "-" else sys.stdout
    tables = sum(isinstance(b, page_tables.Table) for s in page.sections for b in s.blocks)
    print(f"{out}: {size / 1e6:.1f} MB, {len(page.plots)} plots, {tables} tables", file=where)
    if drawn:
        print(f"{len(drawn)} files of plots in {drawn[0].parent}", file=where)
    for key, command in missing.items():
        print(f"not in it: {key}; its records come from: {command}", file=where)
