"""monpro_sequencer with units that work on whole numbers and take any number of cycles.

The units check how they are used: a pass of the adder while a product is in flight, an operand that
is not below its bound, a look-up into a slot that is still being read, all end the test.
"""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge

import agents
from monpro.models.coprocessor import Coprocessor
from monpro.models.montgomery import Modulus
from monpro.regs import Error, Scheme

TOP = "monpro_sequencer"
PARAMETERS = (
    {"WordBits": 8, "RowStep": 4, "MinBits": 32, "MaxBits": 72, "TableWords": 512},
    {"WordBits": 17, "RowStep": 16, "MinBits": 128, "MaxBits": 256, "TableWords": 512},
)
ACC, SEL, R2, BASE = range(4)
CONST, HALVE, DOUBLE, SUB, RESTORE, CHECK = range(6)


class Units:
    """The adder, the multiplier, the exponent and the table, as numbers."""

    def __init__(self, dut: Any, slow: int) -> None:
        self.dut, self.slow = dut, slow
        p = agents.parameters()
        self.model = Coprocessor(
            p["WordBits"], p["RowStep"], p["MinBits"], p["MaxBits"], p["TableWords"]
        )
        self.slots: list[int | None] = [None] * 4
        self.scaled: int | None = None
        self.table: dict[int, int] = {}
        self.n = self.e = self.bits = self.left = self.value = 0
        self.modulus: Modulus | None = None
        self.negative = False
        self.alu_cycles = self.look_up_cycles = self.take_cycles = self.busy_cycles = 0
        self.ready_cycles = self.taken_count = self.products = 0
        self.contexts: list[int] = []
        self.reading_sel = False
        self.steps: list[tuple[int, ...]] = []

    def pause(self) -> int:
        """Cycles that a unit takes for something."""
        return random.randint(1, self.slow)

    def slot(self, number: int) -> int:
        value = self.slots[number]
        assert value is not None, f"slot {number} is read before it was written"
        return value

    # ---- a cycle of each unit; inputs that it sets hold from the next cycle on

    def adder(self) -> None:
        dut = self.dut
        done = False
        if int(dut.alu_start_o.value):
            assert int(dut.alu_o.value)
            assert not self.alu_cycles, "a pass begins in the middle of one"
            assert not self.busy_cycles, "a pass begins while a product is in flight"
            self.alu_cycles = self.pause() + 1
            self.steps.append((0, *self.alu_inputs()))
        if self.alu_cycles:
            self.alu_cycles -= 1
            assert self.steps[-1] == (0, *self.alu_inputs()), "not static until done"
            done = self.alu_cycles == 1
            if not self.alu_cycles:
                self.add(*self.alu_inputs())
        agents.drive(dut, alu_done_i=done)

    def alu_inputs(self) -> tuple[int, ...]:
        names = ("op", "const_word", "const_bit", "source", "target", "to_scaled")
        return tuple(int(self.dut[f"alu_{name}_o"].value) for name in names)

    def add(self, op: int, word: int, bit: int, source: int, target: int, to_scaled: int) -> None:
        """What the pass leaves; it is there when done is."""
        n = self.n
        if op == CONST:
            result = 1 << (self.model.word_bits * word + bit)
        elif op == HALVE:
            a = self.slot(source)
            result = (a + n * (a & 1)) // 2
        elif op == DOUBLE:
            a = self.slot(source)
            assert -n <= a < n
            assert self.negative == (a < 0)
            result = 2 * a + (n if self.negative else -n)
        elif op == SUB:
            result = self.slot(source) - n
        elif op == RESTORE:
            result = self.slot(source) + n * self.negative
        else:
            assert op == CHECK
            return
        self.negative = op in (DOUBLE, SUB) and result < 0
        if to_scaled:
            self.scaled = result
        else:
            self.slots[target] = result

    def multiplier(self) -> None:
        dut = self.dut
        accept = int(dut.mul_valid_o.value) and int(dut.mul_ready_i.value)
        self.accepted = bool(accept)
        if self.busy_cycles:
            self.busy_cycles -= 1
            if not self.busy_cycles:
                self.contexts.clear()
        if self.ready_cycles:
            self.ready_cycles -= 1
        if accept:
            assert not self.alu_cycles, "a product begins in the middle of a pass"
            word = int(dut.mul_product_o.value)
            x, y, dst = word >> 11 & 3, word >> 9 & 3, word >> 7 & 3
            store, entry = word >> 6 & 1, word & 63
            context = int(dut.mul_context_o.value)
            assert self.contexts[-1:] != [context], "two in flight have the same number"
            self.contexts = [*self.contexts[-1:], context]
            assert self.modulus
            assert self.scaled is not None
            assert self.scaled % self.n == self.modulus.scaled
            result = self.modulus.product(self.slot(x), self.slot(y))
            self.slots[dst] = result
            if store:
                self.table[entry] = result
            self.reading_sel = SEL in (x, y)
            if self.reading_sel:
                assert not self.look_up_cycles, "it is read while it is being looked up"
            self.products += 1
            self.steps.append((1, x, y, dst, store, entry))
            self.ready_cycles = self.pause()
            self.busy_cycles = self.ready_cycles + self.pause()
        elif not self.busy_cycles:
            self.reading_sel = False
        agents.drive(dut, mul_ready_i=not self.ready_cycles, mul_busy_i=bool(self.busy_cycles))

    def exponent(self) -> None:
        dut = self.dut
        if int(dut.exponent_rewind_o.value):
            self.left = self.bits
        if int(dut.exponent_take_o.value):
            count = min(int(dut.exponent_count_o.value), self.left)
            self.left -= count
            self.value = self.e >> self.left & ((1 << count) - 1)
            self.taken_count = count
            assert not self.take_cycles
            assert not self.look_up_cycles, "the entry must stay until it is looked up"
            self.take_cycles = self.pause() + 1
            self.steps.append((2, count))
            agents.drive(dut, exponent_taken_i=0)
        if self.take_cycles:
            self.take_cycles -= 1
            if not self.take_cycles:
                agents.drive(
                    dut,
                    exponent_taken_i=1,
                    exponent_taken_count_i=self.taken_count,
                    exponent_bit_i=self.value & 1,
                )

    def look_up(self) -> None:
        dut = self.dut
        done = False
        if int(dut.look_up_o.value):
            assert not self.look_up_cycles
            self.target = int(dut.look_up_target_o.value)
            if self.target == SEL:
                assert not self.reading_sel, "it would be written while a product reads it"
            else:
                assert not self.busy_cycles
            self.look_up_cycles = self.pause() + 1
            self.steps.append((3, self.target))
        if self.look_up_cycles:
            self.look_up_cycles -= 1
            done = self.look_up_cycles == 1
            if not self.look_up_cycles:
                assert int(dut.look_up_target_o.value) == self.target or self.target == SEL
                self.slots[self.target] = self.table[self.value]
        agents.drive(dut, look_up_done_i=done)

    async def serve(self) -> None:
        while True:
            await RisingEdge(self.dut.clk_i)
            if int(self.dut.wipe_o.value):
                self.slots, self.scaled, self.table = [None] * 4, None, {}
                self.alu_cycles = self.look_up_cycles = self.take_cycles = 0
                self.ready_cycles = self.busy_cycles = 0
                self.contexts, self.reading_sel = [], False
                agents.drive(self.dut, **UNITS)
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

    def load(self, n: int | None, x: int, e: int, bits: int) -> None:
        dut = self.dut
        if n is not None:
            self.n = n
            length = self.model.length(n.bit_length())
            agents.drive(dut, length_i=length, modulus_changed_i=1)
            self.modulus = Modulus(self.model.array(n.bit_length()), n)
        self.slots[BASE] = x
        self.e, self.bits, self.products = e, bits, 0
        self.steps = []
        agents.drive(dut, alu_odd_i=1, alu_size_i=1, alu_below_i=1, loaded_i=1)

    async def start(self, scheme: int, window: int, public: bool) -> None:
        dut = self.dut
        await RisingEdge(dut.clk_i)
        agents.drive(
            dut, modulus_changed_i=0, bits_i=self.bits, scheme_i=scheme, window_i=window,
            public_i=public, start_i=1,
        )  # fmt: skip
        await RisingEdge(dut.clk_i)
        agents.drive(dut, start_i=0)

    async def run(
        self, n: int | None, x: int, e: int, bits: int, window: int, scheme: int, public: bool
    ) -> None:
        """One operation that must give x^e mod n."""
        self.load(n, x, e, bits)
        await self.start(scheme, window, public)
        dut = self.dut
        while not int(dut.end_o.value):
            await RisingEdge(dut.clk_i)
        await agents.cycles(dut, 2)
        assert int(dut.error_o.value) == Error.NONE
        assert int(dut.result_o.value) == int(dut.warm_o.value) == 1
        assert int(dut.busy_o.value) == 0
        assert self.slot(ACC) == pow(x, e, self.n), f"{x} ^ {e} mod {self.n}, window {window}"
        length, warm = self.n.bit_length(), n is None
        cost = (
            self.model.public(length, e, bits, warm=warm)
            if public and scheme == Scheme.BINARY
            else self.model.secret(
                length, bits, 1 if scheme == Scheme.BINARY else window, warm=warm
            )
        )
        assert self.products == cost.products


IDLE = {
    "start_i": 0, "wipe_i": 0, "abort_i": 0, "length_i": 0, "bits_i": 1, "scheme_i": 0,
    "window_i": 1, "public_i": 0, "loaded_i": 1, "modulus_changed_i": 0,
    "alu_below_i": 0, "alu_odd_i": 0, "alu_size_i": 0, "exponent_taken_count_i": 0,
    "exponent_bit_i": 0,
}  # fmt: skip
UNITS = {
    "alu_done_i": 0, "mul_ready_i": 1, "mul_busy_i": 0, "exponent_taken_i": 0, "look_up_done_i": 0,
}  # fmt: skip


def modulus(bits: int) -> int:
    return random.getrandbits(bits) | 1 | 1 << (bits - 1)


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(slow=[1, 4, 60])
async def any_speed(dut: Any, slow: int) -> None:
    """Every scheme and window, cold and warm, whatever each unit takes for each of its tasks."""
    units = Units(dut, slow)
    await units.set_up()
    low, high = units.model.min_bits, units.model.max_bits
    for number in range(24):
        new = number == 0 or random.random() < 0.5
        n = modulus(random.choice([low, high, random.randint(low, high)])) if new else None
        length = (n or units.n).bit_length()
        window = random.choice([w for w in range(1, 7) if units.model.window_fits(length, w)])
        bits = random.choice([1, window, window + 1, random.randint(1, 30)])
        e = random.choice([0, 1, (1 << bits) - 1, random.getrandbits(bits)])
        scheme = random.choice([Scheme.FIXED_WINDOW, Scheme.BINARY])
        x = random.choice([0, 1, random.randrange(n or units.n), (n or units.n) - 1])
        await units.run(n, x, e, bits, window, scheme, random.random() < 0.5)


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(scheme=[Scheme.FIXED_WINDOW, Scheme.BINARY])
async def the_steps_of_a_secret(dut: Any, scheme: Scheme) -> None:
    """The same steps in the same order, for every exponent of a length."""
    units = Units(dut, 5)
    await units.set_up()
    n, seen = modulus(units.model.min_bits), []
    await units.run(n, 2, 1, 1, 1, scheme, False)
    for e in (0, 1, 0x200, 0x3FF, 0x155):
        await units.run(None, random.randrange(n), e, 10, 3, scheme, False)
        # units finish in random order beside each other: compare what each was asked
        seen.append([[step for step in units.steps if step[0] == unit] for unit in range(4)])
    assert all(steps == seen[0] for steps in seen)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def wipes(dut: Any) -> None:
    """After a reset, on command, by an abort, by each error: every address once, then the end."""
    units = Units(dut, 3)
    await units.set_up()
    n = modulus(units.model.max_bits)
    length = units.model.length(units.model.max_bits)
    good = {"length_i": length, "bits_i": 3, "loaded_i": 1, "alu_odd_i": 1, "alu_size_i": 1,
            "alu_below_i": 1}  # fmt: skip
    causes: list[tuple[Error, dict[str, int], int | None]] = [
        (Error.NONE, {"wipe_i": 1}, None),
        (Error.LENGTH, {"length_i": length + 1, "start_i": 1}, None),
        (Error.EXPONENT_LENGTH, {"bits_i": 0, "start_i": 1}, None),
        (Error.EXPONENT_LENGTH, {"bits_i": units.model.max_bits + 1, "start_i": 1}, None),
        (Error.SCHEME, {"scheme_i": 3, "start_i": 1}, None),
        (Error.WINDOW, {"window_i": 0, "start_i": 1}, None),
        (Error.WINDOW, {"window_i": 7, "start_i": 1}, None),
        (Error.OPERAND_MISSING, {"loaded_i": 0, "start_i": 1}, None),
        (Error.MODULUS_EVEN, {"alu_odd_i": 0, "alu_size_i": 0, "start_i": 1}, None),
        (Error.MODULUS_SIZE, {"alu_size_i": 0, "alu_below_i": 0, "start_i": 1}, None),
        (Error.BASE_RANGE, {"alu_below_i": 0, "start_i": 1}, None),
        *((Error.ABORTED, {"start_i": 1}, stop) for stop in (1, 2, 30, 90, 200)),
    ]
    for error, cause, stop in causes:
        await units.run(n, 3, 5, 3, 2, Scheme.FIXED_WINDOW, False)
        units.load(n, 3, 5, 3)
        await RisingEdge(dut.clk_i)
        agents.drive(dut, modulus_changed_i=0, **(good | cause))
        await RisingEdge(dut.clk_i)
        agents.drive(dut, start_i=0, wipe_i=0)
        if stop:
            await agents.cycles(dut, stop)
            agents.drive(dut, abort_i=1)
            await RisingEdge(dut.clk_i)
            agents.drive(dut, abort_i=0)
        await RisingEdge(dut.wipe_o)
        addresses = []
        ends = 0
        while True:
            await RisingEdge(dut.clk_i)
            if not int(dut.wipe_o.value):
                break
            addresses.append(int(dut.wipe_addr_o.value))
            ends += int(dut.end_o.value)
        assert sorted(addresses) == list(range(units.model.wipe_cycles)), error.name
        assert ends == 1, error.name
        assert int(dut.error_o.value) == error
        assert int(dut.warm_o.value) == int(dut.result_o.value) == int(dut.busy_o.value) == 0
        agents.drive(dut, **(good | {"scheme_i": 0, "window_i": 2}))
    await units.run(n, 3, 5, 3, 2, Scheme.FIXED_WINDOW, False)
