# SPDX-License-Identifier: Apache-2.0
"""The table of long forms: each pattern finds tests, and leaves some of its file to `make test`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import long_forms

ROOT = Path(__file__).resolve().parents[2]


def collected(files: Iterable[str], *options: str) -> set[str]:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:xdist"]
    done = subprocess.run([*command, *options, *files], cwd=ROOT, capture_output=True, text=True)
    return {line for line in done.stdout.splitlines() if "::" in line}


def test_every_pattern_finds_some() -> None:
    known = long_forms.patterns()
    tests = collected(known)
    for file, patterns in known.items():
        names = {test.partition("::")[2] for test in tests if test.startswith(f"{file}::")}
        for pattern in patterns:
            found = {name for name in names if pattern.fullmatch(name)}
            assert found, f"{file}: {pattern.pattern}"
            assert found < names, f"{file}: nothing is left of it"


def test_the_two_parts_are_the_whole() -> None:
    files = ["tests/lib/test_c.py"]
    without, only = (collected(files, f"--long={how}") for how in ("without", "only"))
    assert without
    assert only
    assert not without & only
    assert without | only == collected(files)
    assert any("[gcc-rsa_test]" in test for test in without)
    assert any("[clang-sanitize-rsa_test]" in test for test in only)
