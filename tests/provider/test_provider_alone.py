# SPDX-License-Identifier: Apache-2.0
"""Who does an operation that is alone in its process: the setting `alone`."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from provided import MONPRO, Provided, handshakes, stock
from test_openssl_program import MESSAGE, OAEP, PSS, dgst, is_right

Make = Callable[..., Provided]
Keys = dict[str, Path]


@pytest.mark.parametrize("engine", ["soft", "lanes", "gather:soft"])
def test_openssl_does_one_alone(engine: str, provided: Make, keys: Keys) -> None:
    p = provided(engine, alone="openssl")
    assert is_right(p, keys["2048"], dgst(p, keys["2048"]))
    assert is_right(p, keys["2048"], dgst(p, keys["2048"], *PSS), *PSS)
    key, text = ("-inkey", keys["1024"]), p.folder / "text"
    text.write_bytes(stock("pkeyutl", "-encrypt", *key, *OAEP, stdin=MESSAGE))
    assert p.openssl("pkeyutl", "-decrypt", *key, *OAEP, "-in", text) == MESSAGE
    (p.folder / "digest").write_bytes(bytes(32))
    options = ("-pkeyopt", "digest:sha256", "-in", p.folder / "digest")
    assert p.openssl("pkeyutl", "-sign", *key, *options) == stock(
        "pkeyutl", "-sign", *key, *options
    )
    assert p.stat() == {"default-alone": 4}


def test_a_text_that_is_wrong_is_so_for_both(provided: Make, keys: Keys) -> None:
    said = []
    for alone in ("engine", "openssl"):
        p = provided("soft", alone=alone)
        done = p.run("openssl", "pkeyutl", "-decrypt", "-inkey", keys["1024"], *OAEP,
                     stdin=bytes(127) + b"\x02")  # fmt: skip
        assert done.returncode != 0
        assert done.stdout == b""
        said.append(re.findall(rb"error:[0-9A-F]{8}:[^:]*", done.stderr))
    assert said[0] == said[1]


def test_the_faster_one_is_found(provided: Make) -> None:
    """Both are tried some times, and all that follow are of one of them."""
    p = provided("soft", alone="auto")
    p.openssl("speed", "-seconds", "1", "rsa2048")
    found = p.stat()
    few, many = sorted((found["sign-2048"], found["default-alone"]))
    assert few == 4
    assert many > 4


@pytest.mark.sim
def test_a_device_does_all(provided: Make, keys: Keys) -> None:
    p = provided("sim:small", alone="auto")
    for _ in range(2):
        assert is_right(p, keys["1024"], dgst(p, keys["1024"]))
    assert p.stat() == {"sign-2048": 2}


def test_others_under_way_are_seen(provided: Make, certificate: Path) -> None:
    """Each handshake is counted once, whoever did it; requests that meet go to the engine."""
    p = provided("lanes", alone="openssl")
    handshakes(p, certificate, "TLSv1_3", 100, threads=4)
    found = p.stat()
    done = {name: found.get(name, 0) for name in ("sign-2048", "default-alone")}
    assert sum(done.values()) == 2 * 4 * 100
    assert all(done.values()), done


def test_a_wrong_word(provided: Make, keys: Keys) -> None:
    p = provided("soft")
    p.replace("alone = engine", "alone = never")
    done = p.run("openssl", "dgst", "-sign", keys["1024"], stdin=MESSAGE)
    assert done.returncode != 0
    assert b"never in openssl.cnf; there are: auto, engine, openssl" in done.stderr
    refused = p.run(*MONPRO, "provider", "conf", "--alone", "never")
    assert b"there are: auto, engine, openssl" in refused.stderr
