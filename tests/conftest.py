"""For all tests: which Monpro they test, what begins first, and what is compiled once."""

from __future__ import annotations

import importlib.util
import os
import shlex
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
OBJECTS = HERE.parent / "build" / "test" / "objects"
SLOW_SECONDS = 10.0  # of a test that is marked as slow and does not say how slow

# Verilator's makefiles put this before the compiler. Its runtime, the same in all models, takes
# most of the time that a small model's build takes.
_COMPILE_ONCE = (sys.executable, str(HERE / "compile_once.py"), str(OBJECTS))
os.environ["OBJCACHE"] = shlex.join(_COMPILE_ONCE)


def pytest_report_header() -> list[str]:
    spec = importlib.util.find_spec("monpro")
    if spec is None or spec.origin is None:
        return ["monpro: not installed"]
    return [f"monpro: {Path(spec.origin).parent}"]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Where tests are shared out among processes, no long one may be left for the end."""

    def seconds(item: pytest.Item) -> float:
        marker = item.get_closest_marker("slow")
        return max(marker.args, default=SLOW_SECONDS) if marker else 0.0

    if hasattr(config, "workerinput"):  # one of pytest-xdist's processes
        items.sort(key=seconds, reverse=True)
