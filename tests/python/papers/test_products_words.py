# SPDX-License-Identifier: Apache-2.0
"""What the tables of pai2025 and sharif say of who is ahead, and why."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from monpro.papers import products as papers_products
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
from monpro.papers.sharif.figures import PosterRow
from monpro.papers.table_kit import Found
from monpro.records import Record
from monpro.synth import clocks
from monpro.synth.clocks import Clock

PAPER = pai2025_figures.load()
POSTER = sharif_figures.load()
SHORT = "is too short for 3072 products without CRT"
ROOM = "leaves room for 1536 products without CRT with two multipliers, not one"


@pytest.fixture
def at_mhz(monkeypatch: pytest.MonkeyPatch) -> Callable[[float | None], None]:
    """The clock of every design, by its number; nothing is simulated, and no key made."""

    def measure(
        todo: Sequence[Item], names: Sequence[str], seed: int, *, quick: bool
    ) -> tuple[list[Run], list[Record]]:
        return [papers_products.predicted(item) for item in todo], []

    def make(folder: Path, bits: int) -> Numbers:
        half_set = int("a5" * (bits // 8), 16)
        return Numbers(folder / "key.pem", None, (1 << bits) - 1, half_set)  # type: ignore[arg-type]

    def clock(mhz: float | None) -> None:
        found = None if mhz is None else Clock(mhz, "LFE5U-25F-6", 3)
        monkeypatch.setattr(clocks, "placed", lambda design: found)

    monkeypatch.setattr(papers_products, "measure", measure)
    for each in (pai2025_softcore, sharif_softcore):
        monkeypatch.setattr(each, "measure", lambda seed: [])
    monkeypatch.setattr(Numbers, "make", make)
    clock(None)
    return clock


# ---- pai2025


@pytest.mark.usefixtures("at_mhz")
def test_the_reason_is_that_of_the_length() -> None:
    """RSA-1024's bound, 297 MHz with two multipliers, is within the DSP blocks' 464."""
    found = Found(pai2025.measure(1, False))
    long, short = (pai2025_table.ahead(found, PAPER, bits) for bits in (2048, 1024))
    assert "1374 MHz with one multiplier, 687 with two" in long
    assert "593 MHz with one multiplier, 297 with two" in short
    for text in (long, short):
        assert "as the bound says: " in text
        assert "DSP blocks of the paper's device end at 464 MHz" in text
    assert SHORT in long
    assert "too short" not in short
    assert ROOM in short
    assert "leaves room" not in long


def test_the_reason_follows_from_the_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    row = PAPER.row(1024, "decrypt", "hardware")
    words = pai2025_table.without_crt
    _, needed, _ = pai2025_table.needed_mhz(row)
    for share, text in [
        (0.49, "is too short for 1536 products"),
        (0.5, "with two multipliers, not one"),
        (0.99, "with two multipliers, not one"),
        (1, "with one multiplier or two"),
    ]:
        monkeypatch.setattr(pai2025_table, "DSP_MHZ", share * needed)
        assert text in words(row)
    # A longer time needs a lower clock.
    monkeypatch.undo()
    assert "with one multiplier or two" in words(dataclasses.replace(row, time_ms=2 * row.time_ms))


def test_the_words_under_the_bound_are_of_every_length(monkeypatch: pytest.MonkeyPatch) -> None:
    text = pai2025_table.bound_words(PAPER)
    assert "without CRT 687 MHz, which cannot be, with CRT 173 MHz, which can be" in text
    assert "RSA-1024 without CRT 297 MHz, which can be, with CRT 75 MHz, which can be." in text
    monkeypatch.setattr(pai2025_table, "DSP_MHZ", 74)
    assert pai2025_table.bound_words(PAPER).count("which cannot be") == 4


@pytest.mark.usefixtures("at_mhz")
def test_the_heading_says_that_the_host_is_not_counted(capsys: pytest.CaptureFixture[str]) -> None:
    found = pai2025.measure(1, False)
    pai2025_table.show(found, Path("out.json"), 1, 1.0, False)
    heading, *_ = " ".join(capsys.readouterr().out.split()).split("Table I:")
    [sentence] = [part for part in heading.split(". ") if part.startswith("The host's own time")]
    for part in ("commands", "blinding", "recombination of CRT", "constants of a cold key"):
        assert part in sentence
    assert "in none of Monpro's figures, MHz to equal included" in sentence
    assert "while the paper's ms include its processor's" in sentence


# ---- sharif


def sliding_and_words() -> tuple[Record, str]:
    found = Found(sharif.measure(1, False))
    sliding = sharif_table.of(found, sharif.KINDS[0], 1024)
    return sliding, sharif_table.ahead(found, POSTER)


@pytest.mark.parametrize("mhz", [5, 99, 148.5, 300, 5000])
def test_every_row_of_less_time_is_named(
    at_mhz: Callable[[float | None], None], mhz: float
) -> None:
    at_mhz(mhz)
    sliding, text = sliding_and_words()
    _, _, named = text.partition("Less time than Monpro's in the published table: ")
    assert named
    less = [row for row in POSTER.rows if row.time_ms < sliding["time_ms"]]
    for row in POSTER.rows:
        assert (f"{row.who}, {row.time_ms:g} ms ({row.device}; " in named) is (row in less)
    assert (named == "nobody.") == (not less)
    if mhz == 148.5:
        assert [row.who for row in less] == ["San et al. 2014", "Suzuki 2007"]
        assert named == (
            "Suzuki 2007, 1.71 ms (Virtex-4; a clock of 200/400 MHz for 148); "
            "San et al. 2014, 3.04 ms (Zynq; 62 DSPs for 17)."
        )


@pytest.mark.usefixtures("at_mhz")
def test_nobody_is_faster_without_a_clock() -> None:
    sliding, text = sliding_and_words()
    assert "time_ms" not in sliding
    assert "Less time" not in text


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"MHz": "100/200", "DSP": 17}, "a clock of 100/200 MHz for 150"),
        ({"MHz": "100", "DSP": 62}, "62 DSPs for 17"),
        ({"MHz": "200", "DSP": 62}, "a clock of 200 MHz for 150, 62 DSPs for 17"),
        ({"MHz": "150", "DSP": 17}, "fewer multiplier-cycles, with 17 DSPs at 150 MHz"),
        ({"MHz": "111", "DSP": 0, "LUT": 99}, "111 MHz, without DSPs, 99 LUTs"),
    ],
)
def test_why_a_row_is_faster(changes: dict[str, object], why: str) -> None:
    row: PosterRow = dataclasses.replace(POSTER.rows[0], **changes)  # type: ignore[arg-type]
    ours: Record = {"clock_mhz": 150.0, "multipliers": 17}
    assert sharif_table.why_faster(row, ours) == why
