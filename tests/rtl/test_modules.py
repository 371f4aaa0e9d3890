"""Every module of the RTL in its test bench, with each of the bench's parameter sets."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import harness
from harness import Bench
from monpro import rtl


@pytest.mark.parametrize("bench", harness.benches(), ids=str)
def test_module(bench: Bench, outcome: Callable[[Bench], None]) -> None:
    outcome(bench)


def test_every_module_has_a_bench() -> None:
    """The register block is PeakRDL's, and the coprocessor's benches use all of it."""
    modules = set(rtl.modules(harness.RTL)) - {"monpro_regs"}
    assert modules <= {bench.top for bench in harness.benches()}
