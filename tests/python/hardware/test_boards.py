# SPDX-License-Identifier: Apache-2.0
"""Boards: each is a folder, found by a scan. A new one needs its folder and nothing else."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from monpro import MonproError
from monpro.base import paths
from monpro.cli import program
from monpro.hardware import boards
from monpro.soc import bitstream as soc_bitstream
from monpro.soc import run as soc
from monpro.synth import bitstream as synth_bitstream
from monpro.synth import targets, tools
from synthesis_stand_in import Calls, use

BOARD = """
summary = "a tiny board"
tool = "nextpnr"
target = "ecp5-25"
package = "CABGA256"
clock_mhz = 12
pins = "tiny.lpf"
formats = ["bit"]
next = "load {file}"

[tops]
coprocessor = "monpro_tiny_board"
system = "monpro_soc_tiny_board"
"""
PINS = 'LOCATE COMP "clk_i" SITE "A1";\nFREQUENCY PORT "clk_i" 12 MHZ;\n'
TOP = "module {name} #(parameter int unsigned Elements = 1) (input logic clk_i);\nendmodule\n"
PROJECT = """
summary = "a tiny Zynq board"
tool = "vivado"
target = "xc7z020"
package = "clg225-1"
clock_mhz = 20
pins = "pins.xdc"
script = "project.tcl"
overlay = "monpro.dtso"
formats = ["bit"]
next = "vivado {file}"
tops = { system = "monpro_axi" }
"""


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree with all that the package has, and boards of its own: those two, and new ones."""
    share = paths.share()
    root = tmp_path / "tree"
    root.mkdir()
    for name in ("designs.toml", "rtl", "sim", "soc", "lib", "published"):
        (root / name).symlink_to(share / name)
    shutil.copytree(share / "boards", root / "boards")
    monkeypatch.setattr(paths, "share", lambda: root)
    return root / "boards"


def add(tree: Path, text: str = BOARD) -> Path:
    folder = tree / "tiny_board"
    folder.mkdir()
    (folder / "board.toml").write_text(text)
    (folder / "tiny.lpf").write_text(PINS)
    for name in ("monpro_tiny_board", "monpro_soc_tiny_board"):
        (folder / f"{name}.sv").write_text(TOP.format(name=name))
    return folder


def invoke(*arguments: str) -> Any:
    return CliRunner().invoke(program.app, arguments)


# ---- Monpro's own


def test_every_folder_is_a_board_or_shared() -> None:
    folders = {path.name for path in boards.folder().iterdir() if path.is_dir()}
    names = {name.replace("-", "_") for name in boards.load()}
    assert folders == names | {boards.COMMON}
    assert boards.default().name == "ulx3s"


@pytest.mark.parametrize("board", boards.load().values(), ids=lambda board: board.name)
def test_a_board_has_what_its_file_names(board: boards.Board) -> None:
    assert board.target in targets.load()
    if board.tool == "nextpnr":
        assert synth_bitstream.target(board).name == board.target
        for system in board.tops:
            ports = board.top_file(system).read_text()
            assert re.search(rf"^module {board.top(system)}\b", ports, re.M)
            for line in board.constraints.read_text().splitlines():
                if line.startswith("LOCATE"):
                    assert line.split('"')[1].partition("[")[0] in ports
    assert "{file}" in board.next


# ---- a new one


def test_a_new_board_gets_a_bitstream(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: Calls = use(monkeypatch, tmp_path / "cache")
    seen: list[list[str]] = []
    stand_in = tools.run

    def run(tool: tools.Tool, arguments: Any, folder: Path) -> None:
        seen.append([str(path.name) for path in folder.iterdir()])
        if tool == tools.ECPPACK:
            calls.append(tool.entry)
            (folder / "board.bit").write_bytes(b"bits")
            return
        stand_in(tool, arguments, folder)
        if tool == tools.NEXTPNR:
            assert arguments[arguments.index("--package") + 1] == "CABGA256"
            assert (folder / "pins.lpf").read_text() == PINS

    monkeypatch.setattr(tools, "run", run)
    add(tree)
    out = tmp_path / "out.bit"
    done = invoke("synth", "tiny", "--board", "tiny-board", "--bitstream", str(out), "--json")
    assert done.exit_code == 0, done.output
    [made] = json.loads(done.stdout)
    assert (made["board"], made["target"], made["clock_mhz_needed"]) == (
        "tiny-board",
        "ecp5-25",
        12,
    )
    assert out.read_bytes() == b"bits"
    assert calls == ["run_yosys", "run_nextpnr_ecp5", "run_ecppack"]
    assert "monpro_tiny_board.sv" in seen[0]
    assert "monpro_soc_tiny_board.sv" not in seen[0]  # the top of another system
    said = invoke("synth", "tiny", "--board", "tiny-board", "--bitstream", str(out))
    assert said.output.rstrip().endswith(f"next: load {out}")


def test_a_new_board_gets_a_system(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[tuple[Any, ...]] = []

    def sources(design: Any, rom: str, board: boards.Board, folder: Path) -> str:
        return board.top("system")

    def build(sources: str, board: boards.Board, name: str, say: Any) -> Any:
        built.append((sources, board.name))
        return b"bits", {"lut": 1, "clock_mhz": 30.0, "clock_mhz_needed": 12.0}

    monkeypatch.setattr(soc, "firmware", lambda peer=False: b"\x13\0\0\0")
    monkeypatch.setattr(soc_bitstream, "sources", sources)
    monkeypatch.setattr(soc_bitstream.soc_build, "rom", lambda program, tasks: "")
    monkeypatch.setattr(soc_bitstream.tools, "require", lambda needed: None)
    monkeypatch.setattr(synth_bitstream, "build", build)
    add(tree)
    out = tmp_path / "out.bit"
    done = invoke("soc", "build", "--board", "tiny-board", "--bits", "256", "-o", str(out))
    assert done.exit_code == 0, done.output
    assert built == [("monpro_soc_tiny_board", "tiny-board")]
    assert out.read_bytes() == b"bits"


def test_a_new_board_gets_a_project(tree: Path, tmp_path: Path) -> None:
    folder = tree / "tiny_zynq"
    folder.mkdir()
    (folder / "board.toml").write_text(PROJECT)
    for name in ("pins.xdc", "project.tcl"):
        (folder / name).write_text(f"# {name}\n")
    (folder / "monpro.dtso").write_text("reg = <0x40000000 0x2000>;\n")
    out = tmp_path / "project"
    done = invoke("soc", "build", "--board", "tiny-zynq", "--design", "tiny", "-o", str(out))
    assert done.exit_code == 0, done.output
    assert done.output.rstrip().endswith(f"next: vivado {out / 'project.tcl'}")
    settings = (out / "settings.tcl").read_text()
    assert "set part xc7z020clg225-1\n" in settings
    assert "set clock_mhz 20\n" in settings
    assert "set address 0x40000000\nset range 0x2000\n" in settings
    assert {"pins.xdc", "project.tcl", "monpro.dtso", "monpro_axi.v"} <= {
        path.name for path in out.iterdir()
    }


# ---- slips


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("clock_mhz = 12\n", "", 'tiny_board/board.toml: "clock_mhz" is missing'),
        ("clock_mhz = 12", "clock_mhz = 0", "clock_mhz = 0 is not a positive number"),
        ("clock_mhz = 12", "clock_MHz = 12", 'unknown key "clock_MHz"; there are: summary, tool'),
        ('"nextpnr"', '"quartus"', 'tool = "quartus"; there are: nextpnr, vivado'),
        ('"nextpnr"', '"vivado"', 'tool = "vivado" wants script and overlay'),
        ('"tiny.lpf"', '"huge.lpf"', 'pins: there is no file "huge.lpf" beside it'),
        ('"monpro_tiny_board"', '"top"', 'tops.coprocessor: there is no file "top.sv" or "top.v"'),
        ("coprocessor =", "chip =", 'tops: unknown key "chip"; there are: coprocessor, system'),
        ("[tops]", "[top]", 'unknown table "top"; there are: '),
    ],
)
@pytest.mark.parametrize("command", [("synth", "tiny", "--bitstream"), ("soc", "build", "-o")])
def test_a_slip_is_an_error_of_both_commands(
    tree: Path, tmp_path: Path, command: tuple[str, ...], old: str, new: str, message: str
) -> None:
    assert old in BOARD
    add(tree, BOARD.replace(old, new, 1))
    failed = invoke(*command, str(tmp_path / "x.bit"), "--board", "tiny-board")
    assert isinstance(failed.exception, MonproError), failed.output
    assert failed.exception.name == "MONPRO_ERR_FILE"
    assert message in failed.exception.message
    assert not (tmp_path / "x.bit").exists()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"ecp5-25"', '"ecp5-26"', 'target = "ecp5-26"; there are: ecp5-25, ecp5-85'),
        ('"ecp5-25"', '"xc7z020"', 'target = "xc7z020": nextpnr does not place this device'),
        ("clock_mhz = 12", "clock_mhz = 25", "tiny.lpf has the FREQUENCY 12 MHZ"),
        ('coprocessor = "monpro_tiny_board"', "", "no top for the coprocessor: its board.toml has"),
        ('["bit"]', '["svf"]', "the file for tiny-board is a .svf"),
    ],
)
def test_what_a_board_cannot_do(
    tree: Path, tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert old in BOARD
    add(tree, BOARD.replace(old, new, 1))
    out = tmp_path / "x.bit"
    failed = invoke("synth", "tiny", "--bitstream", str(out), "--board", "tiny-board")
    assert isinstance(failed.exception, MonproError), failed.output
    assert message in failed.exception.message
    assert not out.exists()


def test_a_board_of_vivado_gets_no_bitstream(tree: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "x.bit")
    failed = invoke("synth", "tiny", "--bitstream", out, "--board", "pynq-z2")
    assert isinstance(failed.exception, MonproError)
    assert failed.exception.name == "MONPRO_ERR_UNSUPPORTED"


def test_without_a_default_a_board_is_to_be_named(tree: Path, tmp_path: Path) -> None:
    add(tree, BOARD.replace("[tops]", "default = true\n[tops]"))
    failed = invoke("synth", "tiny", "--bitstream", str(tmp_path / "x.bit"))
    assert isinstance(failed.exception, MonproError)
    assert "name a board with --board; there are: pynq-z2, tiny-board, ulx3s" in str(
        failed.exception
    )
