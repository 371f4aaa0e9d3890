# SPDX-License-Identifier: Apache-2.0
"""monpro_serial_control: its steps, done by an interpreter on whole numbers, give the power."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge

import agents
from monpro.hardware.models.coprocessor import PUBLIC_SCHEMES
from monpro.hardware.regs import Error, Scheme

TOP = "monpro_serial_control"
SIZES = {"MinBits": 32, "MaxBits": 64, "Chunks": 3, "AddrBits": 3}
PARAMETERS = {
    "montgomery": {"Montgomery": 1, "Schemes": 6, "LastShift": 2, "Reduces": 1, **SIZES},
    "plain": {"Montgomery": 0, "Schemes": 38, "LastShift": 0, "Reduces": 0, **SIZES},
}
IDLE = {
    "start_i": 0, "wipe_i": 0, "abort_i": 0, "wipes_i": 0,
    "length_i": 2, "bits_i": 1, "scheme_i": 1,
    "window_i": 1, "public_i": 0, "crt_i": 0, "loaded_i": 1, "modulus_changed_i": 0,
    "modulus_bits_i": 0, "modulus_odd_i": 1, "exponent_bits_i": 0, "exponent_low_i": 0,
    "below_i": 0, "square_i": 0, "multiply_i": 0, "exponent_bit_i": 0,
}  # fmt: skip
PRODUCT_CYCLES = 20
BASE, CONST, SQUARE, RUNNING, ONE = range(5)
NOTHING, KEEP_BASE, KEEP_CONST, KEEP_RESULT = range(4)
NO_PASS, CHECK, POWER, DOUBLE, FIX_DOUBLE, REDUCE, FIX_REDUCE = range(7)
# step_t, from its lowest bit on
FIELDS = {
    "shift": 2, "pass": 3, "take": 1, "from_square": 1, "keep": 2, "multiply_y": 3,
    "multiply_x": 3, "multiply": 1, "square_y": 3, "square_x": 3, "square": 1, "begins": 1,
}  # fmt: skip


def decode(word: int) -> dict[str, int]:
    step = {}
    for name, bits in FIELDS.items():
        step[name], word = word & ((1 << bits) - 1), word >> bits
    return step


@dataclass(slots=True)
class Interpreter:
    """What the memories and the two multipliers would hold."""

    n: int
    base: int
    montgomery: bool
    constant: int = 0
    result: int = 0
    below: bool = False
    square: int = 0
    multiply: int = 0
    fifo: int = 0
    pushed: int = 0
    pending: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Products in flight: cycles left, and the result."""

    def product(self, x: int, y: int) -> int:
        factor = pow(2, -(self.n.bit_length() + 4), self.n) if self.montgomery else 1
        return x * y * factor % self.n

    def cycle(self) -> tuple[bool, bool]:
        """Which products come out now."""
        done = {}
        for name, (left, value) in list(self.pending.items()):
            self.pending[name] = (left - 1, value)
            done[name] = left == 1
            if left == 1:
                del self.pending[name]
                setattr(self, name, value)
                if name == "multiply":
                    self.fifo = self.pushed
        return done.get("square", False), done.get("multiply", False)

    def do(self, step: dict[str, int]) -> None:
        running = self.multiply if step["take"] != step["from_square"] else self.fifo
        if step["from_square"] and step["take"]:
            running = self.square
        sources = [self.base, self.constant, self.square, running, 1]
        for name in ("square", "multiply"):
            if step[name]:
                assert name not in self.pending, f"{name} is busy"
                x, y = sources[step[f"{name}_x"]], sources[step[f"{name}_y"]]
                self.pending[name] = (PRODUCT_CYCLES, self.product(x, y))
                if name == "multiply":
                    self.pushed = x
        if step["keep"] == KEEP_BASE:
            self.base = self.square
        elif step["keep"] == KEEP_CONST:
            self.constant = self.square
        elif step["keep"] == KEEP_RESULT:
            self.result = running
        self._pass(step["pass"], self.n << step["shift"])

    def _pass(self, number: int, n: int) -> None:
        if number == CHECK:
            self.below = self.base < n
        elif number in (POWER, DOUBLE):
            a = 1 << (n.bit_length() - 1) if number == POWER else self.constant
            self.constant, self.below = 2 * a - n, 2 * a < n
        elif number == FIX_DOUBLE:
            self.constant += n if self.below else 0
        elif number == REDUCE:
            self.result, self.below = self.result - n, self.result < n
        elif number == FIX_REDUCE:
            self.result += n if self.below else 0


async def set_up(dut: Any) -> None:
    await agents.reset(dut, **IDLE)
    await FallingEdge(dut.busy_o)
    await agents.cycles(dut, 2)


async def operate(
    dut: Any, n: int, x: int, e: int, bits: int, scheme: Scheme, *, public: bool, new: bool = True,
    constant: int = 0, stop: int | None = None,
) -> tuple[Interpreter, list[tuple[int, ...]]]:  # fmt: skip
    """One operation, and what could be seen of it in each cycle."""
    unit = Interpreter(n, x, bool(agents.parameters()["Montgomery"]), constant)
    length = -(-(n.bit_length() + 2) // 32)
    agents.drive(
        dut, length_i=length, bits_i=bits, scheme_i=scheme, public_i=public, modulus_odd_i=n & 1,
        modulus_bits_i=n.bit_length(), exponent_bits_i=e.bit_length(), exponent_low_i=e,
        modulus_changed_i=new,
    )  # fmt: skip
    await agents.cycles(dut, 2)
    agents.drive(dut, start_i=1, modulus_changed_i=0)
    await RisingEdge(dut.clk_i)
    agents.drive(dut, start_i=0)
    order: list[int] = []
    seen: list[tuple[int, ...]] = []
    for cycle in range(20000):
        square, multiply = unit.cycle()
        agents.drive(dut, square_i=square, multiply_i=multiply, below_i=unit.below)
        agents.drive(dut, abort_i=cycle == stop)
        await FallingEdge(dut.clk_i)
        if not agents.number(dut.busy_o):
            agents.drive(dut, square_i=0, multiply_i=0, abort_i=0)
            await RisingEdge(dut.clk_i)
            return unit, seen
        if agents.number(dut.exponent_rewind_o):
            order = [e >> i & 1 for i in range(agents.number(dut.exponent_bits_o))]
            if scheme != Scheme.RIGHT_TO_LEFT:
                order.reverse()
        step = decode(agents.number(dut.step_o))
        shown = [step[name] for name in ("begins", "square", "multiply", "keep", "pass")]
        seen.append((agents.number(dut.state_q), *shown))
        if step["begins"] and not agents.number(dut.wipe_o):
            unit.do(step)
        taking = agents.number(dut.exponent_take_o)
        await RisingEdge(dut.clk_i)
        if taking and order:
            agents.drive(dut, exponent_bit_i=order.pop(0))
    raise AssertionError("it does not end")


def modulus(bits: int) -> int:
    return random.getrandbits(bits) | 1 | 1 << (bits - 1)


def schemes() -> list[Scheme]:
    return [scheme for scheme in Scheme if agents.parameters()["Schemes"] >> scheme & 1]


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def powers(dut: Any) -> None:
    """Every scheme, secret and public, cold and warm."""
    await set_up(dut)
    for scheme in schemes():
        constant, n = 0, 0
        for bits, e in [(1, 0), (1, 1), (2, 2), (4, 0b1011), (7, 0b0010110), (8, 0), (9, 511)]:
            for public in (True, False):
                if not public and scheme in PUBLIC_SCHEMES:
                    continue
                new = n == 0 or random.random() < 0.3
                n = modulus(random.choice([32, 37, 62, 63, 64])) if new else n
                x = random.randrange(n)
                unit, _ = await operate(
                    dut, n, x, e, bits, scheme, public=public, new=new, constant=constant
                )
                constant = unit.constant
                assert agents.number(dut.error_o) == Error.NONE
                assert agents.number(dut.warm_o) == agents.number(dut.result_o) == 1
                assert unit.result == pow(x, e, n), f"{scheme.name}, {bits} bits, {public}"
                if unit.montgomery:
                    assert constant == pow(2, 2 * (n.bit_length() + 4), n)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def secrets_do_not_show(dut: Any) -> None:
    """The same states and steps in the same cycles for exponents of every weight."""
    await set_up(dut)
    for scheme in set(schemes()) - set(PUBLIC_SCHEMES):
        traces = []
        for e in (0, 1, 0b1000000, 0b1111111, 0b0101101):
            n = modulus(50)
            _, seen = await operate(dut, n, random.randrange(n), e, 7, scheme, public=False)
            traces.append(seen)
        assert all(trace == traces[0] for trace in traces)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def errors(dut: Any) -> None:
    """What is wrong with the operands, and an abort in any cycle: a wipe, and the error's name."""
    await set_up(dut)
    scheme = schemes()[0]
    public = scheme in PUBLIC_SCHEMES
    n = modulus(40)
    _, seen = await operate(dut, n, 3, 5, 3, scheme, public=public)
    cases = [(Error.MODULUS_EVEN, n & ~1, 3, None), (Error.BASE_RANGE, n, n, None)]
    cases += [(Error.ABORTED, n, 3, cycle) for cycle in random.sample(range(len(seen) - 1), 20)]
    for error, modulus_, x, stop in cases:
        await operate(dut, modulus_, x, 5, 3, scheme, public=public, stop=stop)
        assert agents.number(dut.error_o) == error
        assert agents.number(dut.warm_o) == agents.number(dut.result_o) == 0
    agents.drive(dut, wipe_i=1)
    await RisingEdge(dut.clk_i)
    agents.drive(dut, wipe_i=0)
    await agents.cycles(dut, 2)
    assert agents.number(dut.wipe_o)
    await RisingEdge(dut.end_o)
    assert agents.number(dut.error_o) == Error.NONE
    unit, _ = await operate(dut, n, 3, 5, 3, scheme, public=public)
    assert unit.result == 3**5 % n
