# SPDX-License-Identifier: Apache-2.0
"""Tables 2 and 3 of maxeler: what is computed and said, from made-up runs and one through RTL."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from monpro import MonproError
from monpro.hardware.designs import Design
from monpro.papers import registry
from monpro.papers.maxeler import figures as maxeler_figures
from monpro.papers.maxeler import lanes as maxeler_lanes
from monpro.papers.maxeler import lanes_table
from monpro.papers.maxeler.lanes import DIGITS, LANES, TABLE_FORMS, Host
from monpro.papers.table_kit import Found
from monpro.records import Record
from monpro.study import dataflow
from monpro.study.dataflow import Done, Numbers
from monpro.synth import clocks
from paper_stand_ins import HOST_NS, FakeModel, fake_host

DATAFLOW = maxeler_figures.load()
MANY = DATAFLOW.rows[-1].blocks


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[str, int], int]], None]:
    def use(extra: Callable[[str, int], int]) -> None:
        @contextlib.contextmanager
        def kernel(lanes: int) -> Iterator[FakeModel]:
            yield FakeModel(lanes, extra)

        monkeypatch.setattr(maxeler_lanes, "kernel", kernel)

    monkeypatch.setattr(dataflow, "host", fake_host)
    monkeypatch.setattr(clocks, "placed", lambda design: None)
    use(lambda form, blocks: 0)
    return use


def measure(*tables: int) -> list[Record]:
    return maxeler_lanes.measure(1, quick=True, tables=tables or (2, 3))


# ---- what is computed


@pytest.mark.usefixtures("made_up")
def test_times_and_what_they_save() -> None:
    found = Found(measure())
    assert all(item["ok"] for item in found.all)
    assert found.one("stream", form="a")["runs"] == 32
    item = found.one("batch", form="c", lanes=4, blocks=MANY)
    kernel_ms = dataflow.cycles("c", 4, 32, MANY) / 1e5
    assert item["obtained"] == "estimated"
    assert (item["clock_mhz"], item["clock_obtained"]) == (100, "assumed")
    assert item["time_kernel_ms"] == pytest.approx(kernel_ms)
    assert item["time_carries_ms"] == pytest.approx(MANY * 4e-3)
    assert item["time_ms"] == item["time_carries_ms"] > kernel_ms  # the carries are behind
    assert item["time_prepared_ms"] == pytest.approx(MANY * 5e-3)
    assert item["saved_percent"] == pytest.approx(100 * (1 - 4 / 20))
    assert item["saved_prepared_percent"] == pytest.approx(100 * (1 - 5 / 20))
    assert item["saved_of_library_percent"] == pytest.approx(100 * (1 - 4 / 1.5))
    whole = found.one("batch", form="f", lanes=1, blocks=8192)
    assert whole["time_host_ms"] == pytest.approx(8192 * 50e-3)
    assert whole["time_kernel_ms"] == whole["time_ms"]


@pytest.mark.usefixtures("made_up")
def test_table_2_alone_takes_one_lane() -> None:
    found = Found(measure(2))
    assert {item["lanes"] for item in found.every("batch")} == {1}
    assert found.every("stream", form="a") != []
    assert Found(measure(3)).every("stream", form="a") == []


def test_what_is_not_linear_or_not_as_the_formula_fails(
    made_up: Callable[[Callable[[str, int], int]], None], tmp_path: Path
) -> None:
    made_up(lambda form, blocks: blocks * blocks if form == "d" else 0)
    found = measure(2)
    assert {(i["operation"], i["form"]) for i in found if not i["ok"]} == {
        ("stream", "d"), ("batch", "d"),
    }  # fmt: skip
    assert "NOT LINEAR where simulated: d with 1." in lanes_table.linear_words(Found(found))
    done = registry.run(
        ["maxeler"], 1, tmp_path / "maxeler.json", quick=True, as_json=True, table=2
    )
    assert not done


@pytest.mark.usefixtures("made_up")
def test_a_wrong_product_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(self: FakeModel, form: str, numbers: Numbers) -> Done:
        values = [value ^ (form == "e") for value in numbers.products(whole=form == "f")]
        return Done(values, dataflow.cycles(form, self.lanes, DIGITS, len(values)), 1)

    monkeypatch.setattr(FakeModel, "multiply", wrong)
    streams = Found(measure(2)).every("stream")
    assert {item["form"] for item in streams if not item["ok"]} == {"e"}


@pytest.mark.usefixtures("made_up")
def test_from_how_many_blocks_on() -> None:
    of = Host.of(measure(2))
    for form in TABLE_FORMS:
        for lanes in LANES:
            first = maxeler_lanes.crossover(of, form, lanes, 100, MANY, prepared=False)
            saved = [
                maxeler_lanes.total(of, form, lanes, blocks, 100).saved_percent() > 0
                for blocks in range(1, 600)
            ]
            assert first is not None
            assert all(saved[first - 1 :])
            assert first == 1 or not saved[first - 2]
    mhz = maxeler_lanes.pays_from_mhz(of, "c", 1)
    assert mhz == pytest.approx(1024 / 20, rel=1e-4)
    slow = Host(of.own, {**of.parts, ("resolve", "c"): 21.0})
    assert maxeler_lanes.pays_from_mhz(slow, "c", 8) is None
    assert maxeler_lanes.crossover(slow, "c", 8, 100, MANY, prepared=False) is None


@pytest.mark.usefixtures("made_up")
def test_whose_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    def placed(design: Design) -> clocks.Clock | None:
        return clocks.Clock(130.25, "LFE5U-25F", 3) if design.elements == 1 else None

    assert "8 lanes 100 MHz assumed." in lanes_table.clock_words(Found(measure(3)))
    monkeypatch.setattr(clocks, "placed", placed)
    found = Found(measure(3))
    one, eight = (found.one("batch", form="e", lanes=n, blocks=8192) for n in (1, 8))
    assert (one["clock_mhz"], one["clock_obtained"]) == (130.25, "placed")
    assert (eight["clock_mhz"], eight["clock_obtained"]) == (130.25, "assumed")
    assert one["time_kernel_ms"] == pytest.approx(one["cycles"] / 130.25e3)
    words = lanes_table.clock_words(found)
    assert "1 lane 130.2 MHz placed on LFE5U-25F, seeds: 3; 2 lanes 130.2 MHz assumed" in words


# ---- the tables, and the plots


@pytest.mark.usefixtures("made_up")
@pytest.mark.parametrize("columns", [80, 120])
def test_they_are_readable(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    lanes_table.show(Found(measure()))
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= columns
    lines, flat = [line.split() for line in text.splitlines()], " ".join(text.split())
    for row in DATAFLOW.lanes:
        assert ["paper,", f"{row.lanes}", *map(str, row.speedup_percent)] in lines
    assert ["paper", "DFE", "0.13", "0", "0.43", "16", "3.86", "25", "37.68", "30"] in lines
    assert "c, 1 1024 10.2 4.00 1.00 49 44 -583 51" in flat
    assert "32 runs of 46 cycles, 1472 cycles simulated, 14.7 us at 100 MHz" in flat
    assert "Doubt, 24 ns" in flat
    assert "the best, f with 8 lanes, takes 0.27 times as long: the kernel is ahead." in flat
    assert "The host's parts are measured with one lane" in flat
    assert "again and again, up to 24 simulated: b 1472; c 1024" in flat


@pytest.mark.usefixtures("made_up")
def test_each_table_alone(capsys: pytest.CaptureFixture[str]) -> None:
    for table, other in ((2, 3), (3, 2)):
        lanes_table.show(Found(measure(table)))
        text = capsys.readouterr().out
        assert f"Table {table}" in text
        assert f"Table {other}" not in text


@pytest.mark.usefixtures("made_up")
def test_who_is_ahead_follows_the_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(HOST_NS, "scalar", 100)
    monkeypatch.setitem(HOST_NS, "scalar_whole", 100)
    monkeypatch.setitem(HOST_NS, "library", 50)
    monkeypatch.setitem(HOST_NS, "library_whole", 50)
    text = lanes_table.crossover_words(Found(measure()), DATAFLOW)
    assert "by no form, however many" in text
    assert text.endswith("software is ahead.")


@pytest.mark.usefixtures("made_up")
def test_plots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = measure()
    drawn = registry.get("maxeler").draw(found, tmp_path / "new")
    assert sorted(path.name for path in drawn) == [
        "maxeler-blocks.png", "maxeler-blocks.svg", "maxeler-lanes.png", "maxeler-lanes.svg",
    ]  # fmt: skip
    for path in drawn:
        data = path.read_bytes()
        assert data.startswith(b"\x89PNG" if path.suffix == ".png" else b"<?xml")
        assert len(data) > 10_000
    with pytest.raises(MonproError, match="MONPRO_ERR_FILE"):
        registry.get("maxeler").draw(found, drawn[0] / "below")
    with pytest.raises(MonproError, match="MONPRO_ERR_ARGUMENT: --plots takes"):
        registry.get("maxeler").draw(measure(2), tmp_path)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MonproError, match="MONPRO_ERR_UNSUPPORTED: plots need matplotlib"):
        registry.get("maxeler").draw(found, tmp_path)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["maxeler", "--table", "4"], "maxeler: no table 4 of its own; it has 1, 2, 3"),
        (["pai2025", "--table", "1"], "--table does not choose among its tables"),
        (["pai2025", "--plots", "x"], "there are no plots of pai2025"),
        (["maxeler", "sharif", "--table", "2"], "sharif: no table 2 of its own"),
        (["sharif", "pai2025", "--plots", "x"], "there are no plots of pai2025"),
    ],
)
def test_options_that_do_not_fit(
    monpro: Callable[..., object], arguments: list[str], words: str
) -> None:
    done = monpro("papers", *arguments)
    assert done.returncode == 2  # type: ignore[attr-defined]
    assert words in b" ".join(done.stderr.split()).decode()  # type: ignore[attr-defined]


# ---- through the RTL


@pytest.mark.sim
def test_table_2_through_the_rtl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maxeler_lanes, "QUICK_SIMULATED", (8, 16))
    monkeypatch.setattr(maxeler_lanes, "QUICK_ROUNDS", 2)
    out = tmp_path / "maxeler.json"
    assert registry.run(["maxeler"], 1, out, quick=True, as_json=True, table=2)
    found = json.loads(out.read_text())
    assert {item["operation"] for item in found} == {"stream", "host", "batch"}
    assert {item["obtained"] for item in found} == {"simulated", "measured", "estimated"}
    assert all(item["ok"] for item in found)
