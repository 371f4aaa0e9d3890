# SPDX-License-Identifier: Apache-2.0
"""What commands read and write. An existing file stays whole until the new one is complete."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Protocol

from monpro.errors import MonproError

# What to remove where the process ends without unwinding: files and folders that are not results.
unfinished: set[str] = set()


def discard_unfinished() -> None:
    for name in tuple(unfinished):
        if Path(name).is_dir():
            shutil.rmtree(name, ignore_errors=True)
        else:
            Path(name).unlink(missing_ok=True)


def _error(name: str, why: OSError) -> MonproError:
    return MonproError("MONPRO_ERR_FILE", f"{name}: {why.strerror or why}")


def read(path: str) -> bytes:
    """The content of a file; "-" is standard input."""
    try:
        return sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as why:
        raise _error("standard input" if path == "-" else path, why) from why


class Source:
    """A file that is read in pieces; `size` is None where it cannot be known in advance."""

    def __init__(self, path: str, file: BinaryIO) -> None:
        self._name = "standard input" if path == "-" else path
        self._file = file
        status = os.fstat(file.fileno())
        self.size = status.st_size if path != "-" and stat.S_ISREG(status.st_mode) else None

    def read(self, size: int, /) -> bytes:
        """So many bytes, or fewer; b"" at the end."""
        try:
            return self._file.read(size)
        except OSError as why:
            raise _error(self._name, why) from why


@contextlib.contextmanager
def source(path: str) -> Iterator[Source]:
    """A file that need not fit into memory; "-" is standard input."""
    try:
        file = sys.stdin.buffer if path == "-" else Path(path).open("rb")  # noqa: SIM115
    except OSError as why:
        raise _error(path, why) from why
    try:
        yield Source(path, file)
    finally:
        if path != "-":
            file.close()


class Write(Protocol):
    def __call__(self, data: bytes) -> None: ...


@contextlib.contextmanager
def output(path: str | None, *, binary: bool = True, secret: bool = False) -> Iterator[Write]:
    """A function that writes a command's result: into a file, or to standard output.

    What cannot be written is found out on entry, before anything is computed. A file gets its new
    content by one renaming, and only if the block ends without an error.
    binary: a terminal is refused. secret: a new file is for its owner only.
    """
    if path is None or path == "-":
        if binary and sys.stdout.isatty():
            raise MonproError(
                "MONPRO_ERR_ARGUMENT",
                "the result is binary: name a file with --out, or redirect standard output",
            )
        yield _to_standard_output
        return
    target = Path(path)
    try:
        mode = target.stat().st_mode if target.exists() else None
        if mode is not None and not stat.S_ISREG(mode):
            # A device or a pipe has no old content to keep, and must not be replaced.
            with target.open("wb") as file:
                yield lambda data: _ignore(file.write(data))
            return
        target = Path(os.path.realpath(target))  # a link stays a link
        if mode is not None:
            _refuse_read_only(target, mode)
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name[:64]}.", dir=target.parent)
    except OSError as why:
        raise _error(path, why) from why
    unfinished.add(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(file.fileno(), stat.S_IMODE(mode) if mode is not None else _mode(secret))
            yield lambda data: _ignore(file.write(data))
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, target)
    except OSError as why:
        raise _error(path, why) from why
    finally:
        with contextlib.suppress(FileNotFoundError):
            Path(name).unlink()
        unfinished.discard(name)


def _refuse_read_only(target: Path, mode: int) -> None:
    """A renaming would replace a file that its owner has protected; for root, writing would too."""
    os.close(os.open(target, os.O_WRONLY))
    if not mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH):
        raise PermissionError(errno.EACCES, "it is read-only")


def _ignore(_: int) -> None:
    return None


def _to_standard_output(data: bytes) -> None:
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise  # no fault of ours
    except OSError as why:
        raise _error("standard output", why) from why


def _mode(secret: bool) -> int:
    umask = os.umask(0)
    os.umask(umask)
    return 0o600 if secret else 0o666 & ~umask


@contextlib.contextmanager
def whole_output(path: str | None, *, secret: bool = False) -> Iterator[Write]:
    """Like `output`; but if the block ends in an error, nothing comes out of a pipe either.

    What cannot be renamed into its place waits in a file without a name until the block has ended.
    """
    if path is not None and path != "-" and (not Path(path).exists() or Path(path).is_file()):
        with output(path, binary=False, secret=secret) as write:
            yield write
        return
    with output(path, binary=False) as write:
        where = f"a temporary file in {tempfile.gettempdir()}"
        try:
            waiting = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - for the error's name
        except OSError as why:
            raise _error(where, why) from why
        with waiting:

            def keep(data: bytes) -> None:
                left = memoryview(data)
                try:
                    while left:
                        left = left[waiting.write(left) :]
                except OSError as why:
                    raise _error(where, why) from why

            yield keep
            try:
                waiting.seek(0)
            except OSError as why:
                raise _error(where, why) from why
            while data := waiting.read(1 << 20):
                write(data)
