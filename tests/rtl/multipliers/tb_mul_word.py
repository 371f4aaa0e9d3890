# SPDX-License-Identifier: Apache-2.0
"""monpro_mul_word: products against the golden model, word for word and cycle for cycle."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents
import tb_mul_array
from monpro.hardware.models.montgomery import join, split
from monpro.hardware.models.word import Word

TOP = "monpro_mul_word"
PARAMETERS = (
    {"WordBits": 32, "Elements": 1, "MaxWords": 64},
    {"WordBits": 32, "Elements": 2, "MaxWords": 64},
    {"WordBits": 8, "Elements": 1, "MaxWords": 40},
    {"WordBits": 8, "Elements": 2, "MaxWords": 40},
)


@dataclass(eq=False, slots=True)
class Product:
    """A product of slots, which are lists of words: `result` may be an operand of a later one."""

    word: Word
    n: list[int]
    x: list[int]
    y: list[int]
    context: int = 0
    result: list[int] = field(default_factory=list)
    start_cycle: int = 0
    last_cycle: int = 0

    def __post_init__(self) -> None:
        self.result = self.result or [0] * self.word.words

    @property
    def value(self) -> int:
        return join(self.result, self.word.word_bits)


class Multiplier(tb_mul_array.Multiplier):
    """Takes products of one modulus at a time."""

    busy_with_last_word = True
    array: Word

    def settings(self) -> dict[str, int]:
        return {"words_i": self.array.words}

    async def set_up(self) -> None:
        self.dut.inverse_i.value = 0
        await super().set_up()

    def words(self, value: int) -> list[int]:
        return split(value, self.array.words, self.bits)

    def product(self, n: int, x: int, y: int, context: int = 0) -> Product:
        return Product(self.array, self.words(n), self.words(x), self.words(y), context)

    async def compute(
        self, n: int, pairs: list[tuple[int, int]], stall: float = 0.0
    ) -> list[Product]:
        """Products of pairs, one after the other, each of which must be right and take its time."""
        self.dut.inverse_i.value = self.array.inverse(n)
        products = [self.product(n, x, y, i % 2) for i, (x, y) in enumerate(pairs)]
        await self.run(products, stall)
        for one, (x, y) in zip(products, pairs, strict=True):
            assert one.value == self.array.product(x, y, n), f"{x:#x} * {y:#x} mod {n:#x}"
            assert one.value < n or max(x, y) >= n
        self.check_cycles(products, back_to_back=stall == 0.0)
        assert int(self.dut.inverse_wrong_o.value) == 0
        return products


async def multiplier(dut: Any, words: int) -> Multiplier:
    p = agents.parameters()
    unit = Multiplier(dut, Word(p["WordBits"], p["Elements"], words))
    await unit.set_up()
    return unit


def min_words() -> int:
    return 8 if agents.parameters()["Elements"] == 1 else 15


def few_words() -> int:
    return min_words() + random.randrange(3)


def moduli(unit: Multiplier) -> dict[str, int]:
    """Odd numbers that make carries, borrows and quotient digits what they seldom are."""
    bits, full = unit.bits, unit.bits * unit.array.words
    top = 1 << full
    return {
        "all ones": top - 1,
        "ones below": (1 << (full - bits)) - 1 | 1 << (full - 1),
        "one at each end": 1 << (full - 1) | 1,
        "highest word zero": random.getrandbits(full - bits) | 1,
        "just above half": (top >> 1) + (random.getrandbits(bits) | 1),
        "lowest word one": random.getrandbits(full - bits) << bits | 1 | 1 << (full - 1),
        "lowest word all ones": random.getrandbits(full) | (1 << bits) - 1,
        "a one": 1,
        "short": random.getrandbits(full // 2) | 3,
        "any": random.getrandbits(full) | 1,
    }


def values(unit: Multiplier, n: int) -> list[int]:
    """Extreme operands below n."""
    r = unit.array.r
    ones = (1 << (n.bit_length() - 1)) - 1
    return [value % n for value in (0, 1, n - 1, n - 2, n >> 1, ones, r, r * r, r // 2, -r)]


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def every_length(dut: Any) -> None:
    """Products at the shortest lengths, at those of the designs, and at the longest."""
    p = agents.parameters()
    lengths = {
        *range(min_words(), min_words() + 4),
        16,
        17,
        32,
        64,
        p["MaxWords"] - 1,
        p["MaxWords"],
    }
    for words in sorted(length for length in lengths if length <= p["MaxWords"]):
        unit = await multiplier(dut, words)
        for name, n in moduli(unit).items():
            if words > 20 and name not in ("all ones", "any"):
                continue
            pairs = [(random.randrange(n), random.randrange(n)), (n - 1, n - 1)]
            await unit.compute(n, pairs)


@cocotb.test(timeout_time=5, timeout_unit="ms")
@cocotb.parametrize(stall=[0.0, 0.97])
async def extreme_operands(dut: Any, stall: float) -> None:
    unit = await multiplier(dut, few_words())
    for n in moduli(unit).values():
        edges = values(unit, n)
        pairs = [(x, random.choice(edges)) for x in edges] + [(x, x) for x in edges]
        # Stalls are before products and not in them: a few of the operands will do.
        await unit.compute(n, random.sample(pairs, 6) if stall else pairs, stall)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def just_around_the_modulus(dut: Any) -> None:
    """What is N, N - 1 and 0 before the subtraction, and what has the bit above the words set."""
    unit = await multiplier(dut, few_words())
    r = unit.array.r
    for n in moduli(unit).values():
        if n.bit_length() < unit.bits * unit.array.words:
            continue
        for target in (0, 1, n - 1, random.randrange(n)):
            # x * y = target * R modulo N, and with a large x and y the sum is beyond N
            found = []
            for _ in range(6):
                x = random.randrange(n - (n >> 4), n)
                try:
                    found.append((x, target * r * pow(x, -1, n) % n))
                except ValueError:  # a common factor
                    continue
            await unit.compute(n, found)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def operands_above_the_modulus(dut: Any) -> None:
    """Any x, y < R: congruent and below R."""
    unit = await multiplier(dut, few_words())
    r = unit.array.r
    for n in moduli(unit).values():
        pairs = [(r - 1, r - 1), (r - 1, 1), (n, n), (n, r - 1)]
        pairs += [(random.randrange(r), random.randrange(r)) for _ in range(3)]
        await unit.compute(n, pairs)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def random_products(dut: Any) -> None:
    unit = await multiplier(dut, few_words())
    for _ in range(12):
        n = random.getrandbits(unit.bits * unit.array.words - random.randrange(unit.bits)) | 1
        await unit.compute(n, [(random.randrange(n), random.randrange(n)) for _ in range(5)])


@cocotb.test(timeout_time=5, timeout_unit="ms")
@cocotb.parametrize(stall=[0.0, 0.9])
@cocotb.parametrize(operands=["x", "y", "both"])
async def chained(dut: Any, operands: str, stall: float) -> None:
    """A product that reads the last one's result, started at once."""
    unit = await multiplier(dut, few_words())
    n = moduli(unit)["any"]
    dut.inverse_i.value = unit.array.inverse(n)
    x, y = random.randrange(n), random.randrange(n)
    products, expected = [unit.product(n, x, y)], [unit.array.product(x, y, n)]
    for number in range(1, 5):
        other, value = random.randrange(n), expected[-1]
        one = unit.product(n, other, other, number % 2)
        if operands in ("x", "both"):
            one.x = products[-1].result
        if operands in ("y", "both"):
            one.y = products[-1].result
        products.append(one)
        expected.append(
            unit.array.product(
                value if operands != "y" else other, value if operands != "x" else other, n
            )
        )
    await unit.run(products, stall)
    assert [one.value for one in products] == expected
    unit.check_cycles(products, back_to_back=stall == 0.0)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def in_place(dut: Any) -> None:
    """A slot squared onto itself again and again, as an exponentiation does it."""
    unit = await multiplier(dut, few_words())
    n = moduli(unit)["any"]
    dut.inverse_i.value = unit.array.inverse(n)
    value = random.randrange(n)
    slot = unit.words(value)
    products = [Product(unit.array, unit.words(n), slot, slot, i % 2, slot) for i in range(6)]
    for _ in products:
        value = unit.array.product(value, value, n)
    await unit.run(products)
    assert join(slot, unit.bits) == value
    unit.check_cycles(products, back_to_back=True)


async def is_reported(unit: Multiplier, n: int, x: int, y: int) -> bool:
    """The cycles are those of a right product, and whether it was reported, it is until a start."""
    one = unit.product(n, x, y)
    await unit.run([one])
    unit.check_cycles([one], back_to_back=True)
    wrong = int(unit.dut.inverse_wrong_o.value)
    await agents.cycles(unit.dut, random.randrange(1, 9))
    assert int(unit.dut.inverse_wrong_o.value) == wrong
    return bool(wrong)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def wrong_inverse(dut: Any) -> None:
    """One that is not that of the modulus is reported, whichever bit is wrong; the next product is
    right again."""
    unit = await multiplier(dut, few_words())
    for n in (moduli(unit)["any"], moduli(unit)["all ones"]):
        x, y = random.randrange(1, n) | 1, random.randrange(1, n) | 1
        for bit in range(unit.bits):
            dut.inverse_i.value = unit.array.inverse(n) ^ 1 << bit
            assert await is_reported(unit, n, x, y), f"bit {bit}"
        dut.inverse_i.value = 0
        assert await is_reported(unit, n, x, y)
        # Every row begins with zero, for which any n' is right.
        assert not await is_reported(unit, n, 0, y)
        await unit.compute(n, [(x, y)])


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def wrong_in_one_row_only(dut: Any) -> None:
    """The first and the last row are looked at like every other: n' is wrong in its highest bit,
    which an even h does not show, and x is made so that h is odd in one row, or in none."""
    unit = await multiplier(dut, few_words())
    n = moduli(unit)["any"]
    words, bits = unit.array.words, unit.bits
    wrong = unit.array.inverse(n) ^ 1 << (bits - 1)
    dut.inverse_i.value = wrong
    for odd_row in (0, 1, 2, words // 2, words - 2, words - 1, None):
        x, y, t = 0, random.randrange(n) | 1, 0
        for row in range(words):
            digit = random.getrandbits(bits)
            digit ^= (t ^ digit ^ (row == odd_row)) & 1
            x |= digit << (row * bits)
            h = t + digit * y
            t = (h + (h * wrong & ((1 << bits) - 1)) * n) >> bits
        assert await is_reported(unit, n, x, y) == (odd_row is not None), f"row {odd_row}"


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def even_modulus(dut: Any) -> None:
    unit = await multiplier(dut, few_words())
    n = moduli(unit)["any"] - 1
    x, y = random.randrange(n) | 1, random.randrange(n) | 1
    for inverse in (0, 1, random.getrandbits(unit.bits), (1 << unit.bits) - 1):
        dut.inverse_i.value = inverse
        assert await is_reported(unit, n, x, y)
    await unit.compute(n | 1, [(x, y)])


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def stopped_in_the_middle(dut: Any) -> None:
    """After a clear no word of the old product is left anywhere."""
    unit = await multiplier(dut, few_words())
    n = moduli(unit)["all ones"]
    whole = unit.array.interval_cycles
    memory_cycles = 1 << agents.parameters()["MaxWords"].bit_length()
    for stop in [1, 2, 3, 7, whole - 2, *random.sample(range(8, whole + 30), 8)]:
        # half of the time with a wrong n', so that there is an error to forget
        dut.inverse_i.value = unit.array.inverse(n) ^ (stop & 1)
        await unit.run([unit.product(n, n - 1, n - 1, 1) for _ in range(2)], stop=stop)
        agents.drive(dut, clear_i=1, start_valid_i=0, x_data_i=0, y_data_i=0, n_data_i=0)
        await agents.cycles(dut, 2)
        assert int(dut.busy_o.value) == 0
        assert int(dut.inverse_wrong_o.value) == 0
        # and a few more: the memory shows nothing in the cycle of a write
        await agents.cycles(dut, memory_cycles + 8)
        assert not agents.not_zero(dut, "clear_index_q")
        agents.drive(dut, clear_i=0)
        for _ in range(random.randrange(4)):
            await RisingEdge(dut.clk_i)
            assert int(dut.r_valid_o.value) == 0
        await unit.compute(n, [(random.randrange(n), random.randrange(n))])
