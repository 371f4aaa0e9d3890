"""Every module of the RTL in its test bench, with each of the bench's parameter sets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import harness
from harness import Bench


@pytest.mark.parametrize("bench", harness.benches(), ids=str)
def test_module(bench: Bench, model: Callable[[Bench], Path], tmp_path: Path) -> None:
    harness.run(bench, model(bench), tmp_path)


def test_every_module_has_a_bench() -> None:
    """Packages hold no logic and the register block is PeakRDL's: all else must be tested."""
    modules = {
        name for name in harness.rtl_files() if not name.endswith("_pkg") and name != "monpro_regs"
    }
    assert modules, "no RTL found"
    assert modules <= {bench.top for bench in harness.benches()}
