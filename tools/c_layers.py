#!/usr/bin/env python3
"""The floors of lib/src: a file includes from its own room and from rooms on lower floors.

Prints each include that breaks the rule, and each circle of headers and sources. Exit status 1 if
there is one. A header and the source beside it with the same name are one unit.
"""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "lib" / "src"
# From the ground up; rooms on one floor do not know each other.
FLOORS = (
    ("base",),
    ("bignum", "model"),
    ("key", "engine"),
    ("lanes", "device"),
    ("dataflow",),
    ("rsa",),
    ("gather",),
    ("open",),
    ("study",),
)
_INCLUDE = re.compile(r'^\s*#\s*include "([^"]+)"', re.M)


def includes(path: Path) -> list[str]:
    """What a file includes by a quoted name."""
    return _INCLUDE.findall(path.read_text(encoding="utf-8"))


def files(root: Path) -> list[Path]:
    return sorted(path for path in root.rglob("*.[ch]"))


def upward(root: Path) -> Iterator[str]:
    """A line for each include that goes up, to a neighbour, or to no room."""
    floor = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
    for path in files(root):
        room = path.relative_to(root).parts[0]
        if room not in floor:
            yield f"{path.relative_to(root)}: {room} has no floor; FLOORS in tools/c_layers.py has"
            continue
        for name in includes(path):
            other = name.split("/")[0]
            if not (root / name).is_file() or other == room:
                continue
            if floor[other] >= floor[room]:
                yield f'{path.relative_to(root)} includes "{name}": {other} is not below {room}'


def circles(root: Path) -> Iterator[str]:
    """A line for a circle of units."""
    graph: dict[str, set[str]] = {}
    for path in files(root):
        unit = str(path.relative_to(root).with_suffix(""))
        others = {str(Path(name).with_suffix("")) for name in includes(path)}
        known = {name for name in others if (root / name).with_suffix(".h").is_file()}
        graph.setdefault(unit, set()).update(known - {unit})
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as found:
        yield f"a circle: {' -> '.join(found.args[1])}"


def main() -> int:
    found = [*upward(SOURCES), *circles(SOURCES)]
    print("\n".join(found) or "c layers: every include goes down")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
