# SPDX-License-Identifier: Apache-2.0
"""Software and hardware on the same softcore at one clock, for papers that compare the two.

Both are tasks of one firmware on VexRiscv (`monpro.soc`). The processor's own counter counts them:
the library's software, a well-known library's, and the coprocessor with driver and bus. A paper
says what is run; its own softcore.py has that, and the table.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from monpro.base import terminal
from monpro.hardware import designs
from monpro.records import Record
from monpro.soc import build as soc_build
from monpro.soc import records as soc_records
from monpro.soc import run as soc
from monpro.soc.programs import PROGRAMS
from monpro.soc.tasks import Task

ASSUMED_MHZ = 100.0  # where a time is wanted; ratios are of cycles
Peer = tuple[list[Path], list[str]]  # sources and compiler options of another library
NOT_HERE = (
    "Software on the same softcore is measured in the full form only: it simulates a system on "
    "chip for minutes."
)


@dataclass(frozen=True, slots=True)
class Run:
    """Tasks of a program on the system of a design; "none": on the processor alone."""

    program: str
    design: str
    system: soc_build.System
    tasks: list[Task]


def runs(
    program: str, design: str, bits: int, scheme: str = "default", *, hardware: bool = False
) -> list[Run]:
    """The tasks of a program at one length, by the systems that they run on.

    hardware: without what the processor alone does. Operands of a length are the same in all.
    """
    source = random.Random(f"softcore {bits}")  # noqa: S311 - repeatable
    chosen = None if design == "none" else designs.parse(design)
    tasks = PROGRAMS[program].tasks(chosen, bits, scheme, source)
    found = [
        Run(program, "none" if system.design is None else design, system, part)
        for system, part in soc.parts(chosen, tasks)
    ]
    return [run for run in found if run.system.design is not None or not hardware]


def measure(todo: Sequence[Run], seed: int, peer: Peer | None = None) -> list[Record]:
    """Two simulations at a time; says first how long they take. peer: the other library."""
    image = soc_build.firmware(peer)
    new = [run for run in todo if not soc.is_kept(run.system, run.tasks, image)]
    total_s = sum(soc.seconds(run.system, run.tasks) for run in new) / 2
    print(
        f"monpro: {len(todo)} simulations of a system on chip, {len(todo) - len(new)} of them kept "
        f"from an earlier run: about {total_s / 60:.0f} min on two processors",
        file=sys.stderr,
        flush=True,
    )
    for run in new:
        soc_build.model(run.system)
    # The longest first: they decide when the last one ends.
    order = sorted(todo, key=lambda run: -soc.seconds(run.system, run.tasks))
    with ThreadPoolExecutor(max_workers=2) as pool:
        futures = {id(run): pool.submit(_simulate, run, image, run in new) for run in order}
        outcomes = [futures[id(run)].result() for run in todo]
    return [
        soc_records.record(item, run.design, ASSUMED_MHZ, seed, run.program, "papers")
        for run, found in zip(todo, outcomes, strict=True)
        for item in found
    ]


def _simulate(run: Run, image: bytes, is_new: bool) -> list[soc.Outcome]:
    found = soc.simulate(run.system, run.tasks, program=image)
    if is_new:
        bits = run.tasks[0].bits
        print(f"monpro: {run.program}, {run.design}, {bits} bits: simulated", file=sys.stderr)
    return found


def is_softcore(item: Record) -> bool:
    """Whether a record is one of these."""
    return "processor" in item


def cycles_by_software(found: Sequence[Record], item: Record) -> tuple[int | None, int | None]:
    """Cycles of our software and of the other library, for the same operation and length."""
    same = [
        other
        for other in found
        if other["bits"] == item["bits"] and other["operation"] == item["operation"]
    ]
    ours = [other["cycles_total"] for other in same if other["engine"] == "soft"]
    peers = [other["cycles_total"] for other in same if other["engine"] == "peer"]
    return (ours or [None])[0], (peers or [None])[0]


def split(found: Sequence[Record]) -> tuple[list[Record], list[Record]]:
    """Two lists: the records of the softcore come last."""
    own = [item for item in found if not is_softcore(item)]
    return own, [item for item in found if is_softcore(item)]


def ratio(theirs: int | None, item: Record) -> str:
    """Cycles of software divided by those of a record, for a table."""
    return "" if theirs is None else terminal.significant(theirs / item["cycles_total"])
