# SPDX-License-Identifier: Apache-2.0
"""The designs side by side: exponentiations and RSA of every length, cold and warm.

Every result is checked. Where a simulation would take too long, the model gives the cycles, and the
record says so.
"""

from __future__ import annotations

import dataclasses
import math
import random
import sys
import time
from collections.abc import Sequence
from concurrent.futures import as_completed
from pathlib import Path
from typing import Any

from monpro import records, rsa
from monpro.base import files, terminal
from monpro.base.terminal import duration
from monpro.bench import designs_table
from monpro.bench import rsa as main_job
from monpro.engine import Counters, Engine, Job
from monpro.errors import MonproError
from monpro.hardware import bounds
from monpro.hardware.designs import Design
from monpro.measure import predict
from monpro.measure.predict import Prediction
from monpro.records import Record
from monpro.synth import clocks

MODEXP_BITS = (512, 1024, 2048, 3072, 4096)
RSA_BITS = (1024, 2048, 3072, 4096)
OPERATIONS = ("modexp", "rsa_private", "rsa_public")
E = main_job.E
LIMIT_MCYCLES = 400  # of simulation; what takes more is not run by default, on any machine
QUICK_BITS = 1024  # longest modulus of a quick run


@dataclasses.dataclass(frozen=True, slots=True)
class Numbers:
    """An RSA key as whole numbers, beside the library's own form of it."""

    key: rsa.Key
    n: int
    d: int

    @classmethod
    def make(cls, bits: int) -> Numbers:
        from cryptography.hazmat.primitives import serialization
        from cryptography.hazmat.primitives.asymmetric import rsa as peer_rsa

        key = rsa.Key.generate(bits, E)
        private = serialization.load_pem_private_key(key.write(), None)
        assert isinstance(private, peer_rsa.RSAPrivateKey)
        found = private.private_numbers()
        return cls(key, found.public_numbers.n, found.d)


@dataclasses.dataclass(frozen=True, slots=True)
class Item:
    """One line of work: an operation of a length on a design, cold, and warm where that differs."""

    design: Design
    operation: str
    bits: int

    @property
    def states(self) -> tuple[str, ...]:
        return ("cold",) if self.operation == "rsa_private" else ("cold", "warm")

    @property
    def title(self) -> str:
        names = {"modexp": "modexp", "rsa_private": "RSA private", "rsa_public": "RSA public"}
        return f"{names[self.operation]} {self.bits}: {self.design.name}"


def _figures(design: Design, multipliers: int, work: int, spent: Counters) -> Record:
    """What a table shows of an operation, from its counters."""
    figures: Record = {
        "cycles": spent.cycles,
        "cycles_precompute": spent.cycles_precompute,
        "cycles_exponentiate": spent.cycles_exponentiate,
        "cycles_bus": spent.cycles_bus,
        "cycles_load": spent.cycles_load,
        "cycles_read": spent.cycles_read,
        "cycles_total": spent.cycles_total,
        "overhead": spent.cycles_bus / spent.cycles_total,
    }
    return figures | _rates(design, multipliers, work, spent.cycles)


def _rates(design: Design, multipliers: int, work: int, cycles: int) -> Record:
    figures: Record = {
        "multipliers": multipliers,
        "multiplier_cycles": multipliers * cycles,
        "bound_word_products": work,
        "bound_fraction": work / (multipliers * cycles),
    }
    return figures | clocks.figures(design, cycles)


def _work(item: Item, multipliers: int, *, checked: bool) -> int:
    """Word products that the algorithm needs; the check is a public operation more."""
    width = bounds.block_bits(item.design.word_bits, item.design.elements, multipliers)
    digit = item.design.digit_bits
    public = bounds.modexp(
        item.bits, width, "binary", E, E.bit_length(), public=True, digit_bits=digit
    )
    match item.operation:
        case "modexp":
            return bounds.modexp(
                item.bits, width, "fixed_window", 0, item.bits, public=False, digit_bits=digit
            )
        case "rsa_private":
            return bounds.rsa_private(item.bits, width, digit) + (public if checked else 0)
    return public


def _record(item: Item, state: str, figures: Record, **more: Any) -> Record:
    private = item.operation == "rsa_private"
    public = item.operation == "rsa_public"
    return records.record(
        "bench",
        figures,
        engine=f"sim:{item.design.name}",
        design=item.design.name,
        operation=item.operation,
        bits=item.bits,
        scheme="binary" if public else "fixed_window",
        exponent="public" if public else "secret",
        key_state=state,
        crt=private or None,
        crt_on_chip=item.design.crt if private else None,
        **more,
    )


Row = tuple[str, Counters, Record]


class Failure(Exception):
    """A result that is wrong, or an operation that ended with an error."""


def _modexp(item: Item, engine: Engine, seed: int) -> list[Row]:
    source = random.Random(f"{seed} {item.bits}")  # noqa: S311 - repeatable tests
    n = source.getrandbits(item.bits) | 1 << (item.bits - 1) | 1
    rows = []
    for state in item.states:
        x, e = source.randrange(n), source.getrandbits(item.bits)
        [result] = engine.modexp_batch([Job(x, e, n, scheme="fixed_window")])
        if result.value != pow(x, e, n):
            raise Failure("not what Python's pow gives")
        window = predict.window_of(item.design, item.bits, result.counters)
        rows.append((state, result.counters, {"window": window}))
    return rows


def _public(item: Item, engine: Engine, numbers: Numbers) -> list[Counters]:
    """The public operation twice: the second time the key is warm."""
    spent = []
    for _ in item.states:
        x = random.randrange(numbers.n)  # noqa: S311 - no secret
        block = x.to_bytes(item.bits // 8, "big")
        with engine.measure() as measured:
            [result] = rsa.raw_public(engine, numbers.key, [block])
        if int.from_bytes(result, "big") != pow(x, E, numbers.n):
            raise Failure("not what Python's pow gives")
        spent.append(measured.counters)
    return spent


def _private(item: Item, engine: Engine, numbers: Numbers) -> tuple[Counters, Counters]:
    """What the operation spent without the check of its result, and with it."""
    x = random.randrange(numbers.n)  # noqa: S311 - no secret
    block = x.to_bytes(item.bits // 8, "big")
    with engine.measure() as measured:
        [result] = rsa.raw_private(engine, numbers.key, [block])
    if int.from_bytes(result, "big") != pow(x, numbers.d, numbers.n):
        raise Failure("not what Python's pow gives")
    return measured.counters - measured.check, measured.counters


def _rows(item: Item, engine: Engine, numbers: Numbers | None, seed: int) -> list[Row]:
    """An item's lines: key state, what was spent, and what else is known."""
    if item.operation == "modexp":
        return _modexp(item, engine, seed)
    assert numbers
    if item.operation == "rsa_public":
        spent = _public(item, engine, numbers)
        return [(state, each, {}) for state, each in zip(item.states, spent, strict=True)]
    both = zip((False, True), _private(item, engine, numbers), strict=True)
    return [("cold", each, {"checked": checked, "blinded": True}) for checked, each in both]


def measure(item: Item, numbers: Numbers | None, seed: int) -> list[Record]:
    """Simulates one item; every result is checked."""
    start_s = time.perf_counter()
    try:
        with Engine(f"sim:{item.design.name}") as engine:
            multipliers = engine.info.multipliers
            rows = _rows(item, engine, numbers, seed)
    except (Failure, MonproError) as why:
        failure = f"{item.title}: {why}"
        return [_record(item, "cold", {}, ok=False, obtained="simulated", failure=failure)]
    wall_ms = (time.perf_counter() - start_s) * 1e3 / len(item.states)
    found = []
    for state, spent, more in rows:
        if (state == "warm") != (spent.warm == spent.operations):
            state = str(records.key_state(spent))  # what the device says of itself
        work = _work(item, multipliers, checked=bool(more.get("checked")))
        figures = _figures(item.design, multipliers, work, spent) | {"wall_ms": wall_ms} | more
        found.append(_record(item, state, figures, ok=True, obtained="simulated"))
    return found


def model(item: Item, prediction: Prediction) -> list[Record]:
    """What the model says of an item that was not run: exact cycles, but no checked result."""
    found, multipliers = [], item.design.multipliers
    for state, checked, cycles in prediction.rows:
        work = _work(item, multipliers, checked=bool(checked))
        figures = _rates(item.design, multipliers, work, cycles) | {"cycles": cycles}
        figures |= {"method": "model", "checked": checked}
        found.append(_record(item, state, figures, obtained="estimated"))
    return found


def items(designs: Sequence[Design], bits: Sequence[int] | None, *, quick: bool) -> list[Item]:
    """Everything that is asked for and that a design takes."""
    found = []
    for operation in OPERATIONS:
        lengths = bits or (MODEXP_BITS if operation == "modexp" else RSA_BITS)
        for length in lengths:
            if operation != "modexp" and length not in RSA_BITS:
                continue
            if quick and length > QUICK_BITS:
                continue
            for design in designs:
                shortest = length // 2 if operation == "rsa_private" else length
                if design.min_bits <= shortest and length <= design.max_bits:
                    found.append(Item(design, operation, length))
    return found


@dataclasses.dataclass(frozen=True, slots=True)
class Plan:
    """What is simulated, what is left to the model, and how long it will take."""

    run: list[Item]
    left: list[Item]
    predictions: dict[Item, Prediction]
    seconds: dict[Item, float]

    @property
    def total_s(self) -> float:
        seconds = [self.seconds[item] for item in self.run]
        return max(sum(seconds) / main_job.SIMULATIONS_AT_ONCE, max(seconds, default=0.0))

    def say(self) -> None:
        """Before it starts: how long it takes, and what it leaves out."""
        line = f"{len(self.run)} simulations, about {duration(self.total_s)}"
        if self.left:
            line += (
                f"; {len(self.left)} of more than {LIMIT_MCYCLES} million cycles each left to the "
                f"model (--full simulates them too: "
                f"{duration(sum(self.seconds[i] for i in self.left))})"
            )
        print(f"monpro: {line}", file=sys.stderr, flush=True)


def plan(wanted: Sequence[Item], *, whole: bool) -> Plan:
    """Times a moment of each design's simulation; unless it is whole, the longest are left."""
    rates = {}
    for design in dict.fromkeys(item.design for item in wanted):
        with Engine(f"sim:{design.name}") as engine:  # builds the model, if need be
            rates[design.name] = predict.cycles_per_s(engine, design)
    predictions = {
        item: predict.predict(item.design, item.operation, item.bits, E) for item in wanted
    }
    seconds = {
        item: predictions[item].simulated_cycles / rates[item.design.name] for item in wanted
    }
    limit = math.inf if whole else LIMIT_MCYCLES * 1e6
    left = [item for item in wanted if predictions[item].simulated_cycles > limit]
    run = [item for item in wanted if item not in left]
    return Plan(run, left, predictions, seconds)


def simulate(todo: Plan, seed: int) -> list[Record]:
    """Everything that is to be simulated, the longest first; the rest by the model."""
    lengths = sorted({item.bits for item in todo.run if item.operation != "modexp"})
    found = {item: model(item, todo.predictions[item]) for item in todo.left}
    with terminal.Steps(len(lengths) + len(todo.run)) as steps:
        keys = {}
        for bits in lengths:
            keys[bits] = Numbers.make(bits)
            steps.done(f"RSA-{bits}: a key")
        order = sorted(todo.run, key=lambda item: -todo.seconds[item])
        with main_job.pool() as executor:
            running = {
                executor.submit(measure, item, keys.get(item.bits), seed): item for item in order
            }
            for done in as_completed(running):
                item = running[done]
                found[item] = done.result()
                ok = all(one["ok"] for one in found[item])
                steps.done(f"{item.title}: {'checked' if ok else 'WRONG'}")
    return [one for item in todo.predictions for one in found[item]]


def run(
    designs: Sequence[Design],
    bits: Sequence[int] | None,
    seed: int,
    out: Path,
    *,
    quick: bool,
    full: bool,
    as_json: bool,
) -> bool:
    """Measures, shows, writes the records; whether every result was right."""
    start_s = time.monotonic()
    for design in designs:
        if "fixed_window" not in design.schemes:
            raise MonproError(
                "MONPRO_ERR_SCHEME",
                f"{design.name} has no fixed window, in which designs are compared here: try "
                f"monpro bench schemes {design.name}, or "
                f"monpro papers {design.reference}",
            )
    wanted = items(designs, bits, quick=quick)
    if not wanted:
        raise MonproError("MONPRO_ERR_KEY_SIZE", "none of the designs takes any of the lengths")
    out.parent.mkdir(parents=True, exist_ok=True)
    with files.output(str(out)) as write:
        todo = plan(wanted, whole=full or quick)
        todo.say()
        found = simulate(todo, seed)
        elapsed_s = time.monotonic() - start_s
        found = records.of_run(found, seed=seed, elapsed_s=elapsed_s)
        write(records.to_json(found).encode() + b"\n")
    if as_json:
        records.show(found)
    else:
        designs_table.show(found, out, seed, elapsed_s)
    return all(item["ok"] is not False for item in found)
