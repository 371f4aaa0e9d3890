# SPDX-License-Identifier: Apache-2.0
"""RSA keys of 32 to 256 bits, for study: they can be factored in minutes or less.

libcrypto makes and reads no key below 512 bits, so these keys are made here, and asn1crypto writes
them. Monpro's own commands with `--key` refuse them.
"""

from __future__ import annotations

import math
import secrets
from dataclasses import dataclass
from typing import Self

from asn1crypto import keys, pem

from monpro.errors import MonproError

MIN_BITS, MAX_BITS = 32, 256
ROUNDS = 64  # of Miller and Rabin's test: at most one composite number in 4^64 passes

WARNING = (
    "a key of {} bits is for study only: it can be factored within minutes, and Monpro's commands "
    "with --key refuse it"
)


def _is_prime(n: int) -> bool:
    for small in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37):
        if n % small == 0:
            return n == small
    odd, twos = n - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for _ in range(ROUNDS):
        x = pow(secrets.randbelow(n - 3) + 2, odd, n)
        if x in (1, n - 1):
            continue
        for _ in range(twos - 1):
            x = x * x % n
            if x == n - 1:
                break
        else:
            return False
    return True


def _prime(bits: int, e: int) -> int:
    """A random prime with its two highest bits set, so that two of them give a full product."""
    while True:
        p = secrets.randbits(bits) | 3 << (bits - 2) | 1
        if math.gcd(p - 1, e) == 1 and _is_prime(p):
            return p


@dataclass(frozen=True, slots=True)
class StudyKey:
    """The numbers of a key."""

    p: int
    q: int
    e: int

    @classmethod
    def generate(cls, bits: int, e: int = 65537) -> Self:
        if not MIN_BITS <= bits <= MAX_BITS:
            raise MonproError(
                "MONPRO_ERR_KEY_SIZE",
                f"a key of {bits} bits: --study is for {MIN_BITS} to {MAX_BITS}; from 512 on a key "
                "is made without it",
            )
        if e < 3 or e % 2 == 0 or e.bit_length() >= bits:
            raise MonproError(
                "MONPRO_ERR_KEY_EXPONENT",
                "the public exponent has to be odd, above 2 and shorter than the modulus",
            )
        while True:
            p, q = _prime(bits - bits // 2, e), _prime(bits // 2, e)
            if p != q:
                return cls(max(p, q), min(p, q), e)

    @property
    def n(self) -> int:
        return self.p * self.q

    @property
    def d(self) -> int:
        return pow(self.e, -1, math.lcm(self.p - 1, self.q - 1))

    @property
    def bits(self) -> int:
        return self.n.bit_length()

    def numbers(self) -> dict[str, int]:
        """The numbers of the key, by their names in PKCS#1."""
        return {
            "n": self.n, "e": self.e, "d": self.d, "p": self.p, "q": self.q,
            "dp": self.d % (self.p - 1), "dq": self.d % (self.q - 1),
            "qinv": pow(self.q, -1, self.p),
        }  # fmt: skip

    def write(self, form: str = "private_pkcs8", *, der: bool = False) -> bytes:
        """The key in one of the forms of rsa.Key.write, PEM or DER."""
        n, e, d, p, q, dp, dq, qinv = self.numbers().values()
        private = keys.RSAPrivateKey({
            "version": "two-prime", "modulus": n, "public_exponent": e, "private_exponent": d,
            "prime1": p, "prime2": q, "exponent1": dp, "exponent2": dq, "coefficient": qinv,
        })  # fmt: skip
        public = keys.RSAPublicKey({"modulus": n, "public_exponent": e})
        forms = {
            "private_pkcs1": ("RSA PRIVATE KEY", private),
            "private_pkcs8": ("PRIVATE KEY", keys.PrivateKeyInfo.wrap(private, "rsa")),
            "public_pkcs1": ("RSA PUBLIC KEY", public),
            "public_spki": ("PUBLIC KEY", keys.PublicKeyInfo.wrap(public, "rsa")),
        }
        name, value = forms[form]
        data: bytes = value.dump()
        text: bytes = data if der else pem.armor(name, data)
        return text
