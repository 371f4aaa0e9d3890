# SPDX-License-Identifier: Apache-2.0
"""Records: the head that each has, and where its facts come from."""

from __future__ import annotations

import importlib.metadata
import json
import subprocess
from pathlib import Path

import pytest

from monpro import Counters, Engine, records


def test_a_record_has_its_head_and_no_unknown_figures() -> None:
    item = records.record("sign", {"cycles": None, "products": 3}, bits=1024, lut=None, ok=True)
    assert (item["command"], item["bits"], item["products"]) == ("sign", 1024, 3)
    assert item["design"] is None
    assert not {"cycles", "lut"} & item.keys()
    assert item["tool_versions"]["python"].startswith("3.")
    assert json.loads(records.to_json([item])) == [item]


def test_figures_of_the_counters(soft: Engine) -> None:
    spent = Counters(operations=2, warm=1, cycles_load=1, cycles_precompute=20,
                     cycles_exponentiate=300, cycles_read=4000)  # fmt: skip
    figures = records.cycle_figures(soft, spent)
    assert (figures["cycles"], figures["cycles_bus"], figures["cycles_total"]) == (320, 4001, 4321)
    assert records.key_state(spent) == "mixed"
    assert records.cycle_figures(soft, Counters(operations=2)) == {}
    assert records.key_state(Counters(operations=2)) is None


def test_the_commit_is_that_of_the_folder_installed_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Distribution:
        def read_text(self, name: str) -> str:
            return json.dumps({"url": f"file://{tmp_path}", "dir_info": {}})

    monkeypatch.setattr(importlib.metadata, "distribution", lambda name: Distribution())
    records.commit.cache_clear()
    assert records.commit() is None  # no repository
    author = ["-c", "user.name=a", "-c", "user.email=a@b"]
    for command in (["init", "-q"], [*author, "commit", "-q", "--allow-empty", "-m", "first"]):
        subprocess.run(["git", "-C", tmp_path, *command], check=True)
    revision = subprocess.run(
        ["git", "-C", tmp_path, "rev-parse", "HEAD"], capture_output=True, text=True, check=True
    ).stdout.strip()
    records.commit.cache_clear()
    found = records.commit()
    records.commit.cache_clear()
    assert found
    assert revision.startswith(found)
