#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every source file names its licence within its first lines. Exit status 1: some do not.

`--add` writes the line into those that lack it. A generated file gets its line from its generator.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINE = "SPDX-License-Identifier: Apache-2.0"
SUFFIXES = {
    ".S": "#", ".c": "/*", ".cpp": "//", ".h": "/*", ".ld": "/*", ".py": "#", ".rdl": "//",
    ".sv": "//", ".tcl": "#", ".toml": "#", ".vlt": "//", ".xdc": "#",
}  # fmt: skip
HEAD_BYTES = 8000  # the first comment of a file may be long


def sources() -> list[Path]:
    """The files that git has, and those that it would have."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    paths = (ROOT / name for name in done.stdout.splitlines())
    return sorted(path for path in paths if path.suffix in SUFFIXES and path.is_file())


def without() -> list[Path]:
    return [path for path in sources() if LINE.encode() not in path.read_bytes()[:HEAD_BYTES]]


def add(path: Path) -> None:
    """Before everything but the line that says which program runs the file."""
    text, mark = path.read_text(encoding="utf-8"), SUFFIXES[path.suffix]
    first, rest = "", text
    if text.startswith("#!"):
        first, _, rest = text.partition("\n")
        first += "\n"
    line = f"{mark} {LINE}" + (" */" if mark == "/*" else "")
    path.write_text(f"{first}{line}\n{rest}", encoding="utf-8")


def main() -> int:
    found = without()
    if sys.argv[1:] == ["--add"]:
        for path in found:
            add(path)
        return 0
    for path in found:
        print(f"{path.relative_to(ROOT)}: no line {LINE}")
    print(f"licence: {len(found)} of {len(sources())} source files do not name theirs")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
