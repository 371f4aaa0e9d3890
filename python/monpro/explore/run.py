# SPDX-License-Identifier: Apache-2.0
"""An exploration: does or recalls the steps that its points need, and makes their records."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from monpro import records
from monpro.errors import MonproError
from monpro.explore import front
from monpro.explore.front import Constraint
from monpro.explore.pool import Workers
from monpro.explore.progress import Going
from monpro.explore.space import Point
from monpro.explore.steps import Outcome, Step
from monpro.hardware.designs import Design
from monpro.power import estimate as power
from monpro.records import Record
from monpro.synth import run as synth
from monpro.synth import targets
from monpro.synth import tools as synth_tools
from monpro.synth.table import clock_figures
from monpro.synth.targets import Counts, Target

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock that the times use: placed with seeds 1 to `seeds`, or assumed."""

    seeds: int = 1
    assumed_mhz: float | None = None

    @property
    def obtained(self) -> str:
        return "placed" if self.assumed_mhz is None else "assumed"


@dataclass(slots=True)
class Explorer:
    """Finds out what points need; what is found out once is not asked again."""

    clock: Clock
    limits: tuple[Constraint, ...]
    workers: Workers
    say: Say
    results: dict[Step, Outcome | MonproError] = field(default_factory=dict)

    def run(self, points: Sequence[Point]) -> list[Record]:
        """A record for each point, in order. Only what may be among the best is placed: what fits
        and keeps to the constraints that are known by then."""
        tools = [synth_tools.YOSYS]
        if self.clock.obtained == "placed":
            if wrong := [point.target.name for point in points if not point.target.is_placed]:
                raise MonproError(
                    "MONPRO_ERR_ARGUMENT",
                    f"there is no place and route for {wrong[0]}: say --clock assumed --mhz N",
                )
            tools.append(synth_tools.NEXTPNR)
        synth_tools.require(tools)
        with Going(self.workers.count) as going:
            self._do(going, [self._count_step(point) for point in points])
            found = [self._record(point) for point in points]
            wanted = [
                point
                for point, item in zip(points, found, strict=True)
                if "failure" not in item and not front.broken(item, self.limits, early=True)
            ]
            if self.clock.obtained == "placed":
                self._do(going, [step for point in wanted for step in self._place_steps(point)])
        return [self._record(point) for point in points]

    # ---- steps

    def _count_step(self, point: Point) -> Step:
        """Counts are the same for each device of a family."""
        first = next(t for t in targets.load().values() if t.family == point.target.family)
        return Step(point.design, first)

    def _place_steps(self, point: Point) -> list[Step]:
        seeds = range(1, self.clock.seeds + 1)
        return [Step(point.design, point.target, seed) for seed in seeds]

    def _do(self, going: Going, steps: Sequence[Step]) -> None:
        """Those that are neither known nor in the cache, the longest first."""
        asked = [step for step in dict.fromkeys(steps) if step not in self.results]
        for step in asked:
            if kept := step.recalled():
                self.results[step] = kept
        todo = [step for step in asked if step not in self.results]
        todo.sort(key=lambda step: -step.expected_s)
        if not todo:
            return
        going.plan(todo)
        kind = "placements" if todo[0].seed else "syntheses"
        self.say(
            f"{len(todo)} {kind} to do, {len(asked) - len(todo)} kept from earlier runs; "
            f"{self.workers.count} at a time: {going.left}"
        )

        def done(step: Step, outcome: Outcome | MonproError) -> None:
            self.results[step] = outcome
            going.done(step, _told(step, outcome))

        try:
            self.workers.do(todo, done)
        except KeyboardInterrupt:
            finished = sum(step in self.results for step in todo)
            self.say(
                f"interrupted: {finished} of {len(todo)} {kind} are done and kept; the same "
                "command goes on from there"
            )
            raise

    # ---- records

    def _record(self, point: Point) -> Record:
        """What is known of a point by now."""
        design, target = point.design, point.target
        figures: Record = {
            "target": target.name,
            "device": target.device,
            "multiplier": design.multiplier,
            "elements": design.elements,
            "word_bits": design.word_bits,
            "max_bits": design.max_bits,
            "window": point.window,
            "batch": point.batch,
            "cycles": point.cycles,
            "cycles_obtained": "model",
            "multipliers": design.multipliers,
            "multiplier_cycles": design.multipliers * point.cycles,
            "crt": True if point.operation == "rsa_private" else None,
            "checked": True if point.operation == "rsa_private" else None,
            "made_by": self._made_by(design, target),
        }
        counted = self.results[self._count_step(point)]
        figures |= self._found(point, counted)
        failed = "failure" in figures
        figures["excluded_by"] = (
            [] if failed else front.broken(figures | {"bits": point.bits}, self.limits)
        )
        placed = self.clock.obtained == "placed" and "clock_mhz" in figures
        item = records.record(
            "explore",
            figures,
            design=design.name,
            operation=point.operation,
            bits=point.bits,
            scheme=point.scheme,
            exponent=point.exponent,
            key_state=point.key_state,
            ok=False if failed else None,
            obtained="placed" if placed else "synthesized",
        )
        used = [synth_tools.YOSYS, *([synth_tools.NEXTPNR] if placed else [])]
        versions = {tool.package: synth_tools.version(tool) for tool in used}
        return item | {"tool_versions": item["tool_versions"] | versions}

    def _made_by(self, design: Design, target: Target) -> str:
        seeds = f" --seeds {self.clock.seeds}" if self.clock.seeds > 1 else ""
        return f"monpro synth {design.name} --target {target.name}{seeds}"

    def _found(self, point: Point, counted: Outcome | MonproError) -> Record:
        """Area, clock, time and energy, as far as they are known; why not, where they cannot be."""
        if isinstance(counted, MonproError):
            return {"failure": _first_line(counted)}
        try:
            counts = targets.count(point.target.family, counted.cells)
        except MonproError as why:  # a cell that no table counts
            return {"failure": _first_line(why)}
        figures: Record = dataclasses.asdict(counts)
        if "lut_sites" not in targets.family(point.target.family).names:
            figures["lut_sites"] = counts.lut  # carries take no LUTs there
        if excess := targets.too_many(point.target, counts):
            return figures | {"failure": f"does not fit: {'; '.join(excess)}"}
        mhz = self.clock.assumed_mhz
        if mhz is not None:
            figures["clock_mhz"] = mhz
        else:
            placed = [self.results.get(step) for step in self._place_steps(point)]
            if failures := [one for one in placed if isinstance(one, MonproError)]:
                return figures | {"failure": _first_line(failures[0])}
            clocks = [one.clock_mhz for one in placed if isinstance(one, Outcome)]
            if not clocks:
                return figures
            figures |= clock_figures(clocks) | {"seeds": list(range(1, self.clock.seeds + 1))}
        figures["clock_obtained"] = self.clock.obtained
        figures["time_ms"] = point.cycles / figures["clock_mhz"] / 1e3
        return figures | _energy(point, counts, figures["clock_mhz"])


def _energy(point: Point, counts: Counts, clock_mhz: float) -> Record:
    """Estimated, by what is usual of the multiplier's kind; nothing where that is not known."""
    try:
        found = power.estimate(
            counts, point.design.multiplier, point.cycles, clock_mhz,
            family=point.target.family, device=point.target.device,
        )  # fmt: skip
    except MonproError:  # no operation of such a multiplier was simulated
        return {}
    return {key: value for key, value in found.record().items() if value is not None}


def _told(step: Step, outcome: Outcome | MonproError) -> str:
    """A line of progress."""
    if isinstance(outcome, MonproError):
        return f"{step.title}: FAILED: {_first_line(outcome)}"
    clock = f": {outcome.clock_mhz:.1f} MHz" if step.seed else ""
    took = synth.took(outcome.values["wall_s"], outcome.kept)
    return f"{step.title}{clock} ({took})"


def _first_line(why: MonproError) -> str:
    """What a tool said, in one line."""
    lines = [line.strip() for line in why.message.splitlines() if line.strip()]
    return " ".join(lines[:2])[:200]


def say(line: str) -> None:
    """Says a line on standard error, where everything goes that is no result."""
    print(f"monpro: {line}", file=sys.stderr, flush=True)
