# SPDX-License-Identifier: Apache-2.0
"""Keys of 32 to 256 bits, for study: right as OpenSSL sees them, never taken for real ones."""

from __future__ import annotations

import json
import math
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from monpro import Key, MonproError
from monpro.measure import openssl
from monpro.study import small_key
from monpro.study.small_key import StudyKey

Monpro = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.mark.parametrize("bits", [32, 33, 64, 255, 256])
@pytest.mark.parametrize("e", [3, 65537])
def test_a_key_is_right(bits: int, e: int) -> None:
    key = StudyKey.generate(bits, e)
    assert key.bits == bits
    x = 12345 % key.n
    assert pow(pow(x, e, key.n), key.d, key.n) == x
    found = key.numbers()
    assert found["p"] * found["q"] == key.n
    assert found["dp"] == pow(e, -1, key.p - 1)
    assert found["qinv"] * key.q % key.p == 1


def test_primes() -> None:
    wanted = [n for n in range(2, 3000) if all(n % i for i in range(2, math.isqrt(n) + 1))]
    assert [n for n in range(2, 3000) if small_key._is_prime(n)] == wanted
    assert not small_key._is_prime(3215031751)  # passes the test to the bases 2, 3, 5 and 7
    assert small_key._is_prime(2**127 - 1)


def _numbers_of(path: Path, *options: str) -> str:
    return openssl.must("pkey", "-in", path, *options, "-noout", "-text").decode()


@pytest.mark.parametrize("form", ["private_pkcs1", "private_pkcs8"])
@pytest.mark.parametrize("public_form", ["public_pkcs1", "public_spki"])
@pytest.mark.parametrize("der", [False, True])
def test_openssl_reads_it(
    monpro: Monpro, tmp_path: Path, form: str, public_form: str, der: bool
) -> None:
    done = monpro(
        "keygen", "--study", "--bits", "64", "--form", form, "--out", "key", "--public-out", "pub",
        "--public-form", public_form, "--json", *(["--der"] if der else []),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    [record] = json.loads(done.stdout)
    numbers = {name: int(text, 16) for name, text in record["numbers"].items()}
    private, public = _numbers_of(tmp_path / "key"), _numbers_of(tmp_path / "pub", "-pubin")
    for text in (private, public):
        assert f"odulus: {numbers['n']} " in text or f"odulus: {numbers['n']}" in text
    assert str(numbers["d"]) in private
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600


def test_it_is_announced_and_refused_elsewhere(monpro: Monpro, tmp_path: Path) -> None:
    done = monpro("keygen", "--study", "--bits", "256", "--out", "key.pem")
    assert done.returncode == 0
    assert b"warning: a key of 256 bits is for study only" in done.stderr
    (tmp_path / "file").write_bytes(b"x")
    refused = monpro("sign", "--engine", "soft", "--key", "key.pem", "file")
    assert refused.returncode == 2
    assert b"MONPRO_ERR_KEY_SIZE" in refused.stderr
    with pytest.raises(MonproError, match="512 to 4096"):
        Key.read_file(tmp_path / "key.pem")


def test_without_the_flag_there_is_no_warning(monpro: Monpro) -> None:
    done = monpro("keygen", "--bits", "512", "--out", "key.pem")
    assert done.returncode == 0
    assert b"warning" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("--study",), "a key of 2048 bits: --study is for 32 to 256; from 512 on"),
        (("--study", "--bits", "31"), "a key of 31 bits: --study is for 32 to 256"),
        (("--study", "--bits", "257"), "a key of 257 bits: --study is for 32 to 256"),
        (("--bits", "256"), "--study makes one of 32 to 256, which protects nothing"),
        (("--bits", "300"), "512 to 4096 in steps of 64 are allowed"),
        (("--study", "--bits", "64", "--exponent", "4"), "has to be odd, above 2 and shorter"),
        (("--study", "--bits", "32", "--exponent", str(2**31 + 1)), "shorter than the modulus"),
        (("--study", "--bits", "64", "--passphrase-file", __file__), "is not written encrypted"),
    ],
)
def test_wrong_use_is_named(monpro: Monpro, arguments: tuple[str, ...], text: str) -> None:
    done = monpro("keygen", *arguments)
    assert done.returncode == 2
    assert text in done.stderr.decode()


def test_the_thesis_appendix(monpro: Monpro, tmp_path: Path) -> None:
    """Its script: a key of 1024 bits, both halves as PKCS#1 in PEM, read again."""
    (tmp_path / "keys").mkdir()
    done = monpro(
        "keygen", "--bits", "1024", "--form", "private_pkcs1", "--out", "keys/private.pem",
        "--public-out", "keys/public.pem", "--public-form", "public_pkcs1",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    private, public = (tmp_path / "keys" / f"{name}.pem" for name in ("private", "public"))
    assert private.read_text().startswith("-----BEGIN RSA PRIVATE KEY-----")
    assert public.read_text().startswith("-----BEGIN RSA PUBLIC KEY-----")
    keys = Key.read_file(private), Key.read_file(public)
    assert [(key.bits, key.private) for key in keys] == [(1024, True), (1024, False)]


@pytest.mark.sim
def test_a_study_key_through_the_thesis_design(monpro: Monpro) -> None:
    done = monpro("keygen", "--study", "--bits", "64", "--out", "key.pem", "--json")
    numbers = json.loads(done.stdout)[0]["numbers"]
    n, e, d = (int(numbers[name], 16) for name in ("n", "e", "d"))
    engine = ("--engine", "sim:montgomery")
    block = monpro("modexp", *engine, "--public", "1234567", str(e), str(n)).stdout
    assert int(block) == pow(1234567, e, n)
    back = monpro("modexp", *engine, block.decode().strip(), str(d), str(n)).stdout
    assert int(back) == 1234567
