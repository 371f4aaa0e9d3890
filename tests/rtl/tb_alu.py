"""monpro_alu: every pass on extreme and random numbers, exact cycles, in and out of place."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents
from monpro.models.montgomery import join, split

TOP = "monpro_alu"
PARAMETERS = ({"WordBits": 17, "IndexBits": 8}, {"WordBits": 8, "IndexBits": 6})
LENGTHS = (4, 5, 9, 34)
CONST, HALVE, DOUBLE, SUB, RESTORE, CHECK = range(6)


class Adder:
    """Runs passes and is the memory; knows what each pass must leave there."""

    def __init__(self, dut: Any, words: int) -> None:
        self.dut, self.words = dut, words
        self.word_bits = agents.parameters()["WordBits"]
        self.size = 1 << (self.word_bits * words)
        self.negative = False
        self.a = self.n = 0

    async def set_up(self) -> None:
        await agents.reset(
            self.dut, clear_i=0, words_i=self.words, start_i=0, op_i=CONST,
            const_word_i=0, const_bit_i=0, a_i=0, n_i=0,
        )  # fmt: skip

    def signed(self, value: int) -> int:
        return value - self.size if value >= self.size // 2 else value

    def expected(self, op: int, const_bit: int) -> int:
        """The number after the pass, and what is remembered of its sign."""
        a, n = self.a, self.n
        value = {
            CONST: lambda: 1 << const_bit,
            HALVE: lambda: (a + n * (a & 1)) // 2,
            DOUBLE: lambda: 2 * a + (n if self.negative else -n),
            SUB: lambda: a - n,
            RESTORE: lambda: a + n * self.negative,
            CHECK: lambda: a,
        }[op]()
        self.negative = op in (DOUBLE, SUB) and value < 0
        return value

    async def run(self, op: int, const_bit: int = 0, *, in_place: bool = True) -> None:
        """One pass; a becomes its result."""
        dut, words = self.dut, self.words
        a, n = (split(v % self.size, words, self.word_bits) for v in (self.a, self.n))
        result = a if in_place else list(a)
        expected = self.expected(op, const_bit)
        position, bit = divmod(const_bit, self.word_bits)
        agents.drive(dut, start_i=1, op_i=op, const_word_i=position, const_bit_i=bit)
        agents.drive(dut, a_i=random.getrandbits(8), n_i=random.getrandbits(8))
        written = 0
        for cycle in range(words + 4):
            await RisingEdge(dut.clk_i)
            agents.drive(dut, start_i=0)
            # Data of an index beyond the operand is anything; it is taken in the next cycle.
            index = int(dut.read_index_o.value)
            other = random.getrandbits(self.word_bits)
            agents.drive(dut, a_i=a[index] if index < words else other)
            agents.drive(dut, n_i=n[index] if index < words else other)
            if int(dut.write_o.value):
                assert int(dut.write_index_o.value) == written
                result[written] = int(dut.write_data_o.value)
                written += 1
            assert int(dut.done_o.value) == (cycle == words + 3), f"cycle {cycle}"
        assert written == (0 if op == CHECK else words)
        if op != CHECK:
            assert self.signed(join(result, self.word_bits)) == expected, f"pass {op}"
        self.a = expected


async def adder(dut: Any, words: int) -> Adder:
    unit = Adder(dut, words)
    await unit.set_up()
    return unit


def moduli(unit: Adder) -> list[int]:
    """Odd, of the size that the coprocessor accepts: one word and two bits free."""
    bits = unit.word_bits * (unit.words - 1) - 2
    return [
        (1 << bits) - 1,
        (1 << (bits - 1)) + 1,
        random.getrandbits(bits) | 1 | (1 << (bits - 1)),
        random.getrandbits(bits - unit.word_bits + 1) | 1 | (1 << (bits - unit.word_bits)),
    ]


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def constants(dut: Any) -> None:
    for words in LENGTHS:
        unit = await adder(dut, words)
        for bit in (0, 1, unit.word_bits - 1, unit.word_bits, unit.word_bits * words - 2):
            unit.a = random.randrange(unit.size // 2)
            await unit.run(CONST, bit)


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(in_place=[True, False])
async def halving(dut: Any, in_place: bool) -> None:
    """A word's worth of halvings, which takes what the last product leaves to below 2n."""
    for words in LENGTHS:
        unit = await adder(dut, words)
        w = 1 << unit.word_bits
        for n in moduli(unit):
            unit.n = n
            last = w * pow(w, -1, unit.n) + w // 2  # M + W / 2 bounds a product by W
            for start in (0, 1, unit.n - 1, unit.n, last - 2, unit.size // 2 - 1):
                unit.a = start
                for _ in range(unit.word_bits):
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
            bit = unit.n.bit_length() - 1
            await unit.run(CONST, bit, in_place=in_place)
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
        low = 1 << (unit.word_bits * (words - 2) - 2)
        high = 1 << (unit.word_bits * (words - 1) - 2)
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
                await RisingEdge(dut.clk_i)
                told = [int(dut[name].value) for name in ("below_o", "odd_o", "size_o")]
                truth = [unit.a < unit.n, unit.n % 2, low <= unit.n < high]
                assert told == truth, f"a = {unit.a:#x}, n = {unit.n:#x}, {words} words"


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def stopped_in_the_middle(dut: Any) -> None:
    """After a clear nothing is left, and the next pass is right."""
    unit = await adder(dut, 9)
    unit.n = moduli(unit)[0]
    for stop in range(1, 12):
        unit.a = unit.n - 1
        task = cocotb.start_soon(unit.run(SUB))
        await agents.cycles(dut, stop)
        task.cancel()
        agents.drive(dut, clear_i=1, start_i=0, a_i=0, n_i=0)
        await agents.cycles(dut, 2)
        assert not agents.not_zero(dut)
        agents.drive(dut, clear_i=0)
        for _ in range(12):
            await RisingEdge(dut.clk_i)
            assert not int(dut.write_o.value)
            assert not int(dut.done_o.value)
        unit.a, unit.negative = unit.n - 2, False
        await unit.run(HALVE)
