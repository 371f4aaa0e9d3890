"""Cycles and products of an exponentiation, as `rtl/sequencer/monpro_sequencer.sv` spends them.

Nothing here looks at a secret: for a secret exponent everything follows from lengths. Times are
counted from the first cycle of a phase; a product that is started in cycle c has its last word in
c + latency_cycles, and the adder may begin in the cycle after that.
"""

from __future__ import annotations

from dataclasses import dataclass

from monpro.models.montgomery import Array, modulus_words

MAX_WINDOW = 6


@dataclass(frozen=True, slots=True)
class Cost:
    """What one operation, or a phase of it, takes."""

    cycles_precompute: int
    cycles_exponentiate: int
    products: int


@dataclass(frozen=True, slots=True)
class Coprocessor:
    """The parameters of a design that decide its cycles."""

    word_bits: int
    elements: int
    min_bits: int
    max_bits: int
    table_words: int

    def length(self, modulus_bits: int) -> int:
        """LENGTH.words for a modulus."""
        return modulus_words(modulus_bits, self.word_bits)

    def array(self, modulus_bits: int) -> Array:
        """The multiplier, at the length of a modulus."""
        return Array(self.word_bits, self.elements, self.length(modulus_bits) + 1)

    def window_fits(self, modulus_bits: int, window: int) -> bool:
        """Whether the table memory holds a window's table for this length of modulus."""
        entries = self.array(modulus_bits).words << window
        return 1 <= window <= MAX_WINDOW and entries <= self.table_words

    @property
    def wipe_cycles(self) -> int:
        """One word of the deepest memory a cycle."""
        longest = modulus_words(self.max_bits, self.word_bits) + 1
        work = 4 << longest.bit_length()
        return max(work, 1 << (self.table_words - 1).bit_length())

    def secret(self, modulus_bits: int, exponent_bits: int, window: int, *, warm: bool) -> Cost:
        """An operation with a secret exponent; the binary scheme is the window of one bit."""
        array = self.array(modulus_bits)
        interval, latency = array.interval_cycles, array.latency_cycles
        pass_cycles = _pass_cycles(array)
        scan = array.words << window
        precompute, precompute_products = self._precompute(array, warm=warm)
        if not warm:
            precompute += latency + 1 - interval  # the adder waits for the last word of R^2

        # 1 for entry 0; then a product for each entry, and the last one's last word.
        time = pass_cycles + ((1 << window) - 1) * interval + latency + 1
        time += scan + 3  # the first value is looked up
        digits = _digits(exponent_bits, window)[1:]
        for number, digit in enumerate(digits):
            if number == 0:
                time += 2 * digit + 3  # the bits are fetched; later that runs beside the products
            squarings = digit * interval
            selected = scan + 3  # counted from the first squaring
            if selected > squarings:
                # The multiplication waits for the look-up; it can start in every second cycle
                # while the last squaring comes out, in every one after that.
                draining = selected <= squarings - interval + latency
                squarings = selected + 1 if draining else selected
            time += squarings + interval
        if digits:
            time += latency + 1 - interval
        else:
            time += 3  # no bits are left, which takes a look too
        return Cost(
            cycles_precompute=precompute,
            cycles_exponentiate=time + _out_cycles(array),
            products=precompute_products + (1 << window) + sum(digit + 1 for digit in digits) + 1,
        )

    def public(self, modulus_bits: int, exponent: int, exponent_bits: int, *, warm: bool) -> Cost:
        """The short path: binary, with CONFIG.public. The exponent itself decides."""
        array = self.array(modulus_bits)
        interval, latency = array.interval_cycles, array.latency_cycles
        precompute, products = self._precompute(array, warm=warm)
        products += 1  # x into Montgomery form, started in the first cycle
        idle = latency + 1
        ones = exponent.bit_count()
        fetched = 1 + 5 * (exponent_bits - max(exponent.bit_length() - 1, 0))
        if ones == 0:
            # nothing is multiplied: 1 is written where the result is wanted
            time = max(idle, fetched + 3) + _out_cycles(array) - _last_product_cycles(array)
            return Cost(precompute, time, products)
        squarings = exponent.bit_length() - 1
        steps = squarings + ones - 1
        if steps == 0:
            time = max(idle, fetched + 3)
        else:
            # The first squaring waits for its bit, which leading zeros delay.
            first = max(interval, fetched + 5)
            if first % 2 and first <= latency:
                first += 1
            time = first + (steps - 1) * interval + idle
        return Cost(precompute, time + _out_cycles(array), products + steps + 1)

    def _precompute(self, array: Array, *, warm: bool) -> tuple[int, int]:
        """Cycles until a product may follow, and products: the checks, then N', W * R, R^2."""
        if warm:
            return _pass_cycles(array), 0
        doublings = 2 + self.word_bits * (array.rows - array.words + 3)
        passes = 1 + (1 + self.word_bits) + (1 + doublings + 1)
        products = array.rows.bit_length() - 1 + array.rows.bit_count() - 1
        return passes * _pass_cycles(array) + products * array.interval_cycles, products


def _pass_cycles(array: Array) -> int:
    """One pass of the adder."""
    return array.words + 4


def _last_product_cycles(array: Array) -> int:
    return array.latency_cycles + 2


def _out_cycles(array: Array) -> int:
    """Out of Montgomery form: W, the product by it, the halvings, less N, restored."""
    return (1 + array.word_bits + 2) * _pass_cycles(array) + _last_product_cycles(array)


def _digits(bits: int, window: int) -> list[int]:
    """Bits of each digit of the exponent, from the top; the last takes what is left."""
    return [min(window, bits - start) for start in range(0, bits, window)]
