# SPDX-License-Identifier: Apache-2.0
"""A coprocessor with entries over its bus, and the numbers that its commands must leave in them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from agents.device import Device
from monpro.hardware import regs
from monpro.hardware.models.coprocessor import Cost
from monpro.hardware.models.montgomery import Array, Modulus
from monpro.hardware.models.product import (
    ACC,
    BASE,
    ONE,
    QUEUE_DEPTH,
    R2,
    Command,
    ProductCoprocessor,
    commands,
)
from monpro.hardware.regs import Scheme, Slot


def inverse(n: int, word_bits: int) -> int:
    """n' = -1/N modulo a word; anything for an even N."""
    return -pow(n | 1, -1, 1 << word_bits) % (1 << word_bits)


class Products(Device):
    """A device whose exponentiations are software's: commands of `monpro.models.product`."""

    model: ProductCoprocessor

    def __init__(self, dut: Any, stall: float = 0.0) -> None:
        super().__init__(dut, stall)
        self.entries: dict[int, int] = {}

    # ---- operands

    @property
    def bits(self) -> int:
        return self.n.bit_length()

    @property
    def array(self) -> Array:
        unit = self.model.multiplier_at(self.bits)
        assert isinstance(unit, Array)
        return unit

    @property
    def factor(self) -> int:
        """Montgomery's R."""
        return self.model.multiplier_at(self.bits).r

    def bound(self) -> int:
        """Operands are below it."""
        return self.n if self.model.exact else Modulus(self.array, self.n).bound

    def operand_words(self) -> int:
        """32-bit words of an operand."""
        return -(-self.model.word_bits * self.model.words(self.bits) // 32)

    async def load_modulus(self, n: int, length: int | None = None) -> None:
        self.n, self.entries = n, {}
        length = self.model.length(self.bits) if length is None else length
        await self.write(regs.LENGTH, regs.LENGTH_WORDS.put(length))
        await self.select(Slot.MODULUS)
        scaled = n if self.model.exact else Modulus(self.array, n).scaled
        await self.data(scaled, self.operand_words())
        if self.model.exact:
            await self.load_inverse(inverse(n, self.model.word_bits))

    async def load_inverse(self, value: int) -> None:
        await self.select(Slot.INVERSE)
        await self.data(value, -(-self.model.word_bits // 32))

    async def select_entry(self, entry: int) -> None:
        field = regs.OPERAND_SLOT.put(int(Slot.ENTRY)) | regs.OPERAND_ENTRY.put(entry)
        await self.write(regs.OPERAND, field)

    async def load(self, entry: int, value: int) -> None:
        await self.select_entry(entry)
        await self.data(value, self.operand_words())
        self.entries[entry] = value

    async def unload(self, entry: int) -> int:
        await self.select_entry(entry)
        words = [await self.read(regs.DATA) for _ in range(self.operand_words())]
        return sum(word << (32 * i) for i, word in enumerate(words))

    # ---- commands

    async def push(self, command: Command) -> None:
        await self.write(
            regs.PRODUCT,
            regs.PRODUCT_X.put(command.x)
            | regs.PRODUCT_Y.put(command.y)
            | regs.PRODUCT_TO.put(command.to)
            | regs.PRODUCT_CHOOSE.put(command.choose)
            | regs.PRODUCT_FIRST.put(command.first),
        )

    async def queued(self) -> int:
        return regs.STATUS_QUEUED.get(await self.read(regs.STATUS))

    def expect(self, command: Command) -> None:
        """What a command does, on numbers."""
        x, y = self.entries[command.x], self.entries[command.y]
        if command.choose:
            result = x if command.first else y
        elif self.model.exact:
            result = x * y * pow(self.factor, -1, self.n) % self.n
        else:
            result = Modulus(self.array, self.n).product(x, y)
        self.entries[command.to] = result

    async def run(self, steps: Sequence[Command]) -> Cost:
        """Runs commands through the queue, kept from running empty, and checks their cycles."""
        await self.start()  # counters
        for number, command in enumerate(steps):
            while number >= QUEUE_DEPTH and await self.queued() == QUEUE_DEPTH:
                pass
            await self.push(command)
            self.expect(command)
        await self.enable_interrupt()
        status = await self.finish()
        assert (status.busy, status.done, status.error, status.fault) == (0, 1, 0, 0), status
        cost = await self.cost()
        products = sum(not command.choose for command in steps)
        expected = Cost(0, self.model.cycles(steps, self.bits), products)
        assert cost == expected, f"{self.bits} bits, {len(steps)} commands"
        await self.clear()
        return cost

    async def modexp(
        self, n: int | None, x: int, e: int, bits: int, window: int = 1,
        scheme: int = Scheme.BINARY, *, public: bool = False,
    ) -> Cost:  # fmt: skip
        """One exponentiation, as the driver has it, with its result and cost checked."""
        if n is not None:
            await self.load_modulus(n)
            await self.load(R2, self.factor**2 % n)
            await self.load(ONE, 1)
        await self.load(BASE, x)
        cost = await self.run(list(commands(Scheme(scheme), e, bits, window, public=public)))
        result = await self.unload(ACC)
        assert result == self.entries[ACC]
        assert result % self.n == pow(x, e, self.n), f"{x:#x} ^ {e:#x} mod {self.n:#x}"
        expected = self.model.modexp(
            Scheme(scheme), self.bits, bits, window, warm=n is None, exponent=e if public else None
        )
        assert cost == expected
        return cost


def any_operand(unit: Products) -> int:
    """Below the bound, its ends now and then."""
    top = unit.bound() - 1
    return random.choice([random.randint(0, top), random.randint(0, top), 0, 1, top])


def program(unit: Products, count: int, entries: int) -> list[Command]:
    """Random commands over the lowest entries, which must be there."""
    pick = random.randrange
    return [
        Command(pick(entries), pick(entries), pick(entries), random.random() < 0.3, pick(2) == 1)
        for _ in range(count)
    ]


async def ready(dut: Any, stall: float = 0.0) -> Products:
    unit = Products(dut, stall)
    await unit.set_up()
    return unit
