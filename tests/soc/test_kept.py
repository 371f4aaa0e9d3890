# SPDX-License-Identifier: Apache-2.0
"""Runs that the cache has: the same run is simulated once, and another one never takes its place.

The simulator is a stand-in: a program that answers at once and notes that it was asked.
"""

from __future__ import annotations

import stat
import sys
import zlib
from pathlib import Path

import pytest

from monpro.errors import MonproError
from monpro.soc import build as soc_build
from monpro.soc import kept as soc_kept
from monpro.soc import run as soc
from monpro.soc.build import System
from monpro.soc.tasks import Kind, On, Task

TASK = Task(Kind.MODEXP, On.SOFT, (b"\3", b"\2", b"\1"), 2, 8, "modexp")
SYSTEM = System(None)
CYCLES = 4000


def line(body: str) -> str:
    return f"${body}*{zlib.crc32(body.encode()):08x}"


SAID = [
    line("hello tasks=1"),
    line("result task=0 what=modexp engine=soft status=MONPRO_OK cycles=7 out=02"),
    line("end done=1 cycles=3000"),
]


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A cache of its own, and a simulator whose every run adds a letter to this file."""
    asked, program = tmp_path / "asked", tmp_path / "abc.soc"
    asked.write_text("")
    program.write_text(
        f"#!{sys.executable}\nimport sys, pathlib\n"
        f"path = pathlib.Path({str(asked)!r})\npath.write_text(path.read_text() + 'x')\n"
        f"if int(sys.argv[2]) < {CYCLES}:\n    sys.exit(3)\n"
        f"print({chr(10).join(SAID)!r})\nprint('cycles {CYCLES}', file=sys.stderr)\n"
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("MONPRO_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(soc_build, "model_path", lambda system: program)
    monkeypatch.setattr(soc_build, "model", lambda system: program)
    return asked


def kept(folder: Path) -> list[Path]:
    return sorted((folder / "cache" / "runs").glob("*.json"))


def test_a_run_is_simulated_once(calls: Path) -> None:
    assert not soc.is_kept(SYSTEM, [TASK], b"firmware")
    first = soc.simulate(SYSTEM, [TASK], program=b"firmware")
    assert soc.is_kept(SYSTEM, [TASK], b"firmware")
    assert soc.simulate(SYSTEM, [TASK], program=b"firmware") == first
    assert calls.read_text() == "x"
    assert first[0].ok
    assert len(kept(calls.parent)) == 1


def test_other_firmware_other_tasks_another_model_are_other_runs(
    calls: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    soc.simulate(SYSTEM, [TASK], program=b"firmware")
    other = Task(Kind.MODEXP, On.SOFT, (b"\5", b"\2", b"\1"), 2, 8, "modexp")
    assert not soc.is_kept(SYSTEM, [TASK], b"another")
    assert not soc.is_kept(SYSTEM, [other], b"firmware")
    monkeypatch.setattr(soc_build, "model_path", lambda system: Path("other.soc"))
    assert not soc.is_kept(SYSTEM, [TASK], b"firmware")


def test_a_run_longer_than_the_limit_is_a_timeout_though_it_is_kept(calls: Path) -> None:
    soc.simulate(SYSTEM, [TASK], program=b"firmware")
    with pytest.raises(MonproError) as caught:
        soc.simulate(SYSTEM, [TASK], program=b"firmware", limit_cycles=CYCLES - 1)
    assert caught.value.name == "MONPRO_ERR_DEVICE_TIMEOUT"


def test_what_did_not_end_well_is_not_kept(calls: Path) -> None:
    with pytest.raises(MonproError):
        soc.simulate(SYSTEM, [TASK], program=b"firmware", limit_cycles=1)
    with pytest.raises(MonproError, match="did 1 of 2 tasks"):
        soc.simulate(SYSTEM, [TASK, TASK], program=b"firmware")
    soc_kept.keep(calls.parent / "cache" / "runs" / "failed.json", soc_kept.Said([], 4, 1))
    assert kept(calls.parent) == []


@pytest.mark.parametrize(
    "damage", ["", "[]", "{}", '{"lines": 3, "status": 0, "cycles": 1}', "cut", "flip"]
)
def test_damage_is_seen_and_the_run_is_simulated_again(calls: Path, damage: str) -> None:
    first = soc.simulate(SYSTEM, [TASK], program=b"firmware")
    [file] = kept(calls.parent)
    text = file.read_text()
    changed = {"cut": text[:-20], "flip": text.replace("cycles=7", "cycles=8")}
    file.write_text(changed.get(damage, damage))
    assert soc.simulate(SYSTEM, [TASK], program=b"firmware") == first
    assert calls.read_text() == "xx"
    assert file.read_text() == text
