"""The golden models against the definitions that they must meet, without any RTL."""

from __future__ import annotations

import random

import pytest

from monpro import designs
from monpro.models.coprocessor import Coprocessor
from monpro.models.montgomery import Array, Modulus, join, operand_words, split


@pytest.mark.parametrize("word_bits", [8, 17, 32])
@pytest.mark.parametrize("elements", [1, 4, 16])
@pytest.mark.parametrize("bits", [32, 127, 256])
def test_product_is_montgomerys(word_bits: int, elements: int, bits: int) -> None:
    rng = random.Random(bits)
    array = Array(word_bits, elements, operand_words(bits, word_bits))
    for n in ((1 << bits) - 1, 1 << (bits - 1) | 1, rng.getrandbits(bits) | 1, 3):
        modulus = Modulus(array, n)
        assert modulus.m % n == 0
        assert modulus.m % (1 << word_bits) == (1 << word_bits) - 1
        assert 2 * modulus.bound < 1 << (word_bits * array.words)
        operands = [0, 1, n, modulus.m, modulus.bound - 1, rng.randrange(modulus.bound)]
        for x in operands:
            for y in operands:
                result = modulus.product(x, y)
                assert result * array.r % modulus.m == x * y % modulus.m
                assert result < modulus.bound
                assert split(result, array.words, word_bits)  # it fits


def test_out_of_range_is_refused() -> None:
    array = Array(17, 4, operand_words(128, 17))
    for n in (0, 1, 2, 1 << 127, (1 << 160) + 1):
        with pytest.raises(ValueError, match=r"odd|long"):
            Modulus(array, n)
    modulus = Modulus(array, (1 << 128) - 1)
    with pytest.raises(ValueError, match="below 2M"):
        modulus.product(modulus.bound, 1)
    with pytest.raises(ValueError, match="fit"):
        split(1 << 34, 2, 17)
    assert join(split(12345678901, 3, 17), 17) == 12345678901


def test_a_secret_costs_more_by_length_alone() -> None:
    """The cost of a secret exponent has no argument that is secret; longer ones cost more."""
    for design in designs.load().values():
        model = Coprocessor(**design.parameters())
        cold, warm = (
            [model.secret(design.min_bits, bits, 1, warm=warm) for bits in range(1, 40)]
            for warm in (False, True)
        )
        for costs in (cold, warm):
            cycles = [cost.cycles_exponentiate for cost in costs]
            assert cycles == sorted(set(cycles))
        assert all(
            a.cycles_precompute > b.cycles_precompute for a, b in zip(cold, warm, strict=True)
        )
        assert not model.window_fits(design.min_bits, 0)
        assert not model.window_fits(design.min_bits, 7)
