"""A paper is one folder: one is added to a copy of the package, and everything finds it there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import monpro
from monpro import MonproError
from monpro.base import paths
from monpro.papers import registry

FIGURES = """
[source]
title = "Ten products, counted"
authors = "Doe"
year = 1999

[[row]]
products = 10
"""
MEASURE = '''
"""Counts products."""
from monpro import records

def measure(seed, quick):
    return [records.record("papers", {"products": 9}, operation="count", bits=64, ok=True,
                           obtained="simulated")]
'''
TABLE = '''
"""Shows them."""
from monpro.base import terminal

def show(found, out, seed, elapsed_s, quick):
    terminal.show_table(("", "published", "ours"), [["products", "10", str(found[0]["products"])]])
'''


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """A copy of the installed package with one paper more, to be put before the installed one."""
    package = tmp_path / "with one more" / "monpro"
    installed = Path(monpro.__file__).parent
    shutil.copytree(installed, package, ignore=shutil.ignore_patterns("__pycache__"))
    folder = package / "papers" / "doe1999"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    for name, text in (("paper.toml", FIGURES), ("measure.py", MEASURE), ("table.py", TABLE)):
        (folder / name).write_text(text)
    return package.parent


def run(copied: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "monpro", *arguments],
        cwd=copied, env=os.environ | {"PYTHONPATH": str(copied)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_paper_is_added_by_its_folder(copied: Path) -> None:
    assert "doe1999     Doe, 1999" in run(copied, "papers")
    assert "products 10        9" in run(copied, "papers", "doe1999")
    [item] = json.loads(run(copied, "papers", "doe1999", "--json"))
    assert (item["paper"], item["products"]) == ("doe1999", 9)
    kept = json.loads((copied / "build" / "papers" / "doe1999.json").read_text())
    assert kept == [item]
    run(copied, "report", "--out", "page.html")
    page = (copied / "page.html").read_text()
    assert "doe1999: Ten products, counted" in page


def test_the_papers_that_there_are() -> None:
    assert registry.known() == ["bishop2021", "ledgard2023", "maxeler", "pai2025", "sharif"]
    for key in registry.known():
        paper = registry.get(key)
        assert paper.source["title"]
        assert paper.who or key == "maxeler"  # whose text names nobody
        assert (paths.package() / "papers" / key / "paper.toml").is_file()


@pytest.mark.parametrize("text", ["[source]\nauthors = 'x'\n", "x = 1\n", "source = 3\n"])
def test_a_paper_without_a_title_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    folder = tmp_path / "papers" / "doe1999"
    folder.mkdir(parents=True)
    (folder / "paper.toml").write_text(text)
    monkeypatch.setattr(paths, "package", lambda: tmp_path)
    assert registry.known() == ["doe1999"]
    with pytest.raises(MonproError, match=r"doe1999/paper\.toml: \[source\] has no title"):
        registry.get("doe1999")
