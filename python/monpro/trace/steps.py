# SPDX-License-Identifier: Apache-2.0
"""The parts of a plan (plan.py): the products and copies of an exponentiation, and its steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from monpro.hardware.regs import Scheme

# Where the values of an Op come from, as monpro_sim.h has it; 0: it cannot be observed.
UNSEEN, PRODUCT, COPY = 0, 1, 2
# Slots of the operand memory, work_e of rtl/common/monpro_pkg.sv.
SLOTS = {"acc": 0, "sel": 1, "r2": 2, "base": 3}

# How a design has a value: as x * R mod N, as x itself, or as neither (with a factor more in it).
Form = Literal["montgomery", "plain", "other"]


@dataclass(frozen=True, slots=True)
class Op:
    """to = x * y / R mod N, or without y a copy; `entry` of the table gets it too."""

    to: str
    x: str
    y: str | None
    what: str
    source: int
    slot: int
    form: Form = "montgomery"
    entry: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """The value after some bits of the exponent: x^power mod N, which Op number `op` gives."""

    label: str
    digit: str
    power: int
    op: int
    written: int
    """The step in which that Op is: this one, or an earlier one if this one writes nothing."""
    end: int
    """The Ops before this one belong to this step, or to one before."""


@dataclass(frozen=True, slots=True)
class Plan:
    """All of an exponentiation. Where a value is before the first step, is "x", "1" and "rr"."""

    ops: list[Op]
    steps: list[Step]
    result: str

    def step_at(self, op: int) -> int:
        """The step that an Op belongs to, or the number after the last one's: on the way out."""
        return next((i for i, step in enumerate(self.steps) if step.end > op), len(self.steps))


@dataclass(frozen=True, slots=True)
class Operation:
    """The exponentiation whose plan is wanted. `window` is 0 for schemes without one."""

    scheme: Scheme
    exponent: int
    bits: int
    """Of the exponent, that are processed."""
    window: int
    public: bool


class Builder:
    """What the plans of all designs have in common."""

    def __init__(self, form: Form = "montgomery") -> None:
        self.ops: list[Op] = []
        self.steps: list[Step] = []
        self.form = form
        self.written: dict[str, int] = {}

    def add(
        self, what: str, to: str, x: str, y: str | None, *, source: int, slot: int = 0,
        entry: str | None = None, form: Form | None = None,
    ) -> None:  # fmt: skip
        self.written[to] = len(self.ops)
        self.ops.append(Op(to, x, y, what, source, slot, form or self.form, entry))

    def step(
        self, label: str, digit: str, power: int, register: str, *, end: int | None = None
    ) -> None:
        """A step has ended, and its value is there."""
        op, number = self.written[register], len(self.steps)
        written = next((i for i, s in enumerate(self.steps) if s.end > op), number)
        end = len(self.ops) if end is None else end
        self.steps.append(Step(label, digit, power, op, written, end))

    def plan(self, result: str) -> Plan:
        return Plan(self.ops, self.steps, result)


def bits_label(high: int, size: int = 1) -> str:
    """Bits of the exponent, the lowest one being 0."""
    return f"bit {high}" if size == 1 else f"bits {high}-{high - size + 1}"


def windows(operation: Operation) -> Iterator[tuple[int, int]]:
    """Sliding window: from the highest bit on, the size and digit of each step; zeros alone."""
    left = operation.bits
    while left:
        size = min(operation.window, left)
        digit = operation.exponent >> (left - size) & ((1 << size) - 1)
        if not digit >> (size - 1):
            size, digit = 1, 0
        else:
            zeros = (digit & -digit).bit_length() - 1
            size, digit = size - zeros, digit >> zeros
        left -= size
        yield size, digit
