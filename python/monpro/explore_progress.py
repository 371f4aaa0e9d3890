"""How far an exploration is, and how long it will still take."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Column

from monpro.bench_designs import duration
from monpro.explore_steps import Step


class Going:
    """A bar on a terminal, else a line for each step: which is done, and about what time is left.

    The time left is that of the steps to do at the pace of those that were done.
    """

    def __init__(self, workers: int) -> None:
        self._workers, self._left, self._start = workers, dict[Step, float](), time.monotonic()
        self._total = self._done = 0
        self._expected_s = 0.0  # of what is done
        self._bar: Progress | None = None
        if sys.stderr.isatty():
            title = Column(ratio=1, no_wrap=True, overflow="ellipsis")
            self._bar = Progress(
                TextColumn("{task.description}", table_column=title), BarColumn(12),
                MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.fields[left]}"),
                console=Console(stderr=True), transient=True, expand=True,
            )  # fmt: skip
            self._task = self._bar.add_task("", total=None, left="")

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

    def plan(self, steps: Iterable[Step]) -> None:
        """More steps to do."""
        for step in steps:
            self._left[step] = step.expected_s
        self._total = self._done + len(self._left)
        if self._bar:
            self._bar.update(self._task, total=self._total, left=self.left)

    @property
    def left(self) -> str:
        """In words; nothing where nothing is left."""
        if not self._left:
            return ""
        spent_s = time.monotonic() - self._start
        # Until some steps are done, the expectation counts as if it had come true for a minute.
        pace = (spent_s * self._workers + 60) / (self._expected_s + 60)
        seconds = sum(self._left.values()) * (pace if self._expected_s else 1) / self._workers
        return f"about {duration(seconds)} left"

    def done(self, step: Step, what: str) -> None:
        """One step is done."""
        self._expected_s += self._left.pop(step, 0.0)
        self._done += 1
        left = self.left
        if self._bar:
            self._bar.update(self._task, advance=1, description=what, left=left)
        else:
            tail = f"; {left}" if left else ""
            print(f"[{self._done}/{self._total}] {what}{tail}", file=sys.stderr, flush=True)
