# SPDX-License-Identifier: Apache-2.0
"""Commands answer at once: what none of them imports before it has something to do, and how much
each imports. Modules are counted; the time that they take is the machine's."""

from __future__ import annotations

import subprocess
import sys

import pytest

from monpro.cli import families

# Each takes longer to import than most commands run.
HEAVY = {
    "cryptography", "distributed", "importlib.metadata", "jinja2", "matplotlib", "numpy", "optuna",
    "plotly", "pydantic", "scipy",
}  # fmt: skip
MOST_MODULES = 340  # of Python's own and of ours
NAMES = """
import sys
from monpro.cli import program
sys.argv[1:] = {arguments!r}
try:
    program.main()
except SystemExit as end:
    status = end.code
print(*sys.modules, file=sys.stderr)
sys.exit(status)
"""


def imported(*arguments: str) -> set[str]:
    script = NAMES.format(arguments=list(arguments))
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.splitlines()[-1].split())


@pytest.mark.parametrize("command", families.commands())
def test_help_imports_little(command: str) -> None:
    found = imported(command, "--help")
    assert not HEAVY & found
    assert len(found) <= MOST_MODULES


@pytest.mark.parametrize("arguments", [("--help",), ("--version",), ("designs",)])
def test_an_answer_imports_little(arguments: tuple[str, ...]) -> None:
    found = imported(*arguments)
    assert not HEAVY & found
    assert len(found) <= MOST_MODULES


def test_an_interrupt_at_the_start_is_one_line() -> None:
    """While the command line is imported, which is the first tenth of a second."""
    script = """
import builtins, signal, sys
normal = builtins.__import__
def interrupted(name, *rest):
    if name == "typer":
        signal.raise_signal(signal.SIGINT)
    return normal(name, *rest)
builtins.__import__ = interrupted
signal.signal(signal.SIGINT, signal.default_int_handler)
from monpro.__main__ import main
main()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 130
    assert done.stderr == "monpro: error: interrupted\n"
    assert done.stdout == ""
