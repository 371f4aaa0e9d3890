"""published/energy.toml: what a toggle costs, in named sets, and how often designs toggle.

A set's joules are given, or fitted on points that others published, or are those of other sets
together: `coefficients` makes a set of its table. A later file of the same form (`monpro power fit`
writes one) goes before it.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from monpro.base import paths
from monpro.errors import MonproError

# What counts as a toggle of each kind. lut: a change of a LUT's output, with the wires behind it.
# ff: of a flip-flop's. clock: of the clock at a flip-flop, two a cycle. dsp: of one of the two
# factors' bits at a multiplier block. bram: of the clock at a RAM block, two a cycle.
KINDS = ("lut", "ff", "clock", "dsp", "bram")
CLOCK_TOGGLES = 2
DEFAULT = "thesis+vtr"
FITTED = "ledgard2023"


@dataclass(frozen=True, slots=True)
class Activity:
    """Toggles a cycle: of a LUT's output, of a flip-flop, of all factor bits of a multiplier block.

    factor: how far an operation may be from it, above and below; 1 where it was simulated.
    """

    logic: float
    register: float
    dsp: float = 0.0
    factor: float = 1.0
    obtained: str = "simulated"

    def by_kind(self, parts: Mapping[str, float]) -> dict[str, float]:
        """Toggles of a design in a cycle; parts by the names of synth_targets.Counts."""
        return {
            # Where a carry takes LUTs' places (ECP5), those are counted with it.
            "lut": self.logic * (parts.get("lut_sites") or parts["lut"]),
            "ff": self.register * parts["ff"],
            "clock": CLOCK_TOGGLES * parts["ff"],
            "dsp": self.dsp * parts["dsp"],
            "bram": CLOCK_TOGGLES * parts["bram"],
        }


@dataclass(frozen=True, slots=True)
class Coefficients:
    """A set: joules a toggle by kind. factor: between the set and what it was held against."""

    name: str
    joules: Mapping[str, float]
    family: str
    factor: float
    source: str
    device: str | None = None
    static_W: float | None = None
    calibrated: bool = False


@dataclass(frozen=True, slots=True)
class Microcontroller:
    """What ledgard2023 compares with: W when it works and when it sleeps."""

    who: str
    active_W: float
    active_MHz: float
    sleep_W: float
    source: str


@dataclass(frozen=True, slots=True)
class File:
    """One file as it is. sets: the tables of each name, which get() makes a set of."""

    path: Path
    sets: Mapping[str, Mapping[str, Any]]
    usual: Mapping[str, Activity] = field(default_factory=dict)
    microcontroller: Microcontroller | None = None


_SET = {
    "name": str, "source": str, "family": str, "device": str, "static_W": float, "factor": float,
    "joules": dict, "fit": str, "of": list, "calibrated": bool,
}  # fmt: skip
_USUAL = {"logic": float, "register": float, "dsp": float, "factor": float, "obtained": str}
_OTHER = {"who": str, "active_W": float, "active_MHz": float, "sleep_W": float, "source": str}


def _error(path: Path, message: str) -> MonproError:
    return MonproError("MONPRO_ERR_FILE", f"{path}: {message}")


def _checked(path: Path, where: str, table: Any, types: Mapping[str, type]) -> dict[str, Any]:
    """A table with known keys of the right types; numbers are positive."""
    if not isinstance(table, dict):
        raise _error(path, f"{where} is not a table")
    for key, value in table.items():
        if key not in types:
            raise _error(path, f'{where}: unknown key "{key}"; there are: {", ".join(types)}')
        wanted = types[key]
        number = isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
        if not (number if wanted is float else type(value) is wanted and value):
            raise _error(path, f"{where}: {key} = {value!r} is not what it should be")
    return table


def _set(path: Path, table: Any, number: int) -> tuple[str, dict[str, Any]]:
    where = f"set {number}"
    known = _checked(path, where, table, _SET)
    if "name" not in known or "source" not in known:
        raise _error(path, f"{where}: name or source is missing")
    where = f"set {known['name']}"
    ways = [key for key in ("joules", "fit", "of") if key in known]
    if len(ways) != 1:
        raise _error(path, f"{where}: exactly one of joules, fit and of")
    if ways == ["of"]:
        return known["name"], known
    if "family" not in known or (ways == ["joules"] and "factor" not in known):
        raise _error(path, f"{where}: family or factor is missing")
    if ways == ["fit"] and known["fit"] != FITTED:
        raise _error(path, f'{where}: fit = "{known["fit"]}"; there is: {FITTED}')
    _checked(path, where, known.get("joules", {}), dict.fromkeys(KINDS, float))
    return known["name"], known


def read(path: Path) -> File:
    """A file of the form of energy.toml; an unknown key is an error."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as why:
        raise _error(path, why.strerror or str(why)) from why
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as why:
        raise _error(path, str(why)) from why
    valid = ("set", "usual", "microcontroller")
    if unknown := [key for key in data if key not in valid]:
        raise _error(path, f'unknown table "{unknown[0]}"; there are: {", ".join(valid)}')
    sets = data.get("set", [])
    if not isinstance(sets, list):
        raise _error(path, "set is not a list of tables: write [[set]]")
    usual = {}
    for name, table in data.get("usual", {}).items():
        known = _checked(path, f"usual.{name}", table, _USUAL)
        if missing := [key for key in _USUAL if key not in known]:
            raise _error(path, f"usual.{name}: {missing[0]} is missing")
        usual[name] = Activity(**known)
    other = None
    if "microcontroller" in data:
        known = _checked(path, "microcontroller", data["microcontroller"], _OTHER)
        if missing := [key for key in _OTHER if key not in known]:
            raise _error(path, f"microcontroller: {missing[0]} is missing")
        other = Microcontroller(**known)
    return File(path, dict(_set(path, t, n) for n, t in enumerate(sets, 1)), usual, other)


@functools.cache
def load() -> File:
    """What Monpro comes with."""
    return read(paths.share() / "published" / "energy.toml")


def usual(multiplier: str) -> Activity:
    """How often designs with this multiplier toggle, from a simulation of some of them."""
    known = load().usual
    if multiplier not in known:
        raise MonproError(
            "MONPRO_ERR_ARGUMENT",
            f'no activity of the multiplier "{multiplier}"; there are: {", ".join(known)}',
        )
    return known[multiplier]


def microcontroller() -> Microcontroller:
    other = load().microcontroller
    if other is None:
        raise _error(load().path, "microcontroller is missing")
    return other
