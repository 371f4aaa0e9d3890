# SPDX-License-Identifier: Apache-2.0
"""Single products: an exponentiation as commands, and the cycles that commands take.

`lib/src/device/products.c` makes the commands, and `rtl/products/monpro_product_core.sv` carries
them out. Nothing here looks at a secret exponent: its bits decide only what a copy chooses.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass

from monpro.hardware.models.coprocessor import MAX_WINDOW, PUBLIC_SCHEMES, Cost
from monpro.hardware.models.montgomery import Array, modulus_words, operand_words
from monpro.hardware.models.word import Word
from monpro.hardware.regs import Scheme

EXACT_MULTIPLIERS = ("word",)
"""They work on the modulus itself and subtract it at the end."""

QUEUE_DEPTH = 8

# From a command's fetch to the next one's: fetched, looked at, issued.
COMMAND_CYCLES = 3
# From the last word of a product, or the last address of a copy, to the end.
PRODUCT_END_CYCLES = 2
COPY_END_CYCLES = 4

# Entries, as the driver uses them.
ACC, BASE, SCRATCH, ONE, R2, TABLE = range(6)


@dataclass(frozen=True, slots=True)
class Command:
    """entry[to] = entry[x] * entry[y] / R; with `choose` a copy of x if `first`, else of y."""

    x: int
    y: int
    to: int
    choose: bool = False
    first: bool = False


def length(bits: int, word_bits: int, *, exact: bool) -> int:
    """LENGTH.words for a modulus."""
    return -(-bits // word_bits) if exact else modulus_words(bits, word_bits)


@dataclass(frozen=True, slots=True)
class ProductCoprocessor:
    """The parameters of a design with single products that decide its cycles."""

    word_bits: int
    elements: int
    min_bits: int
    max_bits: int
    entries: int
    multiplier: str = "array"

    delay = 0
    crt = False

    @property
    def exact(self) -> bool:
        return self.multiplier in EXACT_MULTIPLIERS

    def length(self, modulus_bits: int) -> int:
        """LENGTH.words for a modulus."""
        return length(modulus_bits, self.word_bits, exact=self.exact)

    def words(self, modulus_bits: int) -> int:
        """Words of an operand."""
        if self.exact:
            return self.length(modulus_bits)
        return operand_words(modulus_bits, self.word_bits)

    def multiplier_at(self, modulus_bits: int) -> Array | Word:
        """The multiplier, at the length of a modulus."""
        kind = Word if self.exact else Array
        return kind(self.word_bits, self.elements, self.words(modulus_bits))

    def window_fits(
        self, modulus_bits: int, window: int, *, crt: bool = False,
        scheme: Scheme = Scheme.FIXED_WINDOW,
    ) -> bool:  # fmt: skip
        """Whether the entries hold a window's table."""
        bits = window - scheme.facts.odd_powers
        return 1 <= window <= MAX_WINDOW and TABLE + (1 << bits) <= self.entries

    @property
    def wipe_cycles(self) -> int:
        """A word of the entries a cycle."""
        words = operand_words(self.max_bits, self.word_bits)
        return self.entries << words.bit_length()

    def cycles(self, commands: Iterable[Command], modulus_bits: int) -> int:
        """Cycles from the write of the first command to the end of the last.

        The queue never runs empty.
        """
        unit, words = self.multiplier_at(modulus_bits), self.words(modulus_bits)
        issued = COMMAND_CYCLES  # the first cycle in which the next can begin
        ready, idle, end = 0, 0, 0  # of the multiplier: for a start, and with nothing on its way
        for command in commands:
            if command.choose:
                begin = max(issued, idle) + 1
                issued = begin + words - 1 + COMMAND_CYCLES
                end = begin + words - 1 + COPY_END_CYCLES
            else:
                start = max(issued, ready)
                issued = start + COMMAND_CYCLES
                ready = start + unit.interval_cycles
                idle = start + unit.busy_cycles
                end = start + unit.latency_cycles + PRODUCT_END_CYCLES
        return end

    def modexp(
        self, scheme: Scheme, modulus_bits: int, exponent_bits: int, window: int = 1, *,
        warm: bool, exponent: int | None = None,
    ) -> Cost:  # fmt: skip
        """x^e mod N by the driver's commands. Without an exponent it is secret, otherwise public.

        Constants are the driver's: a cold operation takes no more cycles of the device than a warm
        one. Raises ValueError for what the driver does not do.
        """
        if scheme in PUBLIC_SCHEMES and exponent is None:
            raise ValueError(f"{scheme.name} is for public exponents")
        public = exponent is not None
        steps = list(commands(scheme, exponent or 0, exponent_bits, window, public=public))
        products = sum(not step.choose for step in steps)
        return Cost(0, self.cycles(steps, modulus_bits), products)


def commands(
    scheme: Scheme, exponent: int, bits: int, window: int = 1, *, public: bool
) -> Iterator[Command]:
    """An exponentiation: R^2 mod N is in R2, 1 in ONE, x in BASE, the result will be in ACC.

    `bits` of the exponent are processed; of a public one, where the scheme can, those below its
    highest one.
    """
    if public and scheme not in (Scheme.FIXED_WINDOW, Scheme.LADDER):
        bits = exponent.bit_length()
    digits = [exponent >> i & 1 for i in range(bits)]  # from the lowest
    from_one = not public or not bits or scheme in (Scheme.FIXED_WINDOW, Scheme.LADDER)
    base, one = {
        Scheme.FIXED_WINDOW: (TABLE + 1, TABLE),
        Scheme.SLIDING_WINDOW: (TABLE, ACC),
    }.get(scheme, (BASE, ACC))
    yield Command(BASE, R2, base)
    if from_one:
        yield Command(ONE, R2, one)
    last = ACC
    if scheme == Scheme.FIXED_WINDOW:
        yield from _fixed_window(exponent, bits, window)
    elif scheme == Scheme.LADDER:
        yield from _ladder(digits)
    elif not bits:
        pass
    elif scheme == Scheme.SLIDING_WINDOW:
        last = yield from _sliding_window(exponent, window)
    elif scheme == Scheme.BINARY:
        last = yield from _binary(digits, public=public)
    elif scheme == Scheme.RIGHT_TO_LEFT:
        yield from _right_to_left(digits, public=public)
    else:
        raise ValueError(f"software has no {scheme.name}")
    yield Command(last, ONE, ACC)


def _take(bit: int, to: int, one: int, zero: int) -> Command:
    return Command(one, zero, to, choose=True, first=bool(bit))


def _fixed_window(exponent: int, bits: int, window: int) -> Iterator[Command]:
    for power in range(2, 1 << window):
        half, odd = divmod(power, 2)
        factors = (TABLE + power - 1, TABLE + 1) if odd else (TABLE + half, TABLE + half)
        yield Command(*factors, TABLE + power)
    rest = bits
    while rest:
        size = rest % window or window
        first, rest = rest == bits, rest - size
        digit = exponent >> rest & ((1 << size) - 1)
        if not first:
            yield from [Command(ACC, ACC, ACC)] * window
        to = ACC if first else SCRATCH
        for power in range(1, 1 << window):
            yield _take(digit == power, to, TABLE + power, TABLE if power == 1 else to)
        if not first:
            yield Command(ACC, SCRATCH, ACC)


def _ladder(digits: list[int]) -> Iterator[Command]:
    """The square in ACC, the product of both powers in BASE."""
    before = 0
    for bit in reversed(digits):
        yield _take(before ^ bit, SCRATCH, BASE, ACC)
        yield Command(BASE, ACC, BASE)
        yield Command(SCRATCH, SCRATCH, ACC)
        before = bit
    yield _take(before, ACC, BASE, ACC)


def _binary(digits: list[int], *, public: bool) -> Generator[Command, None, int]:
    """Returns the entry of the result, which after no product is the base's."""
    *rest, top = digits
    if public:
        acc = BASE
        for bit in reversed(rest):
            yield Command(acc, acc, ACC)
            acc = ACC
            if bit:
                yield Command(ACC, BASE, ACC)
        return acc
    yield _take(top, ACC, BASE, ACC)
    for bit in reversed(rest):
        yield Command(ACC, ACC, ACC)
        yield Command(ACC, BASE, SCRATCH)
        yield _take(bit, ACC, SCRATCH, ACC)
    return ACC


def _right_to_left(digits: list[int], *, public: bool) -> Iterator[Command]:
    begun = False
    for place, bit in enumerate(digits):
        if place:
            yield Command(BASE, BASE, BASE)
        if public:
            if bit:
                yield Command(ACC, BASE, ACC) if begun else _take(1, ACC, BASE, BASE)
            begun = begun or bool(bit)
        elif place:
            yield Command(ACC, BASE, SCRATCH)
            yield _take(bit, ACC, SCRATCH, ACC)
        else:
            yield _take(bit, ACC, BASE, ACC)


def _sliding_window(exponent: int, window: int) -> Generator[Command, None, int]:
    """Returns the entry of the result, as _binary()."""
    if window > 1:
        yield Command(TABLE, TABLE, SCRATCH)
        for entry in range(1, 1 << (window - 1)):
            yield Command(TABLE + entry - 1, SCRATCH, TABLE + entry)
    acc, rest, first = ACC, exponent.bit_length(), True
    while rest:
        size = 1
        digit = exponent >> (rest - 1) & 1
        if digit:
            size = min(rest, window)
            digit = exponent >> (rest - size) & ((1 << size) - 1)
            zeros = (digit & -digit).bit_length() - 1
            size, digit = size - zeros, digit >> zeros
        rest -= size
        if first:
            acc, first = TABLE + digit // 2, False
            continue
        for _ in range(size):
            yield Command(acc, acc, ACC)
            acc = ACC
        if digit:
            yield Command(ACC, TABLE + digit // 2, ACC)
    return acc
