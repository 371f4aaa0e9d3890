# SPDX-License-Identifier: Apache-2.0
"""Table 1 of maxeler: the scanning methods through Python, and the table from made-up runs."""

from __future__ import annotations

import dataclasses
import json
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from monpro import MonproError, records
from monpro.papers import registry
from monpro.papers.maxeler import figures as maxeler_figures
from monpro.papers.maxeler import lanes as maxeler_lanes
from monpro.papers.maxeler import measure as maxeler
from monpro.papers.maxeler import table as maxeler_table
from monpro.papers.maxeler.measure import BITS, OURS, PAPERS, Formula, Numbers
from monpro.papers.table_kit import Found
from monpro.published import figures as published_figures
from monpro.study import scanning
from monpro.study.scanning import METHODS, PARTS, Counts, Done, Way

FILE = published_figures.path("maxeler")
DATAFLOW = maxeler_figures.read(FILE)
RAW = tomllib.loads(FILE.read_text())
NUMBERS = Numbers.make(1)
# Of one product, made up.
TIMES_NS = {"plain": 1000, "no_ab": 950, "no_ab_mn": 900, "no_products": 880,
            "called": 4000, "called_no_ab": 2500}  # fmt: skip
ROUNDS = {"product": 2, "modexp": 2, "profile": 2, "kernels": 3}


@pytest.fixture(autouse=True)
def _few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(maxeler, "ROUNDS", ROUNDS)
    monkeypatch.setattr(maxeler, "QUICK_ROUNDS", ROUNDS)


def counts_of(way: Way, products: int) -> Counts:
    s = way.digits(BITS)
    figures = [products * formula.of(s) for formula in OURS[way.method]]
    around = [products * (2 * s + 1), products * (4 * s + 1), products * 3 * s]
    return Counts(products * s * s, products * s * s, products * s, *figures, *around)


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Right results at once, in the times above."""
    nothing = {part: Counts(*[0] * 9) for part in PARTS}

    def each_ns(way: Way) -> int:
        return TIMES_NS[way.form] * (32 // min(way.digit_bits, 32)) ** 2

    def product(way: Way, n: int, a: int, b: int, repeats: int) -> Done:
        time_ns = dict.fromkeys(PARTS, 0) | {"products": repeats * each_ns(way)}
        counted = way.form == "counted"
        counts = nothing | ({"products": counts_of(way, repeats)} if counted else {})
        return Done(NUMBERS.product(way, repeats), counts, time_ns)

    def modexp(way: Way, n: int, a: int, exponent: bytes) -> Done:
        if way.form == "counted":
            counts = nothing | {"products": counts_of(way, 2 * BITS + 2)}
            return Done(NUMBERS.power, counts, dict.fromkeys(PARTS, 0))
        whole = (2 * BITS + 2) * each_ns(way)
        shares = {
            "vectors": 0.01,
            "constants": 0.04,
            "products": 0.93,
            "select": 0.03,
            "clock": 0.02,
        }
        return Done(
            NUMBERS.power, nothing, {p: round(share * whole) for p, share in shares.items()}
        )

    monkeypatch.setattr(scanning, "available", lambda: (8, 16, 32, 64))
    monkeypatch.setattr(scanning, "product", product)
    monkeypatch.setattr(scanning, "modexp", modexp)
    monkeypatch.setitem(TIMES_NS, "counted", 1)
    # Tables 2 and 3 have tests of their own.
    monkeypatch.setattr(maxeler_lanes, "measure", lambda *_: [])


# ---- published figures


def test_the_published_file_is_read_whole() -> None:
    assert maxeler_figures.load() == DATAFLOW
    assert [row.function for row in DATAFLOW.profile] == [r["function"] for r in RAW["profile"]]
    assert [row.time_percent for row in DATAFLOW.profile] == [56.25, 43.08, 0.32, 0.14, 0.05, 0.05]
    assert [row.blocks for row in DATAFLOW.rows] == [8192, 32768, 327680, 3276800]
    assert [row.speedup_percent for row in DATAFLOW.rows] == [0, 16, 25, 30]
    assert [row.speedup_percent for row in DATAFLOW.lanes] == [(31, 55, 56, 61), (31, 57, 64, 69)]
    assert [doubt.of for doubt in DATAFLOW.doubts] == [doubt["of"] for doubt in RAW["doubt"]]
    assert DATAFLOW.single_product.dfe_ms == 41
    assert DATAFLOW.total.whole_encryption_improved_percent == 28


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[[profile]]", "[[profiles]]", 'unknown table "profiles"'),
        ('function = "monPro"', 'name = "monPro"', 'profile 1: unknown key "name"'),
        ("cumulative_s = 12.47\n", "", 'profile 1: "cumulative_s" is missing'),
        ("time_percent = 56.25", "time_percent = 0", "time_percent = 0 is not a positive number"),
        ("speedup_percent = [31, 55, 56, 61]", "speedup_percent = [31]", "lanes 1: a speed-up"),
        ("[[total]]", "[[total]]\n[[total]]", 'total 1: "multiplication_share_percent" is missing'),
    ],
)
def test_a_slip_is_an_error(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = FILE.read_text()
    assert old in text
    (tmp_path / "maxeler.toml").write_text(text.replace(old, new, 1))
    with pytest.raises(MonproError, match=message):
        maxeler_figures.read(tmp_path / "maxeler.toml")


# ---- the library


@pytest.mark.parametrize("way", maxeler.ways(), ids=lambda w: f"{w.method}{w.digit_bits}")
def test_results(way: Way) -> None:
    done = scanning.product(way, NUMBERS.n, NUMBERS.a, NUMBERS.b, 3)
    assert done.value == NUMBERS.product(way, 3)
    assert done.time_ns["products"] > 0
    exponent = NUMBERS.exponent[:2]
    power = scanning.modexp(way, NUMBERS.n, NUMBERS.a, exponent).value
    assert power == pow(NUMBERS.a, int.from_bytes(exponent), NUMBERS.n)


def test_errors_have_names() -> None:
    with pytest.raises(MonproError, match="MONPRO_ERR_MODULUS_EVEN"):
        scanning.product(Way("sos", 32), 8, 3, 3, 1)
    with pytest.raises(MonproError, match="MONPRO_ERR_BASE_RANGE"):
        scanning.product(Way("sos", 32), 7, 7, 3, 1)
    with pytest.raises(MonproError, match="MONPRO_ERR_UNSUPPORTED: not with digits of 24 bits"):
        scanning.product(Way("sos", 24), 7, 3, 3, 1)


def test_a_missing_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MONPRO_LIBRARY", str(tmp_path / "libmonpro.so"))
    with pytest.raises(MonproError, match=r"MONPRO_ERR_FILE: .*libmonpro_scanning\.so"):
        scanning.Native()


def test_counts_of_the_library() -> None:
    found = maxeler.counts(NUMBERS)
    assert len(found) == len(scanning.available()) * len(METHODS)
    assert all(item["ok"] for item in found)


def test_a_whole_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = registry.run(
        ["maxeler"], 5, tmp_path / "maxeler.json", quick=True, as_json=True, table=1
    )
    assert done
    found = json.loads(capsys.readouterr().out)
    assert found == json.loads((tmp_path / "maxeler.json").read_text())
    assert {item["paper"] for item in found} == {"maxeler"}
    assert {item["operation"] for item in found} == {"profile", "counts", "product", "modexp"}


# ---- what is computed


def test_formulas() -> None:
    assert [str(formula) for formula in OURS["sos"]] == ["4s^2+2s", "6s^2+3s", "2s^2+3s+1"]
    assert [str(formula) for formula in PAPERS["fios"]] == ["5s^2+s", "7s^2+3s", "3s^2+3s"]
    assert str(OURS["cihs"][0]) == "4.5s^2+2.5s"
    assert str(Formula(1, 0, 1)) == "s^2+1"
    for s in range(1, 9):
        assert OURS["cihs"][0].of(s) - PAPERS["cihs"][0].of(s) == s * (s + 1) // 2


@pytest.mark.usefixtures("made_up")
def test_shares_and_savings() -> None:
    found = Found(maxeler.measure(1, quick=True))
    item = found.one("profile", form="called", method="sos")
    left = {"ab": 2500 / 4000, "ab_mn": 900 / 4000, "ab_mn_m": 880 / 4000}
    for kernel, ratio in left.items():
        assert item["saved_percent"][kernel] == pytest.approx(90 * (1 - ratio), abs=0.01)
        assert item["saved_spread_percent"][kernel] == 0
    assert item["saved_percent"]["product"] == pytest.approx(90, abs=0.01)
    shares = item["time_percent"]
    assert shares["multiply"] == pytest.approx(90 * (1 - 900 / 4000), abs=0.01)
    assert shares["monpro"] == pytest.approx(90 * 900 / 4000, abs=0.01)
    assert sum(shares.values()) == pytest.approx(100)
    plain = found.one("profile", form="plain", method="sos")
    assert plain["time_percent"]["multiply"] == pytest.approx(9, abs=0.01)
    assert plain["time_ms"] == pytest.approx(2050 * 1e-3, rel=0.01)
    product = found.one("product", method="cios", digit_bits=16)
    assert (product["time_ms"], product["ratio_to_library"]) == (4e-3, 4)
    counted = counts_of(Way("fips", 32), 1)
    percent = found.one("profile", form="plain", method="fips")["operations_percent"]["multiply"]
    everything = sum(dataclasses.asdict(counted).values())
    assert percent == pytest.approx(100 * 2 * 32 * 32 / everything)


@pytest.mark.usefixtures("made_up")
def test_a_wrong_result_and_a_wrong_count_fail(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    right = scanning.product

    def wrong(way: Way, *arguments: int) -> Done:
        done = right(way, *arguments)
        return dataclasses.replace(done, value=done.value ^ (way.method == "fips"))

    def miscounted(way: Way, *arguments: int) -> Done:
        done = right(way, *arguments)
        of = done.counts["products"]
        more = dataclasses.replace(of, reads=of.reads + (way == Way("cihs", 8, "counted")))
        return dataclasses.replace(done, counts={**done.counts, "products": more})

    for broken, failed in ((wrong, {"fips"}), (miscounted, {"cihs"})):
        monkeypatch.setattr(scanning, "product", broken)
        found = maxeler.measure(1, quick=True)
        assert {item["method"] for item in found if not item["ok"]} == failed
        assert not registry.run(
            ["maxeler"], 1, tmp_path / "maxeler.json", quick=True, as_json=False
        )
        assert "WRONG" in capsys.readouterr().out


# ---- the table


@pytest.fixture
def shown(
    made_up: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Callable[[int], str]:
    def show(columns: int) -> str:
        monkeypatch.setenv("COLUMNS", str(columns))
        assert registry.run(["maxeler"], 1, tmp_path / "maxeler.json", quick=False, as_json=False)
        return capsys.readouterr().out

    return show


@pytest.mark.parametrize("columns", [80, 120])
def test_it_is_readable(shown: Callable[[int], str], columns: int) -> None:
    text = shown(columns)
    assert max(map(len, text.splitlines())) <= columns
    flat = " ".join(text.split())
    for words in ("Table 1", "Amdahl's total", "Counted", "One product", "One exponentiation"):
        assert f"{words}" in text
    for doubt in DATAFLOW.doubts:
        assert f"Doubt, {doubt.of}: {doubt.why}" in flat
    assert "Who is ahead: SOS at w = 8" in flat
    assert "all right, 72 figures" in flat
    lines = [line.split() for line in text.splitlines()]
    for row in DATAFLOW.profile:
        assert [row.function, f"{row.time_percent:g}", f"{row.cumulative_s:g}"] in [
            line[:3] for line in lines
        ]
    assert ["sos", "33.8", "69.8", "70.2", "90.0", "48.8"] in lines
    assert ["paper,", "table", "1", "43.08", "30.2"] in lines


def test_what_is_said_follows_the_figures(made_up: None, monkeypatch: pytest.MonkeyPatch) -> None:
    words = maxeler_table.profile_words
    found = Found(maxeler.measure(1, quick=True))
    assert "hidden under the additions" in words(found, DATAFLOW)
    monkeypatch.setitem(TIMES_NS, "no_ab_mn", 500)
    found = Found(maxeler.measure(1, quick=True))
    text = words(found, DATAFLOW)
    assert "hidden" not in text
    assert "45 to 45 % as the compiler's own" in text


def test_without_64_bits(made_up: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanning, "available", lambda: (8, 16, 32))
    found: list[records.Record] = maxeler.measure(1, quick=True)
    heads, rows = maxeler_table.speed_table(Found(found), "product", "us", 1e3)
    assert len(heads) == 7
    assert rows[-1][0] == "library"
    assert rows[-1][-1] == "1.00"
