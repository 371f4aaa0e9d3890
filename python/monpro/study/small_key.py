"""RSA keys of 32 to 256 bits, to study with: they can be factored in minutes or less.

libcrypto makes and reads none below 512 bits, so these are made and written here, and Monpro's own
commands with `--key` do not take them either.
"""

from __future__ import annotations

import base64
import math
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from monpro.errors import MonproError

MIN_BITS, MAX_BITS = 32, 256
ROUNDS = 64  # of Miller and Rabin's test: at most one composite number in 4^64 passes
_RSA_OID = bytes.fromhex("06092a864886f70d0101010500")  # rsaEncryption, without parameters

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


def _length(size: int) -> bytes:
    if size < 128:
        return bytes([size])
    octets = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([0x80 | len(octets)]) + octets


def _tagged(tag: int, content: bytes) -> bytes:
    return bytes([tag]) + _length(len(content)) + content


def _sequence(*parts: bytes) -> bytes:
    return _tagged(0x30, b"".join(parts))


def _integers(numbers: Sequence[int]) -> bytes:
    """A sequence of whole numbers."""
    return _sequence(*(_tagged(2, n.to_bytes(n.bit_length() // 8 + 1, "big")) for n in numbers))


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
        """As PKCS#1 has them."""
        return {
            "n": self.n, "e": self.e, "d": self.d, "p": self.p, "q": self.q,
            "dp": self.d % (self.p - 1), "dq": self.d % (self.q - 1),
            "qinv": pow(self.q, -1, self.p),
        }  # fmt: skip

    def write(self, form: str = "private_pkcs8", *, der: bool = False) -> bytes:
        """The key in one of the forms of rsa.Key.write, PEM or DER."""
        private = _integers([0, *self.numbers().values()])
        public = _integers([self.n, self.e])
        algorithm = _sequence(_RSA_OID)
        forms = {
            "private_pkcs1": ("RSA PRIVATE KEY", private),
            "private_pkcs8": (
                "PRIVATE KEY", _sequence(_tagged(2, b"\0"), algorithm, _tagged(4, private)),
            ),
            "public_pkcs1": ("RSA PUBLIC KEY", public),
            "public_spki": ("PUBLIC KEY", _sequence(algorithm, _tagged(3, b"\0" + public))),
        }  # fmt: skip
        name, data = forms[form]
        if der:
            return data
        text = base64.b64encode(data).decode()
        lines = [text[place : place + 64] for place in range(0, len(text), 64)]
        return "\n".join([f"-----BEGIN {name}-----", *lines, f"-----END {name}-----", ""]).encode()
