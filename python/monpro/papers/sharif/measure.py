# SPDX-License-Identifier: Apache-2.0
"""The figures of sharif's table: exponentiations of four sizes over single products.

The design has 17 multiplier blocks. Every scheme is run, on one random modulus and exponent for
each size.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from monpro.papers import products
from monpro.papers.products import Item
from monpro.papers.sharif import figures as sharif_figures
from monpro.papers.sharif import softcore
from monpro.records import Record

DESIGN = "codesign"
SALT = "R3"  # of the random numbers: another one would change every figure of a seed
BITS = (512, 1024, 1536, 2048)
POSTER_BITS = 1024  # of its comparison
QUICK_BITS = 512  # the longest that a quick run simulates with every scheme
QUICK_SCHEME = "sliding_window"  # simulated by a quick run also at the poster's length


@dataclass(frozen=True, slots=True)
class Kind:
    """A scheme, and whether its time depends on the exponent."""

    scheme: str
    public: bool
    title: str


# The poster's own first, by its names; the library's default for secrets is fixed_window.
KINDS = (
    Kind("sliding_window", True, "SLID"),
    Kind("binary", True, "L2R"),
    Kind("right_to_left", True, "R2L"),
    Kind("fixed_window", False, "fixed window"),
    Kind("binary", False, "L2R"),
    Kind("right_to_left", False, "R2L"),
    Kind("ladder", False, "ladder"),
)


def items(seed: int, *, quick: bool) -> list[Item]:
    """Every scheme at every length."""
    found = []
    for bits in BITS:
        source = random.Random(f"{SALT} {seed} {bits}")  # noqa: S311 - repeatable
        n = source.getrandbits(bits) | 1 << (bits - 1) | 1
        e = source.getrandbits(bits) | 1 << (bits - 1)
        for kind in KINDS:
            longest = POSTER_BITS if kind.scheme == QUICK_SCHEME else QUICK_BITS
            short = not quick or bits <= longest
            found.append(
                Item(DESIGN, "modexp", bits, kind.scheme, kind.public, n, e, simulated=short)
            )
    return found


def measure(seed: int, quick: bool) -> list[Record]:
    """Everything, as records in the order of the tables."""
    todo = items(seed, quick=quick)
    runs, areas = products.measure(todo, [DESIGN], seed, quick=quick)
    row = sharif_figures.load().own
    timed = (POSTER_BITS, next(kind.scheme for kind in KINDS if kind.title == row.timed))
    found = []
    for run in runs:
        same = (run.item.bits, run.item.scheme) == timed
        published = {"time_ms": row.time_ms, "MHz": row.MHz} if same else None
        found.append(products.record(run, published=published))
    compared = [] if quick else softcore.measure(seed)
    return areas + found + compared
