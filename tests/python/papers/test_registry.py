# SPDX-License-Identifier: Apache-2.0
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
summary = "products, one by one"
device = "a desk"
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
    listed = [line.strip() for line in run(copied, "papers").splitlines()]
    place = listed.index("doe1999     Ten products, counted")
    assert listed[place + 1 : place + 4] == [
        "Doe, 1999", "products, one by one", "monpro papers doe1999",
    ]  # fmt: skip
    about = {item["paper"]: item for item in json.loads(run(copied, "papers", "--json"))}
    assert list(about) == [*registry.known()[:1], "doe1999", *registry.known()[1:]]
    assert about["doe1999"]["summary"] == "products, one by one"
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
        assert paper.source.title
        assert paper.source.who or key == "maxeler"  # whose text names nobody
        assert (paths.package() / "papers" / key / "paper.toml").is_file()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the only paper that there is, with nothing in it."""
    made = tmp_path / "papers" / "doe1999"
    made.mkdir(parents=True)
    monkeypatch.setattr(paths, "package", lambda: tmp_path)
    return made


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[source]\nauthors = 'x'\n", 'source: "title" is missing'),
        ("[source]\nname = 'x'\n", 'source: unknown key "name"; there are: title, summary, device'),
        (FIGURES.replace("1999", "'1999'"), "source: year = '1999' is not a whole number"),
        ("x = 1\n", '"source" is missing'),
        ("source = 3\n", "source is not a table"),
    ],
)
def test_a_paper_without_a_source_is_named(folder: Path, text: str, message: str) -> None:
    (folder / "paper.toml").write_text(text)
    assert registry.known() == ["doe1999"]
    with pytest.raises(MonproError, match=rf"doe1999/paper\.toml: {message}"):
        registry.get("doe1999")


def test_a_paper_without_its_files_is_named(folder: Path) -> None:
    """Before anything is written; the list of papers does without them."""
    (folder / "paper.toml").write_text(FIGURES)
    assert registry.get("doe1999").source.who == "Doe, 1999"
    with pytest.raises(MonproError, match=r"doe1999/measure\.py: a paper has to have this file"):
        registry.run(["doe1999"], 1, folder / "x.json", quick=True, as_json=True)
    assert not (folder / "x.json").exists()


def test_several_papers_at_once(copied: Path) -> None:
    """Each in a file of its own; --json prints one list."""
    shutil.copytree(copied / "monpro" / "papers" / "doe1999", copied / "monpro" / "papers" / "roe")
    found = json.loads(run(copied, "papers", "roe", "doe1999", "--json"))
    assert [item["paper"] for item in found] == ["roe", "doe1999"]
    for key in ("roe", "doe1999"):
        [kept] = json.loads((copied / "build" / "papers" / f"{key}.json").read_text())
        assert kept["paper"] == key
