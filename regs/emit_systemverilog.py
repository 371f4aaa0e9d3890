# SPDX-License-Identifier: Apache-2.0
"""SystemVerilog: the register block by PeakRDL-regblock, and a package of the encodings."""

from __future__ import annotations

import textwrap
from pathlib import Path

from peakrdl_regblock import RegblockExporter  # type: ignore[import-untyped]
from peakrdl_regblock.cpuif.passthrough import (  # type: ignore[import-untyped]
    PassthroughCpuif,
)
from register_map import Encoding, RegisterMap
from scheme_table import LookUp, Scheme
from systemrdl.node import AddrmapNode

ENUM_PACKAGE = "monpro_regs_enum_pkg"

SCHEMES = """\
  // Sets of schemes, from regs/schemes.toml. Bit n stands for scheme n of scheme_e.
  typedef logic [{top}:0] schemes_t;
{constants}

  // No set has a number that is no scheme.
  function automatic logic is_in(scheme_e scheme, schemes_t schemes);
    return 1'({numbers}'(schemes) >> scheme);
  endfunction

  // The scheme multiplies by entries that it looks up in the table memory.
  function automatic logic looks_up(scheme_e scheme, logic is_public);
    return is_in(scheme, SchemesLookUp) || (is_in(scheme, SchemesLookUpSecret) && !is_public);
  endfunction

  // The scheme does not take an exponent of this length, whatever the design holds.
  function automatic logic is_too_long(scheme_e scheme, logic [15:0] bits);
    unique case (scheme)
{limits}
      default: return 1'b0;
    endcase
  endfunction"""


def write_register_block(top: AddrmapNode, folder: Path) -> None:
    """monpro_regs.sv and monpro_regs_pkg.sv: the generator's own bus, behind monpro_axi_lite, and
    an asynchronous active-low reset arst_n; an address with no register, and a write to one that is
    read only or the reverse, answer an error."""
    RegblockExporter().export(
        top,
        str(folder),
        cpuif_cls=PassthroughCpuif,
        module_name="monpro_regs",
        package_name="monpro_regs_pkg",
        default_reset_activelow=True,
        default_reset_async=True,
        err_if_bad_addr=True,
        err_if_bad_rw=True,
        # A cycle more for a read, so that it does not decide the clock.
        retime_read_fanin=True,
    )
    # The exporter leaves blanks at line ends and no rule of ours should have to allow that.
    for path in sorted(folder.glob("*.sv")):
        lines = path.read_text(encoding="utf-8").splitlines()
        path.write_text("".join(line.rstrip() + "\n" for line in lines), encoding="utf-8")


def enum_package(register_map: RegisterMap, schemes: tuple[Scheme, ...], notice: str) -> str:
    blocks = [_constants(register_map)]
    blocks += [_enum(encoding) for encoding in register_map.encodings]
    width = register_map.encoding("scheme").width
    blocks.append(_schemes(schemes, width))
    body = "\n\n".join(blocks)
    return (
        f"// SPDX-License-Identifier: Apache-2.0\n// {notice}\n\n"
        "// What the fields of the registers may hold, by name.\n"
        f"package {ENUM_PACKAGE};\n\n{body}\n\nendpackage\n"
    )


def _constants(register_map: RegisterMap) -> str:
    lines = []
    for register in register_map.registers:
        name, offset = _camel(register.name) + "Offset", register.offset
        lines.append(f"  localparam logic [6:0] {name} = 7'h{offset:02X};")
        for field in register.fields:
            if field.constant and field.reset is not None:
                name = _camel(register.name) + _camel(field.name)
                digits = (field.width + 3) // 4
                value = f"{field.width}'h{field.reset:0{digits}X}"
                lines += _comment(field.description, 2)
                lines.append(f"  localparam logic [{field.width - 1}:0] {name} = {value};")
    return "\n".join(lines)


def _enum(encoding: Encoding) -> str:
    lines = [f"  typedef enum logic [{encoding.width - 1}:0] {{"]
    for member in encoding.members:
        comma = "" if member is encoding.members[-1] else ","
        name = _camel(encoding.name) + _camel(member.name)
        lines += _comment(member.description, 4)
        lines.append(f"    {name} = {encoding.width}'d{member.value}{comma}")
    lines.append(f"  }} {encoding.name}_e;")
    return "\n".join(lines)


def _schemes(schemes: tuple[Scheme, ...], width: int) -> str:
    """The sets of schemes that the RTL asks for, and the functions that look into them."""
    sets = [
        ("Window", [one for one in schemes if one.facts.has_window]),
        ("OddPowers", [one for one in schemes if one.facts.has_odd_powers]),
        ("Secrets", [one for one in schemes if one.facts.secret]),
        ("Crt", [one for one in schemes if one.facts.crt]),
        ("LookUp", [one for one in schemes if one.facts.look_up == LookUp.ALWAYS]),
        ("LookUpSecret", [one for one in schemes if one.facts.look_up == LookUp.FOR_SECRETS]),
    ]
    count = max(one.number for one in schemes) + 1
    constants = [
        f"  localparam schemes_t Schemes{name} = "
        f"{count}'b{sum(1 << one.number for one in members):0{count}b};"
        for name, members in sets
    ]
    limits = [
        f"      Scheme{_camel(one.name)}: return bits > 16'd{one.facts.max_exponent_bits};"
        for one in schemes
        if one.facts.max_exponent_bits
    ]
    return SCHEMES.format(
        top=count - 1,
        constants="\n".join(constants),
        numbers=1 << width,
        limits="\n".join(limits),
    )


def _comment(text: str, indent: int) -> list[str]:
    margin = " " * indent + "// "
    return textwrap.wrap(text, 100, initial_indent=margin, subsequent_indent=margin)


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))
