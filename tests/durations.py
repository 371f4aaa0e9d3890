# SPDX-License-Identifier: Apache-2.0
"""What each test takes: measured in every run, recorded by `make durations`, used for the order.

The unit is the processor second: of the test, of its fixtures, and of every process that they
start. Time on the clock of a busy machine says little. A fixture or a model that several tests
share counts for the first of them.

`tests/durations.json` has the tests that take at least LEAST_SECONDS. A test that is not in it is
short or new.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Generator
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
RECORDED = HERE / "durations.json"
_MEASURED = HERE.parent / "build" / "test"
LEAST_SECONDS = 0.5
DEFAULT_SECONDS = 0.2
_PROPERTY = "processor_s"
_TICKS = os.sysconf("SC_CLK_TCK")


def measured_file(long: str) -> Path:
    """Of the last run with this choice of long forms: see long_forms.py."""
    return _MEASURED / f"durations-{long}.json"


def recorded() -> dict[str, float]:
    """The seconds of the tests that were measured, by their names."""
    if not RECORDED.exists():
        return {}
    found: dict[str, float] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return found


def processor_seconds() -> float:
    """Processor seconds of this process and of those that it waited for.

    Where there is /proc, those of living children count too.
    """
    times = os.times()
    total = times.user + times.system + times.children_user + times.children_system
    alive = _children(os.getpid())
    while alive:
        child = alive.pop()
        try:
            fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        total += sum(map(int, fields[11:15])) / _TICKS
        alive += _children(child)
    return total


def _children(process: int) -> list[int]:
    try:
        threads = [*Path(f"/proc/{process}/task").iterdir()]
        return [int(one) for path in threads for one in (path / "children").read_text().split()]
    except OSError:
        return []


class Durations:
    """The plugin. target: where the durations of this run are written, if anywhere.

    most_seconds, until: of `make check`. Only tests that take so long begin, and none begins after
    that moment, by time.monotonic().
    """

    def __init__(self, target: Path | None, most_seconds: float | None, until: float | None):
        self.target, self.most_seconds, self.until = target, most_seconds, until
        self.known = recorded()
        self.measured: dict[str, float] = {}
        self.begin = 0.0

    def seconds(self, item: pytest.Item) -> float:
        return self.known.get(item.nodeid, DEFAULT_SECONDS)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Long tests begin first where several processes share them; short ones in a check."""
        if self.most_seconds is not None:
            by_time = sorted(items, key=self.seconds)
            quick = [item for item in by_time if self.seconds(item) <= self.most_seconds]
            config.hook.pytest_deselected(items=by_time[len(quick) :])
            items[:] = quick
        elif hasattr(config, "workerinput"):  # one of pytest-xdist's processes
            items.sort(key=self.seconds, reverse=True)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if self.until is not None and time.monotonic() > self.until:
            pytest.skip("the check's time is over")
        self.begin = processor_seconds()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if call.when == "teardown":
            # A process that has ended and was not waited for is in the first sum alone.
            seconds = max(0.0, round(processor_seconds() - self.begin, 2))
            report.user_properties.append((_PROPERTY, seconds))
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Runs in the process that gathers all reports."""
        if report.when == "teardown":
            self.measured[report.nodeid] = float(str(dict(report.user_properties)[_PROPERTY]))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.target is not None and not hasattr(session.config, "workerinput"):
            self.target.write_text(json.dumps(self.measured, indent=0) + "\n", encoding="utf-8")


def by_room(measured: dict[str, float]) -> dict[str, float]:
    """Seconds of each folder of the tests, the longest first."""
    found: dict[str, float] = {}
    for name, seconds in measured.items():
        room = Path(name.partition("::")[0]).parent.relative_to("tests")
        found[str(room)] = found.get(str(room), 0.0) + seconds
    return dict(sorted(found.items(), key=lambda pair: -pair[1]))


def record() -> None:
    """Makes the durations of the last runs of both parts the recorded ones."""
    measured: dict[str, float] = {}
    for part, command in (("without", "make test"), ("only", "make test-long")):
        file = measured_file(part)
        if not file.exists():
            sys.exit(f"{file}: not there; `{command}` writes it")
        measured |= json.loads(file.read_text(encoding="utf-8"))
    long = {
        name: round(seconds, 1)
        for name, seconds in sorted(measured.items())
        if seconds >= LEAST_SECONDS
    }
    RECORDED.write_text(json.dumps(long, indent=0) + "\n", encoding="utf-8")
    print(f"{RECORDED}: {len(long)} of {len(measured)} tests")


if __name__ == "__main__":
    record()
