"""What every run of the tests says first: which Monpro it tests."""

from __future__ import annotations

import importlib.util
from pathlib import Path


def pytest_report_header() -> list[str]:
    spec = importlib.util.find_spec("monpro")
    if spec is None or spec.origin is None:
        return ["monpro: not installed"]
    return [f"monpro: {Path(spec.origin).parent}"]
