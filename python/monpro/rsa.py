# SPDX-License-Identifier: Apache-2.0
"""RSA with real keys and paddings, through an engine."""

from __future__ import annotations

import contextlib
import dataclasses
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, Self

from monpro import _native
from monpro.engine import Engine, _counters
from monpro.errors import MonproError

Bytes = bytes | bytearray | memoryview
Padding = Literal["none", "pkcs1", "oaep", "pss"]
Salt = Literal["default", "digest", "longest", "any"]
KeyForm = Literal["private_pkcs8", "private_pkcs1", "public_spki", "public_pkcs1"]


class Key:
    """An RSA key, private or public, checked whole when it was read."""

    def __init__(self, handle: Any) -> None:
        native = _native.load()
        self._handle = native.ffi.gc(handle, native.lib.monpro_key_free)
        self._lock = threading.Lock()

    @classmethod
    def read(
        cls,
        data: Bytes,
        passphrase: str | bytes | None = None,
        *,
        long_exponent: bool = False,
        any_encoding: bool = False,
    ) -> Self:
        """Reads a key from PEM or DER: PKCS#1, PKCS#8 or SPKI.

        The public exponent has 64 bits at most unless `long_exponent`, and the encoding is strict
        DER unless `any_encoding`.
        """
        native = _native.load()
        out = native.ffi.new("monpro_key **")
        buffer = native.ffi.from_buffer(data)
        secret = _passphrase(native, passphrase)
        options = native.ffi.new("monpro_key_options *")
        options.size, options.passphrase = native.ffi.sizeof(options[0]), secret
        options.flags = native.lib.MONPRO_KEY_LONG_EXPONENT * long_exponent
        options.flags |= native.lib.MONPRO_KEY_ANY_ENCODING * any_encoding
        native.call(native.lib.monpro_key_read_with, out, buffer, len(buffer), options)
        return cls(out[0])

    @classmethod
    def read_file(cls, path: str | Path, passphrase: str | bytes | None = None) -> Self:
        """The same from a file."""
        native = _native.load()
        out = native.ffi.new("monpro_key **")
        secret = _passphrase(native, passphrase)
        native.call(native.lib.monpro_key_read_file, out, str(path).encode(), secret)
        return cls(out[0])

    @classmethod
    def generate(cls, bits: int, e: int = 65537) -> Self:
        """A new key of two primes."""
        native = _native.load()
        out = native.ffi.new("monpro_key **")
        for name, value, limit in (("bits", bits, 32), ("e", e, 64)):
            if not 0 <= value < 1 << limit:
                raise MonproError("MONPRO_ERR_ARGUMENT", f"{name} = {value} is out of range")
        native.call(native.lib.monpro_key_generate, out, bits, e)
        return cls(out[0])

    def write(
        self,
        form: KeyForm = "private_pkcs8",
        *,
        der: bool = False,
        passphrase: str | bytes | None = None,
    ) -> bytes:
        """The key in one of its forms, PEM or DER."""
        native = _native.load()
        c_form = _constant(native, "KEY", form, "MONPRO_ERR_ARGUMENT", "form")
        secret = _passphrase(native, passphrase)
        length = native.ffi.new("size_t *")
        arguments = (native.lib.monpro_key_write, self._handle, c_form, int(der), secret)
        native.call(*arguments, native.ffi.NULL, length)
        out = native.ffi.new("uint8_t[]", length[0])
        native.call(*arguments, out, length)
        return bytes(native.ffi.buffer(out, length[0]))

    @property
    def bits(self) -> int:
        """The length of the modulus."""
        return int(_native.load().lib.monpro_key_bits(self._handle))

    @property
    def size(self) -> int:
        """The same in bytes: the length of a signature or a ciphertext."""
        return (self.bits + 7) // 8

    @property
    def private(self) -> bool:
        return bool(_native.load().lib.monpro_key_is_private(self._handle))


def _passphrase(native: _native.Native, passphrase: str | bytes | None) -> Any:
    if passphrase is None:
        return native.ffi.NULL
    data = passphrase.encode() if isinstance(passphrase, str) else passphrase
    if b"\0" in data:
        raise MonproError("MONPRO_ERR_ARGUMENT", "a passphrase cannot hold a zero byte")
    return native.ffi.new("char[]", data)


def _constant(native: _native.Native, kind: str, word: str, error: str, what: str) -> int:
    """The value of MONPRO_KIND_WORD; an unknown word is an error that lists the valid ones."""
    prefix = f"MONPRO_{kind}_"
    enums = {"KEY": "monpro_key_form", "PADDING": "monpro_padding", "SALT": "monpro_salt"}
    enum = native.ffi.typeof(enums[kind])
    values = {name.removeprefix(prefix).lower(): number for number, name in enum.elements.items()}
    if word not in values:
        raise MonproError(error, f'no {what} "{word}"; there are: {", ".join(values)}')
    return int(values[word])


class _Settings:
    """A monpro_rsa_settings with the memory it points to."""

    def __init__(
        self,
        native: _native.Native,
        padding: Padding,
        digest: str | None = None,
        label: Bytes = b"",
        *,
        mgf1_digest: str | None = None,
        salt: Salt | int = "default",
        prehashed: bool = False,
        crt: bool = True,
        blinding: bool = True,
    ) -> None:
        self._kept = (
            *(native.ffi.NULL if n is None else native.ffi.new("char[]", n.encode())
              for n in (digest, mgf1_digest)),
            native.ffi.from_buffer(label),
        )  # fmt: skip
        self.pointer = native.ffi.new("monpro_rsa_settings *")
        self.pointer.size = native.ffi.sizeof("monpro_rsa_settings")
        self.options = native.ffi.addressof(self.pointer, "options")
        self.options.padding = _constant(
            native, "PADDING", padding, "MONPRO_ERR_PADDING", "padding"
        )
        self.options.digest, self.pointer.mgf1_digest = self._kept[:2]
        self.options.label, self.options.label_len = self._kept[2], len(label)
        self.options.no_crt, self.options.no_blinding = int(not crt), int(not blinding)
        self.pointer.prehashed = int(prehashed)
        self._salt(native, salt)
        self._checks = native.ffi.new("monpro_counters *")
        self.options.check_counters = self._checks

    def _salt(self, native: _native.Native, salt: Salt | int) -> None:
        if isinstance(salt, str):
            self.pointer.salt = _constant(native, "SALT", salt, "MONPRO_ERR_ARGUMENT", "salt")
        elif 0 <= salt < 1 << 32:
            self.pointer.salt, self.pointer.salt_len = native.lib.MONPRO_SALT_BYTES, salt
        else:
            raise MonproError("MONPRO_ERR_ARGUMENT", f"a salt of {salt} bytes cannot be")

    def book(self, engine: Engine) -> None:
        """Lets the engine know what the check of a private result spent; while it is in use."""
        engine._checks += _counters(self._checks)


def _transform(name: str, engine: Engine, key: Key, data: Bytes, settings: _Settings) -> bytes:
    """Calls one of the functions that make one block, or what was in it, out of `data`."""
    native = _native.load()
    out = native.ffi.new("uint8_t[]", key.size)
    length = native.ffi.new("size_t *", key.size)
    source = native.ffi.from_buffer(data)
    with key._lock, engine._using() as handle:
        function = getattr(native.lib, f"monpro_{name}_with")
        native.call(
            function, handle, key._handle, source, len(source), out, length, settings.pointer
        )
        settings.book(engine)
    return bytes(native.ffi.buffer(out, length[0]))


def sign(
    engine: Engine,
    key: Key,
    message: Bytes,
    *,
    padding: Padding = "pss",
    digest: str | None = None,
    mgf1_digest: str | None = None,
    salt: Salt | int = "default",
    prehashed: bool = False,
    crt: bool = True,
    blinding: bool = True,
) -> bytes:
    """The signature of a message, which is digested here (padding "none": one block as it is).

    `salt` is the length of PSS's salt in bytes, or "digest" (the default) or "longest".
    With `prehashed` the message is a digest already.
    """
    settings = _Settings(
        _native.load(), padding, digest, mgf1_digest=mgf1_digest, salt=salt, prehashed=prehashed,
        crt=crt, blinding=blinding,
    )  # fmt: skip
    return _transform("sign", engine, key, message, settings)


def verify(
    engine: Engine,
    key: Key,
    message: Bytes,
    signature: Bytes,
    *,
    padding: Padding = "pss",
    digest: str | None = None,
    mgf1_digest: str | None = None,
    salt: Salt | int = "default",
    prehashed: bool = False,
) -> None:
    """Returns if the signature is good; raises MONPRO_ERR_SIGNATURE if it is not.

    `salt` is the length that PSS's salt must have: bytes, "digest", "longest" or "any" (the
    default). With `prehashed` the message is a digest already.
    """
    native = _native.load()
    settings = _Settings(
        native, padding, digest, mgf1_digest=mgf1_digest, salt=salt, prehashed=prehashed
    )
    text, mark = native.ffi.from_buffer(message), native.ffi.from_buffer(signature)
    with key._lock, engine._using() as handle:
        native.call(
            native.lib.monpro_verify_with, handle, key._handle,
            text, len(text), mark, len(mark), settings.pointer,
        )  # fmt: skip


def encrypt(
    engine: Engine,
    key: Key,
    message: Bytes,
    *,
    padding: Padding = "oaep",
    digest: str | None = None,
    mgf1_digest: str | None = None,
    label: Bytes = b"",
) -> bytes:
    """One RSA block that holds a message. Without `mgf1_digest`, MGF1 uses `digest`."""
    settings = _Settings(_native.load(), padding, digest, label, mgf1_digest=mgf1_digest)
    return _transform("encrypt", engine, key, message, settings)


def decrypt(
    engine: Engine,
    key: Key,
    ciphertext: Bytes,
    *,
    padding: Padding = "oaep",
    digest: str | None = None,
    mgf1_digest: str | None = None,
    label: Bytes = b"",
    crt: bool = True,
    blinding: bool = True,
) -> bytes:
    """The message in one RSA block; raises MONPRO_ERR_DECRYPT if there is none."""
    settings = _Settings(
        _native.load(), padding, digest, label,
        mgf1_digest=mgf1_digest, crt=crt, blinding=blinding,
    )  # fmt: skip
    return _transform("decrypt", engine, key, ciphertext, settings)


def _raw(
    name: str, engine: Engine, key: Key, blocks: list[bytes], crt: bool, blinding: bool
) -> list[bytes]:
    native = _native.load()
    size = key.size
    for block in blocks:
        if len(block) != size:
            raise MonproError(
                "MONPRO_ERR_BUFFER", f"a block has {len(block)} bytes; the key's have {size}"
            )
    settings = _Settings(native, "none", crt=crt, blinding=blinding)
    source = native.ffi.from_buffer(b"".join(blocks))
    out = native.ffi.new("uint8_t[]", max(len(source), 1))
    with key._lock, engine._using() as handle:
        function = getattr(native.lib, f"monpro_rsa_{name}")
        native.call(function, handle, key._handle, source, out, len(blocks), settings.options)
        settings.book(engine)
    data = bytes(native.ffi.buffer(out, len(source)))
    return [data[i : i + size] for i in range(0, len(data), size)]


def raw_public(engine: Engine, key: Key, blocks: list[bytes]) -> list[bytes]:
    """x ^ e mod n of each block, without padding."""
    return _raw("public", engine, key, blocks, True, True)


def raw_private(
    engine: Engine, key: Key, blocks: list[bytes], *, crt: bool = True, blinding: bool = True
) -> list[bytes]:
    """x ^ d mod n of each block, without padding, each checked before it is released."""
    return _raw("private", engine, key, blocks, crt, blinding)


@dataclasses.dataclass(frozen=True, slots=True)
class RawResult:
    """How one block of a batch across keys ended. `value` raises its error, if it has one."""

    _value: bytes
    error: MonproError | None

    @property
    def value(self) -> bytes:
        if self.error:
            raise self.error
        return self._value


def _raw_batch(
    name: str, engine: Engine, requests: Sequence[tuple[Key, Bytes]], crt: bool, blinding: bool
) -> list[RawResult]:
    native = _native.load()
    settings = _Settings(native, "none", crt=crt, blinding=blinding)
    c_jobs = native.ffi.new("monpro_rsa_job[]", max(len(requests), 1))
    kept, outs, refused = [], [], {}
    for i, (c_job, (key, block)) in enumerate(zip(c_jobs, requests, strict=False)):
        out = native.ffi.new("uint8_t[]", key.size)
        outs.append(out)
        c_job.key, c_job.out = key._handle, out
        if len(block) == key.size:
            kept.append(native.ffi.from_buffer(block))
            setattr(c_job, "in", kept[-1])
        else:  # it stays NULL, which the library refuses
            why = f"a block has {len(block)} bytes; the key's have {key.size}"
            refused[i] = MonproError("MONPRO_ERR_BUFFER", why)
    error = native.ffi.new("monpro_error *")
    with contextlib.ExitStack() as stack:
        # Each key once, and always in one order: of two threads neither waits for the other's.
        for _, lock in sorted({id(key): key._lock for key, _ in requests}.items()):
            stack.enter_context(lock)
        handle = stack.enter_context(engine._using())
        function = getattr(native.lib, f"monpro_rsa_{name}_batch")
        function(handle, c_jobs, len(requests), settings.options, error)
        settings.book(engine)
    results = []
    # The library describes the first failed job; the others get their status' sentence.
    message = native.text(error.message)
    for i, out in enumerate(outs):
        found = None
        if c_jobs[i].status:
            found = refused.get(i) or engine._named(native.error(c_jobs[i].status, message))
            message = ""
        results.append(RawResult(bytes(native.ffi.buffer(out)), found))
    return results


def raw_public_batch(engine: Engine, requests: Sequence[tuple[Key, Bytes]]) -> list[RawResult]:
    """x ^ e mod n of blocks, each with its key. A failed one does not keep the others from
    running."""
    return _raw_batch("public", engine, requests, True, True)


def raw_private_batch(
    engine: Engine,
    requests: Sequence[tuple[Key, Bytes]],
    *,
    crt: bool = True,
    blinding: bool = True,
) -> list[RawResult]:
    """x ^ d mod n of blocks, each with its key and checked before it is released. A failed one
    does not keep the others from running."""
    return _raw_batch("private", engine, requests, crt, blinding)
