# SPDX-License-Identifier: Apache-2.0
"""Exact counts of instructions without running them.

A build's count is a sum of weights times events. Emulated runs say whether that holds, and for
which inputs they determine the weights.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from monpro.papers.bishop2021.arm import EVENTS_SHAPE

PRIME = (1 << 61) - 1  # arithmetic modulo this one: a wrong sum passes once in 2^61
CHECKS = 8  # runs that came out as they had to, before a model is believed
DETAILS = ("branches", "function", "site", "turn", "segment")
ODD = (2, 4, 5)  # segments of odd turns
BRANCHES = (0, 1, 3, 5, 7, 8, 9)  # events of rsa128_events.c that the source itself branches on
BY_ONE = (3, 6)  # the sites of a product by 1, which from step 5 on has a function of its own


def features(counts: Sequence[int], detail: str) -> list[int]:
    """Events as a model of this detail sees them, and 1 for what is always done."""
    sites, segments, kinds = EVENTS_SHAPE
    if detail == "segment":
        return [1, *counts]
    size = segments * kinds
    if detail == "turn":
        rows = [counts[start : start + kinds] for start in range(0, len(counts), kinds)]
        turns = [
            [row for index, row in enumerate(rows[site : site + segments]) if (index in ODD) == odd]
            for site in range(0, len(rows), segments)
            for odd in (False, True)
        ]
        return [1, *(sum(column) for of in turns for column in zip(*of, strict=True))]
    by_site = [
        [sum(counts[start + kind : start + size : kinds]) for kind in range(kinds)]
        for start in range(0, sites * size, size)
    ]
    if detail == "site":
        return [1, *(count for site in by_site for count in site)]
    sums = [1]
    wanted = BRANCHES if detail == "branches" else range(kinds)
    for sites_of in ([s for s in range(sites) if s not in BY_ONE], BY_ONE):
        sums += [sum(by_site[site][kind] for site in sites_of) for kind in wanted]
    return sums


class Model:
    """What the runs seen so far determine, as reduced rows of features and a count."""

    def __init__(self, detail: str) -> None:
        self.detail = detail
        self._rows: dict[int, list[int]] = {}  # by the column that only this row has
        self.checked = 0
        self.wrong = 0

    @property
    def believed(self) -> bool:
        return self.wrong == 0 and self.checked >= CHECKS

    def _reduced(self, row: list[int]) -> list[int]:
        for column, known in self._rows.items():
            if factor := row[column]:
                row = [(x - factor * y) % PRIME for x, y in zip(row, known, strict=True)]
        return row

    def see(self, counts: Sequence[int], instructions: int) -> None:
        """A run: it adds to what is known, or checks it."""
        row = self._reduced([*features(counts, self.detail), instructions])
        column = next((i for i, x in enumerate(row[:-1]) if x), None)
        if column is None:
            self.checked += 1
            self.wrong += row[-1] != 0
            return
        inverse = pow(row[column], -1, PRIME)
        row = [x * inverse % PRIME for x in row]
        for other, known in self._rows.items():
            if factor := known[column]:
                pairs = zip(known, row, strict=True)
                self._rows[other] = [(x - factor * y) % PRIME for x, y in pairs]
        self._rows[column] = row

    def counts(self, runs: Sequence[Sequence[int]]) -> list[int | None]:
        """The instructions of runs with these events; None where those seen leave that open.

        With weights for the columns that a row has to itself, and 0 for the others. A run is a sum
        of rows if it is one in every column; that is looked at in one random sum of columns.
        """
        chance = random.Random("columns")  # noqa: S311 - nothing secret
        size = len(next(iter(self._rows.values()))) - 1
        probe = [0 if i in self._rows else chance.randrange(PRIME) for i in range(size)]
        weights = {column: row[-1] for column, row in self._rows.items()}
        for column, row in self._rows.items():
            probe[column] = -sum(x * y for x, y in zip(probe, row, strict=False) if y) % PRIME
        return [self._count(features(run, self.detail), weights, probe) for run in runs]

    @staticmethod
    def _count(run: Sequence[int], weights: Mapping[int, int], probe: Sequence[int]) -> int | None:
        if sum(x * y for x, y in zip(run, probe, strict=True)) % PRIME:
            return None
        return sum(weight * run[column] for column, weight in weights.items()) % PRIME

    @property
    def runs_needed(self) -> int:
        """How many runs added to what is known."""
        return len(self._rows)
