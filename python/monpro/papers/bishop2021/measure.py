# SPDX-License-Identifier: Apache-2.0
"""The figures of bishop2021's table 1, and those of its instruction.

Table 1 counts instructions of a 128-bit RSA on a 32-bit ARM: after each of eight optimization
steps, and after three that did not help.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Any

from monpro import records
from monpro.base import terminal
from monpro.papers.bishop2021 import arm, assist
from monpro.papers.bishop2021 import figures as bishop2021_figures
from monpro.papers.bishop2021.arm import LEVELS, OPERATIONS, STEPS, TRIES, Build
from monpro.papers.bishop2021.model import CHECKS, DETAILS, Model
from monpro.records import Record

TABLES = STEPS_TABLE, ASSIST_TABLE = 1, 2  # the second: what its figures 7 and 8 estimate
SALT = "R5"  # of the random numbers: another one would change every figure of a seed
INPUTS = 2000  # of each kind
LETTERS = 15  # of a string
KINDS = ("strings", "integers")
BATCH = 2  # texts that are emulated before it is asked again what they tell
MOST_RUNS = 400  # emulated, of one build, before no model is expected to hold
CHUNKS = 4  # of the inputs, when their events are noted
FULL_MINUTES = "5 to 10"
ASSIST_TEXTS = 4  # on the softcore, whose cycles hardly depend on them


@dataclass(frozen=True, slots=True)
class Inputs:
    """The same for every build."""

    strings: tuple[int, ...]
    integers: tuple[int, ...]

    @classmethod
    def make(cls, seed: int, count: int) -> Inputs:
        chance = random.Random(f"{SALT} {seed}")  # noqa: S311 - texts of a measurement
        strings, integers = [], []
        for _ in range(count):
            text = bytes(chance.randrange(0x20, 0x7F) for _ in range(LETTERS))
            strings.append(int.from_bytes(text))
            integers.append(chance.randint(1, 1000))
        return cls(tuple(strings), tuple(integers))

    @property
    def mixed(self) -> list[int]:
        """Strings and integers in turns. The even places are the strings."""
        return [x for pair in zip(self.strings, self.integers, strict=True) for x in pair]


def right(operation: str, text: int) -> int:
    """The right result, by Python."""
    key = arm.key()
    return pow(text, key["E" if operation == "encrypt" else "D"], key["M"])


FIRSTS = (0, 4, 5, 8)  # steps that changed which products are made


def algorithm(step: int) -> int:
    """The first step with the same products: what happens in them is the same then."""
    return max(first for first in FIRSTS if first <= step)


Counts = list[tuple[int, ...]]
Noted = tuple[dict[str, Counts], bool]


def note(step: int, texts: Sequence[int]) -> Noted:
    """What happens in each operation on each text, and whether every result was right."""
    events, ok = arm.Events(step), True
    found: dict[str, Counts] = {operation: [] for operation in OPERATIONS}
    for text in texts:
        data = text
        for operation in OPERATIONS:
            result, counts = events.run(operation, data)
            ok &= result == right(operation, data)
            found[operation].append(counts)
            data = result
        ok &= data == text
    return found, ok


@dataclass(frozen=True, slots=True)
class Measured:
    """Instructions of a build for each text, and how they were found."""

    build: Build
    counts: dict[str, list[int]]
    ok: bool
    emulated: int
    checks: int = 0
    detail: str | None = None  # of the model; without one every text was emulated


class Emulation:
    """A build in an emulated processor, and what its runs tell of others."""

    def __init__(self, build: Build, texts: Sequence[int]) -> None:
        self._build, self._texts = build, texts
        self._machine = arm.Arm(arm.Image.read(arm.compiled(build)["rsa128.elf"]))
        self._seen: dict[int, dict[str, int]] = {}
        self._ok = True

    def _run(self, index: int) -> None:
        counts, data = {}, self._texts[index]
        for operation in OPERATIONS:
            result, counts[operation] = self._machine.run(operation, data)
            self._ok &= result == right(operation, data)
            data = result
        self._ok &= data == self._texts[index]
        self._seen[index] = counts

    def _measured(self, checks: int = 0, detail: str | None = None) -> Measured:
        """The figures of the texts that were run."""
        counts = {name: [of[name] for of in self._seen.values()] for name in OPERATIONS}
        return Measured(self._build, counts, self._ok, len(self._seen), checks, detail)

    def every(self) -> Measured:
        """Each text run."""
        for index in range(len(self._texts)):
            self._run(index)
        return self._measured()

    def deduced(self, noted: dict[str, Counts]) -> Measured:
        """Some texts run, until they tell exactly what each of the others takes. If nothing fits,
        of those that were run, in pairs: a string and its integer."""
        for detail in DETAILS:
            models = {name: Model(detail) for name in OPERATIONS}
            told = {name: list[int | None]() for name in OPERATIONS}
            todo, used = list(self._seen) or list(range(min(CHECKS, len(self._texts)))), 0
            while (
                todo and len(self._seen) < MOST_RUNS and not any(m.wrong for m in models.values())
            ):
                for index in todo:
                    if index not in self._seen:
                        self._run(index)
                    for name, model in models.items():
                        model.see(noted[name][index], self._seen[index][name])
                used += len(todo)
                unseen = [index for index in range(len(self._texts)) if index not in self._seen]
                if all(model.believed for model in models.values()):
                    told = {name: model.counts(noted[name]) for name, model in models.items()}
                    unseen = [i for i in unseen if None in (told[name][i] for name in OPERATIONS)]
                todo = unseen[:BATCH]
            if not todo and told[OPERATIONS[0]]:
                counts = {
                    name: [
                        self._seen[i][name] if i in self._seen else count or 0
                        for i, count in enumerate(told[name])
                    ]
                    for name in OPERATIONS
                }
                checks = min(model.checked for model in models.values())
                return Measured(self._build, counts, self._ok, len(self._seen), checks, detail)
        self._seen = {i: self._seen[i] for i in sorted(self._seen) if i ^ 1 in self._seen}
        return self._measured()

    def close(self) -> None:
        self._machine.close()


def measured(build: Build, texts: Sequence[int], noted: dict[str, Counts] | None) -> Measured:
    """A build: each text run, or without that where it is told what happens for it."""
    emulation = Emulation(build, texts)
    try:
        return emulation.every() if noted is None else emulation.deduced(noted)
    finally:
        emulation.close()


def _spread(counts: Sequence[int]) -> dict[str, float]:
    return {"min": min(counts), "max": max(counts), "mean": sum(counts) / len(counts)}


def _record(kind: str, found: Measured, inputs: Inputs, noted_ok: bool) -> Record:
    build, place = found.build, KINDS.index(kind)
    each = {name: counts[place::2] for name, counts in found.counts.items()}
    each["roundtrip"] = [sum(pair) for pair in zip(*each.values(), strict=True)]
    lines, instructions = arm.assembly_lines(build)
    emulated_all = found.detail is None
    figures: dict[str, Any] = {
        f"instructions_{name}": _spread(counts) for name, counts in each.items()
    }
    return records.record(
        "papers", figures, engine="emulated ARM", operation="roundtrip", bits=arm.BITS,
        scheme="right_to_left", exponent="public", ok=found.ok and noted_ok,
        obtained="simulated" if emulated_all else "estimated", table="steps",
        step=build.step, attempt=None if build.attempt == "nothing" else build.attempt,
        compiler=arm.compiler_version(build.compiler), level=build.level, workload=kind,
        inputs=len(each["roundtrip"]), inputs_asked=len(inputs.strings),
        rounds_emulated=found.emulated, rounds_checked=found.checks, model=found.detail,
        assembly_lines=lines, assembly_instructions=instructions,
    )  # fmt: skip


def builds(quick: bool) -> list[Build]:
    """What is measured: the longest first."""
    found = [Build(step, level) for level in LEVELS for step in STEPS]
    found += [
        Build(8, level, attempt) for level in LEVELS for attempt in TRIES if attempt != "nothing"
    ]
    if not quick and "gcc" in arm.compilers():
        found += [Build(step, "O0", compiler="gcc") for step in STEPS]
    return sorted(found, key=lambda build: (build.level, build.step))


def _noted(pool: Executor, texts: Sequence[int], say: Callable[[str], None]) -> dict[int, Noted]:
    """The notes of each step. Steps with the same products share those of the first one."""
    every = pool.map(note, FIRSTS, [texts] * len(FIRSTS))
    found = {}
    for first, noted in zip(FIRSTS, every, strict=True):
        found[first] = noted
        say(f"{len(texts)} texts by the products of step {first}")
    return found


def steps(seed: int, quick: bool) -> list[Record]:
    """Table 1. Quick: one text of each kind, emulated at -O2; at -O0 a string alone."""
    inputs = Inputs.make(seed, 1 if quick else INPUTS)
    texts, todo = inputs.mixed, builds(quick)
    if not quick:
        print(
            f"monpro: bishop2021: {len(todo)} builds of the program, {FULL_MINUTES} minutes on two "
            "free processors",
            file=sys.stderr,
            flush=True,
        )
    found: dict[Build, list[Record]] = {}
    with (
        ProcessPoolExecutor(os.cpu_count()) as pool,
        terminal.Steps(len(todo) + (0 if quick else len(FIRSTS))) as progress,
    ):
        noted = {} if quick else _noted(pool, texts, progress.done)
        jobs = {}
        for build in todo:
            first = algorithm(build.step)
            some = texts[:1] if quick and build.level == "O0" else texts
            counts = noted[first][0] if noted else None
            jobs[pool.submit(measured, build, some, counts)] = build
        for job in as_completed(jobs):
            build = jobs[job]
            ok = not noted or noted[algorithm(build.step)][1]
            kinds = KINDS[:1] if quick and build.level == "O0" else KINDS
            found[build] = [_record(kind, job.result(), inputs, ok) for kind in kinds]
            progress.done(str(build))
    return [record for build in todo for record in found[build]]


def measure(seed: int, quick: bool, tables: Sequence[int] = TABLES) -> list[Record]:
    """Those tables, as records in their order."""
    bishop2021_figures.load()
    arm.compilers()
    found = steps(seed, quick) if STEPS_TABLE in tables else []
    if ASSIST_TABLE in tables:
        found += assist.measure(Inputs.make(seed, 1 if quick else ASSIST_TEXTS).strings)
    return found
