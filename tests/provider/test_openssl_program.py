# SPDX-License-Identifier: Apache-2.0
"""The program `openssl`, unchanged, with the provider: every answer is checked by stock OpenSSL."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Provided, stock

Make = Callable[..., Provided]
Keys = dict[str, Path]
MESSAGE = b"a message of no importance\n"
PSS = ("-sigopt", "rsa_padding_mode:pss")
ENGINES = ("soft", "lanes", pytest.param("sim:small", marks=pytest.mark.sim))


def dgst(p: Provided, key: Path, *options: str) -> bytes:
    (p.folder / "message").write_bytes(MESSAGE)
    return p.openssl("dgst", "-sha256", *options, "-sign", key, "message")


def is_right(p: Provided, key: Path, signature: bytes, *options: str) -> bool:
    (p.folder / "message").write_bytes(MESSAGE)
    (p.folder / "signature").write_bytes(signature)
    files = ("-signature", p.folder / "signature", p.folder / "message")
    said = stock("dgst", "-sha256", *options, "-prverify", key, *files)
    return said == b"Verified OK\n"


@pytest.mark.parametrize("engine", ENGINES)
def test_signs(engine: str, provided: Make, keys: Keys) -> None:
    p = provided(engine)
    key = keys["1024" if engine.startswith("sim") else "2048"]
    plain = dgst(p, key)
    assert plain == stock("dgst", "-sha256", "-sign", key, p.folder / "message")
    assert is_right(p, key, dgst(p, key, *PSS), *PSS)
    assert p.stat() == {"sign-2048": 2}
