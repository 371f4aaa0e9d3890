# SPDX-License-Identifier: Apache-2.0
"""The points of power that coefficients are fitted on: read from a paper's file by its key."""

from __future__ import annotations

from pathlib import Path

import pytest

from monpro import MonproError
from monpro.papers.ledgard2023 import figures as ledgard2023_figures
from monpro.published import figures, power

FILE = figures.path("ledgard2023")


def test_they_are_those_of_the_paper() -> None:
    points, thesis = power.load("ledgard2023"), ledgard2023_figures.load()
    assert points.designs == ledgard2023_figures.DESIGNS
    assert points.bits == thesis.bits
    assert points.software == thesis.software
    for table in (*power.TABLES, power.LATENCY):
        assert points.tables[table] == thesis.tables[table]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[dynamic_W]", "[power_W]", '"dynamic_W" is missing'),
        ("[msp430]", "[arm]", '"msp430" is missing'),
        ("repeated = [0.002, ", "repeated = [", "dynamic_W.repeated is not a list of 6 positive"),
        ("binary = [459,", "other = [459,", r"\[FF\] has exactly the keys repeated, binary"),
        ("MHz = [8, 16, 25]", "MHz = [8, 16]", "encrypt_ms is not a list of 2 positive numbers"),
        ("encrypt_ms = ", "ms = ", r"\[msp430\] has exactly the keys MHz, encrypt_ms, decrypt_s"),
    ],
)
def test_a_slip_is_an_error(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = FILE.read_text()
    assert old in text
    (tmp_path / "paper.toml").write_text(text.replace(old, new, 1))
    with pytest.raises(MonproError, match=message):
        power.read(tmp_path / "paper.toml")


def test_a_paper_that_is_not_there() -> None:
    with pytest.raises(MonproError, match=r"MONPRO_ERR_FILE: .*doe1999/paper\.toml: No such file"):
        power.load("doe1999")
