# SPDX-License-Identifier: Apache-2.0
"""The model of single products: an exponentiation as commands, carried out on numbers."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from monpro.hardware import designs
from monpro.hardware.models.coprocessor import PUBLIC_SCHEMES
from monpro.hardware.models.montgomery import modulus_words
from monpro.hardware.models.product import (  # fmt: skip
    ACC,
    BASE,
    ONE,
    R2,
    TABLE,
    Command,
    ProductCoprocessor,
    commands,
)
from monpro.hardware.regs import Scheme

CODESIGN = Path(__file__).resolve().parents[3] / "docs" / "designs" / "codesign.md"
N, R = 10007, 1 << 20
SCHEMES = [scheme for scheme in Scheme if scheme != Scheme.REPEATED]
WINDOWED = (Scheme.FIXED_WINDOW, Scheme.SLIDING_WINDOW)
BITS = (1, 2, 3, 7, 12, 33)


def carried_out(steps: list[Command], x: int) -> int:
    entries = {BASE: x, ONE: 1, R2: R * R % N}
    for step in steps:
        assert step.to not in (ONE, R2)
        one, two = entries[step.x], entries[step.y]
        if step.choose:
            entries[step.to] = one if step.first else two
        else:
            entries[step.to] = one * two * pow(R, -1, N) % N
    return entries[ACC]


def exponents(bits: int) -> list[int]:
    rng = random.Random(bits)
    return [0, 1, (1 << bits) - 1, 1 << (bits - 1), *(rng.getrandbits(bits) for _ in range(20))]


@pytest.mark.parametrize("public", [False, True], ids=["secret", "public"])
@pytest.mark.parametrize("scheme", SCHEMES, ids=lambda scheme: scheme.name)
def test_an_exponentiation(scheme: Scheme, public: bool) -> None:
    """Right for every exponent and window; of a secret one only `first` differs."""
    if scheme in PUBLIC_SCHEMES and not public:
        return
    for window in range(1, 6) if scheme in WINDOWED else [1]:
        for bits in BITS:
            seen = set()
            for e in exponents(bits):
                steps = list(commands(scheme, e, bits, window, public=public))
                assert carried_out(steps, 1234) == pow(1234, e, N), (bits, e, window)
                seen.add(tuple((s.x, s.y, s.to, s.choose) for s in steps))
                highest = max(max(s.x, s.y, s.to) for s in steps)
                table = 1 << (window - (scheme == Scheme.SLIDING_WINDOW))
                assert highest < (TABLE + table if scheme in WINDOWED else TABLE)
            assert public or len(seen) == 1


@pytest.mark.parametrize("name", ["pynq", "codesign"])
def test_cost(name: str) -> None:
    """Longer secret exponents cost more, and constants nothing."""
    design = designs.get(name)
    model = design.model()
    assert isinstance(model, ProductCoprocessor)
    for scheme in (Scheme[each.upper()] for each in design.schemes):
        if scheme in PUBLIC_SCHEMES:
            with pytest.raises(ValueError, match="public exponents"):
                model.modexp(scheme, design.min_bits, 8, warm=True)
            continue
        costs = [model.modexp(scheme, design.min_bits, bits, warm=True) for bits in range(1, 40)]
        cycles = [cost.cycles_exponentiate for cost in costs]
        assert cycles == sorted(set(cycles))
        assert costs[3] == model.modexp(scheme, design.min_bits, 4, warm=False)
        assert {cost.cycles_precompute for cost in costs} == {0}
    with pytest.raises(ValueError, match="REPEATED"):
        list(commands(Scheme.REPEATED, 5, 3, public=True))


def test_windows_that_fit() -> None:
    model = designs.get("codesign").model()
    fits = {
        scheme: [w for w in range(8) if model.window_fits(2048, w, scheme=scheme)]
        for scheme in WINDOWED
    }
    assert fits == {Scheme.FIXED_WINDOW: [1, 2, 3, 4], Scheme.SLIDING_WINDOW: [1, 2, 3, 4, 5]}


@pytest.mark.parametrize("bits", [512, 1024, 1536, 2048])
def test_the_page_of_codesign(bits: int) -> None:
    """Its cycles of a product and of exponentiations are the model's."""
    model = designs.get("codesign").model()
    assert isinstance(model, ProductCoprocessor)
    interval = model.multiplier_at(bits).interval_cycles
    words = modulus_words(bits, model.word_bits)
    bound = (2 * words * words + words) / model.elements
    windows = [w for w in range(1, 7) if model.window_fits(bits, w)]
    fixed, binary, right_to_left = (
        min(model.modexp(scheme, bits, bits, w, warm=True).cycles_exponentiate for w in windows)
        for scheme in (Scheme.FIXED_WINDOW, Scheme.BINARY, Scheme.RIGHT_TO_LEFT)
    )
    assert binary == right_to_left
    cells = [f"{interval}", f"{100 * bound / interval:.1f}"]
    cells += [f"{cycles:,}".replace(",", " ") for cycles in (fixed, binary)]
    row = " | ".join([f"| {bits}", *cells]) + " | "
    assert row in CODESIGN.read_text("utf-8"), row
