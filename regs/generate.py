#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generates everything that is derived from regs/monpro.rdl and regs/schemes.toml.

    regs/generate.py            writes the files
    regs/generate.py --check    writes nothing; prints a diff and exits 1 if a file is not current

Needs peakrdl-regblock (which brings systemrdl-compiler). The output holds no dates. It depends
on the two sources and on the version of that package only. It is committed, so that whoever only
builds Monpro does not need the package.
"""

from __future__ import annotations

import argparse
import difflib
import sys
import tempfile
from pathlib import Path

import emit_c
import emit_html
import emit_python
import emit_systemverilog
from register_map import compile_rdl, read_register_map
from scheme_table import read_schemes

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "regs" / "monpro.rdl"
SCHEMES = ROOT / "regs" / "schemes.toml"
SPDX = "SPDX-License-Identifier: Apache-2.0"
NOTICE = "Generated from regs/monpro.rdl by regs/generate.py. Do not edit."
SCHEMES_NOTICE = (
    "Generated from regs/monpro.rdl and regs/schemes.toml by regs/generate.py. Do not edit."
)


def generate() -> dict[str, str]:
    """Every generated file: its path in the repository, and its text."""
    register_map = read_register_map(compile_rdl(SOURCE))
    schemes = read_schemes(register_map, SCHEMES)
    files = {}
    with tempfile.TemporaryDirectory() as folder:
        block = compile_rdl(SOURCE, "REGISTER_BLOCK")
        emit_systemverilog.write_register_block(block, Path(folder))
        for path in sorted(Path(folder).iterdir()):
            text = path.read_text(encoding="utf-8")
            files[f"rtl/bus/{path.name}"] = f"// {SPDX}\n// {NOTICE}\n{text}"
    package = emit_systemverilog.enum_package(register_map, schemes, SCHEMES_NOTICE)
    files[f"rtl/bus/{emit_systemverilog.ENUM_PACKAGE}.sv"] = package
    files["lib/src/device/regs.h"] = emit_c.header(register_map, NOTICE)
    files["python/monpro/hardware/regs.py"] = emit_python.module(register_map, NOTICE)
    files["lib/src/engine/schemes.h"] = emit_c.schemes_header(schemes, SCHEMES_NOTICE)
    files["python/monpro/hardware/schemes.py"] = emit_python.schemes_module(schemes, SCHEMES_NOTICE)
    files["docs/registers.html"] = emit_html.page(register_map, NOTICE)
    return files


def differences(files: dict[str, str]) -> list[str]:
    """A unified diff for each file that is not as generated."""
    found = []
    for name, text in files.items():
        path = ROOT / name
        present = path.read_text(encoding="utf-8") if path.exists() else ""
        if present != text:
            lines = difflib.unified_diff(
                present.splitlines(keepends=True),
                text.splitlines(keepends=True),
                f"{name} (present)" if path.exists() else f"{name} (missing)",
                f"{name} (generated)",
            )
            found.append("".join(lines))
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--check", action="store_true", help="compare only; exit 1 if a file differs"
    )
    check = parser.parse_args().check
    files = generate()
    if check:
        found = differences(files)
        sys.stdout.writelines(found)
        print(f"registers: of {len(files)} generated files {len(found)} are not current")
        return 1 if found else 0
    for name, text in files.items():
        path = ROOT / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(f"wrote {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
