# SPDX-License-Identifier: Apache-2.0
"""Monpro's figures for the tables: three designs at six lengths, by the thesis's protocol.

The protocol gives minimum, maximum and mean of the latency. What is simulated is checked twice: the
result by Python's pow, the cycles by the exact formula of python/monpro/hardware/models/serial.py.
The formula then gives what would take too long to simulate. Each exponentiation has a modulus of
its own. So every key is cold, and the figure includes the constants of the modulus.
"""

from __future__ import annotations

import random
import statistics
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, as_completed
from dataclasses import dataclass
from typing import Any, cast

from monpro import records
from monpro.base import terminal
from monpro.base.terminal import duration
from monpro.bench import rsa as main_job
from monpro.engine import Engine, Job, Scheme
from monpro.hardware import designs
from monpro.hardware.models.coprocessor import Cost
from monpro.hardware.models.serial import SerialCoprocessor
from monpro.hardware.regs import Scheme as SchemeNumber
from monpro.measure import predict
from monpro.papers.ledgard2023 import figures, power, words
from monpro.papers.ledgard2023.figures import DESIGNS, PAPER_MHZ
from monpro.papers.ledgard2023.power import Size
from monpro.power.activity import Measured
from monpro.records import Record
from monpro.synth import area, clocks, targets
from monpro.synth.targets import Counts

SALT = "R4"  # of the random numbers: another one would change every figure of a seed
RANDOM = 40  # exponents that the thesis takes the mean of
USUAL_E = 65537
SMALL = (2, 3, 17, 255)  # exponents that repeated multiplication runs to the end

# How many of the random exponents are simulated, by length; the formula has the others.
FULL = {32: 40, 64: 40, 128: 40, 256: 40, 512: 40, 1024: 8}
QUICK = {32: 40, 64: 40, 128: 2, 256: 0, 512: 0, 1024: 0}
QUICK_BITS = 256  # the longest of which a quick run simulates the exponent of all ones
TASK_CYCLES = 3_000_000  # simulated by one engine before another one takes over
SYNTHESIS_S = 40


@dataclass(frozen=True, slots=True)
class Item:
    """One exponentiation.

    kind: zeros, top_bit, ones, random; in constant time: secret, and secret_pair by the scheme that
    keeps both multipliers at work; of repeated multiplication also small, usual.
    """

    design: str
    bits: int
    kind: str
    e: int
    simulated: bool

    @property
    def scheme(self) -> str:
        if self.kind == "secret_pair":
            return "right_to_left"
        return "repeated" if self.design == "repeated" else "binary"

    @property
    def public(self) -> bool:
        return not self.kind.startswith("secret")

    def cost(self, *, warm: bool = False) -> Cost:
        """Cycles by the formula."""
        design = designs.get(self.design)
        model = SerialCoprocessor(design.min_bits, design.max_bits, design.multiplier)
        scheme = SchemeNumber[self.scheme.upper()]
        exponent = self.e if self.public else None
        # The formula of repeated multiplication holds for exponents that the hardware refuses.
        bits = min(self.bits, 32) if scheme is SchemeNumber.REPEATED else self.bits
        return model.modexp(scheme, self.bits, bits, warm=warm, exponent=exponent)


@dataclass(frozen=True, slots=True)
class Run:
    """One exponentiation and its cycles. failure: what went wrong in the simulation, or None."""

    item: Item
    cycles: int
    failure: str | None = None


def items(bits: Sequence[int], seed: int, *, quick: bool) -> list[Item]:
    """All exponentiations of the tables."""
    found, simulated = [], QUICK if quick else FULL
    for length in bits:
        ones = (1 << length) - 1
        found += [Item("repeated", length, "zeros", 0, True)]
        found += [
            Item("repeated", length, "small", e, not quick or length <= QUICK_BITS or e < 17)
            for e in SMALL
        ]
        found += [Item("repeated", length, "usual", USUAL_E, False)]
        found += [Item("repeated", length, "ones", ones, False)]
        short = not quick or length <= QUICK_BITS
        for design in ("binary", "montgomery"):
            found += [
                Item(design, length, "zeros", 0, True),
                Item(design, length, "top_bit", 1 << (length - 1), short),
                Item(design, length, "ones", ones, short),
                Item(design, length, "secret", ones >> 1, short),
                Item(design, length, "secret_pair", ones >> 1, short),
            ]
            source = random.Random(f"{SALT} {seed} {length} {design}")  # noqa: S311 - repeatable
            for number in range(RANDOM):
                e = source.getrandbits(length) | 1 << (length - 1)
                found.append(Item(design, length, "random", e, number < simulated[length]))
    return found


def simulate(todo: Sequence[Item], seed: str) -> list[Run]:
    """Exponentiations of one design, each with a modulus of its own."""
    source = random.Random(seed)  # noqa: S311 - repeatable tests
    jobs, wanted = [], []
    for item in todo:
        n = source.getrandbits(item.bits) | 1 << (item.bits - 1) | 1
        x = source.randrange(n)
        e = item.e if item.public else item.e.to_bytes(item.bits // 8, "big")
        jobs.append(Job(x, e, n, item.public, cast(Scheme, item.scheme)))
        wanted.append(pow(x, item.e, n))
    with Engine(f"sim:{todo[0].design}") as engine:
        results = engine.modexp_batch(jobs)
    found = []
    for item, result, value in zip(todo, results, wanted, strict=True):
        title = f"{item.design}, {item.bits} bits, exponent {item.kind}"
        spent, failure = result.counters, None
        formula = item.cost()
        parts = (formula.cycles_precompute, formula.cycles_exponentiate, formula.products)
        if result.error:
            failure = f"{title}: {result.error}"
        elif result.value != value:
            failure = f"{title}: not what Python's pow gives"
        elif (spent.cycles_precompute, spent.cycles_exponentiate, spent.products) != parts:
            failure = f"{title}: {spent.cycles} cycles are not the formula's {formula.cycles}"
        found.append(Run(item, spent.cycles, failure))
    return found


def tasks(todo: Sequence[Item]) -> list[list[Item]]:
    """What is to be simulated, in parts for one engine each; the longest first."""
    found: list[list[Item]] = []
    cycles = 0
    for item in sorted((i for i in todo if i.simulated), key=lambda i: (i.design, -i.bits)):
        fresh = not found or found[-1][0].design != item.design or cycles > TASK_CYCLES
        if fresh:
            found.append([])
            cycles = 0
        found[-1].append(item)
        cycles += item.cost().cycles
    return sorted(found, key=lambda part: -sum(item.cost().cycles for item in part))


def _mean(runs: Sequence[Run]) -> float:
    mean = statistics.mean(run.cycles for run in runs)
    return int(mean) if mean == int(mean) else mean


def latency(runs: Sequence[Run]) -> Record:
    """The record of one design, length and kind of exponent."""
    item, thesis = runs[0].item, figures.load()
    simulated = [run for run in runs if run.item.simulated]
    failures = [run.failure for run in simulated if run.failure]
    cycles, small = _mean(runs), 2**1000  # a larger number has no place in JSON's readers
    measured: Record = {"cycles": cycles if cycles < small else None}
    if measured["cycles"] is None:
        measured["cycles_log10"] = words.log10(runs[0].cycles)
    else:
        measured["throughput_bit_s_at_10_MHz"] = PAPER_MHZ * 1e6 * item.bits / cycles
        measured |= clocks.figures(designs.get(item.design), cast(int, cycles))
    warm = [run.item.cost(warm=True).cycles for run in runs]
    if max(warm) < small:
        measured["cycles_warm"] = statistics.mean(warm)
    if item.kind in ("zeros", "ones", "random") and item.design != "repeated":
        table = {"zeros": "latency_us_min", "ones": "latency_us_max", "random": "latency_us_avg"}
        measured["published_us"] = thesis.figure(table[item.kind], item.design, item.bits)
    return records.record(
        "papers",
        measured,
        engine=f"sim:{item.design}",
        design=item.design,
        operation="modexp",
        bits=item.bits,
        scheme=item.scheme,
        exponent="public" if item.public else "secret",
        key_state="cold",
        ok=not failures if simulated else None,
        obtained="simulated" if len(simulated) == len(runs) else "estimated",
        method=None if len(simulated) == len(runs) else "model",
        exponent_kind=item.kind,
        exponent_value=item.e if item.kind in ("small", "usual") else None,
        exponent_bits=item.bits if not item.public else None,
        samples=len(runs),
        simulated=len(simulated),
        multipliers=0,
        multiplier_cycles=0,
        failure="; ".join(failures) or None,
    )


def clock(name: str) -> Record:
    """The clock beside the published one."""
    found = clocks.placed(designs.get(name))
    known: Mapping[str, Any] = {}
    if found:
        known = {
            "clock_mhz": found.mhz,
            "clock_device": found.device,
            "clock_seeds": found.seeds,
        }
    return records.record(
        "papers", known, engine=f"sim:{name}", design=name, operation="clock",
        obtained="placed" if found else None, published_mhz=figures.load().clock_mhz[name],
    )  # fmt: skip


def area_record(name: str, bits: int, counts: Counts) -> Record:
    """The area of a design of one length beside the published one."""
    thesis = figures.load()
    parts = area.parts_of(counts)
    theirs = {"lut": thesis.figure("LUT", name, bits), "ff": thesis.figure("FF", name, bits)}
    target = targets.get(area.TARGET)
    return records.record(
        "papers",
        parts,
        engine=f"sim:{area.sized(name, bits).name}",
        design=name,
        operation="area",
        bits=bits,
        ok=True,
        obtained="synthesized",
        target=target.name,
        device=target.device,
        instances=area.instances(parts),
        published=theirs | {"instances": area.instances(theirs)},
    )


def _say(todo: Todo) -> None:
    """Before it starts: what it does, and how long that takes."""
    rates = {}
    for name in dict.fromkeys(part[0].design for part in todo.parts):
        with Engine(f"sim:{name}") as engine:  # builds the model, if need be
            rates[name] = predict.cycles_per_s(engine, designs.get(name))
    seconds = sum(sum(i.cost().cycles for i in part) / rates[part[0].design] for part in todo.parts)
    count = sum(map(len, todo.parts))
    text = f"{count} exponentiations are simulated"
    if missing := len(todo.areas):
        text += f", {missing} syntheses made"
        seconds += missing * SYNTHESIS_S
    if switching := len(todo.switching):
        text += f", the switching of {switching} designs counted"
        seconds += switching * power.BUILD_S
    about = duration(seconds / main_job.SIMULATIONS_AT_ONCE)
    print(f"monpro: {text}, about {about}", file=sys.stderr, flush=True)


@dataclass(frozen=True, slots=True)
class Todo:
    """What a run has to make: simulations in parts, syntheses, counts of switching."""

    parts: Sequence[Sequence[Item]]
    areas: Sequence[Size]
    switching: Sequence[Size]

    @property
    def count(self) -> int:
        return len(self.parts) + len(self.areas) + len(self.switching)


def _make(
    todo: Todo, seed: int, areas: dict[Size, Counts], switched: dict[Size, Measured]
) -> list[Run]:
    """Makes it all, as many at a time as there are processors; fills areas and switched."""
    runs: list[Run] = []
    with terminal.Steps(todo.count) as steps, main_job.pool() as executor:
        making: dict[Future[Any], Size] = {
            executor.submit(area.synthesized, area.sized(*size)): size
            for size in reversed(todo.areas)
        }
        running: dict[Future[Any], Sequence[Item]] = {
            executor.submit(simulate, part, f"{seed} {number}"): part
            for number, part in enumerate(todo.parts)
        }
        counting: dict[Future[Any], Size] = {
            executor.submit(power.simulated, size): size for size in todo.switching
        }
        for done in as_completed([*making, *running, *counting]):
            if done in running:
                new: list[Run] = done.result()
                runs += new
                state = "WRONG" if any(run.failure for run in new) else "checked"
                steps.done(f"{new[0].item.design}: {len(new)} exponentiations, {state}")
                continue
            if done in making:
                name, bits = size = making[done]
                areas[size], what = done.result(), "synthesized"
            else:
                name, bits = size = counting[done]
                switched[size], what = done.result(), "switching counted"
            steps.done(f"{name}, {bits} bits: {what}")
    return runs


def measure(seed: int, quick: bool) -> list[Record]:
    """Everything, as records in the order of the tables."""
    thesis = figures.load()
    every = items(thesis.bits, seed, quick=quick)
    sizes = [(name, bits) for name in DESIGNS for bits in thesis.bits]
    areas, missing = area.known({size: area.sized(*size) for size in sizes}, quick=quick)
    switched, uncounted = power.known(sizes, quick=quick)
    todo = Todo(tasks(every), missing, uncounted)
    _say(todo)
    runs = [Run(item, item.cost().cycles) for item in every if not item.simulated]
    runs += _make(todo, seed, areas, switched)
    found = [clock(name) for name in DESIGNS]
    found += [area_record(*size, areas[size]) for size in sizes if size in areas]
    groups: dict[tuple[str, int, str, int], list[Run]] = {_group(item): [] for item in every}
    for run in runs:
        groups[_group(run.item)].append(run)
    found += [latency(group) for group in groups.values()]
    for size in sizes:
        cycles = _mean(groups[*size, "usual" if size[0] == "repeated" else "random", 0])
        known = areas.get(size), cycles, switched.get(size)
        found.append(power.estimated(size, *known, PAPER_MHZ))
    return found + power.fits(switched)


def _group(item: Item) -> tuple[str, int, str, int]:
    return item.design, item.bits, item.kind, item.e if item.kind == "small" else 0
