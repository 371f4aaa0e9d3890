# SPDX-License-Identifier: Apache-2.0
"""Who a file is sealed to: an RSA key with its name in CMS (RFC 5652, 6.2.1), and key transport."""

from __future__ import annotations

import dataclasses
import datetime
import secrets
from collections.abc import Sequence
from typing import Any

from asn1crypto import algos, cms
from asn1crypto import x509 as asn1_x509
from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa as rsa_keys
from cryptography.x509.oid import PublicKeyAlgorithmOID

from monpro import rsa
from monpro.base import files
from monpro.engine import Engine
from monpro.errors import MonproError
from monpro.rsa import Key
from monpro.seal.ber import damaged, parsing

MIN_BITS = 1024
DIGEST = "sha256"  # of OAEP, and of its MGF1
MOST_RECIPIENTS = 1000  # in a file that is opened

# One answer to a wrong key, a changed file and a forged one: what a failure tells, an attacker who
# may send files learns too.
NOT_OPENED = "the file does not open: it is sealed to another key, or it was changed"


@dataclasses.dataclass(frozen=True, slots=True)
class Recipient:
    """A key to seal to.

    `rid` is its name in CMS, `names` all that it may have (in DER), `warnings` what the caller
    should hear about its certificate.
    """

    path: str
    key: Key
    rid: cms.RecipientIdentifier
    names: frozenset[bytes]
    warnings: tuple[str, ...] = ()


def key_identifier(key: Key) -> bytes:
    """SHA-1 of the public key's bits (RFC 5280, 4.2.1.2, method 1): a name, no protection."""
    public = serialization.load_der_public_key(key.write("public_spki", der=True))
    assert isinstance(public, rsa_keys.RSAPublicKey)
    return x509.SubjectKeyIdentifier.from_public_key(public).digest


def read_recipient(path: str) -> Recipient:
    """Reads a recipient from a certificate or a key, PEM or DER."""
    data = files.read(path)
    certificate = _certificate(path, data)
    if certificate is None:
        key = _long_enough(path, _key(path, data))
        rid = _by_identifier(key_identifier(key))
        return Recipient(path, key, rid, frozenset({rid.chosen.dump()}))
    return _from_certificate(path, certificate)


def _key(path: str, data: bytes) -> Key:
    try:
        return Key.read(data)
    except MonproError as error:
        raise MonproError(error.name, f"{path}: {error.message}") from error


def _long_enough(path: str, key: Key) -> Key:
    if key.bits < MIN_BITS:
        raise MonproError(
            "MONPRO_ERR_KEY_SIZE",
            f"{path}: a key of {key.bits} bits; files are sealed to {MIN_BITS} and more",
        )
    return key


def _certificate(path: str, data: bytes) -> x509.Certificate | None:
    """The first certificate in a file; None if it is no certificate's file."""
    try:
        if b"-----BEGIN CERTIFICATE-----" in data:
            return x509.load_pem_x509_certificate(data)
        if data.startswith(b"-----"):
            return None
    except ValueError as why:
        raise _no_good(path, "the certificate is damaged") from why
    try:
        return x509.load_der_x509_certificate(data)
    except ValueError:
        return None


def _no_good(path: str, why: str) -> MonproError:
    return MonproError("MONPRO_ERR_KEY_FORMAT", f"{path}: {why}")


def _from_certificate(path: str, certificate: x509.Certificate) -> Recipient:
    try:
        public = certificate.public_key()
        usage = certificate.extensions.get_extension_for_class(x509.KeyUsage).value
        allowed = usage.key_encipherment or usage.data_encipherment
    except x509.ExtensionNotFound:
        allowed = True  # no word about it
    except (ValueError, UnsupportedAlgorithm) as why:
        raise _no_good(path, "the certificate's key or extensions cannot be read") from why
    if (
        not isinstance(public, rsa_keys.RSAPublicKey)
        or certificate.public_key_algorithm_oid != PublicKeyAlgorithmOID.RSAES_PKCS1_v1_5
    ):
        raise _no_good(path, "the certificate's key is not an RSA key for encryption")
    if not allowed:
        raise _no_good(path, "the certificate's key usage does not allow encryption")
    spki = public.public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    now = datetime.datetime.now(datetime.UTC)
    warnings: tuple[str, ...] = ()
    if not certificate.not_valid_before_utc <= now <= certificate.not_valid_after_utc:
        warnings = (f"{path}: the certificate has expired, or is not valid yet",)
    key = _long_enough(path, _key(path, spki))
    # The usual name is by issuer and number; the issuer in the very bytes of the certificate.
    parsed = asn1_x509.Certificate.load(certificate.public_bytes(serialization.Encoding.DER))
    issued = {"issuer": parsed.issuer, "serial_number": parsed.serial_number}
    rid = cms.RecipientIdentifier("issuer_and_serial_number", issued)
    identifiers = {key_identifier(key), parsed.key_identifier or key_identifier(key)}
    names = {rid.chosen.dump(), *(_by_identifier(i).chosen.dump() for i in identifiers)}
    return Recipient(path, key, rid, frozenset(names), warnings)


def _by_identifier(identifier: bytes) -> cms.RecipientIdentifier:
    return cms.RecipientIdentifier("subject_key_identifier", identifier)


# ---- key transport


def wrap(engine: Engine, recipients: Sequence[Recipient], secret: bytes) -> bytes:
    """The RecipientInfos: the content's key under RSA-OAEP, once for each recipient."""
    digest = {"algorithm": DIGEST}
    parameters = {
        "hash_algorithm": digest,
        "mask_gen_algorithm": {"algorithm": "mgf1", "parameters": digest},
    }
    infos = []
    for recipient in recipients:
        block = rsa.encrypt(engine, recipient.key, secret, padding="oaep", digest=DIGEST)
        by_issuer = recipient.rid.name == "issuer_and_serial_number"
        info = {
            "version": "v0" if by_issuer else "v2",
            "rid": recipient.rid,
            "key_encryption_algorithm": {
                "algorithm": "rsaes_oaep",
                "parameters": algos.RSAESOAEPParams(parameters),
            },
            "encrypted_key": block,
        }
        infos.append(cms.RecipientInfo("ktri", cms.KeyTransRecipientInfo(info)))
    return bytes(cms.RecipientInfos(infos).dump())


@dataclasses.dataclass(frozen=True, slots=True)
class _Wrapped:
    """The content's key for one recipient; `oaep` is None for PKCS#1 v1.5."""

    block: bytes
    oaep: tuple[str, bytes] | None  # digest and label


def unwrap(
    engine: Engine, key: Key, infos: bytes, length: int, only: Recipient | None = None
) -> bytes:
    """The content's key, from the RecipientInfos.

    Who holds only a key cannot know which issuer's name is his: if none has the key's own, each
    block is tried that could be for it; `only` is the recipient whose names alone count. A block
    that does not decrypt under PKCS#1 v1.5 must not be told from one that does (Bleichenbacher;
    RFC 3218): it gives a random key, and the content decides.
    """
    candidates = _candidates(key, infos, only)
    spare = secrets.token_bytes(length)
    found = None
    for wrapped in candidates:
        plain = _decrypt(engine, key, wrapped)
        if found is None and plain is not None and len(plain) == length:
            found = plain
            if wrapped.oaep is not None:
                return found
    if found is None and all(wrapped.oaep is not None for wrapped in candidates):
        raise MonproError("MONPRO_ERR_DECRYPT", NOT_OPENED)
    return spare if found is None else found


def _candidates(key: Key, infos: bytes, only: Recipient | None) -> list[_Wrapped]:
    """The blocks to try: those with a name of ours, or else all that have the key's length."""
    names = only.names if only else {_by_identifier(key_identifier(key)).chosen.dump()}
    named: list[_Wrapped] = []
    others: list[_Wrapped] = []
    reasons: list[str] = []
    with parsing("its list of recipients"):
        parsed = cms.RecipientInfos.load(infos, strict=True)
        if len(parsed) > MOST_RECIPIENTS:
            raise damaged(f"it has more than {MOST_RECIPIENTS} recipients")
        for info in parsed:
            if info.name != "ktri":
                reasons.append("a key that is not wrapped by RSA")
                continue
            wrapped = _wrapped(info.chosen)
            if isinstance(wrapped, str):
                reasons.append(wrapped)
            elif len(wrapped.block) == key.size:
                mine = info.chosen["rid"].chosen.dump() in names
                (named if mine else others).append(wrapped)
    if reasons and not named and not others:
        raise MonproError("MONPRO_ERR_UNSUPPORTED", f"the sealed file has {reasons[0]}")
    return named if named or only else others


def _wrapped(info: Any) -> _Wrapped | str:
    """What can be decrypted, or in words what it is."""
    algorithm = info["key_encryption_algorithm"]
    name = algorithm["algorithm"].native
    block = info["encrypted_key"].native
    if name == "rsaes_pkcs1v15":
        return _Wrapped(block, None)
    if name != "rsaes_oaep":
        return f"a key wrapped by {name}"
    parameters = algorithm["parameters"]
    if not isinstance(parameters, algos.RSAESOAEPParams):
        parameters = algos.RSAESOAEPParams()  # left out: all defaults
    digest = parameters["hash_algorithm"]["algorithm"].native
    mask = parameters["mask_gen_algorithm"]
    source = parameters["p_source_algorithm"]
    if mask["algorithm"].native != "mgf1" or source["algorithm"].native != "p_specified":
        return "an OAEP with an unknown mask or label"
    if mask["parameters"]["algorithm"].native != digest:
        return "an OAEP with one digest for the label and another for MGF1"
    return _Wrapped(block, (digest.replace("_", "-"), source["parameters"].native))


def _decrypt(engine: Engine, key: Key, wrapped: _Wrapped) -> bytes | None:
    """What is in a block, or None: not for this key, or not whole."""
    try:
        if wrapped.oaep is None:
            return rsa.decrypt(engine, key, wrapped.block, padding="pkcs1")
        digest, label = wrapped.oaep
        return rsa.decrypt(engine, key, wrapped.block, padding="oaep", digest=digest, label=label)
    except MonproError as error:
        if error.name not in ("MONPRO_ERR_DECRYPT", "MONPRO_ERR_CIPHERTEXT"):
            raise
        return None
