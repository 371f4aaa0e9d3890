"""Records and generated tables: what the check finds, on a small tree and on this one."""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from figures import catalogue, check, pages, sources, store, tables
from figures.catalogue import FiguresError
from figures.pages import Table
from figures.store import Store
from figures.tables.kit import aligned, markdown

ROOT = Path(__file__).parents[2]
CATALOGUE = """
[cycles.run]
command = "monpro bench designs toy"
rtl = ["toy"]
keep = ["design", "cycles"]

[placed.toy]
command = "monpro synth toy --seeds 2"
rtl = ["toy"]
keep = ["design", "clock_mhz"]
where = { part = ["top"] }

[measured.run]
command = "monpro bench engines"
keep = ["time_ms"]
"""
PRINTED = {
    "cycles/run": [{"design": "toy", "cycles": 123, "wall_ms": 1.5}],
    "placed/toy": [
        {"design": "toy", "part": "top", "clock_mhz": 99.12345678},
        {"design": "toy", "part": "core"},
    ],
    "measured/run": [{"time_ms": 0.5}],
}
WHO = {"machine": "a machine", "tool_versions": {"python": "3"}}
PAGE = """# A page

<!-- BEGIN GENERATED cost -->
<!-- END GENERATED cost -->

Text.

<!-- BEGIN GENERATED clock -->
<!-- END GENERATED clock -->
"""


def cost(records: Store) -> str:
    time = records.one("measured/run")["time_ms"]
    return markdown(["cycles", "ms"], [[str(records.one("cycles/run")["cycles"]), str(time)]])


def clock(records: Store) -> str:
    return f"{records.one('placed/toy', design='toy')['clock_mhz']:.1f} MHz"


TABLES: Mapping[str, Table] = {"cost": cost, "clock": clock}


class Tree:
    """A tree with records, one page, and an RTL whose digest the test can change."""

    def __init__(self, root: Path) -> None:
        self.root, self.rtl = root, "then"
        (root / "docs").mkdir()
        (root / "records").mkdir()
        (root / "README.md").write_text(PAGE)
        (root / "records" / "catalogue.toml").write_text(CATALOGUE)
        found = self.store()
        for key, printed in PRINTED.items():
            entry = found.entries[key]
            items = [item | WHO for item in printed]
            rtl = dict.fromkeys(entry.rtl, self.rtl)
            store.write(entry, found.folder, rtl, entry.commands, items)
        self.write()

    def digest(self, _design: str) -> str:
        return self.rtl

    def store(self) -> Store:
        return Store(self.root / "records", self.digest)

    def write(self) -> list[str]:
        changed, wrong = pages.write(self.root, TABLES, self.store())
        assert wrong == []
        return changed

    def problems(self) -> list[str]:
        found = self.store()
        return [*found.problems(), *pages.problems(self.root, TABLES, found)]

    @property
    def page(self) -> Path:
        return self.root / "README.md"

    def edit(self, name: str, change: Callable[[str], str]) -> None:
        path = self.root / name
        text = path.read_text()
        assert change(text) != text
        path.write_text(change(text))


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


# ---- the tables


def test_tables_are_written_once_and_then_right(tree: Tree) -> None:
    assert "| 123 | 0.5 |" in tree.page.read_text()
    assert "99.1 MHz" in tree.page.read_text()
    assert tree.problems() == []
    assert tree.write() == []


def test_a_changed_digit_fails(tree: Tree) -> None:
    tree.edit("README.md", lambda text: text.replace("| 123 |", "| 124 |"))
    [problem] = tree.problems()
    assert "README.md is not what the records say (make docs)" in problem
    assert "| 124 | 0.5 |" in problem
    assert "| 123 | 0.5 |" in problem
    assert tree.write() == ["README.md"]
    assert tree.problems() == []


def test_a_changed_record_fails(tree: Tree) -> None:
    tree.edit("records/cycles/run.json", lambda text: text.replace("123", "321"))
    assert ["make docs" in problem for problem in tree.problems()] == [True]


def test_cycles_older_than_the_rtl_fail(tree: Tree) -> None:
    tree.rtl = "now"
    old = [problem for problem in tree.problems() if "older" in problem]
    assert old == [
        "records/cycles/run.json is older than the RTL of toy: make records makes it",
    ]


def test_a_placement_older_than_the_rtl_gets_a_line(tree: Tree) -> None:
    tree.rtl = "now"
    assert tree.write() == ["README.md"]
    text = tree.page.read_text()
    line = "`toy`: placed before the last change of the RTL."
    assert text.count(line) == 1
    assert text.index("99.1 MHz") < text.index(line) < text.index("END GENERATED clock")
    assert [problem for problem in tree.problems() if "cycles/run" not in problem] == []
    tree.rtl = "then"
    tree.write()
    assert line not in tree.page.read_text()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            lambda text: text.replace("GENERATED cost", "GENERATED price"),
            "no table is called price",
        ),
        (lambda text: text.replace("<!-- END GENERATED cost -->\n", ""), "are not a pair"),
        (lambda text: text.replace("<!-- END GENERATED clock -->\n", ""), "clock has no end"),
        (lambda text: text + PAGE[10:], "clock is there twice"),
        (
            lambda text: text[: text.index("<!-- BEGIN GENERATED clock")],
            "table clock is on no page",
        ),
    ],
)
def test_wrong_markers(tree: Tree, change: Callable[[str], str], said: str) -> None:
    tree.edit("README.md", change)
    assert any(said in problem for problem in tree.problems()), tree.problems()


def test_a_table_twice_on_different_pages(tree: Tree) -> None:
    (tree.root / "docs" / "page.md").write_text(PAGE)
    assert any("docs/page.md: clock is there twice" in problem for problem in tree.problems())


def test_a_page_that_cannot_be_written_is_left_alone(tree: Tree) -> None:
    (tree.root / "records" / "placed" / "toy.json").unlink()
    before = tree.page.read_text()
    (tree.root / "docs" / "page.md").write_text(PAGE.split("Text.")[0])
    changed, wrong = pages.write(tree.root, TABLES, tree.store())
    assert changed == ["docs/page.md"]
    assert wrong[0].startswith("README.md: left as it was: records/placed/toy.json is missing")
    assert tree.page.read_text() == before


# ---- the records


def test_what_is_kept(tree: Tree) -> None:
    data = json.loads((tree.root / "records" / "placed" / "toy.json").read_text())
    assert data["records"] == [{"design": "toy", "clock_mhz": 99.1235}]
    assert data["head"]["rtl"] == {"toy": "then"}
    assert data["head"]["machine"] == "a machine"


def test_a_field_that_a_table_wants_and_no_record_has(tree: Tree) -> None:
    tree.edit("records/cycles/run.json", lambda text: text.replace('"cycles":', '"words":'))
    assert "the table cost: a record has no field 'cycles'" in tree.problems()


def test_nothing_to_keep_is_an_error(tree: Tree) -> None:
    entry = tree.store().entries["placed/toy"]
    with pytest.raises(FiguresError, match="printed no record"):
        store.kept(entry, [{"part": "core", "design": "toy"}])
    with pytest.raises(FiguresError, match="a record is wrong"):
        store.kept(entry, [{"part": "top", "design": "toy", "ok": False}])


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("cycles/run.json", None, "records/cycles/run.json is missing: make records"),
        ("placed/toy.json", None, "missing: make records-placed DESIGNS=toy"),
        ("measured/run.json", None, "missing: make records-slow NAMES=measured/run"),
        ("cycles/run.json", ("designs toy", "designs doll"), "made by another command"),
        ("cycles/run.json", ('"machine"', '"box"'), 'its head has no "machine"'),
        ("cycles/run.json", ('"toy": "then"', '"doll": "then"'), "not the RTL of the catalogue"),
        ("cycles/run.json", ("{", ""), "records/cycles/run.json: "),
    ],
)
def test_wrong_files(tree: Tree, name: str, change: tuple[str, str] | None, said: str) -> None:
    if change is None:
        (tree.root / "records" / name).unlink()
    else:
        tree.edit(f"records/{name}", lambda text: text.replace(*change))
    assert any(said in problem for problem in tree.problems()), tree.problems()


def test_another_number_of_seeds_is_the_same_command(tree: Tree) -> None:
    tree.edit("records/placed/toy.json", lambda text: text.replace("--seeds 2", "--seeds 5"))
    assert tree.problems() == []
    assert store.with_seeds("monpro synth toy --seeds 2", 3) == "monpro synth toy --seeds 3"


def test_files_without_an_entry_and_entries_without_a_table(tree: Tree) -> None:
    (tree.root / "records" / "more.json").write_text("{}")
    assert tree.problems()[0] == "records/more.json is not in records/catalogue.toml"
    (tree.root / "records" / "more.json").unlink()
    found = tree.store()
    unused: Mapping[str, Table] = {"cost": cost, "clock": lambda _: "99.1 MHz"}
    said = pages.problems(tree.root, unused, found)
    assert said == ["records/placed/toy.json is in no table"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[speed.x]", 'unknown kind "speed"'),
        ("[cycles.x]\ncolour = 1", 'unknown key "colour"'),
        ("[cycles.x]\nkeep = []", '"command" is missing'),
        ('[cycles.x]\nkeep = []\ncommand = "rm -rf x"', "a command of monpro is wanted"),
        ('[cycles.x]\nkeep = []\ncommand = "monpro bench"', '"rtl" is missing'),
        ("[cycles", "catalogue.toml: "),
    ],
)
def test_wrong_catalogues(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "catalogue.toml").write_text(text)
    with pytest.raises(FiguresError, match=r"catalogue\.toml") as caught:
        catalogue.read(tmp_path)
    assert said in str(caught.value)


def test_a_record_is_made_by_its_command(tree: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    """The digest is that of the RTL before the command runs."""
    ran = []

    def printed(command: str) -> list[dict[str, object]]:
        ran.append(command)
        tree.rtl = "changed meanwhile"
        return [{"design": "toy", "part": "top", "clock_mhz": 101.0} | WHO]

    monkeypatch.setattr(store, "_printed", printed)
    found = tree.store()
    path = store.make(found.entries["placed/toy"], found.folder, tree.digest, seeds=3)
    data = json.loads(path.read_text())
    assert ran == data["head"]["command"] == ["monpro synth toy --seeds 3"]
    assert data["head"]["rtl"] == {"toy": "then"}
    assert data["records"] == [{"design": "toy", "clock_mhz": 101.0}]


# ---- the digest of the RTL


def rtl(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.sv").write_text(text)
    return folder


def test_the_digest_follows_the_rtl_of_the_top(tmp_path: Path) -> None:
    top = "// A top.\nmodule monpro_top;\n  monpro_leaf u_leaf ();\nendmodule\n"
    leaf, other = "module monpro_leaf; logic a; endmodule\n", "module monpro_other; endmodule\n"
    folder = rtl(tmp_path, monpro_top=top, monpro_leaf=leaf, monpro_other=other)

    def digest() -> str:
        sources._needed.cache_clear()
        return sources.digest("monpro_top", folder)

    first = digest()
    rtl(tmp_path, monpro_top=top.replace("A top", "The top").replace("  ", "\t"))
    rtl(tmp_path, monpro_other=other.replace("other;", "other; logic b;"))
    assert digest() == first, "neither comments, nor spaces, nor modules that it has not"
    rtl(tmp_path, monpro_leaf=leaf.replace("logic a", "logic b"))
    assert digest() != first
    sources._needed.cache_clear()


def test_the_digest_follows_the_parameters() -> None:
    assert sources.digest("small") != sources.digest("small,elements=8")
    assert sources.digest("small") == sources.digest("small")


# ---- this tree


def test_the_tables_of_this_tree() -> None:
    """All tables can be made; the pages and records have nothing to complain about."""
    assert check.problems() == []


def test_every_table_has_a_name_of_its_own() -> None:
    assert len(tables.load()) > 20


def test_forms() -> None:
    assert markdown(["a", "b"], [["1", ""]]) == "| a | b |\n|---|---|\n| 1 | |"
    with pytest.raises(ValueError, match="columns"):
        markdown(["a", "b"], [["1"]])
    assert aligned([["x", "1"], ["yy", "10"]]) == ["x   1", "yy 10"]
