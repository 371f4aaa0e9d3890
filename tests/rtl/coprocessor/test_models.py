# SPDX-License-Identifier: Apache-2.0
"""The golden models against the definitions that they must meet, without any RTL."""

from __future__ import annotations

import random

import pytest

from monpro.hardware import designs
from monpro.hardware.models.coprocessor import PUBLIC_SCHEMES, Coprocessor
from monpro.hardware.models.montgomery import Array, Modulus, join, operand_words, split
from monpro.hardware.regs import Scheme


@pytest.mark.parametrize("delay", [0, 1])
@pytest.mark.parametrize("word_bits", [8, 17, 36])
@pytest.mark.parametrize("elements", [1, 4, 16])
@pytest.mark.parametrize("bits", [32, 127, 256])
def test_product_is_montgomerys(word_bits: int, elements: int, bits: int, delay: int) -> None:
    rng = random.Random(bits)
    array = Array(word_bits, elements, operand_words(bits, word_bits, delay), delay)
    assert array.rows == array.passes * array.used_elements
    assert array.passes == -(-(array.words + delay) // elements)
    least = array.least_elements
    assert array.words <= array.factor_words < max(array.words + array.passes, least + 1)
    assert least <= array.used_elements <= elements
    for n in ((1 << bits) - 1, 1 << (bits - 1) | 1, rng.getrandbits(bits) | 1, 3):
        modulus = Modulus(array, n)
        assert modulus.m % n == 0
        top = 1 << word_bits * (1 + delay)
        assert modulus.m % top == top - 1
        assert 2 * modulus.bound < 1 << (word_bits * array.words)
        operands = [0, 1, n, modulus.m, modulus.bound - 1, rng.randrange(modulus.bound)]
        for x in operands:
            for y in operands:
                result = modulus.product(x, y)
                assert result * array.r % modulus.m == x * y % modulus.m
                assert result < modulus.bound
                assert split(result, array.words, word_bits)  # it fits


@pytest.mark.parametrize(("word_bits", "digit_bits"), [(24, 17), (8, 5), (8, 4), (17, 17)])
@pytest.mark.parametrize("elements", [1, 3, 13])
@pytest.mark.parametrize("bits", [100, 127, 256])
def test_product_with_narrow_digits(
    word_bits: int, digit_bits: int, elements: int, bits: int
) -> None:
    """Of the longest modulus of its words as well, which needs most digits."""
    rng = random.Random(bits)
    array = Array(word_bits, elements, operand_words(bits, word_bits), digit_bits=digit_bits)
    assert array.digits <= array.rows < array.digits + array.passes
    assert array.r == 1 << digit_bits * array.rows
    longest = word_bits * (array.words - 1) - 2
    for n in ((1 << longest) - 1, 1 << (bits - 1) | 1, rng.getrandbits(bits) | 1, 3):
        modulus = Modulus(array, n)
        assert modulus.m % n == 0
        assert modulus.m % (1 << digit_bits) == (1 << digit_bits) - 1
        assert 2 * modulus.bound < array.r
        assert modulus.bound <= 1 << digit_bits * array.digits  # no bit of x is left out
        operands = [0, 1, n, modulus.m, modulus.bound - 1, rng.randrange(modulus.bound)]
        for x in operands:
            for y in operands:
                result = modulus.product(x, y)
                assert result * array.r % modulus.m == x * y % modulus.m
                assert result < modulus.bound
                assert split(result, array.words, word_bits)  # it fits
    # a digit less, and R would not be above 4M for every modulus, M below 2^(digit_bits + longest)
    assert digit_bits + longest + 2 > digit_bits * (array.digits - 1)


def test_digits_that_no_array_has() -> None:
    for digit_bits, delay, words in (
        (18, 0, "not more than all"),
        (8, 0, "half"),
        (16, 1, "delay"),
    ):
        with pytest.raises(ValueError, match=words):
            Array(17, 4, 9, delay, digit_bits)


@pytest.mark.parametrize("delay", [0, 1])
@pytest.mark.parametrize(("word_bits", "elements"), [(8, 1), (8, 3), (36, 4)])
def test_long_x(word_bits: int, elements: int, delay: int) -> None:
    """x may have as many words as an operand, whatever they are."""
    rng = random.Random(word_bits)
    array = Array(word_bits, elements, operand_words(100, word_bits, delay), delay)
    modulus = Modulus(array, rng.getrandbits(100) | 1)
    top = (1 << word_bits * array.words) - 1
    for x in (top, modulus.bound, rng.randrange(modulus.bound, top)):
        for y in (0, 1, modulus.bound - 1, rng.randrange(modulus.bound)):
            result = modulus.product(x, y, long_x=True)
            assert result * array.r % modulus.n == x * y % modulus.n
            assert result < y + modulus.m + 1
            with pytest.raises(ValueError, match="below 2M"):
                modulus.product(x, y)


@pytest.mark.parametrize("delay", [0, 1])
@pytest.mark.parametrize(("word_bits", "elements"), [(8, 1), (8, 3), (36, 4)])
def test_integer_product(word_bits: int, elements: int, delay: int) -> None:
    """The product of integers itself, up to its limit and not beyond."""
    rng = random.Random(word_bits)
    rows = -(-(9 + delay) // elements) * elements
    array = Array(word_bits, elements, rows - delay, delay)
    assert array.factor_words == array.words
    half = word_bits * array.words // 2
    for x, y in [
        (0, 0), (0, array.r - 2), (1, array.r - 2), (array.r - 2, 1), ((1 << half) - 1,) * 2,
        (rng.getrandbits(half), rng.getrandbits(half)),
    ]:  # fmt: skip
        assert array.integer_product(x, y) == x * y
    for x, y in ((1, array.r - 1), (array.r, array.r), (-1, 1)):
        with pytest.raises(ValueError, match="below"):
            array.integer_product(x, y)
    if elements > 1:
        with pytest.raises(ValueError, match="each digit"):
            Array(word_bits, elements, array.words - 1, delay).integer_product(1, 1)


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


def model_of(design: designs.Design) -> Coprocessor:
    model = design.model()
    assert isinstance(model, Coprocessor)
    return model


SECRET = [scheme for scheme in Scheme if scheme not in PUBLIC_SCHEMES]


@pytest.mark.parametrize("scheme", SECRET, ids=lambda scheme: scheme.name)
def test_a_secret_costs_more_by_length_alone(scheme: Scheme) -> None:
    """The cost of a secret exponent has no argument that is secret; longer ones cost more."""
    for design in designs.load().values():
        if design.serial or design.products or design.stream:
            continue  # see test_serial_model.py, test_product_model.py, test_dataflow_model.py
        model = model_of(design)
        cold, warm = (
            [model.modexp(scheme, design.min_bits, bits, 1, warm=warm) for bits in range(1, 40)]
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


@pytest.mark.parametrize("scheme", PUBLIC_SCHEMES, ids=lambda scheme: scheme.name)
def test_no_secret_exponent_by_a_public_scheme(scheme: Scheme) -> None:
    model = model_of(designs.get("study"))
    with pytest.raises(ValueError, match="public"):
        model.modexp(scheme, 64, 8, 2, warm=True)
    assert model.modexp(scheme, 64, 8, 2, warm=True, exponent=5).products > 0


def test_products_of_a_scheme() -> None:
    """As many as its definition says, beside those into Montgomery form and out of it."""
    model = model_of(designs.get("study"))

    def products(scheme: Scheme, bits: int, window: int = 1, exponent: int | None = None) -> int:
        return model.modexp(scheme, 64, bits, window, warm=True, exponent=exponent).products

    e, bits = 0b1011001, 7
    ones = e.bit_count()
    assert products(Scheme.BINARY, bits, exponent=e) == 1 + (bits - 1) + (ones - 1) + 1
    assert products(Scheme.BINARY, bits) == 2 + 2 * (bits - 1) + 1
    assert products(Scheme.FIXED_WINDOW, bits, 3) == 8 + (3 + 1) + (1 + 1) + 1
    assert products(Scheme.RIGHT_TO_LEFT, bits) == products(Scheme.LADDER, bits) == 2 + 2 * bits + 1
    assert products(Scheme.RIGHT_TO_LEFT, bits, exponent=e) == 2 + bits + ones + 1
    assert products(Scheme.REPEATED, bits, exponent=e) == 1 + (e - 1) + 1
    # 1011001 in windows of two: 10, 11, 0, 0, 1
    assert products(Scheme.SLIDING_WINDOW, bits, 2, e) == 1 + 2 + 1 + 2 + 1 + 2 + 1 + 1 + 1


def test_cost_of_crt() -> None:
    """Less than its two halves one after the other; longer primes cost more."""
    model = model_of(designs.get("fast"))
    costs = [model.rsa_private(bits, 4, warm=False).cycles for bits in range(256, 2049, 128)]
    assert costs == sorted(costs)
    one = model.modexp(Scheme.FIXED_WINDOW, 1024, 1024, 4, warm=False)
    pair = model.rsa_private(1024, 4, warm=False)
    assert one.cycles < pair.cycles < 2 * one.cycles
