# SPDX-License-Identifier: Apache-2.0
"""What goes wrong: each error has the provider's name and a sentence, and nothing is signed."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path

import pytest

from provided import MONPRO, Provided, monpro, stock

Make = Callable[..., Provided]
Keys = dict[str, Path]
ABSENT = "uio:/dev/monpro-is-not-here"


def sign(p: Provided, key: Path) -> tuple[int, bytes, str]:
    """Exit status, signature, errors."""
    done = p.run("openssl", "dgst", "-sha256", "-sign", key, key)
    return done.returncode, done.stdout, done.stderr.decode()


@pytest.mark.parametrize(
    ("engine", "name"),
    [("sofd", "MONPRO_ERR_ENGINE"), (ABSENT, "MONPRO_ERR_"), ("sim:nil", "MONPRO_ERR_DESIGN")],
)
def test_an_engine_that_is_not_there(engine: str, name: str, provided: Make, keys: Keys) -> None:
    p = provided(engine)
    status, signature, said = sign(p, keys["1024"])
    assert status != 0
    assert signature == b""
    assert "monpro: the engine failed:" in said
    assert f'engine "{engine}"' in said
    assert name in said
    assert p.stat() == {"failed": 1}


def test_falls_back_where_told(provided: Make, keys: Keys) -> None:
    p = provided(ABSENT, fallback="openssl")
    status, signature, said = sign(p, keys["1024"])
    assert (status, said) == (0, "")
    assert signature == stock("dgst", "-sha256", "-sign", keys["1024"], keys["1024"])
    assert p.stat() == {"default-engine": 1}


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (
            "fallback = error",
            "fallback = maybe",
            "maybe in openssl.cnf; there are: error, openssl",
        ),
        (
            "public = openssl",
            "public = all",
            "all in openssl.cnf; there are: openssl, engine",
        ),
        ("engine = soft", f"engine = {'s' * 300}", "more than 255 characters"),
        ("counters = /", "counters = /none/", "No such file or directory"),
    ],
)
def test_a_wrong_configuration(
    old: str, new: str, sentence: str, provided: Make, keys: Keys
) -> None:
    p = provided("soft")
    p.replace(old, new)
    status, signature, said = sign(p, keys["1024"])
    assert status != 0
    assert signature == b""
    assert "monpro: the configuration is wrong" in said
    assert sentence in said
    assert b"status: inactive" in p.openssl("list", "-providers")


def test_another_programs_file_is_left_alone(provided: Make, keys: Keys) -> None:
    p = provided("soft")
    p.counters.write_text("mine")
    assert "this is another program's file" in sign(p, keys["1024"])[2]
    assert p.counters.read_text() == "mine"


def test_a_public_key_signs_nothing(provided: Make, keys: Keys) -> None:
    p = provided("soft")
    (p.folder / "public").write_bytes(stock("pkey", "-in", keys["1024"], "-pubout"))
    done = p.run("openssl", "pkeyutl", "-sign", "-pubin", "-inkey", "public", "-in", "public")
    assert done.returncode != 0


def test_the_module_shows_its_entry_point_only() -> None:
    module = ctypes.CDLL(monpro("provider", "path").strip())
    assert module.OSSL_provider_init
    assert not hasattr(module, "monpro_engine_open")


def test_commands(tmp_path: Path, keys: Keys) -> None:
    p = Provided(tmp_path, tmp_path / "openssl.cnf", tmp_path / "counters")
    p.file.write_text(monpro("provider", "conf", "--engine", "soft", "--counters", p.counters))
    assert sign(p, keys["1024"])[0] == 0
    assert "sign-2048 1" in " ".join(monpro("provider", "stat", p.counters).split())
    refused = p.run(*MONPRO, "provider", "stat", keys["1024"])
    assert b"is no file of the provider's counters" in refused.stderr
    refused = p.run(*MONPRO, "provider", "conf", "--fallback", "default")
    assert b"there are: error, openssl" in refused.stderr
