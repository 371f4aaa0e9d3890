# SPDX-License-Identifier: Apache-2.0
"""The figures of pai2025 and sharif: as they are, and that a slip in one is an error."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from monpro.errors import MonproError
from monpro.papers.pai2025 import figures as pai2025_figures
from monpro.papers.sharif import figures as sharif_figures
from monpro.published import figures as published_figures

FILES = {"pai2025": published_figures.path("pai2025"), "sharif": published_figures.path("sharif")}
RAW = {name: tomllib.loads(path.read_text()) for name, path in FILES.items()}
PAPER = pai2025_figures.read(FILES["pai2025"])
POSTER = sharif_figures.read(FILES["sharif"])


def test_the_published_files_are_read_whole() -> None:
    assert pai2025_figures.load() == PAPER
    assert sharif_figures.load() == POSTER
    assert len(PAPER.rows) == len(RAW["pai2025"]["row"]) == 8
    assert len(POSTER.rows) == len(RAW["sharif"]["row"])
    assert len(PAPER.doubts) == len(RAW["pai2025"]["doubt"])
    assert len(POSTER.doubts) == len(RAW["sharif"]["doubt"])
    assert PAPER.row(2048, "decrypt", "hardware").time_ms == 18.46
    assert POSTER.claim.speedup_over_relic_max == 57


def test_what_follows_from_a_row() -> None:
    first, *_, uhsadel, _, _, _ = POSTER.rows
    assert first.timed == "SLID"
    assert first.cycles == (625_000, 1_250_000)
    assert first.multiplier_cycles == (17 * 625_000, 17 * 1_250_000)
    assert (uhsadel.timed, uhsadel.multiplier_cycles) == ("L2R", None)


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("pai2025", 'op = "encrypt"', 'operation = "encrypt"', 'row 1: unknown key "operation"'),
        ("pai2025", "cycles_M = 608.4\n", "", 'row 1: "cycles_M" is missing'),
        ("pai2025", "cycles_M = 608.4", "cycles_M = -1", "cycles_M = -1 is not a positive number"),
        ("pai2025", "bits = 2048", 'bits = "2048"', "is not a whole number"),
        ("pai2025", "bits = 2048", "bits = 512", "one row of each length, op and impl"),
        ("pai2025", "[[row]]", "[[rows]]", 'unknown table "rows"; there are: source, row'),
        ("pai2025", 'why = "10 ops', 'why = ""\nx = "', "doubt 1: "),
        ("sharif", "[[claim]]", "[claim]", r"claim is not a list of tables: write \[\[claim\]\]"),
        ("sharif", "[[claim]]", "[[claim]]\n" * 2, 'claim 1: "speedup_over_relic_max" is missing'),
        ("sharif", 'MHz = "100/200"', 'MHz = "fast"', 'row 1: MHz = "fast" is not a clock'),
        ("sharif", "sizes = [512, ", "sizes = [1.5, ", "is not a list of whole numbers"),
        ("sharif", 'who = "Sharif (this poster)"', 'who = ""', "who = '' is not a text"),
        ("sharif", "[source]", "[source", "sharif.toml: "),
    ],
)
def test_a_slip_is_an_error(tmp_path: Path, name: str, old: str, new: str, message: str) -> None:
    text = (FILES[name]).read_text()
    assert old in text
    path = tmp_path / f"{name}.toml"
    path.write_text(text.replace(old, new, 1))
    read = {"pai2025": pai2025_figures.read, "sharif": sharif_figures.read}[name]
    with pytest.raises(MonproError, match=message):
        read(path)


def test_a_missing_table_and_a_missing_file(tmp_path: Path) -> None:
    (tmp_path / "pai2025.toml").write_text((FILES["pai2025"]).read_text().split("[[doubt]]")[0])
    with pytest.raises(MonproError, match='"doubt" is missing'):
        pai2025_figures.read(tmp_path / "pai2025.toml")
    with pytest.raises(MonproError, match="No such file"):
        sharif_figures.read(tmp_path / "none.toml")
