# SPDX-License-Identifier: Apache-2.0
"""Paths: of the data that is installed with the package, and of the user's cache."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from monpro.errors import MonproError

_PACKAGE = Path(__file__).resolve().parents[1]
_CHECKOUT = _PACKAGE.parents[1]


def package() -> Path:
    """The folder of the package itself."""
    return _PACKAGE


def share() -> Path:
    """The folder with designs.toml, rtl/ and sim/: installed, or the checkout it is run from."""
    for folder in (_PACKAGE / "share", _CHECKOUT):
        if (folder / "designs.toml").is_file():
            return folder
    raise MonproError("MONPRO_ERR_FILE", f"designs.toml is not in {_PACKAGE / 'share'}")


def header() -> Path:
    """The C library's public header."""
    for folder in (_PACKAGE / "include", _CHECKOUT / "lib" / "include"):
        path = folder / "monpro" / "monpro.h"
        if path.is_file():
            return path
    raise MonproError("MONPRO_ERR_FILE", f"monpro/monpro.h is not in {_PACKAGE / 'include'}")


def library() -> Path:
    """The C library: $MONPRO_LIBRARY, or the one installed with the package."""
    return Path(os.environ.get("MONPRO_LIBRARY") or _PACKAGE / "_lib" / "libmonpro.so")


def provider() -> Path:
    """The OpenSSL provider: $MONPRO_PROVIDER, or the one installed with the package."""
    own = os.environ.get("MONPRO_PROVIDER")
    return Path(own) if own else _PACKAGE / "_lib" / "provider" / "monpro.so"


def cache() -> Path:
    """$MONPRO_CACHE, or the platform's folder for a user's caches. Not created here."""
    own, base = os.environ.get("MONPRO_CACHE"), os.environ.get("XDG_CACHE_HOME")
    try:
        if own:
            return Path(own).expanduser().resolve()
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Caches" / "monpro"
        return (Path(base).resolve() if base else Path.home() / ".cache") / "monpro"
    except RuntimeError as why:  # no such home folder
        raise MonproError("MONPRO_ERR_FILE", f"no cache folder: set MONPRO_CACHE ({why})") from why
