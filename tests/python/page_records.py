# SPDX-License-Identifier: Apache-2.0
"""Records for the page, from the commands' own functions, with stand-ins for what takes long."""

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
from monpro import records
from monpro.bench import designs as bench_designs
from monpro.bench import rsa as main_job
from monpro.explore import exploration, pool
from monpro.explore import space as explore_space
from monpro.explore.run import Clock
from monpro.hardware import designs
from monpro.papers import products as papers_products
from monpro.papers import registry
from monpro.papers.ledgard2023 import measure as ledgard2023
from monpro.papers.maxeler import lanes as maxeler_lanes
from monpro.papers.maxeler import measure as maxeler
from monpro.papers.pai2025 import softcore as pai2025_softcore
from monpro.papers.pai2025.measure import Numbers
from monpro.papers.sharif import softcore as sharif_softcore
from monpro.power import activity, coefficients, verdict
from monpro.power import sets as power_sets
from monpro.study import dataflow
from monpro.synth import area, clocks, targets
from monpro.synth.targets import Counts
from paper_stand_ins import Emulated, FakeModel, as_the_formula_has_it, fake_host

COUNTS = Counts(lut=6000, ff=9000, dsp=17, bram=2.5, carry=700)
MISSING = ("schemes", "engines")  # sections that get no records here


def _paper(name: str, folder: Path) -> None:
    assert registry.run([name], 1, folder / "papers" / f"{name}.json", quick=True, as_json=True)


def _papers(folder: Path, patch: pytest.MonkeyPatch) -> None:
    numbers = Numbers(Path("key.pem"), None, 0, 0)  # type: ignore[arg-type]

    def make(_: Path, bits: int) -> Numbers:
        return dataclasses.replace(numbers, n=(1 << bits) - 1, d=int("a5" * (bits // 8), 16))

    @contextlib.contextmanager
    def kernel(lanes: int) -> Iterator[FakeModel]:
        yield FakeModel(lanes, lambda form, blocks: 0)

    patch.setattr(clocks, "placed", lambda design: None)
    patch.setattr(area, "kept", lambda design: COUNTS)
    patch.setattr(activity, "kept", lambda *_: None)
    patch.setattr(Numbers, "make", make)
    patch.setattr(papers_products, "simulate", as_the_formula_has_it)
    patch.setattr(papers_products, "_say", lambda *_: None)
    for each in (pai2025_softcore, sharif_softcore):
        patch.setattr(each, "measure", lambda seed: [])
    patch.setattr(maxeler_lanes, "kernel", kernel)
    patch.setattr(dataflow, "host", fake_host)
    patch.setattr(
        ledgard2023, "simulate",
        lambda todo, seed: [ledgard2023.Run(item, item.cost().cycles) for item in todo],
    )  # fmt: skip
    patch.setattr(ledgard2023, "_say", lambda *_: None)
    for name in ("pai2025", "sharif", "ledgard2023"):
        _paper(name, folder)
    # Table 1 is left out: it is timed, and takes seconds.
    found = maxeler_lanes.measure(1, quick=True, tables=(2, 3))
    patch.setattr(maxeler, "measure", lambda *_: found)
    _paper("maxeler", folder)
    said = verdict.run(coefficients.get(power_sets.DEFAULT), verdict.RATE, quick=True)
    (folder / "verdict.json").write_text(records.to_json(said))
    Emulated(patch)
    _paper("bishop2021", folder)


def _explored(folder: Path, patch: pytest.MonkeyPatch) -> None:
    synthesis_stand_in.use(patch, folder / "cache")
    space = explore_space.Space(
        explore_space.expand_all(["small,elements=1/2/4/9", "tiny"]),
        (targets.get("ecp5-25"),), (1024, 2048),
        schemes=explore_space.schemes(["best"], "modexp"), scheme_best=True,
    )  # fmt: skip
    with pool.local(1) as workers:
        exploration.explore(
            exploration.Asked(space, Clock(), ()), workers, folder / "explore" / "records.json"
        )


def _simulated(folder: Path) -> None:
    assert main_job.run([1024], "sim:small", 1, folder / "bench" / "records.json", as_json=True)
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
            _papers(folder, patch)
        with pytest.MonkeyPatch.context() as patch:
            _explored(folder, patch)
        _simulated(folder)
    return kept


def made() -> Path:
    """A folder with records, the same in every test; only to be read."""
    return Path(_kept().name)
