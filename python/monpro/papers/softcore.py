"""Software and hardware on the same softcore at one clock, for pai2025's and sharif's comparisons.

Both are tasks of one firmware on VexRiscv (`monpro.soc`), counted by the processor's own counter:
the library's software, a well-known library's, and the coprocessor with driver and bus.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from monpro.errors import MonproError
from monpro.hardware import designs
from monpro.records import Record
from monpro.soc import build as soc_build
from monpro.soc import peer as soc_peer
from monpro.soc import records as soc_records
from monpro.soc import run as soc
from monpro.soc.programs import PROGRAMS
from monpro.soc.tasks import Task

ASSUMED_MHZ = 100.0  # where a time is wanted; ratios are of cycles
R1_BITS = (1024, 2048)
R3_BITS = (512, 1024, 1536, 2048)


@dataclass(frozen=True, slots=True)
class Run:
    """Tasks of a program on the system of a design; "none": on the processor alone."""

    program: str
    design: str
    system: soc_build.System
    tasks: list[Task]


def pai2025() -> list[Run]:
    """RSA with `pynq`, one multiplier and two: encryption with a cold and a warm key, signatures
    with CRT and without."""
    found = []
    for bits in R1_BITS:
        found += _runs("rsa", "pynq", bits)
        found += _runs("rsa", "pynq,elements=2", bits, hardware=True)
    return found


def sharif(*, peer: bool) -> list[Run]:
    """The same exponentiation of each length by software, by single products and on chip.

    peer: by the other library as well.
    """
    found = []
    for bits in R3_BITS:
        found += _runs("library" if peer else "modexp", "none", bits)
        found += _runs("stream", "codesign", bits, "sliding_window", hardware=True)
        found += _runs("stream", "codesign", bits, hardware=True)
        found += _runs("stream", "small", bits, hardware=True)
        found += _runs("stream", "fast", bits, hardware=True)
    return found


def _runs(
    program: str, design: str, bits: int, scheme: str = "default", *, hardware: bool = False
) -> list[Run]:
    """hardware: without what the processor alone does. Operands of a length are the same in all."""
    source = random.Random(f"softcore {bits}")  # noqa: S311 - repeatable
    chosen = None if design == "none" else designs.parse(design)
    tasks = PROGRAMS[program].tasks(chosen, bits, scheme, source)
    runs = [
        Run(program, "none" if system.design is None else design, system, part)
        for system, part in soc.parts(chosen, tasks)
    ]
    return [run for run in runs if run.system.design is not None or not hardware]


def measure(paper: str, seed: int) -> list[Record]:
    """Everything of a paper, two simulations at a time; says first how long it takes."""
    peer = None
    if paper == "sharif":
        try:
            peer = soc_peer.mbedtls()
        except MonproError as error:
            print(f"monpro: without mbedTLS: {error.message}", file=sys.stderr)
    runs = pai2025() if paper == "pai2025" else sharif(peer=peer is not None)
    image = soc_build.firmware(peer)
    new = [run for run in runs if not soc.is_kept(run.system, run.tasks, image)]
    total_s = sum(soc.seconds(run.system, run.tasks) for run in new) / 2
    print(
        f"monpro: {len(runs)} simulations of a system on chip, {len(runs) - len(new)} of them kept "
        f"from an earlier run: about {total_s / 60:.0f} min on two processors",
        file=sys.stderr,
        flush=True,
    )
    for run in new:
        soc_build.model(run.system)
    # The longest first: they decide when the last one ends.
    order = sorted(runs, key=lambda run: -soc.seconds(run.system, run.tasks))
    with ThreadPoolExecutor(max_workers=2) as pool:
        futures = {id(run): pool.submit(_simulate, run, image, run in new) for run in order}
        outcomes = [futures[id(run)].result() for run in runs]
    return [
        soc_records.record(item, run.design, ASSUMED_MHZ, seed, run.program, "papers")
        | {"paper": paper}
        for run, found in zip(runs, outcomes, strict=True)
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
    """Of the same operation at the same length: our software's, and the other library's."""
    same = [
        other
        for other in found
        if other["bits"] == item["bits"] and other["operation"] == item["operation"]
    ]
    ours = [other["cycles_total"] for other in same if other["engine"] == "soft"]
    peers = [other["cycles_total"] for other in same if other["engine"] == "peer"]
    return (ours or [None])[0], (peers or [None])[0]
