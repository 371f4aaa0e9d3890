# SPDX-License-Identifier: Apache-2.0
"""Tables and progress on the terminal. Where there is no terminal, plain lines."""

from __future__ import annotations

import contextlib
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Column, Table


@dataclass(frozen=True, slots=True)
class Grid:
    """A table that was shown. A row's first cell is indented by what it is under."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[str]


_collecting: ContextVar[list[str | Grid] | None] = ContextVar("collecting", default=None)


@contextlib.contextmanager
def collected() -> Iterator[list[str | Grid]]:
    """What the block shows is collected, as texts and tables, instead of printed."""
    parts: list[str | Grid] = []
    before = _collecting.set(parts)
    try:
        yield parts
    finally:
        _collecting.reset(before)


def _console() -> Console:
    """Standard output, 80 or $COLUMNS wide where it is not a terminal; nothing is interpreted."""
    width = None if sys.stdout.isatty() else shutil.get_terminal_size((80, 24)).columns
    return Console(highlight=False, markup=False, emoji=False, width=width)


def _show(console: Console, what: str | Table) -> None:
    """Prints without the spaces that fill a line."""
    with console.capture() as captured:
        console.print(what)
    sys.stdout.write("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))


def show_text(text: str) -> None:
    """Text, broken into lines where it has to be."""
    if (parts := _collecting.get()) is not None:
        parts.append(text)
        return
    _show(_console(), text)


def show_table(
    columns: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: Sequence[str] = ()
) -> None:
    """A plain table with single gaps. `numbers` names the columns that are set to the right."""
    if (parts := _collecting.get()) is not None:
        parts.append(Grid(tuple(columns), tuple(map(tuple, rows)), frozenset(numbers)))
        return
    console = _console()
    wide = console.width >= 110
    result = Table(
        box=None, pad_edge=False, padding=(0, 3 if wide else 1, 0, 0), header_style="bold"
    )
    for column in columns:
        number = column in numbers
        result.add_column(column, justify="right" if number else "left", no_wrap=number)
    for row in rows:
        result.add_row(*row)
    _show(console, result)


def significant(value: float, digits: int = 3) -> str:
    """A number with `digits` significant digits and no exponent: 0.0123, 1.23, 123, 12345."""
    if value == 0:
        return "0"
    text = f"{value:.{digits - 1}e}"
    power = int(text.split("e")[1])
    return f"{float(text):.{max(0, digits - 1 - power)}f}"


class Steps:
    """Progress over steps: a bar on a terminal, else a line for each step.

    total: None until `expect` says how many steps there are. A note stands behind what was done.
    """

    def __init__(self, total: int | None = None) -> None:
        self._total, self._done = total, 0
        self._bar: Progress | None = None
        if sys.stderr.isatty():
            title = Column(ratio=1, no_wrap=True, overflow="ellipsis")
            self._bar = Progress(
                TextColumn("{task.description}", table_column=title),
                BarColumn(12),
                MofNCompleteColumn(),
                TimeElapsedColumn(),
                TextColumn("{task.fields[note]}"),
                console=Console(stderr=True),
                transient=True,
                expand=True,
            )
            self._task = self._bar.add_task("", total=total, note="")

    def __enter__(self) -> Self:
        if self._bar:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._bar:
            self._bar.stop()

    def expect(self, total: int, note: str = "") -> None:
        """How many steps there are in all, as far as is known now."""
        self._total = total
        if self._bar:
            self._bar.update(self._task, total=total, note=note)

    def done(self, what: str, note: str = "") -> None:
        """One step is done."""
        self._done += 1
        if self._bar:
            self._bar.update(self._task, advance=1, description=what, note=note)
        else:
            tail = f"; {note}" if note else ""
            print(f"[{self._done}/{self._total}] {what}{tail}", file=sys.stderr, flush=True)


def duration(seconds: float) -> str:
    """As "8 s", "4 min", "1.5 h"."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
