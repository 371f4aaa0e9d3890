# SPDX-License-Identifier: Apache-2.0
"""monpro_steps: the steps in the order of monpro_sequencer's head give an exponentiation.

The bench goes through the steps itself and does, on whole numbers, what each one asks for.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable
from typing import Any

import cocotb
from cocotb.handle import Immediate
from cocotb.triggers import Timer

import agents
from agents.sequencer import PASS_PORTS, Product, read_pass
from agents.whole_numbers import ACC, BASE, INVERSE, SEL, STATES, WHOLE, Numbers
from monpro.hardware.regs import Scheme

TOP = "monpro_steps"
PARAMETERS: tuple[dict[str, int], ...] = ({},)
Shape = tuple[int, int]
SHAPES: list[Shape] = [(8, 0), (36, 1)]
"""Bits of a word, and rows by which a quotient digit is used late."""
ELEMENTS = 3
PASSES = {
    "StCheck", "StScaleInit", "StScale", "StPowerInit", "StPower", "StPowerEnd", "StSum", "StOne",
    "StLastInit", "StUnscale", "StSub", "StRestore", "StDiff", "StDiffFix", "StCopyQ", "StWideSum",
}  # fmt: skip
PRODUCTS = {
    "StSquareR2", "StMultiplyR2", "StHighIn", "StHighShift", "StLowIn", "StEntry0", "StBase",
    "StSquareBase", "StTable", "StSquare", "StMultiply", "StZeros", "StBitFirst", "StBitSecond",
    "StRepeat", "StLast", "StDiffIn", "StInverseIn", "StFactor", "StWide",
}  # fmt: skip


class Walk:
    """An operation, step by step."""

    def __init__(
        self, dut: Any, shape: Shape, scheme: Scheme, *, public: bool = False, crt: bool = False
    ) -> None:
        self.dut, self.scheme, self.public, self.crt = dut, scheme, public, crt
        self.word_bits, self.delay = shape
        # one-hot before the model is looked at for the first time
        dut.after_i.value = Immediate(1 << STATES.index("StIdle"))
        agents.drive(dut, clk_i=0, clear_i=0, step_i=0)
        self.numbers = Numbers(self.word_bits, ELEMENTS, self.delay, halvings=1)
        self.both: Iterable[int] = range(1 + crt)
        self.from_base = True

    def moduli(self, length: int) -> list[int]:
        bits = self.word_bits * length - 2
        least = bits - self.word_bits + 1
        while True:
            size = random.choice([bits, least, (bits + least) // 2])
            found = [random.getrandbits(size) | 1 | 1 << (size - 1) for _ in range(1 + self.crt)]
            if not self.crt or math.gcd(*found) == 1:
                self.numbers.set_up(length, *found)
                return found

    async def cycle(self, **inputs: int) -> None:
        """A clock edge, which sees these inputs."""
        agents.drive(self.dut, **inputs)
        for clock in (0, 1):
            self.dut.clk_i.value = clock
            await Timer(1, "ns")

    async def step(self, name: str, *, halves: Iterable[int] | None = None, **inputs: int) -> None:
        """The step comes, and then every time another one is to come that does not."""
        dut = self.dut
        table = not (
            self.scheme == Scheme.REPEATED or (self.scheme == Scheme.BINARY and self.public)
        )
        agents.drive(
            dut, public_i=self.public, crt_i=self.crt, table_i=table,
            right_to_left_i=self.scheme == Scheme.RIGHT_TO_LEFT,
            sliding_i=self.scheme == Scheme.SLIDING_WINDOW,
        )  # fmt: skip
        await self.cycle(after_i=1 << STATES.index(name), step_i=1)
        for half in self.both if halves is None else halves:
            given = {
                "half": half, "first": 0, "no_ones": 0, "from_base": self.from_base,
                "last_pass": 0, "entry": 0,
            } | inputs  # fmt: skip
            agents.drive(dut, **{f"{key}_i": value for key, value in given.items()})
            await Timer(1, "ns")
            self.asked(name, half)
            await self.cycle(after_i=1 << random.randrange(len(dut.after_i)), step_i=0)
            await Timer(1, "ns")
            self.units(name)

    def units(self, name: str) -> tuple[int, int]:
        """Whether the step asks for a pass, and for a product: in its first cycle and later."""
        adds, multiplies = int(self.dut.pass_o.value), int(self.dut.multiply_o.value)
        assert (adds, multiplies) == (name in PASSES, name in PRODUCTS), name
        return adds, multiplies

    def asked(self, name: str, half: int) -> None:
        """Does what the outputs say."""
        numbers = self.numbers
        adds, multiplies = self.units(name)
        if adds:
            asked = [agents.number(getattr(self.dut, port)) for port in PASS_PORTS]
            numbers.do_pass(read_pass(asked, numbers), half)
        product = Product.unpack(int(self.dut.product_o.value))
        assert not product.look_up, "the sequencer's to say"
        assert not product.begins, "the sequencer's to say"
        if multiplies:
            numbers.do_product(product)

    async def passes(self, name: str, count: int) -> None:
        for left in reversed(range(count)):
            await self.step(name, last_pass=left == 0)

    async def constants(self) -> None:
        array = self.numbers.array
        await self.step("StCheck")
        await self.step("StScaleInit")
        await self.passes("StScale", self.word_bits * (1 + self.delay))
        split = 4 if self.word_bits > 18 else 1
        first = self.word_bits // split
        await self.step("StPowerInit")
        await self.passes(
            "StPower", self.word_bits * (array.rows - array.words + 2) + 2 + first
        )  # fmt: skip
        await self.step("StPowerEnd")
        for number, bit in enumerate(f"{split * array.factor_words:b}"[1:]):
            await self.step("StSquareR2", first=number == 0)
            if bit == "1":
                await self.step("StMultiplyR2")

    async def out(self, *, nothing: bool = False) -> None:
        await self.step("StLastInit", no_ones=nothing)
        if not nothing:
            await self.step("StLast")
        await self.passes("StUnscale", self.word_bits * (1 + self.delay))
        await self.step("StSub")
        await self.step("StRestore")

    async def into_montgomery_form(self) -> None:
        table = self.scheme not in (Scheme.SLIDING_WINDOW, Scheme.REPEATED)
        if table and not (self.scheme == Scheme.BINARY and self.public):
            await self.step("StOne")
            await self.step("StEntry0")
        await self.step("StBase")

    def select(self, entries: list[int], target: int = SEL) -> None:
        for half, entry in zip(self.both, entries, strict=True):
            self.numbers.write(target, half, self.numbers.table[half, entry])

    async def product(self, name: str, entry: int = 0) -> None:
        await self.step(name, entry=entry)
        self.from_base = False


async def fixed_window(walk: Walk, exponents: list[int], bits: int, window: int) -> None:
    for entry in range(2, 1 << window):
        await walk.product("StTable", entry=entry)
    left = bits
    while left:
        count = min(window, left)
        left -= count
        entries = [e >> left & ((1 << count) - 1) for e in exponents]
        if left + count == bits:
            walk.select(entries, ACC)
            walk.from_base = False
            continue
        for _ in range(count):
            await walk.product("StSquare")
        walk.select(entries)
        await walk.product("StMultiply")


async def secret(dut: Any, shape: Shape, scheme: Scheme, window: int) -> None:
    for length in (3, 4, 7):
        walk = Walk(dut, shape, scheme)
        (n,) = walk.moduli(length)
        x, e, bits = random.choice([0, 1, n - 1, random.randrange(n)]), random.getrandbits(9), 9
        walk.numbers.load_base(x)
        await walk.constants()
        await walk.into_montgomery_form()
        await fixed_window(walk, [e], bits, window)
        await walk.out()
        assert walk.numbers.slot(ACC, 0) == pow(x, e, n)


@cocotb.test()
@cocotb.parametrize(shape=SHAPES, window=[1, 2, 4])
async def fixed_windows(dut: Any, shape: Shape, window: int) -> None:
    await secret(dut, shape, Scheme.FIXED_WINDOW, window)


@cocotb.test()
@cocotb.parametrize(shape=SHAPES)
async def binary(dut: Any, shape: Shape) -> None:
    """Secret: windows of a bit. Public: a multiplication by the base for each one."""
    await secret(dut, shape, Scheme.BINARY, 1)
    for e in (0, 1, 2, 0b1011000, 65537):
        walk = Walk(dut, shape, Scheme.BINARY, public=True)
        (n,) = walk.moduli(4)
        x = random.randrange(n)
        walk.numbers.load_base(x)
        await walk.constants()
        await walk.into_montgomery_form()
        for bit in f"{e:b}"[1:]:
            await walk.product("StSquare")
            if bit == "1":
                await walk.product("StMultiply")
        await walk.out(nothing=e == 0)
        assert walk.numbers.slot(ACC, 0) == pow(x, e, n)


@cocotb.test()
@cocotb.parametrize(shape=SHAPES)
async def sliding_window(dut: Any, shape: Shape) -> None:
    for pieces in ([(3, 2), (0, 1), (5, 3), (1, 0)], [(1, 3)]):
        walk = Walk(dut, shape, Scheme.SLIDING_WINDOW, public=True)
        (n,) = walk.moduli(4)
        x, e, first = random.randrange(n), 0, True
        walk.numbers.load_base(x)
        await walk.constants()
        await walk.into_montgomery_form()
        await walk.step("StSquareBase")
        for entry in range(1, 4):
            await walk.product("StTable", entry=entry)
        for odd, zeros in pieces:
            if not odd:
                e <<= zeros
                for _ in range(zeros):
                    await walk.product("StZeros")
                continue
            if first:
                walk.select([odd >> 1], ACC)
            else:
                for _ in range(odd.bit_length()):
                    await walk.product("StSquare")
                walk.select([odd >> 1])
                await walk.product("StMultiply")
            first = False
            for _ in range(zeros):
                await walk.product("StZeros")
            e = (e << odd.bit_length() | odd) << zeros
        await walk.out()
        assert walk.numbers.slot(ACC, 0) == pow(x, e, n), f"{e:b}"


@cocotb.test()
@cocotb.parametrize(shape=SHAPES, public=[False, True])
async def right_to_left(dut: Any, shape: Shape, public: bool) -> None:
    for e in (0, 1, 0b1101000, 0b1111):
        walk = Walk(dut, shape, Scheme.RIGHT_TO_LEFT, public=public)
        (n,) = walk.moduli(4)
        x = random.randrange(n)
        walk.numbers.load_base(x)
        await walk.constants()
        await walk.into_montgomery_form()
        walk.from_base = False
        for bit in f"{e:07b}"[::-1]:
            if not public:
                walk.select([int(bit)])
            if bit == "1" or not public:
                await walk.step("StBitFirst")
            await walk.step("StBitSecond")
        await walk.out()
        assert walk.numbers.slot(ACC, 0) == pow(x, e, n)


@cocotb.test()
@cocotb.parametrize(shape=SHAPES)
async def ladder(dut: Any, shape: Shape) -> None:
    """Entry 0 is [R0, R1], entry 1 the square of the one that the bit before chose."""
    for e in (0, 1, 0b1101000, 0b0111, 0b1000000):
        walk = Walk(dut, shape, Scheme.LADDER)
        (n,) = walk.moduli(4)
        x, before = random.randrange(n), 1
        walk.numbers.load_base(x)
        await walk.constants()
        await walk.into_montgomery_form()
        walk.from_base = False
        # entries 0 and 1 are R0 and R1 at first, as they are after a one
        for bit in map(int, f"{e:07b}"):
            walk.select([bit ^ before ^ 1])
            await walk.step("StBitFirst")
            await walk.step("StBitSecond")
            before = bit
        walk.select([0 ^ before ^ 1], ACC)
        await walk.out()
        assert walk.numbers.slot(ACC, 0) == pow(x, e, n), f"{e:b}"


@cocotb.test()
@cocotb.parametrize(shape=SHAPES)
async def repeated(dut: Any, shape: Shape) -> None:
    for e in (0, 1, 2, 9):
        walk = Walk(dut, shape, Scheme.REPEATED, public=True)
        (n,) = walk.moduli(4)
        x = random.randrange(n)
        walk.numbers.load_base(x)
        await walk.constants()
        await walk.into_montgomery_form()
        for _ in range(e - 1):
            await walk.product("StRepeat")
        await walk.out(nothing=e == 0)
        assert walk.numbers.slot(ACC, 0) == pow(x, e, n)


@cocotb.test()
@cocotb.parametrize(shape=SHAPES)
async def crt(dut: Any, shape: Shape) -> None:
    """Both halves, each step for p and then for q, and their recombination."""
    for length in (3, 4, 7):
        walk = Walk(dut, shape, Scheme.FIXED_WINDOW, crt=True)
        p, q = walk.moduli(length)
        inverse = pow(q, -1, p)
        c = random.choice([0, 1, p * q - 1, random.randrange(p * q), random.randrange(p * q)])
        exponents = [random.choice([0, 1, random.getrandbits(9)]) for _ in range(2)]
        numbers = walk.numbers
        numbers.load_base(c)
        # with CRT the check reads qInv in the place of the base, of the half of q as well
        numbers.slots[INVERSE, 0] = numbers.slots[INVERSE, 1] = inverse
        await walk.constants()
        for name in ("StHighIn", "StHighShift", "StLowIn", "StSum"):
            await walk.step(name)
        await walk.into_montgomery_form()
        await fixed_window(walk, exponents, 9, 2)
        await walk.out()
        m_p, m_q = (numbers.slot(ACC, half) for half in range(2))
        assert (m_p, m_q) == (pow(c, exponents[0], p), pow(c, exponents[1], q))
        walk.both = (0,)
        await walk.step("StDiff")
        for name in ("StDiffFix", "StDiffFix", "StDiffIn", "StInverseIn", "StFactor"):
            await walk.step(name)
        walk.from_base = False
        await walk.out()
        await walk.step("StCopyQ", halves=[1])
        assert numbers.slot(SEL, 1) == q
        await walk.step("StWide")
        assert numbers.slot(BASE, WHOLE) % q == 0
        await walk.step("StWideSum")
        assert numbers.slot(ACC, WHOLE) == m_q + q * (inverse * (m_p - m_q) % p)


@cocotb.test()
@cocotb.parametrize(shape=SHAPES)
async def nothing_asked(dut: Any, shape: Shape) -> None:
    """Steps that are neither ask for nothing, and every step is one or none."""
    walk = Walk(dut, shape, Scheme.FIXED_WINDOW)
    walk.moduli(4)
    for name in set(STATES) - PASSES - PRODUCTS:
        await walk.step(name)
    assert set(STATES) >= PASSES | PRODUCTS


@cocotb.test()
@cocotb.parametrize(name=["StSquare", "StUnscale"])
async def clear(dut: Any, name: str) -> None:
    """Whatever the step asked, from then on nothing is, and no register has a one."""
    walk = Walk(dut, SHAPES[0], Scheme.FIXED_WINDOW)
    for _ in range(2):
        await walk.cycle(after_i=1 << STATES.index(name), step_i=1)
    assert int(dut.pass_o.value) or int(dut.multiply_o.value)
    await walk.cycle(clear_i=1)
    assert not int(dut.pass_o.value)
    assert not int(dut.multiply_o.value)
    assert not agents.not_zero(dut)
    await walk.cycle(clear_i=0, step_i=0)
    assert not int(dut.pass_o.value)
    assert not int(dut.multiply_o.value)
