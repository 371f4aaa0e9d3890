# SPDX-License-Identifier: Apache-2.0
"""Digits narrower than words, 24 x 17 bits a block: the coprocessor from end to end."""

from __future__ import annotations

import random

import pytest

from monpro import Engine, Job
from monpro.hardware import designs
from monpro.hardware.models.coprocessor import Coprocessor
from monpro.hardware.regs import Scheme

TILES = "small,word_bits=24,digit_bits=17,elements=13"
TARGET_MULTIPLIER_CYCLES = 8e6  # of a 1024-bit exponentiation, constant time, key cold


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(f"sim:{TILES}")


@pytest.mark.sim
@pytest.mark.parametrize("bits", [128, 504, 512, 1024, 2048])
def test_a_random_exponentiation_takes_what_the_formula_says(engine: Engine, bits: int) -> None:
    source = random.Random(bits)
    design = designs.parse(TILES)
    model = design.model()
    assert isinstance(model, Coprocessor)
    assert engine.info.multipliers == design.multipliers == 13
    n = source.getrandbits(bits) | 1 << (bits - 1) | 1
    for warm in (False, True):
        x, e = source.randrange(n), source.getrandbits(bits)
        job = Job(x, e, n, scheme="fixed_window", window=5)
        [result] = engine.modexp_batch([job])
        assert result.value == pow(x, e, n)
        cost = model.modexp(Scheme.FIXED_WINDOW, bits, bits, 5, warm=warm)
        assert result.counters.cycles == cost.cycles
        assert result.counters.cycles_precompute == cost.cycles_precompute


def test_blocks_of_24_x_17_bits_are_below_the_target() -> None:
    """At 1024 bits: with one block, and with 13, after which a pass waits for its own words."""
    for name in ("tiny,word_bits=24,digit_bits=17", TILES):
        design = designs.parse(name)
        model = design.model()
        assert isinstance(model, Coprocessor)
        fitting = [k for k in range(1, 7) if model.window_fits(1024, k)]
        cycles = min(
            model.modexp(Scheme.FIXED_WINDOW, 1024, 1024, k, warm=False).cycles for k in fitting
        )
        assert design.multipliers * cycles < TARGET_MULTIPLIER_CYCLES
