# SPDX-License-Identifier: Apache-2.0
"""Programs that run with the provider, and the counters that say what it did for them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

MONPRO = (sys.executable, "-m", "monpro")
STOCK = os.environ | {"OPENSSL_CONF": "/dev/null"}
TIMEOUT_S = 60


def monpro(*arguments: str | Path) -> str:
    command = [*MONPRO, *map(str, arguments)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def stock(*arguments: str | Path, stdin: bytes = b"") -> bytes:
    """openssl without the provider."""
    command = ["openssl", *map(str, arguments)]
    done = subprocess.run(
        command, env=STOCK, input=stdin, capture_output=True, timeout=TIMEOUT_S, check=True
    )
    return done.stdout


@dataclass(slots=True)
class Provided:
    """A configuration of the provider, and a folder for the files of one test."""

    folder: Path
    file: Path
    counters: Path

    @property
    def environment(self) -> dict[str, str]:
        return os.environ | {"OPENSSL_CONF": str(self.file)}

    def run(self, *command: str | Path, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            list(map(str, command)), env=self.environment, cwd=self.folder, input=stdin,
            capture_output=True, timeout=TIMEOUT_S, check=False,
        )  # fmt: skip

    def openssl(self, *arguments: str | Path, stdin: bytes = b"") -> bytes:
        done = self.run("openssl", *arguments, stdin=stdin)
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    def stat(self) -> dict[str, int]:
        """The counters that are not zero."""
        found = json.loads(monpro("provider", "stat", self.counters, "--json"))
        return {one["counter"]: one["operations"] for one in found if one["operations"]}

    def since(self, before: dict[str, int]) -> dict[str, int]:
        """By how much each counter has grown."""
        now = self.stat()
        grown = {name: count - before.get(name, 0) for name, count in now.items()}
        return {name: count for name, count in grown.items() if count}

    def replace(self, old: str, new: str) -> None:
        """A line of the configuration."""
        text = self.file.read_text(encoding="utf-8")
        assert old in text
        self.file.write_text(text.replace(old, new), encoding="utf-8")


@pytest.fixture
def provided(tmp_path: Path) -> Callable[..., Provided]:
    def make(engine: str, *options: str) -> Provided:
        file, counters = tmp_path / "openssl.cnf", tmp_path / "counters"
        text = monpro("provider", "conf", "--engine", engine, "--counters", counters, *options)
        file.write_text(text, encoding="utf-8")
        return Provided(tmp_path, file, counters)

    return make


@pytest.fixture(scope="session")
def keys(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Keys in PEM by their names."""
    folder = tmp_path_factory.mktemp("keys")
    made = {
        "1024": ("RSA", "rsa_keygen_bits:1024"),
        "2048": ("RSA", "rsa_keygen_bits:2048"),
        "three": ("RSA", "rsa_keygen_bits:2048", "rsa_keygen_primes:3"),
        "pss": ("RSA-PSS", "rsa_keygen_bits:1024", "rsa_pss_keygen_md:sha256"),
    }
    for name, (algorithm, *options) in made.items():
        chosen = [part for option in options for part in ("-pkeyopt", option)]
        stock("genpkey", "-algorithm", algorithm, *chosen, "-out", folder / name)
    return {name: folder / name for name in made}
