"""Records for the page: of the commands' own functions, with stand-ins for what takes long."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import io
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import synthesis_stand_in
from monpro import (
    activity,
    bench,
    bench_designs,
    bench_reference,
    bench_reference_area,
    bench_reference_products,
    bench_reference_r2_lanes,
    bench_reference_r4,
    bench_reference_soc,
    clocks,
    dataflow,
    designs,
    explore,
    explore_pool,
    explore_space,
    power_sets,
    records,
    synth_targets,
    verdict,
)
from monpro.bench_reference_r1 import Numbers
from monpro.explore_run import Clock
from monpro.synth_targets import Counts
from test_bench_reference_products import as_the_formula_has_it
from test_bench_reference_r2_lanes import FakeModel, fake_host
from test_bench_reference_r5 import MadeUp

COUNTS = Counts(lut=6000, ff=9000, dsp=17, bram=2.5, carry=700)
MISSING = ("schemes", "engines")  # sections that get no records here


def _reference(name: str, folder: Path) -> None:
    assert bench_reference.run(name, 1, folder / "bench" / f"{name}.json", quick=True, as_json=True)


def _references(folder: Path, patch: pytest.MonkeyPatch) -> None:
    numbers = Numbers(Path("key.pem"), None, 0, 0)  # type: ignore[arg-type]

    def make(_: Path, bits: int) -> Numbers:
        return dataclasses.replace(numbers, n=(1 << bits) - 1, d=int("a5" * (bits // 8), 16))

    @contextlib.contextmanager
    def kernel(lanes: int) -> Iterator[FakeModel]:
        yield FakeModel(lanes, lambda form, blocks: 0)

    patch.setattr(clocks, "placed", lambda design: None)
    patch.setattr(bench_reference_area, "kept", lambda design: COUNTS)
    patch.setattr(activity, "kept", lambda *_: None)
    patch.setattr(Numbers, "make", make)
    patch.setattr(bench_reference_products, "simulate", as_the_formula_has_it)
    patch.setattr(bench_reference_products, "_say", lambda *_: None)
    patch.setattr(bench_reference_soc, "measure", lambda reference, seed: [])
    patch.setattr(bench_reference_r2_lanes, "kernel", kernel)
    patch.setattr(dataflow, "host", fake_host)
    patch.setattr(
        bench_reference_r4, "simulate",
        lambda todo, seed: [bench_reference_r4.Run(item, item.cost().cycles) for item in todo],
    )  # fmt: skip
    patch.setattr(bench_reference_r4, "_say", lambda *_: None)
    for name in ("R1", "R3", "R4"):
        _reference(name, folder)
    # Table 1 is left out: it is timed, and takes seconds.
    found = bench_reference_r2_lanes.measure(1, quick=True, tables=(2, 3))
    patch.setattr(bench_reference, "REFERENCES", {**bench_reference.REFERENCES, "R2":
                  dataclasses.replace(bench_reference.REFERENCES["R2"],
                                      measure=lambda *_: found)})  # fmt: skip
    _reference("R2", folder)
    said = verdict.run(power_sets.get(power_sets.DEFAULT), verdict.RATE, quick=True)
    (folder / "verdict.json").write_text(records.to_json(said))
    MadeUp(patch)
    _reference("R5", folder)


def _explored(folder: Path, patch: pytest.MonkeyPatch) -> None:
    synthesis_stand_in.use(patch, folder / "cache")
    space = explore_space.Space(
        explore_space.expand_all(["small,elements=1/2/4/9", "tiny"]),
        (synth_targets.get("ecp5-25"),), (1024, 2048),
        schemes=explore_space.schemes(["best"], "modexp"), scheme_best=True,
    )  # fmt: skip
    with explore_pool.local(1) as workers:
        explore.explore(
            explore.Asked(space, Clock(), ()), workers, folder / "explore" / "records.json"
        )


def _simulated(folder: Path) -> None:
    assert bench.run([1024], "sim:small", 1, folder / "bench" / "records.json", as_json=True)
    out = folder / "bench" / "designs.json"
    small = designs.get("small")
    assert bench_designs.run([small], [1024], 1, out, quick=True, full=False, as_json=True)


@functools.cache
def _kept() -> tempfile.TemporaryDirectory[str]:
    """Lives as long as this process."""
    kept = tempfile.TemporaryDirectory(prefix="monpro-page-")
    folder = Path(kept.name)
    with contextlib.redirect_stdout(io.StringIO()):
        with pytest.MonkeyPatch.context() as patch:
            _references(folder, patch)
        with pytest.MonkeyPatch.context() as patch:
            _explored(folder, patch)
        _simulated(folder)
    return kept


def made() -> Path:
    """A folder with records, the same in every test; only to be read."""
    return Path(_kept().name)
