# SPDX-License-Identifier: Apache-2.0
"""Which file has which command, and that a command loads no room but its own."""

from __future__ import annotations

import subprocess
import sys

import pytest
import typer

from monpro.cli import families

ROOMS = ("bench", "explore", "papers", "power", "seal", "soc", "synth", "trace", "webpage")


def rooms_after(code: str) -> set[str]:
    """The rooms that a fresh interpreter has loaded after some lines."""
    lines = f"{code}\nimport sys; print(*(n for n in sys.modules if n.startswith('monpro.')))"
    done = subprocess.run(
        [sys.executable, "-c", lines], capture_output=True, text=True, check=True, timeout=60
    )
    names = done.stdout.splitlines()[-1].split()
    return {name.split(".")[1] for name in names} & set(ROOMS)


@pytest.mark.parametrize("family", families.FAMILIES)
def test_a_file_has_the_commands_that_are_listed(family: str) -> None:
    loaded = [families.load(name) for name in families.FAMILIES[family]]
    module = sys.modules[f"monpro.cli.{family}"]
    assert set(typer.main.get_group(module.app).commands) == set(families.FAMILIES[family])
    for name, command in zip(families.FAMILIES[family], loaded, strict=True):
        assert command.help.startswith(families.summary(name))
        assert families.summary(name).endswith(".")


def test_no_room_is_loaded_for_the_help() -> None:
    code = "from monpro.cli.program import app\ntry: app(['--help'])\nexcept SystemExit: pass"
    assert rooms_after(code) == set()


@pytest.mark.parametrize(
    ("command", "rooms"),
    [
        (["designs"], set()),
        (["modexp", "--engine", "soft", "2", "3", "35"], set()),
        (["sign", "--help"], set()),
        (["seal", "--help"], set()),
        (["synth", "--help"], {"synth"}),
    ],
)
def test_a_command_loads_its_own_room(command: list[str], rooms: set[str]) -> None:
    code = f"from monpro.cli.program import app\napp({command!r}, standalone_mode=False)"
    assert rooms_after(code) == rooms
