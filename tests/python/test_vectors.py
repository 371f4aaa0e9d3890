"""The vectors that the tests of all languages share, through Python and every kind of engine."""

from __future__ import annotations

import json
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


def wrong(engine: Engine, bits: int, public: bool) -> list[str]:
    cases = [case for case in CASES if case["bits"] == bits]
    results = engine.modexp_batch(jobs_of(cases, public))
    pairs = zip(cases, results, strict=True)
    return [case["name"] for case, result in pairs if result.value != int(case["result"], 16)]


@pytest.mark.parametrize("public", [False, True])
@pytest.mark.parametrize("bits", LENGTHS)
def test_soft(soft: Engine, bits: int, public: bool) -> None:
    assert wrong(soft, bits, public) == []


@pytest.mark.sim
@pytest.mark.parametrize("public", [False, True])
@pytest.mark.parametrize("bits", LENGTHS)
def test_simulated(small: Engine, bits: int, public: bool) -> None:
    assert wrong(small, bits, public) == []
