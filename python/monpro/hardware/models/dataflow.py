# SPDX-License-Identifier: Apache-2.0
"""The dataflow kernel, `rtl/dataflow/monpro_dataflow.sv`: what a run answers, and its cycles.

W = 2^32, R = W^digits. A run is one packet of beats in and one packet out. A beat has two digits,
low and high, for each lane. All lanes do the same, each on its own blocks.

Source: the streams are those of "Dataflow-based implementation of RSA" (papers/maxeler/paper.toml).
The columns of form montgomery are those of FIPS in C. Koc, T. Acar, B. Kaliski, Analyzing and
comparing Montgomery multiplication algorithms, IEEE Micro 16 (1996).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum

from monpro.hardware.models.montgomery import join, split

DIGIT_BITS = 32
DIGIT_MASK = (1 << DIGIT_BITS) - 1
MAX_BLOCKS = (1 << 20) - 1
"""In each lane, of one run."""
GROUP_BLOCKS = 8
"""Blocks of a lane that take turns in forms product and montgomery."""
BUFFER_BLOCKS = 16

# Cycles of a run besides those that its data takes.
_STREAM_CYCLES = 14
_HELD_CYCLES = 17
_GROUP_CYCLES = 16
_SHORT_CYCLES = 7


class Form(IntEnum):
    """What a run does; the code in its header."""

    CONSTANT = 1
    PAIRS = 2
    HELD = 3
    PRODUCT = 4
    MONTGOMERY = 5


class Status(IntEnum):
    """The last beat of a run's answer."""

    OK = 0
    FORM = 1
    DIGITS = 2
    BLOCKS = 3
    SHORT = 4
    LONG = 5
    INVERSE = 6


@dataclass(frozen=True, slots=True)
class Block:
    """One block of one lane, its digits least significant first.

    `a` and `b` are the two streams; form constant has no `b`, and only form montgomery an `n`.
    """

    a: tuple[int, ...]
    b: tuple[int, ...] = ()
    n: tuple[int, ...] = ()
    inverse: int = 0
    """n' = -1/n mod W."""


Pair = tuple[int, int]


def inverse(n: int) -> int:
    """n' = -1/n mod W."""
    return -pow(n, -1, 1 << DIGIT_BITS) & DIGIT_MASK


def block(digits: int, a: int, b: int = 0, n: int = 0) -> Block:
    """A block of whole numbers."""
    return Block(
        tuple(split(a, digits, DIGIT_BITS)),
        tuple(split(b, digits, DIGIT_BITS)),
        tuple(split(n, digits, DIGIT_BITS)) if n else (),
        inverse(n) if n else 0,
    )


def header(form: int, digits: int, blocks: int) -> int:
    """The low word of lane 0 in a run's first beat."""
    return digits | form << 8 | blocks << 12


def beats_in(form: Form, one: Block) -> list[Pair]:
    """(low, high) of each beat of a block."""
    pairs = list(zip(one.a, one.b or (0,) * len(one.a), strict=True))
    if form == Form.MONTGOMERY:
        pairs += [(digit, 0 if j else one.inverse) for j, digit in enumerate(one.n)]
    return pairs


def beats_out(form: Form, one: Block, constant: int = 0) -> list[Pair]:
    """(low, high) of each beat of a block's answer."""
    digits = len(one.a)
    if form == Form.CONSTANT:
        return [_halves(x * constant) for x in one.a]
    if form == Form.PAIRS:
        return [_halves(x * y) for x, y in zip(one.a, one.b, strict=True)]
    if form == Form.HELD:
        return [_halves(x * y) for y in one.b for x in one.a]
    a, b = join(list(one.a), DIGIT_BITS), join(list(one.b), DIGIT_BITS)
    if form == Form.PRODUCT:
        t = split(a * b, 2 * digits, DIGIT_BITS)
        return list(zip(t[::2], t[1::2], strict=True))
    return [(digit, 0) for digit in split(montgomery(one), digits, DIGIT_BITS)]


def montgomery(one: Block) -> int:
    """a * b / R mod n: below n for a, b < n, below R and equal to what comes out for any."""
    a, b, n = (join(list(words), DIGIT_BITS) for words in (one.a, one.b, one.n))
    r = 1 << (DIGIT_BITS * len(one.a))
    u = (a * b + -a * b * pow(n, -1, r) % r * n) // r
    return u - n if u >= n else u


def columns(one: Block) -> Iterator[int]:
    """The digits of (a * b + m * n), column by column, as the device computes them.

    There are 2s digits. The first s are zero because of their m, and the last s are u. Then comes
    the bit by which u may be longer than n.
    """
    s = len(one.a)
    quotients: list[int] = []
    total = 0
    for k in range(2 * s):
        pairs = [(i, k - i) for i in range(max(0, k - s + 1), min(k, s - 1) + 1)]
        total += sum(one.a[i] * one.b[j] for i, j in pairs)
        total += sum(quotients[i] * one.n[j] for i, j in pairs if i < len(quotients))
        if k < s:
            quotients.append((total & DIGIT_MASK) * one.inverse & DIGIT_MASK)
            total += quotients[k] * one.n[0]
        yield total & DIGIT_MASK
        total >>= DIGIT_BITS
    yield total


def _halves(product: int) -> Pair:
    return product & DIGIT_MASK, product >> DIGIT_BITS


@dataclass(frozen=True, slots=True)
class Kernel:
    """The parameters of the device."""

    lanes: int = 1
    max_digits: int = 128

    @property
    def multipliers(self) -> int:
        """Hard multiplier blocks: a product of digits takes four."""
        return 4 * self.lanes

    def status(self, form: int, digits: int, blocks: int) -> Status:
        """What the device says to a header."""
        if form not in list(Form):
            return Status.FORM
        if not 1 <= digits <= self.max_digits:
            return Status.DIGITS
        return Status.OK if 1 <= blocks <= MAX_BLOCKS else Status.BLOCKS

    def _check(self, form: int, digits: int, blocks: int) -> Form:
        if status := self.status(form, digits, blocks):
            raise ValueError(f"the device refuses this header: {status.name}")
        return Form(form)

    def data_in(self, form: int, digits: int, blocks: int) -> int:
        """Beats of data that a run takes, without the header."""
        per_block = 2 * digits if self._check(form, digits, blocks) == Form.MONTGOMERY else digits
        return blocks * per_block

    def data_out(self, form: int, digits: int, blocks: int) -> int:
        """Beats of data in the answer, without the status."""
        per_block = digits**2 if self._check(form, digits, blocks) == Form.HELD else digits
        return blocks * per_block

    def word_products(self, form: int, digits: int, blocks: int) -> int:
        """Products of digits that a lane's blocks need."""
        needed = {
            Form.CONSTANT: digits,
            Form.PAIRS: digits,
            Form.HELD: digits**2,
            Form.PRODUCT: digits**2,
            Form.MONTGOMERY: 2 * digits**2 + digits,
        }
        return blocks * needed[self._check(form, digits, blocks)]

    def cycles(self, form: int, digits: int, blocks: int) -> int:
        """From a run's header to the earliest next header, with no stall on either side.

        blocks: those of one lane. The number of lanes does not matter.
        """
        form = self._check(form, digits, blocks)
        s = digits
        if form in (Form.CONSTANT, Form.PAIRS):
            return blocks * s + _STREAM_CYCLES
        if form == Form.HELD:
            return s + blocks * s * s + _HELD_CYCLES
        groups = -(-blocks // GROUP_BLOCKS)
        last = blocks - (groups - 1) * GROUP_BLOCKS
        load = min(blocks, GROUP_BLOCKS) * self.data_in(form, s, 1)
        steps = s * s if form == Form.PRODUCT else 2 * s * s + s + 1
        run = load + groups * GROUP_BLOCKS * steps + last * s + _GROUP_CYCLES
        if steps == 1:  # a group waits for the results of the last but one
            run += (groups - 1) // 2 * _SHORT_CYCLES
        return run

    def busy_fraction(self, form: int, digits: int, blocks: int) -> float:
        """Word products over the cycles in which the multiplier could have made one."""
        return self.word_products(form, digits, blocks) / self.cycles(form, digits, blocks)
