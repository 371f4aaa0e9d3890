# SPDX-License-Identifier: Apache-2.0
"""Published figures: the file as it is, and that a slip in it is an error."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from monpro import MonproError
from monpro.published import figures as published_figures
from monpro.published import peers as published
from monpro.published.peers import Hardware

FOLDER = Path(__file__).resolve().parents[3] / "published"
HEAD = '[source]\nid = "x"\ntitle = "x"\nnote = "x"\n'
ROW = (
    '[[hardware]]\nwho = "A"\ndevice = "D"\nobtained = "measured"\noperation = "modexp"\nbits = 8\n'
)
SOFT = '[[software]]\nwho = "S"\noperation = "modexp"\nobtained = "measured"\n'


def read(tmp_path: Path, text: str) -> published.Peers:
    (tmp_path / "peers.toml").write_text(HEAD + text)
    return published.read(tmp_path / "peers.toml")


def test_the_file() -> None:
    peers = published.read(FOLDER / "peers.toml")
    assert peers == published.load()
    assert {row.operation for row in peers.hardware} == set(published.OPERATIONS)
    [suzuki] = [row for row in peers.hardware if row.who == "Suzuki 2007"]
    assert suzuki.multiplier_cycles == pytest.approx((11.63e6, 11.63e6), rel=0.001)
    assert suzuki.constant_time is False
    names = [(row.who, row.operation, row.bits) for row in peers.hardware]
    assert len(set(names)) == len(names)


def test_cycles_clock_and_time_agree() -> None:
    """Each row that gives all three, to the digits that it gives."""
    rows = [row for row in published.load().hardware if row.cycles and row.clock_mhz]
    assert len([row for row in rows if row.time_ms]) > 10
    for row in rows:
        assert row.clock_mhz
        if row.time_ms:
            assert row.time_ms == pytest.approx(row.cycles / row.clock_mhz[1] / 1e3, rel=0.02)


def test_rows_that_stand_in_another_file_are_the_same() -> None:
    """The comparison table of sharif lists some of the peers too."""
    table = tomllib.loads((published_figures.path("sharif")).read_text())["row"]
    names = {"Sharif (2015)": "Sharif (this poster)"}
    shared = 0
    for row in published.load().hardware:
        for other in table:
            if row.bits == 1024 and names.get(row.who, row.who) == other["who"]:
                shared += 1
                assert row.time_ms == other["time_ms"]
                assert row.multipliers == (other["DSP"], other["DSP"])
                assert row.device == other["device"]
                clocks = [float(part) for part in other["MHz"].split("/")]
                assert row.clock_mhz == (clocks[0], clocks[-1])
    assert shared == 4


def test_ranges_and_what_is_unknown(tmp_path: Path) -> None:
    def row(text: str) -> Hardware:
        [found] = read(tmp_path, ROW + text).hardware
        return found

    assert row("").multiplier_cycles is None
    assert row("multipliers = 0\ncycles = 5\n").multiplier_cycles is None
    assert row("multipliers = 2\ncycles = 5\n").multiplier_cycles == (10, 10)
    assert row("multipliers = [2, 3]\ncycles = 5\n").multiplier_cycles == (10, 15)
    clocked = row("multipliers = 2\nclock_mhz = [100, 200]\ntime_ms = 1.5\n")
    assert clocked.multiplier_cycles == (300_000, 600_000)
    assert row("cycles = 3000\nclock_mhz = 3\n").shown_time_ms == 1
    assert row("cycles = 3000\n").shown_time_ms is None


def test_software_by_length(tmp_path: Path) -> None:
    [row] = read(tmp_path, SOFT + "ops_per_s = { 1024 = 5, 2048 = 1.5 }\n").software
    assert row.ops_per_s == {1024: 5, 2048: 1.5}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ROW + "dsp = 3\n", r'hardware 1 \(A\): unknown key "dsp"; there are: who, device'),
        (ROW.replace('who = "A"\n', ""), 'hardware 1: "who" is missing'),
        (ROW.replace("8", "true"), "bits = True is not a whole number"),
        (ROW.replace('"D"', '""'), "device = '' is not a text"),
        (ROW.replace("modexp", "modex"), "there are: modexp, rsa_private"),
        (ROW.replace("measured", "guessed"), "there are: published, measured"),
        (ROW + "multipliers = [3, 2]\n", "a number, or a range of two"),
        (ROW + 'clock_mhz = "200/400"\n', "a number, or a range of two"),
        (ROW + "time_ms = -1\n", "a positive number"),
        (ROW + 'doubts = "one"\n', "a list, each item a text"),
        (SOFT, '"ops_per_s" is missing'),
        (SOFT + "ops_per_s = { fast = 1 }\n", 'the key "fast" is not a whole number'),
        (SOFT + "ops_per_s = {}\n", "a table of positive numbers by bits"),
        (SOFT + "ops_per_s = { 8 = 0 }\n", "ops_per_s: 8 = 0 is not a positive number"),
        ("[hardware]\n", r"write \[\[hardware\]\]"),
        ("[firmware]\n", 'unknown table "firmware"; there are: source, hardware'),
        ("url = 1\n", 'source: unknown key "url"; there are: id, title, note'),
        ("[[", "peers.toml: "),
    ],
)
def test_a_slip_is_an_error(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(MonproError, match=message):
        read(tmp_path, text)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(MonproError, match="No such file"):
        published.read(tmp_path / "none.toml")
