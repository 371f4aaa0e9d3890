"""The commands of README and of docs/using.md run as they stand, and print what the page shows.

Each block marked `console` is a session. Lines after "$ " are commands; a backslash at the end of a
line continues a command. The lines below a command are what it prints. Only spaces may differ from
what is shown, and a line "..." stands for any lines. Each command has its own shell. All sessions
of a page share one folder, which has the examples.

Three kinds of command do not run. `make` runs these tests itself: it only has to know the target,
and what it prints is not compared. What fetches the project does not run. The whole bench of the
designs takes minutes: its cycles are compared to the model's.
"""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from monpro.base import paths
from monpro.bench.designs import E
from monpro.hardware import designs
from monpro.measure import predict

CHECKOUT = Path(__file__).parents[2]
README = CHECKOUT / "README.md"
USING = CHECKOUT / "docs" / "using.md"
PAGES = pytest.mark.parametrize("page", [README, USING], ids=lambda page: page.stem)
FETCHES = re.compile(r"(git clone|cd|pip install|apt-get|sudo) ")
LONG = re.compile(r"monpro bench designs (?!.*--quick)")

Command = tuple[str, list[str]]


def sessions(text: str) -> list[list[Command]]:
    """The commands of each block, with the lines shown below each."""
    result = []
    for block in re.findall(r"^```console\n(.*?)^```", text, re.M | re.S):
        commands: list[Command] = []
        for line in block.replace("\\\n", " ").splitlines():
            if line.startswith("$ "):
                commands.append((line[2:], []))
            elif commands:
                commands[-1][1].append(line)
            else:
                raise AssertionError(f"a block starts without a command: {line}")
        result.append(commands)
    return result


def shape(line: str) -> str:
    """A line without the spaces that align it."""
    return re.sub(r"\s+", " ", line).strip()


def missing(shown: list[str], printed: str) -> list[str]:
    """The lines that were shown and not printed, in order."""
    actual = [shape(line) for line in printed.splitlines()]
    absent = []
    for line in shown:
        wanted = shape(line)
        if wanted in ("", "..."):
            continue
        if wanted in actual:
            del actual[: actual.index(wanted) + 1]
        else:
            absent.append(line)
    return absent


def cache(folder: Path) -> Path:
    """A cache with the models built so far, but no clock that `monpro synth` measured here.

    A bench says the time of a design whose clock is known: columns that no page shows.
    """
    models = paths.cache() / "models"
    models.mkdir(parents=True, exist_ok=True)
    empty = folder / ".cache"
    if not empty.exists():
        empty.mkdir()
        (empty / "models").symlink_to(models)
    return empty


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    if command.startswith("make"):
        command = f"make -C {CHECKOUT} --dry-run {command.removeprefix('make')}"
    environment = os.environ | {"PATH": path, "MONPRO_CACHE": str(cache(folder))}
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], cwd=folder, env=environment,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, check=False,
    )  # fmt: skip


def failures(text: str, folder: Path) -> list[str]:
    found = []
    for session in sessions(text):
        for command, shown in session:
            if FETCHES.match(command) or LONG.match(command):
                continue
            done = run(command, folder)
            if done.returncode:
                found.append(f"$ {command}\nexit {done.returncode}: {done.stdout}")
            elif not command.startswith("make"):
                absent = missing(shown, done.stdout)
                found += [f"$ {command}\nnot printed: {line}" for line in absent]
    return found


@pytest.mark.sim
@PAGES
def test_every_command(tmp_path: Path, page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert sessions(text), f"{page} shows no command"
    shutil.copytree(CHECKOUT / "examples", tmp_path / "examples")
    (tmp_path / ".venv").symlink_to(sys.prefix)
    assert failures(text, tmp_path) == []


def test_the_runner_notices_what_is_wrong(tmp_path: Path) -> None:
    def check(block: str) -> list[str]:
        return failures(f"```console\n{block}\n```\n", tmp_path)

    assert check("$ echo 5 words and 3.5 more \\\n  here\n5 words  and 3.5 more here") == []
    assert len(check("$ echo 5\n6")) == 1
    assert check("$ printf 'a\\nb\\nc\\n'\na\n...\nc") == []
    assert check("$ printf 'a\\nb\\n'\nb\na") == ["$ printf 'a\\nb\\n'\nnot printed: a"]
    assert len(check("$ false\n$ cat absent\n$ echo good")) == 2
    assert len(check("$ false | true")) == 1
    assert "No rule to make target" in check("$ make no-such-target")[0]
    assert check("$ git clone somewhere\n$ cd nowhere") == []


@pytest.mark.sim
def test_the_cycles_of_the_bench_shown(tmp_path: Path) -> None:
    """What is left out of the comparison above: the cycles, which no machine changes."""

    def cycles(text: str, bits: int) -> list[list[str]]:
        rows = text.split(f"RSA-{bits}\n")[1].splitlines()
        found = [re.match(r"\s+[a-z]+((?:\s+\d+){5})\s", row + " ") for row in rows]
        return [match[1].split() for match in itertools.takewhile(bool, found) if match]

    shown = README.read_text(encoding="utf-8")
    printed = run("monpro bench rsa --bits 2048 --rounds 1", tmp_path).stdout
    assert len(cycles(printed, 2048)) == 6
    assert cycles(shown, 2048) == cycles(printed, 2048)


TITLES = {
    "modexp": r"Exponentiation, (\d+) bits",
    "rsa_private": r"RSA-(\d+) private operation",
    "rsa_public": r"RSA-(\d+) public operation",
}
LINE = re.compile(r" ?(\w+) +(cold|warm|no check|with check) +(\d+) ")
STATES = {"no check": ("cold", False), "with check": ("cold", True)}


def disagreements(shown: list[str]) -> tuple[int, list[str]]:
    """Lines of the bench of the designs: how many, and those whose cycles are not the model's."""
    operation, bits, lines, wrong = "", 0, 0, []
    for line in shown:
        for name, title in TITLES.items():
            if match := re.match(title, line):
                operation, bits = name, int(match[1])
        if match := LINE.match(line):
            lines += 1
            known = predict.predictions(designs.get(match[1]), operation, bits, E)
            row = (*STATES.get(match[2], (match[2], None)), int(match[3]))
            if not any(row in prediction.rows for prediction in known):
                wrong.append(line)
    return lines, wrong


def test_the_table_of_the_designs() -> None:
    """Where docs/using.md shows the whole bench of the designs, its cycles are the model's."""
    tables = [
        shown
        for session in sessions(USING.read_text(encoding="utf-8"))
        for command, shown in session
        if LONG.match(command)
    ]
    assert tables, "the bench of the designs is not shown"
    for shown in tables:
        lines, wrong = disagreements(shown)
        assert lines, "no line of the table is known"
        assert wrong == []


def test_the_size_of_the_readme() -> None:
    """A front page is short: what it loses stands in docs/."""
    text = README.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 120
    assert len(text.split()) <= 900


def test_a_wrong_figure_in_the_table_is_noticed() -> None:
    title = "Exponentiation, 1024 bits, secret exponent of full length, constant time"
    cold, warm = (
        cycles for *_, cycles in predict.predict(designs.get("small"), "modexp", 1024, E).rows
    )
    right = [title, f" small cold {cold}  1", "", f"small warm {warm}  1"]
    assert disagreements(right) == (2, [])
    assert disagreements([title, f" small warm {cold}  1"]) == (1, [f" small warm {cold}  1"])
