# SPDX-License-Identifier: Apache-2.0
"""bishop2021: figures, the program on an emulated ARM, exact counts of what was not run, tables."""

from __future__ import annotations

import json
import random
import tomllib
from pathlib import Path

import pytest

from monpro import MonproError
from monpro.papers import registry
from monpro.papers.bishop2021 import arm, assist
from monpro.papers.bishop2021 import figures as bishop2021_figures
from monpro.papers.bishop2021 import measure as bishop2021
from monpro.papers.bishop2021 import table as bishop2021_table
from monpro.papers.bishop2021.arm import EVENTS_SHAPE, OPERATIONS, STEPS, TRIES, Arm, Build, Image
from monpro.papers.bishop2021.measure import Emulation, Inputs, Measured, note
from monpro.papers.bishop2021.model import CHECKS, DETAILS, Model
from monpro.papers.table_kit import Found
from monpro.published import figures as published_figures
from paper_stand_ins import Emulated

FILE = published_figures.path("bishop2021")
PAPER = bishop2021_figures.read(FILE)
RAW = tomllib.loads(FILE.read_text())
TEXTS = Inputs.make(1, 40).mixed
FAST = Build(8, "O2")


def events(*numbers: int) -> tuple[int, ...]:
    """A run with these counts of the first events, at the first site."""
    sites, segments, kinds = EVENTS_SHAPE
    return (*numbers, *[0] * (sites * segments * kinds - len(numbers)))


# ---- published figures


def test_the_published_file_is_read_whole() -> None:
    assert bishop2021_figures.load() == PAPER
    assert [row.roundtrip_s for row in PAPER.rows] == [row["roundtrip_s"] for row in RAW["row"]]
    assert [row.assembly_lines for row in PAPER.rows][:2] == [1118, 1211]
    assert PAPER.rows[0].gain_percent is None
    assert (PAPER.assist.software_cycles, PAPER.assist.assisted_cycles) == (9, 5)
    assert [doubt.of for doubt in PAPER.doubts] == [doubt["of"] for doubt in RAW["doubt"]]


def test_gains_are_time_saved() -> None:
    """As a doubt says, to the digits that are given."""
    first = PAPER.rows[0].roundtrip_s
    for row in PAPER.rows[1:]:
        assert row.gain_percent == pytest.approx(100 * (1 - row.roundtrip_s / first), abs=0.01)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("iteration = 1", "iteration = 2", "rows are of the iterations 0, 1, 2"),
        ("assembly_lines = 1118\n", "", 'row 1: "assembly_lines" is missing'),
        ("measured = false", "measured = 0", "measured = 0 is not true or false"),
        ("[hardware_assist]", "[assist]", 'unknown table "assist"'),
    ],
)
def test_a_slip_is_an_error(tmp_path: Path, old: str, new: str, message: str) -> None:
    text = FILE.read_text()
    assert old in text
    (tmp_path / "bishop2021.toml").write_text(text.replace(old, new, 1))
    with pytest.raises(MonproError, match=message):
        bishop2021_figures.read(tmp_path / "bishop2021.toml")


# ---- the program


def test_the_key() -> None:
    key = arm.key()
    assert key["M"].bit_length() == 128
    assert key["R2"] == pow(2, 256, key["M"])
    for text in TEXTS[:6]:
        assert text < key["M"]
        assert pow(pow(text, key["E"], key["M"]), key["D"], key["M"]) == text


def test_inputs() -> None:
    made = Inputs.make(3, 100)
    assert made == Inputs.make(3, 100)
    assert made != Inputs.make(4, 100)
    assert all(0x20 <= byte < 0x7F for text in made.strings for byte in text.to_bytes(15))
    assert set(made.integers) <= set(range(1, 1001))


@pytest.mark.parametrize("attempt", TRIES)
@pytest.mark.parametrize("step", STEPS)
def test_every_build_computes(step: int, attempt: str) -> None:
    """At -O2, emulated; tries are of the last step."""
    if attempt != "nothing" and step != STEPS[-1]:
        return
    found = bishop2021.measured(Build(step, "O2", attempt), TEXTS[:2], None)
    assert found.ok
    assert found.emulated == 2
    assert all(count > 100_000 for counts in found.counts.values() for count in counts)


def test_without_optimization() -> None:
    found = bishop2021.measured(Build(8, "O0"), TEXTS[:1], None)
    assert found.ok
    lines, instructions = arm.assembly_lines(found.build)
    assert lines > instructions > 300
    assert found.counts["encrypt"][0] > 4 * emulated(TEXTS[:1]).counts["encrypt"][0]


def emulated(texts: list[int]) -> Measured:
    return bishop2021.measured(FAST, texts, None)


def test_counts_are_of_instructions() -> None:
    """The same number when the emulator itself stops after so many: one less is not the end."""
    image = Image.read(arm.compiled(FAST)["rsa128.elf"])
    machines = [Arm(image) for _ in range(3)]  # it looks at single instructions from the start
    try:
        result, count = machines[0].run("encrypt", TEXTS[0])
        assert machines[0].run("encrypt", TEXTS[0]) == (result, count)
        end, before = (
            machine.stops_at("encrypt", TEXTS[0], count - less)
            for less, machine in enumerate(machines[1:])
        )
        assert end == arm.END
        assert before != end
    finally:
        for machine in machines:
            machine.close()


def test_events_are_of_the_same_results() -> None:
    for step in bishop2021.FIRSTS:
        noted, ok = note(step, TEXTS[:2])
        assert ok
        assert all(len(counts) == 2 for counts in noted.values())


def test_what_was_not_run_is_exact() -> None:
    """Counts told by some runs are those of all runs."""
    noted, ok = note(FAST.step, TEXTS)
    found = bishop2021.measured(FAST, TEXTS, noted)
    assert ok
    assert found.ok
    assert found.detail in DETAILS
    assert found.emulated < len(TEXTS)
    assert found.checks >= CHECKS
    assert found.counts == emulated(TEXTS).counts


def test_nothing_that_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then there are figures of what was run, and no others."""
    noted = {name: [events(random.Random(x).getrandbits(9)) for x in TEXTS] for name in OPERATIONS}
    monkeypatch.setattr(bishop2021, "MOST_RUNS", 16)
    found = bishop2021.measured(FAST, TEXTS, noted)
    assert found.detail is None
    assert found.emulated == len(found.counts["encrypt"]) < len(TEXTS)


def test_nothing_that_fits_after_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """A model that was believed for a while leaves integers alone: each kind is counted as such."""
    alone = (11, 13)  # of a third event, which the first runs did not have
    noted = {
        name: [events(x % 2, int(x in alone)) for x in range(len(TEXTS))] for name in OPERATIONS
    }

    def run(self: Arm, operation: str, text: int) -> tuple[int, int]:
        result = bishop2021.right(operation, text)
        number = TEXTS.index(text if operation == "encrypt" else result)
        return result, (1000 if number % 2 else 2000) + (number == alone[1])

    monkeypatch.setattr(Arm, "run", run)
    found = bishop2021.measured(FAST, TEXTS, noted)
    assert found.detail is None
    assert found.emulated == 10
    assert found.counts == dict.fromkeys(OPERATIONS, [2000, 1000] * 5)


def test_a_wrong_result_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Arm.run

    def wrong(self: Arm, operation: str, text: int) -> tuple[int, int]:
        result, count = right(self, operation, text)
        return result ^ (operation == "decrypt"), count

    monkeypatch.setattr(Arm, "run", wrong)
    assert not emulated(TEXTS[:1]).ok


# ---- models


def test_a_model_tells_what_it_was_shown() -> None:
    model = Model("function")
    few = Model("branches")
    with_weights = [(events(a, b), 7 + 3 * a + 11 * b) for a in range(4) for b in range(4)]
    for counts, instructions in with_weights:
        model.see(counts, instructions)
        few.see(counts, instructions)
    assert model.believed
    assert few.believed
    assert model.runs_needed == few.runs_needed == 3
    assert model.counts([events(100, 5)]) == [7 + 300 + 55]
    # An event that it never saw, and that the other does not look at.
    assert model.counts([events(1, 1, 1)]) == [None]
    assert few.counts([events(1, 1, 1)]) == [7 + 3 + 11]
    model.see(events(9, 9), 7 + 9 * 14 + 1)
    assert not model.believed


def test_details_tell_more_and_more_apart() -> None:
    """The same event at two sites, or in two segments."""
    sites, segments, kinds = EVENTS_SHAPE
    assert DETAILS[0] == "branches"
    for detail, apart in zip(DETAILS[1:], (0, segments * kinds, 2 * kinds, kinds), strict=True):
        model = Model(detail)
        for a in range(6):
            for b in range(6):
                run = [0] * (sites * segments * kinds)
                run[0] += a
                run[apart] += b
                model.see(run, 2 * a + (3 if apart else 2) * b)
        assert model.believed, detail


# ---- errors


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arm.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(MonproError, match=r"MONPRO_ERR_BUILD: ziglang is missing: pip install"):
        bishop2021.measure(1, quick=True)


def test_what_is_no_program(tmp_path: Path) -> None:
    (tmp_path / "x.elf").write_bytes(b"\x7fELF\x02\x01" + bytes(60))
    with pytest.raises(MonproError, match=r"MONPRO_ERR_FILE: .*x\.elf is not a 32-bit ELF"):
        Image.read(tmp_path / "x.elf")


def test_a_program_that_does_not_compile() -> None:
    with pytest.raises(MonproError, match=r"(?s)MONPRO_ERR_BUILD: .* failed \(exit 1\).*error"):
        arm.compiled(Build(99, "O9"))


# ---- the tables, from made-up counts


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> Emulated:
    return Emulated(monkeypatch)


@pytest.mark.parametrize("columns", [80, 120])
def test_it_is_readable(
    made_up: Emulated,
    columns: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert registry.run(["bishop2021"], 1, tmp_path / "bishop2021.json", quick=False, as_json=False)
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= columns
    flat = " ".join(text.split())
    for doubt in PAPER.doubts:
        assert f"Doubt, {doubt.of}: {doubt.why}" in flat
    lines = [line.split() for line in text.splitlines()]
    row = ["1", "36.68", "22.7", "1211", "72.00", "10.0", "900", "72.00", "10.0", "900", "18.00"]
    assert [*row, "10.0", "900"] in lines
    assert "the report saves 22.7 % of step 0; clang -O0 saves 10.0 %, gcc -O0" in flat
    assert "Who is ahead: at step 8 the report's 5.51 ms are 7.71 M cycles" in flat
    assert "Of 6 round trips of each build 2 to 2 were emulated, the others estimated" in flat
    assert ["software", "10000", "10000", "20000"] in lines
    assert "words, chained 4000 2.50 4000 2.50 8000 2.50" in flat
    assert "the instruction as drawn 2.00 2.50" in flat
    assert "all right, 81 figures" in flat


def test_quick_and_single_tables(
    made_up: Emulated, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "bishop2021.json"
    assert registry.run(["bishop2021"], 1, out, quick=True, as_json=True)
    found = json.loads(capsys.readouterr().out)
    assert found == json.loads(out.read_text())
    assert {item["paper"] for item in found} == {"bishop2021"}
    assert {item["obtained"] for item in found} == {"simulated"}
    assert {item["inputs"] for item in found} == {1}
    for table, name in ((1, "steps"), (2, "assist")):
        assert registry.run(["bishop2021"], 1, out, quick=True, as_json=False, table=table)
        assert {item["table"] for item in json.loads(out.read_text())} == {name}
        assert ("design assist" in capsys.readouterr().out) == (table == 2)
    with pytest.raises(MonproError, match="bishop2021: no table 3 of its own; it has 1, 2"):
        registry.run(["bishop2021"], 1, out, quick=True, as_json=False, table=3)


@pytest.mark.parametrize("wrong", ["clang -O2 step 3", "held_product"])
def test_a_wrong_figure_fails(
    made_up: Emulated, wrong: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made_up.wrong = wrong
    assert not registry.run(["bishop2021"], 1, tmp_path / "x.json", quick=True, as_json=False)
    assert "WRONG" in capsys.readouterr().out


def test_without_a_softcore(
    made_up: Emulated,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Said, and no failure: the ARM side is there."""
    monkeypatch.setattr(assist, "missing", lambda: "litex is missing")
    assert registry.run(["bishop2021"], 1, tmp_path / "bishop2021.json", quick=True, as_json=False)
    assert "Not measured: litex is missing." in capsys.readouterr().out


def test_turns_of_a_round_trip() -> None:
    """Products of the last step: 3 of them once, 256 squares, one for each bit of E and D."""
    key = arm.key()
    ones = bin(key["E"]).count("1") + bin(key["D"]).count("1")
    assert bishop2021_table.bit_steps() == 128 * (2 * 3 + 256 + ones)


# ---- the softcore


@pytest.mark.sim
def test_the_instruction_on_the_softcore() -> None:
    """Every form right, the body at least as much faster as the report estimates."""
    found = Found(assist.measure(TEXTS[:1]))
    assert all(item["ok"] for item in found.all)
    body = {form: found.one("body", form=form)["cycles"] for form in assist.BODIES}
    assert min(body["branch"], body["mask"]) / body["word"] >= PAPER.assist.estimated_speedup
    for part in assist.PARTS:
        software, limbs, held = (found.one(part, form=form)["cycles"] for form in assist.FORMS)
        assert software > 2 * limbs
        assert limbs > 4 * held
    assert found.one("product", form="held")["cycles"] >= 128


def test_emulation_needs_no_second_machine() -> None:
    emulation = Emulation(FAST, TEXTS[:2])
    try:
        assert emulation.every() == emulation.every()
    finally:
        emulation.close()
