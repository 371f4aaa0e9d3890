"""Packed structs of the RTL's packages, as a port of one has them: a number.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

RTL = Path(__file__).resolve().parents[3] / "rtl"
CORE = "common/monpro_pkg.sv"
TYPES = {"operation_i": "operation_t", "load_i": "load_t"}
"""Of the ports of monpro_core and of monpro_serial_core."""
OTHER_NAMES = {"abort": "stop", "public": "is_public"}
"""Of fields whose own name is a word of some language."""
_ENUMS = {"scheme_e": 3, "error_e": 4}
_driven: dict[str, int] = {}


@functools.cache
def fields(package: str, name: str) -> dict[str, int]:
    """Of a struct, from its highest bits on, with how many bits each has. package: the file, from
    rtl/ on."""
    text = re.sub(r"//.*", "", (RTL / package).read_text(encoding="utf-8"))
    body = re.findall(r"struct packed \{([^}]*)\} " + name + ";", text)[0]
    found = {}
    for kind, high, field in re.findall(r"(\w+)\s+(?:\[(\d+):0\]\s+)?(\w+);", body):
        found[field] = int(high or 0) + 1 if kind == "logic" else _ENUMS[kind]
    return found


def bits(package: str, name: str, **values: int) -> int:
    """A struct; the fields that are not named are 0."""
    known = fields(package, name)
    assert values.keys() <= known.keys(), values.keys() - known.keys()
    number = 0
    for field, width in known.items():
        value = int(values.get(field, 0))
        assert 0 <= value < 1 << width, f"{field} = {value}"
        number = number << width | value
    return number


def driven(port: str, value: int) -> tuple[str, int]:
    """The struct, and its number, in which a field now has this value: `start_i` of operation_i."""
    name = port.removesuffix("_i")
    for struct, kind in TYPES.items():
        field = name.removeprefix("load_") if kind == "load_t" else OTHER_NAMES.get(name, name)
        known = fields(CORE, kind)
        if field in known and (kind == "load_t") == (name.startswith("load_")):
            _driven[f"{struct}.{field}"] = value
            return struct, bits(CORE, kind, **{f: _driven.get(f"{struct}.{f}", 0) for f in known})
    raise AttributeError(port)
