# SPDX-License-Identifier: Apache-2.0
"""The provider with the address and undefined behaviour sanitizers: threads, children, leaks."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from provided import TIMEOUT_S, Provided, monpro, stock

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "tests-provider"
HANDSHAKES = Path(__file__).with_name("handshakes.py")
SANITIZE = ("-DMONPRO_SANITIZE=address,undefined", "-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG")


def module() -> Path:
    """The provider with sanitizers, of the checkout."""
    configure = ("cmake", "-S", ROOT, "-B", BUILD, "-DMONPRO_WERROR=ON", *SANITIZE)
    for command in (configure, ("cmake", "--build", BUILD, "--target", "monpro_provider")):
        subprocess.run(command, check=True, capture_output=True)
    return BUILD / "monpro.so"


def sanitized(p: Provided, *command: str | Path, leaks: bool) -> None:
    """Runs a program, which is not built with sanitizers itself."""
    names = ("libasan.so", "libubsan.so")
    found = [
        subprocess.check_output(("gcc", f"-print-file-name={n}"), text=True).strip() for n in names
    ]
    options = {"ASAN_OPTIONS": f"detect_leaks={int(leaks)}", "LD_PRELOAD": ":".join(found)}
    done = subprocess.run(
        list(map(str, command)), env=os.environ | p.environment | options, cwd=p.folder,
        capture_output=True, timeout=TIMEOUT_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr.decode()


def test_sanitized(provided: Callable[..., Provided], keys: dict[str, Path]) -> None:
    p = provided("soft", public="engine")
    p.replace(monpro("provider", "path").strip(), str(module()))
    crt = p.folder / "crt.pem"
    stock("req", "-x509", "-key", keys["2048"], "-out", crt, "-subj", "/CN=monpro")
    both = p.folder / "both.pem"
    both.write_bytes(keys["2048"].read_bytes() + crt.read_bytes())
    # Python itself leaves memory behind.
    program = (sys.executable, HANDSHAKES, both, "TLSv1_2,TLSv1_3,exchange", "2", "4", "2")
    sanitized(p, *program, leaks=False)
    sanitized(p, "openssl", "dgst", "-sha256", "-sign", keys["pss"], crt, leaks=True)
    sanitized(p, "openssl", "dgst", "-sha256", "-sign", keys["three"], crt, leaks=True)
    found = p.stat()
    assert found["sign-2048"] == (2 + 2 + 1) * (1 + 2 * 4 * 3) + 1
    assert found["default-key"] == 1
