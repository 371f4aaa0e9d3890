#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Everything that `make test` does: the static checks, the tests, and one line with the total.

With `--long` it runs what `make test` leaves out: the long forms of tests/long.toml, and no static
checks. With `--room ROOM` it runs the tests of one room alone, whatever their length. The tests run
in one pytest, with a process for each processor. Those that are known to take longest begin first.
Exit status: 1 if anything failed, or if pytest ended without saying how; 2 if the room is unknown.
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


def run_tests(long: str) -> dict[str, Tally]:
    """Runs pytest, with or without the long forms. Its lines are shown as they come, each with the
    suite of the test that it names."""
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    REPORT.unlink(missing_ok=True)
    measured = durations.measured_file(long)
    measured.unlink(missing_ok=True)
    output = [f"--junitxml={REPORT}", f"--record={measured}", f"--long={long}"]
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


def print_where_the_time_went(long: str) -> None:
    file = durations.measured_file(long)
    if file.exists():
        measured = json.loads(file.read_text(encoding="utf-8"))
        by_room = durations.by_room(measured)
        print(f"processor time: {sum(by_room.values()):.0f} s")
        for room, seconds in by_room.items():
            print(f"          {seconds:6.0f} s  {room}")


def main() -> int:
    parser = argparse.ArgumentParser(description="All tests, or those of one room.")
    parser.add_argument("--room", help="a folder of the product, such as lib/device")
    parser.add_argument("--long", action="store_true", help="the long forms, and nothing else")
    options = parser.parse_args()
    if options.room is not None:
        return run_room(options.room)
    return run_everything("only" if options.long else "without")


def run_everything(long: str) -> int:
    start = time.monotonic()
    tallies = {}
    if long == "without":
        print("static checks", flush=True)
        tallies["lint"] = lint()
    print(f"tests: {' and '.join(SUITES)}, on {os.cpu_count()} processors", flush=True)
    tallies |= run_tests(long)

    total = Tally()
    for name, tally in tallies.items():
        print(f"{name:8}  {tally}")
        total.passed += tally.passed
        total.failed += tally.failed
        total.skipped += tally.skipped
        for reason, count in Counter(tally.reasons).items():
            print(f"          skipped {count}: {reason}")
    print_where_the_time_went(long)
    if long == "without":
        print("the long forms of some tests: make test-long")
    minutes, seconds = divmod(round(time.monotonic() - start), 60)
    print(f"total in {minutes} min {seconds:02} s")
    print(total)
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main())
