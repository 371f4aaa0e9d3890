# SPDX-License-Identifier: Apache-2.0
"""The coprocessor over its bus, as a driver sees it: registers only, by cocotbext-axi's master."""

from __future__ import annotations

import logging
import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp

import agents
from monpro.hardware import regs
from monpro.hardware.models import select
from monpro.hardware.models.coprocessor import Coprocessor, Cost
from monpro.hardware.regs import Error, Fault, Register, Scheme, Slot


@dataclass(frozen=True, slots=True)
class Status:
    busy: int
    done: int
    warm: int
    result: int
    error: Error
    fault: Fault


@dataclass(frozen=True, slots=True)
class Key:
    """p and q need not be primes for the arithmetic to hold: the exponents are used as they are."""

    bits: int
    """Of p and of q."""
    p: int
    q: int
    dp: int
    dq: int

    @property
    def inverse(self) -> int:
        """q^-1 mod p."""
        return pow(self.q, -1, self.p)


class Device:
    """A coprocessor out of reset. stall: the chance that a channel of the bus waits a cycle."""

    def __init__(self, dut: Any, stall: float = 0.0) -> None:
        self.dut = dut
        p = agents.parameters()
        self.model = select.coprocessor(
            multiplier=agents.text("Multiplier"), crt=bool(p["Crt"]), word_bits=p["WordBits"],
            elements=p["Elements"], min_bits=p["MinBits"], max_bits=p["MaxBits"],
            table_words=p["TableWords"], table_banks=p["TableBanks"], entries=p.get("Entries", 0),
            digit_bits=p.get("DigitBits", 0),
        )  # fmt: skip
        logging.getLogger("cocotb.monpro_coprocessor.s_axil").setLevel(logging.WARNING)
        dut.rst_ni.value = 0
        dut.s_axis_tvalid.value = 0  # until a source has it
        dut.m_axis_tready.value = 0
        self.bus = AxiLiteMaster(
            AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk_i, dut.rst_ni, reset_active_level=False
        )
        write, read = self.bus.write_if, self.bus.read_if
        if stall:
            for channel in (
                write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel,
            ):  # fmt: skip
                channel.set_pause_generator(pauses(stall))
        self.n = 0
        self.key = Key(0, 0, 0, 0, 0)

    async def set_up(self) -> None:
        """Clock, reset, and the wipe that follows."""
        agents.start_clock(self.dut)
        await self.reset()

    async def reset(self) -> None:
        self.dut.rst_ni.value = 0
        await agents.cycles(self.dut, 4)
        self.dut.rst_ni.value = 1
        await FallingEdge(self.dut.core_busy)
        await agents.cycles(self.dut, 2)

    # ---- registers

    async def write(self, register: Register, value: int) -> None:
        response = await self.bus.write(register.offset, value.to_bytes(4, "little"))
        assert response.resp == AxiResp.OKAY

    async def write_byte(self, register: Register, byte: int, value: int) -> None:
        response = await self.bus.write(register.offset + byte, bytes([value]))
        assert response.resp == AxiResp.OKAY

    async def read(self, register: Register) -> int:
        response = await self.bus.read(register.offset, 4)
        assert response.resp == AxiResp.OKAY
        return int.from_bytes(response.data, "little")

    async def status(self) -> Status:
        word = await self.read(regs.STATUS)
        return Status(
            busy=regs.STATUS_BUSY.get(word),
            done=regs.STATUS_DONE.get(word),
            warm=regs.STATUS_WARM.get(word),
            result=regs.STATUS_RESULT.get(word),
            error=Error(regs.STATUS_ERROR.get(word)),  # type: ignore[call-arg]
            fault=Fault(regs.STATUS_FAULT.get(word)),  # type: ignore[call-arg]
        )

    async def command(self, field: regs.Field) -> None:
        await self.write(regs.COMMAND, field.put(1))
        await agents.cycles(self.dut, 2)  # the write is answered as the command takes effect

    async def clear(self) -> None:
        await self.command(regs.COMMAND_CLEAR)

    # ---- operands

    async def select(self, slot: int) -> None:
        await self.write(regs.OPERAND, regs.OPERAND_SLOT.put(int(slot)))

    async def data(self, value: int, words: int) -> None:
        """32-bit words, a few of them on their way at a time."""
        data = [value >> (32 * i) & 0xFFFFFFFF for i in range(words)]
        together = random.choice([1, 3])
        for first in range(0, words, together):
            some = data[first : first + together]
            tasks = [cocotb.start_soon(self.write(regs.DATA, word)) for word in some]
            for task in tasks:
                await task

    async def load_modulus(self, n: int, length: int | None = None) -> None:
        self.n = n
        length = self.model.length(n.bit_length()) if length is None else length
        await self.write(regs.CONFIG, 0)
        await self.write(regs.LENGTH, regs.LENGTH_WORDS.put(length))
        await self.select(Slot.MODULUS)
        await self.data(n, self.data_words(length))

    def data_words(self, length: int) -> int:
        return -(-self.model.word_bits * (length + 1 + self.model.delay) // 32)

    async def load_base(self, x: int, length: int | None = None) -> None:
        length = self.model.length(self.n.bit_length()) if length is None else length
        await self.select(Slot.BASE)
        await self.data(x, self.data_words(length))

    async def load_exponent(self, e: int, bits: int) -> None:
        await self.write(regs.EXPONENT, regs.EXPONENT_BITS.put(bits))
        await self.select(Slot.EXPONENT)
        await self.data(e, -(-bits // 32))

    async def configure(self, scheme: int, window: int, public: bool, *, crt: bool = False) -> None:
        await self.write(
            regs.CONFIG,
            regs.CONFIG_SCHEME.put(int(scheme))
            | regs.CONFIG_WINDOW.put(window)
            | regs.CONFIG_PUBLIC.put(int(public))
            | regs.CONFIG_CRT.put(int(crt)),
        )

    async def result(self) -> int:
        await self.select(Slot.RESULT)
        value = 0
        for i in range(-(-self.n.bit_length() // 32)):
            value |= await self.read(regs.DATA) << (32 * i)
        return value

    # ---- operations

    async def start(self) -> None:
        await self.command(regs.COMMAND_START)

    async def finish(self) -> Status:
        """Waits for the interrupt line, which must have been enabled."""
        if not int(self.dut.irq_o.value):
            await RisingEdge(self.dut.irq_o)
        return await self.status()

    async def enable_interrupt(self) -> None:
        await self.write(regs.INTERRUPT, regs.INTERRUPT_ENABLE.put(1))

    async def cost(self) -> Cost:
        low = await self.read(regs.CYCLES_EXPONENTIATE_LOW)
        high = await self.read(regs.CYCLES_EXPONENTIATE_HIGH)
        return Cost(
            cycles_precompute=await self.read(regs.CYCLES_PRECOMPUTE),
            cycles_exponentiate=high << 32 | low,
            products=await self.read(regs.PRODUCTS),
        )

    async def modexp(
        self, n: int | None, x: int, e: int, bits: int, window: int = 1,
        scheme: int = Scheme.FIXED_WINDOW, *, public: bool = False,
    ) -> Cost:  # fmt: skip
        """One exponentiation with its result and cost checked; without a modulus a warm one."""
        if n is not None:
            await self.load_modulus(n)
        await self.load_base(x)
        await self.load_exponent(e, bits)
        await self.configure(scheme, window, public)
        await self.enable_interrupt()
        await self.start()
        status = await self.finish()
        assert status == Status(0, 1, 1, 1, Error.NONE, Fault.NONE), status
        assert await self.result() == pow(x, e, self.n), f"{x:#x} ^ {e:#x} mod {self.n:#x}"
        length, warm = self.n.bit_length(), n is None
        expected = self.model.modexp(
            Scheme(scheme), length, bits, window, warm=warm, exponent=e if public else None
        )
        cost = await self.cost()
        assert cost == expected, f"{length} bits, exponent of {bits}, window {window}"
        await self.clear()
        return cost

    async def rsa_private(
        self, key: Key | None, c: int, window: int, *, d: tuple[int, int] | None = None
    ) -> Cost:
        """c^d mod p * q by CRT, with its result and cost checked; without a key a warm one.

        d: dP and dQ, where they are not the key's.
        """
        warm = key is None
        if key is not None:
            self.key = key
            await self.load_key(key)
        key = self.key
        exponents = d or (key.dp, key.dq)
        await self.load_crt_operands(key, c, exponents)
        await self.configure(Scheme.FIXED_WINDOW, window, public=False, crt=True)
        await self.enable_interrupt()
        await self.start()
        status = await self.finish()
        assert status == Status(0, 1, 1, 1, Error.NONE, Fault.NONE), status
        m_p, m_q = (pow(c, e, m) for e, m in zip(exponents, (key.p, key.q), strict=True))
        expected = m_q + key.q * (key.inverse * (m_p - m_q) % key.p)
        self.n = key.p * key.q
        assert await self.result() == expected, f"{c:#x}, {key}"
        cost = await self.cost()
        assert isinstance(self.model, Coprocessor)
        model = self.model.rsa_private(key.bits, window, warm=warm)
        assert cost == model, f"primes of {key.bits} bits, window {window}, warm {warm}"
        await self.clear()
        return cost

    async def load_crt_operands(self, key: Key, c: int, exponents: tuple[int, int]) -> None:
        await self.select(Slot.BASE)
        await self.data(c, self.base_words(key.bits))
        await self.write(regs.EXPONENT, regs.EXPONENT_BITS.put(key.bits))
        for slot, exponent in zip((Slot.EXPONENT, Slot.EXPONENT_Q), exponents, strict=True):
            await self.select(slot)
            await self.data(exponent, -(-key.bits // 32))
        await self.select(Slot.INVERSE)
        await self.data(key.inverse, self.data_words(self.model.length(key.bits)))

    async def load_key(self, key: Key) -> None:
        await self.write(regs.CONFIG, regs.CONFIG_CRT.put(1))
        length = self.model.length(key.bits)
        await self.write(regs.LENGTH, regs.LENGTH_WORDS.put(length))
        for slot, value in ((Slot.MODULUS, key.p), (Slot.MODULUS_Q, key.q)):
            await self.select(slot)
            await self.data(value, self.data_words(length))

    def base_words(self, prime_bits: int) -> int:
        assert isinstance(self.model, Coprocessor)
        digits = self.model.array(prime_bits).factor_words
        return -(-2 * digits * self.model.word_bits // 32)

    def windows(
        self, modulus_bits: int, scheme: Scheme = Scheme.FIXED_WINDOW, *, crt: bool = False
    ) -> list[int]:
        fits = self.model.window_fits
        return [w for w in range(1, 7) if fits(modulus_bits, w, crt=crt, scheme=scheme)]


def pauses(chance: float) -> Iterator[bool]:
    while True:
        yield random.random() < chance


def modulus(bits: int) -> int:
    """Odd, of exactly so many bits."""
    return random.getrandbits(bits) | 1 | 1 << (bits - 1)


def key(bits: int, p: int | None = None, q: int | None = None) -> Key:
    """Random p, q, which are coprime but not prime, and exponents."""
    while True:
        first, second = p or modulus(bits), q or modulus(bits)
        if math.gcd(first, second) == 1:
            return Key(bits, first, second, random.getrandbits(bits), random.getrandbits(bits))
        q = None
