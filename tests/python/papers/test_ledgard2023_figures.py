# SPDX-License-Identifier: Apache-2.0
"""The figures of ledgard2023: as they are, and that a slip in one is an error."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from monpro import MonproError
from monpro.papers.ledgard2023 import figures as ledgard2023_figures
from monpro.published import figures as published_figures

FILE = published_figures.path("ledgard2023")
THESIS = ledgard2023_figures.read(FILE)
RAW = tomllib.loads(FILE.read_text())


def test_the_published_file_is_read_whole() -> None:
    assert ledgard2023_figures.load() == THESIS
    known = {*ledgard2023_figures.TABLES, *ledgard2023_figures.OTHERS, "bits", "source", "doubt"}
    more = {ledgard2023_figures.CLOCK, ledgard2023_figures.SECONDS, ledgard2023_figures.SOFTWARE}
    assert set(RAW) == known | more
    assert THESIS.figure("cycles", "montgomery", 1024) == 2782
    assert len(THESIS.doubts) == len(RAW["doubt"])


def test_throughput_is_formula_7_of_its_own_cycles() -> None:
    for design in ledgard2023_figures.DESIGNS[1:]:
        for bits in THESIS.bits:
            rate = 10e6 * bits / THESIS.figure("cycles", design, bits)
            assert THESIS.figure("throughput_bit_s", design, bits) == pytest.approx(rate, rel=0.01)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[LUT] ", "[LUTS]", 'unknown key "LUTS"; there are: bits'),
        ("[FF] ", "[static]\n[FF]", 'unknown key "static"'),
        ("[max_frequency_MHz]", "[msp431]", 'unknown key "msp431"'),
        ("repeated = [650, ", "repeated = [", r"LUT.repeated is not a list of 6 positive numbers"),
        ("binary = [566,", "binary = [-1,", r"LUT.binary is not a list of 6 positive numbers"),
        ("repeated = 11.125\n", "", r"\[max_frequency_MHz\] has exactly the keys"),
        ("repeated = [523", "other = [523", r"\[FF\] has exactly the keys repeated"),
        ("bits = [", "bits = ", "ledgard2023.toml: "),
    ],
)
def test_a_slip_in_it_is_an_error(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = FILE.read_text()
    assert old in text
    (tmp_path / "ledgard2023.toml").write_text(text.replace(old, new, 1))
    with pytest.raises(MonproError, match=message):
        ledgard2023_figures.read(tmp_path / "ledgard2023.toml")


def test_a_missing_table_and_a_missing_file(tmp_path: Path) -> None:
    text = FILE.read_text()
    start, end = text.index("[LUT] "), text.index("[FF] ")
    (tmp_path / "ledgard2023.toml").write_text(text[:start] + text[end:])
    with pytest.raises(MonproError, match='"LUT" is missing'):
        ledgard2023_figures.read(tmp_path / "ledgard2023.toml")
    with pytest.raises(MonproError, match="No such file"):
        ledgard2023_figures.read(tmp_path / "none.toml")
