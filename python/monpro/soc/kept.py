# SPDX-License-Identifier: Apache-2.0
"""What simulated systems have said, kept in the cache.

The model and the content of its ROM (firmware and tasks) decide a run. Nothing in it is random, so
an equal run says the same in the same cycles. The cache keeps the lines as they came, with their
checksums, and the number of cycles. Only a run that ended well is kept.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path

from monpro.base import cache, paths
from monpro.errors import MonproError
from monpro.soc import lines as soc_lines


@dataclass(frozen=True, slots=True)
class Said:
    """The lines of a run, how its simulator ended, and the simulated cycles."""

    lines: list[str]
    status: int
    cycles: int


def path(model: str, rom: str) -> Path:
    """Where the run of a model is kept that had this ROM. model: the digest that names it."""
    digest = hashlib.sha256(f"{model}\0{rom}".encode()).hexdigest()[:32]
    return paths.cache() / "runs" / f"{digest}.json"


def recall(file: Path, limit_cycles: int) -> Said | None:
    """A kept run that ended within the limit. None: there is none, or what is kept is damaged."""
    try:
        found = Said(**json.loads(file.read_text(encoding="utf-8")))
        for line in found.lines:
            soc_lines.parse(line)
    except (OSError, ValueError, TypeError, MonproError):
        return None
    return found if found.status == 0 and found.cycles <= limit_cycles else None


def keep(file: Path, said: Said) -> None:
    """Keeps a run that ended well."""
    if said.status != 0:
        return
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        cache.keep(file, json.dumps(asdict(said)).encode() + b"\n")
    except OSError as why:
        raise MonproError("MONPRO_ERR_BUILD", f"{file}: {why.strerror}") from why
