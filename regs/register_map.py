# SPDX-License-Identifier: Apache-2.0
"""The register map as plain data, read from regs/monpro.rdl by systemrdl-compiler.

The emitters see these classes only, so none of them depends on the compiler's tree.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from peakrdl_regblock.udps import ALL_UDPS  # type: ignore[import-untyped]
from systemrdl.compiler import RDLCompiler
from systemrdl.messages import RDLCompileError
from systemrdl.node import AddrmapNode, FieldNode, RegNode


@dataclass(frozen=True, slots=True)
class Member:
    name: str
    value: int
    description: str


@dataclass(frozen=True, slots=True)
class Encoding:
    name: str  # without the RDL's "_e"
    width: int
    members: tuple[Member, ...]


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    low: int
    high: int
    access: str  # of software: "r", "w" or "rw"
    pulse: bool  # a write of 1 lasts one clock cycle
    constant: bool  # neither side can change it
    reset: int | None
    description: str
    encoding: Encoding | None

    @property
    def width(self) -> int:
        return self.high - self.low + 1

    @property
    def mask(self) -> int:
        return ((1 << self.width) - 1) << self.low


@dataclass(frozen=True, slots=True)
class Register:
    name: str
    offset: int
    title: str
    description: str
    external: bool  # not in the register block
    fields: tuple[Field, ...]  # from bit 0 upwards

    def field(self, name: str) -> Field:
        return next(field for field in self.fields if field.name == name)


@dataclass(frozen=True, slots=True)
class RegisterMap:
    title: str
    description: str
    registers: tuple[Register, ...]
    encodings: tuple[Encoding, ...]

    def register(self, name: str) -> Register:
        return next(register for register in self.registers if register.name == name)

    def encoding(self, name: str) -> Encoding:
        return next(encoding for encoding in self.encodings if encoding.name == name)


def compile_rdl(source: Path, *defined: str) -> AddrmapNode:
    """The elaborated address map, with what the preprocessor is to find defined.

    A syntax error ends the program with the compiler's message.
    """
    compiler = RDLCompiler()
    for property_definition in ALL_UDPS:  # the exporter asks for each of its own properties
        compiler.register_udp(property_definition)
    try:
        compiler.compile_file(str(source), defines=dict.fromkeys(defined, ""))
        return compiler.elaborate().top
    except RDLCompileError as why:  # the compiler has already said where
        raise SystemExit(f"{source.name}: {why}") from why


def read_register_map(top: AddrmapNode) -> RegisterMap:
    encodings: dict[str, Encoding] = {}
    registers = tuple(_register(node, encodings) for node in top.registers())
    return RegisterMap(
        title=top.get_property("name"),
        description=top.get_property("desc") or "",
        registers=registers,
        encodings=tuple(encodings.values()),
    )


def _register(node: RegNode, encodings: dict[str, Encoding]) -> Register:
    fields = sorted(node.fields(), key=lambda field: field.low)
    return Register(
        name=node.inst_name,
        offset=node.absolute_address,
        title=node.get_property("name"),
        description=node.get_property("desc") or "",
        external=node.external,
        fields=tuple(_field(field, encodings) for field in fields),
    )


def _field(node: FieldNode, encodings: dict[str, Encoding]) -> Field:
    reset = node.get_property("reset")
    if reset is not None and not isinstance(reset, int):
        raise ValueError(f"{node.get_path()}: only a constant reset value can be generated")
    enum = node.get_property("encode")
    encoding = None
    if enum is not None:
        encoding = Encoding(
            name=enum.type_name.removesuffix("_e"),
            width=node.width,
            members=tuple(Member(m.name, m.value, m.rdl_desc or "") for m in enum),
        )
        known = encodings.setdefault(encoding.name, encoding)
        if known != encoding:
            raise ValueError(f"{node.get_path()}: {encoding.name} has another width elsewhere")
        if max(member.value for member in encoding.members) >> node.width:
            raise ValueError(f"{node.get_path()}: too narrow for {encoding.name}")
    return Field(
        name=node.inst_name,
        low=node.low,
        high=node.high,
        access=node.get_property("sw").name,
        pulse=bool(node.get_property("singlepulse")),
        constant=not node.is_hw_writable and not node.is_sw_writable,
        reset=reset,
        description=node.get_property("desc") or "",
        encoding=encoding,
    )
