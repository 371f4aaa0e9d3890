# SPDX-License-Identifier: Apache-2.0
"""The RTL's files. They are found, not listed: everything under rtl/ is compiled, packages first.

The simulator, the tests and lint all take their files from here. As a program, for other tools:

    python -m monpro.hardware.rtl                one file a line, in the order in which they compile
    python -m monpro.hardware.rtl --modules      the names of the modules instead

This file uses the standard library only, so that `python3 python/monpro/hardware/rtl.py` works in a
bare checkout too.
"""

from __future__ import annotations

import argparse
import re
import sys
from graphlib import TopologicalSorter
from pathlib import Path

from monpro.base import paths

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_SCOPE = re.compile(r"\b(\w+)\s*::")


def folder() -> Path:
    """rtl/ as installed with the package, or else rtl/ of the checkout that this file lies in."""
    return paths.share() / "rtl"


def sources(root: Path | None = None) -> list[Path]:
    """Every SystemVerilog file: packages, each after those it uses, then modules by name."""
    files = sorted((root or folder()).rglob("*.sv"), key=lambda path: (path.stem, path))
    if not files:
        raise FileNotFoundError(f"no SystemVerilog under {root or folder()}")
    packages = {path.stem: path for path in files if _is_package(path)}
    graph = TopologicalSorter[str]()
    for name, path in packages.items():
        text = _COMMENT.sub("", path.read_text(encoding="utf-8"))
        graph.add(name, *sorted(set(_SCOPE.findall(text)) & (packages.keys() - {name})))
    ordered = [packages[name] for name in graph.static_order()]
    return ordered + [path for path in files if not _is_package(path)]


def modules(root: Path | None = None) -> dict[str, Path]:
    """The modules by name; a file holds one, of the file's name."""
    return {path.stem: path for path in sources(root) if not _is_package(path)}


def needed(top: str, files: list[Path]) -> list[Path]:
    """The files that a module is made of, in the order in which sources() gave them."""
    texts = {path.stem: _COMMENT.sub("", path.read_text(encoding="utf-8")) for path in files}
    found, todo = {top}, [top]
    while todo:
        used = set(re.findall(r"\bmonpro_\w+", texts.get(todo.pop(), "")))
        new = sorted((used & texts.keys()) - found)
        found |= set(new)
        todo += new
    return [path for path in files if path.stem in found]


def coprocessor() -> list[Path]:
    """The files of the coprocessor with its bus, in the order in which they compile."""
    return needed("monpro_coprocessor", sources())


def _is_package(path: Path) -> bool:
    return path.stem.endswith("_pkg")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m monpro.rtl", description="Lists the RTL.")
    parser.add_argument("--modules", action="store_true", help="names of modules, not files")
    for item in modules() if parser.parse_args().modules else sources():
        sys.stdout.write(f"{item}\n")


if __name__ == "__main__":
    main()
