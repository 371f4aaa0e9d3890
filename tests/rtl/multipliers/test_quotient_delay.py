# SPDX-License-Identifier: Apache-2.0
"""The golden model of a Montgomery product with a quotient digit used late, without any RTL."""

from __future__ import annotations

import random

import pytest

from monpro.hardware.models.montgomery import Array, Modulus, operand_words


@pytest.mark.parametrize("word_bits", [8, 17, 18, 36])
@pytest.mark.parametrize("elements", [1, 2, 5, 32])
@pytest.mark.parametrize("bits", [17, 130, 300])
def test_product_is_montgomerys(word_bits: int, elements: int, bits: int) -> None:
    rng = random.Random(bits)
    array = Array(word_bits, elements, operand_words(bits, word_bits, 1), 1)
    for n in ((1 << bits) - 1, 1 << (bits - 1) | 1, rng.getrandbits(bits) | 1, 3):
        modulus = Modulus(array, n)
        assert modulus.m % n == 0
        assert modulus.m % (1 << 2 * word_bits) == (1 << 2 * word_bits) - 1
        assert modulus.scaled < 1 << word_bits * (array.words - 1)
        assert array.words <= array.factor_words
        operands = [0, 1, n, modulus.m, modulus.bound - 1, rng.randrange(modulus.bound)]
        for y in operands:
            for x in operands:
                result = modulus.product(x, y)
                assert (result * array.r - x * y) % modulus.m == 0
                assert result < modulus.bound
            for x in (array.r - 1, modulus.bound):
                result = modulus.product(x, y, long_x=True)
                assert (result * array.r - x * y) % modulus.m == 0
                assert result < y + modulus.m


@pytest.mark.parametrize("word_bits", [8, 36])
@pytest.mark.parametrize("words", [3, 7, 31])
def test_integers(word_bits: int, words: int) -> None:
    rng = random.Random(words)
    array = Array(word_bits, words + 1, words, 1)
    full = word_bits * words
    top = (1 << full) - 2
    pairs = [(0, 0), (0, top), (top, 0), (1, top), (top, 1), (2, top // 2)]
    pairs += [(rng.getrandbits(k), rng.getrandbits(full - k - 1)) for k in range(0, full, 7)]
    for x, y in pairs:
        assert array.integer_product(x, y) == x * y
    for x, y in ((1, top + 1), (2, top), (-1, -1)):
        with pytest.raises(ValueError, match="not below"):
            array.integer_product(x, y)
    with pytest.raises(ValueError, match="a word for each digit"):
        Array(word_bits, words, words + 1, 1).integer_product(1, 1)


def test_out_of_range_is_refused() -> None:
    array = Array(36, 4, operand_words(128, 36, 1), 1)
    modulus = Modulus(array, (1 << 128) - 1)
    for x, y in ((modulus.bound, 1), (1, modulus.bound)):
        with pytest.raises(ValueError, match="below 2M"):
            modulus.product(x, y)
    for x, y in ((array.r, 1), (1, modulus.bound)):
        with pytest.raises(ValueError, match="below 2M"):
            modulus.product(x, y, long_x=True)
    with pytest.raises(ValueError, match="no multiplier"):
        Array(36, 4, 5, 2)
