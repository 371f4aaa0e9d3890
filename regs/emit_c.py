# SPDX-License-Identifier: Apache-2.0
"""The C headers: registers, and schemes. Both are freestanding: they need no C library."""

from __future__ import annotations

from register_map import Encoding, Register, RegisterMap
from scheme_table import Scheme, by_library

HEAD = """\
/* SPDX-License-Identifier: Apache-2.0 */
/* {notice} */
#ifndef MONPRO_REGS_H
#define MONPRO_REGS_H

#include <stdint.h>

/* Fields: the value of a field in a register's word, and a field's share of a word to be written.
 *   MONPRO_REGS_GET(status, STATUS_ERROR)      MONPRO_REGS_PUT(CONFIG_WINDOW, 5u) */
#define MONPRO_REGS_GET(word, field) \\
    (((uint32_t)(word) & MONPRO_REGS_##field##_MASK) >> MONPRO_REGS_##field##_SHIFT)
#define MONPRO_REGS_PUT(field, value) \\
    (((uint32_t)(value) << MONPRO_REGS_##field##_SHIFT) & MONPRO_REGS_##field##_MASK)

"""

ENCODINGS = """\
/* Encodings. Each has an enum, and a list to make tables and switches from:
 * X(NAME, value, "name", "description"). */

"""


SCHEMES = """\
/* SPDX-License-Identifier: Apache-2.0 */
/* {notice} */
#ifndef MONPRO_SCHEMES_H
#define MONPRO_SCHEMES_H

#include <stdbool.h>
#include <stdint.h>

#include "monpro/monpro.h"

/* The schemes, to make tables and switches from: X(NAME, "name", number, bits).
 * The number is the one in CONFIG.scheme. The bits are the length of the longest exponent, where
 * the scheme sets a limit of its own; else 0. */
#define MONPRO_SCHEMES_LIST(X) \\
{rows}

/* A table that is indexed by monpro_scheme has this many rows. Row 0 is MONPRO_SCHEME_DEFAULT. */
#define MONPRO_SCHEMES_ROWS {count}u

/* Sets of schemes. Bit n stands for value n of monpro_scheme, as in monpro_engine_info.schemes. */
{sets}

static inline bool monpro_scheme_is_in(monpro_scheme scheme, uint32_t schemes)
{{
    return (schemes >> (uint32_t)scheme & 1u) != 0;
}}

/* The values in monpro.h are those of regs/schemes.toml. */
{checks}

#endif
"""


def header(register_map: RegisterMap, notice: str) -> str:
    text = HEAD.format(notice=notice)
    text += "".join(_register(register) for register in register_map.registers)
    text += ENCODINGS
    text += "".join(_encoding(encoding) for encoding in register_map.encodings)
    text += "#endif\n"
    names = [line.split()[1].split("(")[0] for line in text.splitlines() if line[:8] == "#define "]
    if len(names) != len(set(names)):
        raise ValueError("two names of the register map fall together in C")
    return text


def _register(register: Register) -> str:
    lines = [_comment(f"{register.title}. {register.description}")]
    defines = [(f"{register.name}_OFFSET", f"0x{register.offset:02X}u", "")]
    for field in register.fields:
        name = f"{register.name}_{field.name.upper()}"
        about = f"{field.access}{', pulse' if field.pulse else ''}: {field.description}"
        defines.append((f"{name}_MASK", f"0x{field.mask:08X}u", about))
        defines.append((f"{name}_SHIFT", f"{field.low}u", ""))
        if field.constant and field.reset is not None:
            defines.append((f"{name}_VALUE", f"0x{field.reset:X}u", ""))
    for name, value, about in defines:
        lines.append(f"#define MONPRO_REGS_{name} {value}" + (f" /* {about} */" if about else ""))
    return "\n".join(lines) + "\n\n"


def _encoding(encoding: Encoding) -> str:
    upper = encoding.name.upper()
    lines = [f"typedef enum monpro_regs_{encoding.name} {{"]
    values = [f"    MONPRO_REGS_{upper}_{m.name.upper()} = {m.value}" for m in encoding.members]
    lines.append(",\n".join(values))
    lines.append(f"}} monpro_regs_{encoding.name};")
    rows = [f"#define MONPRO_REGS_{upper}_LIST(X)"]
    for member in encoding.members:
        text = member.description.replace("\\", "\\\\").replace('"', '\\"')
        rows.append(f'    X({member.name.upper()}, {member.value}, "{member.name}", "{text}")')
    lines.append(" \\\n".join(rows))
    return "\n".join(lines) + "\n\n"


def schemes_header(schemes: tuple[Scheme, ...], notice: str) -> str:
    ordered = by_library(schemes)
    return SCHEMES.format(
        notice=notice,
        count=len(ordered) + 1,
        rows=" \\\n".join(
            f'    X({one.name.upper()}, "{one.name}", {one.number}, {one.facts.max_exponent_bits})'
            for one in ordered
        ),
        sets="\n".join(_sets(ordered)),
        checks="\n".join(
            f"_Static_assert((int)MONPRO_SCHEME_{one.name.upper()} == {one.facts.library}, "
            f'"the value of {one.name}");'
            for one in ordered
        ),
    )


def _sets(schemes: list[Scheme]) -> list[str]:
    """A set of schemes for each fact that C asks for: its name, its members, a remark."""
    sets = [
        ("ALL", schemes, ""),
        ("WITH_WINDOW", [one for one in schemes if one.facts.has_window], ""),
        (
            "OF_ODD_POWERS",
            [one for one in schemes if one.facts.has_odd_powers],
            " /* of those with a window: the table is half as long */",
        ),
        (
            "FOR_SECRETS",
            [one for one in schemes if one.facts.secret],
            " /* the others take public exponents only */",
        ),
        ("OF_PRODUCTS", [one for one in schemes if one.facts.products], ""),
    ]
    return [
        f"#define MONPRO_SCHEMES_{name} 0x{sum(1 << one.facts.library for one in members):02X}u"
        f"{about}"
        for name, members, about in sets
    ]


def _comment(text: str) -> str:
    return f"/* {text.strip().rstrip('.')} */"
