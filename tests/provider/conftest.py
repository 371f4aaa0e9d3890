# SPDX-License-Identifier: Apache-2.0
"""A configuration of the provider for a test, and keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from monpro.cli.provider import configuration
from provided import Provided, make_certificate, stock


@pytest.fixture
def provided(tmp_path: Path) -> Callable[..., Provided]:
    def make(
        engine: str, fallback: str = "error", public: str = "openssl", alone: str = "engine"
    ) -> Provided:
        file, counters = tmp_path / "openssl.cnf", tmp_path / "counters"
        text = configuration(engine, fallback, public, alone, counters)
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


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key and its certificate, for the name monpro, in one file."""
    return make_certificate(tmp_path_factory.mktemp("tls"), "rsa:2048")
