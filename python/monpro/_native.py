# SPDX-License-Identifier: Apache-2.0
"""libmonpro through cffi. The declarations are the installed header: nothing is typed twice.

cffi releases the interpreter lock during every call, so engines in different threads run at once.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from monpro.base import paths
from monpro.errors import MonproError


def declarations(header: str) -> str:
    """A header with what a parser of plain C cannot read taken out."""
    text = re.sub(r"^#ifdef __cplusplus\n.*?^#endif\n", "", header, flags=re.M | re.S)
    text = re.sub(r"\\\n", " ", text)
    text = re.sub(r"^[ \t]*#.*$", "", text, flags=re.M)
    return text.replace("MONPRO_API ", "")


class Native:
    """The loaded library: `ffi`, `lib`, and how its errors become exceptions."""

    def __init__(self, library: Path, header: Path) -> None:
        import cffi

        self.ffi: Any = cffi.FFI()
        self.ffi.cdef(declarations(header.read_text(encoding="utf-8")))
        try:
            self.lib: Any = self.ffi.dlopen(str(library))
        except OSError as why:
            raise ImportError(f"libmonpro cannot be loaded from {library}: {why}") from why
        self._names: dict[int, str] = dict(self.ffi.typeof("monpro_status").elements)

    def text(self, pointer: Any) -> str:
        """A C string."""
        return str(self.ffi.string(pointer).decode("utf-8", "replace"))

    def names(self) -> Iterator[str]:
        """The names of all statuses."""
        return iter(self._names.values())

    def version(self) -> str:
        """The library's version."""
        return self.text(self.lib.monpro_version())

    def error(self, status: int, message: str = "") -> MonproError:
        """The exception for a status; without a message, the library's general sentence."""
        name = self._names.get(status) or self.text(self.lib.monpro_status_name(status))
        return MonproError(name, message or self.text(self.lib.monpro_strerror(status)))

    def call(self, function: Any, *arguments: Any) -> None:
        """Calls a function whose last argument is a monpro_error, and raises what it reports."""
        error = self.ffi.new("monpro_error *")
        status = function(*arguments, error)
        if status:
            raise self.error(status, self.text(error.message))


@functools.cache
def load() -> Native:
    """The library, loaded once."""
    return Native(paths.library(), paths.header())
