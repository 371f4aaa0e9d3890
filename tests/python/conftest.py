# SPDX-License-Identifier: Apache-2.0
"""Engines, keys that OpenSSL made, and the command line, for the tests of the package."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from command_line import CommandLine
from monpro import Engine
from monpro.measure import openssl

Monpro = Callable[..., subprocess.CompletedProcess[bytes]]
CHECKOUT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def soft() -> Iterator[Engine]:
    with Engine("soft") as engine:
        yield engine


@pytest.fixture(scope="session")
def study() -> Iterator[Engine]:
    """The small design for study, simulated: fast enough for many cases."""
    with Engine("sim:study") as engine:
        yield engine


@pytest.fixture(scope="session")
def small() -> Iterator[Engine]:
    with Engine("sim:small") as engine:
        yield engine


@pytest.fixture(scope="session")
def parties(tmp_path_factory: pytest.TempPathFactory) -> Callable[[int], openssl.Party]:
    """OpenSSL's key of a size, made once."""
    made: dict[int, openssl.Party] = {}

    def party(bits: int) -> openssl.Party:
        if bits not in made:
            made[bits] = openssl.Party(tmp_path_factory.mktemp(f"rsa{bits}"), bits)
        return made[bits]

    return party


@pytest.fixture(scope="session")
def party(parties: Callable[[int], openssl.Party]) -> openssl.Party:
    return parties(1024)


@pytest.fixture(scope="session")
def command_line() -> Iterator[CommandLine]:
    with CommandLine() as started:
        yield started


@pytest.fixture
def monpro(command_line: CommandLine, tmp_path: Path) -> Monpro:
    """Runs the command line in an empty folder, as a user does: a process of its own."""

    def run(*arguments: str | Path, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return command_line.run([*map(str, arguments)], cwd=tmp_path, data=data)

    return run
