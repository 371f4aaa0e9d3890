# SPDX-License-Identifier: Apache-2.0
"""mbedTLS, a well-known library to compare with on the softcore.

Its source comes from a package of Rust's registry. cargo fetches the package when it is first asked
for. It is never built as that package: the firmware compiles three of its files, unchanged.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from monpro.base import paths
from monpro.errors import MonproError

PACKAGE, VERSION = "mbedtls-sys-auto", "2.28.15"
FILES = ("bignum.c", "constant_time.c", "platform_util.c")

_MANIFEST = f"""[package]
name = "peer"
version = "0.0.0"
edition = "2021"
[dependencies]
{PACKAGE} = "={VERSION}"
"""


def _fetch(target: Path) -> None:
    cargo = shutil.which("cargo") or shutil.which("cargo", path=str(Path.home() / ".cargo/bin"))
    if cargo is None:
        raise MonproError(
            "MONPRO_ERR_UNSUPPORTED", f"{PACKAGE} is fetched by cargo, which is not installed"
        )
    with tempfile.TemporaryDirectory(prefix="monpro-peer-") as name:
        folder = Path(name)
        (folder / "src").mkdir()
        (folder / "src" / "lib.rs").write_text("", encoding="ascii")
        (folder / "Cargo.toml").write_text(_MANIFEST, encoding="ascii")
        run = subprocess.run(
            [cargo, "vendor", "--quiet", "vendor"],
            cwd=folder, text=True, stdin=subprocess.DEVNULL, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        source = folder / "vendor" / PACKAGE / "vendor"
        if run.returncode or not (source / "library" / FILES[0]).is_file():
            raise MonproError(
                "MONPRO_ERR_BUILD", f"cargo did not fetch {PACKAGE}: {run.stdout[-400:]}"
            )
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(dir=target.parent))  # no other process's
        try:
            _put(source, beside / target.name, target)
        finally:
            shutil.rmtree(beside, ignore_errors=True)


def _put(source: Path, beside: Path, target: Path) -> None:
    """The parts that are needed: whole when they are there."""
    beside.mkdir()
    for part in ("include", "library", "LICENSE"):
        (shutil.copytree if (source / part).is_dir() else shutil.copy)(source / part, beside / part)
    try:
        beside.rename(target)
    except OSError:
        if not target.is_dir():  # another process was faster, with the same
            raise


def mbedtls() -> tuple[list[Path], list[str]]:
    """Sources and compiler options for soc_build.firmware()."""
    folder = paths.cache() / "peers" / f"{PACKAGE}-{VERSION}"
    if not folder.is_dir():
        _fetch(folder)
    own = paths.share() / "soc" / "firmware" / "peer_mbedtls.c"
    sources = [*(folder / "library" / name for name in FILES), own]
    options = [f"-I{folder / 'include'}", '-DMBEDTLS_CONFIG_FILE="mbedtls_config.h"']
    return sources, options
