# SPDX-License-Identifier: Apache-2.0
"""The models of the serial multipliers and their core, against plain arithmetic."""

from __future__ import annotations

import random

import pytest

from monpro.hardware import designs
from monpro.hardware.models import select
from monpro.hardware.models.coprocessor import PUBLIC_SCHEMES, Cost
from monpro.hardware.models.serial import Radix2, SerialCoprocessor, interleaved_cycles, inverse
from monpro.hardware.models.serial import radix2_cycles as cycles_of_radix2
from monpro.hardware.regs import Scheme

SERIAL = [name for name, design in designs.load().items() if design.serial]


def test_inverse() -> None:
    for n in [*range(1, 200, 2), random.getrandbits(1024) | 1]:
        for bits in (2, 3, 8):
            assert inverse(n, bits) == 2 * pow(1 << bits, -1, n) if n > 1 else 1


@pytest.mark.parametrize("bits", [3, 32, 33, 127, 1024])
def test_radix2(bits: int) -> None:
    """Congruent to x * y / R, and below the bound that operands have."""
    for _ in range(20):
        n = random.getrandbits(bits) | 1 | 1 << (bits - 1)
        model = Radix2(n)
        x, y = (random.choice([0, 1, model.bound - 1, random.randrange(model.bound)]) for _ in "xy")
        result = model.product(x, y)
        assert result < model.bound < 8 * n
        assert result * model.factor % n == x * y % n
        assert 4 * model.modulus.m < model.factor == 1 << (bits + 4)


@pytest.mark.parametrize("name", SERIAL)
def test_cost(name: str) -> None:
    """By length alone for a secret; a public one costs between no one and all ones."""
    design = designs.get(name)
    model = select.coprocessor(
        **design.parameters(), multiplier=design.multiplier, crt=design.crt
    )  # fmt: skip
    assert isinstance(model, SerialCoprocessor)
    bits = 20
    for scheme in (Scheme[each.upper()] for each in design.schemes):

        def cost(exponent: int | None, *, warm: bool = True, scheme: Scheme = scheme) -> Cost:
            return model.modexp(scheme, 64, bits, warm=warm, exponent=exponent)

        least, most = cost(0).cycles, cost((1 << bits) - 1).cycles
        assert least < most
        assert all(least <= cost(random.getrandbits(bits)).cycles <= most for _ in range(40))
        assert cost(5, warm=False).cycles > cost(5).cycles
        if scheme in PUBLIC_SCHEMES:
            with pytest.raises(ValueError, match="public"):
                cost(None)
        else:
            assert cost(None).cycles == most
    with pytest.raises(ValueError, match="no LADDER"):
        model.modexp(Scheme.LADDER, 64, 8, warm=True)


def test_near_the_bound() -> None:
    """Right to left: a product of n cycles for each bit of the exponent, and little more."""
    for multiplier, fraction in (("radix2", 0.989), ("interleaved", 0.965)):
        model = SerialCoprocessor(32, 1024, multiplier)
        cost = model.modexp(Scheme.RIGHT_TO_LEFT, 1024, 1024, warm=True)
        assert 1024 * 1024 / cost.cycles > fraction
    assert (cycles_of_radix2(1024), interleaved_cycles(1024)) == (1034, 1060)
