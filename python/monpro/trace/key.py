# SPDX-License-Identifier: Apache-2.0
"""The numbers of a key, for a trace. A key for study works too, which the library does not read."""

from __future__ import annotations

from dataclasses import dataclass

from monpro.errors import MonproError
from monpro.rsa import Key
from monpro.study.small_key import MAX_BITS


@dataclass(frozen=True, slots=True)
class Numbers:
    """Modulus and exponents. A public key has no d."""

    n: int
    e: int
    d: int | None


def read(data: bytes, passphrase: bytes | None) -> Numbers:
    """The numbers of a key in PEM or DER."""
    study = _parse(data)
    if study is not None and study.n.bit_length() <= MAX_BITS:
        return study
    key = Key.read(data, passphrase)
    form = "private_pkcs1" if key.private else "public_pkcs1"
    numbers = _parse(key.write(form, der=True))  # type: ignore[arg-type]
    assert numbers is not None
    return numbers


def _parse(data: bytes) -> Numbers | None:
    """The numbers, if the key is not encrypted and in one of the forms of StudyKey.write."""
    from asn1crypto import keys, pem

    if pem.detect(data):
        try:
            _name, _headers, data = pem.unarmor(data)
        except ValueError:
            return None
    for kind in (keys.PrivateKeyInfo, keys.RSAPrivateKey, keys.PublicKeyInfo, keys.RSAPublicKey):
        try:
            key = kind.load(data, strict=True)
            if kind is keys.PrivateKeyInfo:
                key = key["private_key"].parsed
            elif kind is keys.PublicKeyInfo:
                key = key["public_key"].parsed
            n, e = key["modulus"].native, key["public_exponent"].native
            d = key["private_exponent"].native if isinstance(key, keys.RSAPrivateKey) else None
        except (ValueError, TypeError, KeyError, AttributeError):
            continue
        return Numbers(n, e, d)
    return None


def private_exponent(numbers: Numbers) -> int:
    """d, of a private key."""
    if numbers.d is None:
        raise MonproError(
            "MONPRO_ERR_KEY_PUBLIC", "a private key is needed and this is a public one"
        )
    return numbers.d
