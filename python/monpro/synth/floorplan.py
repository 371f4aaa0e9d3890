# SPDX-License-Identifier: Apache-2.0
"""Which multiplier blocks of a device each element of four blocks gets: neighbours.

By itself nextpnr places each block alone. Blocks of one element then end up far apart, across the
whole device, and stay there. If the blocks have given places, the rest of each element follows
them.
"""

from __future__ import annotations

import json
import re
from typing import Any

from monpro.synth import targets
from monpro.synth.targets import Target

_ELEMENT = re.compile(r"\bg_element\[(\d+)\]")


def ring(target: Target, elements: int) -> list[tuple[int, int]]:
    """Column and row of the group of each element: neighbours all, the last beside the first.

    There are fewer if the device has not enough groups. The ring goes along one row and back along
    the next. Elements that are left over turn aside into the third row. They go out on every other
    group there and back on the rest, as the whole ring does on a device with one row. The first
    element is in the middle of its row, so what drives the array has room on both sides.
    """
    columns, rows = target.dsp_columns, target.dsp_rows
    if len(rows) < 2:
        return [(x, y) for y in rows for x in _loop(columns[:elements])]
    along = columns[: -(-elements // 2)]
    out, back = [(x, rows[0]) for x in along], [(x, rows[1]) for x in reversed(along)]
    if len(rows) > 2:
        aside = _loop(columns[-2::-1][: max(elements - len(out + back), 0)])
        back[2:2] = [(x, rows[2]) for x in aside]
    found = (out + back)[:elements]
    first = len(along) // 2
    return found[first:] + found[:first]


def _loop(columns: tuple[int, ...]) -> tuple[int, ...]:
    return columns[::2] + columns[1::2][::-1]


def bels(target: Target, elements: int) -> list[list[str]]:
    """The same as nextpnr's names of the four places in each group."""
    group = targets.family(target.family).group
    if group is None:
        return []
    return [
        [group.place.format(column=x + i, row=y, offset=i) for i in group.columns]
        for x, y in ring(target, elements)
    ]


def text(target: Target) -> str:
    """Every ring there can be, in a line: what a placement also comes from."""
    return " ".join(
        bel
        for elements in range(target.available.dsp // 4 + 1)
        for four in bels(target, elements)
        for bel in four
    )


def lay(netlist: bytes, target: Target) -> bytes:
    """A flat netlist of Yosys, with places for the multiplier blocks.

    It stays as it is if an element does not have four blocks, or if there are more elements than
    groups.
    """
    group = targets.family(target.family).group
    if group is None:
        return netlist
    design = json.loads(netlist)
    elements: dict[int, list[tuple[str, dict[str, Any]]]] = {}
    for module in design["modules"].values():
        for name, cell in module.get("cells", {}).items():
            if cell["type"] == group.cell and (found := _ELEMENT.search(name)):
                elements.setdefault(int(found[1]), []).append((name, cell))
    places = bels(target, len(elements))
    if len(places) < len(elements) or any(len(four) != 4 for four in elements.values()):
        return netlist
    for place, element in zip(places, sorted(elements), strict=True):
        ordered = sorted(elements[element], key=lambda block: block[0])
        for (_, cell), bel in zip(ordered, place, strict=True):
            cell.setdefault("attributes", {})["BEL"] = bel
    return json.dumps(design).encode()
