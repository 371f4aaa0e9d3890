# SPDX-License-Identifier: Apache-2.0
"""Files sealed by the hybrid scheme, in CMS: a fresh key wrapped by RSA, the content under it.

`seal` writes AuthEnvelopedData (RFC 5083) with AES-256-GCM (RFC 5084) and RSAES-OAEP with SHA-256
(RFC 3560, 4055). The tag comes behind the content. So a reader has to hold back what it decrypts
until it has seen the end: the functions here promise an error only then. `open` also reads
EnvelopedData with a CBC cipher, which nothing protects against change.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from typing import Any

from asn1crypto import algos, cms, core
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.decrepit.ciphers.algorithms import TripleDES
from cryptography.hazmat.primitives import padding
from cryptography.hazmat.primitives.ciphers import Cipher, modes
from cryptography.hazmat.primitives.ciphers.algorithms import AES

from monpro.engine import Engine
from monpro.errors import MonproError
from monpro.rsa import Key
from monpro.seal import ber
from monpro.seal.recipients import NOT_OPENED, Recipient, unwrap, wrap

KEY_BYTES, NONCE_BYTES, TAG_BYTES = 32, 12, 16
MOST_BYTES = 2**36 - 32  # under one key and nonce of GCM (NIST SP 800-38D, 5.2.1.1)

Write = Callable[[bytes], None]


class _GcmParameters(core.Sequence):  # type: ignore[misc]
    """GCMParameters of RFC 5084, which asn1crypto leaves out."""

    _fields = [  # noqa: RUF012 - asn1crypto reads it so
        ("nonce", core.OctetString),
        ("tag_bytes", core.Integer, {"default": 12}),
    ]


# ---- sealing


def seal(
    engine: Engine,
    recipients: Sequence[Recipient],
    source: ber.Source,
    size: int | None,
    write: Write,
) -> int:
    """Seals what a source gives to each of the recipients; returns how many bytes it was.

    With `size` known the file is DER. Else the content goes in parts whose end is marked (BER), as
    `openssl cms -stream` has it.
    """
    secret, nonce = secrets.token_bytes(KEY_BYTES), secrets.token_bytes(NONCE_BYTES)
    if size is not None and size > MOST_BYTES:
        raise _too_long()
    write(_head(wrap(engine, recipients, secret), nonce, size))
    encryptor = Cipher(AES(secret), modes.GCM(nonce)).encryptor()
    done = 0
    while piece := source.read(ber.PIECE):
        done += len(piece)
        if done > (MOST_BYTES if size is None else size):
            raise _too_long() if size is None else _changed()
        if size is None:
            write(ber.header(ber.OCTET_STRING, len(piece)))
        write(encryptor.update(piece))
    if size is not None and done != size:
        raise _changed()
    encryptor.finalize()
    tag = ber.header(ber.OCTET_STRING, TAG_BYTES) + encryptor.tag
    write(tag if size is not None else 2 * ber.END_OF_CONTENTS + tag + 3 * ber.END_OF_CONTENTS)
    return done


def _too_long() -> MonproError:
    return MonproError(
        "MONPRO_ERR_MESSAGE_LONG", f"a file of more than {MOST_BYTES} bytes: GCM allows no more"
    )


def _changed() -> MonproError:
    return MonproError("MONPRO_ERR_FILE", "the file changed its length while it was read")


def _head(infos: bytes, nonce: bytes, size: int | None) -> bytes:
    """All that comes before the content's first byte."""
    gcm = _GcmParameters({"nonce": nonce, "tag_bytes": TAG_BYTES})
    algorithm = algos.EncryptionAlgorithm({"algorithm": "aes256_gcm"})
    algorithm["parameters"] = core.Any(gcm)
    # From the inside out: what precedes the content in an element, and what follows it there.
    parts = (
        (ber.CONTEXT if size is not None else ber.CONTEXT | ber.CONSTRUCTED, b"", 0),
        (ber.SEQUENCE, cms.ContentType("data").dump() + algorithm.dump(), 0),
        (ber.SEQUENCE, cms.CMSVersion("v0").dump() + infos, 2 + TAG_BYTES),
        (ber.CONTEXT | ber.CONSTRUCTED, b"", 0),
        (ber.SEQUENCE, cms.ContentType("authenticated_enveloped_data").dump(), 0),
    )
    head, behind = b"", 0
    for tag, before, after in parts:
        head, behind = before + head, behind + after
        head = ber.header(tag, None if size is None else len(head) + size + behind) + head
    return head


# ---- opening


def open_sealed(
    engine: Engine,
    key: Key,
    source: ber.Source,
    write: Write,
    *,
    only: Recipient | None = None,
    unauthenticated: bool = False,
) -> int:
    """Writes the content of a sealed file; it is to be believed only when this has returned.

    only: the recipient, by certificate, that the key belongs to. unauthenticated: also read what
    has no protection against change. Returns how many bytes the content has.
    """
    reader = ber.Reader(source)
    reader.enter(ber.SEQUENCE)
    kind = _parsed(cms.ContentType, reader.element()).native
    if kind not in ("authenticated_enveloped_data", "enveloped_data"):
        raise MonproError("MONPRO_ERR_UNSUPPORTED", f"the file is not sealed: it is CMS {kind}")
    reader.enter(ber.CONTEXT | ber.CONSTRUCTED)
    reader.enter(ber.SEQUENCE)
    _parsed(cms.CMSVersion, reader.element())
    if reader.next_is(ber.CONTEXT | ber.CONSTRUCTED):
        reader.element()  # originatorInfo: certificates, which play no part here
    infos = reader.element()
    reader.enter(ber.SEQUENCE)
    inner = _parsed(cms.ContentType, reader.element()).native
    if inner != "data":
        raise MonproError("MONPRO_ERR_UNSUPPORTED", f"the sealed content is not a file: {inner}")
    algorithm = _parsed(algos.EncryptionAlgorithm, reader.element())
    name = algorithm["algorithm"].native
    opener: _Gcm | _Cbc
    if kind == "authenticated_enveloped_data":
        opener = _Gcm(name, algorithm)
    else:
        opener = _Cbc(name, algorithm)
        if not unauthenticated:
            raise MonproError(
                "MONPRO_ERR_UNSUPPORTED",
                f"the content is under {name} alone: anyone could have changed it, and a wrong key "
                "may go unnoticed; --unauthenticated opens it all the same",
            )
    opener.start(unwrap(engine, key, infos, opener.key_bytes, only))
    done = 0
    for piece in reader.octets(ber.CONTEXT):
        plain = opener.update(piece)
        done += len(plain)
        write(plain)
    reader.leave()
    plain = opener.finish(reader)
    write(plain)
    for _ in range(3):
        reader.leave()
    reader.finish()
    return done + len(plain)


def _parsed(kind: Any, data: bytes) -> Any:
    """An element by asn1crypto."""
    with ber.parsing("a part of it"):
        value = kind.load(data, strict=True)
        _ = value.native  # the parts are read now, and not when they are asked for
    return value


def _unsupported(name: str) -> MonproError:
    return MonproError("MONPRO_ERR_UNSUPPORTED", f"the content is under {name}")


class _Gcm:
    """AES-GCM, with the tag behind the content."""

    def __init__(self, name: str, algorithm: Any) -> None:
        lengths = {"aes128_gcm": 16, "aes192_gcm": 24, "aes256_gcm": 32}
        if name not in lengths:
            raise _unsupported(name)
        self.key_bytes = lengths[name]
        parameters = _parsed(_GcmParameters, algorithm["parameters"].dump())
        self._nonce, self._tag_bytes = parameters["nonce"].native, parameters["tag_bytes"].native
        if not 8 <= len(self._nonce) <= 128 or not 12 <= self._tag_bytes <= 16:
            raise ber.damaged("its cipher's parameters are none of GCM")

    def start(self, secret: bytes) -> None:
        mode = modes.GCM(self._nonce, min_tag_length=self._tag_bytes)
        self._decryptor = Cipher(AES(secret), mode).decryptor()

    def update(self, piece: bytes) -> bytes:
        try:
            return self._decryptor.update(piece)
        except ValueError as why:
            raise ber.damaged("it is longer than GCM allows") from why

    def finish(self, reader: ber.Reader) -> bytes:
        if reader.next_is(ber.CONTEXT | ber.CONSTRUCTED | 1):
            # They would be authenticated before the content, and stand behind it.
            raise MonproError("MONPRO_ERR_UNSUPPORTED", "the file has authenticated attributes")
        tag = b"".join(reader.octets(ber.OCTET_STRING))
        if reader.next_is(ber.CONTEXT | ber.CONSTRUCTED | 2):
            reader.element()  # attributes that nothing vouches for
        if len(tag) != self._tag_bytes:
            raise ber.damaged("its tag has a wrong length")
        try:
            return self._decryptor.finalize_with_tag(tag)
        except InvalidTag as why:
            raise MonproError("MONPRO_ERR_DECRYPT", NOT_OPENED) from why


class _Cbc:
    """A block cipher in CBC mode, and a padding that is no check."""

    def __init__(self, name: str, algorithm: Any) -> None:
        lengths = {"aes128_cbc": 16, "aes192_cbc": 24, "aes256_cbc": 32, "tripledes_3key": 24}
        if name not in lengths:
            raise _unsupported(name)
        self.key_bytes, self._des = lengths[name], name == "tripledes_3key"
        self._block = 8 if self._des else 16
        self._start = algorithm["parameters"].native
        if not isinstance(self._start, bytes) or len(self._start) != self._block:
            raise ber.damaged("its cipher's parameters are none of CBC")

    def start(self, secret: bytes) -> None:
        cipher = TripleDES(secret) if self._des else AES(secret)
        self._decryptor = Cipher(cipher, modes.CBC(self._start)).decryptor()
        self._unpadder = padding.PKCS7(8 * self._block).unpadder()

    def update(self, piece: bytes) -> bytes:
        return self._unpadder.update(self._decryptor.update(piece))

    def finish(self, reader: ber.Reader) -> bytes:
        if reader.next_is(ber.CONTEXT | ber.CONSTRUCTED | 1):
            reader.element()  # attributes
        try:
            last = self._unpadder.update(self._decryptor.finalize())
            return last + self._unpadder.finalize()
        except ValueError as why:
            raise MonproError("MONPRO_ERR_DECRYPT", NOT_OPENED) from why
