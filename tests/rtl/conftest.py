"""Builds and runs the chosen benches in the background, on all cores; tests take the outcome."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

import harness

_models: dict[object, Future[Path]] = {}
_runs: dict[harness.Bench, Future[None]] = {}
_pool = ThreadPoolExecutor(max_workers=os.cpu_count())


@pytest.fixture(scope="session", autouse=True)
def _start(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Queues a build for each model, and behind it the runs of the benches that use it."""

    def run(bench: harness.Bench, work: Path) -> None:
        harness.run(bench, _models[bench.model].result(), work)

    for item in request.session.items:
        bench = getattr(getattr(item, "callspec", None), "params", {}).get("bench")
        if isinstance(bench, harness.Bench):
            if bench.model not in _models:
                _models[bench.model] = _pool.submit(harness.build, bench)
            _runs[bench] = _pool.submit(run, bench, tmp_path_factory.mktemp(bench.module))


def pytest_sessionfinish() -> None:
    _pool.shutdown(wait=True, cancel_futures=True)


@pytest.fixture
def outcome() -> Callable[[harness.Bench], None]:
    """Waits for a bench's run; raises what it raised."""
    return lambda bench: _runs[bench].result()
