# SPDX-License-Identifier: Apache-2.0
"""monpro_operand_port: 32 bits to words and back, exact cycles, and every way to misuse it."""

from __future__ import annotations

import itertools
import random
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents
from monpro.hardware.models.montgomery import join, split
from monpro.hardware.regs import Slot

TOP = "monpro_operand_port"
PARAMETERS = (
    {"WordBits": 17, "IndexBits": 6, "ExponentAddrBits": 3, "Crt": 0},
    {"WordBits": 8, "IndexBits": 6, "ExponentAddrBits": 3, "Crt": 1},
    {"WordBits": 36, "IndexBits": 6, "ExponentAddrBits": 4, "Crt": 1},
)
IDLE = {
    "clear_i": 0, "req_i": 0, "req_write_i": 0, "req_data_i": 0, "slot_i": 0, "select_i": 0,
    "writable_i": 1, "readable_i": 1, "crt_i": 0, "words_i": 5, "digits_i": 7,
    "result_words_i": 5, "bits_i": 40,
    "forget_all_i": 0, "forget_exponent_i": 0, "used_i": 0, "keep_i": 0,
    "result_data_i": 0,
}  # fmt: skip
# What the configuration alone says, or how many words there were.
SETTINGS = (
    "writable_q", "reading_slot_q", "writing_exponent_q", "halved_q", "words_q",
    "last_digit_q", "complete_q", "tail_q"
)  # fmt: skip
STEPS = ("state_q", "append_q", "word_out_q", "exponent_out_q")  # of a request
PULSES = ("too_long_o", "not_readable_o")
EXPONENTS = (Slot.EXPONENT, Slot.EXPONENT_Q)
MODULI = (Slot.MODULUS, Slot.MODULUS_Q)
LOADS = {"load_modulus_o": MODULI, "load_base_o": (Slot.BASE,), "load_inverse_o": (Slot.INVERSE,)}
SINGLE: tuple[Slot, ...] = (Slot.MODULUS, Slot.BASE, Slot.EXPONENT)
CRT_ONLY: tuple[Slot, ...] = (Slot.MODULUS_Q, Slot.EXPONENT_Q, Slot.INVERSE)


def result_words(words: int, crt: int) -> int:
    """Twice an operand's with CRT, as far as the memory goes."""
    return min(2 * words, (1 << agents.parameters()["IndexBits"]) - 1) if crt else words


class Port:
    """Makes requests; is the memories behind the port and counts its pulses."""

    def __init__(self, dut: Any, words: int, bits: int, gap: int, crt: bool) -> None:
        self.dut, self.words, self.bits, self.gap, self.crt = dut, words, bits, gap, crt
        p = agents.parameters()
        self.word_bits = p["WordBits"]
        self.exponent_words = 1 << p["ExponentAddrBits"]
        self.digits = words + random.randrange(4)
        self.slots = SINGLE + CRT_ONLY if crt else SINGLE
        self.stored: dict[Slot, dict[int, int]] = {slot: {} for slot in Slot}
        self.result: list[int] = [0] * words
        self.pulses = dict.fromkeys(PULSES, 0)
        self.slot = Slot.MODULUS
        self.left_bits = 0  # that were written and are no whole word yet, or read and not asked for

    async def set_up(self) -> None:
        given = {
            "words_i": self.words,
            "bits_i": self.bits,
            "digits_i": self.digits,
            "result_words_i": result_words(self.words, self.crt),
        }
        # without Crt the input is not looked at
        crt = self.crt if agents.parameters()["Crt"] else random.getrandbits(1)
        await agents.reset(self.dut, **(IDLE | given | {"crt_i": crt}))
        self.reads = agents.Reads(self.dut, "result_data_i", bits=self.word_bits)
        self.loads = [(getattr(self.dut, name), slots) for name, slots in LOADS.items()]
        self.pulse_ports = [(name, getattr(self.dut, name)) for name in PULSES]

    def size(self, slot: Slot) -> int:
        """Bits of an operand."""
        if slot in EXPONENTS:
            return self.bits
        halved = self.crt and slot == Slot.BASE
        return self.word_bits * (2 * self.digits if halved else self.words)

    async def cycle(self) -> None:
        dut, number = self.dut, agents.number
        await RisingEdge(dut.clk_i)
        index = number(dut.result_index_o)
        known = index < len(self.result)
        self.reads.cycle(
            result_data_i=self.result[index] if known else random.getrandbits(self.word_bits)
        )
        for load, slots in self.loads:
            if number(load):
                assert self.slot in slots
                index, half = agents.number(dut.load_index_o), agents.number(dut.load_half_o)
                assert index < (self.digits if self.crt and self.slot == Slot.BASE else self.words)
                if self.crt and self.slot == Slot.BASE:
                    index += half * self.digits
                else:
                    assert half == (self.slot == Slot.MODULUS_Q)
                self.stored[self.slot][index] = agents.number(dut.load_data_o)
        if agents.number(dut.load_exponent_o):
            index = agents.number(dut.load_exponent_addr_o)
            if self.slot == Slot.EXPONENT_Q:
                index -= self.exponent_words // 2
            else:
                assert self.slot == Slot.EXPONENT
            self.stored[self.slot][index] = agents.number(dut.load_exponent_data_o)
        for name, pulse in self.pulse_ports:
            self.pulses[name] += number(pulse)

    async def request(self, write: bool, data: int = 0) -> tuple[int, int]:
        """One request: what was read, and the cycles to the acknowledge."""
        dut = self.dut
        for _ in range(random.randint(0, self.gap)):
            await self.cycle()
        agents.drive(dut, req_i=1, req_write_i=write, req_data_i=data)
        await self.cycle()
        agents.drive(dut, req_i=0, req_data_i=random.getrandbits(32))
        took = 0
        while True:
            await self.cycle()
            took += 1
            acks = agents.number(dut.write_ack_o), agents.number(dut.read_ack_o)
            if any(acks):
                assert acks == (int(write), int(not write))
                value = agents.number(dut.read_data_o)
                # a write is in the buffer now, or in the memory, and nowhere else
                for name in ("data_q", "part_q", "moved_q", "word_q"):
                    assert agents.number(dut[name]) == 0
                await self.cycle()
                assert not agents.number(dut.write_ack_o)
                assert not agents.number(dut.read_ack_o)
                assert agents.number(dut.read_data_o) == 0  # the bus alone has seen it
                return value, took
            assert took < 100

    async def pulse(self, name: str) -> None:
        agents.drive(self.dut, **{name: 1})
        await self.cycle()
        agents.drive(self.dut, **{name: 0})
        await self.cycle()

    async def select(self, slot: Slot) -> None:
        # the register behind slot_i changes with select_i
        agents.drive(self.dut, slot_i=slot)
        await self.pulse("select_i")
        self.slot, self.left_bits = slot, 0

    async def write(self, value: int, count: int | None = None) -> None:
        """All of an operand's 32-bit words, or so many, in the cycles that the head states."""
        for i in range(-(-self.size(self.slot) // 32) if count is None else count):
            _, took = await self.request(True, value >> (32 * i) & 0xFFFFFFFF)
            if self.slot in EXPONENTS:
                assert took == 6
            else:
                complete, self.left_bits = divmod(self.left_bits + 32, self.word_bits)
                assert took == 6 + 2 * complete

    def loaded(self) -> bool:
        return bool(agents.number(self.dut.loaded_o))

    def check(self, slot: Slot, value: int) -> None:
        bits = 32 if slot in EXPONENTS else self.word_bits
        words = self.stored[slot]
        count = -(-self.size(slot) // bits)
        assert sorted(words) == list(range(count)), slot.name
        assert join([words[i] for i in range(count)], bits) == value, slot.name

    async def load_all(self, *slots: Slot) -> None:
        for slot in slots or self.slots:
            await self.select(slot)
            await self.write(0)
        assert self.loaded()


async def port(
    dut: Any, words: int = 5, bits: int = 40, gap: int = 0, *, crt: bool = False
) -> Port:
    unit = Port(dut, words, bits, gap, crt)
    await unit.set_up()
    return unit


def ways() -> tuple[bool, ...]:
    """Whether CRT is asked for."""
    return (False, True) if agents.parameters()["Crt"] else (False,)


def exponent_bits(crt: bool) -> int:
    """Any length, about whole words."""
    most = 32 << agents.parameters()["ExponentAddrBits"] >> crt
    return random.choice([1, 5, 31, 32, 33, 63, 64, 65, most - 1, most])


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(gap=[0, 5])
async def operands_in(dut: Any, gap: int) -> None:
    """Lengths: the words stored, in any order of the slots; loaded when all of them are."""
    for crt in ways():
        for words in (4, 5, 6, 7, 8, 13, 31, 32, 39) if gap == 0 else (4, 9, 31):
            unit = await port(dut, words, exponent_bits(crt), gap, crt=crt)
            order = list(unit.slots)
            random.shuffle(order)
            for number, slot in enumerate(order):
                length = unit.size(slot)
                value = random.choice([(1 << length) - 1, random.getrandbits(length)])
                await unit.select(slot)
                assert not unit.loaded()
                await unit.write(value)
                unit.check(slot, value)
                assert unit.loaded() == (number == len(order) - 1)
            assert not any(unit.pulses.values())


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def forgotten(dut: Any) -> None:
    """What has to be written again after each event: each of these slots, and no other."""
    for crt in ways():
        unit = await port(dut, 5, exponent_bits(crt), crt=crt)
        for name, gone in {
            "forget_exponent_i": [slot for slot in unit.slots if slot in EXPONENTS],
            "used_i": [slot for slot in unit.slots if slot not in MODULI],
            "keep_i": [Slot.BASE],  # with used_i
            "forget_all_i": list(unit.slots),
        }.items():
            agents.drive(dut, keep_i=name == "keep_i")
            for last in gone:
                await unit.load_all()
                await unit.pulse("used_i" if name == "keep_i" else name)
                others = [slot for slot in gone if slot != last]
                random.shuffle(others)
                for slot in others:
                    await unit.select(slot)
                    await unit.write(0)
                assert not unit.loaded(), f"{name}: {last.name} is there"
                await unit.select(last)
                await unit.write(0)
                assert unit.loaded(), name


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(gap=[0, 5])
async def result_out(dut: Any, gap: int) -> None:
    """Lengths, twice in a row; zeros beyond the end, which with CRT is twice an operand's."""
    for crt in ways():
        for words in (4, 5, 6, 7, 8, 13, 31, 32, 39) if gap == 0 else (4, 9, 31):
            unit = await port(dut, words, gap=gap, crt=crt)
            there = result_words(words, crt)
            value = random.getrandbits(unit.word_bits * there)
            unit.result = split(value, there, unit.word_bits)
            for _ in range(2):
                await unit.select(Slot.RESULT)
                for i in range(-(-unit.word_bits * there // 32) + 2):
                    word, took = await unit.request(False)
                    assert word == value >> (32 * i) & 0xFFFFFFFF
                    needed = -(-max(0, 32 - unit.left_bits) // unit.word_bits)
                    unit.left_bits += needed * unit.word_bits - 32
                    assert took == 2 + 7 * needed
            assert not any(unit.pulses.values())


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def started_again(dut: Any) -> None:
    """A slot that is selected again begins at its lowest word, whatever was left over."""
    for crt in ways():
        unit = await port(dut, 9, crt=crt)
        for slot in unit.slots:
            await unit.select(slot)
            await unit.write(0xFFFFFFFF, 1)
            await unit.select(slot)
            value = random.getrandbits(unit.size(slot))
            await unit.write(value)
            unit.check(slot, value)
        assert unit.loaded()


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def too_long(dut: Any) -> None:
    """A bit beyond the end pulses, stores nothing, and makes the operand missing to stay."""
    for crt, words in ((crt, words) for crt in ways() for words in (4, 5, 7, 8)):
        unit = await port(dut, words, random.choice([1, 20, 31, 32, 33, 64]), crt=crt)
        await unit.load_all()
        for slot in unit.slots:
            length = unit.size(slot)
            top = -(-length // 32) * 32
            for bit in sorted({length, top - 1, top, top + 31, top + 40}):
                if bit < length:
                    continue
                unit.pulses["too_long_o"] = 0
                await unit.select(slot)
                await unit.write(1 << bit | 1, bit // 32 + 1)
                await unit.cycle()
                assert unit.pulses["too_long_o"] > 0
                assert not unit.loaded(), f"{slot.name}, bit {bit} of {length}"
                await unit.write(0, 1)  # nor do zeros after it help
                assert not unit.loaded()
                await unit.select(slot)  # but a new beginning does
                await unit.write(1)
                assert unit.loaded()
                unit.check(slot, 1)
            before = dict(unit.pulses)
            await unit.write(0, 3)  # zeros beyond the end are not too long
            assert unit.loaded()
            assert unit.pulses == before


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def not_possible(dut: Any) -> None:
    """Acknowledged all the same; changes nothing, reads zero; a read raises a fault."""
    for crt in ways():
        await refused(await port(dut, 5, crt=crt))


async def refused(unit: Port) -> None:
    dut = unit.dut
    unit.result = [random.getrandbits(8) | 1 for _ in range(5)]
    others: list[Slot] = [slot for slot in Slot if slot != Slot.RESULT]
    for slot in others:
        await unit.select(slot)
        assert await unit.request(False) == (0, 1)
    assert unit.pulses["not_readable_o"] == len(others)
    agents.drive(dut, readable_i=0)
    await unit.select(Slot.RESULT)
    assert await unit.request(False) == (0, 1)
    assert unit.pulses["not_readable_o"] == len(others) + 1

    async def no_write(data: int) -> None:
        assert await unit.request(True, data) == (0, 1)

    await no_write(0xFFFFFFFF)  # the result cannot be written
    for slot in CRT_ONLY:  # nor what only CRT has
        if slot not in unit.slots:
            await unit.select(slot)
            for _ in range(12):
                await no_write(random.getrandbits(32))
    agents.drive(dut, writable_i=0)
    for slot in unit.slots:
        await unit.select(slot)
        for _ in range(9):
            await no_write(random.getrandbits(32))
    assert not any(unit.stored.values())
    assert not unit.loaded()
    agents.drive(dut, writable_i=1)
    await unit.load_all()  # nothing of it was kept
    for slot in unit.slots:
        unit.check(slot, 0)
    assert unit.pulses["too_long_o"] == 0


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def cleared(dut: Any) -> None:
    """No bit of an operand is left, and none counts as there."""
    for crt in ways():
        unit = await port(dut, 9, crt=crt)
        unit.result = [0xFF] * 63
        await unit.load_all()
        for slot in (*unit.slots, Slot.RESULT):
            await unit.select(slot)
            await unit.request(slot != Slot.RESULT, 0xFFFFFFFF)
            await unit.pulse("clear_i")
            await unit.cycle()  # what was found out about the buffer follows it
            assert not agents.not_zero(dut, *SETTINGS)
            assert agents.number(dut.read_data_o) == 0
            assert not unit.loaded()
        for slot, stop in itertools.product((*unit.slots, Slot.RESULT), range(30)):
            await unit.select(slot)
            unit.result = [0xFF] * 63
            agents.drive(dut, req_i=1, req_write_i=slot != Slot.RESULT, req_data_i=0xFFFFFFFF)
            await unit.cycle()
            agents.drive(dut, req_i=0, req_data_i=random.getrandbits(32))
            for _ in range(stop):
                await unit.cycle()
            unit.result = [0] * 63  # by the wipe, which takes longer than this
            agents.drive(dut, clear_i=1)
            for _ in range(12):
                await unit.cycle()
            assert not agents.not_zero(dut, *STEPS, *SETTINGS)
            agents.drive(dut, clear_i=0)
            for _ in range(60):  # the request ends all the same
                await unit.cycle()
                for name in ("read_data_o", "load_data_o", "load_exponent_data_o"):
                    assert agents.number(dut[name]) == 0
                assert not unit.loaded()
            assert not agents.not_zero(
                dut, "state_q", "count_q", "index_q", "exponent_q", *SETTINGS
            )
