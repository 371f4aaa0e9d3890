# SPDX-License-Identifier: Apache-2.0
"""A larger stack for a program that PyPI has as WebAssembly.

nextpnr's wheel was linked with a stack of 64 KiB. The program calls itself once for each logic cell
of a path. A ripple carry of 1024 bits is enough to run over the end of the stack, which shows as
"out of bounds memory access". The size is no option of the wheel. So two numbers of the module are
changed before it is compiled: the memory that it starts with grows, and its stack pointer starts at
the end of that memory. Everything else lies where it lay, the heap too. Results are the same.

    python -m monpro.synth.stack MODULE ENTRY ARGUMENT...

runs MODULE.ENTRY([ARGUMENT...]) that way. The YoWASP runtime keeps the compiled module under the
digest of the unchanged one, so the caller gives such runs a cache folder of their own
(YOWASP_CACHE_DIR).
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator

PAGE = 1 << 16
STACK_PAGES = 256
# Return addresses are on another stack, of the machine: as much as wasmtime allows.
NATIVE_STACK_BYTES = 2 << 20

_MEMORY, _GLOBAL = 5, 6
_I32, _MUTABLE, _CONST, _END = 0x7F, 1, 0x41, 0x0B


def with_stack(module: bytes, pages: int = STACK_PAGES) -> bytes:
    """A module as clang links it, with that many pages for its stack.

    Raises ValueError for a module whose first global is not a stack pointer with a start value
    and one memory below it.
    """
    sections = list(_sections(module))
    found = {kind: content for kind, content in sections if kind in (_MEMORY, _GLOBAL)}
    if set(found) != {_MEMORY, _GLOBAL}:
        raise ValueError("no memory or no globals")
    memory, top = _larger(found[_MEMORY], pages)
    changed = {_MEMORY: memory, _GLOBAL: _pointed(found[_GLOBAL], top)}
    parts = [module[:8]]
    for kind, content in sections:
        content = changed.get(kind, content)
        parts += [bytes([kind]), _unsigned(len(content)), content]
    return b"".join(parts)


def _sections(module: bytes) -> Iterator[tuple[int, bytes]]:
    at = 8  # after the magic number and the version
    while at < len(module):
        kind = module[at]
        size, at = _read(module, at + 1)
        yield kind, module[at : at + size]
        at += size


def _larger(section: bytes, pages: int) -> tuple[bytes, int]:
    """One memory with more pages from the start, and the address of its end."""
    count, at = _read(section, 0)
    if count != 1 or section[at] != 0:
        raise ValueError("not one memory without an upper limit")
    least, _ = _read(section, at + 1)
    return section[: at + 1] + _unsigned(least + pages), (least + pages) * PAGE


def _pointed(section: bytes, top: int) -> bytes:
    """The section of globals. Its first global, the stack pointer, now starts at `top`."""
    _, at = _read(section, 0)
    if tuple(section[at : at + 3]) != (_I32, _MUTABLE, _CONST):
        raise ValueError("the first global is no stack pointer")
    _, end = _read(section, at + 3)
    if section[end] != _END:
        raise ValueError("the stack pointer has no plain start value")
    return section[: at + 3] + _signed(top) + section[end:]


def _read(data: bytes, at: int) -> tuple[int, int]:
    """An unsigned LEB128 number, and where the next thing begins."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def _unsigned(value: int) -> bytes:
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def _signed(value: int) -> bytes:
    """A number that is not negative, encoded. The bit above it must be seen to be zero."""
    out = bytearray()
    while value >= 0x40:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def main(arguments: list[str]) -> int:
    """Runs a program of the YoWASP packages; its exit status."""
    import wasmtime

    class Config(wasmtime.Config):
        def __init__(self) -> None:
            super().__init__()
            self.max_wasm_stack = NATIVE_STACK_BYTES

    class Module(wasmtime.Module):
        def __init__(self, engine: wasmtime.Engine, wasm: bytes) -> None:
            super().__init__(engine, with_stack(wasm))

    module, entry, *rest = arguments
    for deeper in (Config, Module):
        setattr(wasmtime, deeper.__name__, deeper)
    status: int = getattr(importlib.import_module(module), entry)(rest)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
