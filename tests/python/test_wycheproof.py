# SPDX-License-Identifier: Apache-2.0
"""The RSA vectors of Project Wycheproof, all of them, through the library.

Every test ends as passed, failed or unsupported. The counts are asserted, so that neither a vector
nor a reason can go unseen; docs/api.md has them with the reasons.
"""

from __future__ import annotations

import functools
import json
import lzma
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from monpro import Engine, Key, MonproError, rsa

FILE = Path(__file__).parents[1] / "vectors" / "wycheproof_rsa.json.xz"
KINDS = {
    "RsassaPkcs1Verify": "pkcs1",
    "RsassaPssVerify": "pss",
    "RsassaPssWithParametersVerify": "pss",
    "RsaesOaepDecrypt": "oaep",
    "RsaesPkcs1Decrypt": "pkcs1",
}
# Every group, or one of so many: `scalar` computes as `soft` does, and `portable` is slow.
ENGINES = (
    ("soft", 1),
    ("lanes:isa=avx512ifma", 1),
    ("lanes:isa=avx2", 1),
    ("lanes:isa=scalar", 8),
    ("lanes:isa=portable", 8),
)
EXPECTED = {
    "passed": 8306,
    "SHAKE in PSS": 1376,
    "keys with PSS parameters": 1091,
    "keys of more than 4096 bits": 821,
    "keys of three primes": 110,
}
REFUSALS = ("MONPRO_ERR_SIGNATURE", "MONPRO_ERR_DECRYPT", "MONPRO_ERR_CIPHERTEXT")
Group = dict[str, Any]


@functools.cache
def groups() -> list[Group]:
    return [
        group for file in json.loads(lzma.decompress(FILE.read_bytes())).values() for group in file
    ]


def digest_name(name: str) -> str:
    """OpenSSL's name: "SHA-512/256" is "sha512-256", "SHA3-256" is "sha3-256"."""
    return name.lower().replace("sha-", "sha").replace("/", "-")


def unsupported(group: Group) -> str:
    """Why the library does not take a group's parameters, or nothing."""
    return "SHAKE in PSS" if group.get("mgf", "MGF1") != "MGF1" else ""


def read_key(group: Group) -> Key | str:
    """The key, or why the library does not take it."""
    reasons = {
        "MONPRO_ERR_KEY_FORMAT": "keys with PSS parameters",
        "MONPRO_ERR_KEY_SIZE": "keys of more than 4096 bits",
        "MONPRO_ERR_KEY_PRIMES": "keys of three primes",
    }
    try:
        return Key.read(bytes.fromhex(group["key"]))
    except MonproError as error:
        if error.name not in reasons:
            raise
        return reasons[error.name]


def outcome(engine: Engine, key: Key, group: Group, test: dict[str, Any]) -> str:
    """What the library says to one vector: "valid", "invalid", or the wrong plain text."""
    message = bytes.fromhex(test["msg"])
    settings: dict[str, Any] = {"padding": KINDS[group["type"]]}
    if group.get("sha"):
        settings["digest"] = digest_name(group["sha"])
    if settings["padding"] in ("oaep", "pss"):
        settings["mgf1_digest"] = digest_name(group["mgfSha"])
    try:
        if "sig" in test:
            if settings["padding"] == "pss":
                settings["salt"] = group["sLen"]
            rsa.verify(engine, key, message, bytes.fromhex(test["sig"]), **settings)
            return "valid"
        if settings["padding"] == "oaep":
            settings["label"] = bytes.fromhex(test["label"])
        plain = rsa.decrypt(engine, key, bytes.fromhex(test["ct"]), **settings)
        return "valid" if plain == message else f"decrypts to {plain.hex()}"
    except MonproError as error:
        return "invalid" if error.name in REFUSALS else str(error)


def run(engine: Engine, chosen: list[Group]) -> tuple[Counter[str], list[str]]:
    """Counts of tests by how they ended, and the failed ones."""
    counts: Counter[str] = Counter()
    failed = []
    for group in chosen:
        key = unsupported(group) or read_key(group)
        for test in group["tests"]:
            if isinstance(key, str):
                counts[key] += 1
                continue
            found = outcome(engine, key, group, test)
            right = found in ("valid", "invalid") and test["result"] in (found, "acceptable")
            counts["passed" if right else "failed"] += 1
            if not right:
                failed.append(f"{group['type']} {group.get('sha')} {test['tcId']}: {found}")
    return counts, failed


@pytest.mark.parametrize(("spec", "every"), ENGINES)
def test_vectors_on(spec: str, every: int) -> None:
    try:
        engine = Engine(spec)
    except MonproError as error:
        if error.name != "MONPRO_ERR_UNSUPPORTED":
            raise
        pytest.skip(str(error))
    with engine:
        chosen = groups()[::every]
        counts, failed = run(engine, chosen)
    print(f"{spec}: {dict(counts)}")
    assert failed == []
    assert counts.total() == sum(len(group["tests"]) for group in chosen)
    if every == 1:
        assert counts == EXPECTED


def test_the_runner_sees_a_wrong_answer(soft: Engine) -> None:
    """Of a group whose results are turned round, every test fails."""
    group = next(g for g in groups() if g["type"] == "RsaesOaepDecrypt")
    turned = {"valid": "invalid", "invalid": "valid"}
    wrong = [{**test, "result": turned[test["result"]]} for test in group["tests"]]
    counts, failed = run(soft, [{**group, "tests": wrong}])
    assert counts == {"failed": len(wrong)}
    assert len(failed) == len(wrong)
