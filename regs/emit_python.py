# SPDX-License-Identifier: Apache-2.0
"""The Python modules of registers and of schemes: typed constants, as the formatter writes them."""

from __future__ import annotations

import textwrap

from register_map import Encoding, Field, Register, RegisterMap
from scheme_table import Scheme, by_library

HEAD = '''\
# SPDX-License-Identifier: Apache-2.0
"""The coprocessor's registers: offsets, fields and what fields may hold.

{notice}
A register is a constant (`STATUS`), and so is each field (`STATUS_ERROR`):

    word = read(STATUS.offset)
    if STATUS_DONE.get(word) and STATUS_ERROR.get(word) == Error.NONE: ...
    write(CONFIG.offset, CONFIG_SCHEME.put(Scheme.BINARY) | CONFIG_PUBLIC.put(1))
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Self

from monpro.hardware.schemes import Scheme as Scheme


class Encoding(IntEnum):
    """What a field may hold; each member says what it means."""

    description: str

    def __new__(cls, value: int, description: str) -> Self:
        member = int.__new__(cls, value)
        member._value_ = value
        member.description = description
        return member


@dataclass(frozen=True, slots=True)
class Field:
    """Some bits of a register; `access` is what software may do: "r", "w" or "rw"."""

    name: str
    low: int
    high: int
    access: str
    reset: int | None
    description: str
    encoding: type[IntEnum] | None = None

    @property
    def mask(self) -> int:
        return ((1 << (self.high - self.low + 1)) - 1) << self.low

    def get(self, word: int) -> int:
        """The field's value in a word of its register."""
        return (word & self.mask) >> self.low

    def put(self, value: int) -> int:
        """The word that has `value` in this field and zero elsewhere."""
        if not 0 <= value <= self.mask >> self.low:
            raise ValueError(f"{{self.name}} cannot hold {{value}}")
        return value << self.low


@dataclass(frozen=True, slots=True)
class Register:
    """A 32-bit register; `offset` is its address in bytes, `fields` start at bit 0."""

    name: str
    offset: int
    title: str
    description: str
    fields: tuple[Field, ...]
'''

SCHEMES = '''\
# SPDX-License-Identifier: Apache-2.0
"""The schemes of exponentiation, and what holds for each.

{notice}
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Literal, Self

# The names that the library and the command line take, in the order of monpro_scheme in monpro.h.
SchemeName = Literal[
{literal}
]


@dataclass(frozen=True, slots=True)
class Facts:
    """What C, Python and RTL must know of a scheme."""

    library: int
    """The value of monpro_scheme in monpro.h."""
    label: str
    """The name in running text."""
    short: str
    """The name in the narrow columns of a table."""
    alias: str
    """The name in papers, or empty. The command line takes it too."""
    secret: bool
    """The scheme takes secret exponents. The cycles then depend on lengths only."""
    public_time: bool
    """The cycles depend on a public exponent."""
    window: bool
    """The scheme has a table whose size follows from a window."""
    odd_powers: bool
    """The table has the odd powers only: it is half as long."""
    crt: bool
    """The scheme can do both halves of an RSA private operation at once."""
    products: bool
    """The scheme can be done as single products."""
    max_exponent_bits: int
    """The longest exponent, where the scheme sets a limit of its own; else 0."""


class Scheme(IntEnum):
    """A scheme. Its value is its number in CONFIG.scheme and PARAM_FEATURES.schemes."""

    description: str
    facts: Facts

    def __new__(cls, value: int, description: str, facts: Facts) -> Self:
        member = int.__new__(cls, value)
        member._value_ = value
        member.description = description
        member.facts = facts
        return member

{members}
'''


def module(register_map: RegisterMap, notice: str) -> str:
    parts = [HEAD.format(notice=notice)]
    # The schemes have a module of their own, which needs nothing of the registers.
    own = [encoding for encoding in register_map.encodings if encoding.name != "scheme"]
    parts += [_encoding(encoding) for encoding in own]
    parts.append("\n\n" + "\n".join(_register(register) for register in register_map.registers))
    names = "".join(f"    {register.name},\n" for register in register_map.registers)
    parts.append(f"\nREGISTERS: tuple[Register, ...] = (\n{names})\n")
    return "".join(parts)


def _encoding(encoding: Encoding) -> str:
    lines = [f"\n\nclass {encoding.name.capitalize()}(Encoding):"]
    for member in encoding.members:
        lines.append(f"    {member.name.upper()} = (")
        lines.append(f"        {member.value},")
        lines += _string(member.description, 8)
        lines.append("    )")
    return "\n".join(lines) + "\n"


def _register(register: Register) -> str:
    lines = [_field(register, field) for field in register.fields]
    lines += [
        f"{register.name} = Register(",
        f'    name="{register.name}",',
        f"    offset=0x{register.offset:02X},",
        *_string(register.title, 4, "title="),
        *_string(register.description, 4, "description="),
        *_fields([f"{register.name}_{field.name.upper()}" for field in register.fields]),
        ")",
    ]
    return "\n".join(lines)


def _fields(names: list[str]) -> list[str]:
    if len(names) == 1:
        return [f"    fields=({names[0]},),"]
    return ["    fields=(", *(f"        {name}," for name in names), "    ),"]


def _field(register: Register, field: Field) -> str:
    lines = [
        f"{register.name}_{field.name.upper()} = Field(",
        f'    name="{register.name}.{field.name}",',
        f"    low={field.low},",
        f"    high={field.high},",
        f'    access="{field.access}",',
        f"    reset={None if field.reset is None else f'0x{field.reset:X}'},",
        *_string(field.description, 4, "description="),
    ]
    if field.encoding is not None:
        lines.append(f"    encoding={field.encoding.name.capitalize()},")
    return "\n".join([*lines, ")"])


def schemes_module(schemes: tuple[Scheme, ...], notice: str) -> str:
    names = ["default", *(one.name for one in by_library(schemes))]
    return SCHEMES.format(
        notice=notice,
        literal="\n".join(f"    {_quote(name)}," for name in names),
        members="\n".join(_member(scheme) for scheme in schemes),
    )


def _member(scheme: Scheme) -> str:
    facts = scheme.facts
    values = {
        "library": facts.library,
        "label": _quote(facts.label),
        "short": _quote(facts.short),
        "alias": _quote(facts.alias),
        "secret": facts.secret,
        "public_time": facts.public_time,
        "window": facts.has_window,
        "odd_powers": facts.has_odd_powers,
        "crt": facts.crt,
        "products": facts.products,
        "max_exponent_bits": facts.max_exponent_bits,
    }
    lines = [
        f"    {scheme.name.upper()} = (",
        f"        {scheme.number},",
        *_string(scheme.description, 8),
        "        Facts(",
        *(f"            {name}={value}," for name, value in values.items()),
        "        ),",
        "    )",
    ]
    return "\n".join(lines)


def _string(text: str, indent: int, before: str = "") -> list[str]:
    """A string as an argument, on one line of 100 columns or in brackets on several."""
    margin = " " * indent
    line = f"{margin}{before}{_quote(text)},"
    if len(line) <= 100:
        return [line]
    parts = textwrap.wrap(text, 100 - indent - 8, drop_whitespace=False)
    inner = [f"{margin}    {_quote(part)}" for part in parts]
    if not before:
        # Brackets that the language does not need here, but the formatter does.
        return [f"{margin}(", *inner, f"{margin}),"]
    return [f"{margin}{before}(", *inner, f"{margin}),"]


def _quote(text: str) -> str:
    """As ruff writes it: double quotes, unless that takes more backslashes."""
    if '"' in text and "'" not in text:
        return f"'{text}'"
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
