# SPDX-License-Identifier: Apache-2.0
"""The table of schemes: numbers and descriptions from the register map, facts from schemes.toml.

Every mistake in schemes.toml ends the program with a message that names the scheme and the fact.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import MISSING, dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import Any, NoReturn

from register_map import RegisterMap


class Window(StrEnum):
    """The entries of the table that CONFIG.window sizes."""

    NONE = "none"
    ALL_POWERS = "all powers"
    ODD_POWERS = "odd powers"


class LookUp(StrEnum):
    """When the sequencer multiplies by an entry that it looks up in the table memory."""

    ALWAYS = "always"
    FOR_SECRETS = "secret"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Facts:
    """A section of schemes.toml, whose head says what each fact means."""

    library: int
    label: str
    short: str
    secret: bool
    public_time: bool
    window: Window
    look_up: LookUp
    crt: bool
    products: bool
    alias: str = ""
    max_exponent_bits: int = 0

    @property
    def has_window(self) -> bool:
        return self.window != Window.NONE

    @property
    def has_odd_powers(self) -> bool:
        return self.window == Window.ODD_POWERS


TYPES: dict[str, type] = {
    "int": int, "str": str, "bool": bool, "Window": Window, "LookUp": LookUp,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Scheme:
    name: str
    number: int  # in CONFIG.scheme and PARAM_FEATURES.schemes
    description: str
    facts: Facts


def read_schemes(register_map: RegisterMap, source: Path) -> tuple[Scheme, ...]:
    """The schemes in the order of their numbers in the register map."""
    encoding = register_map.encoding("scheme")
    try:
        sections = tomllib.loads(source.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as why:
        raise SystemExit(f"{source.name}: {why}") from why
    numbers = {member.name for member in encoding.members}
    for name in numbers - sections.keys():
        _wrong(source, f"the scheme {name} of monpro.rdl has no section")
    for name in sections.keys() - numbers:
        _wrong(source, f"monpro.rdl has no scheme {name}")
    found = tuple(
        Scheme(m.name, m.value, m.description, _facts(source, m.name, sections[m.name]))
        for m in sorted(encoding.members, key=lambda member: member.value)
    )
    _check(source, found, register_map)
    return found


def by_library(schemes: Iterable[Scheme]) -> list[Scheme]:
    """The schemes in the order of monpro_scheme."""
    return sorted(schemes, key=lambda scheme: scheme.facts.library)


def _facts(source: Path, scheme: str, section: Any) -> Facts:
    if not isinstance(section, dict):
        _wrong(source, f"{scheme} is not a section")
    known = {field.name: field for field in fields(Facts)}
    for name in section.keys() - known.keys():
        _wrong(source, f"{scheme} has an unknown fact {name}; there are: {', '.join(known)}")
    values = {}
    for name, field in known.items():
        if name in section:
            values[name] = _value(source, f"{scheme}.{name}", section[name], str(field.type))
        elif field.default is MISSING:
            _wrong(source, f"{scheme} lacks the fact {name}")
    return Facts(**values)


def _value(source: Path, name: str, value: Any, kind: str) -> Any:
    wanted = TYPES[kind]
    if issubclass(wanted, StrEnum):
        if value not in list(wanted):
            _wrong(source, f"{name} must be one of {', '.join(wanted)}")
        return wanted(value)
    if type(value) is not wanted:
        _wrong(source, f"{name} must be of type {wanted.__name__}")
    return value


def _check(source: Path, schemes: tuple[Scheme, ...], register_map: RegisterMap) -> None:
    """What must hold between the facts of one scheme, and between the schemes."""
    present = register_map.register("PARAM_FEATURES").field("schemes")
    if [scheme.number for scheme in schemes] != list(range(present.width)):
        raise SystemExit(
            f"monpro.rdl: PARAM_FEATURES.schemes has {present.width} bits, so the schemes must "
            f"have the numbers 0 to {present.width - 1}"
        )
    if sorted(scheme.facts.library for scheme in schemes) != list(range(1, len(schemes) + 1)):
        _wrong(source, f"the values of library must be 1 to {len(schemes)}, each once")
    names = [name for one in schemes for name in (one.name, one.facts.alias) if name]
    if len(names) != len(set(names)):
        _wrong(source, "an alias is the name or alias of another scheme")
    for scheme in schemes:
        facts = scheme.facts
        if not facts.secret and not facts.public_time:
            _wrong(source, f"{scheme.name} takes no secret exponent, so public_time must be true")
        if not facts.secret and facts.look_up == LookUp.FOR_SECRETS:
            _wrong(source, f"{scheme.name} takes no secret exponent, so look_up cannot be secret")
        if facts.has_window and facts.look_up == LookUp.NEVER:
            _wrong(source, f"{scheme.name} has a window, so look_up cannot be never")


def _wrong(source: Path, message: str) -> NoReturn:
    raise SystemExit(f"{source.name}: {message}")
