# SPDX-License-Identifier: Apache-2.0
"""The plots of the page: of designs, of explorations, and of papers."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import page_records
from monpro.papers.ledgard2023 import figures as ledgard2023_figures
from monpro.papers.ledgard2023 import plots as ledgard2023_plots
from monpro.papers.sharif import figures as sharif_figures
from monpro.plots import image_files
from monpro.plots.plot import COLOURS, NEUTRAL
from monpro.published.figures import doubts_of
from monpro.webpage import figures, page, sources
from monpro.webpage.figures import Records

pytestmark = pytest.mark.sim


@pytest.fixture(scope="module")
def assembled() -> page.Page:
    return page.assemble(sources.load(page_records.made()))


@pytest.fixture(scope="module")
def records() -> Records:
    loaded = sources.load(page_records.made())
    return {key: one.records for key, one in loaded.items()}


def section(assembled: page.Page, key: str) -> page.Section:
    [found] = [one for one in assembled.sections if one.source.key == key]
    return found


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The records, to be spoilt."""
    return Path(shutil.copytree(page_records.made(), tmp_path / "records"))


def test_speed_against_blocks(records: Records) -> None:
    plot = figures.speed_against_blocks(records)
    assert plot is not None
    series = {one.name: one for one in plot.series}
    cold, warm = (i for i in records["designs"] if i["operation"] == "modexp")
    assert series["small"].y == (cold["cycles"], warm["cycles"])
    assert set(series["small"].x) == {16}
    assert series["small"].hover[0][1] == f"16 blocks, {cold['cycles']:_} cycles".replace("_", " ")
    assert "monpro bench designs tiny,small,fast" in series["small"].hover[0]
    assert [x * y for x, y in zip(series["bound"].x, series["bound"].y, strict=True)] == (
        pytest.approx([9.42e6] * 2, rel=5e-3)
    )
    others = dict(zip((h[0] for h in series["others"].hover), series["others"].hover, strict=True))
    assert any(line.startswith("doubt: ") for line in others["Sharif (2015), Zynq"])


def test_the_front_joins_what_nothing_beats(records: Records) -> None:
    plot = figures.front(records)
    assert plot is not None
    for bits in (1024, 2048):
        [chosen] = [one for one in plot.series if one.name == f"{bits} bits"]
        of = [i for i in records["explore"] if i["bits"] == bits and i.get("pareto")]
        assert sorted(chosen.y) == sorted(item["time_ms"] for item in of)
        assert list(chosen.x) == sorted(chosen.x)
        for lines in chosen.hover:
            assert lines[-1].startswith("monpro synth ")
            assert any("placed" in line for line in lines)
    assert "2 points without a clock" in plot.note  # nine elements do not route
    assert "is beaten in each of LUT sites, time, energy by no other" in plot.note
    about = (
        "Asked for: small,elements=1; small,elements=2; small,elements=4; small,elements=9; tiny"
    )
    assert about in plot.note
    assert (
        "; clock placed with 1 seed; no constraint; area in LUT sites; best: the fastest."
        in plot.note
    )
    assert plot.title == "Pareto front of the exploration"
    area = figures.speed_against_area(records)
    assert area is not None
    poster = sharif_figures.load()
    assert area.series[-1].x == tuple(row.LUT for row in poster.rows)
    doubted = [any(line.startswith("doubt: ") for line in of) for of in area.series[-1].hover]
    assert doubted == [bool(doubts_of(poster.doubts, row.who))
                       for row in poster.rows]  # fmt: skip
    assert any(doubted)


def test_the_front_says_what_it_was_asked_for(copied: Path) -> None:
    file = copied / "explore" / "records.json"
    items = json.loads(file.read_text())
    for item in items:
        item["run"] |= {"constraints": {"max_lut": 1150}, "area": "blocks", "best": "area"}
        item["excluded_by"] = ["--max-lut"] if item.get("lut_sites", 0) > 1150 else []
        item["pareto"] = item["design"] == "small,elements=1"
        if item["design"] == "tiny":
            item["batch"] = 64
    file.write_text(json.dumps(items))
    loaded = sources.load(copied)
    plot = figures.front({key: one.records for key, one in loaded.items()})
    assert plot is not None
    assert plot.title == "Pareto front of the exploration: --max-lut 1150"
    assert (plot.x.title, plot.x.log) == ("multiplier blocks", True)
    assert "--max-lut 1150; area in multiplier blocks; best: the smallest." in plot.note
    series = {one.name: one for one in plot.series}
    assert series["1024 bits"].x == (1,)
    beaten = series["1024 bits, dominated or excluded"]
    assert sorted(beaten.x) == [1, 2, 4]
    [shared] = [lines for lines in beaten.hover if lines[0].startswith("tiny")]
    assert sum("each in a batch of 64" in line for line in shared) == 2
    said = loaded["explore"].shown()
    assert any(
        isinstance(part, str) and part.startswith("Best for --max-lut 1150 on ecp5-25 at 1024 bits")
        for part in said
    )
    # Of LUTs alone: zero blocks have no place on a logarithm.
    items[0]["dsp"] = 0
    file.write_text(json.dumps(items))
    flat = figures.front({"explore": sources.read(file)})
    assert flat is not None
    assert not flat.x.log
    assert flat.ticks(flat.x) == []


def test_explorations_that_say_not_what_was_asked_are_of_another_version(
    copied: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = copied / "explore" / "records.json"
    items = json.loads(file.read_text())
    about = items[0]["run"]
    for item in items:
        del item["run"]
    price = [item | {"run": about | {"constraints": {"max_price": 1}}} for item in items]
    for wrong in (items, [item | {"run": None} for item in items], price):
        file.write_text(json.dumps(wrong))
        found = page.assemble(sources.load(copied))
        assert "make them again: monpro explore" in section(found, "explore").missing
        assert {"pareto", "speed-area"}.isdisjoint({plot.key for plot in found.plots})
        assert "another version" in capsys.readouterr().err


def test_energy_is_an_estimate_with_its_range(records: Records) -> None:
    plot = ledgard2023_plots.energy_against_size(records["ledgard2023"])
    assert plot is not None
    series = {one.name: one for one in plot.series}
    thesis = ledgard2023_figures.load()
    theirs = [1e6 * value for value in thesis.tables["energy_J"]["binary"]]
    assert series["thesis: binary"].y == pytest.approx(theirs)
    ours = series["montgomery"]
    assert all(low < y < high for low, y, high in zip(ours.low, ours.y, ours.high, strict=True))
    assert all("estimated" in lines[1] for lines in ours.hover)


def test_latencies_have_the_bounds_doubt(records: Records) -> None:
    plot = ledgard2023_plots.latency_against_size(records["ledgard2023"])
    assert plot is not None
    [theirs] = [one for one in plot.series if one.name == "thesis: montgomery, all ones"]
    doubted = [any(line.startswith("doubt: ") for line in lines) for lines in theirs.hover]
    assert doubted == [False, True, True, True, True, True]


def test_shares_of_cycles_make_the_whole(assembled: page.Page) -> None:
    plots = [plot for plot in assembled.plots if plot.key.startswith("cycles-")]
    assert len(plots) == 2
    for plot in plots:
        for shares in zip(*(series.y for series in plot.series), strict=True):
            assert sum(shares) == pytest.approx(100)


def test_axes_have_units_and_colours_are_told_apart(assembled: page.Page) -> None:
    for plot in assembled.plots:
        assert plot.x.title
        assert plot.y.title
        assert len({one.name for one in plot.series}) == len(plot.series)
        assert all(one.hover for one in plot.series), plot.key
    assert len({*COLOURS, NEUTRAL}) == 7


def test_the_same_plots_as_files(assembled: page.Page, tmp_path: Path) -> None:
    wanted = ("pareto", "cycles-main", "ledgard2023-energy")
    chosen = [p for p in assembled.plots if p.key in wanted]
    drawn = image_files.draw(chosen, tmp_path / "plots")
    assert {path.name for path in drawn} == {
        f"{plot.key}.{kind}" for plot in chosen for kind in image_files.FORMATS
    }
    for path in drawn:
        data = path.read_bytes()
        assert data.startswith(b"\x89PNG" if path.suffix == ".png" else b"<?xml")
    again = image_files.draw(chosen[:1], tmp_path / "again")
    assert [path.read_bytes() for path in again] == [
        path.read_bytes() for path in drawn if path.stem == chosen[0].key
    ]
