# SPDX-License-Identifier: Apache-2.0
"""Every module of the RTL in its test bench, with each of the bench's parameter sets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import harness
from harness import Bench
from monpro.hardware import rtl


def benches() -> Iterator[object]:
    """All of them, those with a model that another one builds after the others."""
    found = harness.benches()
    first: dict[object, Bench] = {}
    for bench in sorted(found, key=lambda one: first.setdefault(one.model, one) is not one):
        yield pytest.param(bench, id=str(bench), marks=pytest.mark.room(bench.room))


@pytest.mark.parametrize("bench", list(benches()))
def test_module(bench: Bench, tmp_path: Path) -> None:
    harness.run(bench, harness.build(bench), tmp_path)


def test_every_module_has_a_bench() -> None:
    """The register block is PeakRDL's, and the coprocessor's benches use all of it."""
    modules = set(rtl.modules(harness.RTL)) - {"monpro_regs"}
    assert modules <= {bench.top for bench in harness.benches()}
