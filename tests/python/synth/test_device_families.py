# SPDX-License-Identifier: Apache-2.0
"""Device families: one file each, found by a scan; a slip in one is an error that says where."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from monpro import MonproError
from monpro.base import paths
from monpro.synth import targets
from monpro.synth.targets import Counts

FOLDER = paths.package() / "synth" / "families"
TINY = """
synthesis = "synth_ice40"
free = ["SB_GB"]

[names]
lut = "LC"
ff = "FF"

[cells]
SB_LUT4 = { lut = 1 }
SB_DFF = { ff = 1 }

[[target]]
name = "up5k"
device = "iCE40UP5K"
available = { lut = 5280, ff = 5280, dsp = 8, bram = 30 }
"""


def test_each_family_is_whole() -> None:
    for name, family in targets.families().items():
        devices = [each for each in targets.load().values() if each.family == name]
        assert devices
        # Every part that has a name is counted, and there are some of it on each device.
        counted = {part for parts in family.cells.values() for part in parts}
        assert counted == set(family.names)
        assert not set(family.cells) & set(family.free)
        for each in devices:
            assert each.available.lut
            assert family.placed == bool(each.flag) == bool(each.package)
        # The RTL instantiates the family's blocks where its parameter Target has the name.
        vendor = "".join(p.read_text() for p in (paths.share() / "rtl" / "vendor").glob("*.sv"))
        for block in family.block:
            module = next((paths.share() / "rtl").rglob(f"{block.module}.sv")).read_text()
            assert f'Target == "{name}"' in module
            assert re.search(rf"\b{block.primitive}\b", vendor)


def test_a_new_file_is_a_new_family(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ice40.toml").write_text(TINY)
    found = targets.read(tmp_path)
    monkeypatch.setattr(targets, "_known", lambda: found)
    assert list(targets.families()) == ["ice40"]
    place = targets.get("up5k")
    assert (place.family, place.is_placed) == ("ice40", False)
    counts = targets.count("ice40", {"SB_LUT4": 6000, "SB_DFF": 3, "SB_GB": 9})
    assert counts == Counts(lut=6000, ff=3, dsp=0, bram=0)
    assert targets.too_many(place, counts) == ["6000 LC of 5280"]
    with pytest.raises(MonproError, match='no target "ecp5-25"; there are: up5k'):
        targets.get("ecp5-25")
    with pytest.raises(MonproError, match='no family "ecp5"; there are: ice40'):
        targets.count("ecp5", {})


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('synthesis = "synth_ice40"\n', "", 'ice40.toml: "synthesis" is missing'),
        ("[names]", "[name]", 'unknown table "name"; there are: synthesis, names'),
        ('lut = "LC"', 'luts = "LC"', 'names: unknown key "luts"; there are: lut, ff, dsp'),
        ("{ ff = 1 }", "{ ff = 0 }", "cells.SB_DFF: ff = 0 is not a positive number"),
        ('device = "iCE40UP5K"\n', "", 'target 1: "device" is missing'),
        ("lut = 5280", "lut = true", "available: lut = True is not a whole number"),
        ("[[target]]", "[target]", "target = "),
    ],
)
def test_a_slip_is_an_error(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in TINY
    (tmp_path / "ice40.toml").write_text(TINY.replace(old, new, 1))
    with pytest.raises(MonproError) as caught:
        targets.read(tmp_path)
    assert caught.value.name == "MONPRO_ERR_FILE"
    assert message in caught.value.message


def test_a_name_stands_for_one_target(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.toml").write_text(TINY)
    with pytest.raises(MonproError, match='"up5k" is a target of the family one already'):
        targets.read(tmp_path)
