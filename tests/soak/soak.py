#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Long runs of random work through the RTL, every result checked by Python's pow: `make soak`.

Products are exponentiations by 2 and 3: x * x, and that times x, in the scheme's own way. Powers
have exponents of any length. Small sizes run on designs with short words and few elements, the rest
on the designs as they are. Everything follows from the seed, which is printed. Keys do too.
"""

from __future__ import annotations

import argparse
import dataclasses
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa as peer_rsa

import soak_lanes
from monpro import Engine, Job, Key, raw_private
from monpro.base.terminal import duration
from monpro.bench.schemes import KINDS
from monpro.hardware import designs
from monpro.hardware.designs import Design

AT_ONCE = 2
CHUNK = 25
SMALL_MAX_BITS = 512  # designs up to here count as small
# A design for long moduli gets a small form: few elements, so that passes are many.
SMALL_FORM = {"elements": 2, "min_bits": 128, "max_bits": 320, "table_words": 1024}
SMALL_FORM_OF_ONE = SMALL_FORM | {"elements": 1}
POWERS_CYCLES = 4_000_000  # of one full-size power: bounds the length of its exponent
REPEATED_MAX = 40


@dataclasses.dataclass(frozen=True, slots=True)
class Task:
    """So many cases of one kind on one design."""

    kind: str
    design: Design
    cases: int

    @property
    def title(self) -> str:
        return f"{self.kind}: {self.design.name}"


class Wrong(Exception):
    """A result that is not Python's, with all that it takes to see it again."""


def odd_modulus(source: random.Random, bits: int) -> int:
    """A modulus of exactly so many bits: random, all ones, or with hardly any."""
    top = 1 << (bits - 1)
    match source.randrange(8):
        case 0:
            return 2 * top - 1
        case 1:
            return top + 1
        case 2:
            return top | (1 << source.randrange(bits)) | 1
        case 3:
            return (2 * top - 1) ^ (1 << source.randrange(1, bits - 1))
    return source.getrandbits(bits) | top | 1


def operand(source: random.Random, n: int) -> int:
    match source.randrange(12):
        case 0:
            return source.choice([0, 1, 2, n - 1, n - 2, n >> 1])
        case 1:
            return min(n - 1, 1 << source.randrange(n.bit_length()))
    return source.randrange(n)


def exponent_of(source: random.Random, bits: int) -> int:
    match source.randrange(12):
        case 0:
            return source.choice([0, 1, (1 << bits) - 1])
        case 1:
            return 1 << source.randrange(bits)
    return source.getrandbits(bits)


def length(source: random.Random, design: Design) -> int:
    """Any length that the design takes, its ends often."""
    ends = [design.min_bits, design.max_bits]
    return source.choice([*ends, *(source.randint(*ends) for _ in range(6))])


def job(source: random.Random, design: Design, kind: str) -> Job:
    """One random exponentiation."""
    n = odd_modulus(source, length(source, design))
    x = operand(source, n)
    scheme = source.choice([name for name in design.schemes if name in KINDS])
    public = source.choice(KINDS[scheme]) == "public"
    if "products" in kind:
        return Job(x, source.choice([b"\2", b"\3"]), n, public, scheme)  # type: ignore[arg-type]
    bits = n.bit_length()
    if design.max_bits > SMALL_MAX_BITS:
        words = -(-bits // design.word_bits)
        bits = max(1, min(bits, POWERS_CYCLES * design.elements // (3 * words * words)))
    bits = source.choice([bits, source.randint(1, bits)])
    e = exponent_of(source, bits)
    if scheme == "repeated":
        return Job(x, 1 + e % REPEATED_MAX, n, True, "repeated")  # type: ignore[arg-type]
    whole = e.to_bytes(-(-bits // 8), "big")
    return Job(x, whole, n, public, scheme)  # type: ignore[arg-type]


def run_jobs(engine: Engine, jobs: Sequence[Job]) -> None:
    for one, result in zip(jobs, engine.modexp_batch(jobs), strict=True):
        e = one.exponent if isinstance(one.exponent, int) else int.from_bytes(one.exponent, "big")
        assert isinstance(one.base, int)
        assert isinstance(one.modulus, int)
        if result.error or result.value != pow(one.base, e, one.modulus):
            raise Wrong(f"{one}: {result.error or 'wrong'}")


def prime(source: random.Random, bits: int, e: int) -> int:
    """A probable prime with its two top bits set, e no divisor of p - 1."""
    while True:
        p = source.getrandbits(bits) | 3 << (bits - 2) | 1
        if (p - 1) % e == 0 or not all(p % small for small in (3, 5, 7, 11, 13, 17, 19, 23, 29)):
            continue
        if all(pow(x, p - 1, p) == 1 for x in (2, source.randrange(3, p))):
            return p


def key_of(source: random.Random, bits: int) -> tuple[Key, int, int]:
    """A key, its modulus and its private exponent; the primes now and then of unequal length."""
    e = source.choice([3, 17, 65537, 65537])
    apart = source.choice([0, 0, 0, source.randint(1, 16)])
    p, q = prime(source, bits // 2 + apart, e), prime(source, bits // 2 - apart, e)
    if source.random() < 0.5:
        p, q = q, p
    d = pow(e, -1, (p - 1) * (q - 1))
    public = peer_rsa.RSAPublicNumbers(e, p * q)
    numbers = peer_rsa.RSAPrivateNumbers(p, q, d, d % (p - 1), d % (q - 1), pow(q, -1, p), public)
    pem = numbers.private_key().private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    return Key.read(pem), p * q, d


def run_rsa(engine: Engine, source: random.Random, design: Design) -> None:
    """A private operation with a new key, checked."""
    shortest = max(512, 2 * design.min_bits + 32)
    longest = min(2048 if design.elements > 1 else 1024, design.max_bits)
    bits = 2 * source.randint(shortest // 2, longest // 2)
    key, n, d = key_of(source, bits)
    x = operand(source, n)
    crt = source.random() < 0.9
    [result] = raw_private(engine, key, [x.to_bytes(key.size, "big")], crt=crt)
    if int.from_bytes(result, "big") != pow(x, d, n):
        raise Wrong(f"RSA-{bits}, crt={crt}: n = {n:#x}, d = {d:#x}, x = {x:#x}")


def chunk(engine: Engine, task: Task, first: int, count: int, seed: int) -> None:
    """Cases first to first + count - 1: each has a seed of its own."""
    sources = [random.Random(f"{seed} {task.title} {first + i}") for i in range(count)]
    try:
        if task.kind == "rsa":
            for source in sources:
                run_rsa(engine, source, task.design)
        else:
            run_jobs(engine, [job(source, task.design, task.kind) for source in sources])
    except Exception as why:
        cases = f"cases {first} to {first + count - 1}, seed {seed}"
        raise Wrong(f"{task.title}, {cases}: {why}") from why


def small_form(design: Design) -> Design:
    if design.max_bits <= SMALL_MAX_BITS:
        return design
    return design.with_parameters(**(SMALL_FORM if design.elements > 1 else SMALL_FORM_OF_ONE))


def tasks(named: Sequence[Design], scale: float, *, forms: bool = True) -> list[Task]:
    """What is run: `scale` times 10,000 cases at small sizes and some hundreds at full size.

    Serial designs and those of single products are left to their own tests: they have other sizes
    and schemes.
    """
    named = [design for design in named if not (design.serial or design.products or design.stream)]
    small = [small_form(d) for d in named if forms or d.max_bits <= SMALL_MAX_BITS]
    full = [d for d in named if d.max_bits > SMALL_MAX_BITS]

    def cases(count: float) -> int:
        return max(1, round(count * scale))

    found = []
    for kind in ("small products", "small powers"):
        found += [Task(kind, d, cases(10_000 / len(small))) for d in small]
    for design in full:
        found += [Task("products", design, cases(400)), Task("powers", design, cases(200))]
        found.append(Task("rsa", design, cases(100)))
    return found


def expected_s(task: Task, seed: int) -> float:
    """Seconds by the time of the first cases, which are run for it."""
    count = min(8, task.cases)
    with Engine(f"sim:{task.design.name}") as engine:
        start_s = time.perf_counter()
        chunk(engine, task, 0, count, seed)
        return (time.perf_counter() - start_s) / count * task.cases


def chunks(task: Task, seed: int, stop: threading.Event) -> Iterator[int]:
    """Runs a task; gives how many cases each chunk had."""
    size = 1 if task.kind == "rsa" else CHUNK
    with Engine(f"sim:{task.design.name}") as engine:
        for first in range(0, task.cases, size):
            if stop.is_set():
                return
            count = min(size, task.cases - first)
            chunk(engine, task, first, count, seed)
            yield count


def run(todo: Sequence[Task], seed: int, say: Callable[[str], None]) -> int:
    """Runs everything, two tasks at a time; how many cases were right. Wrong ends it."""
    say(f"soak: seed {seed}, {sum(task.cases for task in todo)} cases; timing the first of each")
    seconds = {task: expected_s(task, seed) for task in todo}
    total_s = max(sum(seconds.values()) / AT_ONCE, *seconds.values())
    say(f"soak: about {duration(total_s)}, {AT_ONCE} simulations at a time")
    stop = threading.Event()

    def whole(task: Task) -> int:
        return sum(chunks(task, seed, stop))

    right, start_s = 0, time.monotonic()
    with ThreadPoolExecutor(AT_ONCE) as executor:
        order = sorted(todo, key=lambda task: -seconds[task])
        running = {executor.submit(whole, task): task for task in order}
        try:
            for done in as_completed(running):
                right += done.result()
                spent = duration(time.monotonic() - start_s)
                say(f"soak: {running[done].title}: {done.result()} right ({spent})")
        finally:
            stop.set()
            executor.shutdown(cancel_futures=True)
    return right


def say(line: str) -> None:
    print(line, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--designs", default=",".join(designs.load()), help="by name; [all]")
    parser.add_argument("--scale", type=float, default=1.0, help="times the number of cases [1]")
    parser.add_argument(
        "--lanes", type=int, default=soak_lanes.CASES, help="cases of the engine of lanes [100000]"
    )
    parser.add_argument("--seed", type=int, default=None, help="[the time]")
    chosen = parser.parse_args(arguments)
    seed = chosen.seed if chosen.seed is not None else int(time.time())
    named = [designs.get(name) for name in chosen.designs.split(",")]
    start_s = time.monotonic()
    try:
        right = soak_lanes.run(round(chosen.lanes * chosen.scale), seed, say)
        right += run(tasks(named, chosen.scale), seed, say)
    except (Wrong, soak_lanes.Wrong) as why:
        print(f"soak: WRONG: {why}", file=sys.stderr)
        return 1
    print(f"soak: {right} of {right} right, seed {seed}, {duration(time.monotonic() - start_s)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
