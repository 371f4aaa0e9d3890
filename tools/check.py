#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `make check` does, in at most a minute: lint, and the quick tests of what has changed.

What has changed is what differs from where this branch left `main`, and every new file. The rooms
of these files are tested. Only tests whose recorded duration is short are run, the shortest first,
until the time is over. Lint repeats only the checks whose files have changed since they last
passed.
"""

from __future__ import annotations

import subprocess
import sys
import time

from lint import ROOT, lint
from test import PYTEST

sys.path.insert(0, str(ROOT / "tests"))

import rooms

MINUTE_SECONDS = 60.0
END_SECONDS = 12.0  # of the minute: what pytest needs to begin, and the last test to end
MOST_SECONDS = 2.0  # of a test


def git(*arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=ROOT, text=True, capture_output=True)
    return done.stdout.splitlines() if done.returncode == 0 else []


def changed_files() -> list[str]:
    base = git("merge-base", "HEAD", "main") or git("merge-base", "HEAD", "origin/main") or ["HEAD"]
    new = git("ls-files", "--others", "--exclude-standard")
    return sorted({*git("diff", "--name-only", base[0]), *new})


def test_rooms(found: list[str], seconds: float) -> bool:
    """Whether the quick tests of these rooms pass."""
    files = sorted({file for room in found for file in rooms.files(room)})
    options = [f"--most-seconds={MOST_SECONDS}", f"--for-seconds={seconds:.0f}", "-q"]
    command = [*PYTEST, *options, *(f"--room={room}" for room in found), *files]
    status = subprocess.run(command, cwd=ROOT, check=False).returncode
    return status in (0, 5)  # 5: none of them is quick


def main() -> int:
    start = time.monotonic()
    tally = lint(cached=True)
    print(f"lint: {tally}", flush=True)
    known = rooms.rooms()
    by_file = {file: rooms.room_of_file(file, known) for file in changed_files()}
    found = sorted({room for room in by_file.values() if room})
    without = [file for file, room in by_file.items() if room is None]
    if without:
        print(f"no room, so no tests: {', '.join(without)}")
    print(f"rooms that changed: {', '.join(found) or 'none'}", flush=True)
    left = MINUTE_SECONDS - END_SECONDS - (time.monotonic() - start)
    passed = test_rooms(found, max(left, 0.0)) if found else True
    print(f"checked in {time.monotonic() - start:.0f} s; `make test` makes every check")
    return 0 if passed and not tally.failed else 1


if __name__ == "__main__":
    sys.exit(main())
