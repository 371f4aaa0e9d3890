#!/usr/bin/env python3
"""Everything that `make test` does: the static checks, all tests, and one line with the total.

The tests of the RTL and those of the software run side by side, each in its own pytest. Exit
status 1 if anything failed, or if a suite ended without saying how.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

from lint import ROOT, Tally, lint

RESULTS = ROOT / "build" / "test"


def suites() -> dict[str, list[str]]:
    """Every folder under tests/ that holds tests: the RTL's, and all others."""
    folders = {path.parent.relative_to(ROOT) for path in (ROOT / "tests").rglob("test_*.py")}
    hardware = {folder for folder in folders if folder.is_relative_to("tests/rtl")}
    return {
        "rtl": sorted(map(str, hardware)),
        "software": sorted(map(str, folders - hardware)),
    }


def run_suite(name: str, folders: list[str], tallies: dict[str, Tally]) -> None:
    """Runs one pytest, showing its lines as they come, and adds its result to `tallies`."""
    report = RESULTS / f"{name}.xml"
    report.unlink(missing_ok=True)
    command = [sys.executable, "-m", "pytest", "-v", "--tb=short", f"--junitxml={report}"]
    with subprocess.Popen(
        [*command, *folders], cwd=ROOT, text=True, errors="replace", bufsize=1,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    ) as process:  # fmt: skip
        for line in process.stdout or ():
            print(f"{name:8} | {line}", end="", flush=True)
    tally = read_report(report) if report.exists() else Tally()
    if process.returncode != 0 and tally.failed == 0:
        # Nothing collected, an error of pytest itself, or a crash: never a pass.
        tally.failed = 1
        print(f"{name:8} | pytest exited {process.returncode} without a failed test", flush=True)
    tallies[name] = tally


def read_report(report: Path) -> Tally:
    tally = Tally()
    for case in ElementTree.parse(report).iter("testcase"):  # noqa: S314 (our own file)
        skip = case.find("skipped")
        if case.find("failure") is not None or case.find("error") is not None:
            tally.failed += 1
        elif skip is not None:
            tally.skipped += 1
            tally.reasons.append(str(skip.get("message")))
        else:
            tally.passed += 1
    return tally


def main() -> int:
    start = time.monotonic()
    RESULTS.mkdir(parents=True, exist_ok=True)
    print("static checks", flush=True)
    tallies = {"lint": lint()}
    found = suites()
    print(f"tests: {' and '.join(found)}, side by side", flush=True)
    threads = [
        threading.Thread(target=run_suite, args=(name, folders, tallies))
        for name, folders in found.items()
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    total = Tally()
    for name in ("lint", *found):
        tally = tallies.get(name, Tally(failed=1))
        print(f"{name:8}  {tally}")
        total.passed += tally.passed
        total.failed += tally.failed
        total.skipped += tally.skipped
        for reason, count in Counter(tally.reasons).items():
            print(f"          skipped {count}: {reason}")
    minutes, seconds = divmod(round(time.monotonic() - start), 60)
    print(f"total in {minutes} min {seconds:02} s")
    print(total)
    return 1 if total.failed else 0


if __name__ == "__main__":
    sys.exit(main())
