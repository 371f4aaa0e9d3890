# SPDX-License-Identifier: Apache-2.0
"""pai2025's and sharif's tables: figures of the formula, and that a wrong one is noticed."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from monpro.engine import Counters
from monpro.hardware import designs
from monpro.papers import products as papers_products
from monpro.papers import registry, softcore
from monpro.papers import table_kit as shared
from monpro.papers.pai2025 import figures as pai2025_figures
from monpro.papers.pai2025 import measure as pai2025
from monpro.papers.pai2025 import softcore as pai2025_softcore
from monpro.papers.pai2025 import table as pai2025_table
from monpro.papers.pai2025.measure import Numbers
from monpro.papers.products import Item, Run
from monpro.papers.sharif import figures as sharif_figures
from monpro.papers.sharif import measure as sharif
from monpro.papers.sharif import softcore as sharif_softcore
from monpro.papers.sharif import table as sharif_table
from monpro.papers.table_kit import Found
from monpro.published import figures as published_figures
from monpro.synth import area, clocks, targets
from monpro.synth.clocks import Clock
from monpro.synth.targets import Counts
from paper_stand_ins import LOAD, LOAD_COLD, READ, as_the_formula_has_it

Monpro = Callable[..., subprocess.CompletedProcess[bytes]]
FILES = {"pai2025": published_figures.path("pai2025"), "sharif": published_figures.path("sharif")}
RAW = {name: tomllib.loads(path.read_text()) for name, path in FILES.items()}
PAPER = pai2025_figures.read(FILES["pai2025"])
POSTER = sharif_figures.read(FILES["sharif"])
COUNTS = Counts(lut=6000, ff=9000, dsp=17, bram=2.5, carry=700)
MODULE = {"pai2025": pai2025, "sharif": sharif}


@pytest.fixture(autouse=True)
def _nothing_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever this machine's cache has of clocks and syntheses."""
    monkeypatch.setattr(clocks, "placed", lambda design: None)
    monkeypatch.setattr(area, "kept", lambda design: None)


@pytest.fixture
def no_simulation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every operation ends at once; a synthesis too. No key is made."""
    numbers = Numbers(Path("key.pem"), None, 0, 0)  # type: ignore[arg-type]

    def make(folder: Path, bits: int) -> Numbers:
        half_set = int("a5" * (bits // 8), 16)
        return dataclasses.replace(numbers, n=(1 << bits) - 1, d=half_set)

    monkeypatch.setattr(Numbers, "make", make)
    monkeypatch.setattr(papers_products, "simulate", as_the_formula_has_it)
    monkeypatch.setattr(papers_products, "_say", lambda *_: None)
    monkeypatch.setattr(area, "no_tool", lambda: None)
    monkeypatch.setattr(area, "synthesized", lambda design: COUNTS)
    for each in (pai2025_softcore, sharif_softcore):
        monkeypatch.setattr(each, "measure", lambda seed: [])


@pytest.fixture
def measured(no_simulation: None) -> Callable[[str], Found]:
    return lambda name: Found(MODULE[name].measure(1, False))


# ---- what is computed


def test_products_and_cycles_of_r1(measured: Callable[[str], Found]) -> None:
    """Written out once more, apart from models/."""
    found = measured("pai2025")
    one, two = found.every("encrypt", bits=2048)
    assert (one["design"], two["design"]) == ("pynq", "pynq,elements=2")
    assert one["products"] == two["products"] == 17 + 2
    plain, variable, crt = found.every("decrypt", bits=2048, design="pynq")
    assert (plain["exponent"], variable["exponent"], crt["crt"]) == ("secret", "public", True)
    assert plain["products"] == 2 * 2048 + 1
    assert variable["products"] == 2048 + int("a5" * 256, 16).bit_count()
    assert crt["products"] == 2 * (2 * 1024 + 1)
    product = {(item["bits"], item["word_multipliers"]): item for item in found.every("product")}
    assert product[2048, 1]["cycles"] <= 8400
    assert product[2048, 2]["cycles"] <= 4300
    assert product[2048, 1]["bound_word_products"] == 2 * 64**2 + 64
    for item in product.values():
        share = item["bound_word_products"] / item["word_multipliers"] / item["cycles"]
        assert item["bound_fraction"] == pytest.approx(share)
        assert share < 1
    assert one["cycles"] == pytest.approx(19 * product[2048, 1]["cycles"], rel=0.001)

    assert crt["bound_word_products"] == 2 * 2048 * (2 * 32**2 + 32)
    assert all(item["bound_fraction"] < 1 for item in [plain, variable, crt, one, two])
    mhz = (one["cycles"] + LOAD + READ) / 12.31e3
    assert pai2025_table.to_equal_mhz(one) == pytest.approx(mhz)


def test_schemes_of_r3(measured: Callable[[str], Found]) -> None:
    found = measured("sharif")
    for bits in sharif.BITS:
        items = {(i["scheme"], i["exponent"]): i for i in found.every("modexp", bits=bits)}
        assert len(items) == len(sharif.KINDS)
        assert items["binary", "secret"]["products"] == 2 * bits + 1
        assert items["ladder", "secret"]["products"] == 2 * bits + 3
        ones = items["binary", "public"]["products"] - bits
        assert 0.4 * bits < ones < 0.6 * bits
        assert items["right_to_left", "public"]["products"] == bits + ones
        sliding = items["sliding_window", "public"]
        assert sliding["cycles"] == min(item["cycles"] for item in items.values())
        assert sliding["multiplier_cycles"] == 17 * sliding["cycles"]
        assert all(item["bound_fraction"] < 1 for item in items.values())
    published = [item for item in found.every("modexp") if "published" in item]
    assert [(i["bits"], i["scheme"]) for i in published] == [(1024, "sliding_window")]
    assert published[0]["published"] == {"time_ms": 6.25, "MHz": "100/200"}
    first = sharif.items(1, quick=False)
    assert first == sharif.items(1, quick=False)
    assert first != sharif.items(2, quick=False)


def test_a_quick_run_leaves_the_long_ones_to_the_formula(no_simulation: None) -> None:
    for name, module in MODULE.items():
        full = [i for i in module.measure(1, False) if i["operation"] != "area"]
        quick = [i for i in module.measure(1, True) if i["operation"] != "area"]
        assert len(full) == len(quick), name
        assert {item["obtained"] for item in full} == {"simulated"}
        left = [item for item in quick if item["obtained"] == "estimated"]
        assert left
        assert {(i["method"], i["ok"]) for i in left} == {("model", None)}
        assert [i["cycles"] for i in full] == [i["cycles"] for i in quick]
        assert not [item for item in left if "cycles_load" in item]
    rows = pai2025_table.rows(Found(pai2025.measure(1, True)), PAPER, 1024)
    marked = [row[0].strip() for row in rows if row[0].endswith(" m")]
    assert marked == ["1 multiplier, constant time m", "1 multiplier, variable time m"]


def test_published_figures_are_those_of_the_file(measured: Callable[[str], Found]) -> None:
    rows = [row for bits in (2048, 1024)
            for row in pai2025_table.rows(measured("pai2025"), PAPER, bits)
            if row[0].startswith(" paper")]  # fmt: skip
    figures = [[float(cell.rstrip("*")) for cell in (row[1], row[6], row[7])] for row in rows]
    keys = ("cycles_M", "time_ms", "throughput_ops_s")
    assert figures == [[row[key] for key in keys] for row in RAW["pai2025"]["row"]]
    # The doubts of the file, by their own words.
    starred = [[cell for cell in row if cell.endswith("*")] for row in rows]
    assert starred == [["608.4*", "923.1*"], [], [], ["18.46*"],
                       ["106.1*", "23.08*"], [], ["406.7*", "61.54*"], []]  # fmt: skip
    compared = sharif_table.published_rows(POSTER)
    keys = ("who", "device", "MHz", "LUT", "BRAM", "DSP", "time_ms")
    assert [[row[0], *row[3:9]] for row in compared] == [
        [str(row[key]) for key in keys] for row in RAW["sharif"]["row"]
    ]


def test_bounds_of_published_figures() -> None:
    rows = {row[0]: row for row in pai2025_table.bound_rows(PAPER)}
    both = 3072 * (2 * 64**2 + 64) / 18.46e3
    assert rows["RSA-2048 decrypt"][3:5] == [f"{both:.0f}", f"{both / 2:.0f}"]
    crt = 3072 * (2 * 32**2 + 32) / 18.46e3
    assert rows["RSA-2048 decrypt"][5:] == [f"{crt:.0f}", f"{crt / 2:.0f}"]
    assert rows["RSA-1024 encrypt"][2] == "19"
    compared = {row[0]: row for row in sharif_table.published_rows(POSTER)}
    work = 1212 * (2 * 61**2 + 61)
    low, high = 100 * work / (17 * 1.25e6), 100 * work / (17 * 625e3)
    assert compared["Sharif (this poster)"][9:] == ["10.6-21.2", f"{low:.0f}-{high:.0f}"]
    assert compared["Wang et al. 2012"][9:] == ["-", "-"]


@pytest.mark.parametrize(
    ("cycles", "text"),
    [
        (500_000, "Monpro, by 1.25 or 2.50 times"),
        (1_000_000, "Monpro at the higher of the poster's clocks, the poster at the lower"),
        (2_500_000, "the poster, by 2.00 or 4.00 times"),
    ],
)
def test_who_is_ahead_follows_from_the_figures(
    measured: Callable[[str], Found], cycles: int, text: str
) -> None:
    found = measured("sharif")
    sliding = sharif_table.of(found, sharif.KINDS[0], 1024)
    sliding |= {"cycles": cycles, "multiplier_cycles": 17 * cycles}
    words = sharif_table.ahead(found, POSTER)
    assert f"by cycles of the sliding window: {text} (" in words
    # Suzuki's 11.6 M multiplier-cycles are the fewest of the others.
    assert ("row: nobody." in words) is (17 * cycles < 11.6e6)


def test_overhead_is_of_the_whole_call(measured: Callable[[str], Found]) -> None:
    rows = sharif_table.overhead_rows(measured("sharif"), POSTER)
    [first, *_] = rows
    item = sharif_table.of(measured("sharif"), sharif.KINDS[0], 512)
    whole = item["cycles"] + LOAD + READ
    assert first[:4] == ["512", str(LOAD), str(LOAD_COLD), str(READ)]
    assert first[4] == f"{100 * (LOAD + READ) / whole:.3f}"
    words = sharif_table.overhead_words(measured("sharif"), POSTER)
    assert "not at 512 with a cold key" in words


# ---- the command


@pytest.fixture
def shown(
    no_simulation: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Callable[..., str]:
    def show(name: str, columns: int, **options: bool) -> str:
        monkeypatch.setenv("COLUMNS", str(columns))
        settings = {"quick": False, "as_json": False, **options}
        assert registry.run([name], 1, tmp_path / f"{name}.json", **settings)
        return capsys.readouterr().out

    return show


@pytest.mark.parametrize("columns", [80, 120])
@pytest.mark.parametrize("name", ["pai2025", "sharif"])
@pytest.mark.parametrize("quick", [False, True])
def test_it_is_readable(shown: Callable[..., str], name: str, columns: int, quick: bool) -> None:
    text = shown(name, columns, quick=quick)
    assert max(map(len, text.splitlines())) <= columns
    assert "…" not in text
    flat = " ".join(text.split())
    for doubt in {"pai2025": PAPER, "sharif": POSTER}[name].doubts:
        assert flat.count(f"Doubt, {doubt.of}: {doubt.why}") == 1
    assert text.count("Who is ahead") >= 3
    assert ("m: by the formula" in flat) is quick
    assert ("Area of Monpro: not synthesized" in flat) is quick
    assert "the clock is not measured" in flat
    assert softcore.NOT_HERE in flat


def test_area_beside_the_published_one(shown: Callable[..., str]) -> None:
    text = " ".join(shown("sharif", 80).split())
    assert "poster, XC7Z020 10385 - - 17 26 5 " in text
    assert "XC7Z020 codesign 6000 9000 700 17 2.5 8 " in text
    assert "XC7A100T codesign 6000 9000 700 17 2.5 10 " in text
    assert "Monpro by 1.7 times in LUTs, with 17 DSPs for 17" in text


def test_a_placed_clock_is_labelled(
    shown: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clocks, "placed", lambda design: Clock(100.0, "LFE5U-25F-6", 3))
    text = " ".join(shown("pai2025", 80).split())
    assert "pynq 100.0 MHz (LFE5U-25F-6, placed and routed, 3 seeds)" in text
    assert "No time of" not in text
    ahead = "Monpro is ahead in encrypt (1 multiplier), encrypt (2 multipliers)."
    assert f"At the clock below, of 8 rows with one, {ahead}" in text
    found = Found(pai2025.measure(1, True))
    [one, _] = found.every("encrypt", bits=2048)
    assert one["time_ms"] == pytest.approx((one["cycles"] + LOAD + READ) / 1e5)
    assert "at 100 MHz on another" in " ".join(shown("sharif", 80).split())


def test_records_as_json(shown: Callable[..., str], tmp_path: Path) -> None:
    expected = (("pai2025", {"encrypt", "decrypt", "product"}), ("sharif", {"modexp"}))
    for name, operations in expected:
        found = json.loads(shown(name, 80, as_json=True))
        assert found == json.loads((tmp_path / f"{name}.json").read_text())
        assert {item["paper"] for item in found} == {name}
        assert {item["operation"] for item in found} == operations | {"area"}


def test_a_failure_is_shown(
    no_simulation: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(item: Item, seed: str) -> Run:
        return dataclasses.replace(as_the_formula_has_it(item, seed), failure="it broke")

    monkeypatch.setattr(papers_products, "simulate", fail)
    for name in MODULE:
        assert not registry.run([name], 1, tmp_path / "x", quick=True, as_json=False)
        captured = capsys.readouterr()
        assert "FAILED: it broke" in captured.out
        assert "NOT ALL right" in " ".join(captured.out.split())
        assert "WRONG" in captured.err


# ---- simulated


def some(design: str = "codesign", **changes: object) -> Item:
    item = Item(design, "modexp", 512, "binary", True, (1 << 512) - 569, 11)
    return dataclasses.replace(item, **changes)  # type: ignore[arg-type]


@pytest.mark.sim
@pytest.mark.parametrize("design", ["pynq", "codesign"])
def test_a_wrong_result_is_noticed(design: str, monkeypatch: pytest.MonkeyPatch) -> None:
    item = some(design)
    run = papers_products.simulate(item, "1")
    assert run.failure is None
    assert run.spent.products == item.cost().products == 4 + 3
    assert run.load_cold is not None
    assert run.load_cold > run.spent.cycles_load > 0
    with monkeypatch.context() as patch:
        patch.setattr("builtins.pow", lambda *_: -1)
        wrong = papers_products.simulate(item, "1")
        assert "not what Python's pow gives" in str(wrong.failure)
        if design == "pynq":
            wrong = papers_products.simulate(some(design, kind="product"), "1")
            assert "not what Python's pow gives" in str(wrong.failure)
    with monkeypatch.context() as patch:
        patch.setattr(papers_products, "_openssl", lambda *_: -1)
        wrong = papers_products.simulate(some(design, pem="key.pem"), "1")
    assert "not what the openssl program gives" in str(wrong.failure)
    cost = some(design, exponent=13).cost()
    monkeypatch.setattr(Item, "costs", lambda _: {1: dataclasses.replace(cost, products=99)})
    wrong = papers_products.simulate(item, "1")
    assert "are not the formula's" in str(wrong.failure)


@pytest.mark.sim
def test_an_error_is_a_failure() -> None:
    run = papers_products.simulate(some(n=(1 << 256) - 189, bits=256), "1")
    assert "MONPRO_ERR" in str(run.failure)
    assert run.spent == Counters()


@pytest.mark.sim
def test_rsa_with_keys_of_the_openssl_program(tmp_path: Path) -> None:
    """The shortest that CRT takes here: both primes of 512 bits."""
    numbers = Numbers.make(tmp_path, 1024)
    todo = [i for i in pai2025.items(1024, numbers, quick=True)
            if i.design == "pynq,elements=2" and (i.crt or i.kind == "encrypt")]  # fmt: skip
    for item in todo:
        run = papers_products.simulate(item, "1")
        assert run.failure is None
        assert (run.check is not None) == item.crt
    assert len(todo) == 2


@pytest.mark.sim
def test_single_products_as_the_formula_has_them() -> None:
    for item in pai2025.single_products():
        if item.bits < 2048:
            run = papers_products.simulate(item, "1")
            assert run.failure is None
            assert run.spent.cycles == item.cost().cycles


@pytest.mark.sim
@pytest.mark.parametrize("name", ["pai2025", "sharif"])
def test_the_command(monpro: Monpro, tmp_path: Path, name: str) -> None:
    done = monpro("papers", name, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found == json.loads((tmp_path / "build" / "papers" / f"{name}.json").read_text())
    assert sum(item["ok"] is True and item["obtained"] == "simulated" for item in found) > 7
    assert not [item for item in found if item["ok"] is False]


# ---- their pages

SECTIONS = ["What it is", "The paper", "Block diagram", "Ports", "Registers", "Cycles", "Area",
            "What we changed and why"]  # fmt: skip


@pytest.mark.parametrize("design", ["pynq", "codesign"])
def test_a_page_a_design(design: str) -> None:
    """In the fixed order, the cycles as the formula has them."""
    text = (Path(__file__).parents[3] / "docs" / "designs" / f"{design}.md").read_text()
    heads = [line[3:] for line in text.splitlines() if line.startswith("## ")]
    assert heads == SECTIONS
    model = papers_products._model(designs.get(design))
    for bits in (512, 1024, 2048):
        assert f"{model.multiplier_at(bits).interval_cycles}" in text
    schemes = ("fixed_window", "binary") if design == "codesign" else ("binary",)
    for bits in (1024, 2048):
        for scheme in schemes:
            item = some(design, bits=bits, scheme=scheme, public=False)
            assert f"{item.cost().cycles:,}".replace(",", " ") in text
    assert targets.get(shared.TARGETS[0]).device in text
