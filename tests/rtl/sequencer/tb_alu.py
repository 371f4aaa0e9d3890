# SPDX-License-Identifier: Apache-2.0
"""monpro_alu: every pass on extreme and random numbers, exact cycles, in and out of place."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents
from monpro.hardware.models.montgomery import join, split

TOP = "monpro_alu"
PARAMETERS = (
    {"WordBits": 17, "IndexBits": 8, "Delay": 0, "Halvings": 1, "Crt": 0},
    {"WordBits": 8, "IndexBits": 6, "Delay": 1, "Halvings": 4, "Crt": 1},
    {"WordBits": 24, "DigitBits": 17, "IndexBits": 6, "Delay": 0, "Halvings": 1, "Crt": 0},
)
LENGTHS = (4, 5, 9, 34)
ONE, FACTOR, POWER, HALVE, DOUBLE, SUB, RESTORE, CHECK, COPY, ADD, DIFF = range(11)
PASS_CYCLES = 5


class Adder:
    """Runs passes and is the memory; knows what each pass must leave there."""

    def __init__(self, dut: Any, words: int) -> None:
        self.dut, self.words = dut, words
        p = agents.parameters()
        self.word_bits, self.crt, self.halvings = p["WordBits"], p["Crt"], p["Halvings"]
        self.digit_bits = p.get("DigitBits", self.word_bits)
        self.above = 1 + p["Delay"]
        """Words that an operand has above the modulus."""
        self.length = words - self.above
        self.told: list[list[int]] = []
        """below, odd, size: when the pass is done, and in the cycles after."""
        self.size = 1 << (self.word_bits * words)
        self.negative = [False, False]
        self.half = 0
        self.a = self.b = self.n = 0

    async def set_up(self) -> None:
        await agents.reset(
            self.dut, clear_i=0, words_i=self.words, start_i=0, op_i=ONE,
            half_i=0, a_i=0, b_i=0, n_i=0,
        )  # fmt: skip

    def signed(self, value: int) -> int:
        return value - self.size if value >= self.size // 2 else value

    def tell(self) -> None:
        self.told.append(
            [agents.number(self.dut[f"{name}_o"]) for name in ("below", "odd", "size")]
        )

    def expected(self, op: int) -> int:
        """The number after the pass, and what is remembered of its sign."""
        a, b, n, negative = self.a, self.b, self.n, self.negative[self.half]
        value = {
            ONE: lambda: 1,
            FACTOR: lambda: 1 << self.digit_bits * self.above,
            POWER: lambda: 1 << (self.word_bits * (self.length - 1) - 2),
            HALVE: lambda: self.halved(a, n),
            DOUBLE: lambda: 2 * a + (n if negative else -n),
            SUB: lambda: a - n,
            RESTORE: lambda: a + n * negative,
            CHECK: lambda: a,
            COPY: lambda: n,
            ADD: lambda: a + b,
            DIFF: lambda: a - b,
        }[op]()
        self.negative[self.half] = op in (DOUBLE, SUB, RESTORE, DIFF) and value < 0
        return value

    def halved(self, a: int, n: int) -> int:
        for _ in range(self.halvings):
            a = (a + n * (a & 1)) // 2
        return a

    async def run(self, op: int, *, in_place: bool = True) -> None:
        """One pass; a becomes its result."""
        dut, words = self.dut, self.words
        operands = {
            f"{name}_i": split(value % self.size, words, self.word_bits)
            for name, value in (("a", self.a), ("b", self.b), ("n", self.n))
        }
        result = operands["a_i"] if in_place else list(operands["a_i"])
        expected = self.expected(op)
        agents.drive(dut, start_i=1, op_i=op)
        agents.drive(dut, half_i=self.half if self.crt else random.getrandbits(1))
        reads = agents.Reads(dut, *operands, bits=self.word_bits)
        written = 0
        last = words + PASS_CYCLES + (2 * self.halvings - 2 if op == HALVE else 0)
        number, edge = agents.number, RisingEdge(dut.clk_i)
        for cycle in range(last + 1):
            await edge
            if cycle == 0:
                agents.drive(dut, start_i=0)
            # Data of an index beyond the operand is anything, as that of a word being written is.
            index = number(dut.read_index_o)
            write = number(dut.write_o)
            known = index < words and not (
                write and in_place and number(dut.write_index_o) == index
            )
            reads.cycle(**{
                port: data[index] if known else random.getrandbits(self.word_bits)
                for port, data in operands.items()
            })  # fmt: skip
            if write:
                assert number(dut.write_index_o) == written
                result[written] = number(dut.write_data_o)
                written += 1
            assert number(dut.done_o) == (cycle == last), f"cycle {cycle}"
        assert agents.number(dut.negative_o) == self.negative[self.half], f"pass {op}"
        self.told.clear()
        self.tell()
        assert written == (0 if op == CHECK else words)
        if op != CHECK:
            assert self.signed(join(result, self.word_bits)) == expected, f"pass {op}"
        self.a = expected


async def adder(dut: Any, words: int) -> Adder:
    unit = Adder(dut, words)
    await unit.set_up()
    return unit


def moduli(unit: Adder) -> list[int]:
    """Odd, of the size that the coprocessor accepts: words for the scaled one and two bits free."""
    bits = unit.word_bits * (unit.words - unit.above) - 2
    return [
        (1 << bits) - 1,
        (1 << (bits - 1)) + 1,
        random.getrandbits(bits) | 1 | (1 << (bits - 1)),
        random.getrandbits(bits - unit.word_bits + 1) | 1 | (1 << (bits - unit.word_bits)),
    ]


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(in_place=[True, False])
async def constants(dut: Any, in_place: bool) -> None:
    """Whatever a and n are; a sign from before is forgotten."""
    for words in LENGTHS:
        unit = await adder(dut, words)
        for op in (ONE, FACTOR, POWER) * 2:
            unit.n, unit.a = unit.size // 2 - 1, random.randrange(unit.size // 2 - 1)
            await unit.run(SUB, in_place=in_place)
            assert unit.a < 0
            unit.n, unit.a = (random.randrange(unit.size // 2) for _ in range(2))
            await unit.run(op, in_place=in_place)
            one = unit.a
            await unit.run(RESTORE, in_place=in_place)
            assert unit.a == one


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(in_place=[True, False])
async def halving(dut: Any, in_place: bool) -> None:
    """As many halvings as take what the last product leaves to below 2n."""
    for words in LENGTHS:
        unit = await adder(dut, words)
        halvings = unit.digit_bits * unit.above
        w = 1 << halvings
        for n in moduli(unit):
            unit.n = n
            last = w * pow(w, -1, unit.n) + w // 2  # M + w / 2 bounds a product by w
            for start in (0, 1, unit.n - 1, unit.n, last - 2, unit.size // 2 - 1):
                unit.a = start
                for _ in range(halvings // unit.halvings):
                    await unit.run(HALVE, in_place=in_place)
                assert (unit.a * w - start) % unit.n == 0
                assert unit.a < 2 * unit.n or start >= last


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(in_place=[True, False])
async def doubling(dut: Any, in_place: bool) -> None:
    """Doubled over and over modulo n, never leaving -n <= a < n; then made positive."""
    for words in LENGTHS:
        unit = await adder(dut, words)
        for n in moduli(unit):
            unit.n = n
            for start in (POWER, ONE):
                # the power is below every modulus of the size
                await unit.run(start, in_place=in_place)
                if start == ONE:
                    unit.a = 1 << (n.bit_length() - 1)
                assert unit.a <= n
                bit = unit.a.bit_length() - 1
                for _ in range(2 * unit.word_bits + 3):
                    await unit.run(DOUBLE, in_place=in_place)
                    bit += 1
                    assert -unit.n <= unit.a < unit.n
                await unit.run(RESTORE, in_place=in_place)
                assert unit.a == pow(2, bit, unit.n)


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(in_place=[True, False])
async def last_subtraction(dut: Any, in_place: bool) -> None:
    for words in LENGTHS:
        unit = await adder(dut, words)
        for n in moduli(unit):
            unit.n = n
            for start in (0, 1, unit.n - 1, unit.n, unit.n + 1, 2 * unit.n - 1):
                unit.a = start
                await unit.run(SUB, in_place=in_place)
                await unit.run(RESTORE, in_place=in_place)
                assert unit.a == start % unit.n
                # restored once, the sign is forgotten
                await unit.run(RESTORE, in_place=in_place)
                assert unit.a == start % unit.n


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def checks(dut: Any) -> None:
    """What is said of a modulus and a base, at each limit."""
    for words in LENGTHS:
        unit = await adder(dut, words)
        low = 1 << (unit.word_bits * (words - unit.above - 1) - 2)
        high = 1 << (unit.word_bits * (words - unit.above) - 2)
        sizes = [0, 1, 2, low - 2, low - 1, low, low + 1, 4 * low - 1, 4 * low, 4 * low + 1]
        sizes += [high - 2, high - 1, high, high + 1, 2 * high, 3 * high, 4 * high - 1]
        sizes += [4 * high, unit.size - 1, random.randrange(low, high)]
        for n in sizes:
            unit.n = n
            for a in (0, n - 1, n, n + 1, n + high):
                if not 0 <= a < unit.size:
                    continue
                unit.a = a
                await unit.run(CHECK)
                for _ in range(random.randint(0, 2)):
                    await RisingEdge(dut.clk_i)
                    unit.tell()
                truth = [unit.a < unit.n, unit.n % 2, low <= unit.n < high]
                text = f"a = {unit.a:#x}, n = {unit.n:#x}, {words} words"
                assert all(told == truth for told in unit.told), text


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(in_place=[True, False])
async def other_operands(dut: Any, in_place: bool) -> None:
    """Copy, sum and difference, which take no notice of a sign and leave the right one."""
    for words in LENGTHS if agents.parameters()["Crt"] else ():
        unit = await adder(dut, words)
        for n in moduli(unit):
            unit.n = n
            for a, b in ((0, 0), (0, 1), (1, 0), (n, n), (n - 1, n), (2 * n, n - 1), (0, 2 * n)):
                unit.half = random.getrandbits(1)
                for op in (COPY, ADD, DIFF):
                    unit.a, unit.b = a, b
                    await unit.run(op, in_place=in_place)
                # m_p - m_q modulo p, by two restorations: m_q may be as large as 2p
                await unit.run(RESTORE, in_place=in_place)
                await unit.run(RESTORE, in_place=in_place)
                assert unit.a == a - b if a >= b else unit.a == a - b + (1 + (b - a > n)) * n


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def halves(dut: Any) -> None:
    """Passes over p and q alternate: each has a sign of its own."""
    if not agents.parameters()["Crt"]:
        return
    unit = await adder(dut, 9)
    p, q = moduli(unit)[:2]
    for a, b in ((p - 1, q), (p, q - 1), (0, 0), (p, q)):
        values = [a, b]
        for op in (SUB, RESTORE, DOUBLE, DOUBLE, DOUBLE, RESTORE):
            for half, n in enumerate((p, q)):
                unit.half, unit.n, unit.a = half, n, values[half]
                await unit.run(op)
                values[half] = unit.a
        assert values == [8 * a % p, 8 * b % q]


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def stopped_in_the_middle(dut: Any) -> None:
    """After a clear nothing is left, and the next pass is right."""
    unit = await adder(dut, 9)
    unit.n = moduli(unit)[0]
    for stop in range(1, 9 + PASS_CYCLES + 2 * unit.halvings):
        unit.a = unit.n - 1
        task = cocotb.start_soon(unit.run(HALVE))
        await agents.cycles(dut, stop)
        task.cancel()
        agents.drive(dut, clear_i=1, start_i=0, a_i=0, b_i=0, n_i=0)
        await agents.cycles(dut, 2)
        assert not agents.not_zero(dut)
        agents.drive(dut, clear_i=0)
        for _ in range(20):
            await RisingEdge(dut.clk_i)
            assert not agents.number(dut.write_o)
            assert not agents.number(dut.done_o)
        unit.a, unit.negative = unit.n - 2, [False, False]
        await unit.run(HALVE)
