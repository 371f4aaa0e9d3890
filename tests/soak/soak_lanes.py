# SPDX-License-Identifier: Apache-2.0
"""The soak of the engine of lanes: batches of random jobs, all lengths mixed.

Python's pow checks every result, with each instruction set that this machine has.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from monpro import Engine, Job, MonproError

CASES = 100_000
SPECS = ("lanes", "lanes:isa=avx2,threads=1", "lanes:isa=portable", "lanes:isa=scalar")
SHARES = (8, 8, 1, 3)  # of the cases; those of `portable` are slow
BATCH = 150  # more than the engine takes at once
LONG_EVERY = 40  # batches
SHORT_BITS, LONG_BITS = 400, 4096


class Wrong(Exception):
    """A result that is not Python's."""


def job(source: random.Random, longest: int) -> Job:
    """Any length; carries that go far, and digit boundaries, often."""
    digit = source.choice([28, 29, 52])
    boundary = digit * source.randint(1, max(1, longest // digit)) - source.randint(0, 3)
    bits = max(2, min(longest, source.choice([boundary, source.randint(2, longest)])))
    top = 1 << (bits - 1)
    n = source.choice([2 * top - 1, top + 1, source.getrandbits(bits) | top]) | 1
    base = min(n - 1, source.choice([0, 1, n - 1, n - 2, top - 1, *[source.randrange(n)] * 3]))
    length = source.choice([1, 17, 64, 65, 128, 129, source.randint(1, 200)])
    exponent = source.choice([(1 << length) - 1, 1 << (length - 1), source.getrandbits(length)])
    public = source.random() < 0.3
    if public and source.random() < 0.5:
        exponent = 65537
    data = exponent.to_bytes(-(-max(length, exponent.bit_length()) // 8), "big")
    window = source.choice([0, 0, 0, 1, 2, 3, 4, 5, 6])
    return Job(base, data, n, public, "fixed_window" if window else "default", window)


def batch(engine: Engine, spec: str, number: int, seed: int) -> int:
    """One batch, which follows from the seed; how many cases it had."""
    source = random.Random(f"{seed} {spec} {number}")
    longest = LONG_BITS if number % LONG_EVERY == LONG_EVERY - 1 else SHORT_BITS
    jobs = [job(source, longest) for _ in range(BATCH)]
    for one, result in zip(jobs, engine.modexp_batch(jobs), strict=True):
        assert isinstance(one.base, int)
        assert isinstance(one.exponent, bytes)
        assert isinstance(one.modulus, int)
        if result.value != pow(one.base, int.from_bytes(one.exponent, "big"), one.modulus):
            raise Wrong(f"{spec}, batch {number}, seed {seed}: {one}")
    return BATCH


def run(cases: int, seed: int, say: Callable[[str], None]) -> int:
    """Runs so many cases, or a few more; how many were right. Wrong ends it."""
    right = 0
    for spec, share in zip(SPECS, SHARES, strict=True):
        try:
            engine = Engine(spec)
        except MonproError as why:
            if why.name != "MONPRO_ERR_UNSUPPORTED":
                raise
            say(f"soak: {spec} is left out: {why.message}")
            continue
        with engine:
            count, done = -(-cases * share // (sum(SHARES) * BATCH)), 0
            for number in range(count):
                done += batch(engine, spec, number, seed)
            say(f"soak: {engine.spec}: {done} right")
        right += done
    return right
