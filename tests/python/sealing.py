# SPDX-License-Identifier: Apache-2.0
"""What the tests of sealed files share: certificates, sealing in memory, and ways to damage."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

from monpro import Engine
from monpro.measure import openssl
from monpro.measure.openssl import Party
from monpro.rsa import Key
from monpro.seal import formats

OAEP = ("-keyopt", "rsa_padding_mode:oaep")


class Memory(io.BytesIO):
    """A source in memory; a pipe if its length is not to be known."""

    def __init__(self, data: bytes, pipe: bool = False) -> None:
        super().__init__(data)
        self.size = None if pipe else len(data)


class Drip:
    """A source that gives less than it is asked for, as a slow pipe does."""

    size = None

    def __init__(self, data: bytes, step: int = 7) -> None:
        self._data, self._step = io.BytesIO(data), step

    def read(self, size: int, /) -> bytes:
        return self._data.read(min(size, self._step))


def certificate(party: Party, *options: str, name: str = "cert.pem") -> Path:
    """A certificate that the party's key signs for itself."""
    path = party.folder / name
    if not path.exists():
        subject = ("-subj", f"/O=Tests/CN={name}", "-days", "30")
        openssl.must("req", "-x509", "-key", party.key, "-out", path, *subject, *options)
    return path


def opened(engine: Engine, key: Key, sealed: bytes, **options: object) -> bytes:
    """The content of a sealed file; all of it, or an error."""
    out = io.BytesIO()
    formats.open_file(engine, key, Memory(sealed), out.write, **options)  # type: ignore[arg-type]
    return out.getvalue()


def flipped(data: bytes, masks: tuple[int, ...]) -> Iterator[bytes]:
    """The data with each byte changed in turn."""
    for offset in range(len(data)):
        for mask in masks:
            yield data[:offset] + bytes([data[offset] ^ mask]) + data[offset + 1 :]
