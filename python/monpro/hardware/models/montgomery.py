# SPDX-License-Identifier: Apache-2.0
"""The Montgomery product as the modules `rtl/multipliers/monpro_mul_*.sv` compute it.

W = 2^word_bits. The product of x and y is x * y / R modulo the modulus N (Montgomery 1985). Digits
of x and of the quotient are words. In `array` they may be narrower: then B = 2^digit_bits takes the
place of W in what follows. Three things make the product fit hardware:

* The rows go over M, a multiple of N that is -1 modulo W^(1 + D). Each quotient digit is then the
  lowest word of the running sum itself, with no multiplication before it (Orup 1995). Of M only
  N' = (M + 1) / W^(1 + D) is kept, which is W^-(1 + D) mod N.
* A digit is used D rows late (Orup's quotient pipelining). D = 0 in `array`. D = 1 in `pipelined`,
  where a row need not wait for its own digit.
* Operands are below 2M. The result is below 2M again, because 4M < R. So there is no final
  subtraction (Walter 1999).

Sources: P. Montgomery, Modular multiplication without trial division, Math. Comp. 44 (1985);
H. Orup, Simplifying quotient determination in high-radix modular multiplication, ARITH-12 (1995);
C. Walter, Montgomery exponentiation needs no final subtractions, Electronics Letters 35 (1999).
"""

from __future__ import annotations

from dataclasses import dataclass


def modulus_words(bits: int, word_bits: int) -> int:
    """Words of a modulus: two bits stay free at the top."""
    return -(-(bits + 2) // word_bits)


def multiplier_delay(multiplier: str) -> int:
    """Rows by which `monpro_mul_<multiplier>` uses a quotient digit late."""
    return 1 if multiplier == "pipelined" else 0


def operand_words(bits: int, word_bits: int, delay: int = 0) -> int:
    """Words of an operand of a product: 1 + delay more, because M is that much longer than N."""
    return modulus_words(bits, word_bits) + 1 + delay


def split(value: int, count: int, word_bits: int) -> list[int]:
    """`count` words of a number, least significant first; the number must fit."""
    if not 0 <= value < 1 << (count * word_bits):
        raise ValueError(f"{value} does not fit into {count} words of {word_bits} bits")
    mask = (1 << word_bits) - 1
    return [value >> (i * word_bits) & mask for i in range(count)]


def join(words: list[int], word_bits: int) -> int:
    """The number that words stand for, least significant first."""
    return sum(word << (i * word_bits) for i, word in enumerate(words))


@dataclass(frozen=True, slots=True)
class Array:
    """The multiplier's parameters, and the length of a product."""

    word_bits: int
    elements: int
    """All that there are; a product may use fewer."""
    words: int
    """Words of an operand: `operand_words` of the modulus' length."""
    delay: int = 0
    """Rows by which a quotient digit is used late: 0 is `array`, 1 is `pipelined`."""
    digit_bits: int = 0
    """Bits of a digit; 0: those of a word."""

    def __post_init__(self) -> None:
        if self.delay not in (0, 1):
            raise ValueError("no multiplier has such a delay")
        if not self.word_bits <= 2 * self.row_bits <= 2 * self.word_bits:
            raise ValueError("a digit has half the bits of a word or more, and not more than all")
        if self.delay and self.row_bits != self.word_bits:
            raise ValueError("digits narrower than words want delay 0")

    @property
    def row_bits(self) -> int:
        """Bits of a digit."""
        return self.digit_bits or self.word_bits

    @property
    def digits(self) -> int:
        """Digits of an operand: as many as a number below B W^(s-1) has, for digits below B."""
        return -(-self.word_bits * (self.words - 1) // self.row_bits) + 1

    @property
    def passes(self) -> int:
        """Passes of a product: as few as with all elements in use."""
        return -(-(self.digits + self.delay) // self.elements)

    @property
    def least_elements(self) -> int:
        """The fewest elements that any product uses, however short it is: more than half."""
        return self.elements // 2 + 1

    @property
    def used_elements(self) -> int:
        """Elements in use: the fewest that need no more passes, but no fewer than the least."""
        return max(-(-(self.digits + self.delay) // self.passes), self.least_elements)

    @property
    def rows(self) -> int:
        """Rows that a product passes through, those without a digit of x included."""
        return self.used_elements * self.passes

    @property
    def settle_cycles(self) -> int:
        """Cycles from a new length until `monpro_rows` has the numbers of rows and elements."""
        counted = self.digits + 1 if self.row_bits != self.word_bits else 0
        if self.elements == 1:
            return 5 + counted
        if self.passes == 1:
            return 7 + counted
        return 7 + counted + 2 * (self.passes - 1 + self.elements - self.used_elements)

    @property
    def factor_words(self) -> int:
        """K: R is W^K, or B^K."""
        return self.rows - self.delay

    @property
    def r(self) -> int:
        return 1 << (self.row_bits * self.factor_words)

    @property
    def min_period_cycles(self) -> int:
        """Shortest time between the starts of two passes if the second needs the first."""
        if self.delay:
            return (3 * self.used_elements + 13) // 2 * 2
        return 6 * self.used_elements + 10

    @property
    def period_cycles(self) -> int:
        """Start of a pass to start of the next."""
        return max(2 * self.words, self.min_period_cycles)

    @property
    def pair_period_cycles(self) -> int:
        """The same for each of two contexts that take turns; `array` has one product at a time."""
        if self.delay:
            return max(2 * self.turn_cycles, self.min_period_cycles)
        return 2 * self.period_cycles

    @property
    def turn_cycles(self) -> int:
        """Start of a pass to the earliest start of one of the other context."""
        if self.delay:
            return 2 * max(self.words, self.used_elements - 1)
        return self.period_cycles

    @property
    def interval_cycles(self) -> int:
        """Start of a product to the earliest start of the next."""
        return self.passes * self.period_cycles

    @property
    def pair_interval_cycles(self) -> int:
        """The same for each of two contexts that take turns: two products in this time."""
        return self.passes * self.pair_period_cycles

    @property
    def latency_cycles(self) -> int:
        """Start of a product to its last result word, with nothing in the other context."""
        return (self.passes - 1) * self.period_cycles + self._last_pass_cycles

    @property
    def busy_cycles(self) -> int:
        """Start of a product to the first cycle in which it is not in flight: `array` ends with the
        last word, `pipelined` after it."""
        return self.latency_cycles + self.delay

    @property
    def pair_latency_cycles(self) -> int:
        """The same with both contexts kept busy."""
        if self.delay:
            return (self.passes - 1) * self.pair_period_cycles + self._last_pass_cycles
        return self.latency_cycles

    @property
    def _last_pass_cycles(self) -> int:
        if self.delay:
            return 3 * self.used_elements + 2 * self.words + 10
        return 6 * self.used_elements + 2 * self.words + 7

    def integer_product(self, x: int, y: int) -> int:
        """x * y itself, as the rows give it for N' = W^(K - 1 - delay), with K words."""
        if self.words != self.factor_words:
            raise ValueError("a product of integers takes a word for each digit")
        if min(x, y) < 0 or x * y >= self.r - 1:
            raise ValueError("the product of the integers is not below W^K - 1")
        return _rows(self, 1 << self.word_bits * (self.words - 1 - self.delay), x, y)


@dataclass(frozen=True, slots=True)
class Modulus:
    """An odd modulus, as the array works with it."""

    array: Array
    n: int

    def __post_init__(self) -> None:
        if self.n < 3 or self.n % 2 == 0:
            raise ValueError("the modulus must be odd and above 1")
        array = self.array
        if 4 * self.m >= 1 << (array.word_bits * (array.words - 1) + array.row_bits):
            raise ValueError(f"the modulus is too long for {self.array.words} words")

    @property
    def scaled(self) -> int:
        """N' = W^-(1 + delay) mod N, or 1 / B, which is what the array reads."""
        return pow(1 << self._scale_bits, -1, self.n)

    @property
    def m(self) -> int:
        """M = W^(1 + delay) * N' - 1, a multiple of N."""
        return (self.scaled << self._scale_bits) - 1

    @property
    def _scale_bits(self) -> int:
        return self.array.row_bits * (1 + self.array.delay)

    @property
    def bound(self) -> int:
        """Operands and results are below it."""
        return 2 * self.m

    def product(self, x: int, y: int, *, long_x: bool = False) -> int:
        """x * y / R, row by row: not only congruent to what the array gives, but equal.

        long_x: x may be any number of K words; the result is then below y + M.
        """
        x_bound = self.array.r if long_x else self.bound
        if not (0 <= x < x_bound and 0 <= y < self.bound):
            raise ValueError("an operand is not below 2M")
        return _rows(self.array, self.scaled, x, y)


def _rows(array: Array, scaled: int, x: int, y: int) -> int:
    """The rows of a product: F = T + x_i * Y + q * N' * W, where q is the digit of the row before.

    Without delay q is the row's own digit, the one of T + x_i * Y, and N' joins one word lower.
    """
    bits, t, q = array.row_bits, 0, 0
    mask = (1 << bits) - 1
    for row in range(array.rows):
        f = t + (x >> (row * bits) & mask) * y
        if not array.delay:
            t = (f >> bits) + (f & mask) * scaled
            continue
        f += q * scaled << bits
        t, q = f >> bits, f & mask
    return t << bits | q if array.delay else t
