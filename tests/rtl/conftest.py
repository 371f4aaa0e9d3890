"""Builds the models of the chosen benches in the background, while earlier ones already run."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

import harness

_futures: dict[object, Future[Path]] = {}
_pool = ThreadPoolExecutor(max_workers=max(1, min(4, os.cpu_count() or 1)))


def pytest_collection_finish(session: pytest.Session) -> None:
    if session.config.option.collectonly:
        return
    for item in session.items:
        bench = getattr(getattr(item, "callspec", None), "params", {}).get("bench")
        if isinstance(bench, harness.Bench) and bench.model not in _futures:
            _futures[bench.model] = _pool.submit(harness.build, bench)


def pytest_sessionfinish() -> None:
    _pool.shutdown(wait=True, cancel_futures=True)


@pytest.fixture
def model() -> Callable[[harness.Bench], Path]:
    """The folder of a bench's model, as soon as it is built."""
    return lambda bench: _futures[bench.model].result()
