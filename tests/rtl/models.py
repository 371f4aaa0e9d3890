# SPDX-License-Identifier: Apache-2.0
"""Builds the program that simulates one RTL module under cocotb.

The compiler is most of the work, not Verilator. Most of what it compiles is the same for every
model: Verilator's runtime and its headers. So the runtime is compiled once, and for gcc its headers
are precompiled once. A model's own code, with cocotb's main program, is then one file. A second
file has what Verilator knows by name of the signals of a large model; it is not worth any
optimization.
"""

from __future__ import annotations

import fcntl
import functools
import hashlib
import importlib.metadata
import os
import platform
import shutil
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cocotb_tools.config

from monpro.hardware import simulator

RUNTIME = ("verilated", "verilated_dpi", "verilated_threads", "verilated_vpi")
HEADERS = ("verilated.h", "verilated_dpi.h", "verilated_syms.h", "verilated_vpi.h")
LARGE_BYTES = 200_000  # of the names, from which a file of their own pays
# Small models, short runs: a quick compile is worth more than quick code.
OPTIMIZE = "-O1"
_COMPILE = ["-std=gnu++17", "-w", "-I.", "-DVERILATOR=1"]
_COMPILE += [f"-DVM_{name}=0" for name in ("COVERAGE", "SC", "TIMING")]
_COMPILE += [f"-DVM_TRACE{name}=0" for name in ("", "_FST", "_VCD", "_SAIF")]


def compiler() -> list[str]:
    return os.environ.get("CXX", "c++").split()


def tools() -> list[str]:
    """All that a model depends on beside its sources and Verilator's flags."""
    versions = [importlib.metadata.version(name) for name in ("verilator", "cocotb")]
    return [*versions, platform.system(), platform.machine(), *compiler(), OPTIMIZE, *_COMPILE]


def _run(command: Sequence[str | Path], work: Path) -> str:
    done = subprocess.run(
        [str(part) for part in command], cwd=work, env=simulator.environment(), text=True,
        errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, check=False,
    )  # fmt: skip
    if done.returncode != 0:
        raise AssertionError(f"{command[0]} exited {done.returncode}\n{done.stdout[-4000:]}")
    return done.stdout


def _includes() -> list[str]:
    folder = simulator.verilator_root() / "include"
    return [f"-I{folder}", f"-I{folder / 'vltstd'}"]


@functools.cache
def runtime(cache: Path) -> Path:
    """The folder with the runtime's object files and, for gcc, its precompiled headers."""
    version = _run([*compiler(), "--version"], cache)
    words = "\0".join([*tools(), version, str(simulator.verilator_root())])
    result = cache / f"runtime-{hashlib.sha256(words.encode()).hexdigest()[:32]}"
    with result.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another process may be at it
        if not result.exists():
            work = result.with_suffix(".new")
            shutil.rmtree(work, ignore_errors=True)
            work.mkdir()
            _compile_runtime(work, precompile="Free Software Foundation" in version)
            work.rename(result)
    return result


def _compile_runtime(work: Path, *, precompile: bool) -> None:
    command = [*compiler(), *_COMPILE, *_includes(), OPTIMIZE]
    folder = simulator.verilator_root() / "include"
    jobs = [[*command, "-c", folder / f"{name}.cpp", "-o", f"{name}.o"] for name in RUNTIME]
    (work / "headers.h").write_text("".join(f'#include "{name}"\n' for name in HEADERS))
    if precompile:
        jobs.append([*command, "-x", "c++-header", "headers.h", "-o", "headers.h.gch"])
    with ThreadPoolExecutor(simulator.PARALLEL_JOBS) as pool:
        list(pool.map(lambda job: _run(job, work), jobs))


def build(top: str, sources: Sequence[Path], flags: Sequence[str], work: Path, cache: Path) -> Path:
    """The program, made in the empty folder `work`; `cache` is where the runtime is kept.

    Fails with what the tool said.
    """
    made = runtime(cache)
    verilator = ["verilator", "--cc", "--vpi", "--top-module", top, "--prefix", "Vtop", *flags]
    _run([*verilator, "-Mdir", ".", *sources], work)
    names = work / "Vtop__Syms__Slow.cpp"
    apart = [names] if names.stat().st_size > LARGE_BYTES else []
    main = cocotb_tools.config.share_dir / "lib" / "verilator" / "verilator.cpp"
    files = [path for path in sorted(work.glob("*.cpp")) if path not in apart]
    (work / "all.cc").write_text("".join(f'#include "{path}"\n' for path in [*files, main]))
    command = [*compiler(), *_COMPILE, *_includes(), "-include", made / "headers.h", "-c"]
    for path in apart:
        _run([*command, "-O0", path.name, "-o", "names.o"], work)
    _run([*command, OPTIMIZE, "all.cc", "-o", "all.o"], work)
    libraries = cocotb_tools.config.libs_dir
    # The quicker linker, where there is one.
    linker = ["-fuse-ld=gold"] if shutil.which("ld.gold") else []
    objects = [*sorted(work.glob("*.o")), *sorted(made.glob("*.o"))]
    found = [f"-L{libraries}", f"-Wl,-rpath,{libraries}", "-lcocotbvpi_verilator"]
    _run([*compiler(), *linker, *objects, *found, "-pthread", "-o", top], work)
    return work / top
