"""The files of R1 and R3 in published/: as they are, and that a slip in one is an error."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from monpro.errors import MonproError
from monpro.published import papers

FILES = {"R1": papers.figures("pai2025"), "R3": papers.figures("sharif")}
RAW = {name: tomllib.loads(path.read_text()) for name, path in FILES.items()}
PAPER = papers.read_paper(FILES["R1"])
POSTER = papers.read_poster(FILES["R3"])


def test_the_published_files_are_read_whole() -> None:
    assert papers.load_paper() == PAPER
    assert papers.load_poster() == POSTER
    assert len(PAPER.rows) == len(RAW["R1"]["row"]) == 8
    assert len(POSTER.rows) == len(RAW["R3"]["row"])
    assert len(PAPER.doubts) == len(RAW["R1"]["doubt"])
    assert len(POSTER.doubts) == len(RAW["R3"]["doubt"])
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
        ("R1", 'op = "encrypt"', 'operation = "encrypt"', 'row 1: unknown key "operation"'),
        ("R1", "cycles_M = 608.4\n", "", 'row 1: "cycles_M" is missing'),
        ("R1", "cycles_M = 608.4", "cycles_M = -1", "cycles_M = -1 is not a positive number"),
        ("R1", "bits = 2048", 'bits = "2048"', "is not a whole number"),
        ("R1", "bits = 2048", "bits = 512", "one row of each length, op and impl"),
        ("R1", "[[row]]", "[[rows]]", 'unknown table "rows"; there are: source, row'),
        ("R1", 'why = "10 ops', 'why = ""\nx = "', "doubt 1: "),
        ("R3", "[[claim]]", "[claim]", r"claim is not a list of tables: write \[\[claim\]\]"),
        ("R3", "[[claim]]", "[[claim]]\n[[claim]]", 'claim 1: "speedup_over_relic_max" is missing'),
        ("R3", 'MHz = "100/200"', 'MHz = "fast"', 'row 1: MHz = "fast" is not a clock'),
        ("R3", "sizes = [512, ", "sizes = [1.5, ", "is not a list of whole numbers"),
        ("R3", 'who = "R3 (this poster)"', 'who = ""', "who = '' is not a text"),
        ("R3", "[source]", "[source", "R3.toml: "),
    ],
)
def test_a_slip_is_an_error(tmp_path: Path, name: str, old: str, new: str, message: str) -> None:
    text = (FILES[name]).read_text()
    assert old in text
    path = tmp_path / f"{name}.toml"
    path.write_text(text.replace(old, new, 1))
    read = {"R1": papers.read_paper, "R3": papers.read_poster}[name]
    with pytest.raises(MonproError, match=message):
        read(path)


def test_a_missing_table_and_a_missing_file(tmp_path: Path) -> None:
    (tmp_path / "R1.toml").write_text((FILES["R1"]).read_text().split("[[doubt]]")[0])
    with pytest.raises(MonproError, match='"doubt" is missing'):
        papers.read_paper(tmp_path / "R1.toml")
    with pytest.raises(MonproError, match="No such file"):
        papers.read_poster(tmp_path / "none.toml")
