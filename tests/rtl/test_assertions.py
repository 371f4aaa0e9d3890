"""Each kind of assertion under rtl/ ends a simulation when what it says does not hold.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import harness
from harness import Bench

# What is broken, in a model that this bench has too, and the assertion that has to see it.
CASES = [
    # The order's `unique case` sees it first.
    ("two_steps", "sequencer-single", "u_order"),
    ("no_step", "sequencer-single", "OneStep"),
    ("dropped_product", "issue-Crt0", "ProductStays"),
    ("two_writers", "core-study", "OneWriter"),
    ("two_words", "core-study", "OneWord"),
    ("two_readers", "core-study", "OneReader"),
    ("dropped_write_answer", "axi_lite-AddrBits7-DataAddr60", "WriteAnswerStays"),
    ("dropped_read_answer", "axi_lite-AddrBits7-DataAddr60", "ReadAnswerStays"),
    ("dropped_word", "stream", "AnswerStays"),
    ("two_operands", "misuse-study", "OneOperand"),
]


@pytest.mark.parametrize(("broken", "name", "assertion"), CASES)
def test_it_is_seen(
    broken: str, name: str, assertion: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    benches = {str(bench): bench for bench in harness.benches()}
    bench = benches[name]
    monkeypatch.setenv("MONPRO_VIOLATION", broken)
    model = harness.build(bench)
    with pytest.raises(AssertionError):
        harness.run(Bench("violations", bench.top, bench.parameters), model, tmp_path)
    log = (tmp_path / "sim.log").read_text(errors="replace")
    failed = re.findall(r"Assertion failed in \S*?(\w+):", log)
    assert failed == [assertion], log[-4000:]


def test_nothing_is_asserted_in_synthesis() -> None:
    """Every assertion, and what only assertions use, is left out there."""
    for path in harness.RTL.rglob("*.sv"):
        text = path.read_text(encoding="utf-8")
        outside = re.sub(r"`ifndef SYNTHESIS.*?`endif", "", text, flags=re.DOTALL)
        assert "assert property" not in outside, path
