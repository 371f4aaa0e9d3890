# SPDX-License-Identifier: Apache-2.0
"""Rooms: the folders of the product. The tests of a room are in the folder of the same name.

`lib/src/device` has its tests in `tests/lib/device`, `python/monpro/synth` in `tests/python/synth`,
`rtl/bus` in `tests/rtl/bus`: `src` and `monpro` are not part of a room's name. A file in a folder
above may run what lies in several rooms. Its tests belong to the room that their marker `room`
names.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path, PurePosixPath

import pytest

HERE = Path(__file__).resolve().parent
_TESTS = ("test_*.py", "tb_*.py", "*_test.c")
_NOT_IN_A_NAME = ("src", "include", "monpro")


def rooms() -> list[str]:
    """All that have tests, and the folders around them."""
    found = {path.parent.relative_to(HERE) for kind in _TESTS for path in HERE.rglob(kind)}
    found |= {above for room in found for above in room.parents}
    return sorted(str(room) for room in found if room.parts)


def name_of(folder: str) -> str:
    """The room of a folder of the product or of the tests."""
    parts = [part for part in PurePosixPath(folder).parts if part != "."]
    if parts[:1] == ["tests"]:
        parts = parts[1:]
    return "/".join(part for part in parts if part not in _NOT_IN_A_NAME)


def room_of_file(file: str, known: Iterable[str]) -> str | None:
    """The innermost room with tests that a file of the product or of the tests lies in."""
    name = PurePosixPath(name_of(file))
    return next((str(folder) for folder in name.parents if str(folder) in known), None)


def files(room: str) -> list[str]:
    """What pytest has to collect for a room: its folder, and the test files above it."""
    folder = HERE / room
    above = [one for one in folder.parents if one != HERE and HERE in one.parents]
    # These come first: what is in the folder may import them.
    found = [*(path for one in above for path in sorted(one.glob("test_*.py"))), folder]
    return [f"tests/{path.relative_to(HERE)}" for path in found]


class Rooms:
    """The plugin that keeps the tests of some rooms."""

    def __init__(self, wanted: list[str]):
        self.wanted = wanted

    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        others = [item for item in items if not self.has(item)]
        if others:
            config.hook.pytest_deselected(items=others)
            items[:] = [item for item in items if item not in set(others)]

    def has(self, item: pytest.Item) -> bool:
        marker = item.get_closest_marker("room")
        room = marker.args[0] if marker else str(item.path.parent.relative_to(HERE))
        return any(room == wanted or room.startswith(f"{wanted}/") for wanted in self.wanted)
