# SPDX-License-Identifier: Apache-2.0
"""The model of the dataflow kernel against the definitions that it must meet, without any RTL."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise

import pytest

from monpro.hardware.models import dataflow
from monpro.hardware.models.dataflow import (
    DIGIT_BITS,
    DIGIT_MASK,
    GROUP_BLOCKS,
    MAX_BLOCKS,
    Form,
    Kernel,
    Status,
)
from monpro.hardware.models.montgomery import join, split

GROUPED = (Form.PRODUCT, Form.MONTGOMERY)


def numbers(digits: int, rng: random.Random) -> list[int]:
    top = (1 << DIGIT_BITS * digits) - 1
    return [0, 1, top, top - 1, rng.randint(0, top), rng.randint(0, top)]


@pytest.mark.parametrize("digits", [1, 2, 3, 9])
def test_montgomery_product(digits: int) -> None:
    """By definition, by columns, and below n for operands that are."""
    rng = random.Random(digits)
    r = 1 << DIGIT_BITS * digits
    for n in (1, 3, r - 1, rng.randrange(r) | 1, rng.getrandbits(DIGIT_BITS) | 1):
        for a in numbers(digits, rng):
            for b in numbers(digits, rng):
                one = dataflow.block(digits, a, b, n)
                result = dataflow.montgomery(one)
                assert result * r % n == a * b % n
                assert result < (n if a < n and b < n else r)
                *found, top = dataflow.columns(one)
                assert not any(found[:digits])
                u = join([*found[digits:], top], DIGIT_BITS)
                assert result == (u - n if u >= n else u)
                beats = dataflow.beats_out(Form.MONTGOMERY, one)
                assert beats == [(digit, 0) for digit in split(result, digits, DIGIT_BITS)]


def test_streams() -> None:
    one = dataflow.block(2, 3 | 5 << DIGIT_BITS, 7 | DIGIT_MASK << DIGIT_BITS, 9)
    assert dataflow.beats_in(Form.PAIRS, one) == [(3, 7), (5, DIGIT_MASK)]
    assert dataflow.beats_in(Form.CONSTANT, replace(one, b=())) == [(3, 0), (5, 0)]
    assert dataflow.beats_in(Form.MONTGOMERY, one) == [
        (3, 7), (5, DIGIT_MASK), (9, dataflow.inverse(9)), (0, 0),
    ]  # fmt: skip
    assert dataflow.beats_out(Form.CONSTANT, one, DIGIT_MASK) == [
        ((3 * DIGIT_MASK) & DIGIT_MASK, 2),
        ((5 * DIGIT_MASK) & DIGIT_MASK, 4),
    ]
    assert dataflow.beats_out(Form.PAIRS, one) == [(21, 0), ((5 * DIGIT_MASK) & DIGIT_MASK, 4)]
    held = dataflow.beats_out(Form.HELD, one)
    assert [low | high << DIGIT_BITS for low, high in held] == [
        21, 35, 3 * DIGIT_MASK, 5 * DIGIT_MASK,
    ]  # fmt: skip
    product = dataflow.beats_out(Form.PRODUCT, one)
    words = [word for pair in product for word in pair]
    assert join(words, DIGIT_BITS) == join(one.a, DIGIT_BITS) * join(one.b, DIGIT_BITS)


@pytest.mark.parametrize("form", Form, ids=lambda form: form.name)
def test_counts(form: Form) -> None:
    """Beats and products as many as one block's times the blocks."""
    kernel = Kernel()
    for digits in (1, 3):
        one = dataflow.block(digits, 1, 1, 1)
        assert kernel.data_in(form, digits, 5) == 5 * len(dataflow.beats_in(form, one))
        assert kernel.data_out(form, digits, 5) == 5 * len(dataflow.beats_out(form, one, 1))
        assert kernel.word_products(form, digits, 5) == 5 * kernel.word_products(form, digits, 1)


@pytest.mark.parametrize("form", Form, ids=lambda form: form.name)
def test_cycles_are_linear(form: Form) -> None:
    """From two groups on, by whole groups; never below the bound, and near it for a long run."""
    kernel = Kernel()
    for digits in (1, 2, 32, 128):
        points = range(2 * GROUP_BLOCKS, 20 * GROUP_BLOCKS, 2 * GROUP_BLOCKS)
        cycles = [kernel.cycles(form, digits, blocks) for blocks in points]
        assert len({after - before for before, after in pairwise(cycles)}) == 1
        for blocks in (1, 7, 8, 100, 8192):
            assert 0 < kernel.busy_fraction(form, digits, blocks) < 1
        many = kernel.busy_fraction(form, digits, 8192)
        if digits >= 32:
            assert many > 0.999
    if form in GROUPED:  # a group that is not full takes the steps of one that is
        assert kernel.busy_fraction(form, 32, 9) < 0.6


def test_refused_headers() -> None:
    kernel = Kernel(lanes=2, max_digits=16)
    assert kernel.multipliers == 8
    cases = {
        (0, 1, 1): Status.FORM,
        (6, 0, 0): Status.FORM,
        (1, 0, 0): Status.DIGITS,
        (5, 17, 1): Status.DIGITS,
        (5, 16, 0): Status.BLOCKS,
        (5, 16, MAX_BLOCKS + 1): Status.BLOCKS,
        (5, 16, MAX_BLOCKS): Status.OK,
    }
    for header, status in cases.items():
        assert kernel.status(*header) == status
        if status:
            with pytest.raises(ValueError, match=status.name):
                kernel.cycles(*header)
    assert dataflow.header(5, 128, MAX_BLOCKS) == 0xFFFFF580
