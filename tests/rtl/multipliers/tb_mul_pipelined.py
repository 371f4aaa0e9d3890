# SPDX-License-Identifier: Apache-2.0
"""monpro_mul_pipelined: products against the golden model, word for word and cycle for cycle."""

from __future__ import annotations

import itertools
import random
from collections import deque
from dataclasses import dataclass, field
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents
from monpro.hardware.models.montgomery import Array, Modulus, join, split

TOP = "monpro_mul_pipelined"
PARAMETERS = (
    {"WordBits": 36, "Elements": 32, "MaxWords": 127},
    {"WordBits": 36, "Elements": 5, "MaxWords": 40},
    {"WordBits": 18, "Elements": 2, "MaxWords": 24},
    {"WordBits": 17, "Elements": 1, "MaxWords": 24},
    {"WordBits": 8, "Elements": 4, "MaxWords": 34},
)
DELAY = 1
# "there to be read in the second cycle after r_valid_o"
WRITE_DELAY_CYCLES = 2
# Registers that follow from the lengths alone.
SETTINGS = (
    "clear_index_q",
    "elements_q",
    "last_element_q",
    "at_tap_q",
    "clear_line_q",
    "clear_q",
    "idle_q",
)
READ_CYCLES = 2  # from an index to its word
# A cycle, the slot to which a word is written in it, the word's index and the word.
Write = tuple[int, list[int], int, int]


@dataclass(eq=False, slots=True)
class Product:
    """A product of slots, which are lists of words: `result` may be an operand of a later one."""

    array: Array
    scaled: int
    x: list[int]
    y: list[int]
    context: int = 0
    result: list[int] = field(default_factory=list)
    start_cycle: int = 0
    last_cycle: int = 0

    def __post_init__(self) -> None:
        self.result = self.result or [0] * self.array.words

    @property
    def value(self) -> int:
        return join(self.result, self.array.word_bits)


class Multiplier:
    """Starts products and is the memory at the multiplier's ports."""

    def __init__(self, dut: Any, array: Array) -> None:
        self.dut, self.array, self.cycle = dut, array, 0
        self.bits = array.word_bits

    async def set_up(self) -> None:
        await agents.reset(
            self.dut, clear_i=1, words_i=self.array.words, elements_i=self.array.used_elements,
            start_valid_i=0, start_context_i=0, x_data_i=0, y_data_i=0, n_data_i=0,
        )  # fmt: skip
        await RisingEdge(self.dut.clk_i)
        self.dut.clear_i.value = 0
        await RisingEdge(self.dut.clk_i)

    def _word(self, words: list[int], port: str, index: int, writes: list[Write]) -> int:
        """A word of a slot; beyond the operand, and while it is being written, anything."""
        if port == "x" and len(words) <= index < self.array.factor_words:
            return 0  # x has K words
        writing = any(at == index and slot is words for _, slot, at, _ in writes)
        known = index < len(words) and not writing
        return words[index] if known else random.getrandbits(self.bits)

    async def run(
        self, products: list[Product], stall: float = 0.0, stop: int | None = None
    ) -> None:
        """Runs products in their order, each started as early as the multiplier takes it.

        stall: the chance that in a cycle no start is asked for, if none has been. stop: cycles
        until run() leaves off, in the middle of whatever is going on.
        """
        dut, waiting = self.dut, list(products)
        flying: tuple[list[Product], list[Product]] = ([], [])
        latest: dict[int, Product] = {}
        # N' has a word less than the operands
        scaled = {
            product.scaled: split(product.scaled, self.array.words - 1, self.bits)
            for product in products
        }
        writes: list[Write] = []
        number, edge = agents.number, RisingEdge(dut.clk_i)
        start_valid, start_context, start_ready = (
            dut.start_valid_i, dut.start_context_i, dut.start_ready_o
        )  # fmt: skip
        busy, r_valid, r_last = dut.busy_o, dut.r_valid_o, dut.r_last_o
        ports = [
            (port, getattr(dut, f"{port}_data_i"), getattr(dut, f"{port}_context_o"),
             getattr(dut, f"{port}_index_o"), deque([0] * READ_CYCLES))
            for port in "xyn"
        ]  # fmt: skip
        begin, asked, valid = self.cycle, None, False
        while waiting or any(flying) or writes:
            if stop is not None and self.cycle - begin == stop:
                return
            valid = bool(waiting) and (valid or random.random() >= stall)
            context = waiting[0].context if waiting else random.getrandbits(1)
            if (valid, context) != asked:
                asked = valid, context
                start_valid.value, start_context.value = int(valid), context
            for _, data, _, _, pending in ports:
                data.value = pending.popleft()
            await edge

            while writes and writes[0][0] <= self.cycle:
                _, slot, index, word = writes.pop(0)
                slot[index] = word
            assert number(busy) == any(map(bool, flying)), f"cycle {self.cycle}"
            for port, _, port_context, port_index, pending in ports:
                product = latest.get(number(port_context))
                if product:
                    words = scaled[product.scaled] if port == "n" else getattr(product, port)
                    pending.append(self._word(words, port, number(port_index), writes))
                else:
                    pending.append(random.getrandbits(self.bits))
            if number(r_valid):
                ended = flying[number(dut.r_context_o)]
                product, index = ended[0], number(dut.r_index_o)
                writes.append(
                    (self.cycle + WRITE_DELAY_CYCLES, product.result, index, number(dut.r_data_o))
                )
                last = index == self.array.words - 1
                assert number(r_last) == last
                if last:
                    product.last_cycle = self.cycle
                    ended.pop(0)
            else:
                assert number(r_last) == 0
            if valid and number(start_ready):
                product = waiting.pop(0)
                product.start_cycle = self.cycle
                latest[product.context] = product
                flying[product.context].append(product)
            self.cycle += 1
        dut.start_valid_i.value = 0

    def check_cycles(self, products: list[Product], *, back_to_back: bool) -> None:
        """Of products of one context."""
        for product in products:
            assert product.last_cycle - product.start_cycle == self.array.latency_cycles
        for one, two in itertools.pairwise(products):
            interval = two.start_cycle - one.start_cycle
            if back_to_back:
                assert interval == self.array.interval_cycles
            else:
                assert interval >= self.array.interval_cycles

    def check_pair_cycles(self, products: list[Product]) -> None:
        """Of products whose contexts take turns, started without waiting."""
        for product in products:
            assert product.last_cycle - product.start_cycle == self.array.pair_latency_cycles
        for number, (one, two) in enumerate(itertools.pairwise(products)):
            second = self.array.turn_cycles
            first = self.array.pair_interval_cycles - second
            assert two.start_cycle - one.start_cycle == (first if number % 2 else second)


def lengths(elements: int, max_words: int) -> list[int]:
    """Shortest and longest, around whole passes, where a pass is not as long as the words; any."""
    near = {3, 4, max_words}
    for passes in (1, 2, 3):
        near |= {passes * elements + d for d in (-1, 0)}
    for slots in (3 * elements + 10) // 2, (3 * elements + 10) // 4:  # a pass alone, and a pair
        near |= {slots + d for d in (0, 1)}
    near |= {random.randint(3, max_words) for _ in range(6)}
    return sorted(words for words in near if 3 <= words <= max_words)


def moduli(array: Array) -> list[Modulus]:
    """All ones, a one at each end, random, and one that is far shorter than its words."""
    bits = array.word_bits * (array.words - 1 - DELAY) - 2
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
    return [0, 1, modulus.n - 1, top, modulus.m, modulus.m - 1, ones, modulus.array.r % modulus.m]


def words_of(array: Array, value: int) -> list[int]:
    return split(value, array.words, array.word_bits)


def product(modulus: Modulus, x: int, y: int, context: int = 0) -> Product:
    array = modulus.array
    digits = array.words if x < modulus.bound else array.factor_words
    words = split(x, digits, array.word_bits)
    return Product(array, modulus.scaled, words, words_of(array, y), context)


def any_operand(modulus: Modulus) -> int:
    return random.randrange(modulus.bound)


def check_results(products: list[Product], expected: list[int]) -> None:
    for one, value in zip(products, expected, strict=True):
        assert one.value == value, f"N' = {one.scaled:#x}, {one.array}"


async def multiplier(dut: Any, words: int) -> Multiplier:
    p = agents.parameters()
    unit = Multiplier(dut, Array(p["WordBits"], p["Elements"], words, DELAY))
    await unit.set_up()
    return unit


def few_words() -> int:
    """A length of a few passes, the last of which is not full."""
    p = agents.parameters()
    return min(p["MaxWords"], 2 * p["Elements"] + 3)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def every_length(dut: Any) -> None:
    """Random products and extreme ones at lengths around every boundary: in one context, and in
    two with a modulus each, which take turns."""
    p = agents.parameters()
    for words in lengths(p["Elements"], p["MaxWords"]):
        unit = await multiplier(dut, words)
        alone, *pair = random.sample(moduli(unit.array), 3)
        operands = [(any_operand(alone), any_operand(alone)) for _ in range(2)]
        operands.append((alone.bound - 1, alone.bound - 1))
        context = random.getrandbits(1)
        products = [product(alone, x, y, context) for x, y in operands]
        await unit.run(products)
        check_results(products, [alone.product(x, y) for x, y in operands])
        unit.check_cycles(products, back_to_back=True)

        turns = [pair[i % 2] for i in range(6)]
        operands = [(any_operand(modulus), any_operand(modulus)) for modulus in turns]
        products = [
            product(modulus, x, y, i % 2)
            for i, (modulus, (x, y)) in enumerate(zip(turns, operands, strict=True))
        ]
        await unit.run(products)
        check_results(
            products, [m.product(x, y) for m, (x, y) in zip(turns, operands, strict=True)]
        )
        unit.check_pair_cycles(products)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def one_length_after_the_other(dut: Any) -> None:
    """Nothing is left of a product in the elements that one of another length begins to use, and
    those that it does not use are held at zero."""
    p = agents.parameters()
    unit = await multiplier(dut, p["MaxWords"])
    few = list(range(3, min(p["Elements"] + 4, p["MaxWords"])))
    some = [3, *random.sample(few, min(8, len(few)))]
    every_element = max(p["Elements"] - DELAY, 3)  # at once, while the pass before would go on
    for words in [p["MaxWords"], *(n for one in some for n in (one, every_element))]:
        array = unit.array = Array(p["WordBits"], p["Elements"], words, DELAY)
        agents.drive(dut, words_i=words, elements_i=array.used_elements)
        await agents.cycles(dut, 3)
        modulus = moduli(array)[0]
        operands = [(modulus.bound - 1, modulus.bound - 1), (any_operand(modulus),) * 2]
        products = [product(modulus, x, y, i) for i, (x, y) in enumerate(operands)]
        await unit.run(products)
        check_results(products, [modulus.product(x, y) for x, y in operands])
        for m in range(array.used_elements, p["Elements"]):
            assert not agents.not_zero(dut.g_element[m].u_element)


@cocotb.test(timeout_time=5, timeout_unit="ms")
@cocotb.parametrize(stall=[0.0, 0.9])
async def extreme_operands(dut: Any, stall: float) -> None:
    """Every pair of extreme operands and every square, with and without waiting between."""
    unit = await multiplier(dut, few_words())
    for modulus in moduli(unit.array):
        values = edges(modulus)
        pairs = [(x, y) for x in values for y in random.sample(values, 2)]
        pairs += [(x, x) for x in [*values, any_operand(modulus)]]
        if stall or agents.parameters()["Elements"] > 8:
            pairs = random.sample(pairs, 8)
        products = [product(modulus, x, y) for x, y in pairs]
        await unit.run(products, stall)
        check_results(products, [modulus.product(x, y) for x, y in pairs])
        assert all(one.value < modulus.bound for one in products)
        unit.check_cycles(products, back_to_back=stall == 0.0)


@cocotb.test(timeout_time=5, timeout_unit="ms")
@cocotb.parametrize(turns=[[0, 0], [0, 1]])
async def long_x(dut: Any, turns: list[int]) -> None:
    """x may have a word for each digit, whatever the modulus and whoever comes next."""
    for words in {3, few_words()}:
        unit = await multiplier(dut, words)
        pair = moduli(unit.array)[1:3]
        order = [pair[c] for c in turns * 3]
        r = unit.array.r
        tops = [r - 1, r - 1, random.randrange(r), random.randrange(r), r >> 1, r - 1]
        operands = [(x, any_operand(modulus)) for x, modulus in zip(tops, order, strict=True)]
        products = [
            product(modulus, x, y, c)
            for modulus, (x, y), c in zip(order, operands, turns * 3, strict=True)
        ]
        await unit.run(products)
        check_results(
            products,
            [m.product(x, y, long_x=True) for m, (x, y) in zip(order, operands, strict=True)],
        )
        if turns == [0, 1]:
            unit.check_pair_cycles(products)
        else:
            unit.check_cycles(products, back_to_back=True)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def integers(dut: Any) -> None:
    """With N' a power of W and as many words as digits, a product is that of the integers."""
    p = agents.parameters()
    elements = p["Elements"]
    fewer = max(elements // 2 + 1, elements - 1)
    for words in sorted({k * used - 1 for k in range(1, 6) for used in (fewer, elements)}):
        array = Array(p["WordBits"], elements, words, DELAY)
        if not 3 <= words <= p["MaxWords"] or array.words != array.factor_words:
            continue
        unit = await multiplier(dut, words)
        full = unit.bits * words
        top = (1 << full) - 2
        pairs = [(0, 0), (0, top), (top, 0), (1, top), (top, 1), (2, top >> 1), (top >> 1, 2)]
        half = (1 << full // 2) - 1
        pairs += [(half, half), (half, random.randint(0, half))]
        for _ in range(2):
            bits = random.randrange(full)
            pairs.append((random.getrandbits(bits), random.getrandbits(full - bits - 1)))
        products = [
            Product(array, 1 << unit.bits * (words - 2), words_of(array, x), words_of(array, y))
            for x, y in pairs
        ]
        await unit.run(products)
        check_results(products, [x * y for x, y in pairs])
        assert [array.integer_product(x, y) for x, y in pairs] == [x * y for x, y in pairs]
        unit.check_cycles(products, back_to_back=True)


@cocotb.test(timeout_time=5, timeout_unit="ms")
@cocotb.parametrize(stall=[0.0, 0.5])
@cocotb.parametrize(operands=["x", "y", "both"])
async def chained(dut: Any, operands: str, stall: float) -> None:
    """A product that reads the last one's result, started while that is still coming out."""
    p = agents.parameters()
    for words in {3, few_words(), p["Elements"] - 1, p["Elements"], p["MaxWords"]}:
        if words < 3 or (words > 2 * few_words() and (operands != "both" or stall)):
            continue
        unit = await multiplier(dut, words)
        modulus = moduli(unit.array)[2]
        x, y = any_operand(modulus), any_operand(modulus)
        products, expected = [product(modulus, x, y)], [modulus.product(x, y)]
        for _ in range(3):
            other, value = any_operand(modulus), expected[-1]
            one = product(modulus, other, other)
            if operands in ("x", "both"):
                one.x = products[-1].result
            if operands in ("y", "both"):
                one.y = products[-1].result
            products.append(one)
            expected.append(
                modulus.product(
                    value if operands != "y" else other, value if operands != "x" else other
                )
            )
        await unit.run(products, stall)
        check_results(products, expected)
        unit.check_cycles(products, back_to_back=stall == 0.0)


@cocotb.test(timeout_time=5, timeout_unit="ms")
@cocotb.parametrize(order=["turns", "any"])
async def two_chains(dut: Any, order: str) -> None:
    """In each context a slot squared onto itself again and again, as two exponentiations do it;
    with starts by turns, and in any order with waits between."""
    p = agents.parameters()
    for words in {3, p["Elements"] - 1, few_words()}:
        if words < 3:
            continue
        unit = await multiplier(dut, words)
        pair = moduli(unit.array)[1:3]
        slots = [words_of(unit.array, any_operand(modulus)) for modulus in pair]
        values = [join(slot, unit.bits) for slot in slots]
        turns = [i % 2 if order == "turns" else random.getrandbits(1) for i in range(12)]
        products = []
        for c in turns:
            products.append(
                Product(unit.array, pair[c].scaled, slots[c], slots[c], c, result=slots[c])
            )
            values[c] = pair[c].product(values[c], values[c])
        await unit.run(products, 0.0 if order == "turns" else random.choice([0.0, 0.97]))
        assert [join(slot, unit.bits) for slot in slots] == values
        if order == "turns":
            unit.check_pair_cycles(products)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def stopped_in_the_middle(dut: Any) -> None:
    """After a clear no word of the old products is left anywhere."""
    unit = await multiplier(dut, few_words())
    pair = moduli(unit.array)[:2]
    whole = unit.array.pair_latency_cycles + unit.array.pair_interval_cycles
    for stop in [1, 2, 3, 7, *random.sample(range(8, whole), 6)]:
        running = [
            product(modulus, modulus.bound - 1, modulus.bound - 1, context)
            for _ in range(2)
            for context, modulus in enumerate(pair)
        ]
        await unit.run(running, stop=stop)
        agents.drive(dut, clear_i=1, start_valid_i=0, x_data_i=0, y_data_i=0, n_data_i=0)
        await agents.cycles(dut, 2)
        assert int(dut.busy_o.value) == 0
        # some more than all words: at the turn the memory's first word is read while written
        await agents.cycles(dut, (2 << agents.parameters()["MaxWords"].bit_length()) + 8)
        assert not agents.not_zero(dut, *SETTINGS)
        agents.drive(dut, clear_i=0)
        for _ in range(random.randrange(4)):
            await RisingEdge(dut.clk_i)
            assert int(dut.r_valid_o.value) == 0
        x, y = any_operand(pair[1]), any_operand(pair[1])
        after = [product(pair[1], x, y)]
        await unit.run(after)
        check_results(after, [pair[1].product(x, y)])
        unit.check_cycles(after, back_to_back=True)
