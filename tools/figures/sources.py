"""What decides a figure: a digest of the RTL that a design is made of.

Comments and white space are left out of the digest, so that a change of prose makes no record old.
"""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import functools
import hashlib
import json
import re
from pathlib import Path

from figures.catalogue import ROOT
from monpro.hardware import designs, rtl

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def normalized(text: str) -> str:
    """SystemVerilog without its comments, with one space for any white space."""
    return " ".join(_COMMENT.sub(" ", text).split())


def top_and_parameters(name: str) -> tuple[str, dict[str, int | str]]:
    """Top module and parameters of a design, such as "small,elements=4", or of a named module."""
    if name.startswith("monpro_"):
        return name, {}
    design = designs.parse(name)
    return design.top, design.rtl_parameters()


@functools.cache
def _needed(top: str, folder: Path) -> str:
    sha = hashlib.sha256()
    for path in sorted(rtl.needed(top, rtl.sources(folder)), key=lambda path: path.stem):
        sha.update(f"{path.stem}\0{normalized(path.read_text(encoding='utf-8'))}\0".encode())
    return sha.hexdigest()


def digest(name: str, folder: Path = ROOT / "rtl") -> str:
    """The digest of a design's top, what it instantiates, and its parameters in designs.toml."""
    top, parameters = top_and_parameters(name)
    text = json.dumps([top, _needed(top, folder), parameters], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
