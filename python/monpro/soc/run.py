# SPDX-License-Identifier: Apache-2.0
"""Programs on the system on chip: what is asked for, the runs, the checks.

Software and coprocessor are two runs of one program, side by side, on the same processor with the
same memories. Software runs on the system without a coprocessor, whose simulation is faster.
"""

from __future__ import annotations

import dataclasses
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from monpro.errors import MonproError
from monpro.hardware.designs import Design
from monpro.soc import build as soc_build
from monpro.soc import kept as soc_kept
from monpro.soc import lines as soc_lines
from monpro.soc import peer as soc_peer
from monpro.soc.build import System
from monpro.soc.kept import Said
from monpro.soc.lines import Line
from monpro.soc.programs import PROGRAMS, E, by_dma
from monpro.soc.tasks import DMA, NO_CRT, Kind, On, Task, encode

# For the time that is said beforehand, and for limits: cycles of software for a product of s limbs
# are about 16 (2 s^2 + 4 s) on this processor; simulated cycles a second are about these.
LIMB_CYCLES = 16
SIMULATED_HZ = 1_200_000
BLOCK_COST = 0.06  # of a cycle's time, for each multiplier block
LIMIT_FACTOR = 8

__all__ = [
    "EXPECTED_ERRORS", "PROGRAMS", "Outcome", "build", "by_dma", "firmware", "is_kept", "parts",
    "run", "simulate",
]  # fmt: skip

Progress = Callable[[str, int], None]


@dataclasses.dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a task: one for each line that the firmware sends about it."""

    task: Task
    what: str
    engine: str
    status: str
    cycles: int
    text: str
    out: int | None
    counters: dict[str, int]

    @property
    def ok(self) -> bool:
        """Whether it is right: the right number, or an error where one has to be."""
        if self.task.expected is None or self.what in EXPECTED_ERRORS:
            return self.status == EXPECTED_ERRORS.get(self.what)
        return self.status == "MONPRO_OK" and self.out == self.task.expected

    @property
    def busy(self) -> int:
        """Cycles in which the coprocessor computed."""
        return self.counters.get("precompute", 0) + self.counters.get("exponentiate", 0)

    @property
    def overhead(self) -> float | None:
        """Share of the time from the first access to the coprocessor to the last in which it did
        not compute."""
        span = self.counters.get("span", 0)
        return (span - self.busy) / span if span and self.busy else None


# What the program `errors` does wrong, and the status that each has to have.
EXPECTED_ERRORS = {
    "absent": "MONPRO_ERR_DEVICE_ABSENT",
    "newer_version": "MONPRO_ERR_DEVICE_VERSION",
    "even_modulus": "MONPRO_ERR_MODULUS_EVEN",
    "start_while_busy": "MONPRO_ERR_DEVICE_FAULT",
    "dma_alignment": "MONPRO_ERR_ARGUMENT",
    "dma_length": "MONPRO_ERR_ARGUMENT",
    "dma_place": "MONPRO_ERR_ARGUMENT",
    "no_streams": "MONPRO_ERR_UNSUPPORTED",
    "stream_cut": "MONPRO_ERR_DEVICE_FAULT",
    "stream_short": "MONPRO_ERR_DEVICE_FAULT",
    "stream_long": "MONPRO_ERR_DEVICE_FAULT",
    "stream_header": "MONPRO_ERR_DEVICE_FAULT",
    "stream_stalled": "MONPRO_ERR_DEVICE_TIMEOUT",
}
COUNTERS = (
    "warm", "products", "load", "precompute", "exponentiate", "read", "span", "scheme", "window",
)  # fmt: skip


# ---- runs -------------------------------------------------------------------------------------


def expected_cycles(system: System, tasks: Sequence[Task]) -> int:
    """About how many cycles a run takes."""
    total = 300_000
    for task in tasks:
        limbs = -(-task.bits // 32)
        size = E.bit_length() if task.kind == Kind.RSA_PUBLIC else task.bits
        products = 1.25 * size if task.kind != Kind.RSA_PUBLIC else size + 1
        soft = LIMB_CYCLES * (2 * limbs * limbs + 4 * limbs)
        if task.on == On.SOFT or task.kind == Kind.PEER:
            private = task.kind == Kind.RSA_PRIVATE and not task.flags & NO_CRT
            total += int(products * soft / (4 if private else 1)) + 40 * soft
        elif system.design is not None:
            blocks = max(1, system.design.multipliers)
            words = -(-task.bits // system.design.word_bits) + 2
            total += int(2 * products * (2 * words * words / blocks + 40)) + 100_000
    return total


def seconds(system: System, tasks: Sequence[Task]) -> float:
    """About how long the simulation takes."""
    blocks = system.design.multipliers if system.design else 0
    slower = (2 if system.design else 1) + BLOCK_COST * blocks
    return expected_cycles(system, tasks) * slower / SIMULATED_HZ


def _outcome(tasks: Sequence[Task], line: Line) -> Outcome:
    index = line.number("task")
    if index >= len(tasks):
        raise MonproError("MONPRO_ERR_DEVICE_FAULT", f"the firmware names a task {index}")
    fields = line.fields
    counters = {name: line.number(name) for name in COUNTERS if name in fields}
    out = int(fields["out"], 16) if "out" in fields else None
    return Outcome(
        tasks[index], fields["what"], fields["engine"], fields["status"], line.number("cycles"),
        fields.get("text", ""), out, counters,
    )  # fmt: skip


def _file(system: System, tasks: Sequence[Task], program: bytes) -> tuple[str, Path]:
    """The ROM of a run, and where the cache has what it said, if it does."""
    rom = soc_build.rom(program, encode(tasks))
    return rom, soc_kept.path(soc_build.model_path(system).stem, rom)


def is_kept(system: System, tasks: Sequence[Task], program: bytes) -> bool:
    """Whether the run is in the cache, so that nothing has to be built or simulated for it."""
    limit = LIMIT_FACTOR * expected_cycles(system, tasks)
    return soc_kept.recall(_file(system, tasks, program)[1], limit) is not None


def simulate(
    system: System,
    tasks: Sequence[Task],
    *,
    program: bytes | None = None,
    progress: Progress | None = None,
    limit_cycles: int | None = None,
) -> list[Outcome]:
    """Runs tasks on a system and returns what the firmware said of them, in its order.

    The same run is simulated once: the cache keeps what it says.
    """
    image = soc_build.firmware() if program is None else program
    limit = limit_cycles or LIMIT_FACTOR * expected_cycles(system, tasks)
    rom, file = _file(system, tasks, image)
    said = soc_kept.recall(file, limit)
    if said is None:
        executable = soc_build.model(system)
        with tempfile.TemporaryDirectory(prefix="monpro-soc-") as name:
            folder = Path(name)
            (folder / f"{soc_build.NAME}_rom.init").write_text(rom, encoding="ascii")
            (folder / f"{soc_build.NAME}_sram.init").write_text("0\n", encoding="ascii")
            said = _execute(executable, folder, limit, progress or (lambda what, cycles: None))
        found = _read(said, tasks, limit)
        soc_kept.keep(file, said)
        return found
    return _read(said, tasks, limit)


def _execute(executable: Path, folder: Path, limit: int, progress: Progress) -> Said:
    """The lines of a run, and how it ended."""
    command = [str(executable), str(soc_build.BIT_CYCLES), str(limit)]
    lines: list[str] = []
    cycles = [0]  # simulated so far
    with subprocess.Popen(
        command, cwd=folder, text=True, errors="replace", bufsize=1,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip

        def watch() -> None:
            for said in process.stderr or ():
                word, _, value = said.partition(" ")
                if word == "cycles":
                    cycles.append(int(value))
                    progress("", cycles[-1])

        watcher = threading.Thread(target=watch, daemon=True)
        watcher.start()
        try:
            for line in process.stdout or ():
                lines.append(line.rstrip("\n"))
                progress(lines[-1], 0)
        except BaseException:
            process.kill()
            raise
        watcher.join()
        status = process.wait()
    return Said(lines, status, cycles[-1])


def _read(said: Said, tasks: Sequence[Task], limit: int) -> list[Outcome]:
    lines = said.lines
    if said.status == 3:
        raise MonproError(
            "MONPRO_ERR_DEVICE_TIMEOUT",
            f"the program has not ended after {limit} cycles; its last line: "
            f"{lines[-1][:80] if lines else 'none'}",
        )
    if said.status != 0:
        raise MonproError(
            "MONPRO_ERR_DEVICE_FAULT", f"the simulated system ended with {said.status}"
        )
    parsed = [soc_lines.parse(line) for line in lines]
    for line in parsed:
        if line.kind == "died":
            raise MonproError("MONPRO_ERR_DEVICE_FAULT", f"the processor met a trap: {line.fields}")
    end = parsed[-1]
    if end.kind != "end" or end.number("done") != len(tasks):
        raise MonproError(
            "MONPRO_ERR_DEVICE_FAULT",
            f"the firmware did {end.fields.get('done')} of {len(tasks)} tasks",
        )
    return [_outcome(tasks, line) for line in parsed if line.kind == "result"]


def parts(
    design: Design | None, tasks: Sequence[Task], variant: str = "full"
) -> list[tuple[System, list[Task]]]:
    """The runs: software on the processor alone, the rest on the design's system."""
    soft = [task for task in tasks if task.on == On.SOFT or task.kind == Kind.PEER]
    rest = [task for task in tasks if task not in soft]
    streams = any(task.flags & DMA for task in rest)
    found = [
        (System(None, variant=variant), soft),
        (System(design, streams=streams, variant=variant), rest),
    ]
    return [(system, part) for system, part in found if part]


def firmware(*, peer: bool = False) -> bytes:
    """The firmware, from the cache or built; peer: with another library in it."""
    return soc_build.firmware(soc_peer.mbedtls() if peer else None)


def build(runs: Sequence[tuple[System, list[Task]]]) -> None:
    """Builds the systems that are not in the cache."""
    for system, _ in runs:
        soc_build.model(system)


def run(
    runs: Sequence[tuple[System, list[Task]]],
    *,
    program: bytes | None = None,
    progress: Progress | None = None,
) -> list[Outcome]:
    """Several runs at once; their outcomes one after the other."""
    with ThreadPoolExecutor(max_workers=2) as pool:
        futures = [
            pool.submit(simulate, system, tasks, program=program, progress=progress)
            for system, tasks in runs
        ]
        return [outcome for future in futures for outcome in future.result()]


def missing() -> str | None:
    """What keeps systems from being built here, or None."""
    if shutil.which("c++") is None:
        return "a C++ compiler"
    try:
        soc_build.litex()
    except MonproError as error:
        return error.message
    return None
