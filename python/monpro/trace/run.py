# SPDX-License-Identifier: Apache-2.0
"""Intermediate values of an exponentiation, from the C code and from a design's RTL, compared.

Both follow one plan (plan.py). Their values have different Montgomery factors, so they are compared
out of Montgomery form: after each step x^(bits of the exponent so far) mod N. All of the values are
secrets, as the key and the message are.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Literal

from monpro.engine import Counters, Job, Result, Scheme, to_bytes
from monpro.errors import MonproError
from monpro.hardware import designs
from monpro.hardware.designs import Design
from monpro.hardware.regs import Scheme as Number
from monpro.study.scanning import Way
from monpro.trace import c_code
from monpro.trace import plan as trace_plan
from monpro.trace import rtl as trace_rtl
from monpro.trace.steps import Operation, Plan, Step

Side = Literal["rtl", "c"]


@dataclass(frozen=True, slots=True)
class Injection:
    """A fault: a bit of a step's value, which changes behind it in one of the two."""

    step: int
    bit: int = 0
    side: Side = "rtl"


@dataclass(frozen=True, slots=True)
class Pair:
    """A value of both: as it is there, and out of Montgomery form. None: it cannot be seen."""

    what: str
    c_raw: int
    rtl_raw: int | None
    c: int
    rtl: int | None

    @property
    def differ(self) -> bool:
        return self.rtl is not None and self.c != self.rtl


@dataclass(frozen=True, slots=True)
class Difference:
    """The first difference: in which step, in which value of it, and which side is wrong."""

    step: int
    what: str
    wrong: str


@dataclass(frozen=True, slots=True)
class Trace:
    """A whole trace."""

    design: Design
    way: Way
    modulus: int
    scheme: Scheme
    window: int
    public: bool
    bits: int
    """Of the exponent, that were processed."""
    steps: list[tuple[Step, Pair]]
    result: Pair
    error: MonproError | None
    """What the device or the driver said to the result, if anything."""
    difference: Difference | None
    counters: Counters
    c_r: int
    rtl_r: int

    @property
    def values(self) -> list[tuple[str, str, Pair]]:
        """The steps and the result, in order: what bits, which digit, values."""
        return [*((step.label, step.digit, pair) for step, pair in self.steps),
                ("result", "", self.result)]  # fmt: skip


def run(design: Design, way: Way, job: Job, injection: Injection | None = None) -> Trace:
    """Runs both and compares. The job's numbers are whole ones."""
    base, exponent, modulus = _numbers(design, job)
    # Which scheme and window it is, and so which values there are to change, a run tells.
    result, values = trace_rtl.run(design, job)
    if result.error:
        raise result.error
    operation = _operation(result, job, exponent, modulus)
    plan = trace_plan.plan(design, operation)
    shape = trace_rtl.shape(design, modulus)
    c_fault, rtl_fault = _faults(plan, injection, shape, modulus)
    if rtl_fault:
        result, values = trace_rtl.run(design, job, rtl_fault)
    c_side = c_code.Trace(plan, way, modulus, base)
    c_side.run(c_fault)
    pairs = _pairs(plan, c_side, trace_rtl.match(plan, values, design), shape, modulus)
    rtl_result = None if result.error else result.value
    last = Pair("result", c_side.result, rtl_result, c_side.result, rtl_result)
    return Trace(
        design, way, modulus, _name(operation.scheme), operation.window, job.public, operation.bits,
        [(step, pairs[step.op]) for step in plan.steps], last, result.error,
        _difference(plan, pairs, last, base, exponent, modulus), result.counters,
        c_side.r, shape.r,
    )  # fmt: skip


def _name(scheme: Number) -> Scheme:
    return scheme.name.lower()  # type: ignore[return-value]


def _numbers(design: Design, job: Job) -> tuple[int, int, int]:
    base, exponent, modulus = job.base, job.exponent, job.modulus
    assert isinstance(base, int)
    assert isinstance(exponent, int)
    assert isinstance(modulus, int)
    bits = modulus.bit_length()
    if design.stream:
        names = ", ".join(name for name, known in designs.load().items() if not known.stream)
        raise MonproError(
            "MONPRO_ERR_UNSUPPORTED",
            f"{design.name} keeps no value of an exponentiation; a trace is of: {names}",
        )
    if not design.min_bits <= bits <= design.max_bits:
        raise MonproError(
            f"MONPRO_ERR_MODULUS_{'SHORT' if bits < design.min_bits else 'LONG'}",
            f"the modulus has {bits} bits; {design.name} takes {design.min_bits} to "
            f"{design.max_bits}",
        )
    if modulus % 2 == 0:
        raise MonproError(
            "MONPRO_ERR_MODULUS_EVEN", "the modulus is even: Montgomery products need an odd one"
        )
    return base, exponent, modulus


def _operation(result: Result, job: Job, exponent: int, modulus: int) -> Operation:
    length = 0 if job.public else (modulus.bit_length() + 7) // 8
    bits = exponent.bit_length() if job.public else 8 * len(to_bytes(exponent, length))
    scheme = Number[result.scheme.upper()]
    return Operation(scheme, exponent, max(bits, 1), result.window, job.public)


def _faults(
    plan: Plan, injection: Injection | None, shape: trace_rtl.Shape, modulus: int
) -> tuple[tuple[int, int] | None, trace_rtl.Fault | None]:
    """An injection, as the C code and as the RTL's model take it."""
    if injection is None:
        return None, None
    if not 0 <= injection.step < len(plan.steps):
        raise MonproError(
            "MONPRO_ERR_ARGUMENT",
            f"there is no step {injection.step} to change; there are 0 to {len(plan.steps) - 1}",
        )
    step = plan.steps[injection.step]
    if step.written != injection.step:
        raise MonproError(
            "MONPRO_ERR_ARGUMENT",
            f"step {injection.step} writes nothing: its value is that of step {step.written}",
        )
    rtl = injection.side == "rtl"
    bits = shape.word_bits * shape.words if rtl else modulus.bit_length()
    if not 0 <= injection.bit < bits:
        raise MonproError(
            "MONPRO_ERR_ARGUMENT",
            f"there is no bit {injection.bit} to change; there are 0 to {bits - 1}",
        )
    if not rtl:
        return (step.op, injection.bit), None
    source = plan.ops[step.op].source
    number = sum(op.source == source for op in plan.ops[: step.op])
    return None, trace_rtl.Fault(source, number, injection.bit)


def _pairs(
    plan: Plan, c_side: c_code.Trace, rtl: list[int | None], shape: trace_rtl.Shape, modulus: int
) -> list[Pair]:
    out = pow(shape.r, -1, modulus)
    pairs = []
    for number, (op, raw) in enumerate(zip(plan.ops, rtl, strict=True)):
        if op.form == "other":
            raw = None  # a factor more is in it
        plain = None if raw is None else raw * (out if op.form == "montgomery" else 1) % modulus
        leaves = op.y == "1" and op.form == "plain"
        c_plain = c_side.values[number] if leaves else c_side.plain(number)
        pairs.append(Pair(op.what, c_side.values[number], raw, c_plain, plain))
    return pairs


def _difference(
    plan: Plan, pairs: list[Pair], last: Pair, base: int, exponent: int, modulus: int
) -> Difference | None:
    """The first, by the order in which the values are written. A product adds powers of x, so
    the right value of each of them is known."""
    powers = {"x": 1, "1": 0, "rr": 0}
    for number, (op, pair) in enumerate(zip(plan.ops, pairs, strict=True)):
        power = powers[op.to] = powers[op.x] + (powers[op.y] if op.y else 0)
        if op.entry:
            powers[op.entry] = power
        if pair.differ:
            wrong = _wrong(pair, pow(base, power, modulus))
            return Difference(plan.step_at(number), pair.what, wrong)
    right = pow(base, exponent, modulus)
    if last.rtl != last.c or last.c != right:
        return Difference(len(plan.steps), "result", _wrong(last, right))
    return None


def _wrong(pair: Pair, right: int) -> str:
    sides = [name for name, value in (("C", pair.c), ("RTL", pair.rtl)) if value != right]
    return " and ".join(sides)


def describe(injection: Injection | None) -> dict[str, int | str] | None:
    """An injection, for a record."""
    return None if injection is None else dataclasses.asdict(injection)
