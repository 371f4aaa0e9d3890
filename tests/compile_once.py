# SPDX-License-Identifier: Apache-2.0
"""A compiler's launcher. It compiles once in a run what all models of the package share.

    python compile_once.py FOLDER COMPILER ARGUMENTS...

FOLDER keeps an object file of Verilator's runtime by the compiler, its arguments and the files that
it is made of. Paths of the folder that the compiler is called in do not count. Monpro's own macros
do not count either: the runtime does not know them. FOLDER also keeps the runtime's headers,
precompiled, for gcc: they are most of what gcc has to read for a small module. Everything that is
tested - the RTL's own code and the harness - is always compiled.

The models of the test benches share their runtime without this launcher, in tests/rtl/models.py.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# Of the model's own files, what the runtime includes where it writes FST.
STAND_INS = ("lz4.h", "zlib.h")
OUR_MACRO = "-DMONPRO_"
# Those that a model's code includes.
HEADERS = ("verilated.h", "verilated_syms.h")


def source_of(arguments: list[str]) -> Path | None:
    """The C++ file that is to be compiled, if it is one."""
    path = Path(arguments[-1])
    return path if "-c" in arguments and path.suffix == ".cpp" else None


def is_runtime(source: Path) -> bool:
    return source.name.startswith("verilated") and (source.parent / "verilated.mk").exists()


def runtime_folder(arguments: list[str]) -> Path | None:
    """Where the headers are."""
    folders = [Path(argument[2:]) for argument in arguments if argument.startswith("-I")]
    return next((folder for folder in folders if (folder / "verilated.mk").exists()), None)


def version_of(arguments: list[str]) -> bytes:
    compiler = shutil.which(arguments[0]) or arguments[0]
    return subprocess.run([compiler, "--version"], capture_output=True, check=True).stdout


def relevant(arguments: list[str]) -> list[str]:
    """Without our macros; of the levels of optimization the last, which is the one that counts."""
    levels = [argument for argument in arguments if argument.startswith("-O")]
    others = [a for a in arguments if a not in levels and not a.startswith(OUR_MACRO)]
    return [*others[:1], *levels[-1:], *others[1:]]


def digest(arguments: list[str], runtime: Path, version: bytes) -> str:
    sha = hashlib.sha256()
    for argument in relevant(arguments):
        # The model's folder, which is above this one, and the link to Verilator in it.
        for folder in (runtime, Path.cwd(), Path.cwd().parent):
            argument = argument.replace(str(folder), "")
        sha.update(argument.encode() + b"\0")
    sha.update(version)
    if "fst" in Path(arguments[-1]).name:
        for name in STAND_INS:
            path = Path.cwd().parent / name
            sha.update(path.read_bytes() if path.exists() else b"\0")
    for path in sorted(runtime.glob("verilated*")):
        sha.update(f"\0{path.name}\0{path.stat().st_size}\0{path.stat().st_mtime_ns}".encode())
    return sha.hexdigest()[:32]


@contextmanager
def alone(kept: Path) -> Iterator[None]:
    """One process at a time: another one may be compiling it."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    with kept.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def compile_runtime(folder: Path, arguments: list[str], source: Path) -> int:
    output = Path(arguments[arguments.index("-o") + 1])
    kept = folder / f"{digest(arguments, source.parent, version_of(arguments))}.o"
    with alone(kept):
        if kept.exists():
            shutil.copyfile(kept, output)
            return 0
        status = subprocess.run(arguments, check=False).returncode
        if status == 0:
            whole = kept.with_suffix(".new")
            shutil.copyfile(output, whole)
            whole.rename(kept)
        return status


def precompiled(folder: Path, arguments: list[str]) -> list[str]:
    """The arguments with which gcc takes the headers from a file; none where that cannot be."""
    runtime = runtime_folder(arguments)
    if runtime is None or "-include" in arguments:  # only the first one can be precompiled
        return []
    version = version_of(arguments)
    if b"Free Software Foundation" not in version:
        return []
    output = arguments.index("-o")
    others = [*arguments[:output], *arguments[output + 2 : -1]]
    options = relevant([argument for argument in others if argument not in ("-c", "-MMD")])
    header = folder / f"{digest(options, runtime, version)}.h"
    compiled = header.with_suffix(".h.gch")
    with alone(header):
        if not compiled.exists():
            header.write_text("".join(f'#include "{name}"\n' for name in HEADERS))
            command = [*options, "-x", "c++-header", "-c", str(header), "-o"]
            whole = header.with_suffix(".new")
            if subprocess.run([*command, str(whole)], capture_output=True, check=False).returncode:
                return []  # the compiler's words come with the file itself
            whole.rename(compiled)
    return ["-include", str(header)]


def main() -> int:
    folder, arguments = Path(sys.argv[1]), sys.argv[2:]
    source = source_of(arguments)
    if source is not None and is_runtime(source):
        return compile_runtime(folder, arguments, source)
    extra = precompiled(folder, arguments) if source is not None else []
    os.execvp(arguments[0], [arguments[0], *extra, *arguments[1:]])


if __name__ == "__main__":
    sys.exit(main())
