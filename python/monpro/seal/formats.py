# SPDX-License-Identifier: Apache-2.0
"""Files sealed to a key, of either kind. Their beginning tells the kinds apart."""

from __future__ import annotations

from collections.abc import Callable

from monpro.base.files import Source
from monpro.engine import Engine
from monpro.errors import MonproError
from monpro.rsa import Key
from monpro.seal import blocks as seal_blocks
from monpro.seal import cms
from monpro.seal.ber import SEQUENCE, read_exactly
from monpro.seal.recipients import Recipient
from monpro.seal.text import Lines


class _Again:
    """A source whose beginning has been looked at."""

    def __init__(self, start: bytes, source: Source) -> None:
        self._start, self._source = start, source

    def read(self, size: int, /) -> bytes:
        if not self._start:
            return self._source.read(size)
        data, self._start = self._start[:size], self._start[size:]
        return data


def open_file(
    engine: Engine,
    key: Key,
    source: Source,
    write: Callable[[bytes], None],
    *,
    only: Recipient | None = None,
    unauthenticated: bool = False,
    progress: seal_blocks.Progress | None = None,
) -> str:
    """Writes the content of a sealed file, to be believed only when this has returned.

    Returns the kind of the file: "cms" or "blocks".
    """
    if not key.private:
        raise MonproError(
            "MONPRO_ERR_KEY_PUBLIC", "a private key is needed and this is a public one"
        )
    start = read_exactly(source, len(seal_blocks.MAGIC))
    again = _Again(start, source)
    if start == seal_blocks.MAGIC:
        seal_blocks.open_sealed(engine, key, again, source.size, write, progress)
        return "blocks"
    cms.open_sealed(
        engine, key, again if start[:1] == bytes([SEQUENCE]) else Lines(source, start), write,
        only=only, unauthenticated=unauthenticated,
    )  # fmt: skip
    return "cms"
