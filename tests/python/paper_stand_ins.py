# SPDX-License-Identifier: Apache-2.0
"""Stand-ins for what takes long in the papers' measurements: right results at once.

Figures come from the formulas of the models. Times are made up.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from concurrent.futures import Future

import pytest

from monpro.papers import products
from monpro.papers.bishop2021 import arm, assist
from monpro.papers.bishop2021 import measure as bishop2021
from monpro.papers.bishop2021.arm import TRIES, Build
from monpro.papers.bishop2021.measure import Measured
from monpro.papers.maxeler.lanes import DIGITS
from monpro.papers.products import Item, Run
from monpro.soc.run import Outcome
from monpro.soc.tasks import Kind, On, Task
from monpro.study import dataflow
from monpro.study.dataflow import Done, Numbers

LOAD, LOAD_COLD, READ = 500, 2000, 700  # cycles of the bus
# Of a block, made up.
HOST_NS = {"scalar": 20_000, "scalar_whole": 50_000, "library": 1_500, "library_whole": 15_000,
           "prepare": 1_000, "resolve": 4_000}  # fmt: skip


def as_the_formula_has_it(item: Item, seed: str) -> Run:
    """An operation of papers/products.py."""
    run = products.predicted(item)
    spent = dataclasses.replace(run.spent, cycles_load=LOAD, cycles_read=READ)
    return dataclasses.replace(run, spent=spent, load_cold=LOAD_COLD)


class FakeModel:
    """maxeler's kernel: right results in the cycles of the formula."""

    def __init__(self, lanes: int, extra: Callable[[str, int], int]) -> None:
        self.lanes, self._extra = lanes, extra

    def multiply(self, form: str, numbers: Numbers) -> Done:
        blocks = len(numbers.a)
        cycles = dataflow.cycles(form, self.lanes, DIGITS, blocks) + self._extra(form, blocks)
        return Done(numbers.products(whole=form == "f"), cycles, 32 if form == "a" else 1)


def fake_host(form: str, work: str, lanes: int, numbers: Numbers, repeats: int) -> Done:
    """maxeler's host."""
    whole = work.endswith("_whole") or (work == "resolve" and form == "f")
    values = numbers.products(whole=whole) if work != "prepare" else [0] * len(numbers.a)
    return Done(values, time_ns=HOST_NS[work] * repeats * len(numbers.a))


class Emulated:
    """bishop2021: a hundred instructions for each step that is still to be done, and a softcore."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wrong: str | None = None
        monkeypatch.setattr(bishop2021, "measured", self.measured)
        monkeypatch.setattr(bishop2021, "ProcessPoolExecutor", Alone)
        monkeypatch.setattr(bishop2021, "note", lambda step, texts: ({}, True))
        monkeypatch.setattr(bishop2021, "INPUTS", 3)
        monkeypatch.setattr(arm, "compilers", lambda: ["clang", "gcc"])
        monkeypatch.setattr(arm, "compiler_version", lambda name: f"{name} 1.2")
        monkeypatch.setattr(arm, "assembly_lines", lambda build: (900, 600))
        monkeypatch.setattr(assist, "missing", lambda: None)
        monkeypatch.setattr(assist, "run", self.run)

    def measured(self, build: Build, texts: list[int], noted: object) -> Measured:
        each = 1_000_000 * (10 - build.step) * (4 if build.level == "O0" else 1)
        each += 50_000 * TRIES[build.attempt]
        counts = {
            "encrypt": [each + i for i in range(len(texts))],
            "decrypt": [each - i for i in range(len(texts))],
        }
        right = str(build) != self.wrong
        return Measured(build, counts, right, 2, 9, "site" if noted is not None else None)

    def run(self, texts: list[int]) -> list[list[object]]:
        task = Task(Kind.PEER, On.SOFT, (), None, 128, "assist")
        cycles = {"software": 10_000, "limbs": 4_000, "held": 500, "word": 512}
        return [
            [
                Outcome(task, name, "peer", "MONPRO_OK", cycles.get(name.split("_")[0], 1280), "",
                        value + (name == self.wrong), {})
                for name, value in assist.right(text).items()
            ]
            for text in texts
        ]  # fmt: skip


class Alone:
    """An executor that does everything at once, here."""

    def __init__(self, workers: int | None) -> None:
        pass

    def __enter__(self) -> Alone:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def map(self, call: Callable[..., object], *arguments: list[object]) -> list[object]:
        return [bishop2021.note(*each) for each in zip(*arguments, strict=True)]

    def submit(self, call: Callable[..., object], *arguments: object) -> object:
        future: Future[object] = Future()
        future.set_result(call(*arguments))
        return future
