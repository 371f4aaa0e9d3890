# SPDX-License-Identifier: Apache-2.0
"""A plot as data: its ticks, and series that do not fit together."""

from __future__ import annotations

import pytest

from monpro.plots.plot import Axis, Plot, Series, log_ticks, tick_text


@pytest.mark.parametrize(
    ("low", "high", "wanted"),
    [
        (30, 400_000, [100, 1000, 10_000, 100_000]),
        (0.04, 3, [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5]),
        (1100, 1400, [1100, 1200, 1300, 1400, 1500]),
        (7, 7, [6, 8]),
    ],
)
def test_ticks_of_a_logarithm(low: float, high: float, wanted: list[float]) -> None:
    assert log_ticks(low, high) == pytest.approx(wanted)
    axes = Axis("x"), Axis("y", log=True)
    plot = Plot("k", "t", *axes, (Series("s", (low, high), (low, high)),), "", "")
    assert (plot.ticks(plot.x), plot.ticks(plot.y)) == ([], pytest.approx(wanted))


def test_ticks_in_words() -> None:
    assert [tick_text(v) for v in (0.05, 5, 1000, 2e4, 5e6, 1e9)] == [
        "0.05", "5", "1000", "20 k", "5 M", "1 G",
    ]  # fmt: skip


def test_a_series_is_of_one_length() -> None:
    with pytest.raises(ValueError, match="differ in number"):
        Series("s", (1, 2), (1,))
    with pytest.raises(ValueError, match="a range for each y"):
        Series("s", (1,), (1,), low=(1,))
