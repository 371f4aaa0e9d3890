# SPDX-License-Identifier: Apache-2.0
"""No handshake, address, enable, status bit or cycle depends on a secret: whole coprocessors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import z3

from formal import flow, netlist, step
from formal.netlist import Netlist
from formal.theorem import Mutant, Theorem, Verdict
from monpro.hardware import designs, simulator
from monpro.hardware.regs import Scheme

TOP = "monpro_coprocessor"
# Where a secret enters the core: a word of an operand, a word of an exponent, and the bit of a
# command by which the host chooses one of two entries.
SECRET = ("load_data", "load_exponent_data", "g_products.u_core.push_command_i[0]")
# Outputs that carry operands and results. That only a finished result is read is another matter.
DATA = ("s_axil_rdata", "m_axis_tdata")
# The registers as they are read, counters and status among them. Read data carries these as well.
CLEAN = ("bus_read_data",)
# What an operation says of its operands, and must: which check they have failed.
DECLASSIFIED = {
    "u_outcome.check_error": "the modulus is even or of another length, or the base not below it",
    "u_outcome.too_far": "CRT: the primes differ in length",
    "u_operand_port.overflow": "an operand is longer than LENGTH says",
    "u_core.inverse_wrong": "single products: n' does not belong to the modulus",
    "u_core.odd_q": "single products: the modulus is odd",
    "u_modulus_bits.length": "serial cores: the length of the modulus in bits",
    "u_control.check_error": "serial cores: the same checks as above",
}
# What stays as it is while an operation runs, for the coprocessor refuses to write it.
CONFIGURATION = ("scheme_i", "public_i", "crt_i")

# Registers of which exactly one is 1, and registers that hold few values: with them, no two selects
# of one choice are ever 1, which the flow takes for granted.
ONE_HOT = tuple(f"u_sequencer.{name}" for name in (
    "state_q", "u_order.after_q", "u_order.after_base_q", "u_order.after_constants_q",
))  # fmt: skip
FEW_VALUES = tuple(
    f"u_operand_port.{name}" for name in ("state_q", "append_q", "word_out_q", "exponent_out_q")
)
BUSY = "core_busy"


@dataclass(frozen=True, slots=True)
class Case:
    """A design with the kind of operation that is proved of it."""

    spec: str
    crt: bool = False
    stream: bool = False
    title: str = ""

    @property
    def schemes(self) -> tuple[Scheme | None, ...]:
        """Those that take a secret exponent; none where the host does the exponentiation."""
        design = designs.parse(self.spec)
        if design.entries:
            return (None,)
        if self.crt:
            return (Scheme.FIXED_WINDOW,)
        named = [Scheme[name.upper()] for name in design.schemes]
        return tuple(one for one in named if one.facts.secret)

    def __str__(self) -> str:
        name = self.title or designs.parse(self.spec).name
        return name + ", CRT" * self.crt + ", streams" * self.stream


def coprocessor(case: Case, folder: Path) -> Netlist:
    flags = simulator.flags(designs.parse(case.spec), trace=False)
    values = [flag[2:] for flag in flags if flag[:2] == "-G"]
    return netlist.make(TOP, [*values, f"Stream={int(case.stream)}"], folder)


def _ending(found: Netlist, end: str) -> list[str]:
    return [name for name in found.names if name.endswith(f".{end}") or name == end]


def fixed(found: Netlist, scheme: Scheme | None, crt: bool) -> dict[str, int]:
    """The configuration of an operation with a secret exponent."""
    values = {"scheme_i": 0 if scheme is None else int(scheme), "public_i": 0, "crt_i": int(crt)}
    return {
        name: values[end]
        for end in CONFIGURATION
        for core in ("u_sequencer", "u_control")
        for name in _ending(found, f"{core}.{end}")
    }


def choices(found: Netlist, cycle: step.Step) -> str:
    """What is wrong with a choice by selects, or nothing: by induction over a cycle."""
    hot = [found.bits(name) for end in ONE_HOT for name in _ending(found, end)]
    invariants = [step.one_hot([cycle.bit(bit) for bit in bits]) for bits in hot]
    for bits in hot:
        if not step.holds(invariants, step.one_hot([cycle.after(bit) for bit in bits])):
            return "a state is not one-hot"
    few = [bit for end in FEW_VALUES for name in _ending(found, end) for bit in found.bits(name)]
    reset = {out: value for _, out, value in found.registers}
    invariants.append(step.reachable(cycle, few, [bool(reset[bit]) for bit in few]))
    for kind, pins, _ in found.cells:
        selects = [cycle.bit(bit) for bit in pins.get("S", ())]
        if kind == "$pmux" and not step.holds(invariants, step.at_most_one(selects)):
            return f"two selects of a choice can be 1: {pins['S'][:4]}"
    return ""


def configuration(found: Netlist, cycle: step.Step, names: Sequence[str]) -> str:
    """What of the configuration can change while the core is busy, or nothing."""
    for name in names:
        held = [cycle.after(bit) == cycle.bit(bit) for bit in found.bits(name)]
        if not step.holds(cycle.bits(BUSY), z3.And(*held)):
            return f"{name} can be written during an operation"
    return ""


def prove(case: Case, folder: Path, _: str = "") -> Verdict:
    found = coprocessor(case, folder)
    cycle = step.Step(found)
    static = list(fixed(found, case.schemes[0], case.crt))
    if wrong := choices(found, cycle) or configuration(found, cycle, static):
        return Verdict(False, wrong)
    public = [name for end in DECLASSIFIED for name in _ending(found, end)]
    secret = [name for name in SECRET if name.partition("[")[0] in found.names]
    for scheme in case.schemes:
        result = flow.Flow(found, secret, fixed(found, scheme, case.crt), public)
        if unknown := result.stuck():
            return Verdict(False, f"no value for {unknown[0]}")
        if not result.tainted(bit for name in DATA for bit in found.outputs.get(name, ())):
            return Verdict(False, "vacuous: no secret reaches the data either")
        for leak, bits in result.leaks(DATA, CLEAN):
            way = " <- ".join(result.path(bits)[:6])
            return Verdict(False, f"{'product' if scheme is None else scheme.name}: {leak}: {way}")
    return Verdict(True)


ORDER, ALU, TABLE = (f"sequencer/monpro_{name}.sv" for name in ("order", "alu", "table"))
SKIPPED = Mutant(
    "a window of zero bits costs no multiplication", ORDER,
    "else if (method_i.selecting || conditions_i.one_taken_q) after_d = to(StMultiply);",
    "else if (conditions_i.one_taken_q) after_d = to(StMultiply);",
)  # fmt: skip
EARLY = Mutant(
    "the exponent ends at bits that are all ones", "sequencer/monpro_recoding.sv",
    "assign none_taken_o = taken_count_i == '0;",
    "assign none_taken_o = taken_count_i == '0 || value_i == '1;",
)  # fmt: skip
FAST_PASS = Mutant(
    "a pass of the adder ends early if its result is negative", ALU,
    "done_o = valid_q[4] && place_sum_q.last;",
    "done_o = valid_q[4] && (place_sum_q.last || new_negative);",
)  # fmt: skip
ADDRESS = Mutant(
    "the look-up reads the entry alone", TABLE,
    ".read_addr_i (place(index_q, scan_q, crt_i, half_i)),",
    ".read_addr_i (place(index_q, 6'(entry_i >> BankBits), crt_i, half_i)),",
)  # fmt: skip
STOPS = Mutant(
    "the look-up stops at a word of zeros", TABLE,
    "if (last_step && at_last_q) active_q <= 1'b0;",
    "if (last_step && (at_last_q || sum_q == '0)) active_q <= 1'b0;",
)  # fmt: skip
TELLS = Mutant(
    "a state bit tells the sign of a difference", "coprocessor/monpro_core.sv",
    "wiping: wipe, clearing: clearing,", "wiping: wipe, clearing: clearing ^ alu_negative,",
)  # fmt: skip
WORD_ENDS = Mutant(
    "a product ends early at words of zeros", "products/monpro_product_core.sv",
    "assign settled = !in_flight && !r_valid && copying_q == '0 && !write_q;",
    "assign settled = (!in_flight || write_data_q == '0) && !r_valid && copying_q == '0;",
)  # fmt: skip
CHOICE = Mutant(
    "a copy reads the entry alone that it keeps", "products/monpro_product_core.sv",
    "x_entry = copy_q.x;", "x_entry = copy_first_q ? copy_q.x : copy_q.y;",
)  # fmt: skip
BIT = Mutant(
    "serial cores: a zero bit costs no multiplication", "serial/monpro_serial_control.sv",
    "if (repeated || (public_i && !exponent_bit_i)) begin",
    "if (repeated || !exponent_bit_i) begin",
)  # fmt: skip
TWO_STATES = Mutant(
    "two states follow a multiplication", ORDER,
    "assign after_multiply = (method_i.sliding && conditions_i.zeros) ? to(StZeros) : to(StNext);",
    "assign after_multiply = (method_i.sliding ? to(StZeros) : '0) | to(StNext);",
)  # fmt: skip
UNLOCKED = Mutant(
    "the configuration can be written during an operation", "coprocessor/monpro_coprocessor.sv",
    "assign locked = busy || refused;", "assign locked = refused;",
)  # fmt: skip
COUNTS = Mutant(
    "the counter of bus cycles counts words of zeros", "coprocessor/monpro_coprocessor.sv",
    "assign writing = axil_writing || stream_writing;",
    "assign writing = axil_writing || stream_writing || (data_read == '0);",
)  # fmt: skip
MUTANTS = (SKIPPED, EARLY, FAST_PASS, ADDRESS, STOPS, TELLS, TWO_STATES, UNLOCKED)


def _theorem(case: Case, mutants: tuple[Mutant, ...], *, long: bool = False) -> Theorem:
    words = ", ".join(one.name.lower() for one in case.schemes if one is not None)
    return Theorem(
        name=f"constant time: {case}",
        statement="No output but the data, no register, and no address or enable of a memory "
        "depends on an operand or an exponent, in any cycle after a reset.",
        tool="taint over Yosys's netlist",
        scope=f"whole coprocessor; {words or 'single products'}",
        prove=partial(prove, case),
        mutants=mutants,
        long=long,
    )


def theorems() -> Iterator[Theorem]:
    narrow = "tiny,word_bits=24,digit_bits=17,max_bits=2048"
    yield _theorem(Case("study"), MUTANTS)
    yield _theorem(Case("study", stream=True), (COUNTS,))
    yield _theorem(Case("tiny"), (ADDRESS,))
    yield _theorem(Case(narrow, title="tiny, digits of 17 bits in words of 24"), (FAST_PASS,))
    yield _theorem(Case("small"), (STOPS,))
    yield _theorem(Case("fast"), (EARLY,), long=True)
    yield _theorem(Case("fast", crt=True), (SKIPPED, TELLS))
    yield _theorem(Case("fast", crt=True, stream=True), (COUNTS,), long=True)
    yield _theorem(Case("binary"), (BIT,))
    yield _theorem(Case("montgomery"), (BIT,))
    yield _theorem(Case("pynq"), (WORD_ENDS,))
    yield _theorem(Case("codesign"), (WORD_ENDS, CHOICE))
    yield _theorem(Case("codesign", stream=True), (COUNTS,))
