# SPDX-License-Identifier: Apache-2.0
"""Files sealed in CMS: both directions with `openssl cms`, and every way to damage one."""

from __future__ import annotations

import base64
import datetime
import io
import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from monpro import Engine, MonproError
from monpro.measure import openssl
from monpro.measure.openssl import Party
from monpro.rsa import Key
from monpro.seal import ber, cms, formats
from monpro.seal import recipients as seal_recipients
from sealing import OAEP, Drip, Memory, certificate, flipped, opened

MIB = 1 << 20
EDGES = [0, 1, 15, 16, 17, 1000, MIB - 1, MIB, MIB + 1, 3 * MIB]


@pytest.fixture(scope="module")
def key(party: Party) -> Key:
    return Key.read_file(party.key)


@pytest.fixture(scope="module")
def cert(party: Party) -> Path:
    return certificate(party)


@pytest.fixture(scope="module")
def other(parties: Callable[[int], Party]) -> Party:
    return parties(1088)


def sealed(engine: Engine, path: Path, content: bytes, pipe: bool = False) -> bytes:
    out = io.BytesIO()
    recipient = seal_recipients.read_recipient(str(path))
    size = None if pipe else len(content)
    assert cms.seal(engine, [recipient], Memory(content), size, out.write) == len(content)
    return out.getvalue()


def theirs(content: bytes, *arguments: str | Path) -> bytes:
    return openssl.must("cms", "-encrypt", "-binary", *arguments, data=content)


def they_open(party: Party, file: bytes, *options: str | Path) -> bytes:
    common = ("cms", "-decrypt", "-binary", "-inform", "DER", "-inkey", party.key)
    return openssl.must(*common, *options, data=file)


# ---- both directions


@pytest.mark.parametrize("pipe", [False, True])
@pytest.mark.parametrize("size", EDGES)
def test_openssl_opens_ours(
    soft: Engine, party: Party, cert: Path, key: Key, size: int, pipe: bool
) -> None:
    content = os.urandom(size)
    file = sealed(soft, cert, content, pipe)
    assert they_open(party, file) == content
    assert they_open(party, file, "-recip", cert) == content
    assert opened(soft, key, file) == content


def test_a_bare_public_key(soft: Engine, party: Party, cert: Path, key: Key) -> None:
    file = sealed(soft, party.public, b"content")
    assert they_open(party, file) == b"content"
    assert they_open(party, file, "-recip", cert) == b"content"  # by the key's identifier
    assert opened(soft, key, file) == b"content"


def test_the_file_is_der_and_has_the_documented_parts(soft: Engine, cert: Path) -> None:
    file = sealed(soft, cert, b"content")
    text = openssl.must("asn1parse", "-inform", "DER", data=file).decode()
    names = ("id-smime-ct-authEnvelopedData", ":rsaesOaep", ":mgf1", ":aes-256-gcm", ":pkcs7-data")
    assert all(name in text for name in names)
    assert text.count(":sha256") == 2
    assert "inf" not in text


@pytest.mark.parametrize(
    "options",
    [
        ("-aes-256-gcm", *OAEP),
        ("-aes-256-gcm", *OAEP, "-stream"),
        ("-aes-256-gcm", *OAEP, "-keyid"),
        ("-aes-192-gcm", *OAEP, "-keyopt", "rsa_oaep_md:sha256"),
        ("-aes-128-gcm", *OAEP, "-keyopt", "rsa_oaep_md:sha256", "-keyopt", "rsa_oaep_label:beef"),
        ("-aes-256-gcm",),  # PKCS#1 v1.5 around an authenticated content
    ],
)
@pytest.mark.parametrize("form", ["DER", "PEM", "SMIME"])
@pytest.mark.parametrize("size", [1, 20000])
def test_ours_opens_openssl(
    soft: Engine, cert: Path, key: Key, options: tuple[str, ...], form: str, size: int
) -> None:
    content = os.urandom(size)
    # -recip before -keyopt: the options are the recipient's
    file = theirs(content, options[0], "-outform", form, "-recip", cert, *options[1:])
    assert opened(soft, key, file) == content
    only = seal_recipients.read_recipient(str(cert))
    assert opened(soft, key, file, only=only) == content


@pytest.mark.parametrize("form", ["DER", "PEM", "SMIME"])
def test_ours_opens_an_empty_file_of_openssl(soft: Engine, cert: Path, key: Key, form: str) -> None:
    """With -stream OpenSSL 3.0 cannot make one."""
    file = theirs(b"", "-aes-256-gcm", "-outform", form, "-recip", cert, *OAEP)
    assert opened(soft, key, file) == b""


@pytest.mark.parametrize("cipher", ["-des3", "-aes128", "-aes192", "-aes256"])
@pytest.mark.parametrize("padding", [(), OAEP])
def test_cbc_opens_only_on_demand(
    soft: Engine, cert: Path, key: Key, cipher: str, padding: tuple[str, ...]
) -> None:
    for size in (0, 1, 15, 16, 17, 5000):
        content = os.urandom(size)
        file = theirs(content, cipher, "-outform", "DER", "-recip", cert, *padding)
        with pytest.raises(MonproError, match="anyone could have changed it") as caught:
            opened(soft, key, file)
        assert caught.value.name == "MONPRO_ERR_UNSUPPORTED"
        assert opened(soft, key, file, unauthenticated=True) == content


def test_several_recipients(
    soft: Engine, party: Party, other: Party, parties: Callable[[int], Party], cert: Path
) -> None:
    paths = (certificate(other), cert, parties(1152).public)
    recipients = [seal_recipients.read_recipient(str(path)) for path in paths]
    out = io.BytesIO()
    cms.seal(soft, recipients, Memory(b"content"), 7, out.write)
    for who in (party, other, parties(1152)):
        assert they_open(who, out.getvalue()) == b"content"
        assert opened(soft, Key.read_file(who.key), out.getvalue()) == b"content"
    key = Key.read_file(party.key)
    assert opened(soft, key, out.getvalue(), only=recipients[1]) == b"content"
    with pytest.raises(MonproError, match="another key"):
        opened(soft, key, out.getvalue(), only=recipients[0])


def test_recipients_of_one_length_are_tried(soft: Engine, party: Party, tmp_path: Path) -> None:
    """Named by issuer, they do not say whose key is whose."""
    stranger = Party(tmp_path, 1024)
    certs = (certificate(stranger), certificate(party))
    for padding in ((), OAEP):
        keys = [option for cert in certs for option in ("-recip", cert, *padding)]
        file = theirs(b"content", "-aes-256-gcm", "-outform", "DER", *keys)
        for who in (party, stranger):
            assert opened(soft, Key.read_file(who.key), file) == b"content"


# ---- damage


@pytest.mark.parametrize("form", ["ours", "ours in parts", "theirs in parts", "theirs, pkcs1"])
def test_every_byte_counts_or_changes_nothing(
    soft: Engine, cert: Path, key: Key, form: str
) -> None:
    content = b"twelve bytes"
    if form.startswith("ours"):
        file = sealed(soft, cert, content, form != "ours")
    else:
        padding = ("-stream", *OAEP) if form == "theirs in parts" else ()
        file = theirs(content, "-aes-256-gcm", "-outform", "DER", "-recip", cert, *padding)
    assert opened(soft, key, file) == content
    harmless, answers = 0, set()
    masks = (0x01, 0x80) if form == "ours" else (0x11,)
    for damaged in flipped(file, masks):
        try:
            assert opened(soft, key, damaged) == content
            harmless += 1
        except MonproError as error:
            answers.add(error.name)
    # What may change is what the recipient is called: his issuer and number, and versions.
    assert harmless < 90 * len(masks)
    named = ("CIPHERTEXT", "DECRYPT", "UNSUPPORTED", "DIGEST")
    assert answers <= {f"MONPRO_ERR_{name}" for name in named}
    for length in range(len(file)):
        with pytest.raises(MonproError):
            opened(soft, key, file[:length])
    with pytest.raises(MonproError, match="something follows"):
        opened(soft, key, file + b"\0")


def test_content_key_nonce_and_tag_are_bound(soft: Engine, cert: Path, key: Key) -> None:
    file = sealed(soft, cert, content := b"twelve bytes")
    offsets = {
        "key": file.index(b"\x04\x81\x80") + 3,  # a string of 128 bytes
        "nonce": file.index(b"\x04\x0c") + 2,
        "content": len(file) - 18 - len(content),
        "tag": len(file) - 16,
    }
    for offset in offsets.values():
        damaged = file[:offset] + bytes([file[offset] ^ 1]) + file[offset + 1 :]
        with pytest.raises(MonproError) as caught:
            opened(soft, key, damaged)
        assert caught.value.args == ("MONPRO_ERR_DECRYPT", seal_recipients.NOT_OPENED)


@pytest.mark.parametrize("padding", [(), OAEP])
def test_a_wrong_key_has_one_answer(
    soft: Engine, cert: Path, parties: Callable[[int], Party], tmp_path: Path, padding: tuple[str]
) -> None:
    file = theirs(b"content", "-aes-256-gcm", "-outform", "DER", "-recip", cert, *padding)
    for who in (Party(tmp_path, 1024), parties(1088)):
        with pytest.raises(MonproError) as caught:
            opened(soft, Key.read_file(who.key), file)
        assert caught.value.args == ("MONPRO_ERR_DECRYPT", seal_recipients.NOT_OPENED)


def test_a_bad_pkcs1_block_gives_a_random_key(
    soft: Engine, cert: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So the answer comes from the content, and is no oracle of the padding (RFC 3218)."""
    file = theirs(b"content", "-aes-256-gcm", "-outform", "DER", "-recip", cert)
    key, keys = Key.read_file(Party(tmp_path, 1024).key), []

    def unwrap(*arguments: object) -> bytes:
        keys.append(seal_recipients.unwrap(*arguments))  # type: ignore[arg-type]
        return keys[-1]

    monkeypatch.setattr(cms, "unwrap", unwrap)
    for _ in range(2):
        with pytest.raises(MonproError, match="MONPRO_ERR_DECRYPT"):
            opened(soft, key, file)
    assert [len(k) for k in keys] == [32, 32]
    assert keys[0] != keys[1]


def test_authenticated_attributes_are_not_ignored(soft: Engine, cert: Path, key: Key) -> None:
    file = sealed(soft, cert, b"content", pipe=True)
    tail = 18 + 6
    with pytest.raises(MonproError, match="authenticated attributes"):
        opened(soft, key, file[:-tail] + b"\xa1\x00" + file[-tail:])
    assert opened(soft, key, file[:-6] + b"\xa2\x00" + file[-6:]) == b"content"


def test_other_files_are_refused(soft: Engine, cert: Path, party: Party, key: Key) -> None:
    data = openssl.must("cms", "-data_create", "-outform", "DER", data=b"content")
    signed = openssl.must(
        "cms", "-sign", "-signer", cert, "-inkey", party.key, "-outform", "DER", data=b"content"
    )
    for file, words in (
        (data, "not sealed"), (signed, "not sealed"), (b"", "neither"), (b"\x89PNG\r\n", "neither"),
        (cert.read_bytes(), "PEM of something else"), (b"\0" * 9999, "neither"),
        (b"Subject: hello\n\nhello\n", "neither"), (b"-----BEGIN CMS-----\n!!!!\n", "base64"),
        (b"Content-Type: text/plain\n\nhello\n", "not in base64"), (b"\x30\x80", "too early"),
        (b"\x30\x89" + bytes(9), "absurd"), (b"\x30\x84\xff\xff\xff\xff\x06\x01\x01", "not sealed"),
    ):  # fmt: skip
        with pytest.raises(MonproError, match=words):
            opened(soft, key, file)


def test_deep_and_long_elements_are_refused(soft: Engine, cert: Path, key: Key) -> None:
    file = sealed(soft, cert, b"", pipe=True)
    start = file.index(b"\xa0\x80\0\0\0\0") + 2
    deep = b"\x24\x80" * 5000
    with pytest.raises(MonproError, match="too deep"):
        opened(soft, key, file[:start] + deep + file[start:])
    opening = b"\x30\x80\x06\x0b" + bytes.fromhex("2a864886f70d0109100117") + b"\xa0\x80\x30\x80"
    assert file.startswith(opening)
    for part in (b"\x30\x83\x20\0\0" + bytes(0x200000), b"\x30\x80" * 5000, b"\x1f\x85\0"):
        with pytest.raises(MonproError, match="MONPRO_ERR_CIPHERTEXT"):
            opened(soft, key, opening + part)
    nested = b""
    while len(nested) < 60000:
        nested = ber.header(0x30, len(nested)) + nested
    gcm = bytes.fromhex("060960864801650304012e")
    at = file.index(gcm) - 2
    algorithm = ber.header(0x30, len(gcm) + len(nested)) + gcm + nested
    with pytest.raises(MonproError, match="too deep"):
        opened(soft, key, file[:at] + algorithm + file[at + 2 + file[at + 1] :])


def test_slow_sources(soft: Engine, cert: Path, key: Key) -> None:
    content, out = os.urandom(300), io.BytesIO()
    recipient = seal_recipients.read_recipient(str(cert))
    cms.seal(soft, [recipient], Drip(content), None, out.write)
    for file in (
        out.getvalue(),
        b"-----BEGIN CMS-----\n" + base64.encodebytes(out.getvalue()) + b"-----END CMS-----\n",
    ):
        back = io.BytesIO()
        formats.open_file(soft, key, Drip(file), back.write)  # type: ignore[arg-type]
        assert back.getvalue() == content


@pytest.mark.parametrize("size", [6, 8])
def test_a_file_that_changes_its_length(soft: Engine, cert: Path, size: int) -> None:
    recipient = seal_recipients.read_recipient(str(cert))
    with pytest.raises(MonproError, match="changed its length"):
        cms.seal(soft, [recipient], Memory(b"content"), size, io.BytesIO().write)


@pytest.mark.parametrize("pipe", [False, True])
def test_constant_memory(soft: Engine, cert: Path, key: Key, tmp_path: Path, pipe: bool) -> None:
    size, path = 100_000_000, tmp_path / "sealed"

    class Zeros:
        left = size

        def read(self, most: int, /) -> bytes:
            count = min(most, self.left)
            self.left -= count
            return bytes(count)

    recipient = seal_recipients.read_recipient(str(cert))
    lengths = []
    tracemalloc.start()
    try:
        with path.open("wb") as file:
            cms.seal(soft, [recipient], Zeros(), None if pipe else size, file.write)
        with path.open("rb") as file:
            done = cms.open_sealed(soft, key, file, lambda data: lengths.append(len(data)))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert done == sum(lengths) == size
    assert peak < 8 * MIB
    path.unlink()


# ---- recipients


def test_who_cannot_be_sealed_to(soft: Engine, party: Party, tmp_path: Path) -> None:
    short = Party(tmp_path, 512)
    made = (
        ("ec", ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"), "not an RSA key"),
        ("pss", ("-newkey", "rsa-pss", "-pkeyopt", "rsa_keygen_bits:1024"), "not an RSA key"),
        ("use", ("-newkey", "rsa:1024", "-addext", "keyUsage=digitalSignature"), "key usage"),
    )
    cases = [(short.public, "1024 and more"), (certificate(short), "1024 and more")]
    for name, options, words in made:
        path = tmp_path / f"{name}.pem"
        openssl.must(
            "req", "-x509", "-nodes", "-subj", "/CN=x", "-keyout", tmp_path / "k", "-out", path,
            *options,
        )  # fmt: skip
        cases.append((path, words))
    bad = tmp_path / "bad.pem"
    bad.write_text(certificate(party).read_text().replace("MII", "MIA", 1))
    cases.append((bad, "the certificate is damaged"))
    for path, words in cases:
        with pytest.raises(MonproError, match=words):
            seal_recipients.read_recipient(str(path))


def test_certificates_in_der_and_expired(soft: Engine, party: Party, tmp_path: Path) -> None:
    der = tmp_path / "cert.der"
    openssl.must("x509", "-in", certificate(party), "-outform", "DER", "-out", der)
    assert they_open(party, sealed(soft, der, b"content")) == b"content"
    assert seal_recipients.read_recipient(str(der)).warnings == ()
    key = serialization.load_pem_private_key(party.key.read_bytes(), None)
    assert isinstance(key, rsa.RSAPrivateKey)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "old")])
    now = datetime.datetime.now(datetime.UTC)
    old = x509.CertificateBuilder(name, name, key.public_key(), 1)
    old = old.not_valid_before(now - datetime.timedelta(2)).not_valid_after(
        now - datetime.timedelta(1)
    )
    path = tmp_path / "old.pem"
    path.write_bytes(old.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    [warning] = seal_recipients.read_recipient(str(path)).warnings
    assert "has expired" in warning
