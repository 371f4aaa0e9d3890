# SPDX-License-Identifier: Apache-2.0
"""The verdict: its arithmetic, what stands in its tables, and its errors."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from monpro import MonproError
from monpro.base import terminal
from monpro.power import activity, coefficients, verdict, verdict_table
from monpro.power import sets as power_sets
from monpro.power.verdict import Subject, break_even
from monpro.synth import area, clocks
from monpro.synth.targets import Counts
from monpro.webpage import sources

Monpro = Callable[..., subprocess.CompletedProcess[bytes]]
COUNTS = Counts(lut=4000, ff=5000, dsp=16, bram=6.5, carry=400)


@pytest.fixture(autouse=True)
def _fixed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever this machine's cache has."""
    monkeypatch.setattr(clocks, "placed", lambda design: None)
    monkeypatch.setattr(area, "kept", lambda design: COUNTS)
    monkeypatch.setattr(activity, "kept", lambda design, bits: None)


def _subject(time_s: float, energy_J: float, idle_W: float) -> Subject:
    return Subject("x", "decrypt", time_s, energy_J, idle_W, "published")


def test_break_even_is_where_the_mean_powers_meet() -> None:
    fpga, slow = _subject(0.001, 0.001, 0.09), _subject(1.0, 0.033, 4e-6)
    rate = break_even(fpga, slow)
    assert rate == pytest.approx((0.09 - 4e-6) / (0.033 - 4e-6 - 0.001 + 0.00009))
    assert rate is not None
    assert fpga.idle_W + rate * fpga.above_idle_J == pytest.approx(
        slow.idle_W + rate * slow.above_idle_J
    )
    assert slow.mean_W(rate) is None  # it can do one a second
    assert fpga.mean_W(rate) == pytest.approx(0.09 + rate * (0.001 - 0.00009))
    assert break_even(slow, fpga) is None
    assert break_even(_subject(0.001, 0.0001, 0), slow) == 0


def test_the_microcontroller_is_the_thesis_s() -> None:
    found = {(each.who, each.operation): each for each in verdict.microcontrollers()}
    assert len(found) == 6
    fast = found["MSP430, 25 MHz", "decrypt"]
    assert fast.time_s == 1.14
    assert fast.energy_J == pytest.approx(0.03762)
    assert found["MSP430, 8 MHz", "encrypt"].energy_J == pytest.approx(0.00693)


def test_a_verdict_has_everybody() -> None:
    found = verdict.run(coefficients.get(power_sets.DEFAULT), 0.1)
    who = [item["who"] for item in found if item["operation"] == "rsa_private"]
    assert who == [
        "MSP430, 8 MHz", "MSP430, 16 MHz", "MSP430, 25 MHz", "thesis: binary",
        "thesis: montgomery", *(verdict.BOUND + name for name in verdict.THEIRS), *verdict.OURS,
    ]  # fmt: skip
    thesis = next(item for item in found if item["who"] == "thesis: montgomery")
    assert thesis["energy_uj"] == pytest.approx(1.108 * 363.253)
    for item in found:
        assert item["power_mw"] * item["time_ms"] == pytest.approx(item["energy_uj"])
        if item["who"] in verdict.OURS:
            assert item["obtained"] == "estimated"
            low, high = item["energy_uj_range"]
            assert low < item["energy_uj"] < high
    with terminal.collected() as parts:
        verdict_table.show(found, 0.1, Path("v.json"))
    text = " ".join(part for part in parts if isinstance(part, str))
    assert "Watts, which the thesis compares, rule out every design" in text
    assert "Joules turn it round" in text
    assert "break-even rate" in text
    assert parts[-1] == "\nRecords: v.json"


@pytest.mark.parametrize("rate", [0.0, -1.0, float("nan")])
def test_a_rate_is_above_0(rate: float) -> None:
    with pytest.raises(MonproError, match="MONPRO_ERR_ARGUMENT"):
        verdict.run(coefficients.get(power_sets.DEFAULT), rate)


def test_a_set_without_static_power_gives_no_verdict() -> None:
    with pytest.raises(MonproError, match="no static power"):
        verdict.run(coefficients.get("vtr-45nm"), 1)


def test_the_command(monpro: Monpro, tmp_path: Path) -> None:
    done = monpro("verdict", "--quick", "--rate", "0.5", "--json")
    assert done.returncode == 0, done.stderr
    # Where the page looks for it.
    [source] = [one for one in sources.sources() if one.key == "verdict"]
    assert (tmp_path / "build" / source.file).read_bytes() == done.stdout
    items = json.loads(done.stdout)
    assert {item["rate_per_s"] for item in items} == {0.5}
    assert {"idle_mw", "mean_mw", "break_even_per_s"} <= set(items[-1])
    done = monpro("verdict", "--quick", "--out", "new/v.json")
    assert done.stdout.endswith(b"Records: new/v.json\n"), done.stderr
    assert sources.read(tmp_path / "new" / "v.json")


def test_records_are_written_whole_or_not_at_all(monpro: Monpro, tmp_path: Path) -> None:
    out = tmp_path / "v.json"
    for before in (None, b"old"):
        if before is not None:
            out.write_bytes(before)
        done = monpro("verdict", "--rate", "0", "--out", out)
        assert done.returncode == 2
        assert b"above 0, please" in done.stderr
        assert list(tmp_path.iterdir()) == ([out] if before else [])
    assert out.read_bytes() == b"old"
    out.chmod(0o400)
    for wrong, words in ((out, b"v.json"), ("/dev/null/v.json", b"/dev/null"),
                         ("/dev/full", b"/dev/full: No space left")):  # fmt: skip
        done = monpro("verdict", "--quick", "--out", wrong)
        assert (done.returncode, done.stdout) == (2, b"")
        assert b"MONPRO_ERR_FILE: " in done.stderr
        assert words in done.stderr
    assert out.read_bytes() == b"old"
