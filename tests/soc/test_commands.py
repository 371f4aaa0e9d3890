# SPDX-License-Identifier: Apache-2.0
"""The commands, with a simulation that says what the test wants."""

from __future__ import annotations

import dataclasses
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from monpro.base import paths
from monpro.cli import program
from monpro.errors import MonproError
from monpro.soc import peer as soc_peer
from monpro.soc import run as soc
from monpro.soc.build import System
from monpro.soc.run import Outcome
from monpro.soc.tasks import DMA, On, Task

DEVICE = {
    "warm": 0, "products": 640, "load": 100, "precompute": 1000, "exponentiate": 99_000,
    "read": 50, "span": 125_000, "scheme": 1, "window": 5,
}  # fmt: skip


def invoke(*arguments: str) -> Any:
    return CliRunner().invoke(program.app, ["soc", *arguments])


def outcome(task: Task) -> Outcome:
    soft = task.on == On.SOFT
    counters = {"scheme": 1} if soft else DEVICE
    cycles = 1_000_000 if soft else 200_000
    engine = "soft" if soft else "device"
    return Outcome(task, "modexp", engine, "MONPRO_OK", cycles, "", task.expected, counters)


@pytest.fixture
def simulated(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[tuple[System, list[Task]]]]:
    """Runs that were asked for; no system is built."""
    asked: list[Sequence[tuple[System, list[Task]]]] = []

    def run(runs: Sequence[tuple[System, list[Task]]], **_: Any) -> list[Outcome]:
        asked.append(runs)
        return [outcome(task) for _system, tasks in runs for task in tasks]

    monkeypatch.setattr(soc, "firmware", lambda peer=False: b"")
    monkeypatch.setattr(soc, "is_kept", lambda *_: False)
    monkeypatch.setattr(soc, "build", lambda runs: None)
    monkeypatch.setattr(soc, "run", run)
    return asked


def test_list_names_every_program() -> None:
    assert all(name in invoke("list").stdout for name in soc.PROGRAMS)
    assert {item["program"] for item in json.loads(invoke("list", "--json").stdout)} == set(
        soc.PROGRAMS
    )


def test_a_table_and_its_records(simulated: list[Any]) -> None:
    shown = invoke("run", "stream", "--design", "tiny", "--bits", "128")
    assert shown.exit_code == 0
    assert "5 of 5 as they must be" in shown.stdout
    assert "20.00" in shown.stdout  # percent of overhead
    assert "5.00" in shown.stdout  # times faster
    assert "about" in shown.stderr  # how long, said beforehand
    found = json.loads(
        invoke("run", "stream", "--design", "tiny", "--bits", "128", "--json").stdout
    )
    assert [item["engine"] for item in found] == ["soft", *["device"] * 4]
    assert [item.get("path") for item in found[1:]] == ["registers"] * 2 + ["stream"] * 2
    assert found[-1]["cycles_device"] == 100_000
    assert found[-1]["overhead"] == pytest.approx(0.2)
    assert found[0]["clock"] == "assumed"
    software, rest = simulated[0]
    assert software[0] == System(None)
    assert rest[0].streams


def test_dma_is_for_what_the_coprocessor_does(simulated: list[Any]) -> None:
    assert invoke("run", "rsa", "--design", "tiny", "--bits", "512", "--dma").exit_code == 0
    [(software, soft), (system, device)] = simulated[0]
    assert (software.streams, system.streams) == (False, True)
    assert not any(task.flags & DMA for task in soft)
    assert all(task.flags & DMA for task in device)


def test_a_wrong_result_is_no_success(
    simulated: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(runs: Any, **_: Any) -> list[Outcome]:
        right = [outcome(task) for _system, tasks in runs for task in tasks]
        return [dataclasses.replace(right[0], out=1), *right[1:]]

    monkeypatch.setattr(soc, "run", wrong)
    shown = invoke("run", "modexp", "--design", "tiny", "--bits", "128")
    assert shown.exit_code == 1
    assert "WRONG" in shown.stdout


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (("nothing",), "MONPRO_ERR_ARGUMENT"),
        (("modexp", "--design", "smal"), "MONPRO_ERR_DESIGN"),
        (("modexp", "--scheme", "fastest"), "MONPRO_ERR_SCHEME"),
        (("modexp", "--design", "pynq", "--bits", "256"), "MONPRO_ERR_MODULUS_SHORT"),
        (("modexp", "--design", "pynq", "--bits", "4096"), "MONPRO_ERR_MODULUS_LONG"),
        (("rsa", "--scheme", "binary"), "MONPRO_ERR_ARGUMENT"),
        (("schemes", "--design", "none"), "MONPRO_ERR_ARGUMENT"),
        (("errors", "--design", "none"), "MONPRO_ERR_ARGUMENT"),
        (("errors", "--design", "study", "--bits", "120"), "MONPRO_ERR_ARGUMENT"),
        (("stream", "--design", "none"), "MONPRO_ERR_ARGUMENT"),
        (("errors", "--design", "codesign", "--bits", "1000"), "MONPRO_ERR_ARGUMENT"),
        (("modexp", "--clock", "0"), "MONPRO_ERR_ARGUMENT"),
    ],
)
def test_wrong_use_has_a_name(arguments: tuple[str, ...], name: str) -> None:
    failed = invoke("run", *arguments)
    assert isinstance(failed.exception, MonproError)
    assert failed.exception.name == name


def test_a_key_is_the_same_at_every_run(simulated: list[Any]) -> None:
    for _ in range(2):
        assert invoke("run", "rsa", "--design", "tiny", "--bits", "512").exit_code == 0
    assert simulated[0] == simulated[1]


def test_the_example_writes_into_its_folder_alone(tmp_path: Path) -> None:
    script = paths.share() / "soc" / "monpro_soc.py"
    done = subprocess.run(
        [sys.executable, str(script), "--design", "tiny", "--streams", "--output", "here"],
        cwd=tmp_path, text=True, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["here"]
    verilog = (tmp_path / "here" / "monpro_soc.v").read_text(encoding="utf-8")
    read = re.findall(r'\$readmemh\("([^"]+)"', verilog)
    assert {"monpro_soc_rom.init", "monpro_soc_sram.init"} <= set(read)
    for name in read:
        assert (tmp_path / "here" / name).is_file()
        assert name in done.stdout
    listed = (tmp_path / "here" / "files.txt").read_text(encoding="utf-8").split()
    assert listed[-1] == "monpro_soc.v"
    assert any(name.endswith("/monpro_coprocessor.sv") for name in listed)


def test_processes_that_fetch_the_peer_do_not_meet(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "source"
    for part in ("include", "library"):
        (source / part).mkdir(parents=True)
        (source / part / "file").write_text(part)
    (source / "LICENSE").write_text("text")
    folder = tmp_path / "vendor" / soc_peer.PACKAGE / "vendor"
    target = tmp_path / "peers" / "peer"

    def cargo(*_: Any, cwd: Path, **__: Any) -> subprocess.CompletedProcess[str]:
        into = cwd / folder.relative_to(tmp_path)
        shutil.copytree(source, into)
        (into / "library" / soc_peer.FILES[0]).write_text("")
        if not target.exists() and inner:  # another process, from its begin to its end
            inner.pop()()
        return subprocess.CompletedProcess([], 0, "")

    inner = [lambda: soc_peer._fetch(target)]
    monkeypatch.setattr(shutil, "which", lambda *_, **__: "cargo")
    monkeypatch.setattr(subprocess, "run", cargo)
    soc_peer._fetch(target)
    assert [path.name for path in target.parent.iterdir()] == ["peer"]
    assert (target / "library" / "file").read_text() == "library"
    assert (target / "LICENSE").is_file()
