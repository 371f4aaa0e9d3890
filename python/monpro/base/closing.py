# SPDX-License-Identifier: Apache-2.0
"""Closing what is open: at the end of a `with` statement, or when the process ends."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from types import TracebackType
from typing import Self

_at_signal: list[Callable[[], None]] = []


def at_signal(end: Callable[[], None]) -> None:
    """Has `end` called when a signal is to end the process: from a thread, while others run."""
    _at_signal.append(end)


def end_all() -> None:
    """Calls what at_signal() was given."""
    for end in _at_signal:
        end()


class Closing(ABC):
    """Something that has to be closed."""

    @abstractmethod
    def close(self) -> None:
        """Closing twice is harmless."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
