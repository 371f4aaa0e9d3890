# SPDX-License-Identifier: Apache-2.0
"""Installed packages. importlib.metadata takes longer to import than most commands run, so it is
imported by who asks."""

from __future__ import annotations


def version_of(package: str) -> str | None:
    """Of an installed package; None if it is not installed."""
    import importlib.metadata

    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def origin_of(package: str) -> str | None:
    """The text of the file that says where a package was installed from, or None."""
    import importlib.metadata

    try:
        return importlib.metadata.distribution(package).read_text("direct_url.json")
    except importlib.metadata.PackageNotFoundError:
        return None
