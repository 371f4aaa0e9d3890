# SPDX-License-Identifier: Apache-2.0
"""The commands, by the file of their family.

A file, and the rooms that it imports, are loaded only when one of its commands runs.
"""

from __future__ import annotations

import ast
import importlib
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

FAMILIES = {
    "rsa": ("sign", "verify", "encrypt", "decrypt", "keygen"),
    "seal": ("seal", "open"),
    "engine": ("modexp", "designs", "model", "doctor"),
    "bench": ("bench",),
    "papers": ("papers",),
    "synth": ("synth",),
    "power": ("power", "verdict"),
    "explore": ("explore",),
    "trace": ("trace",),
    "soc": ("soc",),
    "provider": ("provider",),
    "report": ("report",),
}
"""The files of this room, in the order of the help, and the commands that each has."""
_FILES = {command: family for family, commands in FAMILIES.items() for command in commands}


def commands() -> list[str]:
    """The names of all commands, in the order of the help."""
    return list(_FILES)


def load(name: str) -> Any:
    """The command itself: its file is imported."""
    module = importlib.import_module(f"monpro.cli.{_FILES[name]}")
    return typer.main.get_group(module.app).commands[name]


def summary(name: str) -> str:
    """The first sentence of a command's help, from its file's text: nothing is imported."""
    tree = ast.parse(Path(__file__).with_name(f"{_FILES[name]}.py").read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.rstrip("_") == name:
            return (ast.get_docstring(node) or "").partition("\n")[0]
    raise AssertionError(f"cli/{_FILES[name]}.py has no function {name}")


class Families(TyperGroup):
    """The program's commands. Each is loaded when it is to run."""

    def list_commands(self, ctx: Any) -> list[str]:
        return commands()

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """What the list of commands shows of one."""
        return TyperCommand(cmd_name, help=summary(cmd_name)) if cmd_name in _FILES else None

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, found, rest = super().resolve_command(ctx, args)
        return name, load(name) if found and name else found, rest
