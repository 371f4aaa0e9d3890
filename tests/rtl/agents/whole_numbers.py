# SPDX-License-Identifier: Apache-2.0
"""Passes and products on whole numbers: what monpro_steps asks for, done with Python's integers.

It ends the test at an operand that was not written before, or that is not below its bound.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import harness
from monpro.hardware.models.montgomery import Array, Modulus

ACC, SEL, R2, BASE, INVERSE = range(5)
CONST, HALVE, DOUBLE, SUB, RESTORE, CHECK, COPY, ADD, DIFF = range(9)


def _package(path: str) -> str:
    return re.sub(r"//.*", "", (harness.RTL / path).read_text(encoding="utf-8"))


SEQUENCER = "sequencer/monpro_sequencer_pkg.sv"
STATES = re.findall(r"\bSt[A-Z]\w*", _package(SEQUENCER))
"""Names of the steps, each at its number."""

METHODS = ("fixed", "binary", "public_binary", "sliding", "right_to_left", "ladder", "repeated")
METHOD_BITS = {
    "fixed": ("tabled", "selecting"),
    "binary": ("tabled", "selecting"),
    "public_binary": (),
    "sliding": ("sliding", "selecting"),
    "right_to_left": ("right_to_left", "tabled", "selecting"),
    "ladder": ("ladder", "tabled", "selecting"),
    "repeated": ("repeated",),
}
"""Of method_t, what is set for each kind of scheme."""

_PRODUCT = _package("common/monpro_pkg.sv").partition("struct packed {")[2].partition("}")[0]
PRODUCT_FIELDS = re.findall(r"(\w+);", _PRODUCT)
"""Of product_t, from its highest bits on."""

WHOLE = -1
"""The half of a slot that is used as one, for both halves."""


@dataclass(frozen=True, slots=True)
class Pass:
    """A pass of monpro_alu over a and the modulus, or over a and b."""

    op: int
    const_word: int
    const_bit: int
    source: int
    other: int
    other_half: int
    target: int
    to_scaled: int
    wide: int

    @classmethod
    def read(cls, dut: Any) -> Pass:
        return cls(**{name: int(dut[f"alu_{name}_o"].value) for name in cls.__slots__})


@dataclass(frozen=True, slots=True)
class Product:
    """product_t of monpro_pkg."""

    x: int
    y: int
    dst: int
    half: int
    x_half: int
    y_half: int
    long_x: int
    wide: int
    look_up: int
    store: int
    entry: int

    @classmethod
    def unpack(cls, word: int) -> Product:
        widths = {"x": 3, "y": 3, "dst": 3, "entry": 6}
        fields = {}
        for name in reversed(PRODUCT_FIELDS):
            width = widths.get(name, 1)
            fields[name] = word & ((1 << width) - 1)
            word >>= width
        assert word == 0
        return cls(**fields)


def pass_halvings(digit_bits: int, delay: int) -> int:
    """As monpro_pkg has it."""
    if digit_bits <= 18:
        return 1
    return next(count for count in (8, 4, 2, 1) if digit_bits * (1 + delay) % count == 0)


class Numbers:
    """The memories, the adder and the multiplier."""

    def __init__(
        self, word_bits: int, elements: int, delay: int, halvings: int, digit_bits: int = 0
    ) -> None:
        self.word_bits, self.elements, self.delay = word_bits, elements, delay
        self.digit_bits = digit_bits
        """0: those of a word."""
        self.halvings = halvings
        """Of a pass that halves."""
        self.moduli: list[int] = []
        self.forget()

    def forget(self) -> None:
        self.slots: dict[tuple[int, int], int] = {}
        self.scaled: dict[int, int] = {}
        self.table: dict[tuple[int, int], int] = {}
        self.negative = [False, False]

    def set_up(self, length: int, *moduli: int) -> None:
        """The modulus, or p and q, each of so many words."""
        self.moduli, self.length = list(moduli), length
        self.array = Array(
            self.word_bits, self.elements, length + 1 + self.delay, self.delay, self.digit_bits
        )  # fmt: skip
        self.array_size = 1 << self.word_bits * self.array.words

    @property
    def wide_words(self) -> int:
        """Words, and digits, of a product of integers."""
        return Array(self.word_bits, self.elements, 2 * self.length, self.delay).factor_words

    def load_base(self, base: int) -> None:
        """x, or with CRT c in two halves of K words each."""
        if len(self.moduli) == 1:
            self.slots[BASE, 0] = base
        else:
            self.slots[BASE, 1], self.slots[BASE, 0] = divmod(base, self.array.r)

    def slot(self, number: int, half: int) -> int:
        assert (number, half) in self.slots, f"slot {number}, half {half}, was not written"
        return self.slots[number, half]

    def write(self, number: int, half: int, value: int) -> None:
        if half == WHOLE:
            self.slots = {at: old for at, old in self.slots.items() if at[0] != number}
        else:
            self.slots.pop((number, WHOLE), None)
        self.slots[number, half] = value

    def do_pass(self, one: Pass, half: int) -> None:
        n, at = self.moduli[half], WHOLE if one.wide else half
        negative = self.negative[half]
        result = 0
        if one.op == CONST:
            assert one.const_bit < self.word_bits
            result = 1 << (self.word_bits * one.const_word + one.const_bit)
        elif one.op == COPY:
            result = n
        elif one.op != CHECK:
            a = self.slot(one.source, at)
            if one.op == DOUBLE:
                assert -n <= a < n
                assert negative == (a < 0)
            if one.op in (ADD, DIFF):
                b = self.slot(one.other, one.other_half)
            result = {
                HALVE: lambda: self._halved(a, n),
                DOUBLE: lambda: 2 * a + (n if negative else -n),
                SUB: lambda: a - n,
                RESTORE: lambda: a + n * negative,
                ADD: lambda: a + b,
                DIFF: lambda: a - b,
            }[one.op]()
        assert one.wide or -self.array_size // 2 <= result < self.array_size
        self.negative[half] = one.op in (DOUBLE, SUB, RESTORE, DIFF) and result < 0
        if one.op == CHECK:
            self.slot(one.source, half)
        elif one.to_scaled:
            self.scaled[half] = result
        else:
            self.write(one.target, at, result)

    def _halved(self, a: int, n: int) -> int:
        for _ in range(self.halvings):
            a = (a + n * (a & 1)) // 2
        return a

    def do_product(self, one: Product) -> None:
        x, y = self.slot(one.x, one.x_half), self.slot(one.y, one.y_half)
        if one.wide:
            wide = Array(self.word_bits, self.elements, self.wide_words, self.delay)
            self.write(one.dst, WHOLE, wide.integer_product(x, y))
            return
        n = self.moduli[one.half]
        modulus = Modulus(self.array, n)
        assert self.scaled[one.half] % n == modulus.scaled
        if one.long_x:
            assert x < self.array.r
            assert y < modulus.bound
            result = x * y * pow(self.array.r, -1, n) % n + n
        else:
            # a sum of two products may be above 2M where the other operand makes up for it
            result = modulus.product(x, y, long_x=x >= modulus.bound)
            assert result < modulus.bound
        self.write(one.dst, one.half, result)
        if one.store:
            self.table[one.half, one.entry] = result
