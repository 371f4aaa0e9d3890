# SPDX-License-Identifier: Apache-2.0
"""The outer frame of a CMS file, read and written while its content passes by.

asn1crypto needs a whole ASN.1 value in memory, and a sealed file need not fit there. So this module
walks the few sequences around the content by tag and length only (X.690, 8.1). Each value beside
the content is small. It is collected whole and goes to asn1crypto.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Protocol

from monpro.errors import MonproError

PIECE = 1 << 20  # bytes of content in memory at a time
SMALL = 1 << 20  # bytes that anything beside the content may have
DEEPEST = 32  # elements inside each other

OCTET_STRING, SEQUENCE, SET = 0x04, 0x30, 0x31
CONTEXT, CONSTRUCTED = 0x80, 0x20
END_OF_CONTENTS = b"\0\0"


class Source(Protocol):
    def read(self, size: int, /) -> bytes: ...


def damaged(why: str) -> MonproError:
    return MonproError("MONPRO_ERR_CIPHERTEXT", f"the sealed file is damaged: {why}")


@contextlib.contextmanager
def parsing(what: str) -> Iterator[None]:
    """Around asn1crypto, which meets wrong data with errors of many kinds, some of them slips."""
    try:
        yield
    except MonproError:
        raise
    except Exception as why:
        raise damaged(f"{what} cannot be read") from why


def header(tag: int, length: int | None) -> bytes:
    """Tag and length; None is a length that the end-of-contents octets will tell."""
    if length is None:
        return bytes([tag, 0x80])
    if length < 0x80:
        return bytes([tag, length])
    digits = length.to_bytes((length.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(digits)]) + digits


def read_exactly(source: Source, size: int) -> bytes:
    """`size` bytes, or fewer at the end of the source: a pipe may give them in parts."""
    parts = []
    while size and (part := source.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


class Reader:
    """Walks through nested elements, each of definite or indefinite length."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._offset = 0
        self._ahead = b""
        # Where each element that we are in ends: at an offset, or (True) by end-of-contents, at
        # the latest where the one around it ends.
        self._open: list[tuple[float, bool]] = []

    def _take(self, size: int) -> bytes:
        if self._open and self._offset + size > self._open[-1][0]:
            raise damaged("an element is longer than the one around it")
        data = self._ahead[:size]
        self._ahead = self._ahead[size:]
        data += read_exactly(self._source, size - len(data))
        self._offset += len(data)
        if len(data) < size:
            raise damaged("it ends too early")
        return data

    def _next(self) -> int:
        """The next tag, left where it is; -1 at the end of the file."""
        if not self._ahead:
            self._ahead = self._source.read(1)
        return self._ahead[0] if self._ahead else -1

    def next_is(self, tag: int) -> bool:
        """Whether an element with this tag is next; with or without parts, for an octet string."""
        return self.more() and self._next() == tag

    def more(self) -> bool:
        """Whether the element that we are in has another one."""
        end, indefinite = self._open[-1]
        return self._offset < end and not (indefinite and self._next() == 0)

    def _head(self) -> tuple[bytes, int | None]:
        """The bytes of a tag and a length, and the length."""
        raw = self._take(2)
        if raw[0] & 0x1F == 0x1F:
            raise damaged("an element's tag is none of this format")
        length: int | None = raw[1]
        if raw[1] == 0x80:
            if not raw[0] & CONSTRUCTED:
                raise damaged("a primitive element has no length")
            length = None
        elif raw[1] > 0x80:
            if raw[1] > 0x88:
                raise damaged("a length is absurd")
            digits = self._take(raw[1] & 0x7F)
            raw += digits
            length = int.from_bytes(digits, "big")
        return raw, length

    def _push(self, length: int | None) -> None:
        if len(self._open) >= DEEPEST:
            raise damaged("its elements are too deep in each other")
        bound = self._open[-1][0] if self._open else float("inf")
        end = bound if length is None else self._offset + length
        if end > bound:
            raise damaged("an element is longer than the one around it")
        self._open.append((end, length is None))

    def enter(self, tag: int) -> None:
        """Into an element whose tag has to be this one."""
        raw, length = self._head()
        if raw[0] != tag:
            raise damaged("an element is not the expected one")
        self._push(length)

    def leave(self) -> None:
        """Out of an element that has to be at its end."""
        self._leave()

    def _leave(self) -> bytes:
        if self.more():
            raise damaged("an element has more in it than expected")
        indefinite = self._open[-1][1]
        raw = self._take(2) if indefinite else b""
        self._open.pop()
        if raw != (END_OF_CONTENTS if indefinite else b""):
            raise damaged("the end of an element is wrong")
        return raw

    def element(self) -> bytes:
        """The next element, whole, for asn1crypto.

        What is in it is walked as well: asn1crypto calls itself for each level, so a deep element
        would end at Python's limit of recursion, or, where that limit was raised, at the end of the
        stack.
        """
        parts: list[bytes] = []
        self._collect(parts, SMALL)
        return b"".join(parts)

    def _collect(self, parts: list[bytes], room: int) -> None:
        """Adds the bytes of the next element, which may have `room` of them."""
        raw, length = self._head()
        parts.append(raw)
        room -= len(raw)
        if (length or 0) > room:
            raise damaged("a part of it is too long")
        if length is not None and not raw[0] & CONSTRUCTED:
            parts.append(self._take(length))
            return
        self._push(length)
        while self.more():
            start = self._offset
            self._collect(parts, room)
            room -= self._offset - start
        parts.append(self._leave())

    def octets(self, tag: int) -> Iterator[bytes]:
        """The content of a string of octets, in pieces; in one element or cut into parts."""
        raw, length = self._head()
        if raw[0] & ~CONSTRUCTED != tag:
            raise damaged("an element is not the expected one")
        self._push(length)
        if raw[0] & CONSTRUCTED:
            while self.more():
                yield from self.octets(OCTET_STRING)
        else:
            assert length is not None
            while length:
                size = min(length, PIECE)
                yield self._take(size)
                length -= size
        self._leave()

    def finish(self) -> None:
        """The end of the file."""
        if self._next() >= 0:
            raise damaged("something follows its end")
