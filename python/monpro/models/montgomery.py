"""The Montgomery product as `rtl/multipliers/monpro_mul_array.sv` computes it.

W = 2^word_bits. The product of x and y is x * y / R modulo the modulus N (Montgomery 1985). Two
things make it fit hardware:

* The rows go over M = -N^-1 * N mod W times N, a multiple of N that is -1 modulo W, so that each
  quotient digit is the lowest word of the running sum itself (Orup 1995). What is kept of M is
  N' = (M + 1) / W, which is W^-1 mod N.
* Operands are below 2M and the result is again, because 4M < R: there is no final subtraction
  (Walter 1999).

Sources: P. Montgomery, Modular multiplication without trial division, Math. Comp. 44 (1985);
H. Orup, Simplifying quotient determination in high-radix modular multiplication, ARITH-12 (1995);
C. Walter, Montgomery exponentiation needs no final subtractions, Electronics Letters 35 (1999).
"""

from __future__ import annotations

from dataclasses import dataclass


def modulus_words(bits: int, word_bits: int) -> int:
    """Words of a modulus: two bits stay free at the top."""
    return -(-(bits + 2) // word_bits)


def operand_words(bits: int, word_bits: int) -> int:
    """Words of an operand of a product: one more, because M is a word longer than N."""
    return modulus_words(bits, word_bits) + 1


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
    words: int
    """Words of an operand: `operand_words` of the modulus' length."""

    @property
    def passes(self) -> int:
        return -(-self.words // self.elements)

    @property
    def rows(self) -> int:
        """Digits of x that are worked off, zeros at the top included; R = 2^(word_bits * rows)."""
        return self.elements * self.passes

    @property
    def r(self) -> int:
        return 1 << (self.word_bits * self.rows)

    @property
    def period_cycles(self) -> int:
        """Start of a pass to start of the next."""
        return max(2 * self.words, 6 * self.elements + 8)

    @property
    def interval_cycles(self) -> int:
        """Start of a product to the earliest start of the next."""
        return self.passes * self.period_cycles

    @property
    def latency_cycles(self) -> int:
        """Start of a product to its last result word."""
        return (self.passes - 1) * self.period_cycles + 6 * self.elements + 2 * self.words + 5


@dataclass(frozen=True, slots=True)
class Modulus:
    """An odd modulus, as the array works with it."""

    array: Array
    n: int

    def __post_init__(self) -> None:
        if self.n < 3 or self.n % 2 == 0:
            raise ValueError("the modulus must be odd and above 1")
        if 4 * self.m >= 1 << (self.array.word_bits * self.array.words):
            raise ValueError(f"the modulus is too long for {self.array.words} words")

    @property
    def scaled(self) -> int:
        """N' = W^-1 mod N, which is what the array reads."""
        return pow(1 << self.array.word_bits, -1, self.n)

    @property
    def m(self) -> int:
        """M = W * N' - 1, a multiple of N."""
        return (self.scaled << self.array.word_bits) - 1

    @property
    def bound(self) -> int:
        """Operands and results are below it."""
        return 2 * self.m

    def product(self, x: int, y: int) -> int:
        """x * y / R, row by row: not only congruent to what the array gives, but equal."""
        if not (0 <= x < self.bound and 0 <= y < self.bound):
            raise ValueError("an operand is not below 2M")
        w, scaled, t = 1 << self.array.word_bits, self.scaled, 0
        for row in range(self.array.rows):
            u = t + (x >> (row * self.array.word_bits)) % w * y
            t = u // w + u % w * scaled
        return t
