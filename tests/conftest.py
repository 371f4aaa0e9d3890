# SPDX-License-Identifier: Apache-2.0
"""For all tests: which Monpro they test, their rooms and durations, and what is compiled once."""

from __future__ import annotations

import importlib.util
import os
import shlex
import sys
import time
from pathlib import Path

import pytest
from durations import Durations
from long_forms import CHOICES, LongForms
from rooms import Rooms

HERE = Path(__file__).resolve().parent
OBJECTS = HERE.parent / "build" / "test" / "objects"

# Verilator's makefiles put this before the compiler. Its runtime, the same in all models, takes
# most of the time that a small model's build takes.
_COMPILE_ONCE = (sys.executable, str(HERE / "compile_once.py"), str(OBJECTS))
os.environ["OBJCACHE"] = shlex.join(_COMPILE_ONCE)


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("monpro")
    group.addoption("--room", action="append", default=[], help="only tests of this room")
    group.addoption("--long", choices=CHOICES, default="all", help="see tests/long.toml")
    group.addoption("--record", type=Path, metavar="FILE", help="write the tests' durations")
    group.addoption("--most-seconds", type=float, help="only tests that take so long")
    group.addoption("--for-seconds", type=float, help="begin no test after so long")


def pytest_configure(config: pytest.Config) -> None:
    if wanted := config.getoption("--room"):
        config.pluginmanager.register(Rooms(wanted), "monpro-rooms")
    if (long := config.getoption("--long")) != "all":
        config.pluginmanager.register(LongForms(keep=long == "only"), "monpro-long-forms")
    limit = config.getoption("--for-seconds")
    until = None if limit is None else time.monotonic() + limit
    plugin = Durations(config.getoption("--record"), config.getoption("--most-seconds"), until)
    config.pluginmanager.register(plugin, "monpro-durations")


def pytest_report_header() -> list[str]:
    spec = importlib.util.find_spec("monpro")
    if spec is None or spec.origin is None:
        return ["monpro: not installed"]
    return [f"monpro: {Path(spec.origin).parent}"]
