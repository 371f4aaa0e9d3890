# SPDX-License-Identifier: Apache-2.0
"""Values and cycles of the serial multipliers, and of an exponentiation over a pair of them.

`rtl/serial/monpro_serial_control.sv` has the steps. Words have 32 bits. Only a public exponent
decides cycles; nothing here looks at a secret one.
"""

from __future__ import annotations

from dataclasses import dataclass

from monpro.hardware.models.coprocessor import PUBLIC_SCHEMES, Cost
from monpro.hardware.models.montgomery import Array, Modulus, modulus_words
from monpro.hardware.regs import Scheme

WORD_BITS = 32

# A pass of the adder, or the writing of a result, takes a cycle for each word and these.
PASS_CYCLES = 3
# 2^(n - 1) is doubled to 2^(n + 5), twice Montgomery's factor, in two passes each.
DOUBLINGS = 6
# A result below 2M < 8N: minus 4N, 2N and N, in two passes each.
REDUCTIONS = 3
MODULUS_CYCLES = 7


def chunks(max_bits: int) -> int:
    """Words that a stream has, and slices of a multiplier."""
    return -(-(max_bits + 5) // WORD_BITS)


def inverse(n: int, bits: int = 2) -> int:
    """2 * (2^-bits mod n), by Hensel lifting: (k * n + 1) / 2^(bits-1), as monpro_inverse.sv."""
    k, rest = 0, 1
    for i in range(bits):
        k |= (rest & 1) << i
        rest = (rest + (rest & 1) * n) >> 1
    return (k * n + 1) >> (bits - 1)


@dataclass(frozen=True, slots=True)
class Radix2:
    """monpro_radix2.sv: Montgomery multiplication with a digit of one bit, used one row late."""

    n: int

    @property
    def bits(self) -> int:
        return self.n.bit_length()

    @property
    def modulus(self) -> Modulus:
        """Rows of one bit: n + 5 of them."""
        return Modulus(Array(word_bits=1, elements=1, words=self.bits + 4, delay=1), self.n)

    @property
    def factor(self) -> int:
        """Montgomery's R."""
        return self.modulus.array.r

    @property
    def bound(self) -> int:
        return self.modulus.bound

    def product(self, x: int, y: int) -> int:
        return self.modulus.product(x, y)


def radix2_cycles(bits: int) -> int:
    """Start of a product to the earliest start of the next, which is made of its words."""
    return bits + 10


def interleaved_cycles(bits: int) -> int:
    """The same without Montgomery: all of y is there before the first bit of x."""
    return bits + -(-bits // WORD_BITS) + 4


@dataclass(frozen=True, slots=True)
class SerialCoprocessor:
    """The parameters of a design with the serial core that decide its cycles."""

    min_bits: int
    max_bits: int
    multiplier: str = "radix2"

    word_bits = WORD_BITS
    elements = 1
    delay = 0
    crt = False

    @property
    def montgomery(self) -> bool:
        return self.multiplier == "radix2"

    def length(self, modulus_bits: int) -> int:
        """LENGTH.words for a modulus."""
        return modulus_words(modulus_bits, WORD_BITS)

    def operand_words(self, modulus_bits: int) -> int:
        return self.length(modulus_bits) + 1

    def window_fits(
        self, modulus_bits: int, window: int, *, crt: bool = False, scheme: Scheme = Scheme.BINARY
    ) -> bool:
        """False: no scheme of these designs has a window."""
        return False

    @property
    def wipe_cycles(self) -> int:
        """A word of every memory a cycle."""
        return int(1 << self.operand_words(self.max_bits).bit_length())

    def product_cycles(self, modulus_bits: int) -> int:
        """Start of a product to the start of the next one."""
        return (radix2_cycles if self.montgomery else interleaved_cycles)(modulus_bits)

    def modexp(
        self, scheme: Scheme, modulus_bits: int, exponent_bits: int, window: int = 1, *,
        warm: bool, exponent: int | None = None,
    ) -> Cost:  # fmt: skip
        """x^e mod N. Without an exponent it is secret, otherwise public.

        Raises ValueError for what the hardware answers with an error.
        """
        if scheme in PUBLIC_SCHEMES and exponent is None:
            raise ValueError(f"{scheme.name} is for public exponents")
        longest = scheme.facts.max_exponent_bits
        if longest and exponent_bits > longest:
            raise ValueError(f"{scheme.name} is for exponents of {longest} bits")
        pass_cycles = self.operand_words(modulus_bits) + PASS_CYCLES
        product = self.product_cycles(modulus_bits)
        constants = 0 if warm else self._constants(modulus_bits)
        rounds, entered = self._rounds(scheme, exponent_bits, exponent)
        constant_cycles = pass_cycles + constants * product
        if not warm:
            constant_cycles += chunks(self.max_bits) + MODULUS_CYCLES
            if self.montgomery:
                constant_cycles += (2 * DOUBLINGS + 1) * pass_cycles
        passes = 1 + (2 * REDUCTIONS if self.montgomery else 0)
        return Cost(constant_cycles, rounds * product + passes * pass_cycles, constants + entered)

    def _constants(self, modulus_bits: int) -> int:
        """Products of R^2 from 2R: over the bits of K, with R = 2^K."""
        if not self.montgomery:
            return 0
        power = modulus_bits + 4
        return power.bit_length() - 1 + power.bit_count() - 1

    def _rounds(self, scheme: Scheme, bits: int, exponent: int | None) -> tuple[int, int]:
        """Products one after the other, and the number of all products. Two may go on at once."""
        if scheme == Scheme.REPEATED:
            rounds = max((exponent or 0) - 1, 1)
            return rounds, rounds
        if exponent is not None:
            bits = max(exponent.bit_length(), 1)
        if scheme == Scheme.RIGHT_TO_LEFT:
            return (bits + 1, 2 * bits) if self.montgomery else (bits, 2 * bits - 1)
        if scheme != Scheme.BINARY:
            raise ValueError(f"the serial core has no {scheme.name}")
        ones = bits if exponent is None else max(exponent.bit_count(), 1)
        loop = bits - 1 + ones - 1
        return (loop + 2, loop + 3) if self.montgomery else (loop + 1, loop + 1)
