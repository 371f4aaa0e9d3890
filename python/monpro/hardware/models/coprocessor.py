# SPDX-License-Identifier: Apache-2.0
"""Cycles and products of an operation, as `rtl/sequencer/monpro_sequencer.sv` spends them.

Nothing here looks at a secret: for a secret exponent everything follows from lengths. Times count
from the first cycle of a phase. A product that starts in cycle c has its last word in
c + latency_cycles, and the adder may begin in c + busy_cycles.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from monpro.hardware.models.montgomery import Array, modulus_words, multiplier_delay, operand_words
from monpro.hardware.regs import Scheme

MAX_WINDOW = 6

# From the start of a pass over s words to the next: s and these.
PASS_CYCLES = 9
# From the start of a look-up to its end: a cycle for each step through the table, and these.
LOOK_UP_CYCLES = 5
# For each bit that is taken from the exponent.
BIT_CYCLES = 6
# From the first cycle of a step to that in which a product can be accepted, or a look-up begin.
PRODUCT_CYCLES = 2
SCAN_CYCLES = 2
# From the command to the first step, and from the last step to the end.
START_CYCLES = 1
END_CYCLES = 1

PUBLIC_SCHEMES = tuple(scheme for scheme in Scheme if not scheme.facts.secret)


@dataclass(frozen=True, slots=True)
class Cost:
    """What one operation takes, or a phase of it."""

    cycles_precompute: int
    cycles_exponentiate: int
    products: int

    @property
    def cycles(self) -> int:
        return self.cycles_precompute + self.cycles_exponentiate


@dataclass(frozen=True, slots=True)
class Coprocessor:
    """The parameters of a design that decide its cycles."""

    word_bits: int
    elements: int
    min_bits: int
    max_bits: int
    table_words: int
    table_banks: int = 1
    multiplier: str = "array"
    crt: bool = False
    digit_bits: int = 0
    """Bits of a digit; 0: those of a word."""

    @property
    def delay(self) -> int:
        return multiplier_delay(self.multiplier)

    def length(self, modulus_bits: int) -> int:
        """LENGTH.words for a modulus."""
        return modulus_words(modulus_bits, self.word_bits)

    def array(self, modulus_bits: int) -> Array:
        """The multiplier, at the length of a modulus."""
        return self._array(operand_words(modulus_bits, self.word_bits, self.delay))

    def _array(self, words: int) -> Array:
        return Array(self.word_bits, self.elements, words, self.delay, self.digit_bits)

    def window_fits(
        self, modulus_bits: int, window: int, *, crt: bool = False,
        scheme: Scheme = Scheme.FIXED_WINDOW,
    ) -> bool:  # fmt: skip
        """Whether the table memory holds a window's table for this length of modulus (of p)."""
        if not 1 <= window <= MAX_WINDOW:
            return False
        bits = window - scheme.facts.odd_powers
        entries = self.steps(bits) * self.table_banks
        return (self.array(modulus_bits).words * entries) << crt <= self.table_words

    def steps(self, window: int) -> int:
        """Words that a look-up reads of each bank for one word of an entry."""
        return max((1 << window) // self.table_banks, 2)

    @property
    def wipe_cycles(self) -> int:
        """One word of the deepest memory a cycle."""
        index_bits = operand_words(self.max_bits, self.word_bits, self.delay).bit_length()
        if self.crt:
            half = self.array(self.max_bits // 2).rows
            index_bits = max(index_bits, (half - 1).bit_length() + 1)
        work = 1 << (index_bits + (3 if self.crt else 2))
        return max(work, 1 << (self.table_words // self.table_banks - 1).bit_length())

    def modexp(
        self, scheme: Scheme, modulus_bits: int, exponent_bits: int, window: int = 1, *,
        warm: bool, exponent: int | None = None,
    ) -> Cost:  # fmt: skip
        """x^e mod N. Without an exponent it is secret, otherwise public.

        Raises ValueError for what the hardware answers with an error.
        """
        if scheme in PUBLIC_SCHEMES and exponent is None:
            raise ValueError(f"{scheme.name} is for public exponents")
        walk = _Walk(self, self.array(modulus_bits))
        walk.constants(warm=warm)
        if scheme == Scheme.BINARY and exponent is not None:
            walk.binary(exponent, exponent_bits)
        elif scheme in (Scheme.BINARY, Scheme.FIXED_WINDOW):
            walk.fixed_window(exponent_bits, 1 if scheme == Scheme.BINARY else window)
        elif scheme == Scheme.SLIDING_WINDOW:
            walk.sliding_window(exponent or 0, exponent_bits, window)
        elif scheme == Scheme.REPEATED:
            walk.repeated(exponent or 0, exponent_bits)
        else:
            public = exponent if scheme == Scheme.RIGHT_TO_LEFT else None
            walk.bits(exponent_bits, public, ladder=scheme == Scheme.LADDER)
        walk.out()
        return walk.cost()

    def rsa_private(self, prime_bits: int, window: int, *, warm: bool) -> Cost:
        """c^d mod p * q: both halves at once, fixed window, recombination."""
        walk = _Walk(self, self.array(prime_bits), pair=True)
        walk.constants(warm=warm)
        walk.reduce()
        walk.fixed_window(prime_bits, window)
        walk.out()
        walk.recombine(self._array, self.length(prime_bits))
        return walk.cost()


class _Walk:
    """The steps of an operation, as they take their time.

    time: the first cycle of the next state, counted from the first busy cycle of the coprocessor.
    accepted: when the last product started in the multiplier; one product may wait in a register.
    ready: when the multiplier could start the next product. idle: when no product is in flight.
    """

    def __init__(self, unit: Coprocessor, array: Array, *, pair: bool = False) -> None:
        self.unit, self.array, self.pair = unit, array, pair
        self.time, self.ready, self.started = START_CYCLES, 0, 0
        self.accepted, self.idle = -1, 0
        self.count = 0
        self.constants_there = False
        self.constants_end: int | None = None

    def cost(self) -> Cost:
        assert self.constants_end is not None
        end = self.time + END_CYCLES
        return Cost(self.constants_end, end - self.constants_end, self.count)

    # ---- what a step takes

    @property
    def halves(self) -> int:
        return 2 if self.pair else 1

    def passes(self, count: int = 1) -> None:
        """Passes of the adder, which waits for the last word of a product."""
        self.time = max(self.time, self.idle)
        if self.constants_end is None and self.constants_there:
            self.constants_end = self.time + 3  # the pass has begun
        self.time += count * self.halves * (self.array.words + PASS_CYCLES)

    def halvings(self) -> None:
        """All that W^(1+D) takes, several in a pass where digits are wide."""
        count = self.array.row_bits * (1 + self.array.delay)
        together = 1
        if self.array.row_bits > 18:
            together = next(n for n in (8, 4, 2, 1) if count % n == 0)
        self.passes(count // together)
        self.time += count // together * self.halves * 2 * (together - 1)

    def product(self, not_before: int = 0) -> None:
        entered = max(self.time + PRODUCT_CYCLES, self.accepted + 1, not_before)
        start = self.started = self._start(max(entered + 1 + self.array.delay, self.ready))
        self.count += self.halves
        self.accepted = start
        if self.pair:
            entered = max(entered + 1 + PRODUCT_CYCLES, start + 1)
            self.ready = start + self.array.pair_interval_cycles
            self.accepted = start + self.array.turn_cycles
            self.idle = self.accepted + self.array.pair_latency_cycles + 1
        else:
            self.ready = start + self.array.interval_cycles
            self.idle = start + self.array.busy_cycles
        self.time = entered + 1

    def _start(self, earliest: int) -> int:
        """Until a cycle after the last word, a product can start in every second cycle."""
        odd = (earliest - self.accepted) % 2 == 1
        return earliest + (odd and earliest <= self.idle)

    def products(self, count: int) -> None:
        for _ in range(count):
            self.product()

    def take(self, bits: int) -> None:
        self.time += self.halves * (BIT_CYCLES * bits + 1) + 5

    def scan(self, window: int) -> int:
        steps = self.unit.steps(window)
        return self.halves * (self.array.words * steps + LOOK_UP_CYCLES)

    def look_up(self, window: int) -> None:
        self.time = max(self.time, self.idle) + self.scan(window) + SCAN_CYCLES

    def squarings_and_multiplication(self, squarings: int, window: int) -> None:
        """The look-up begins with the first squaring; the multiplication waits for it."""
        self.product()
        selected = self.accepted + self.scan(window) + 3
        self.products(squarings - 1)
        self.product(not_before=selected)

    # ---- the steps

    def constants(self, *, warm: bool) -> None:
        """The checks, then N', 2^b * R, R^2."""
        self.passes()
        if warm:
            self.constants_there = True
            return
        word_bits, array = self.unit.word_bits, self.array
        split = 4 if array.row_bits > 18 and array.row_bits % 4 == 0 else 1
        doublings = array.row_bits * array.rows - word_bits * (array.words - 2) + 2
        self.passes()
        self.halvings()
        self.passes(1 + doublings + array.row_bits // split + 1)
        power = array.factor_words * split
        self.products(power.bit_length() - 1 + power.bit_count() - 1)
        self.constants_there = True

    def _base(self, products: int) -> None:
        """The products into Montgomery form; the first one ends the constants if no pass did."""
        self.product()
        if self.constants_end is None:
            self.constants_end = self.started + 2
        self.products(products - 1)

    def reduce(self) -> None:
        """CRT: c modulo p and q."""
        self._base(3)
        self.passes()

    def fixed_window(self, bits: int, window: int) -> None:
        self.passes()
        self._base(1 << window)
        digits = [min(window, bits - start) for start in range(0, bits, window)]
        self.take(digits[0])
        self.look_up(window)
        for digit in digits[1:]:
            self.take(digit)
            self.squarings_and_multiplication(digit, window)
        self.take(0)

    def binary(self, exponent: int, bits: int) -> None:
        self._base(1)
        for position in reversed(range(bits)):
            self.take(1)
            if exponent >> (position + 1):
                self.product()
                if exponent >> position & 1:
                    self.product()
        self.take(0)
        self.nothing = exponent == 0

    def sliding_window(self, exponent: int, bits: int, window: int) -> None:
        self._base(1)
        if window > 1:
            self.products(1 + (1 << (window - 1)) - 1)
        left, first = bits, True
        while left:
            self.take(1)
            left -= 1
            if not exponent >> left & 1:
                if not first:
                    self.product()
                continue
            more = min(window - 1, left)
            self.take(more)
            left -= more
            value = exponent >> left & ((1 << (more + 1)) - 1)
            zeros = (value & -value).bit_length() - 1
            if first:
                self.look_up(window - 1)
                first = False
            else:
                self.squarings_and_multiplication(more + 1 - zeros, window - 1)
            self.products(zeros)
        self.take(0)
        self.nothing = first

    def bits(self, bits: int, public: int | None, *, ladder: bool) -> None:
        """Right to left, and the ladder."""
        self.passes()
        self._base(2)
        for position in range(bits):
            self.take(1)
            if public is None:
                self.look_up(1)
                self.product()
            elif public >> position & 1:
                self.product()
            self.product()
        self.take(0)
        if ladder:
            self.look_up(1)

    def repeated(self, exponent: int, bits: int) -> None:
        self._base(1)
        for _ in range(bits):
            self.take(1)
        self.take(0)
        self.products(max(exponent - 1, 0))
        self.nothing = exponent == 0

    nothing = False
    """No product was made: the result is 1."""

    def out(self) -> None:
        """Out of Montgomery form."""
        self.passes()
        if not self.nothing:
            self.product()
        self.halvings()
        self.passes(2)

    def recombine(self, array: Callable[[int], Array], length: int) -> None:
        """CRT: from here on p alone."""
        self.pair = False
        self.passes(3)
        self.products(3)
        self.out()
        self.passes()
        integers = array(2 * length)
        self.time += integers.settle_cycles + 1
        self.array = array(integers.factor_words)
        self.product()
        self.passes()
