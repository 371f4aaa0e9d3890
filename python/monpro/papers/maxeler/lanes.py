# SPDX-License-Identifier: Apache-2.0
"""The figures of maxeler's tables 2 and 3: products streamed through the dataflow kernel.

They are listed by form, by lanes and by blocks, beside the host's own figures. The kernel's cycles
are simulated up to the point where each further block costs the same. From there on the formula of
the model gives them. The host's parts are measured over few blocks: a block of many costs as much
as one of few.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import random
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from monpro import records
from monpro.base import terminal
from monpro.hardware import designs, simulator
from monpro.hardware.designs import Design
from monpro.measure import timing
from monpro.papers.maxeler import figures as maxeler_figures
from monpro.records import Record
from monpro.study import dataflow
from monpro.study.dataflow import DIGIT_BITS, WHOLE, Numbers
from monpro.synth import clocks

BITS = 1024
SALT = "R2 lanes"  # of the random numbers: another one would change every figure of a seed
DIGITS = BITS // DIGIT_BITS
LANES = (1, 2, 4, 8)
# The form b is the form a with more blocks.
TABLE_FORMS = ("b", "c", "d", "e", "f")
# Of each lane. The kernel's groups have 8 blocks: increments are looked at from there on.
SIMULATED = (1, 2, 3, 8, 16, 24, 32)
QUICK_SIMULATED = (8, 16, 24)
LINEAR_FROM = 8
HOST_BLOCKS = 64  # in one call of a part of the host's
HOST_REPEATS = 4
ROUNDS, QUICK_ROUNDS = 41, 11
CLOCK_MHZ = 100.0  # where nothing is placed
# What a host does alone: all of it, and its parts beside the kernel.
HOST = ("scalar", "scalar_whole", "library", "library_whole")
PARTS = ("prepare", "resolve")


def whole(form: str) -> str:
    """The host's own work that a form is beside."""
    return "_whole" if form == WHOLE else ""


def make_numbers(seed: int, blocks: int) -> Numbers:
    """Blocks under one modulus, as of a file and a key."""
    chance = random.Random(f"{SALT} {seed}")  # noqa: S311 - operands of a measurement
    n = chance.getrandbits(BITS) | 1 << BITS - 1 | 1
    return dataflow.numbers_of(
        [(chance.randrange(n), chance.randrange(n), n) for _ in range(blocks)], DIGITS
    )


def _design(lanes: int) -> Design:
    return designs.parse("dataflow" if lanes == 1 else f"dataflow,elements={lanes}")


@contextlib.contextmanager
def kernel(lanes: int) -> Iterator[dataflow.Model]:
    """The kernel with a number of lanes."""
    with dataflow.Model(simulator.model(_design(lanes))) as model:
        yield model


def clock(lanes: int) -> Record:
    """The clock of the kernel with `lanes` lanes, if `monpro synth` has placed it.

    Else the clock of the kernel with one lane is assumed, or a round figure.
    """
    for count in dict.fromkeys((lanes, 1)):
        if found := clocks.placed(_design(count)):
            obtained = "placed" if count == lanes else "assumed"
            return {"clock_mhz": found.mhz, "clock_obtained": obtained,
                    "clock_device": found.device, "clock_seeds": found.seeds}  # fmt: skip
    return {"clock_mhz": CLOCK_MHZ, "clock_obtained": "assumed"}


def _record(operation: str, *, ok: bool, obtained: str, **more: Any) -> Record:
    return records.record(
        "papers", design="dataflow", engine="sim:dataflow", operation=operation, bits=BITS,
        ok=ok, obtained=obtained, digit_bits=DIGIT_BITS, **more,
    )  # fmt: skip


# ---- the kernel


def simulate(model: dataflow.Model, form: str, numbers: Numbers) -> Record:
    """A batch; ok: right digit by digit, and in the cycles of the model's formula."""
    blocks = len(numbers.a)
    done = model.multiply(form, numbers)
    expected = dataflow.cycles(form, model.lanes, DIGITS, blocks)
    right = done.values == numbers.products(whole=form == WHOLE)
    return _record(
        "stream", ok=right and done.cycles == expected, obtained="simulated", form=form,
        lanes=model.lanes, multipliers=4 * model.lanes, blocks=blocks, cycles=done.cycles,
        runs=done.runs, beats_in=done.beats_in, beats_out=done.beats_out,
    )  # fmt: skip


def streams(seed: int, counts: Sequence[int], tables: Sequence[int]) -> list[Record]:
    """Every form by every number of lanes, or for table 2 by one; for that one product as well."""
    wanted = LANES if 3 in tables else LANES[:1]
    numbers = make_numbers(seed, max(counts) * max(wanted))
    found = []
    with terminal.Steps(len(wanted)) as steps:
        for lanes in wanted:
            with kernel(lanes) as model:
                if lanes == 1 and 2 in tables:
                    found.append(simulate(model, "a", numbers.first(1)))
                found += [
                    simulate(model, form, numbers.first(count * lanes))
                    for form in TABLE_FORMS
                    for count in counts
                ]
            steps.done(f"{lanes} {'lane' if lanes == 1 else 'lanes'}: products simulated")
    return found


def increments(found: Sequence[Record], form: str, lanes: int) -> list[float]:
    """Cycles of each block more, between one simulated batch and the next."""
    items = [
        item
        for item in found
        if item["operation"] == "stream"
        and (item["form"], item["lanes"]) == (form, lanes)
        and item["blocks"] >= LINEAR_FROM * lanes
    ]
    return [
        (y["cycles"] - x["cycles"]) / (y["blocks"] - x["blocks"])
        for x, y in itertools.pairwise(items)
    ]


# ---- the host


def host(seed: int, rounds: int) -> list[Record]:
    """The host's own products, and its parts beside each form, in turns."""
    numbers = make_numbers(seed, HOST_BLOCKS)
    todo = [(work, "c") for work in HOST]
    todo += [(work, form) for form in TABLE_FORMS for work in PARTS]
    calls = [
        functools.partial(dataflow.host, form, work, 1, numbers, HOST_REPEATS)
        for work, form in todo
    ]
    times_ns: list[list[float]] = [[] for _ in todo]
    values = []
    with timing.pinned():
        for _ in range(rounds):
            done = [call() for call in calls]
            values.append([one.values for one in done])
            for one, of in zip(done, times_ns, strict=True):
                of.append(one.time_ns / HOST_REPEATS / HOST_BLOCKS)
    found = []
    for index, ((work, form), times) in enumerate(zip(todo, times_ns, strict=True)):
        is_whole = work.endswith("_whole") or (work in PARTS and form == WHOLE)
        right = [0] * HOST_BLOCKS if work == "prepare" else numbers.products(whole=is_whole)
        found.append(
            _record(
                "host", ok=all(of[index] == right for of in values), obtained="measured",
                work=work, form=form if work in PARTS else None, rounds=rounds,
                blocks=HOST_BLOCKS, time_ms=statistics.median(times) / 1e6,
            )
        )  # fmt: skip
    return found


@dataclass(frozen=True, slots=True)
class Host:
    """Microseconds of the host for a block."""

    own: Mapping[str, float]
    parts: Mapping[tuple[str, str], float]

    @classmethod
    def of(cls, found: Sequence[Record]) -> Host:
        items = [item for item in found if item["operation"] == "host"]
        return cls(
            {i["work"]: 1e3 * i["time_ms"] for i in items if "form" not in i},
            {(i["work"], i["form"]): 1e3 * i["time_ms"] for i in items if "form" in i},
        )


# ---- both together


@dataclass(frozen=True, slots=True)
class Total:
    """Seconds for a number of blocks, by one form and number of lanes.

    The kernel and the thread of the carries work at the same time, so the slower of the two
    counts. Preparing the streams is before that, if it counts.
    """

    kernel_s: float
    carries_s: float
    prepare_s: float
    host_s: float
    library_s: float

    @property
    def time_s(self) -> float:
        return max(self.kernel_s, self.carries_s)

    @property
    def prepared_s(self) -> float:
        return self.time_s + self.prepare_s

    def saved_percent(self, *, prepared: bool = False, library: bool = False) -> float:
        """The share of the host's time that is saved, which the paper states too."""
        time_s = self.prepared_s if prepared else self.time_s
        return 100 * (1 - time_s / (self.library_s if library else self.host_s))


def total(of: Host, form: str, lanes: int, blocks: int, clock_mhz: float) -> Total:
    """The time of a whole batch, by the formulas."""
    each = blocks / 1e6
    return Total(
        dataflow.cycles(form, lanes, DIGITS, blocks) / clock_mhz / 1e6,
        each * of.parts["resolve", form],
        each * of.parts["prepare", form],
        each * of.own[f"scalar{whole(form)}"],
        each * of.own[f"library{whole(form)}"],
    )


def crossover(
    of: Host, form: str, lanes: int, clock_mhz: float, most: int, *, prepared: bool
) -> int | None:
    """The number of blocks from which on the kernel saves time, up to `most`. None: it never does.

    All times are proportional to the blocks, except for the beginning and the end of a run and for
    the last lanes and groups that are not full. So a kernel that saves nothing with many blocks
    never does.
    """
    looked_at = 4096

    def pays(blocks: int) -> bool:
        return total(of, form, lanes, blocks, clock_mhz).saved_percent(prepared=prepared) > 0

    if not pays(most):
        return None
    return 1 + max((n for n in range(1, looked_at) if not pays(n)), default=0)


def pays_from_mhz(of: Host, form: str, lanes: int) -> float | None:
    """The clock above which the kernel saves time with many blocks; None: the carries alone take
    longer than the host."""
    many = 1 << 20
    one = total(of, form, lanes, many, CLOCK_MHZ)
    if one.carries_s >= one.host_s:
        return None
    return dataflow.cycles(form, lanes, DIGITS, many) / one.host_s / 1e6


def batches(found: Sequence[Record]) -> list[Record]:
    """Each form, number of lanes that was simulated, and of blocks of the paper."""
    published, of = maxeler_figures.load(), Host.of(found)
    done = {(i["form"], i["lanes"], i["blocks"]): i for i in found if i["operation"] == "stream"}
    result = []
    for form in TABLE_FORMS:
        for lanes in dict.fromkeys(of_lanes for _, of_lanes, _ in done):
            steps, of_clock = increments(found, form, lanes), clock(lanes)
            linear = len(set(steps)) == 1
            for row in published.rows:
                one = total(of, form, lanes, row.blocks, of_clock["clock_mhz"])
                known = (form, lanes, row.blocks) in done
                result.append(
                    _record(
                        "batch", ok=linear, obtained="simulated" if known else "estimated",
                        form=form, lanes=lanes, multipliers=4 * lanes, blocks=row.blocks,
                        cycles=dataflow.cycles(form, lanes, DIGITS, row.blocks),
                        cycles_each=steps[-1], **of_clock,
                        time_ms=1e3 * one.time_s, time_prepared_ms=1e3 * one.prepared_s,
                        time_kernel_ms=1e3 * one.kernel_s, time_carries_ms=1e3 * one.carries_s,
                        time_host_ms=1e3 * one.host_s, time_library_ms=1e3 * one.library_s,
                        baseline="SOS of libmonpro_scanning, 32-bit digits",
                        saved_percent=one.saved_percent(),
                        saved_prepared_percent=one.saved_percent(prepared=True),
                        saved_of_library_percent=one.saved_percent(library=True),
                    )
                )  # fmt: skip
    return result


def measure(seed: int, quick: bool, tables: Sequence[int]) -> list[Record]:
    """What table 2, table 3 or both take, as records."""
    found = streams(seed, QUICK_SIMULATED if quick else SIMULATED, tables)
    found += host(seed, QUICK_ROUNDS if quick else ROUNDS)
    return found + batches(found)
