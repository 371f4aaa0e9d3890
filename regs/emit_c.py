"""The C header of the driver: offsets, fields, encodings. Freestanding: needs only <stdint.h>."""

from __future__ import annotations

from register_map import Encoding, Register, RegisterMap

HEAD = """\
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


def _comment(text: str) -> str:
    return f"/* {text.strip().rstrip('.')} */"
