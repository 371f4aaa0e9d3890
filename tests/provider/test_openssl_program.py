# SPDX-License-Identifier: Apache-2.0
"""The program `openssl`, unchanged, with the provider: every answer is checked by stock OpenSSL."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from provided import Provided, stock

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


@pytest.mark.parametrize("digest", ["sha1", "sha512", "sha3-256"])
def test_knows_every_digest_of_openssl(digest: str, provided: Make, keys: Keys) -> None:
    p = provided("soft")
    (p.folder / "message").write_bytes(MESSAGE)
    command = ("dgst", f"-{digest}", "-sign", keys["1024"], p.folder / "message")
    assert p.openssl(*command) == stock(*command)


def test_restricts_an_rsa_pss_key(provided: Make, keys: Keys) -> None:
    p = provided("soft")
    assert is_right(p, keys["pss"], dgst(p, keys["pss"]))
    refused = p.run("openssl", "dgst", "-sha512", "-sign", keys["pss"], "message")
    assert refused.returncode != 0
    assert b"digest not allowed" in refused.stderr
    assert p.stat() == {"sign-2048": 1}


# pkeyutl signs no block that is longer than a digest; rsautl does.
PKEYUTL = ("pkeyutl", ("-sign",), ("-verifyrecover",), 32)
X931 = ("-pkeyopt", "digest:sha256", "-pkeyopt", "rsa_padding_mode:x931")
BLOCKS = {
    "pkcs1": (PKEYUTL, ()),
    "x931": (PKEYUTL, X931),
    "none": (("rsautl", ("-sign",), ("-verify",), 128), ("-raw",)),
}


@pytest.mark.parametrize("padding", BLOCKS)
def test_signs_a_block(padding: str, provided: Make, keys: Keys) -> None:
    p = provided("soft")
    (program, sign, recover, length), options = BLOCKS[padding]
    data = hashlib.sha256(MESSAGE).digest().rjust(length, b"\0")
    (p.folder / "in").write_bytes(data)
    signature = p.folder / "signature"
    command = (program, *sign, "-inkey", keys["1024"], "-in", p.folder / "in", *options)
    signature.write_bytes(p.openssl(*command))
    assert signature.read_bytes() == stock(*command)
    command = (program, *recover, "-inkey", keys["1024"], "-in", signature, *options)
    assert p.openssl(*command) == stock(*command) == data
    assert p.stat()["sign-2048"] == 1


OAEP = ("-pkeyopt", "rsa_padding_mode:oaep")
LABELLED = (*OAEP, "-pkeyopt", "rsa_oaep_md:sha256", "-pkeyopt", "rsa_oaep_label:6c6162656c")


@pytest.mark.parametrize("options", [OAEP, LABELLED, ("-pkeyopt", "rsa_padding_mode:pkcs1")])
@pytest.mark.parametrize("public", ["openssl", "engine"])
def test_encrypts_and_decrypts(
    public: str, options: tuple[str, ...], provided: Make, keys: Keys
) -> None:
    p = provided("soft", public=public)
    (p.folder / "in").write_bytes(MESSAGE)
    key, text = ("-inkey", keys["1024"]), p.folder / "text"
    text.write_bytes(p.openssl("pkeyutl", "-encrypt", *key, *options, "-in", "in"))
    assert stock("pkeyutl", "-decrypt", *key, *options, "-in", text) == MESSAGE
    assert p.openssl("pkeyutl", "-decrypt", *key, *options, "-in", text) == MESSAGE
    decrypted = "default-padding" if "pkcs1" in options[-1] else "decrypt-2048"
    encrypted = "public" if public == "engine" else "default-public"
    assert p.stat() == {encrypted: 1, decrypted: 1}


def test_a_changed_text_is_refused_as_openssl_does(provided: Make, keys: Keys) -> None:
    p = provided("soft")
    text = p.folder / "text"
    key = ("-inkey", keys["1024"])
    encrypted = stock("pkeyutl", "-encrypt", *key, *OAEP, stdin=MESSAGE)
    text.write_bytes(encrypted[:-1] + bytes([encrypted[-1] ^ 1]))
    refused = p.run("openssl", "pkeyutl", "-decrypt", *key, *OAEP, "-in", text)
    assert refused.returncode != 0
    assert b"oaep decoding error" in refused.stderr
    text.write_bytes(b"\xff" * 128)
    assert b"data too large for modulus" in p.run(
        "openssl", "pkeyutl", "-decrypt", *key, *OAEP, "-in", text
    ).stderr  # fmt: skip


def test_verifies_by_the_engine(provided: Make, keys: Keys) -> None:
    p = provided("soft", public="engine")
    key = keys["1024"]
    for options in ((), PSS):
        signature = dgst(p, key, *options)
        (p.folder / "right").write_bytes(signature)
        (p.folder / "wrong").write_bytes(signature[:-1] + bytes([signature[-1] ^ 1]))
        (p.folder / "large").write_bytes(b"\xff" * 128)
        before = p.stat()
        for name in ("right", "wrong", "large"):
            command = ("dgst", "-sha256", *options, "-prverify", key, "-signature", name, "message")
            done = p.run("openssl", *command)
            assert (done.returncode == 0) == (name == "right"), done.stderr
        assert p.since(before) == {"public": 2}


def test_makes_keys_and_requests(provided: Make) -> None:
    p = provided("soft")
    p.openssl("req", "-x509", "-newkey", "rsa:1024", "-nodes", "-keyout", "k", "-out", "c",
              "-subj", "/CN=monpro", "-sigopt", "rsa_padding_mode:pss")  # fmt: skip
    stock("verify", "-CAfile", p.folder / "c", "-auth_level", "0", p.folder / "c")
    p.openssl("req", "-new", "-key", "k", "-out", "r", "-subj", "/CN=other")
    p.openssl("x509", "-req", "-in", "r", "-CA", "c", "-CAkey", "k", "-out", "issued")
    stock("verify", "-CAfile", p.folder / "c", "-auth_level", "0", p.folder / "issued")
    assert p.stat()["sign-2048"] == 3
    p.openssl("genpkey", "-algorithm", "RSA-PSS", "-pkeyopt", "rsa_keygen_bits:1024", "-out", "s")
    assert b"Key is valid" in p.openssl("pkey", "-in", "s", "-check", "-noout")


def test_cms(provided: Make) -> None:
    p = provided("soft")
    (p.folder / "message").write_bytes(MESSAGE)
    stock("req", "-x509", "-newkey", "rsa:1024", "-nodes", "-keyout", p.folder / "k", "-out",
          p.folder / "c", "-subj", "/CN=monpro")  # fmt: skip
    signer = ("-signer", "c", "-inkey", "k", "-keyopt", "rsa_padding_mode:pss")
    p.openssl("cms", "-sign", "-binary", "-in", "message", *signer, "-out", "signed")
    p.openssl("cms", "-verify", "-binary", "-in", "signed", "-CAfile", "c", "-out", "read")
    assert (p.folder / "read").read_bytes() == MESSAGE
    to = ("-recip", "c", "-keyopt", "rsa_padding_mode:oaep")
    p.openssl("cms", "-encrypt", "-binary", "-aes128", "-in", "message", *to, "-out", "sealed")
    opened = p.openssl("cms", "-decrypt", "-in", "sealed", "-recip", "c", "-inkey", "k")
    assert opened == MESSAGE
    found = p.stat()
    assert (found["sign-2048"], found["decrypt-2048"]) == (1, 1)


def test_a_key_of_three_primes_is_the_default_providers(provided: Make, keys: Keys) -> None:
    p = provided("soft")
    assert is_right(p, keys["three"], dgst(p, keys["three"]))
    assert p.stat() == {"default-key": 1}


def test_speed_signs_by_the_engine(provided: Make) -> None:
    p = provided("soft")
    p.openssl("speed", "-seconds", "1", "rsa1024")
    assert p.stat()["sign-2048"] > 10
