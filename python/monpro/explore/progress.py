# SPDX-License-Identifier: Apache-2.0
"""How far an exploration is, and how long it will still take."""

from __future__ import annotations

import time
from collections.abc import Iterable

from monpro.base import terminal
from monpro.base.terminal import duration
from monpro.explore.steps import Step


class Going:
    """Progress over steps, with about what time is left. More steps may come.

    The time left assumes the pace of the steps that are done.
    """

    def __init__(self, workers: int) -> None:
        self._workers, self._left, self._start = workers, dict[Step, float](), time.monotonic()
        self._done = 0
        self._expected_s = 0.0  # of what is done
        self._steps = terminal.Steps()

    def __enter__(self) -> Going:
        self._steps.__enter__()
        return self

    def __exit__(self, *what: object) -> None:
        self._steps.__exit__(None, None, None)

    def plan(self, steps: Iterable[Step]) -> None:
        """More steps to do."""
        for step in steps:
            self._left[step] = step.expected_s
        self._steps.expect(self._done + len(self._left), self.left)

    @property
    def left(self) -> str:
        """The time left, in words. Empty if nothing is left."""
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
        self._steps.done(what, self.left)
