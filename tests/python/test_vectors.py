# SPDX-License-Identifier: Apache-2.0
"""The vectors that the tests of all languages share, through Python and every kind of engine."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from monpro import Engine, Job

FILE = Path(__file__).parents[1] / "vectors" / "modexp.json"
CASES = json.loads(FILE.read_text())
LENGTHS = sorted({case["bits"] for case in CASES})


def jobs_of(cases: list[dict[str, str]], public: bool) -> list[Job]:
    """Numbers as bytes: an exponent keeps its leading zeros."""
    names = ("base", "exponent", "modulus")
    return [Job(*(bytes.fromhex(case[name]) for name in names), public=public) for case in cases]


def wrong(engine: Engine, bits: int, public: bool, exponent_bits: int = 0) -> list[str]:
    """Names of the vectors whose result is another; exponent_bits: of the longest exponent."""
    cases = [case for case in CASES if case["bits"] == bits]
    if exponent_bits:
        cases = [case for case in cases if int(case["exponent"], 16).bit_length() <= exponent_bits]
    results = engine.modexp_batch(jobs_of(cases, public))
    pairs = zip(cases, results, strict=True)
    return [case["name"] for case, result in pairs if result.value != int(case["result"], 16)]


@pytest.mark.parametrize("public", [False, True])
@pytest.mark.parametrize("bits", LENGTHS)
def test_soft(soft: Engine, bits: int, public: bool) -> None:
    assert wrong(soft, bits, public) == []


LONG_BITS = 2048  # above it an exponent of full length is quicker on more multipliers


@pytest.fixture(scope="module")
def fast() -> Iterator[Engine]:
    with Engine("sim:fast") as engine:
        yield engine


@pytest.mark.sim
@pytest.mark.parametrize(("public", "bits"), list(itertools.product((False, True), LENGTHS)))
def test_simulated(small: Engine, fast: Engine, public: bool, bits: int) -> None:
    """A public exponent of full length takes the sequencer through the same steps at any length of
    the modulus, and the multiplier through the same as a secret one: so up to 2048 bits. Above,
    `small` has exponents up to 129 bits, and `fast` the secret ones of full length."""
    longest = 129 if bits > LONG_BITS else 0
    assert wrong(small, bits, public, longest) == []
    if longest and not public:
        assert wrong(fast, bits, public) == []
