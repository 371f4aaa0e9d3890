# SPDX-License-Identifier: Apache-2.0
"""The work that an operation needs, in word products. `bound_fraction` is a fraction of it.

A word is what one multiplier block takes, so a block does one word product in a cycle. One
Montgomery product of numbers of s words is 2s^2 + s word products: s^2 for x * y, s^2 for q * N,
and s for the quotient digits. Where a block takes a word and a shorter digit, it is 2sr + r for
numbers of r digits. A squaring counts like any other product.

Not counted are the constants R^2 and N', which are computed once for a modulus, and all work that
is no product, such as the additions of a recombination.
"""

from __future__ import annotations

import math

from monpro.errors import MonproError

MAX_WINDOW = 6


def block_bits(word_bits: int, elements: int, multipliers: int) -> int:
    """Width of a block's operands: an element of n^2 blocks has words of n times that."""
    return word_bits // math.isqrt(max(1, multipliers // elements))


def product_work(bits: int, word_bits: int, digit_bits: int = 0) -> int:
    """Word products of one Montgomery product, two bits free at the top; digit_bits 0: a word's."""
    words, digits = (-(-(bits + 2) // width) for width in (word_bits, digit_bits or word_bits))
    return 2 * words * digits + digits


def window_products(exponent_bits: int, window: int) -> int:
    """Fixed window: every entry of the table, the digits but the first, and the way back."""
    window = min(window, exponent_bits)
    digits = -(-exponent_bits // window)
    return (1 << window) + (exponent_bits - window) + (digits - 1) + 1


def sliding_products(exponent: int, window: int) -> int:
    """Sliding window over the odd powers: a product for each run, the squarings between."""
    bits = exponent.bit_length()
    products, position, first = 1 + ((1 << (window - 1)) if window > 1 else 0), bits, True
    while position:
        if not exponent >> (position - 1) & 1:
            products, position = products + 1, position - 1
            continue
        length = min(window, position)
        digit = exponent >> (position - length) & ((1 << length) - 1)
        length -= (digit & -digit).bit_length() - 1
        products += 0 if first else length + 1
        position, first = position - length, False
    return products + 1


def products(scheme: str, exponent: int, exponent_bits: int, *, public: bool) -> int:
    """Montgomery products that a scheme needs, with those into and out of Montgomery form.

    A scheme with a window gets the window, up to 6 bits, that needs fewest.
    """
    ones = max(exponent.bit_count(), 1)
    squarings = max((exponent.bit_length() if public else exponent_bits) - 1, 0)
    windows = range(1, MAX_WINDOW + 1)
    match scheme:
        case "fixed_window":
            return min(window_products(exponent_bits, window) for window in windows)
        case "sliding_window":
            return min(sliding_products(exponent, window) for window in windows)
        case "binary":
            return 2 + squarings + (ones - 1 if public else squarings)
        case "right_to_left":
            return 2 + squarings + (ones - 1 if public else exponent_bits)
        case "ladder":
            return 2 + (1 + 2 * squarings if squarings else 0)  # x^2 for the first step
        case "repeated":
            return 2 + max(exponent - 1, 0)
    raise MonproError("MONPRO_ERR_SCHEME", f'no bound is known for the scheme "{scheme}"')


def modexp(
    bits: int, word_bits: int, scheme: str, exponent: int, exponent_bits: int, *, public: bool,
    digit_bits: int = 0,
) -> int:  # fmt: skip
    """Word products of one exponentiation."""
    count = products(scheme, exponent, exponent_bits, public=public)
    return count * product_work(bits, word_bits, digit_bits)


def rsa_private(bits: int, word_bits: int, digit_bits: int = 0) -> int:
    """Word products of both CRT halves."""
    half = bits // 2
    return 2 * modexp(half, word_bits, "fixed_window", 0, half, public=False, digit_bits=digit_bits)
