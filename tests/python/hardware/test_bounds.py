# SPDX-License-Identifier: Apache-2.0
"""Bounds: the products each scheme needs, against the schemes carried out."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from monpro import MonproError
from monpro.hardware import bounds

N = 2**127 - 1


class Counting:
    """Numbers modulo N; every product counts, conversions are counted by hand."""

    def __init__(self) -> None:
        self.products = 0

    def mul(self, x: int, y: int) -> int:
        self.products += 1
        return x * y % N


def fixed(count: Counting, x: int, e: int, bits: int, window: int) -> int:
    count.products += 2 + 1  # 1 and x into Montgomery form, the result out of it
    table = [1, x]
    while len(table) < 1 << window:
        table.append(count.mul(table[-1], x))
    digits = [(e >> max(top - window, 0)) & ((1 << min(window, top)) - 1)
              for top in range(bits, 0, -window)]  # fmt: skip
    value, left = table[digits[0]], bits - window
    for digit in digits[1:]:
        for _ in range(min(window, left)):
            value = count.mul(value, value)
        left -= window
        value = count.mul(value, table[digit])
    return value


def sliding(count: Counting, x: int, e: int, bits: int, window: int) -> int:
    count.products += 2
    odd = {1: x}
    if window > 1:
        square = count.mul(x, x)
        for power in range(3, 1 << window, 2):
            odd[power] = count.mul(odd[power - 2], square)
    value, position = None, bits
    while position:
        if not e >> (position - 1) & 1:
            value = count.mul(value or 1, value or 1)
            position -= 1
            continue
        low = max(position - window, 0)
        while not e >> low & 1:
            low += 1
        digit = e >> low & ((1 << (position - low)) - 1)
        if value is None:
            value = odd[digit]
        else:
            for _ in range(position - low):
                value = count.mul(value, value)
            value = count.mul(value, odd[digit])
        position = low
    assert value is not None
    return value


def left_to_right(count: Counting, x: int, e: int, bits: int, _: int) -> int:
    count.products += 2
    value = x
    for position in reversed(range(e.bit_length() - 1)):
        value = count.mul(value, value)
        if e >> position & 1:
            value = count.mul(value, x)
    return value


def right_to_left(count: Counting, x: int, e: int, bits: int, _: int) -> int:
    count.products += 2
    value = None
    for position in range(e.bit_length()):
        if position:
            x = count.mul(x, x)
        if e >> position & 1:
            value = x if value is None else count.mul(value, x)
    assert value is not None
    return value


def ladder(count: Counting, x: int, e: int, bits: int, _: int) -> int:
    count.products += 2
    low, high = x, count.mul(x, x)
    for position in reversed(range(bits - 1)):
        bit = e >> position & 1
        product = count.mul(low, high)
        low, high = (product, count.mul(high, high)) if bit else (count.mul(low, low), product)
    return low


def repeated(count: Counting, x: int, e: int, bits: int, _: int) -> int:
    count.products += 2
    value = x
    for _ in range(e - 1):
        value = count.mul(value, x)
    return value


SCHEMES: dict[str, tuple[Callable[..., int], bool]] = {
    "fixed_window": (fixed, False),
    "sliding_window": (sliding, True),
    "binary": (left_to_right, True),
    "right_to_left": (right_to_left, True),
    "ladder": (ladder, False),
    "repeated": (repeated, True),
}


@pytest.mark.parametrize("name", SCHEMES)
def test_products_are_those_of_the_scheme(name: str) -> None:
    scheme, public = SCHEMES[name]
    source = random.Random(name)
    for bits in (8, 9, 12) if name == "repeated" else (8, 17, 64, 131):
        e = source.getrandbits(bits) | 1 << (bits - 1)
        counts = []
        for window in range(1, bounds.MAX_WINDOW + 1):
            count = Counting()
            assert scheme(count, 3, e, bits, window) == pow(3, e, N)
            counts.append(count.products)
        assert bounds.products(name, e, bits, public=public) == min(counts)


def test_the_known_bounds() -> None:
    """61 words of 17 bits, 57 of 18; the window of five bits takes about 1256 products."""
    assert bounds.window_products(1024, 5) == 1256
    assert bounds.product_work(1024, 17) == 2 * 61 * 61 + 61
    assert bounds.product_work(1024, 18) == 2 * 57 * 57 + 57
    work = bounds.modexp(1024, 17, "fixed_window", 0, 1024, public=False)
    assert work == pytest.approx(9.42e6, rel=0.003)
    assert bounds.rsa_private(2048, 17) / 128 == pytest.approx(147e3, rel=0.003)
    assert bounds.products("binary", 65537, 17, public=True) == 19


def test_the_width_of_a_block() -> None:
    assert bounds.product_work(1024, 24, 17) == 2 * 43 * 61 + 61
    assert bounds.product_work(1024, 17, 17) == bounds.product_work(1024, 17)
    assert bounds.rsa_private(2048, 24, 17) == 2 * bounds.modexp(
        1024, 24, "fixed_window", 0, 1024, public=False, digit_bits=17
    )
    assert bounds.block_bits(17, 16, 16) == 17
    assert bounds.block_bits(36, 32, 128) == 18


def test_an_unknown_scheme_has_no_bound() -> None:
    with pytest.raises(MonproError, match='scheme "comb"'):
        bounds.products("comb", 1, 1, public=True)
