# SPDX-License-Identifier: Apache-2.0
"""A theorem here: a statement, what proves it, and breaks on purpose that it must notice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from monpro.hardware import rtl


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a proof ended. `why` says what is wrong, or is empty."""

    holds: bool
    why: str = ""


@dataclass(frozen=True, slots=True)
class Mutant:
    """A break on purpose: a text of one file under rtl/, and what stands there instead."""

    name: str
    file: str
    text: str
    instead: str

    def apply(self, folder: Path) -> None:
        """Breaks a copy of rtl/. Raises ValueError if the text is not there exactly once."""
        path = folder / self.file
        whole = path.read_text(encoding="utf-8")
        if (times := whole.count(self.text)) != 1:
            raise ValueError(f"{self.name}: {self.file} has the text {times} times, not once")
        path.write_text(whole.replace(self.text, self.instead), encoding="utf-8")


@dataclass(frozen=True, slots=True)
class Theorem:
    """One line of the table.

    `prove` gets a work folder of its own with rtl/ in it, and the name of a break of the statement
    itself, or "". Theorems about the RTL have `mutants`; theorems without RTL have `breaks`.
    """

    name: str
    statement: str
    tool: str
    scope: str
    prove: Callable[[Path, str], Verdict]
    mutants: tuple[Mutant, ...] = ()
    breaks: tuple[str, ...] = ()
    long: bool = False
    """Only in `make prove-long`."""


def sources(folder: Path) -> str:
    """The files of rtl/ in a work folder, as Yosys is to read them."""
    files = rtl.sources(folder / "rtl")
    return " ".join(path.relative_to(folder).as_posix() for path in files)
