"""Every module of the RTL in its test bench, with each of the bench's parameter sets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import harness
from harness import Bench
from monpro.hardware import rtl

# Seconds, where a bench takes more than ten; only the order in which they begin depends on these.
SLOW = {
    "mul_pipelined-WordBits36-Elements32-MaxWords127": 30,
    "sequencer-crt": 25,
    "coprocessor-study": 25,
    "crt-fast": 20,
    "core-crt": 20,
    "dataflow-one": 20,
    "core-one_pass": 15,
    "designs-tiny": 15,
    "mul_array-WordBits17-Elements16-MaxWords243": 15,
    "misuse-study": 15,
    "stream_coprocessor-study": 25,
    "core-odd_fill": 15,
}


def benches() -> Iterator[object]:
    """All of them, those with a model that another one builds after the others."""
    found = harness.benches()
    first: dict[object, Bench] = {}
    for bench in sorted(found, key=lambda one: first.setdefault(one.model, one) is not one):
        name = str(bench)
        marks = [pytest.mark.slow(SLOW[name])] if name in SLOW else []
        yield pytest.param(bench, id=name, marks=marks)


@pytest.mark.parametrize("bench", list(benches()))
def test_module(bench: Bench, tmp_path: Path) -> None:
    harness.run(bench, harness.build(bench), tmp_path)


def test_every_module_has_a_bench() -> None:
    """The register block is PeakRDL's, and the coprocessor's benches use all of it."""
    modules = set(rtl.modules(harness.RTL)) - {"monpro_regs"}
    assert modules <= {bench.top for bench in harness.benches()}


def test_the_slow_benches_are_there() -> None:
    assert SLOW.keys() <= set(map(str, harness.benches()))
