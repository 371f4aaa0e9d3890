# SPDX-License-Identifier: Apache-2.0
"""OpenSSL's own program. It makes keys and files and checks results, as the independent party."""

from __future__ import annotations

import subprocess
from pathlib import Path

from monpro.errors import MonproError

_PSS = ("-sha256", "-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:digest")
_OAEP = ("-pkeyopt", "rsa_padding_mode:oaep")


def run(*arguments: str | Path, data: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    """Runs `openssl ...`; its exit status is the caller's business."""
    command = ["openssl", *map(str, arguments)]
    try:
        return subprocess.run(command, input=data, capture_output=True, check=False)
    except OSError as why:
        raise MonproError("MONPRO_ERR_FILE", f"the openssl program: {why.strerror}") from why


def must(*arguments: str | Path, data: bytes | None = None) -> bytes:
    """The same, for a step that has to succeed; gives its standard output."""
    done = run(*arguments, data=data)
    if done.returncode:
        words = done.stderr.decode("utf-8", "replace").strip()
        raise MonproError("MONPRO_ERR_FILE", f"openssl {arguments[0]} failed: {words}")
    return done.stdout


def version() -> str:
    """As "OpenSSL 3.0.19"."""
    return " ".join(must("version").decode().split()[:2])


class Party:
    """One key in a folder, and OpenSSL's side of each operation with it (PSS, OAEP)."""

    def __init__(self, folder: Path, bits: int) -> None:
        self.folder, self.bits = folder, bits
        self.key, self.public = folder / f"{bits}.pem", folder / f"{bits}.pub.pem"
        must("genrsa", "-out", self.key, str(bits))
        must("pkey", "-in", self.key, "-pubout", "-out", self.public)

    def _file(self, name: str, content: bytes) -> Path:
        path = self.folder / f"{self.bits}.{name}"
        path.write_bytes(content)
        return path

    def sign(self, file: Path) -> bytes:
        return must("dgst", *_PSS, "-sign", self.key, file)

    def verifies(self, file: Path, signature: bytes) -> bool:
        mark = self._file("sig", signature)
        done = run("dgst", *_PSS, "-verify", self.public, "-signature", mark, file)
        return done.returncode == 0

    def encrypt(self, message: bytes) -> bytes:
        return must("pkeyutl", "-encrypt", "-pubin", "-inkey", self.public, *_OAEP, data=message)

    def decrypt(self, block: bytes) -> bytes | None:
        done = run("pkeyutl", "-decrypt", "-inkey", self.key, *_OAEP, data=block)
        return done.stdout if done.returncode == 0 else None
