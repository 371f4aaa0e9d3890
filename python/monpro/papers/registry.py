"""The papers: each folder of this room with a `paper.toml` is one. Nothing else lists them.

A folder has these files, which have fixed names:

    paper.toml   its figures and the doubts about them. [source]: title, summary (one line), device;
                 if they are known, authors and year
    measure.py   measure(seed, quick) -> records; with TABLES, measure(seed, quick, tables)
    table.py     show(records, out, seed, elapsed_s, quick): the tables, from records alone
    plots.py     may be absent. PLOTS: functions of the records, to a plot or None.
                 OVERVIEW: pairs of a title and such a function, for the head of the page
                 JOINS: series that the paper adds to a plot of the page, by the plot's key

Any other file is the paper's own. A module is imported when its paper is asked for. The list of
papers reads the files paper.toml alone.
"""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import importlib
import importlib.util
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from monpro import records
from monpro.base import files, paths
from monpro.errors import MonproError
from monpro.plots import image_files
from monpro.plots.plot import Plot, Series
from monpro.published import figures
from monpro.published.figures import Source
from monpro.records import Record

FOLDER = "papers"
RECORDS = Path("build/papers")
Builder = Callable[[Sequence[Record]], Plot | None]


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper, by the name of its folder."""

    key: str
    source: Source

    @property
    def command(self) -> str:
        """The short form; with --full, the whole."""
        return f"monpro papers {self.key}"

    def _module(self, name: str) -> ModuleType:
        return importlib.import_module(f"monpro.{FOLDER}.{self.key}.{name}")

    def _function(self, module: str, name: str) -> Callable[..., Any]:
        """A function that each paper has to have."""
        file = figures.path(self.key).with_name(f"{module}.py")
        if not file.is_file() or not hasattr(self._module(module), name):
            raise figures.error(file, f"a paper has to have this file, with the function {name}")
        found: Callable[..., Any] = getattr(self._module(module), name)
        return found

    def whole(self) -> None:
        """MonproError MONPRO_ERR_FILE: its folder lacks what every paper has."""
        self._function("measure", "measure")
        self._function("table", "show")

    @property
    def tables(self) -> tuple[int, ...]:
        """The tables that can be measured alone."""
        return tuple(getattr(self._module("measure"), "TABLES", ()))

    def measure(self, seed: int, *, quick: bool, tables: Sequence[int] | None) -> list[Record]:
        """The records of all tables, or of some of `tables`."""
        chosen = {} if tables is None else {"tables": tables}
        found: list[Record] = self._function("measure", "measure")(seed, quick, **chosen)
        return found

    def show(
        self, found: Sequence[Record], out: Path, seed: int, elapsed_s: float, *, quick: bool
    ) -> None:
        """Prints the tables, from records alone."""
        self._function("table", "show")(found, out, seed, elapsed_s, quick)

    def _plots(self, name: str) -> Any:
        """What plots.py has by a name; () without it."""
        if importlib.util.find_spec(f"monpro.{FOLDER}.{self.key}.plots") is None:
            return ()
        return getattr(self._module("plots"), name, ())

    @property
    def plots(self) -> tuple[Builder, ...]:
        """The plots beside its tables."""
        return tuple(self._plots("PLOTS"))

    @property
    def overview(self) -> tuple[tuple[str, Builder], ...]:
        """The paper's plots for the head of the page, and a title for where records are missing."""
        return tuple(self._plots("OVERVIEW"))

    @property
    def joins(self) -> Mapping[str, Callable[[], Series]]:
        """What it adds to plots of the page, by their keys."""
        return dict(self._plots("JOINS"))

    def draw(self, found: Sequence[Record], folder: Path) -> list[Path]:
        """Its plots as PNG and SVG, into a folder that is made if need be.

        A plot whose records are not there is left out, and said to be. MonproError
        MONPRO_ERR_ARGUMENT: that holds for all of them.
        """
        made = [build(found) for build in (*(build for _, build in self.overview), *self.plots)]
        plots = [plot for plot in made if plot]
        if not plots:
            raise MonproError(
                "MONPRO_ERR_ARGUMENT", "--plots takes the records of all tables: not --table"
            )
        if missing := len(made) - len(plots):
            print(
                f"monpro: {missing} of {len(made)} plots are left out: their records are not "
                f"there; try {self.command} --full",
                file=sys.stderr,
            )
        return image_files.draw(plots, folder)


def known() -> list[str]:
    """The papers that there are, by name."""
    return sorted(path.parent.name for path in (paths.package() / FOLDER).glob("*/paper.toml"))


def get(key: str) -> Paper:
    """A paper. MonproError MONPRO_ERR_ARGUMENT: there is none of this name."""
    if key not in known():
        raise MonproError(
            "MONPRO_ERR_ARGUMENT", f'no paper "{key}"; there are: {", ".join(known())}'
        )
    path = figures.path(key)
    return Paper(key, figures.source(path, figures.load(path)))


def joins(plot: str) -> list[Series]:
    """What all papers add to a plot of the page, by its key."""
    return [build() for key in known() if (build := get(key).joins.get(plot))]


def _check(paper: Paper, table: int | None, plots: Path | None) -> None:
    paper.whole()
    if plots is not None and not (paper.plots or paper.overview):
        raise MonproError("MONPRO_ERR_ARGUMENT", f"there are no plots of {paper.key}")
    if table is not None and table not in paper.tables:
        there = ", ".join(map(str, paper.tables))
        rule = f"it has {there}" if there else "--table does not choose among its tables"
        raise MonproError(
            "MONPRO_ERR_ARGUMENT", f"{paper.key}: no table {table} of its own; {rule}"
        )


def run(
    keys: Sequence[str],
    seed: int,
    out: Path | None = None,
    *,
    quick: bool,
    as_json: bool,
    table: int | None = None,
    plots: Path | None = None,
) -> bool:
    """Measures papers, shows them, writes records and plots; whether every result was right.

    out: where the records of one paper go; None: each paper has a file of its own in RECORDS. A
    wrong name or option is an error before anything is measured.
    """
    papers = [get(key) for key in dict.fromkeys(keys)]
    for paper in papers:
        _check(paper, table, plots)
    if out is not None and len(papers) > 1:
        raise MonproError("MONPRO_ERR_ARGUMENT", "--out is for one paper: each has its own file")
    every: list[Record] = []
    for paper in papers:
        start_s, file = time.monotonic(), out or RECORDS / f"{paper.key}.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        with files.output(str(file)) as write:
            measured = paper.measure(seed, quick=quick, tables=None if table is None else (table,))
            found = [item | {"paper": paper.key} for item in measured]
            elapsed_s = time.monotonic() - start_s
            found = records.of_run(found, seed=seed, quick=quick, elapsed_s=elapsed_s)
            write(records.to_json(found).encode() + b"\n")
        if not as_json:
            paper.show(found, file, seed, elapsed_s, quick=quick)
        if plots is not None:
            drawn = ", ".join(str(path) for path in paper.draw(found, plots))
            print(f"monpro: plots: {drawn}", file=sys.stderr)
        every += found
    if as_json:
        records.show(every)
    return all(item["ok"] is not False for item in every)
