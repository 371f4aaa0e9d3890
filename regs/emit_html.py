# SPDX-License-Identifier: Apache-2.0
"""The register map as one self-contained HTML page."""

from __future__ import annotations

from html import escape

from register_map import Encoding, Field, Register, RegisterMap

STYLE = """\
:root { color-scheme: light dark; --line: #8886; --dim: #8882; }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1em; }
h2 { margin: 2.5rem 0 .2rem; border-top: 1px solid var(--line); padding-top: 1rem; }
h2 { font-size: 1.15rem; }
h2 small { font-weight: normal; opacity: .7; }
table { border-collapse: collapse; width: 100%; margin: .6rem 0; }
th, td { border: 1px solid var(--line); padding: .25rem .5rem; }
th, td { text-align: left; vertical-align: top; }
th, .bits td.none { background: var(--dim); }
.bits { table-layout: fixed; font-size: .8rem; }
.bits td, .bits th { text-align: center; padding: .2rem 0; }
.bits td, .bits th { overflow: hidden; text-overflow: ellipsis; }
code { font-family: ui-monospace, monospace; }
ul { margin: .2rem 0 0; padding-left: 1.1rem; }
"""

ACCESS = {"r": "read", "w": "write", "rw": "read, write"}


def page(register_map: RegisterMap, notice: str) -> str:
    index = "\n".join(
        f"<tr><td><code>0x{r.offset:02X}</code></td>"
        f'<td><a href="#{r.name}"><code>{r.name}</code></a></td>'
        f"<td>{escape(r.title)}</td></tr>"
        for r in register_map.registers
    )
    registers = "\n".join(_register(register) for register in register_map.registers)
    return f"""\
<!DOCTYPE html>
<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- {escape(notice)} -->
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(register_map.title)}: registers</title>
<style>
{STYLE}</style>
</head>
<body>
<h1>{escape(register_map.title)}: registers</h1>
<p>{escape(register_map.description)}</p>
<table>
<tr><th>Offset</th><th>Register</th><th>What</th></tr>
{index}
</table>
{registers}
</body>
</html>
"""


def _register(register: Register) -> str:
    description = f"<p>{escape(register.description)}</p>\n" if register.description else ""
    rows = "\n".join(_field(field) for field in reversed(register.fields))
    return f"""\
<h2 id="{register.name}"><code>{register.name}</code> {escape(register.title)} \
<small>offset <code>0x{register.offset:02X}</code></small></h2>
{description}{_bits(register)}
<table>
<tr><th>Bits</th><th>Field</th><th>Software</th><th>Reset</th><th>Meaning</th></tr>
{rows}
</table>"""


def _bits(register: Register) -> str:
    """The word as a picture, bit 31 on the left."""
    numbers = "".join(f"<th>{bit}</th>" for bit in range(31, -1, -1))
    cells = []
    above = 32
    for field in reversed(register.fields):
        if above - 1 > field.high:
            cells.append(f'<td class="none" colspan="{above - 1 - field.high}"></td>')
        cells.append(
            f'<td colspan="{field.width}" title="{field.name}"><code>{field.name}</code></td>'
        )
        above = field.low
    if above > 0:
        cells.append(f'<td class="none" colspan="{above}"></td>')
    return f'<table class="bits">\n<tr>{numbers}</tr>\n<tr>{"".join(cells)}</tr>\n</table>'


def _field(field: Field) -> str:
    bits = f"{field.high}:{field.low}" if field.width > 1 else f"{field.low}"
    access = ACCESS[field.access] + (", pulse" if field.pulse else "")
    reset = "" if field.reset is None else f"<code>0x{field.reset:X}</code>"
    values = _values(field.encoding) if field.encoding else ""
    return (
        f"<tr><td>{bits}</td><td><code>{field.name}</code></td><td>{access}</td><td>{reset}</td>"
        f"<td>{escape(field.description)}{values}</td></tr>"
    )


def _values(encoding: Encoding) -> str:
    items = "".join(
        f"\n<li>{m.value} <code>{m.name}</code>: {escape(m.description)}</li>"
        for m in encoding.members
    )
    return f"\n<ul>{items}\n</ul>"
