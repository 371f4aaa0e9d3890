# SPDX-License-Identifier: Apache-2.0
"""The units around monpro_sequencer, on whole numbers: each takes any number of cycles, and checks
how it is used."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import cocotb
from cocotb.triggers import Event, FallingEdge, RisingEdge

import agents
from agents import whole_numbers
from agents.whole_numbers import (
    ACC,
    INVERSE,
    SEL,
    STATES,
    WHOLE,
    Numbers,
    Pass,
    pass_halvings,
)
from monpro.hardware.models.coprocessor import PUBLIC_SCHEMES, Coprocessor
from monpro.hardware.regs import Error, Scheme

# alu_op_e; whole_numbers.py has one pass for the constants, which is told the power of two.
ONE, FACTOR, POWER, HALVE, DOUBLE, SUB, RESTORE, CHECK, COPY, ADD, DIFF = range(11)
_NUMBERS = {
    HALVE: whole_numbers.HALVE, DOUBLE: whole_numbers.DOUBLE, SUB: whole_numbers.SUB,
    RESTORE: whole_numbers.RESTORE, CHECK: whole_numbers.CHECK, COPY: whole_numbers.COPY,
    ADD: whole_numbers.ADD, DIFF: whole_numbers.DIFF,
}  # fmt: skip

WINDOWED = (Scheme.FIXED_WINDOW, Scheme.SLIDING_WINDOW)
IDLE = {
    "start_i": 0, "wipe_i": 0, "abort_i": 0, "wipes_i": 0,
    "length_i": 0, "bits_i": 1, "scheme_i": 0,
    "window_i": 1, "public_i": 0, "crt_i": 0, "loaded_i": 1, "length_changed_i": 0,
    "modulus_changed_i": 0, "alu_below_i": 0, "alu_odd_i": 0, "alu_size_i": 0,
    "alu_negative_i": 0,
    "exponent_taken_count_i": 0, "exponent_value_i": 0,
}  # fmt: skip
UNITS = {
    "alu_done_i": 0, "mul_ready_i": 1, "mul_look_up_i": 0, "mul_begin_i": 0, "mul_busy_i": 0,
    "exponent_taken_i": 0, "look_up_done_i": 0,
}  # fmt: skip
# From a change of the configuration to the first cycle in which an operation may be started.
CONFIGURATION_CYCLES = 3


@dataclass(frozen=True, slots=True)
class Product(whole_numbers.Product):
    """product_t of monpro_pkg."""

    begins: int


PASS_PORTS = [f"alu_{name}_o" for name in Pass.__slots__ if "const" not in name]
# What is read in every cycle.
READ = [
    "alu_start_o", "alu_half_o", *PASS_PORTS, "mul_valid_o", "exponent_rewind_o", "exponent_take_o",
    "look_up_o", "look_up_half_o", "look_up_target_o", "busy_o", "wipe_o", "precomputing_o",
    "exponentiating_o", "mul_begin_i", "end_o", "state_q",
]  # fmt: skip


def read_pass(asked: Iterable[int], numbers: Numbers) -> Pass:
    """What the adder is asked for, by PASS_PORTS."""
    names = (port.removeprefix("alu_").removesuffix("_o") for port in PASS_PORTS)
    read = dict(zip(names, asked, strict=True))
    op = read.pop("op")
    word, bit = {
        ONE: (0, 0),
        FACTOR: divmod(numbers.array.row_bits * (1 + numbers.delay), numbers.word_bits),
        POWER: (numbers.length - 2, numbers.word_bits - 2),
    }.get(op, (0, 0))
    return Pass(op=_NUMBERS.get(op, whole_numbers.CONST), const_word=word, const_bit=bit, **read)


def state(word: int) -> str:
    """A state's name; one-hot."""
    assert word.bit_count() == 1, f"state {word:#x}"
    return STATES[word.bit_length() - 1]


@dataclass(frozen=True, slots=True)
class Way:
    """What an operation is asked to do."""

    scheme: Scheme = Scheme.FIXED_WINDOW
    window: int = 2
    public: bool = False
    crt: bool = False

    @property
    def table_window(self) -> int:
        if self.scheme not in WINDOWED:
            return 1
        return self.window - (self.scheme == Scheme.SLIDING_WINDOW)


class Units:
    """The adder, the multiplier, the exponent and the table, as numbers."""

    def __init__(self, dut: Any, slow: int) -> None:
        self.dut, self.slow = dut, slow
        p = agents.parameters()
        self.model = Coprocessor(
            p["WordBits"], p["Elements"], p["MinBits"], p["MaxBits"], p["TableWords"],
            p["TableBanks"], "pipelined" if p["Delay"] else "array", bool(p["Crt"]),
            p.get("DigitBits", 0),
        )  # fmt: skip
        self.numbers = Numbers(
            p["WordBits"], p["Elements"], p["Delay"],
            pass_halvings(p.get("DigitBits", p["WordBits"]), p["Delay"]), p.get("DigitBits", 0),
        )  # fmt: skip
        self.ports = {name: getattr(dut, name)._handle.get_signal_val_binstr for name in READ}
        self.driven: dict[str, int] = {}
        """The inputs that the units set in every cycle, as they are."""
        self.exponents: list[int] = []
        self.values: list[int] = []
        self.bits = self.left = self.products = 0
        self.ladder_bit = 1
        self.way = Way()
        self.forget()
        self.queued: Product | None = None
        self.steps: list[tuple[object, ...]] = []
        self.states: set[str] = set()
        self.ends = 0
        self.ended = Event()
        self.phase = (0, 0)
        """Whether it precomputes, exponentiates."""
        self.over_in: int | None = None
        """Cycles to the first one that is not the constants' any more."""
        self.commanded = False
        """A wipe was asked for and has not begun."""

    def forget(self) -> None:
        """As the wipe does with everything."""
        self.numbers.forget()
        self.alu_cycles = self.look_up_cycles = self.take_cycles = 0
        self.busy_cycles = self.wait_cycles = self.taken_count = 0
        self.queued = None
        self.starting = False
        self.reading: dict[int, Product] = {}
        self.over_in = None
        self.commanded = False
        self.driven.clear()
        self.drive(**UNITS)

    def get(self, name: str) -> int:
        """One of READ."""
        return int(self.ports[name](), 2)

    def drive(self, **values: int) -> None:
        """agents.drive of those that change."""
        changed = {name: v for name, v in values.items() if self.driven.get(name) != v}
        self.driven |= changed
        agents.drive(self.dut, **changed)

    def pause(self) -> int:
        """Cycles that a unit takes for something."""
        return random.randint(1, self.slow)

    # ---- a cycle of each unit; inputs that it sets hold from the next cycle on

    def adder(self) -> None:
        dut = self.dut
        done = False
        if self.get("alu_start_o"):
            assert agents.number(dut.alu_o)
            assert not self.alu_cycles, "a pass begins in the middle of one"
            assert not self.busy_cycles, "a pass begins while a product is in flight"
            assert self.queued is None
            # no pass is shorter than the sequencer takes to count rows
            self.alu_cycles = self.pause() + 1 + self.numbers.array.passes
            self.asked = self.alu_inputs()
            self.steps.append(("pass", *self.alu_pass()))
            # beside the first pass the rows are still being counted
            wide = bool(agents.number(dut.alu_wide_o))
            self.check_words(wide=wide, digits=wide or len(self.steps) > 2)
            if state(self.get("state_q")) == "StOne":
                self.constants_end(1)
        if self.alu_cycles:
            self.alu_cycles -= 1
            assert self.asked == self.alu_inputs(), "not static until done"
            done = self.alu_cycles == 1
            if not self.alu_cycles:
                self.numbers.do_pass(*self.alu_pass())
        self.drive(alu_done_i=done)

    def alu_inputs(self) -> list[str]:
        return [self.ports[name]() for name in (*PASS_PORTS, "alu_half_o")]

    def alu_pass(self) -> tuple[Pass, int]:
        *asked, half = (int(bits, 2) for bits in self.asked)
        return read_pass(asked, self.numbers), half

    def multiplier(self) -> None:
        """One product waits, so that the next is accepted after it has started."""
        dut = self.dut
        accept = self.get("mul_valid_o") and self.queued is None
        if self.busy_cycles:
            self.busy_cycles -= 1
        started = None
        if self.starting:
            assert self.queued
            started = self.queued
            self.multiply(started)
            self.queued, self.starting = None, False
        if accept:
            assert not self.alu_cycles, "a product begins in the middle of a pass"
            self.queued = Product.unpack(agents.number(dut.mul_product_o))
            self.wait_cycles = self.pause() - 1
            self.products += 1
            self.steps.append(("product", self.queued))
            self.check_words(wide=bool(self.queued.wide))
            if SEL in (self.queued.x, self.queued.y):
                assert not self.look_up_cycles, "it is read while it is being looked up"
        elif self.wait_cycles:
            self.wait_cycles -= 1
        if self.queued and not self.wait_cycles:
            self.starting = True
        elif not self.busy_cycles:
            self.reading.clear()
        self.drive(
            mul_ready_i=self.queued is None,
            mul_look_up_i=started is not None and started.look_up,
            mul_begin_i=started is not None and started.begins,
            mul_busy_i=self.queued is not None or bool(self.busy_cycles),
        )

    def multiply(self, product: Product) -> None:
        self.numbers.do_product(product)
        self.reading[product.half] = product
        self.busy_cycles = self.pause() + 1

    def constants_end(self, cycles: int) -> None:
        """The constants end so many cycles from now, if they have not ended."""
        if self.phase == (1, 0) and self.over_in is None:
            self.over_in = cycles

    def check_words(self, *, wide: bool, digits: bool = True) -> None:
        """The length, which the units are told by other ports."""
        assert agents.number(self.dut.operand_words_o) == self.numbers.array.words
        words, factor_words = self.numbers.array.words, self.numbers.array.factor_words
        if wide:
            words = factor_words = self.numbers.wide_words
        assert agents.number(self.dut.words_o) == words
        if digits:
            # narrow digits may be more than the port counts, which is for CRT
            factor_words %= 1 << len(self.dut.digits_o)
            assert agents.number(self.dut.digits_o) == factor_words

    def exponent(self) -> None:
        dut = self.dut
        if self.get("exponent_rewind_o"):
            self.left, self.ladder_bit = self.bits, 1
        if self.get("exponent_take_o"):
            assert not self.take_cycles
            assert not self.look_up_cycles, "the entry must stay until it is looked up"
            count = min(agents.number(dut.exponent_count_o), self.left)
            append = agents.number(dut.exponent_append_o)
            for half, e in enumerate(self.exponents):
                value = self.values[half] if append else 0
                for position in range(self.left - 1, self.left - 1 - count, -1):
                    at = position
                    if self.way.scheme == Scheme.RIGHT_TO_LEFT:
                        at = self.bits - 1 - position
                    value = (value << 1 | e >> at & 1) & 63
                self.values[half] = value
            self.left -= count
            self.taken_count = count
            self.take_cycles = self.pause() + 1
            self.steps.append(("take", count, append))
            agents.drive(dut, exponent_taken_i=0)
        if self.take_cycles:
            self.take_cycles -= 1
            if not self.take_cycles:
                # what was taken is for public exponents alone to see
                value = self.values[0] if self.way.public else random.getrandbits(6)
                agents.drive(
                    dut, exponent_taken_i=1, exponent_taken_count_i=self.taken_count,
                    exponent_value_i=value,
                )  # fmt: skip

    def look_up(self) -> None:
        dut = self.dut
        done = False
        half, target = self.get("look_up_half_o"), self.get("look_up_target_o")
        if self.get("look_up_o"):
            assert not self.look_up_cycles
            assert agents.number(dut.window_o) == self.way.table_window
            if target == SEL:
                readers = [p for p in (*self.reading.values(), self.queued) if p]
                assert all(SEL not in (p.x, p.y) for p in readers), "it is still being read"
            else:
                assert not self.busy_cycles
                assert self.queued is None
            self.look_up_cycles = self.pause() + 1
            self.looking_up = half, target
            self.steps.append(("look up", half, target))
        if self.look_up_cycles:
            assert (half, target) == self.looking_up
            self.look_up_cycles -= 1
            done = self.look_up_cycles == 1
            if not self.look_up_cycles:
                entry = self.values[half]
                if agents.number(dut.look_up_public_o):
                    assert self.way.public
                    entry = agents.number(dut.look_up_entry_o)
                elif self.way.scheme == Scheme.LADDER:
                    entry = entry & 1 ^ self.ladder_bit ^ 1
                    self.ladder_bit = self.values[half] & 1
                self.numbers.write(target, half, self.numbers.table[half, entry])
        self.drive(look_up_done_i=done)

    def flags(self) -> None:
        """An operation precomputes, then exponentiates: from the cycle on after that in which it is
        told that the first product of the exponentiation has started, or begins its first pass."""
        busy, wipe = self.get("busy_o"), self.get("wipe_o")
        now = self.get("precomputing_o"), self.get("exponentiating_o")
        assert sum(now) == (busy and not wipe and not self.commanded)
        if self.over_in is not None:
            self.over_in -= 1
        if now == (1, 0):
            assert self.phase != (0, 1)
            assert self.over_in != 0, "the constants are over"
        elif self.phase == (1, 0) and now == (0, 1):
            assert self.over_in == 0, "the constants are not over"
        if now != (1, 0):
            self.over_in = None
        self.phase = now
        if self.get("mul_begin_i"):
            self.constants_end(1)
        if self.get("end_o"):
            self.ends += 1
            self.ended.set()
        self.states.add(state(self.get("state_q")))

    async def serve(self) -> None:
        edge = RisingEdge(self.dut.clk_i)
        while True:
            await edge
            self.flags()
            if self.get("wipe_o"):
                self.forget()
                continue
            self.adder()
            self.multiplier()
            self.exponent()
            self.look_up()

    # ---- operations

    async def set_up(self) -> None:
        await agents.reset(self.dut, **UNITS, **IDLE)
        self.server = cocotb.start_soon(self.serve())
        await FallingEdge(self.dut.busy_o)
        await RisingEdge(self.dut.clk_i)

    async def load(
        self, way: Way, moduli: list[int] | None, base: int, exponents: list[int], bits: int
    ) -> None:
        """Operands and configuration; without a modulus the one before stays."""
        dut = self.dut
        if moduli:
            length = self.model.length(max(n.bit_length() for n in moduli))
            self.numbers.set_up(length, *moduli)
            agents.drive(dut, length_i=length, length_changed_i=1, modulus_changed_i=1)
            await RisingEdge(dut.clk_i)
            agents.drive(dut, length_changed_i=0, modulus_changed_i=0)
            await agents.cycles(dut, self.numbers.array.passes + 1)
        self.numbers.load_base(base)
        if way.crt:
            p, q = self.numbers.moduli
            self.numbers.slots[INVERSE, 0] = self.numbers.slots[INVERSE, 1] = pow(q, -1, p)
        self.way, self.exponents, self.bits, self.products = way, exponents, bits, 0
        self.values = [0] * len(exponents)
        self.steps, self.ends, self.phase = [], 0, (0, 0)
        self.ended.clear()
        agents.drive(
            dut, alu_odd_i=1, alu_size_i=1, alu_below_i=1, loaded_i=1, bits_i=bits,
            scheme_i=way.scheme, window_i=way.window, public_i=way.public, crt_i=way.crt,
        )  # fmt: skip

        await agents.cycles(dut, CONFIGURATION_CYCLES)

    async def start(self) -> None:
        agents.drive(self.dut, start_i=1)
        await RisingEdge(self.dut.clk_i)
        agents.drive(self.dut, start_i=0)

    async def end(self) -> None:
        await self.ended.wait()
        await agents.cycles(self.dut, 2)
        assert self.ends == 1

    async def run(
        self, way: Way, moduli: list[int] | None, base: int, exponents: list[int], bits: int
    ) -> None:
        """One operation with its result checked, and the number of its products."""
        dut = self.dut
        await self.load(way, moduli, base, exponents, bits)
        await self.start()
        await self.end()
        assert agents.number(dut.error_o) == Error.NONE
        assert agents.number(dut.result_o) == agents.number(dut.warm_o) == 1
        assert agents.number(dut.busy_o) == 0
        results = [pow(base, e, n) for e, n in zip(exponents, self.numbers.moduli, strict=True)]
        length, warm = self.numbers.moduli[0].bit_length(), moduli is None
        if way.crt:
            p, q = self.numbers.moduli
            result = results[1] + q * ((results[0] - results[1]) * pow(q, -1, p) % p)
            assert self.numbers.slot(ACC, WHOLE) == result, way
            cost = self.model.rsa_private(length, way.window, warm=warm)
        else:
            assert self.numbers.slot(ACC, 0) == results[0], way
            cost = self.model.modexp(
                way.scheme, length, bits, way.window, warm=warm,
                exponent=exponents[0] if way.public else None,
            )  # fmt: skip
        assert self.products == cost.products, way
        # what is marked: a look-up beside each squaring that has one, and the constants' end
        asked = [step[1] for step in self.steps if step[0] == "product"]
        marked = [one for one in asked if isinstance(one, Product) and one.begins]
        table = way.scheme in (Scheme.FIXED_WINDOW, Scheme.RIGHT_TO_LEFT, Scheme.LADDER)
        table |= way.scheme == Scheme.BINARY and not way.public
        assert len(marked) == (way.crt or not table), way

    # ---- what to ask

    def ways(self) -> list[Way]:
        """Every scheme, secret and public where that makes a difference, and CRT."""
        found = [
            Way(scheme, 3, public)
            for scheme in Scheme
            for public in (False, True)
            if public or scheme not in PUBLIC_SCHEMES
        ]
        return [*found, Way(crt=True, window=3)] if self.model.crt else found

    def operation(
        self, way: Way, *, new: bool = True
    ) -> tuple[list[int] | None, int, list[int], int]:
        """Random operands: moduli, base, exponents and the exponents' bits."""
        model = self.model
        count = 1 + way.crt
        most = model.max_bits >> way.crt
        moduli = [0, 0]
        size = random.choice([model.min_bits, most, random.randint(model.min_bits, most)])
        while len(moduli) == 2 and math.gcd(*moduli) != 1:
            moduli = [modulus(size) for _ in range(count)]
        if not new:
            moduli = self.numbers.moduli
        top = math.prod(moduli)
        base = random.choice([0, 1, random.randrange(top), top - 1])
        bits = random.choice([1, way.window, way.window + 1, random.randint(1, 30)])
        if way.scheme == Scheme.REPEATED:
            bits = min(bits, 4)
        if way.crt:
            bits = moduli[0].bit_length()
        exponents = [
            random.choice([0, 1, (1 << bits) - 1, *(random.getrandbits(bits) for _ in range(3))])
            for _ in range(count)
        ]
        return moduli if new else None, base, exponents, bits


def modulus(bits: int) -> int:
    return random.getrandbits(bits) | 1 | 1 << (bits - 1)


async def units(dut: Any, slow: int) -> Units:
    unit = Units(dut, slow)
    await unit.set_up()
    return unit
