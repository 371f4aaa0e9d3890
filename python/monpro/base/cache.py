# SPDX-License-Identifier: Apache-2.0
"""Results of steps, in the user's cache.

A result lies under a digest of everything that it comes from. A step whose result is there is not
done again. A changed input has another digest, so it never meets an old result. Two processes that
want the same step may both do it: the results are equal.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from monpro.base import files
from monpro.errors import MonproError


def digest(items: Sequence[str], sources: Sequence[Path] = ()) -> str:
    """The name of a result: a digest of texts, and of names and contents of files."""
    sha = hashlib.sha256()
    for item in items:
        sha.update(item.encode() + b"\0")
    for path in sources:
        data = path.read_bytes()
        sha.update(f"{path.name}\0{len(data)}\0".encode() + data)
    return sha.hexdigest()[:32]


@contextmanager
def work_folder() -> Iterator[Path]:
    """A folder for a tool; gone afterwards, whatever happens."""
    with tempfile.TemporaryDirectory(prefix="monpro-synth-") as name:
        files.unfinished.add(name)
        yield Path(name)


def keep(path: Path, data: bytes) -> None:
    """Puts a whole file into the cache, or nothing: the disk may be full."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f"{path.name}.", delete=False) as new:
        files.unfinished.add(new.name)
        try:
            new.write(data)
            new.flush()
            os.replace(new.name, path)
        except OSError as why:
            Path(new.name).unlink(missing_ok=True)
            raise MonproError("MONPRO_ERR_FILE", f"{path}: {why.strerror or why}") from why
        finally:
            files.unfinished.discard(new.name)


def recall(path: Path, keys: Collection[str] = ()) -> dict[str, Any] | None:
    """The JSON object of a file of the cache. None if it is not there, or broken.

    A broken file is named and removed, so that its result is made again. keys: those that it has.
    """
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        if not isinstance(found, dict) or set(found) != set(keys or found):
            raise ValueError("not what was put there")
    except FileNotFoundError:
        return None
    except ValueError as why:  # of json, of the decoding, or ours
        forget(path, why)
        return None
    return found


def forget(path: Path, why: object) -> None:
    """Removes a broken file from the cache, and says so."""
    path.unlink(missing_ok=True)
    print(f"monpro: broken file in the cache, done again: {path} ({why})", file=sys.stderr)
