# SPDX-License-Identifier: Apache-2.0
"""The plan of a design that does single products: the commands of the driver, with their steps."""

from __future__ import annotations

from collections.abc import Iterator

from monpro.hardware.models import product
from monpro.hardware.regs import Scheme
from monpro.trace.steps import COPY, PRODUCT, Builder, Operation, Plan, bits_label, windows


def _entry(number: int) -> str:
    """A register that is an entry of monpro_product_core's memory."""
    return f"entry {number}"


class ProductsPlan(Builder):
    """monpro_product_core: the driver's commands."""

    def __init__(self, operation: Operation) -> None:
        super().__init__()
        self.operation = operation

    def walk(self) -> Plan:
        o = self.operation
        commands = list(product.commands(o.scheme, o.exponent, o.bits, o.window, public=o.public))
        for number, command in enumerate(commands):
            chosen = command.x if command.first else command.y
            last = number == len(commands) - 1
            self.add(
                self._what(command),
                _entry(command.to),
                self._name(chosen if command.choose else command.x),
                None if command.choose else self._name(command.y),
                source=COPY if command.choose else PRODUCT,
                slot=command.to,
                form="plain" if last else "montgomery",
            )
        self._mark()
        return self.plan(_entry(product.ACC))

    def _what(self, command: product.Command) -> str:
        if command.choose:
            return "choice"
        if product.R2 in (command.x, command.y):
            return "into Montgomery form"
        return "square" if command.x == command.y else "product"

    def _name(self, entry: int) -> str:
        """x is in its entry before anything is written there."""
        names = {product.BASE: "x", product.ONE: "1", product.R2: "rr"}
        register = _entry(entry)
        return register if register in self.written else names.get(entry, register)

    def _mark(self) -> None:
        """Marks the steps. They come after the commands for Montgomery form and table."""
        at = self._first()
        self.written = {self.ops[number].to: number for number in range(at)}
        self.step("x", "", 1, self.ops[0].to, end=at)
        for label, digit, power, count, value in self._steps():
            for number in range(at, at + count):
                self.written[self.ops[number].to] = number
            at += count
            self.step(label, digit, power, _entry(value), end=at)

    def _first(self) -> int:
        """Commands before the first bit of the exponent."""
        o = self.operation
        entering = 2 if self._from_one else 1
        if o.scheme == Scheme.FIXED_WINDOW:
            return entering + (1 << o.window) - 2
        if o.scheme == Scheme.SLIDING_WINDOW and o.exponent and o.window > 1:
            return entering + (1 << (o.window - 1))
        return entering

    @property
    def _from_one(self) -> bool:
        o = self.operation
        return not o.public or not o.exponent or o.scheme in (Scheme.FIXED_WINDOW, Scheme.LADDER)

    def _steps(self) -> Iterator[tuple[str, str, int, int, int]]:
        """Label, digit, power, commands, and the entry that has the value."""
        o = self.operation
        if o.scheme == Scheme.FIXED_WINDOW:
            choices, left = (1 << o.window) - 1, o.bits
            while left:
                size = left % o.window or o.window
                count = choices if left == o.bits else o.window + choices + 1
                left -= size
                digit = o.exponent >> left & ((1 << size) - 1)
                name = bits_label(left + size - 1, size)
                yield name, f"{digit:0{size}b}", o.exponent >> left, count, product.ACC
            return
        if o.public and not o.exponent and o.scheme != Scheme.LADDER:
            return
        if o.scheme == Scheme.SLIDING_WINDOW:
            yield from self._sliding()
            return
        upwards = o.scheme == Scheme.RIGHT_TO_LEFT
        skipped = 0  # right to left, public: nothing is there below the lowest one
        for number in range(o.bits):
            place = number if upwards else o.bits - 1 - number
            bit = o.exponent >> place & 1
            power = o.exponent & ((2 << place) - 1) if upwards else o.exponent >> place
            value = product.ACC
            if o.scheme == Scheme.LADDER:
                count, value = 3, product.BASE if bit else product.ACC
            elif not o.public:
                count = 3 if number else 1
            elif upwards:
                count = (number > 0) + bit
                if not power:
                    skipped += count
                    continue
                count, skipped = count + skipped, 0
            else:
                count = 1 + bit if number else 0
                value = product.ACC if number else product.BASE
            yield bits_label(place), str(bit), power, count, value

    def _sliding(self) -> Iterator[tuple[str, str, int, int, int]]:
        o = self.operation
        left = o.bits
        for size, digit in windows(o):
            first, left = left == o.bits, left - size
            count = 0 if first else size + bool(digit)
            value = product.TABLE + digit // 2 if first else product.ACC
            yield bits_label(left + size - 1, size), f"{digit:b}", o.exponent >> left, count, value
