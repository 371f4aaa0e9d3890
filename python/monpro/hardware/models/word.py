# SPDX-License-Identifier: Apache-2.0
"""The Montgomery product as `rtl/multipliers/monpro_mul_word.sv` computes it, and its cycles.

W = 2^word_bits, R = W^words. The rows go over the modulus N itself, with quotient digits from
n' = -1/N mod W. Together the digits are q < R, the one number for which R divides x * y + q * N.
The rows add up to (x * y + q * N) / R. N is then subtracted once, if that is possible.

Source: P. Montgomery, Modular multiplication without trial division, Math. Comp. 44 (1985).
"""

from __future__ import annotations

from dataclasses import dataclass

# Shortest product, by multipliers: what a row needs of itself has to be there in time.
MIN_WORDS = {1: 8, 2: 15}
# Last row to the slot of the result's first word, and from a word's slot to the word.
_GAP_CYCLES = 4
_WORD_CYCLES = 10


@dataclass(frozen=True, slots=True)
class Word:
    """The multiplier's parameters, and the length of a product."""

    word_bits: int
    elements: int
    """Multipliers of a word by a word, 1 or 2."""
    words: int
    """Words of N and of an operand."""

    def __post_init__(self) -> None:
        if self.elements not in MIN_WORDS:
            raise ValueError("there are one or two multipliers")
        if self.words < self.min_words:
            raise ValueError(f"a product has {self.min_words} words at least")

    @property
    def min_words(self) -> int:
        return MIN_WORDS[self.elements]

    @property
    def r(self) -> int:
        return 1 << (self.word_bits * self.words)

    def row_cycles(self, words: int) -> int:
        """A column is two products of words, and so is the next row's digit; then one for the
        next row's first carry."""
        return words * (2 // self.elements) + 1

    @property
    def latency_cycles(self) -> int:
        """Start of a product to its last result word."""
        head = self.row_cycles(self.min_words)
        rows = self.words * self.row_cycles(self.words)
        return head + rows + _GAP_CYCLES + self.words + _WORD_CYCLES

    @property
    def busy_cycles(self) -> int:
        """Start of a product to the first cycle in which it is not in flight."""
        return self.latency_cycles + 1

    @property
    def interval_cycles(self) -> int:
        """Start of a product to the earliest start of the next."""
        return self.busy_cycles

    def inverse(self, n: int) -> int:
        """n' = -1/N mod W."""
        return -pow(n, -1, 1 << self.word_bits) % (1 << self.word_bits)

    def product(self, x: int, y: int, n: int) -> int:
        """x * y / R mod N: below N for x, y < N; below R and equal to what comes out for any."""
        if n % 2 == 0 or not 0 < n < self.r:
            raise ValueError(f"the modulus must be odd and have {self.words} words at most")
        if not (0 <= x < self.r and 0 <= y < self.r):
            raise ValueError(f"an operand has more than {self.words} words")
        q = -x * y * pow(n, -1, self.r) % self.r
        t = (x * y + q * n) // self.r
        return t - n if t >= n else t
