# SPDX-License-Identifier: Apache-2.0
"""`monpro report`: what the page has of its records, and what it says of those it has not."""

from __future__ import annotations

import errno
import html
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import page_records
from monpro import MonproError
from monpro.base import terminal
from monpro.base.terminal import Grid
from monpro.papers.bishop2021 import figures as bishop2021_figures
from monpro.papers.ledgard2023 import figures as ledgard2023_figures
from monpro.papers.pai2025 import figures as pai2025_figures
from monpro.papers.sharif import figures as sharif_figures
from monpro.webpage import page, sources
from monpro.webpage import tables as page_tables
from monpro.webpage.tables import Table, Text

Monpro = Callable[..., subprocess.CompletedProcess[bytes]]
pytestmark = pytest.mark.sim
EXTERNAL = re.compile(r"""(?:\b(?:src|href)\s*=\s*["']|url\(["']?|@import\s+["'])(?!#|data:)""")


@pytest.fixture(scope="module")
def assembled() -> page.Page:
    return page.assemble(sources.load(page_records.made()))


@pytest.fixture(scope="module")
def rendered(assembled: page.Page) -> str:
    return page.render(assembled)


def section(assembled: page.Page, key: str) -> page.Section:
    [found] = [one for one in assembled.sections if one.source.key == key]
    return found


def tables(assembled: page.Page, key: str) -> list[Table]:
    return [block for block in section(assembled, key).blocks if isinstance(block, Table)]


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The records, to be spoilt."""
    return Path(shutil.copytree(page_records.made(), tmp_path / "records"))


# ---- what is there


def test_every_section_has_its_records_or_their_command(
    assembled: page.Page, rendered: str
) -> None:
    for one in assembled.sections:
        assert (one.missing != "") == (one.source.key in page_records.MISSING), one.missing
        assert bool(one.blocks) != bool(one.missing)
        assert html.escape(one.source.command, quote=False) in rendered
    assert {plot.key for plot in assembled.plots} == {
        "speed-blocks", "speed-area", "maxeler-lanes", "ledgard2023-energy", "cycles-main",
        "cycles-designs", "pareto", "maxeler-blocks", "sharif-multiplier-cycles",
        "ledgard2023-latency", "bishop2021-steps",
    }  # fmt: skip
    assert assembled.absent == {}


def test_it_needs_nothing_else_and_is_small(rendered: str) -> None:
    own = re.sub(r"<script>.*?</script>", "", rendered, flags=re.S)
    assert EXTERNAL.findall(own) == []
    assert EXTERNAL.findall('<img src="http://x">') != []
    assert "default-src 'none'" in own
    assert len(rendered.encode()) < page.MOST_BYTES


def test_published_measured_bound_and_doubt(assembled: page.Page) -> None:
    loads = {
        "pai2025": pai2025_figures.load(), "sharif": sharif_figures.load(),
        "ledgard2023": ledgard2023_figures.load(), "bishop2021": bishop2021_figures.load(),
    }  # fmt: skip
    for key, published in loads.items():
        blocks = section(assembled, key).blocks
        said = "\n".join(b.text for b in blocks if isinstance(b, Text) and b.kind == "doubt")
        assert said.count("Doubt, ") >= min(3, len(published.doubts))
        assert [b for b in blocks if isinstance(b, Text) and b.kind == "ahead"]
        assert any("Bound" in b.text for b in blocks if isinstance(b, Text)) or key == "bishop2021"
    thesis = ledgard2023_figures.load()
    [area] = [t for t in tables(assembled, "ledgard2023") if "area on XC7A100T" in t.caption]
    assert [group.title for group in area.groups] == list(ledgard2023_figures.DESIGNS)
    for group in area.groups:
        luts = [float(row.cells[1]) for row in group.rows]
        assert luts == list(thesis.tables["LUT"][group.title])
        assert {row.cells[2] for row in group.rows} == {str(page_records.COUNTS.lut)}
    assert [column.theirs for column in area.columns[1:3]] == [True, False]


def test_rows_of_others_are_marked(assembled: page.Page) -> None:
    [first, *_] = tables(assembled, "pai2025")
    assert {row.cells[0]: row.theirs for row in first.groups[0].rows} == {
        "paper, software": True, "paper, hardware": True, "1 multiplier": False,
        "2 multipliers": False,
    }  # fmt: skip
    [poster, *_] = tables(assembled, "sharif")
    assert all(row.theirs for group in poster.groups for row in group.rows)


def test_a_row_under_another_has_its_name() -> None:
    rows = [("RSA-1024", ""), (" sign", "1"), (" verify", "2"), ("  warm", "3"), ("other", "4")]
    [table] = page_tables.blocks(["\nA caption", Grid(("", "x"), tuple(rows), frozenset("x"))])
    assert isinstance(table, Table)
    assert table.caption == "A caption"
    assert [(g.title, [row.cells for row in g.rows]) for g in table.groups] == [
        ("RSA-1024", [("sign", "1"), ("verify", "2"), ("verify, warm", "3")]),
        ("", [("other", "4")]),
    ]  # fmt: skip


def test_texts_are_told_apart() -> None:
    texts = ["\nArea", "Doubt, x: y.", "Who is ahead: we.", "FAILED: z", "\nA sentence.", "\n"]
    found = [block.kind for block in page_tables.blocks([*texts]) if isinstance(block, Text)]
    assert found == ["heading", "doubt", "ahead", "wrong", "plain"]
    long = "word " * 60
    kinds = [
        type(block) for block in page_tables.blocks([long, Grid(("a",), (("1",),), frozenset())])
    ]
    assert kinds == [Text, Table]


def test_collected_is_not_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with terminal.collected() as parts:
        terminal.show_text("inside")
        terminal.show_table(["a"], [["1"]], numbers=["a"])
    terminal.show_text("outside")
    assert parts == ["inside", Grid(("a",), (("1",),), frozenset("a"))]
    assert capsys.readouterr().out == "outside\n"


# ---- the command


def test_the_command(monpro: Monpro, tmp_path: Path) -> None:
    folder = page_records.made()
    done = monpro("report", "-o", "new/page.html", "--records", folder, "--json")
    assert done.returncode == 0, done.stderr
    [said] = json.loads(done.stdout)
    data = (tmp_path / "new" / "page.html").read_bytes()
    assert said["bytes"] == len(data)
    assert said["missing"].keys() == set(page_records.MISSING)
    again = monpro("report", "-o", "-", "--records", folder)
    assert again.stdout == data  # the same records make the same page
    assert b"not in it: schemes; its records come from: monpro bench schemes small" in again.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "MONPRO_ERR_FILE: build: no records; make some, for example: monpro bench"),
        (["-o", "-", "--json"], "with --json, name a file"),
        (["--records", "/dev/null"], "MONPRO_ERR_FILE: /dev/null"),
    ],
)
def test_wrong_use_is_named(
    monpro: Monpro, tmp_path: Path, arguments: list[str], words: str
) -> None:
    done = monpro("report", *arguments)
    assert done.returncode == 2
    assert words in done.stderr.decode()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[", "ledgard2023.json: not JSON"),
        ("{}", "ledgard2023.json: not a list of records"),
        ("[1]", "ledgard2023.json: record 1: not a record"),
        ('[{"command": "bench"}]', 'ledgard2023.json: record 1: "operation" is missing'),
        ("\udcff", "ledgard2023.json: 'utf-8' codec"),
    ],
)
def test_broken_records_are_named(copied: Path, text: str, words: str) -> None:
    (copied / "papers" / "ledgard2023.json").write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(MonproError, match=re.escape(words)) as caught:
        page.run(str(copied / "page.html"), copied, None, as_json=False)
    assert caught.value.name == "MONPRO_ERR_FILE"
    assert not (copied / "page.html").exists()


def test_records_of_another_version_are_a_section_that_says_so(
    copied: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = copied / "papers" / "ledgard2023.json"
    items = json.loads(file.read_text())
    for item in items:
        del item["run"]
    file.write_text(json.dumps(items))
    found = page.assemble(sources.load(copied))
    missing = section(found, "ledgard2023").missing
    assert "make them again: monpro papers ledgard2023" in missing
    assert "ledgard2023.json: records of another version" in capsys.readouterr().err
    assert "ledgard2023-energy" not in {plot.key for plot in found.plots}
    assert found.absent == {"Energy against size": "monpro papers ledgard2023 --full"}


def test_what_a_record_says_is_no_markup(copied: Path) -> None:
    file = copied / "explore" / "records.json"
    evil = "</script><script>alert(1)</script>"
    items = json.loads(file.read_text())
    for item in items:
        item["design"] = evil
        item["run"]["designs"] = [evil]
    file.write_text(json.dumps(items))
    text = page.render(page.assemble(sources.load(copied)))
    assert evil not in text
    assert html.escape(evil) in text


def test_a_full_disk_leaves_the_old_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "page.html"
    out.write_text("old")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(MonproError, match=r"MONPRO_ERR_FILE: .*page\.html: No space left"):
        page.run(str(out), page_records.made(), None, as_json=False)
    assert out.read_text() == "old"
    assert list(tmp_path.iterdir()) == [out]
    with pytest.raises(MonproError, match=r"MONPRO_ERR_FILE: .*: No space left"):
        page.run(str(out), page_records.made(), tmp_path / "plots", as_json=False)
    assert list((tmp_path / "plots").iterdir()) == []


def test_a_device_that_is_full(monpro: Monpro) -> None:
    done = monpro("report", "-o", "/dev/full", "--records", page_records.made())
    assert done.returncode == 2
    assert b"MONPRO_ERR_FILE: /dev/full: No space left" in done.stderr


@pytest.mark.parametrize("module", ["jinja2", "plotly"])
def test_missing_packages_are_named(
    module: str, assembled: page.Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MonproError, match=rf"MONPRO_ERR_UNSUPPORTED: the page needs {module}"):
        page.render(assembled)
