# SPDX-License-Identifier: Apache-2.0
"""The steps that the dataflow kernel's sequencer must make, from the definition of each form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum

from monpro.hardware.models.dataflow import Form


class Op(IntEnum):
    """op_e of monpro_dataflow_pkg."""

    PRODUCT = 0
    REDUCE = 1
    QUOTIENT = 2
    FRESH = 3
    EMPTY = 4


@dataclass(frozen=True, slots=True)
class Step:
    """step_t. None: it may be anything."""

    op: Op
    x: int | None = None
    y: int | None = None
    first: bool = False
    last: bool = False
    odd: bool = False
    cancel: bool = False
    result: bool = False
    index: int | None = None
    done: bool = False
    place: int = 0
    valid: bool = True

    def packed(self) -> int:
        fields = [
            (self.valid, 1), (self.op, 3), (self.place, 4), (self.x or 0, 7), (self.y or 0, 7),
            (self.first, 1), (self.last, 1), (self.odd, 1), (self.cancel, 1), (self.result, 1),
            (self.index or 0, 7), (self.done, 1),
        ]  # fmt: skip
        word = 0
        for value, bits in fields:
            word = word << bits | int(value)
        return word

    def matches(self, word: int) -> bool:
        """Whether a word is this step, in all that matters."""
        found = unpack(word)
        if not self.valid:
            return not found.valid
        free = {name: None for name in ("x", "y", "index") if getattr(self, name) is None}
        return replace(found, **free) == self


def unpack(word: int) -> Step:
    def field(low: int, bits: int) -> int:
        return word >> low & ((1 << bits) - 1)

    return Step(
        Op(field(31, 3)), field(20, 7), field(13, 7), bool(field(12, 1)), bool(field(11, 1)),
        bool(field(10, 1)), bool(field(9, 1)), bool(field(8, 1)), field(1, 7), bool(field(0, 1)),
        field(27, 4), bool(field(34, 1)),
    )  # fmt: skip


def _bare(form: Form, s: int) -> Iterator[list[Step]]:
    """A list for each column; with form held one for the whole."""
    if form == Form.HELD:
        yield [Step(Op.PRODUCT, j, i) for i in range(s) for j in range(s)]
        return
    for k in range(2 * s - 1):
        low, high = max(0, k - s + 1), min(k, s - 1)
        steps = [Step(Op.PRODUCT, i, k - i) for i in range(low, high + 1)]
        if form == Form.MONTGOMERY:
            before = range(k) if k < s else range(low, high + 1)
            steps += [Step(Op.REDUCE, i, k - i) for i in before]
            if k < s:
                steps += [Step(Op.QUOTIENT, k), Step(Op.FRESH, None, 0, cancel=True)]
        yield steps
    if form == Form.MONTGOMERY:
        yield [Step(Op.EMPTY)]


def steps(form: Form, s: int) -> list[Step]:
    """Of one block, in order."""
    made: list[Step] = []
    for k, column in enumerate(_bare(form, s)):
        if form == Form.HELD:
            made += column
            break
        made += [replace(step, odd=k % 2 == 1) for step in column]
        result = form == Form.PRODUCT or k >= s
        index = (k // 2 if form == Form.PRODUCT else k - s) if result else None
        made[-1] = replace(made[-1], last=True, result=result)
        if result:
            made[-len(column) :] = [replace(step, index=index) for step in made[-len(column) :]]
    if form != Form.HELD:
        made[0] = replace(made[0], first=True)
    made[-1] = replace(made[-1], done=True)
    return made
