# SPDX-License-Identifier: Apache-2.0
"""Designs and schemes side by side: figures, tables, and that a wrong result is noticed."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from monpro import MonproError, records
from monpro.base import terminal
from monpro.bench import designs as bench_designs
from monpro.bench import designs_table, schemes
from monpro.bench.designs import Item
from monpro.hardware import bounds, designs
from monpro.measure import predict
from monpro.synth import clocks, targets
from monpro.synth import run as synth
from monpro.synth.clocks import Clock

Monpro = Callable[..., subprocess.CompletedProcess[bytes]]
SMALL = "small"
FIGURES = {
    "cycles", "cycles_precompute", "cycles_exponentiate", "cycles_bus", "cycles_total", "overhead",
    "multipliers", "multiplier_cycles", "bound_word_products", "bound_fraction", "wall_ms",
}  # fmt: skip


def run(tmp_path: Path, **options: object) -> tuple[bool, list[records.Record]]:
    out = tmp_path / "designs.json"
    chosen = [designs.get(SMALL)]
    settings = {"quick": True, "full": False, "as_json": False, **options}
    ok = bench_designs.run(chosen, [1024], 1, out, **settings)  # type: ignore[arg-type]
    return ok, json.loads(out.read_text())


PLACED = clocks.placed


@pytest.fixture(autouse=True)
def _no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever this machine's cache has."""
    monkeypatch.setattr(clocks, "placed", lambda design: None)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock(100.0, "LFE5U-85F-6", 5)
    monkeypatch.setattr(clocks, "placed", lambda design: clock)
    return clock


@pytest.mark.sim
def test_designs_side_by_side(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ok, found = run(tmp_path)
    assert ok
    printed = capsys.readouterr()
    assert "simulations, about" in printed.err
    assert max(map(len, printed.out.splitlines())) <= 80
    assert "6 of 6 results right" in printed.out.replace("\n", " ")
    lines = [(i["operation"], i["key_state"], i.get("checked")) for i in found]
    assert lines == [
        ("modexp", "cold", None), ("modexp", "warm", None),
        ("rsa_private", "cold", False), ("rsa_private", "cold", True),
        ("rsa_public", "cold", None), ("rsa_public", "warm", None),
    ]  # fmt: skip
    for item in found:
        assert item.keys() >= FIGURES
        assert item["ok"] is True
        assert item["obtained"] == "simulated"
        assert item["multiplier_cycles"] == item["multipliers"] * item["cycles"]
        assert item["bound_fraction"] == item["bound_word_products"] / item["multiplier_cycles"]
        assert 0.3 < item["bound_fraction"] < 1
        assert 0 < item["overhead"] < 0.1
        assert str(item["cycles"]) in printed.out
        assert "time_ms" not in item
    assert "No time for small" in printed.out.replace("\n", " ")
    cold, warm, unchecked, checked, public, _ = found
    assert cold["cycles"] - warm["cycles"] > 1000
    assert cold["window"] == warm["window"]
    assert checked["cycles"] == unchecked["cycles"] + public["cycles"]


@pytest.mark.sim
def test_the_model_says_what_the_bench_measures(tmp_path: Path) -> None:
    """So a line by the model, marked as one, is what a simulation of it would give."""
    _, found = run(tmp_path)
    small = designs.get(SMALL)
    for operation in ("modexp", "rsa_public"):
        measured = [i["cycles"] for i in found if i["operation"] == operation]
        predicted = predict.predict(small, operation, 1024, bench_designs.E)
        assert [cycles for *_, cycles in predicted.rows] == measured


def test_what_is_not_simulated_is_marked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench_designs, "LIMIT_MCYCLES", 0)
    ok, found = run(tmp_path, quick=False)
    assert ok
    printed = capsys.readouterr()
    assert "0 simulations" in printed.err
    assert "3 of more than 0 million cycles each left to the model (--full simulates" in printed.err
    assert {item["obtained"] for item in found} == {"estimated"}
    assert {item["method"] for item in found} == {"model"}
    assert not any(item["ok"] for item in found)
    assert printed.out.count(" model\n") > len(found)  # beside the others too
    assert "0 of 0 results right" in printed.out.replace("\n", " ")


@pytest.mark.sim
def test_times_are_those_of_the_placed_clock(
    tmp_path: Path, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    _, found = run(tmp_path)
    for item in found:
        assert item["time_ms"] == pytest.approx(item["cycles"] / 100e3)
        assert item["clock_obtained"] == "placed"
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 80
    assert "LFE5U-85F-6, 100.0 MHz" in text.replace("\n", " ")
    assert "No time" not in text


@pytest.mark.sim
@pytest.mark.parametrize("operation", bench_designs.OPERATIONS)
def test_a_wrong_result_is_noticed(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    operation: str,
) -> None:
    what: dict[str, tuple[object, str]] = {
        "modexp": (bench_designs, "_modexp"),
        "rsa_private": (bench_designs, "_private"),
        "rsa_public": (bench_designs, "_public"),
    }
    right: Callable[..., object] = getattr(*what[operation])

    def wrong(item: Item, *rest: object) -> object:
        with monkeypatch.context() as patch:
            patch.setattr("builtins.pow", lambda *_: -1)
            return right(item, *rest)

    monkeypatch.setattr(*what[operation], wrong)
    monkeypatch.setattr(bench_designs.main_job, "SIMULATIONS_AT_ONCE", 1)
    ok, found = run(tmp_path)
    assert not ok
    failed = {item["operation"] for item in found if item["ok"] is False}
    assert operation in failed
    text = capsys.readouterr().out.replace("\n", " ")
    assert "FAILED: " in text
    assert "not what Python's pow gives" in text


def test_what_a_design_takes() -> None:
    study, small = designs.get("study"), designs.get("small")
    found = bench_designs.items([study, small], None, quick=False)
    assert {item.design.name for item in found} == {"small"}
    assert {i.bits for i in found if i.operation == "modexp"} == {512, 1024, 2048, 3072, 4096}
    assert {i.bits for i in found if i.operation == "rsa_public"} == {1024, 2048, 3072, 4096}
    assert max(i.bits for i in bench_designs.items([small], None, quick=True)) == 1024
    assert bench_designs.items([study], [256], quick=False) == [Item(study, "modexp", 256)]


def test_no_design_takes_the_length(tmp_path: Path) -> None:
    study = [designs.get("study")]
    with pytest.raises(MonproError, match="none of the designs"):
        bench_designs.run(study, None, 1, tmp_path / "x", quick=False, full=False, as_json=False)
    assert not (tmp_path / "x").exists()


def test_peers_stand_in_order() -> None:
    figures = {"cycles": 700_000, "multiplier_cycles": 11_200_000, "multipliers": 16}
    own = records.record("bench", figures, design="small", operation="modexp", bits=1024,
                         exponent="secret", key_state="cold", obtained="simulated")  # fmt: skip
    rows = designs_table.peer_rows("modexp", 1024, [own])
    names = [row[0] for row in rows]
    place = names.index("Monpro small, cold")
    assert names.index("Sharif (2015)*") < place < names.index("Suzuki 2007")
    assert rows[place][3] == "11.2"
    assert rows[-1][3] == ""  # without multiplier-cycles: last
    assert designs_table.peer_rows("modexp", 777, []) == []


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("--quick",), "No such option: --quick"),
        (("rsa", "--scheme", "all"), "No such option: --scheme"),
        (("designs", "small", "--engine", "soft"), "No such option: --engine"),
        (("designs", "small", "--quick", "--full"), "give --quick or --full, not both"),
        (("designs", "smal"), 'no design "smal"; there are: tiny'),
        (("schemes", "study", "--scheme", "comb"), 'no scheme "comb"; there are: fixed_window'),
        (("schemes", "study", "--full"), "No such option: --full"),
        (("designs", "study"), "none of the designs takes any of the lengths"),
    ],
)
def test_wrong_use_is_named(monpro: Monpro, arguments: tuple[str, ...], text: str) -> None:
    done = monpro("bench", *arguments)
    assert done.returncode == 2
    assert text in done.stderr.decode()


@pytest.mark.sim
def test_the_command(monpro: Monpro, tmp_path: Path) -> None:
    done = monpro("bench", "designs", "study", "--bits", "128", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout) == json.loads(
        (tmp_path / "build" / "bench" / "designs.json").read_text()
    )


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.1, "1 s"), (89, "89 s"), (90, "2 min"), (7200, "2.0 h")]
)
def test_durations(seconds: float, text: str) -> None:
    assert terminal.duration(seconds) == text


@pytest.mark.sim
def test_schemes_side_by_side(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study, out = designs.get("study"), tmp_path / "schemes.json"
    assert schemes.run([study], ["all"], 256, 1, out, as_json=False)
    found = json.loads(out.read_text())
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 80
    assert {item["scheme"] for item in found} == set(study.schemes)
    for item in found:
        assert item["ok"] is True
        assert item["key_state"] == "warm"
        assert 0 < item["bound_fraction"] < 1
        assert str(item["products"]) in text
        assert item["bound_word_products"] <= item["products"] * bounds.product_work(256, 8)
    binary = {item["exponent"]: item["cycles"] for item in found if item["scheme"] == "binary"}
    assert binary["public"] < binary["secret"]


def test_schemes_that_are_not_there() -> None:
    study = designs.get("study")
    with pytest.raises(MonproError, match='no scheme "comb"; there are: fixed_window, ladder'):
        schemes.items([study], ["comb"], 256, 3)
    with pytest.raises(MonproError, match="takes moduli of 32 to 256 bits"):
        schemes.items([study], ["binary"], 1024, 3)


@pytest.mark.sim
def test_a_wrong_scheme_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    [item] = schemes.items([designs.get("study")], ["fixed_window"], 64, 2**63 + 1)
    assert schemes.measure(item, 2**64 - 59, 3)["ok"] is True
    monkeypatch.setattr("builtins.pow", lambda *_: -1)
    wrong = schemes.measure(item, 2**64 - 59, 3)
    assert wrong["ok"] is False
    assert "not what Python's pow gives" in wrong["failure"]


def test_a_clock_is_recalled_and_never_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`monpro synth` with tools that are none leaves three placements; the bench finds them."""
    runs: list[str] = []

    def tool(tool: object, arguments: list[str], folder: Path) -> None:
        runs.append(str(tool))
        for name in ("stat.json", "netlist.json", "report.json"):
            (folder / name).write_text('{"utilization": {}, "modules": {}}')

    slowest = SimpleNamespace(record=lambda: {})
    speeds = iter([150.0, 170.0, 160.0])
    monkeypatch.setenv("MONPRO_CACHE", str(tmp_path))
    monkeypatch.setattr(clocks, "placed", PLACED)
    monkeypatch.setattr(synth.synth_tools, "require", lambda tools: None)
    monkeypatch.setattr(synth.synth_tools, "version", lambda tool: "1")
    monkeypatch.setattr(synth.synth_tools, "run", tool)
    monkeypatch.setattr(synth.synth_table, "cells", lambda stat: {})
    monkeypatch.setattr(synth.synth_table, "register_names", lambda *_: {})
    monkeypatch.setattr(synth.synth_table, "clock_mhz", lambda timing: next(speeds))
    monkeypatch.setattr(synth.synth_table, "slowest_path", lambda *_: slowest)

    study, small = designs.get("study"), designs.get("small")
    target = targets.get("ecp5-85")
    clocks.placed.cache_clear()
    assert clocks.figures(study, 5) == {}
    sources = synth.Sources.to_place(study, target)
    netlist = synth.synthesize(sources, target.family, write=True)
    clocks.placed.cache_clear()
    assert clocks.placed(study) is None
    for seed in (1, 2, 3):
        synth.place(netlist, synth.PLACED, target, seed)
    clocks.placed.cache_clear()
    made = len(runs)
    assert clocks.placed(study) == Clock(160.0, "LFE5U-85F-6", 3)
    assert clocks.figures(study, 160_000)["time_ms"] == 1
    assert clocks.placed(small) is None
    assert len(runs) == made
    clocks.placed.cache_clear()
