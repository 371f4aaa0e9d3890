# SPDX-License-Identifier: Apache-2.0
"""Key files with any numbers in them, which no ordinary program would write."""

from __future__ import annotations

import base64
import dataclasses

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa


@dataclasses.dataclass
class Numbers:
    """An RSAPrivateKey of RFC 8017, in its order."""

    n: int
    e: int
    d: int
    p: int
    q: int
    dp: int
    dq: int
    qinv: int

    @classmethod
    def of(cls, pem: bytes) -> Numbers:
        key = serialization.load_pem_private_key(pem, None)
        assert isinstance(key, rsa.RSAPrivateKey)
        private = key.private_numbers()
        public = private.public_numbers
        return cls(
            public.n, public.e, private.d, private.p, private.q,
            private.dmp1, private.dmq1, private.iqmp,
        )  # fmt: skip

    def private_der(self) -> bytes:
        return _sequence(0, *dataclasses.astuple(self))

    def public_der(self) -> bytes:
        return _sequence(self.n, self.e)

    def private_pem(self) -> bytes:
        return _pem("RSA PRIVATE KEY", self.private_der())

    def public_pem(self) -> bytes:
        return _pem("RSA PUBLIC KEY", self.public_der())


def _tagged(tag: int, content: bytes) -> bytes:
    length = len(content)
    if length < 128:
        return bytes([tag, length]) + content
    size = length.to_bytes((length.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(size)]) + size + content


def _sequence(*numbers: int) -> bytes:
    integers = (n.to_bytes(n.bit_length() // 8 + 1, "big") for n in numbers)
    return _tagged(0x30, b"".join(_tagged(0x02, number) for number in integers))


def _pem(label: str, der: bytes) -> bytes:
    text = base64.encodebytes(der)
    return b"-----BEGIN %b-----\n%b-----END %b-----\n" % (label.encode(), text, label.encode())
