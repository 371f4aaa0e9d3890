# SPDX-License-Identifier: Apache-2.0
"""Sealed files as text: PEM and S/MIME. `openssl cms` writes S/MIME by default."""

from __future__ import annotations

import base64
import binascii
import collections

from monpro.seal.ber import Source, damaged

UNKNOWN = "it is neither CMS nor PEM nor S/MIME, and not of --blocks"
LINE = 4096  # bytes that a line may have; RFC 7468 and RFC 5322 have fewer


class Lines:
    """The bytes in a text: base64 in lines, after a line that begins it (PEM) or headers (MIME)."""

    def __init__(self, source: Source, start: bytes) -> None:
        self._source, self._rest, self._bytes = source, b"", b""
        self._ended = False
        *lines, self._rest = start.split(b"\n")
        self._lines = collections.deque(lines)
        first = self._line()
        self._pem = first.startswith(b"-----BEGIN ")
        if self._pem:
            if first not in (b"-----BEGIN CMS-----", b"-----BEGIN PKCS7-----"):
                raise damaged("it is PEM of something else")
            return
        heads = [first.lower()]
        while line := self._line():
            heads.append(line.lower())
        if not any(head.startswith(b"content-type:") for head in heads):
            raise damaged(UNKNOWN)
        if b"content-transfer-encoding: base64" not in heads:
            raise damaged("its S/MIME is not in base64")

    def _line(self) -> bytes:
        """The next line without its end; b"" is an empty one, or the end of the text."""
        while not self._lines:
            if len(self._rest) > LINE:
                raise damaged(UNKNOWN)
            more = self._source.read(1 << 16)
            if not more:
                line, self._rest, self._ended = self._rest, b"", True
                return line.rstrip()
            *lines, self._rest = (self._rest + more).split(b"\n")
            self._lines.extend(lines)
        return self._lines.popleft().rstrip()

    def read(self, size: int, /) -> bytes:
        parts, length = [self._bytes], len(self._bytes)
        while length < size and not self._ended:
            line = self._line()
            if line.startswith(b"-----END ") or (not line and not self._pem):
                self._ended = True  # what follows is not ours
            else:
                try:
                    part = base64.b64decode(line, validate=True)
                except binascii.Error as why:
                    raise damaged("its base64 is wrong") from why
                parts.append(part)
                length += len(part)
        data = b"".join(parts)
        self._bytes = data[size:]
        return data[:size]
