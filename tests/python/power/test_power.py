# SPDX-License-Identifier: Apache-2.0
"""Estimates of power: sets of coefficients, fits, toggles counted by a simulation, the commands."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from monpro import MonproError
from monpro.hardware import designs
from monpro.papers.ledgard2023 import figures as ledgard2023_figures
from monpro.power import activity, coefficients, measurements, saif
from monpro.power import estimate as power
from monpro.power import fit as power_fit
from monpro.power import sets as power_sets
from monpro.power.fit import Point
from monpro.power.sets import Activity, Coefficients
from monpro.synth.targets import Counts

Monpro = Callable[..., subprocess.CompletedProcess[bytes]]
FILE = Path(__file__).resolve().parents[3] / "published" / "energy.toml"
COUNTS = Counts(lut=1000, ff=500, dsp=4, bram=2.0, carry=10)
SET = Coefficients(
    "test", {"lut": 1e-12, "ff": 2e-12, "clock": 3e-13, "dsp": 1e-12, "bram": 9e-12}, "xilinx7",
    2.0, "a test", "XC7A100T", 0.09,
)  # fmt: skip


# ---- estimates


def test_an_estimate_is_the_sum_of_its_kinds() -> None:
    found = power.estimate(COUNTS, Activity(0.1, 0.2, 15.0), 1e6, 100, SET, device="XC7A100T")
    expected = {"lut": 100e-6, "ff": 200e-6, "clock": 300e-6, "dsp": 60e-6, "bram": 36e-6}
    assert found.parts == pytest.approx(expected)
    assert found.dynamic_J == pytest.approx(sum(expected.values()))
    assert found.time_s == pytest.approx(0.01)
    assert found.dynamic_W == pytest.approx(found.dynamic_J / 0.01)
    assert found.energy_J == pytest.approx(found.dynamic_J + 0.09 * 0.01)
    assert found.low_J == pytest.approx(found.dynamic_J / 2 + 0.0009)
    assert found.high_J == pytest.approx(found.dynamic_J * 2 + 0.0009)
    assert (found.unknown, found.obtained) == ((), "estimated")
    assert found.record()["energy_uj_range"] == pytest.approx([1248.0, 2292.0])


def test_what_a_set_does_not_know_widens_the_range_or_is_named() -> None:
    bare = power.estimate(COUNTS, Activity(0.1, 0.2, 15.0), 1e6, 100, "thesis")
    assert bare.unknown == ("dsp", "bram")
    usual = power.estimate(COUNTS, "array", 1e6, 100, SET)
    assert usual.factor == pytest.approx(2 * power_sets.usual("array").factor)
    other = power.estimate(COUNTS, Activity(0.1, 0.2), 1e6, 100, SET, family="ecp5", device="LFE5")
    assert other.factor == pytest.approx(2 * power.OTHER_FAMILY_FACTOR)
    assert other.static_W is None
    assert other.energy_J == other.dynamic_J


def test_carries_count_where_they_take_luts() -> None:
    ecp5 = Counts(lut=100, ff=0, dsp=0, bram=0, carry=10, lut_sites=120)
    toggles = Activity(0.5, 0).by_kind({"lut": 100, "ff": 0, "dsp": 0, "bram": 0, "lut_sites": 120})
    assert toggles["lut"] == 60
    found = power.estimate(ecp5, Activity(0.5, 0), 1, 1, SET, family="ecp5")
    assert found.dynamic_J == pytest.approx(60e-12)


@pytest.mark.parametrize("name", ["coulomb", ""])
def test_an_unknown_set_or_multiplier_is_an_error(name: str) -> None:
    with pytest.raises(MonproError, match="there are: thesis, vtr-45nm"):
        coefficients.get(name)
    with pytest.raises(MonproError, match="no activity of the multiplier"):
        power.estimate(COUNTS, name, 1, 1)


# ---- sets


def test_the_published_sets() -> None:
    assert coefficients.names() == ["thesis", "vtr-45nm", "thesis+vtr"]
    both = coefficients.get(power_sets.DEFAULT)
    thesis, vtr = coefficients.get("thesis"), coefficients.get("vtr-45nm")
    assert set(both.joules) == set(power_sets.KINDS)
    assert both.joules["dsp"] == vtr.joules["dsp"] == 1.09e-12
    assert both.joules["lut"] == thesis.joules["lut"]
    assert both.static_W == 0.091
    assert both.factor == thesis.factor > vtr.factor
    multipliers = {d.multiplier for d in designs.load().values() if not d.stream}
    assert set(power_sets.load().usual) == multipliers == set(activity.USUAL)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('fit = "ledgard2023"', 'fit = "none"', 'fit = "none"; there is: ledgard2023'),
        ('fit = "ledgard2023"\n', "", "exactly one of joules, fit and of"),
        ("dsp = 1.09e-12", "dsp = -1", "dsp = -1 is not"),
        ("dsp = 1.09e-12", "spd = 1", 'unknown key "spd"'),
        ("[[set]]", "[[sets]]", 'unknown table "sets"'),
        ("logic = ", "locig = ", 'unknown key "locig"'),
        ("active_W = 0.033\n", "", 'microcontroller: "active_W" is missing'),
        ("[[set]]", "[[set", "energy.toml: "),
    ],
)
def test_a_slip_in_the_file_is_an_error(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = FILE.read_text()
    assert old in text
    path = tmp_path / "energy.toml"
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(MonproError) as error:
        power_sets.read(path)
    assert message in error.value.message
    assert error.value.name == "MONPRO_ERR_FILE"


# ---- fits


def _points(static: float) -> list[Point]:
    found = []
    for number, (a, b, c) in enumerate([(9, 2, 0), (1, 7, 3), (5, 5, 9), (2, 8, 1), (7, 1, 4)]):
        toggles = {"lut": 100.0 * a, "ff": 0.0, "clock": 200.0 * b, "dsp": 10.0 * c, "bram": 0.0}
        watts = 25e6 * (toggles["lut"] * 2e-12 + toggles["clock"] * 3e-13 + toggles["dsp"] * 1e-12)
        found.append(Point(f"d{number}", 1024, 25.0, toggles, watts + static))
    return found


def test_a_fit_finds_what_the_points_were_made_of() -> None:
    found = power_fit.fit(_points(0.05), static=True)
    assert found.static_W == pytest.approx(0.05, rel=1e-3)
    joules = {"lut": 2e-12, "clock": 3e-13, "dsp": 1e-12}
    assert dict(found.joules) == pytest.approx(joules, rel=1e-3)
    assert power_fit.worst(power_fit.leave_out(_points(0.0), static=False)) < 1.001


def test_coefficients_are_never_negative() -> None:
    points = [Point("a", 1, 1, {"lut": 1.0, "clock": x}, 1 / x) for x in (1.0, 2.0, 3.0)]
    assert min(power_fit.fit(points, static=False).joules.values()) >= 0


def test_too_few_points() -> None:
    with pytest.raises(MonproError, match="too few points: 3 for 4 coefficients"):
        power_fit.fit(_points(0.05)[:3], static=True)


def test_the_thesis_predicted_from_two_of_its_designs() -> None:
    """Simulated activity explains more than none, and far from all."""
    same, usual = (
        power_fit.leave_out(coefficients.thesis_points(activities), static=False)
        for activities in (coefficients.assumed(coefficients.VECTORLESS), coefficients.usual())
    )
    assert len(same) == len(usual) == 18
    assert 2 < power_fit.worst(usual) < power_fit.worst(same) < 10
    last = usual[-1]
    assert (last.point.design, last.point.bits, last.point.power_W) == ("montgomery", 1024, 1.017)
    assert last.ratio < 0.5
    known = ledgard2023_figures.load()
    assert {each.point.bits for each in usual} == set(known.bits)


# ---- a board's measurements

HEAD = "design,bits,clock_MHz,lut,ff,dsp,bram,logic,register,dsp_toggles,power_W"
LINES = [
    '"small",1024,50,3876,5828,16,6.5,0.2,0.25,15,0.31',
    '"small",1024,25,3876,5828,16,6.5,0.2,0.25,15,0.20',
    '"tiny",1024,50,2112,2060,1,3,0.07,0.12,16,0.14',
    '"tiny",1024,100,2112,2060,1,3,0.07,0.12,16,0.19',
    '"binary",1024,50,30000,14000,0,0,0.13,0.08,0,0.6',
    '"binary",1024,10,30000,14000,0,0,0.13,0.08,0,0.2',
    '"montgomery",1024,20,12000,15000,0,0,0.17,0.13,0,0.3',
]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([HEAD, *LINES[:2], LINES[2].replace("0.07", "x")], 'line 4, column logic: "x"'),
        ([HEAD, LINES[0].replace("0.31", "0")], 'line 2, column power_W: "0" is not'),
        ([HEAD, LINES[0].replace("0.31", "nan")], 'line 2, column power_W: "nan"'),
        ([HEAD, LINES[0] + ",1"], "line 2: 12 columns, the first has 11"),
        ([HEAD.replace("lut", "LUT"), *LINES], 'line 1: unknown column "LUT"'),
        ([HEAD.replace(",dsp_toggles", ""), *LINES], 'line 1: no column "dsp_toggles"'),
        ([HEAD, LINES[0].replace('"small"', '""')], "line 2, column design: it is empty"),
        ([HEAD, '"small,1'], "line 2: "),
        ([HEAD], "no measurements"),
        ([], "no measurements"),
    ],
)
def test_a_malformed_file_says_where(lines: list[str], message: str) -> None:
    with pytest.raises(MonproError) as error:
        measurements.read_csv("m.csv", "\n".join(lines) + "\n")
    assert error.value.name == "MONPRO_ERR_FILE"
    assert message in error.value.message


def test_a_fit_of_a_board_makes_a_set(monpro: Monpro, tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("\n".join([HEAD, "# a remark", *LINES]) + "\n")
    done = monpro("power", "fit", "m.csv", "--name", "mine", "--device", "XC7A100T", "-o", "s.toml")
    assert (done.returncode, done.stdout) == (0, b""), done.stderr
    more = power_sets.read(tmp_path / "s.toml")
    found = coefficients.get("mine", more)
    assert found.calibrated
    assert found.factor >= 1
    points = measurements.read_csv("m.csv", (tmp_path / "m.csv").read_text())
    assert dict(found.joules) == pytest.approx(
        power_fit.fit(points, static=True).joules, rel=1e-3, abs=1e-18
    )
    listed = monpro("power", "sets", "--sets", "s.toml", "--json")
    assert json.loads(listed.stdout)[0]["set"] == "mine"


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["power", "fit", "nowhere.csv"], b"MONPRO_ERR_FILE"),
        (["power", "fit", "few.csv"], b"MONPRO_ERR_ARGUMENT: too few points"),
        (["power", "fit", "few.csv", "--family", "vax"], b"MONPRO_ERR_ARGUMENT"),
        (["power", "estimate", "small", "--set", "x"], b"MONPRO_ERR_ARGUMENT: no set"),
        (["power", "estimate", "pynq"], b"MONPRO_ERR_UNSUPPORTED"),
        (["power", "estimate", "tiny", "--bits", "32"], b"MONPRO_ERR_PARAMETER"),
        (["power", "activity", "dataflow"], b"MONPRO_ERR_UNSUPPORTED"),
        (["power", "activity", "study", "--bits", "1024"], b"MONPRO_ERR_PARAMETER"),
        (["power", "estimate", "small", "--clock-mhz", "-1"], b"MONPRO_ERR_ARGUMENT"),
    ],
)
def test_bad_input_has_a_name(
    monpro: Monpro, tmp_path: Path, arguments: list[str], status: bytes
) -> None:
    (tmp_path / "few.csv").write_text("\n".join([HEAD, *LINES[:2]]) + "\n")
    done = monpro(*arguments)
    assert done.returncode == 2
    assert status in done.stderr


# ---- toggles

SAIF = r"""(SAIFILE
(DURATION 100)
 (INSTANCE monpro
  (NET
   (clk_i (T0 50) (T1 50) (TZ 0) (TX 0) (TB 0) (TC 20))
   (never\[0\] (T0 100) (T1 0) (TZ 0) (TX 0) (TB 0) (TC 0))
   (wire\[3\] (T0 50) (T1 50) (TZ 0) (TX 0) (TB 0) (TC 6))
   (count_q\[0\] (T0 50) (T1 50) (TZ 0) (TX 0) (TB 0) (TC 9))
  )
  (INSTANCE u_block
   (NET
    (clk_i (T0 50) (T1 50) (TZ 0) (TX 0) (TB 0) (TC 20))
    (a_i\[0\] (T0 50) (T1 50) (TZ 0) (TX 0) (TB 0) (TC 4))
    (b_i\[0\] (T0 50) (T1 50) (TZ 0) (TX 0) (TB 0) (TC 3))
    (memory_q\[0\] (T0 50) (T1 50) (TZ 0) (TX 0) (TB 0) (TC 5))
   )
  )
 )
)
"""


def test_toggles_are_counted_by_instance(tmp_path: Path) -> None:
    path = tmp_path / "t.saif"
    path.write_text(SAIF)
    found = saif.read(path)
    assert list(found.instances) == ["monpro", "monpro/u_block"]
    total = found.total()
    assert (total.registers, total.register_changes) == (1, 9)
    assert (total.nets, total.net_changes) == (3, 13)
    assert (found.blocks, total.factor_changes, found.clock_cycles) == (1, 7, 10)


def test_no_activity_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "t.saif"
    path.write_text(SAIF.replace("(TC 20)", "(TC 0)"))
    with pytest.raises(MonproError, match="no activity"):
        saif.read(path)
    with pytest.raises(MonproError, match="MONPRO_ERR_FILE"):
        saif.read(tmp_path / "nowhere.saif")


def test_the_activity_of_a_design(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that simulates in a second; kept, and a damaged note counts as none."""
    study = designs.get("study")
    found = activity.measured(study, 128)
    assert (found.blocks, found.operation) == (study.multipliers, "modexp")
    assert 0 < found.logic < 1
    assert 0 < found.register < 1
    assert 0 < found.dsp <= 2 * study.word_bits
    monkeypatch.setattr(activity, "_run", lambda *_: pytest.fail("simulated again"))
    assert activity.measured(study, 128) == found
    note = activity._note(study, 128)
    whole = note.read_bytes()
    try:
        note.write_bytes(whole[:20])
        assert activity.kept(study, 128) is None
    finally:
        note.write_bytes(whole)
