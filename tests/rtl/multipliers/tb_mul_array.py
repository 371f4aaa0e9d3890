# SPDX-License-Identifier: Apache-2.0
"""monpro_mul_array: products against the golden model, word for word and cycle for cycle."""

from __future__ import annotations

import itertools
import operator
import random
from dataclasses import dataclass, field
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents
from monpro.hardware.models.montgomery import Array, Modulus, join, split

TOP = "monpro_mul_array"
PARAMETERS = (
    {"WordBits": 17, "Elements": 16, "MaxWords": 243},
    {"WordBits": 17, "Elements": 1, "MaxWords": 61},
    {"WordBits": 8, "Elements": 4, "MaxWords": 34},
    {"WordBits": 24, "DigitBits": 17, "Elements": 13, "MaxWords": 44},
    {"WordBits": 24, "DigitBits": 17, "Elements": 1, "MaxWords": 23},
    {"WordBits": 8, "DigitBits": 5, "Elements": 3, "MaxWords": 20},
)
# Registers that follow from the lengths alone.
SETTINGS = ("clear_index_q", "in_use_q", "pass_bits_q")
# "there to be read in the second cycle after r_valid_o"
WRITE_DELAY_CYCLES = 2
# A cycle, the slot to which a word is written in it, the word's index and the word.
Write = tuple[int, list[int], int, int]


@dataclass(eq=False, slots=True)
class Product:
    """A product of slots, which are lists of words: `result` may be an operand of a later one."""

    modulus: Modulus
    x: list[int]
    y: list[int]
    result: list[int] = field(default_factory=list)
    context: int = 0
    start_cycle: int = 0
    last_cycle: int = 0
    n: list[int] = field(init=False)

    def __post_init__(self) -> None:
        array = self.modulus.array
        self.result = self.result or [0] * array.words
        self.n = split(self.modulus.scaled, array.words, array.word_bits)

    def expected(self) -> int:
        bits = self.modulus.array.word_bits
        return self.modulus.product(join(self.x, bits), join(self.y, bits))


class Multiplier:
    """Starts products and is the memory at the multiplier's ports."""

    busy_with_last_word = False  # busy_o is low again when the last word comes

    def __init__(self, dut: Any, array: Array) -> None:
        self.dut, self.array, self.cycle = dut, array, 0
        self.bits = array.word_bits

    def settings(self) -> dict[str, int]:
        """What follows from the length."""
        return {"words_i": self.array.words, "elements_i": self.array.used_elements}

    async def set_up(self) -> None:
        await agents.reset(
            self.dut, clear_i=1, start_valid_i=0, start_context_i=0, x_data_i=0, y_data_i=0,
            n_data_i=0, **self.settings(),
        )  # fmt: skip
        await RisingEdge(self.dut.clk_i)
        self.dut.clear_i.value = 0
        await RisingEdge(self.dut.clk_i)

    def _word(self, words: list[int], index: int, writes: list[Write]) -> int:
        """A word of a slot; beyond the operand, and while it is being written, anything."""
        writing = any(at == index and slot is words for _, slot, at, _ in writes)
        known = index < self.array.words and not writing
        return words[index] if known else random.getrandbits(self.bits)

    async def run(
        self, products: list[Product], stall: float = 0.0, stop: int | None = None
    ) -> None:
        """Runs products one after the other, each started as early as the multiplier takes it.

        stall: the chance that in a cycle no start is asked for. stop: cycles until run() leaves
        off, in the middle of whatever is going on.
        """
        dut, waiting, flying = self.dut, list(products), list[Product]()
        by_context: dict[int, Product] = {}
        writes: list[Write] = []
        number, edge = agents.number, RisingEdge(dut.clk_i)
        start_valid, start_context, start_ready = (
            dut.start_valid_i, dut.start_context_i, dut.start_ready_o
        )  # fmt: skip
        busy, r_valid, r_last = dut.busy_o, dut.r_valid_o, dut.r_last_o
        ports = {
            f"{port}_data_i": (
                getattr(dut, f"{port}_context_o"), getattr(dut, f"{port}_index_o"),
                operator.attrgetter(port),
            )
            for port in "xyn"
        }  # fmt: skip
        reads = agents.Reads(dut, *ports, bits=self.bits)
        begin, asked = self.cycle, None
        while waiting or flying or writes:
            if stop is not None and self.cycle - begin == stop:
                return
            valid = bool(waiting) and random.random() >= stall
            context = waiting[0].context if waiting else random.getrandbits(1)
            if (valid, context) != asked:
                asked = valid, context
                start_valid.value, start_context.value = int(valid), context
            await edge

            while writes and writes[0][0] <= self.cycle:
                _, slot, index, word = writes.pop(0)
                slot[index] = word
            over = 0 if self.busy_with_last_word else number(r_last)
            assert number(busy) == (len(flying) > over), f"cycle {self.cycle}"
            if number(r_valid):
                product, index = flying[0], number(dut.r_index_o)
                assert number(dut.r_context_o) == product.context
                writes.append(
                    (self.cycle + WRITE_DELAY_CYCLES, product.result, index, number(dut.r_data_o))
                )
                last = index == self.array.words - 1
                assert number(r_last) == last
                if last:
                    product.last_cycle = self.cycle
                    flying.pop(0)
            else:
                assert number(r_last) == 0
            words_read = {}
            for port, (port_context, port_index, slot_of) in ports.items():
                product_read = by_context.get(number(port_context))
                words_read[port] = (
                    self._word(slot_of(product_read), number(port_index), writes)
                    if product_read
                    else random.getrandbits(self.bits)
                )
            reads.cycle(**words_read)
            if valid and number(start_ready):
                product = waiting.pop(0)
                product.start_cycle = self.cycle
                by_context[product.context] = product
                flying.append(product)
            self.cycle += 1
        dut.start_valid_i.value = 0

    def check_cycles(self, products: list[Product], *, back_to_back: bool) -> None:
        for product in products:
            assert product.last_cycle - product.start_cycle == self.array.latency_cycles
        for one, two in itertools.pairwise(products):
            interval = two.start_cycle - one.start_cycle
            if back_to_back:
                assert interval == self.array.interval_cycles
            else:
                assert interval >= self.array.interval_cycles


def array_of(words: int) -> Array:
    p = agents.parameters()
    return Array(p["WordBits"], p["Elements"], words, digit_bits=p.get("DigitBits", 0))


def lengths(elements: int, max_words: int) -> list[int]:
    """Shortest and longest, around whole passes, and where a pass' length is not the words'."""
    near = {3, 4, max_words - 1, max_words}
    around = {passes * elements + d for passes in (1, 2, 3) for d in (-1, 0, 1)}
    near |= {words for words in range(3, max_words) if array_of(words).digits in around}
    near |= {3 * elements + d for d in (4, 5, 6)}  # 2 * words = 6 * elements + 10 at + 5
    near |= {random.randint(3, max_words) for _ in range(4)}
    return sorted(words for words in near if 3 <= words <= max_words)


def moduli(array: Array) -> list[Modulus]:
    """All ones, a one at each end, random, and one that is far shorter than its words."""
    bits = array.word_bits * (array.words - 1) - 2  # what "Operands" in the head leaves
    return [
        Modulus(array, n)
        for n in (
            (1 << bits) - 1,
            (1 << (bits - 1)) + 1,
            random.getrandbits(bits - 1) | (1 << (bits - 1)) | 1,
            random.getrandbits(bits // 2) | 3,
        )
    ]


def edges(modulus: Modulus) -> list[int]:
    top = modulus.bound - 1
    ones = (1 << (top.bit_length() - 1)) - 1  # all-ones words below the highest
    return [0, 1, top, modulus.m, modulus.m - 1, ones, modulus.array.r % modulus.m]


def product(modulus: Modulus, x: int, y: int, context: int = 0) -> Product:
    words, bits = modulus.array.words, modulus.array.word_bits
    return Product(modulus, split(x, words, bits), split(y, words, bits), context=context)


def any_operand(modulus: Modulus) -> int:
    return random.randrange(modulus.bound)


def check_results(products: list[Product], expected: list[int]) -> None:
    for one, value in zip(products, expected, strict=True):
        got = join(one.result, one.modulus.array.word_bits)
        assert got == value, f"N = {one.modulus.n:#x}, {one.modulus.array}"
        assert got < one.modulus.bound


async def multiplier(dut: Any, words: int) -> Multiplier:
    unit = Multiplier(dut, array_of(words))
    await unit.set_up()
    return unit


def few_words() -> int:
    """A length of a few passes, the last of which is not full."""
    p = agents.parameters()
    return min(p["MaxWords"], 2 * p["Elements"] + 3)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def every_length(dut: Any) -> None:
    """Random products and extreme ones, back to back, at lengths around every boundary."""
    p = agents.parameters()
    for words in lengths(p["Elements"], p["MaxWords"]):
        unit = await multiplier(dut, words)
        products = []
        for number, modulus in enumerate(moduli(unit.array)):
            products.append(
                product(modulus, any_operand(modulus), any_operand(modulus), number % 2)
            )
        products.append(product(modulus, modulus.bound - 1, modulus.bound - 1, 0))
        expected = [one.expected() for one in products]
        await unit.run(products)
        check_results(products, expected)
        unit.check_cycles(products, back_to_back=True)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def one_length_after_the_other(dut: Any) -> None:
    """Nothing is left of a product in the elements that one of another length begins to use, and
    no row begins in those that it does not use."""
    p = agents.parameters()
    unit = await multiplier(dut, p["MaxWords"])
    few = list(range(3, min(p["Elements"] + 4, p["MaxWords"])))
    for words in [p["MaxWords"], *random.sample(few, min(8, len(few))), p["MaxWords"]]:
        unit.array = array_of(words)
        agents.drive(dut, **unit.settings())
        await agents.cycles(dut, 3)
        idle = [dut.g_element[m].u_element
                for m in range(unit.array.used_elements, p["Elements"])]  # fmt: skip
        quotients = [agents.number(element.q_q) for element in idle]
        modulus = moduli(unit.array)[0]
        top = modulus.bound - 1
        products = [product(modulus, top, top), product(modulus, any_operand(modulus), top)]
        expected = [one.expected() for one in products]
        await unit.run(products)
        check_results(products, expected)
        unit.check_cycles(products, back_to_back=True)
        assert quotients == [agents.number(element.q_q) for element in idle]


@cocotb.test(timeout_time=5, timeout_unit="ms")
@cocotb.parametrize(stall=[0.0, 0.9])
async def extreme_operands(dut: Any, stall: float) -> None:
    """Every pair of extreme operands and every square, with and without waiting between."""
    unit = await multiplier(dut, few_words())
    products = []
    for modulus in moduli(unit.array):
        values = edges(modulus)
        products += [product(modulus, x, y) for x in values for y in random.sample(values, 2)]
        products += [product(modulus, x, x) for x in [*values, any_operand(modulus)]]
    for number, one in enumerate(products):
        one.context = number % 2
    expected = [one.expected() for one in products]
    await unit.run(products, stall)
    check_results(products, expected)
    unit.check_cycles(products, back_to_back=stall == 0.0)


@cocotb.test(timeout_time=5, timeout_unit="ms")
@cocotb.parametrize(stall=[0.0, 0.5])
@cocotb.parametrize(operands=["x", "y", "both"])
async def chained(dut: Any, operands: str, stall: float) -> None:
    """A product that reads the last one's result, started while that is still coming out."""
    for words in (few_words(), agents.parameters()["Elements"], agents.parameters()["MaxWords"]):
        if words < 3 or (words > 2 * few_words() and (operands != "both" or stall)):
            continue
        unit = await multiplier(dut, words)
        modulus = moduli(unit.array)[2]
        first = product(modulus, any_operand(modulus), any_operand(modulus))
        products, value = [first], first.expected()
        expected = [value]
        for number in range(1, 4):
            other = any_operand(modulus)
            one = product(modulus, other, other, number % 2)
            if operands in ("x", "both"):
                one.x = products[-1].result
            if operands in ("y", "both"):
                one.y = products[-1].result
            value = modulus.product(
                value if operands != "y" else other, value if operands != "x" else other
            )
            products.append(one)
            expected.append(value)
        await unit.run(products, stall)
        check_results(products, expected)
        unit.check_cycles(products, back_to_back=stall == 0.0)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def in_place(dut: Any) -> None:
    """A slot squared onto itself again and again, as an exponentiation does it."""
    unit = await multiplier(dut, few_words())
    modulus = moduli(unit.array)[2]
    slot = split(any_operand(modulus), unit.array.words, unit.bits)
    value = join(slot, unit.bits)
    products = [Product(modulus, slot, slot, slot, context=i % 2) for i in range(8)]
    for _ in products:
        value = modulus.product(value, value)
    await unit.run(products)
    assert join(slot, unit.bits) == value
    unit.check_cycles(products, back_to_back=True)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def two_moduli(dut: Any) -> None:
    """Contexts with a modulus each, in turn: the ports say whose words they want."""
    unit = await multiplier(dut, few_words())
    one, two = moduli(unit.array)[1:3]
    products = [
        product(modulus, any_operand(modulus), any_operand(modulus), context)
        for _ in range(4)
        for context, modulus in enumerate((one, two))
    ]
    expected = [p.expected() for p in products]
    await unit.run(products)
    check_results(products, expected)
    unit.check_cycles(products, back_to_back=True)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def stopped_in_the_middle(dut: Any) -> None:
    """After a clear no word of the old product is left anywhere."""
    unit = await multiplier(dut, few_words())
    modulus = moduli(unit.array)[0]
    top = modulus.bound - 1
    whole = unit.array.latency_cycles + unit.array.interval_cycles
    for stop in [1, 2, 3, 7, *random.sample(range(8, whole), 8)]:
        await unit.run([product(modulus, top, top, i) for i in range(2)], stop=stop)
        agents.drive(dut, clear_i=1, start_valid_i=0, x_data_i=0, y_data_i=0, n_data_i=0)
        await agents.cycles(dut, 2)
        assert int(dut.busy_o.value) == 0
        # and a few more: the memory shows nothing in the cycle of a write
        await agents.cycles(dut, (1 << agents.parameters()["MaxWords"].bit_length()) + 8)
        assert not agents.not_zero(dut, *SETTINGS)
        agents.drive(dut, clear_i=0)
        for _ in range(random.randrange(4)):
            await RisingEdge(dut.clk_i)
            assert int(dut.r_valid_o.value) == 0
        after = [product(modulus, any_operand(modulus), any_operand(modulus))]
        expected = [after[0].expected()]
        await unit.run(after)
        check_results(after, expected)
        unit.check_cycles(after, back_to_back=True)
