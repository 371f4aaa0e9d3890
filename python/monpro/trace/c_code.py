# SPDX-License-Identifier: Apache-2.0
"""The C code follows a plan: Montgomery products of libmonpro_scanning, at any digit width."""

from __future__ import annotations

from monpro.errors import MonproError
from monpro.study import scanning
from monpro.study.scanning import Way
from monpro.trace.steps import Op, Plan


def way(method: str, digit_bits: int) -> Way:
    """A method at a width; unknown ones are errors that list the valid ones."""
    if method not in scanning.METHODS:
        raise MonproError(
            "MONPRO_ERR_PARAMETER",
            f'no scanning method "{method}"; there are: {", ".join(scanning.METHODS)}',
        )
    widths = scanning.available()
    if digit_bits not in widths:
        raise MonproError(
            "MONPRO_ERR_PARAMETER",
            f"no digits of {digit_bits} bits; there are: {', '.join(map(str, widths))}",
        )
    return Way(method, digit_bits)


class Trace:
    """The values of all Ops, in Montgomery form."""

    def __init__(self, plan: Plan, way: Way, modulus: int, base: int) -> None:
        self.plan, self.way, self.modulus = plan, way, modulus
        self.r = 1 << way.digit_bits * way.digits(modulus.bit_length())
        self._start = {"x": base, "1": 1 % modulus, "rr": self.r * self.r % modulus}
        self.values: list[int] = []
        self.result = 0

    def multiply(self, x: int, y: int) -> int:
        """x * y / R mod N, in C."""
        return scanning.product(self.way, self.modulus, x, y, 1).value

    def plain(self, op: int) -> int:
        """The value of an Op out of Montgomery form, by the C code."""
        return self.multiply(self.values[op], 1)

    def run(self, flip: tuple[int, int] | None = None) -> None:
        """Follows the plan. flip: an Op, and the bit of its value that changes behind it."""
        values = dict(self._start)
        for number, op in enumerate(self.plan.ops):
            value = self._value(op, values)
            if flip is not None and flip[0] == number:
                value = (value ^ 1 << flip[1]) % self.modulus
            values[op.to] = value
            if op.entry:
                values[op.entry] = value
            self.values.append(value)
        self.result = self._result(values)

    def _value(self, op: Op, values: dict[str, int]) -> int:
        if op.y is None or op.form == "other":  # the RTL's way out; see _result()
            return values[op.x]
        return self.multiply(values[op.x], values[op.y])

    def _result(self, values: dict[str, int]) -> int:
        """What comes out: one more product, unless the plan has that already."""
        if self.plan.result == "1":
            return values["1"]
        last = self.plan.ops[-1]
        if last.y == "1" and last.form == "plain":
            return values[self.plan.result]
        return self.multiply(values[self.plan.result], 1)
