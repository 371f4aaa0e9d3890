"""The check of `make lint`: tables are what the records say, cycles are those of today's RTL."""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from pathlib import Path

from figures import pages, tables
from figures.catalogue import ROOT, FiguresError
from figures.store import Store


def problems(root: Path = ROOT, store: Store | None = None) -> list[str]:
    """All that is wrong, in a line or a few each."""
    try:
        found = store or Store(root / "records")
    except FiguresError as why:
        return [str(why)]
    return [*found.problems(), *pages.problems(root, tables.load(), found)]
