# SPDX-License-Identifier: Apache-2.0
"""The area of a design by synthesis: what the cache has, and how many of it fit a device."""

from __future__ import annotations

from pathlib import Path

import pytest

from monpro.base import cache
from monpro.hardware import designs
from monpro.synth import area as synth_area
from monpro.synth import run as synth
from monpro.synth import targets
from monpro.synth.targets import Counts


def test_how_many_fit() -> None:
    assert synth_area.instances({"lut": 47991, "ff": 31035}) == 1
    assert synth_area.instances({"lut": 1, "ff": 30000, "dsp": 0}) == 4
    assert synth_area.instances({"lut": 1, "carry": 15850 // 2}) == 2
    assert synth_area.instances({"lut": 1, "bram": 67.5}) == 2


def test_a_design_for_each_length() -> None:
    assert synth_area.sized("binary", 1024).name == "binary"
    assert synth_area.sized("binary", 64).max_bits == 64


def test_what_the_cache_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MONPRO_CACHE", str(tmp_path))
    monkeypatch.setattr(synth.synth_tools, "version", lambda tool: "1")
    design, target = designs.get("binary"), targets.get("xc7a100t")
    assert synth_area.kept(design) is None
    sources = synth.Sources.of(design, target)
    text = synth.script(sources, target.family, write=False)
    name = cache.digest(["1", text], sources.files)
    (synth.folder() / f"{name}.json").write_text('{"cells": {"LUT6": 7, "FDRE": 3}, "wall_s": 1}')
    assert synth_area.kept(design) == Counts(lut=7, ff=3, dsp=0, bram=0)


def test_synthesis_takes_the_core_that_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    tops: list[str] = []

    def synthesize(sources: synth.Sources, family: str, *, write: bool) -> synth.Netlist:
        tops.append(sources.top)
        known = dict(sources.parameters)
        assert known["Multiplier"] == '"radix2"'
        return synth.Netlist("x", {"LUT6": 1}, 0.0)

    monkeypatch.setattr(synth, "synthesize", synthesize)
    monkeypatch.setattr(synth.synth_tools, "require", lambda tools: None)
    monkeypatch.setattr(synth.synth_tools, "version", lambda tool: "1")
    target = targets.get("xc7a100t")
    found = synth.measure(designs.get("montgomery"), target, 1, 1, print)
    assert sorted(tops) == ["monpro_coprocessor", "monpro_serial_core"]
    assert [item["part"] for item in found] == ["top", "core"]
