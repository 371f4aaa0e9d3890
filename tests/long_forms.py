# SPDX-License-Identifier: Apache-2.0
"""The long forms among the tests: `tests/long.toml` names them.

`make test` leaves them out, `make test-long` runs them alone, and pytest by itself runs all.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

TABLE = Path(__file__).resolve().parent / "long.toml"
CHOICES = ("all", "without", "only")


def patterns() -> dict[str, list[re.Pattern[str]]]:
    """Of the names of long forms, by the file that has them."""
    found: dict[str, list[re.Pattern[str]]] = {}
    for form in tomllib.loads(TABLE.read_text(encoding="utf-8"))["form"]:
        found.setdefault(form["file"], []).extend(re.compile(one) for one in form["tests"])
    return found


def is_long(nodeid: str, known: dict[str, list[re.Pattern[str]]]) -> bool:
    file, _, name = nodeid.partition("::")
    return any(pattern.fullmatch(name) for pattern in known.get(file, ()))


class LongForms:
    """The plugin that keeps, or leaves out, the long forms."""

    def __init__(self, keep: bool):
        self.keep = keep

    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        known = patterns()
        others = [item for item in items if is_long(item.nodeid, known) != self.keep]
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if item not in set(others)]
