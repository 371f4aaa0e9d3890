# SPDX-License-Identifier: Apache-2.0
"""Programs that run with the provider, and the counters that say what it did for them."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from monpro.cli.provider import counters_in

MONPRO = (sys.executable, "-m", "monpro")
STOCK = os.environ | {"OPENSSL_CONF": "/dev/null"}
# What builds a model for sim:, if there is none; it takes most of this time on a busy machine.
PROGRAM = str(Path(sys.executable).with_name("monpro"))
TIMEOUT_S = 300
HANDSHAKES = Path(__file__).with_name("handshakes.py")


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
        return os.environ | {"OPENSSL_CONF": str(self.file), "MONPRO_PROGRAM": PROGRAM}

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
        return {name: count for name, count in counters_in(self.counters).items() if count}

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


def make_certificate(folder: Path, *kind: str) -> Path:
    key, crt = folder / "key.pem", folder / "crt.pem"
    stock("req", "-x509", "-newkey", *kind, "-nodes", "-keyout", key, "-out", crt, "-subj",
          "/CN=monpro", "-addext", "subjectAltName=DNS:monpro,IP:127.0.0.1")  # fmt: skip
    both = folder / "both.pem"
    both.write_bytes(key.read_bytes() + crt.read_bytes())
    return both


def handshakes(
    p: Provided, file: Path, versions: str, each: int, threads: int = 1, children: int = 0
) -> None:
    numbers = map(str, (each, threads, children))
    done = p.run(sys.executable, HANDSHAKES, file, versions, *numbers)
    assert done.returncode == 0, done.stderr.decode()
