"""Engines, keys that OpenSSL made, and the command line, for the tests of the package."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from monpro import Engine, openssl

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


@pytest.fixture
def monpro(tmp_path: Path) -> Monpro:
    """Runs the command line in an empty folder, as a user does: a process of its own."""

    def run(*arguments: str | Path, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "monpro", *map(str, arguments)]
        return subprocess.run(command, input=data, capture_output=True, cwd=tmp_path, check=False)

    return run
