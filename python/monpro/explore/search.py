# SPDX-License-Identifier: Apache-2.0
"""A search instead of a sweep: Optuna chooses which designs of a space are looked at.

A trial is one piece of hardware: one synthesis and its placements. It is judged by area and time at
the longest length that it takes. The sampler chooses the named design, and the parameters in which
its variants differ.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

from monpro.errors import MonproError
from monpro.explore import front
from monpro.explore.space import Space
from monpro.hardware.designs import PARAMETERS, Design
from monpro.records import Record

if TYPE_CHECKING:
    import optuna

    from monpro.explore.run import Explorer

# So often the size of the space nothing new is suggested: the search is at its end.
PATIENCE = 10


def search(explorer: Explorer, space: Space, area: str, count: int, seed: int) -> list[Record]:
    """The records of up to `count` designs, in the order of the space.

    Deterministic for a seed and a number of workers: as many designs are asked for at once as are
    done at once, and told of in order.
    """
    try:
        import optuna
    except ImportError as why:
        raise MonproError(
            "MONPRO_ERR_ARGUMENT", "--search needs optuna: pip install '.[explore]'"
        ) from why
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    axes = Axes([*dict.fromkeys(point.design for point in space.points())])
    count = min(count, len(axes.designs))
    sampler = optuna.samplers.TPESampler(seed=seed, n_startup_trials=max(4, count // 3))
    study = optuna.create_study(directions=["minimize"] * 2, sampler=sampler)
    looked: dict[Design, list[Record]] = {}
    patience = PATIENCE * len(axes.designs)
    while len(looked) < count and patience:
        trials = list[tuple[optuna.Trial, Design | None]]()
        fresh = list[Design]()
        while len(fresh) < min(explorer.workers.count, count - len(looked)) and patience:
            trial = study.ask()
            design = axes.suggested(trial)
            trials.append((trial, design))
            if design is None or design in looked or design in fresh:
                patience -= 1
            else:
                fresh.append(design)
        _look(explorer, space, fresh, looked)
        for trial, design in trials:
            values = _judged(looked[design], area) if design else None
            if values is None:
                study.tell(trial, state=optuna.trial.TrialState.FAIL)
            else:
                study.tell(trial, values)
    explorer.say(f"looked at {len(looked)} of {len(axes.designs)} designs, seed {seed}")
    return [item for design in axes.designs for item in looked.get(design, [])]


def _look(
    explorer: Explorer, space: Space, designs: Sequence[Design], looked: dict[Design, list[Record]]
) -> None:
    found = explorer.run(dataclasses.replace(space, designs=tuple(designs)).points())
    for design in designs:
        looked[design] = [item for item in found if item["design"] == design.name]


class Axes:
    """The designs of a space by what tells them apart."""

    def __init__(self, designs: Sequence[Design]) -> None:
        self.designs = designs
        self._bases: dict[str, list[Design]] = {}
        for design in designs:
            self._bases.setdefault(design.name.partition(",")[0], []).append(design)

    def suggested(self, trial: optuna.Trial) -> Design | None:
        """The design that a trial chooses; None of parameters that do not go together."""
        base = trial.suggest_categorical("design", list(self._bases))
        left = self._bases[base]
        for name in PARAMETERS:
            values = sorted({getattr(design, name) for design in self._bases[base]})
            if len(values) > 1:
                value = trial.suggest_categorical(f"{base}.{name}", values)
                left = [design for design in left if getattr(design, name) == value]
        return left[0] if left else None


def _judged(found: Sequence[Record], area: str) -> tuple[float, float] | None:
    """Area and time at the longest length; None of a design that has none or is excluded."""
    usable = [item for item in found if "time_ms" in item and not item["excluded_by"]]
    if not usable:
        return None
    longest = max(usable, key=lambda item: (item["bits"], -item["time_ms"]))
    key = front.objectives(area, [])[0]
    return float(longest[key]), float(longest["time_ms"])
