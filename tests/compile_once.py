"""A compiler's launcher: compiles each file of Verilator's runtime once, for all models of a run.

    python compile_once.py FOLDER COMPILER ARGUMENTS...

An object file is kept in FOLDER by the compiler, its arguments (but for the paths of the folder
that it is called in) and the runtime's files. Whatever else is compiled goes to the compiler as it
is: what is tested - the RTL's own code and the harness - is always compiled.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path


def runtime_source(arguments: list[str]) -> Path | None:
    """The file of Verilator's runtime that is to be compiled, if it is one."""
    path = Path(arguments[-1])
    is_runtime = path.name.startswith("verilated") and (path.parent / "verilated.mk").exists()
    return path if "-c" in arguments and path.suffix == ".cpp" and is_runtime else None


def digest(arguments: list[str], source: Path) -> str:
    compiler = shutil.which(arguments[0]) or arguments[0]
    sha = hashlib.sha256()
    for argument in arguments:
        # The model's folder, which is above this one, and the link to Verilator in it.
        for folder in (source.parent, Path.cwd(), Path.cwd().parent):
            argument = argument.replace(str(folder), "")
        sha.update(argument.encode() + b"\0")
    version = subprocess.run([compiler, "--version"], capture_output=True, check=True)
    sha.update(version.stdout)
    for path in sorted(source.parent.glob("verilated*")):
        sha.update(f"\0{path.name}\0{path.stat().st_size}\0{path.stat().st_mtime_ns}".encode())
    return sha.hexdigest()[:32]


def main() -> int:
    folder, arguments = Path(sys.argv[1]), sys.argv[2:]
    source = runtime_source(arguments)
    if source is None:
        os.execvp(arguments[0], arguments)
    output = Path(arguments[arguments.index("-o") + 1])
    kept = folder / f"{digest(arguments, source)}.o"
    folder.mkdir(parents=True, exist_ok=True)
    with kept.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another process may be compiling it
        if kept.exists():
            shutil.copyfile(kept, output)
            return 0
        status = subprocess.run(arguments, check=False).returncode
        if status == 0:
            whole = kept.with_suffix(".new")
            shutil.copyfile(output, whole)
            whole.rename(kept)
        return status


if __name__ == "__main__":
    sys.exit(main())
