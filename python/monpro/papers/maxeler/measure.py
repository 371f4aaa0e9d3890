# SPDX-License-Identifier: Apache-2.0
"""The figures of maxeler's table 1: where an exponentiation spends its time, by scanning method.

Also the speed of each method at each width of a digit, and what it counts. Tables 2 and 3 are in
lanes.py.
"""

from __future__ import annotations

import functools
import random
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from monpro import records
from monpro.measure import timing
from monpro.papers.maxeler import figures as maxeler_figures
from monpro.papers.maxeler import lanes as maxeler_lanes
from monpro.records import Record
from monpro.study import scanning
from monpro.study.scanning import LIBRARY, METHODS, Done, Way

TABLES = (1, 2, 3)
SALT = "R2"  # of the random numbers: another one would change every figure of a seed
BITS = 1024
PROFILE_BITS = 32  # of a digit
ROUNDS = {"product": 25, "modexp": 7, "profile": 15, "kernels": 301}
QUICK_ROUNDS = {"product": 9, "modexp": 2, "profile": 3, "kernels": 61}
KERNEL_PRODUCTS = 100  # in a chain: so short that most of them are not interrupted
CHAIN_NS = 1e6  # of products, a round
FIRST_PRODUCTS = 16  # to find out how many those are
# What is moved away, one after the other, and the form that is left then: of the one with a
# function for products of digits, and of the one with the compiler's own.
BASES = ("called", "plain")
KERNELS: Mapping[str, Mapping[str, str]] = {
    "ab": {"called": "called_no_ab", "plain": "no_ab"},
    "ab_mn": {"called": "no_ab_mn", "plain": "no_ab_mn"},
    "ab_mn_m": {"called": "no_products", "plain": "no_products"},
}
FORMS = tuple(dict.fromkeys([*BASES, *(form for of in KERNELS.values() for form in of.values())]))
WHOLE = "product"  # the kernel that is a whole Montgomery product


@dataclass(frozen=True, slots=True)
class Formula:
    """x s^2 + y s + z, for s digits."""

    x: float
    y: float
    z: int = 0

    def of(self, s: int) -> int:
        return round(self.x * s * s + self.y * s + self.z)

    def __str__(self) -> str:
        terms = ((self.x, "s^2"), (self.y, "s"), (self.z, ""))
        return "+".join(
            f"{factor:g}"[factor == 1 and name != "" :] + name for factor, name in terms if factor
        )


# One product of s digits before the final subtraction: additions, reads, writes. As
# lib/src/study/methods.h has them and derives them, and as Koc, Acar and Kaliski.
FIGURES = ("additions", "reads", "writes")
OURS: Mapping[str, tuple[Formula, Formula, Formula]] = {
    "sos": (Formula(4, 2), Formula(6, 3), Formula(2, 3, 1)),
    "cios": (Formula(4, 2), Formula(6, 5), Formula(2, 4)),
    "fios": (Formula(5, 0), Formula(6, 2), Formula(2, 2)),
    "fips": (Formula(6, 0), Formula(9, 6), Formula(5, 7)),
    "cihs": (Formula(4.5, 2.5), Formula(7, 5), Formula(3, 4)),
}
PAPERS: Mapping[str, tuple[Formula, Formula, Formula]] = {
    "sos": (Formula(4, 2), Formula(6, 5, 1), Formula(2, 5, 1)),
    "cios": OURS["cios"],
    "fios": (Formula(5, 1), Formula(7, 3), Formula(3, 3)),
    "fips": OURS["fips"],
    "cihs": (Formula(4, 2), Formula(6.5, 4.5), Formula(3, 4)),
}


@dataclass(frozen=True, slots=True)
class Numbers:
    """Operands of every run."""

    n: int
    a: int
    b: int
    exponent: bytes

    @classmethod
    def make(cls, seed: int) -> Numbers:
        chance = random.Random(f"{SALT} {seed}")  # noqa: S311 - operands of a measurement
        n = chance.getrandbits(BITS) | 1 << BITS - 1 | 1
        exponent = chance.getrandbits(BITS) | 1 << BITS - 1
        return cls(n, chance.randrange(n), chance.randrange(n), exponent.to_bytes(BITS // 8))

    def product(self, way: Way, repeats: int) -> int:
        """What a chain ends in."""
        factor = self.b * pow(2, -way.digits(BITS) * way.digit_bits, self.n)
        return self.a * pow(factor, repeats, self.n) % self.n

    @property
    def power(self) -> int:
        """What an exponentiation ends in."""
        return _power(self.a, self.exponent, self.n)


@functools.cache
def _power(a: int, exponent: bytes, n: int) -> int:
    return pow(a, int.from_bytes(exponent), n)


def ways() -> list[Way]:
    """Every method at every width of this build, and the library's own product at the last."""
    widths = scanning.available()
    found = [Way(method, bits) for bits in widths for method in METHODS]
    return [*found, Way(LIBRARY, widths[-1])]


def in_turns(operations: Sequence[Callable[[], Done]], rounds: int) -> list[list[Done]]:
    """Each of them once in every round, on one processor."""
    done: list[list[Done]] = [[] for _ in operations]
    with timing.pinned():
        for _ in range(rounds):
            for operation, of in zip(operations, done, strict=True):
                of.append(operation())
    return done


def whole_ns(done: Done) -> int:
    """A chain of products, or an exponentiation: the selection is inside its products."""
    return sum(done.time_ns[part] for part in ("vectors", "constants", "products", "clock"))


def speeds(numbers: Numbers, rounds: Mapping[str, int]) -> list[Record]:
    """A product and an exponentiation of each way, beside the library's of the same rounds."""
    n, a, b, exponent = numbers.n, numbers.a, numbers.b, numbers.exponent
    todo = ways()
    repeats = []
    for way in todo:
        first_ns = whole_ns(scanning.product(way, n, a, b, FIRST_PRODUCTS))
        repeats.append(max(FIRST_PRODUCTS, round(CHAIN_NS * FIRST_PRODUCTS / max(first_ns, 1))))
    pairs = list(zip(todo, repeats, strict=True))
    chains = [functools.partial(scanning.product, way, n, a, b, count) for way, count in pairs]
    powers = [functools.partial(scanning.modexp, way, n, a, exponent) for way in todo]
    found = []
    for operation, calls in (("product", chains), ("modexp", powers)):
        done = in_turns(calls, rounds[operation])
        each = [1] * len(todo) if operation == "modexp" else repeats
        times_ms = [
            [whole_ns(one) / 1e6 / count for one in of]
            for of, count in zip(done, each, strict=True)
        ]
        for index, (way, of) in enumerate(zip(todo, done, strict=True)):
            ratios = [x / y for x, y in zip(times_ms[index], times_ms[-1], strict=True)]
            values = {one.value for one in of}
            chain_end = numbers.product(way, repeats[index])
            right = chain_end if operation == "product" else numbers.power
            found.append(
                _record(
                    operation, way, ok=values == {right}, obtained="measured",
                    rounds=len(of), time_ms=statistics.median(times_ms[index]),
                    ratio_to_library=statistics.median(ratios),
                    baseline=f"libmonpro, {todo[-1].digit_bits}-bit limbs",
                )
            )  # fmt: skip
    return found


def _record(operation: str, way: Way, *, ok: bool, obtained: str, **more: Any) -> Record:
    return records.record(
        "papers", engine="scanning", operation=operation, bits=BITS, scheme="binary",
        exponent="secret", ok=ok, obtained=obtained, method=way.method,
        digit_bits=way.digit_bits, **more,
    )  # fmt: skip


def counts(numbers: Numbers) -> list[Record]:
    """One product of each method and width, counted; ok: as the formulas, and right."""
    found = []
    for bits in scanning.available():
        for method in METHODS:
            way = Way(method, bits, "counted")
            s = way.digits(BITS)
            done = scanning.product(way, numbers.n, numbers.a, numbers.b, 1)
            got = done.counts["products"]
            mine, theirs = ([formula.of(s) for formula in of[method]] for of in (OURS, PAPERS))
            ok = done.value == numbers.product(way, 1)
            ok &= (got.products_ab, got.products_mn, got.products_m) == (s * s, s * s, s)
            ok &= [got.additions, got.reads, got.writes] == mine
            ok &= (got.around_additions, got.around_reads) == (2 * s + 1, 4 * s + 1)
            found.append(
                _record(
                    "counts", way, ok=ok, obtained="measured", digits=s,
                    digit_products=2 * s * s + s, additions=got.additions, reads=got.reads,
                    writes=got.writes, around_additions=got.around_additions,
                    around_reads=got.around_reads, around_writes=got.around_writes,
                    formulas=dict(zip(FIGURES, mine, strict=True)),
                    published=dict(zip(FIGURES, theirs, strict=True)),
                )
            )  # fmt: skip
    return found


def operations_percent(done: Done) -> dict[str, float]:
    """The share of each part in all counted operations on digits of an exponentiation."""
    parts = {
        name: of.products_m + of.additions + of.reads + of.writes
        + of.around_additions + of.around_reads + of.around_writes
        for name, of in done.counts.items()
    }  # fmt: skip
    multiplied = {name: of.products_ab + of.products_mn for name, of in done.counts.items()}
    total = sum(parts.values()) + sum(multiplied.values())
    shares = {
        "monpro": parts["products"],
        "multiply": multiplied["products"],
        "constants": parts["constants"] + multiplied["constants"],
        "select": parts["select"],
    }
    return {name: 100 * share / total for name, share in shares.items()}


def left(base: Sequence[Done], moved: Sequence[Done]) -> tuple[float, float]:
    """What is left of a product without some of its products of digits, by chains of the same
    rounds: the median ratio, and half the range in which half the rounds lie."""
    ratios = [whole_ns(other) / whole_ns(one) for one, other in zip(base, moved, strict=True)]
    low, middle, high = statistics.quantiles(ratios, n=4)
    return middle, (high - low) / 2


def time_percent(done: Sequence[Done], without: float) -> dict[str, float]:
    """Shares of the time, medians over rounds. `without`: what is left of a product without
    products of digits; monPro is what is left of all shares."""
    parts = {
        part: 100 * statistics.median(one.time_ns[part] / whole_ns(one) for one in done)
        for part in ("constants", "select", "vectors", "clock", "products")
    }
    products = parts.pop("products") - parts["select"]
    shares = {"multiply": products * (1 - without), **parts}
    return {"monpro": 100 - sum(shares.values()), **shares}


def profile(numbers: Numbers, rounds: Mapping[str, int]) -> list[Record]:
    """For each method: shares by time, in two forms, and by counts; and what each kernel saves."""
    n, a, b, exponent = numbers.n, numbers.a, numbers.b, numbers.exponent
    todo = [Way(method, PROFILE_BITS, form) for method in METHODS for form in FORMS]
    calls = [functools.partial(scanning.product, way, n, a, b, KERNEL_PRODUCTS) for way in todo]
    chains = dict(zip(todo, in_turns(calls, rounds["kernels"]), strict=True))
    whole = [way for way in todo if way.form in BASES]
    calls = [functools.partial(scanning.modexp, way, n, a, exponent) for way in whole]
    powers = dict(zip(whole, in_turns(calls, rounds["profile"]), strict=True))
    found = []
    for method in METHODS:
        counted = scanning.modexp(Way(method, PROFILE_BITS, "counted"), n, a, exponent)
        of = {form: chains[Way(method, PROFILE_BITS, form)] for form in FORMS}
        for base in BASES:
            way = Way(method, PROFILE_BITS, base)
            remains = {kernel: left(of[base], of[forms[base]]) for kernel, forms in KERNELS.items()}
            shares = time_percent(powers[way], remains["ab_mn"][0])
            products = shares["monpro"] + shares["multiply"]
            saved = {kernel: products * (1 - ratio) for kernel, (ratio, _) in remains.items()}
            values = {done.value for done in (*powers[way], counted)}
            chained = {done.value for done in of[base]}
            chain_end = numbers.product(way, KERNEL_PRODUCTS)
            found.append(
                _record(
                    "profile", way, obtained="measured",
                    ok=values == {numbers.power} and chained == {chain_end},
                    rounds=rounds["kernels"], form=base,
                    time_ms=statistics.median(whole_ns(done) for done in powers[way]) / 1e6,
                    time_percent=shares, operations_percent=operations_percent(counted),
                    saved_percent={**saved, WHOLE: products},
                    saved_spread_percent={
                        kernel: products * spread for kernel, (_, spread) in remains.items()
                    },
                )
            )  # fmt: skip
    return found


def measure(seed: int, quick: bool, tables: Sequence[int] = TABLES) -> list[Record]:
    """Everything, or what some of the tables take, as records in their order."""
    maxeler_figures.load()
    numbers, rounds = Numbers.make(seed), QUICK_ROUNDS if quick else ROUNDS
    found: list[Record] = []
    if 1 in tables:
        found += profile(numbers, rounds) + counts(numbers) + speeds(numbers, rounds)
    if 2 in tables or 3 in tables:
        found += maxeler_lanes.measure(seed, quick, tables)
    return found
