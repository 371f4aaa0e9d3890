# SPDX-License-Identifier: Apache-2.0
"""The soak's own code in seconds: a few cases of each kind on every design, and that it notices."""

from __future__ import annotations

import random

import pytest

import soak
from monpro import Counters, Engine, Job, MonproError, Result, raw_private
from monpro.hardware import designs

SEED = 2026


@pytest.mark.sim
def test_a_short_soak() -> None:
    named = list(designs.load().values())
    todo = soak.tasks(named, 0.004, forms=False)
    assert {task.kind for task in todo} == {
        "small products", "small powers", "products", "powers", "rsa",
    }  # fmt: skip
    lines: list[str] = []
    assert soak.run(todo, SEED, lines.append) == sum(task.cases for task in todo)
    assert f"seed {SEED}" in lines[0]
    assert "about" in lines[1]
    assert len(lines) == 2 + len(todo)


def test_how_much_is_run() -> None:
    named = list(designs.load().values())
    todo = soak.tasks(named, 1.0)
    for kind in ("small products", "small powers"):
        cases = sum(task.cases for task in todo if task.kind == kind)
        assert abs(cases - 10_000) <= len(named)
        assert all(t.design.max_bits <= soak.SMALL_MAX_BITS for t in todo if t.kind == kind)
    for design in named:
        if design.max_bits > soak.SMALL_MAX_BITS and not (
            design.serial or design.products or design.stream
        ):
            cases = sum(task.cases for task in todo if task.design == design)
            assert cases >= 500


@pytest.mark.parametrize("kind", ["small products", "small powers"])
def test_jobs_are_legal_and_varied(kind: str) -> None:
    design = designs.get("study")
    jobs = [soak.job(random.Random(number), design, kind) for number in range(400)]
    lengths = {job.modulus.bit_length() for job in jobs if isinstance(job.modulus, int)}
    assert min(lengths) == design.min_bits
    assert max(lengths) == design.max_bits
    assert len(lengths) > 50
    for job in jobs:
        assert isinstance(job.base, int)
        assert isinstance(job.modulus, int)
        assert 0 <= job.base < job.modulus
        assert job.modulus % 2 == 1
    assert {job.scheme for job in jobs} == set(design.schemes) & set(soak.KINDS)


def test_keys_follow_from_the_seed() -> None:
    one, two, three = (soak.key_of(random.Random(seed), 512) for seed in (1, 1, 2))
    assert one[1:] == two[1:] != three[1:]
    assert one[0].bits == one[1].bit_length() == 512
    key, n, d = one
    with Engine("soft") as engine:
        [result] = raw_private(engine, key, [bytes(63) + b"\5"])
    assert int.from_bytes(result, "big") == pow(5, d, n)


class Faulty:
    """An engine that is wrong once."""

    def modexp_batch(self, jobs: list[Job]) -> list[Result]:
        with Engine("soft") as engine:
            found = engine.modexp_batch(jobs)
        return [Result(found[0].value ^ 1, Counters(), None), *found[1:]]


def test_a_wrong_result_is_noticed() -> None:
    task = soak.Task("small powers", designs.get("study"), 10)
    with pytest.raises(soak.Wrong, match=r"small powers: study, cases 3 to 6, seed 7: Job\("):
        soak.chunk(Faulty(), task, 3, 4, 7)  # type: ignore[arg-type]


def test_wrong_ends_the_program(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object) -> float:
        raise soak.Wrong("a fault")

    monkeypatch.setattr(soak, "expected_s", refuse)
    assert soak.main(["--designs", "study", "--seed", "5", "--lanes", "0"]) == 1
    printed = capsys.readouterr()
    assert "seed 5" in printed.out
    assert "WRONG: a fault" in printed.err


def test_an_unknown_design_is_an_error() -> None:
    with pytest.raises(MonproError, match="there are: tiny"):
        soak.main(["--designs", "none"])
