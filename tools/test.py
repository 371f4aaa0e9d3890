#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Everything that `make test` does: the static checks, all tests, and one line with the total.

With `--room ROOM` it runs the tests of one room alone. The tests run in one pytest, with a process
for each processor. Those that are known to be long begin first. Exit status: 1 if anything failed,
or if pytest ended without saying how; 2 if there is no such room.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

from lint import ROOT, Tally, lint

sys.path.insert(0, str(ROOT / "tests"))

import durations
import rooms

REPORT = ROOT / "build" / "test" / "tests.xml"
PYTEST = [
    sys.executable, "-m", "pytest", f"--numprocesses={os.cpu_count() or 1}", "--maxschedchunk=1",
]  # fmt: skip
SUITES = ("rtl", "software")


def suite(test: str) -> str:
    """The suite of a test, by its file or its module."""
    return "rtl" if re.match(r"tests[/.]rtl[/.]", test) else "software"


def run_tests() -> dict[str, Tally]:
    """Runs pytest, showing its lines as they come, each with the suite of the test it names."""
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    REPORT.unlink(missing_ok=True)
    durations.MEASURED.unlink(missing_ok=True)
    output = [f"--junitxml={REPORT}", f"--record={durations.MEASURED}"]
    command = [*PYTEST, "-v", "--tb=short", *output, "tests"]
    with subprocess.Popen(
        command, cwd=ROOT, text=True, errors="replace", bufsize=1,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    ) as process:  # fmt: skip
        for line in process.stdout or ():
            test = re.search(r"tests/\S+::", line)
            print(f"{suite(test[0]) if test else 'pytest':8} | {line}", end="", flush=True)
    tallies = read_report(REPORT) if REPORT.exists() else {name: Tally() for name in SUITES}
    if process.returncode != 0 and not any(tally.failed for tally in tallies.values()):
        # Nothing collected, an error of pytest itself, or a crash: never a pass.
        tallies["pytest"] = Tally(failed=1)
        print(f"pytest   | exited {process.returncode} without a failed test", flush=True)
    for name in SUITES:
        tally = tallies[name]
        if not tally.passed + tally.failed:
            tally.failed = 1
            print(f"{name:8} | no test of it was run", flush=True)
    return tallies


def read_report(report: Path) -> dict[str, Tally]:
    tallies = {name: Tally() for name in SUITES}
    for case in ElementTree.parse(report).iter("testcase"):  # noqa: S314 (our own file)
        tally = tallies[suite(case.get("classname") or case.get("name") or "")]
        skip = case.find("skipped")
        if case.find("failure") is not None or case.find("error") is not None:
            tally.failed += 1
        elif skip is not None:
            tally.skipped += 1
            tally.reasons.append(str(skip.get("message")))
        else:
            tally.passed += 1
    return tallies


def run_room(name: str) -> int:
    """Runs the tests of a room, as pytest shows them."""
    room = rooms.name_of(name)
    if room not in rooms.rooms():
        known = "\n".join(f"  {one}" for one in rooms.rooms())
        print(f"there is no room {name}; those with tests are\n{known}", file=sys.stderr)
        return 2
    command = [*PYTEST, "--room", room, *rooms.files(room)]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def print_where_the_time_went() -> None:
    if durations.MEASURED.exists():
        measured = json.loads(durations.MEASURED.read_text(encoding="utf-8"))
        by_room = durations.by_room(measured)
        print(f"processor time: {sum(by_room.values()):.0f} s")
        for room, seconds in by_room.items():
            print(f"          {seconds:6.0f} s  {room}")


def main() -> int:
    parser = argparse.ArgumentParser(description="All tests, or those of one room.")
    parser.add_argument("--room", help="a folder of the product, such as lib/device")
    room = parser.parse_args().room
    return run_everything() if room is None else run_room(room)


def run_everything() -> int:
    start = time.monotonic()
    print("static checks", flush=True)
    tallies = {"lint": lint()}
    print(f"tests: {' and '.join(SUITES)}, on {os.cpu_count()} processors", flush=True)
    tallies |= run_tests()

    total = Tally()
    for name, tally in tallies.items():
        print(f"{name:8}  {tally}")
        total.passed += tally.passed
        total.failed += tally.failed
        total.skipped += tally.skipped
        for reason, count in Counter(tally.reasons).items():
            print(f"          skipped {count}: {reason}")
    print_where_the_time_went()
    minutes, seconds = divmod(round(time.monotonic() - start), 60)
    print(f"total in {minutes} min {seconds:02} s")
    print(total)
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main())
