"""SystemVerilog: the register block by PeakRDL-regblock, and a package of the encodings."""

from __future__ import annotations

import textwrap
from pathlib import Path

from peakrdl_regblock import RegblockExporter  # type: ignore[import-untyped]
from peakrdl_regblock.cpuif.passthrough import (  # type: ignore[import-untyped]
    PassthroughCpuif,
)
from register_map import Encoding, RegisterMap
from systemrdl.node import AddrmapNode

ENUM_PACKAGE = "monpro_regs_enum_pkg"


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


def enum_package(register_map: RegisterMap, notice: str) -> str:
    blocks = [_constants(register_map)]
    blocks += [_enum(encoding) for encoding in register_map.encodings]
    body = "\n\n".join(blocks)
    return (
        f"// {notice}\n\n"
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


def _comment(text: str, indent: int) -> list[str]:
    margin = " " * indent + "// "
    return textwrap.wrap(text, 100, initial_indent=margin, subsequent_indent=margin)


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))
