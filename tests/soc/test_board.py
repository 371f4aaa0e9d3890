# SPDX-License-Identifier: Apache-2.0
"""The system for boards: what is written for Vivado, and the system of a bitstream.

The long part of either is left out. Vivado is not here: a plain Tcl runs its script. The commands
of Vivado are stand-ins there, which note that they were called.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from monpro.base import paths
from monpro.cli import program
from monpro.errors import MonproError
from monpro.hardware import boards, designs, simulator
from monpro.soc import bitstream as soc_bitstream
from monpro.soc import build as soc_build
from monpro.soc import run as soc
from monpro.soc import vivado
from monpro.synth import bitstream as synth_bitstream

PYNQ, ULX3S = boards.get("pynq-z2"), boards.get("ulx3s")
NAMES = ("small", "fast", "codesign", "pynq", "montgomery")
ROM = "00000013\n" * 4
# Every command that Tcl does not have is Vivado's: noted, and answered by its own words.
VIVADO = """
proc unknown {args} { puts $args; return $args }
proc get_board_parts {args} { return {} }
proc get_property {args} { return 100% }
proc glob {args} { return [list here.hwh] }
rename file tcl_file
proc file {what args} {
    if {$what eq "copy"} { puts [list file copy {*}$args]; return }
    tcl_file $what {*}$args
}
"""


def invoke(*arguments: str) -> Any:
    return CliRunner().invoke(program.app, ["soc", "build", *arguments])


def written(folder: Path, name: str) -> Path:
    vivado.write(designs.get(name), PYNQ, folder, 50.0)
    return folder


def ports(text: str) -> dict[str, str]:
    """The ports of a module in plain Verilog, and the interface that each says it is of."""
    found = re.findall(
        r'X_INTERFACE_INFO = "([^"]+)" \*\)\s+(?:\(\*[^*]*\*\)\s+)?(?:in|out)put +wire +'
        r"(?:\[[^]]*\] *)?(\w+)",
        text,
    )
    assert len(found) == len(re.findall(r"^  (?:in|out)put ", text, re.M))
    return {port: info for info, port in found}


def test_every_port_is_of_an_interface() -> None:
    text = (PYNQ.top_file("system")).read_text(encoding="utf-8")
    found = ports(text)
    for port, info in found.items():
        if port.startswith("s_axi_"):
            assert info == f"xilinx.com:interface:aximm:1.0 s_axi {port[6:].upper()}"
    assert len([port for port in found if port.startswith("s_axi_")]) == 19  # all of AXI4-Lite
    kinds = {"aclk": "clock", "aresetn": "reset", "irq": "interrupt"}
    for port, kind in kinds.items():
        assert found[port].startswith(f"xilinx.com:signal:{kind}:1.0 ")
    assert set(found) == set(kinds) | {port for port in found if port.startswith("s_axi_")}
    assert "ASSOCIATED_BUSIF s_axi, ASSOCIATED_RESET aresetn" in text


@pytest.mark.parametrize("name", NAMES)
def test_the_modules_elaborate_with_the_settings(tmp_path: Path, name: str) -> None:
    folder = written(tmp_path, name)
    settings = (folder / vivado.SETTINGS).read_text(encoding="ascii")
    values = re.search(r"set parameters \{(.*)\}", settings)
    listed = re.search(r"set sources \{(.*)\}", settings)
    assert values is not None
    assert listed is not None
    words = values[1].split()
    given = dict(zip((w.removeprefix("CONFIG.") for w in words[::2]), words[1::2], strict=True))
    wrapper = (folder / PYNQ.top_file("system").name).read_text(encoding="utf-8")
    assert set(given) == set(re.findall(r"^  parameter (\w+)", wrapper, re.M))
    flags = [
        f'-G{key}="{value}"' if key in ("Multiplier", "Target") else f"-G{key}={value}"
        for key, value in given.items()
    ]
    done = subprocess.run(
        ["verilator", "--lint-only", "-Wno-lint", *simulator.WARNINGS, "--top-module", "monpro_axi",
         *flags, str(paths.share() / soc_bitstream.BLACK_BOXES), *listed[1].split()],
        cwd=folder, env=simulator.environment(), text=True, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


@pytest.mark.skipif(shutil.which("tclsh") is None, reason="no tclsh")
def test_the_script_does_what_vivado_is_to_do(tmp_path: Path) -> None:
    folder = written(tmp_path / "a folder", "small")
    stub = tmp_path / "vivado.tcl"
    script = folder / vivado.script(PYNQ).name
    stub.write_text(VIVADO + f"source {{{script}}}\n", encoding="ascii")
    done = subprocess.run(["tclsh", stub], text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    said = done.stdout
    added = re.findall(r"^add_files -norecurse \{?(/[^}\n]+?)\}?$", said, re.M)
    assert [path for path in added if not Path(path).is_file()] == []
    assert {Path(path).name for path in added} >= {"monpro_axi.v", "monpro_coprocessor.sv"}
    assert re.search(r"add_files -fileset constrs_1 -norecurse .*pynq_z2\.xdc", said)
    assert "create_bd_cell -type module -reference monpro_axi monpro_0" in said
    assert "CONFIG.Elements 16" in said
    assert re.search(r"offset 0x43c00000 range 0x1000", said)
    assert said.index("validate_bd_design") < said.index("launch_runs")
    assert re.search(r"create_project -force monpro .* -part xc7z020clg400-1$", said, re.M)
    assert said.count("file copy") == 2
    for ending in PYNQ.formats:
        assert re.search(rf"file copy .*monpro\.{ending}\b", said)
    # Constraints are of ports that the block design has.
    pins = (folder / PYNQ.pins).read_text(encoding="utf-8")
    made = re.findall(r"^create_bd_port -dir \w+ (\w+)$", said, re.M)
    assert re.findall(r"\[get_ports (\w+)\]", pins) == made


def test_the_overlay_is_the_projects() -> None:
    """PYNQ's class, Linux's device tree and the project agree where the coprocessor is."""
    origin, size = vivado.address(PYNQ)
    overlay = (vivado.overlay(PYNQ)).read_text(encoding="utf-8")
    assert f"monpro@{origin:x}" in overlay
    assert size == 0x1000
    text = vivado.settings(designs.get("small"), PYNQ, [], 50.0)
    assert f"set instance {vivado.IP_NAME}\n" in text


def test_the_board_has_the_pins_that_are_constrained(tmp_path: Path) -> None:
    top = ULX3S.top_file("system").read_text(encoding="utf-8")
    declared = set(re.findall(r"^  (?:in|out)put +logic +(?:\[[^]]*\] )?(\w+)", top, re.M))
    pins = ULX3S.constraints.read_text(encoding="utf-8")
    assert {
        name.partition("[")[0] for name in re.findall(r'LOCATE COMP "([^"]+)"', pins)
    } == declared


def test_the_system_of_a_bitstream_is_the_same_whenever_it_is_written(tmp_path: Path) -> None:
    found = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        found.append(soc_bitstream.sources(designs.get("tiny"), ROM, ULX3S, folder))
    for one, two in zip(
        (*found[0].files, *found[0].data), (*found[1].files, *found[1].data), strict=True
    ):
        assert one.read_bytes() == two.read_bytes(), one
    text = (tmp_path / "one" / f"{soc_build.NAME}.v").read_text(encoding="utf-8")
    assert re.search(r'\.Target +\("ecp5"\)', text)
    assert re.search(r"\.Stream +\(", text)
    assert set(re.findall(r'\$readmemh\("([^"]+)"', text)) == {p.name for p in found[0].data}
    rom = next(path for path in found[0].data if "rom" in path.name)
    assert rom.read_text().split()[:4] == ["00000013"] * 4
    modules = {path.name for path in found[0].files}
    assert {"VexRiscv_Full.v", "primitives.v", "monpro_soc_ulx3s.sv"} <= modules


def test_a_bitstream_has_the_programs_tasks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Any] = []

    def build(sources: Any, board: Any, name: str, say: Any) -> tuple[bytes, dict[str, Any]]:
        rom = next(path for path in sources.data if "rom" in path.name)
        seen.append((sources.top, board.name, rom.read_text().split()))
        return b"bits", {"lut": 1, "clock_mhz": 30.0, "clock_mhz_needed": 25.0, "design": name}

    monkeypatch.setattr(soc, "firmware", lambda peer=False: b"\x13\0\0\0")
    monkeypatch.setattr(synth_bitstream, "build", build)
    out = tmp_path / "soc.bit"
    arguments = ["--board", "ulx3s", "--design", "tiny", "--bits", "256", "-o", str(out), "--json"]
    done = invoke(*arguments)
    assert done.exit_code == 0, done.output
    assert out.read_bytes() == b"bits"
    [item] = json.loads(done.stdout)
    assert (item["command"], item["design"], item["part"]) == ("soc build", "tiny", "system")
    [(top, board, words)] = seen
    assert (top, board, words[0]) == ("monpro_soc_ulx3s", "ulx3s", "00000013")
    assert words[soc_build.TASKS_AT // 4 + 1] == "00000005"  # tasks of the program stream


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (("--board", "arty"), "MONPRO_ERR_ARGUMENT"),
        (("--board", "pynq-z2", "--design", "none"), "MONPRO_ERR_ARGUMENT"),
        (("--board", "pynq-z2", "--design", "tiny", "--clock", "0"), "MONPRO_ERR_ARGUMENT"),
        (("--board", "ulx3s", "--design", "tiny", "--clock", "50"), "MONPRO_ERR_ARGUMENT"),
        (("--board", "ulx3s", "--design", "dataflow"), "MONPRO_ERR_UNSUPPORTED"),
        (("--board", "ulx3s", "--program", "nothing"), "MONPRO_ERR_ARGUMENT"),
    ],
)
def test_what_cannot_be_built_is_named(
    tmp_path: Path, arguments: tuple[str, ...], name: str
) -> None:
    failed = invoke(*arguments, "-o", str(tmp_path / "out"))
    assert isinstance(failed.exception, MonproError), failed.output
    assert failed.exception.name == name
    assert list(tmp_path.iterdir()) == []


def test_a_stream_kernel_has_no_axi_port(tmp_path: Path) -> None:
    with pytest.raises(MonproError) as caught:
        vivado.write(designs.get("dataflow"), PYNQ, tmp_path, 50.0)
    assert caught.value.name == "MONPRO_ERR_UNSUPPORTED"
