# SPDX-License-Identifier: Apache-2.0
"""The theorems of formal/: quick ones whole, of the others that their breaks are still breaks."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from formal import __main__ as formal
from formal.theorem import Mutant, Theorem, Verdict

ROOT = Path(__file__).resolve().parents[2]
THEOREMS = {theorem.name: theorem for theorem in formal.theorems()}
STUDY = THEOREMS["constant time: study"]


def command(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["formal", *arguments])
    return formal.main()


def test_every_theorem_has_a_break() -> None:
    assert all(theorem.mutants or theorem.breaks for theorem in THEOREMS.values())


def test_every_break_changes_the_rtl_of_today(tmp_path: Path) -> None:
    mutants = {mutant for theorem in THEOREMS.values() for mutant in theorem.mutants}
    assert len(mutants) >= 10
    for mutant in mutants:
        source, copy = ROOT / "rtl" / mutant.file, tmp_path / mutant.file
        copy.parent.mkdir(exist_ok=True)
        shutil.copy(source, copy)
        mutant.apply(tmp_path)
        assert copy.read_text() != source.read_text()


def test_a_break_whose_text_is_gone_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.sv").write_text("module a; endmodule\n")
    with pytest.raises(ValueError, match=r"gone: a\.sv has the text 0 times, not once"):
        Mutant("gone", "a.sv", "nowhere", "anywhere").apply(tmp_path)


@pytest.mark.parametrize("name", [name for name in THEOREMS if name.startswith("arithmetic")])
def test_arithmetic(name: str) -> None:
    """Each claim holds, and does not without any one of its hypotheses."""
    for job in formal.jobs(THEOREMS[name]):
        _, verdict, _ = formal.work(job)
        assert verdict.holds == (not job.mutant), (job, verdict.why)


@pytest.mark.parametrize(
    ("mutant", "why"),
    [
        ("", ""),
        ("the look-up reads the entry alone", "table"),
        ("two states follow a multiplication", "a state is not one-hot"),
        ("the configuration can be written during an operation", "can be written during"),
    ],
)
def test_the_whole_coprocessor_keeps_its_time(mutant: str, why: str) -> None:
    """`study`, the smallest; the others are in make prove."""
    assert not mutant or mutant in {one.name for one in STUDY.mutants}
    _, verdict, _ = formal.work(formal.Job(STUDY.name, mutant))
    assert verdict.holds == (not mutant)
    assert why in verdict.why


def test_a_break_that_nothing_notices_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    blind = Theorem("blind", "Nothing.", "none", "none", lambda *_: Verdict(True), breaks=("any",))
    monkeypatch.setattr(formal, "theorems", lambda: [blind])
    monkeypatch.setattr(formal, "run", lambda *_: "")
    lines = formal.Line(blind, Verdict(True), survivors=["any"])
    assert not lines.ok
    assert "not noticed: any" in str(lines)
    assert "0 of 1 breaks noticed" in str(lines)


def test_a_name_that_no_theorem_has(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(monkeypatch, "fermat") == 2
    said = capsys.readouterr().err
    assert "no name has fermat in it" in said
    assert "arithmetic: row" in said


def test_the_list(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(monkeypatch, "--list", "arithmetic") == 0
    said = capsys.readouterr().out
    assert said.count("Z3 over integers") == sum(name.startswith("arithmetic") for name in THEOREMS)


def test_the_command_proves(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(monkeypatch, "arithmetic: order", "--jobs", "1") == 0
    assert "1 of 1 theorems proved; 2 breaks on purpose tried" in capsys.readouterr().out
