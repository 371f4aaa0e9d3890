# SPDX-License-Identifier: Apache-2.0
"""The soak of the engine of lanes: a few cases, and that it notices."""

from __future__ import annotations

import pytest

import soak_lanes
from monpro import Engine, Job, Result


def test_a_short_soak() -> None:
    lines: list[str] = []
    assert soak_lanes.run(1500, 2026, lines.append) >= 1500 * 12 // 20
    assert len(lines) == len(soak_lanes.SPECS)


class Faulty:
    """An engine whose last result of a batch is wrong."""

    def modexp_batch(self, jobs: list[Job]) -> list[Result]:
        with Engine("soft") as engine:
            found = engine.modexp_batch(jobs)
        return [*found[:-1], Result(found[-1].value ^ 1, found[-1].counters, None)]


def test_a_wrong_result_is_noticed() -> None:
    with pytest.raises(soak_lanes.Wrong, match="lanes, batch 3, seed 7: Job"):
        soak_lanes.batch(Faulty(), "lanes", 3, 7)  # type: ignore[arg-type]
