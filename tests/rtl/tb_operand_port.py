"""monpro_operand_port: 32 bits to words and back, exact cycles, and every way to misuse it."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents
from monpro.models.montgomery import join, split
from monpro.regs import Slot

TOP = "monpro_operand_port"
PARAMETERS = (
    {"WordBits": 17, "IndexBits": 6, "ExponentAddrBits": 3},
    {"WordBits": 8, "IndexBits": 6, "ExponentAddrBits": 3},
    {"WordBits": 32, "IndexBits": 6, "ExponentAddrBits": 3},
)
IDLE = {
    "clear_i": 0, "req_i": 0, "req_write_i": 0, "req_data_i": 0, "slot_i": 0, "select_i": 0,
    "writable_i": 1, "readable_i": 1, "words_i": 5, "bits_i": 40, "forget_all_i": 0,
    "forget_exponent_i": 0, "used_i": 0, "result_data_i": 0,
}  # fmt: skip
PULSES = ("too_long_o", "not_readable_o")


class Port:
    """Makes requests; is the memories behind the port and counts its pulses."""

    def __init__(self, dut: Any, words: int, bits: int, gap: int) -> None:
        self.dut, self.words, self.bits, self.gap = dut, words, bits, gap
        self.word_bits = agents.parameters()["WordBits"]
        self.stored: dict[Slot, dict[int, int]] = {slot: {} for slot in Slot}
        self.result: list[int] = [0] * words
        self.pulses = dict.fromkeys(PULSES, 0)
        self.slot = Slot.MODULUS
        self.left_bits = 0  # that were written and are no whole word yet, or read and not asked for

    async def set_up(self) -> None:
        await agents.reset(self.dut, **(IDLE | {"words_i": self.words, "bits_i": self.bits}))

    async def cycle(self) -> None:
        dut = self.dut
        await RisingEdge(dut.clk_i)
        index = int(dut.result_index_o.value)
        word = self.result[index] if index < self.words else random.getrandbits(self.word_bits)
        agents.drive(dut, result_data_i=word)
        for slot, name in ((Slot.MODULUS, "modulus"), (Slot.BASE, "base")):
            if int(dut[f"load_{name}_o"].value):
                index = int(dut.load_index_o.value)
                assert index < self.words
                self.stored[slot][index] = int(dut.load_data_o.value)
        if int(dut.load_exponent_o.value):
            index = int(dut.load_exponent_addr_o.value)
            self.stored[Slot.EXPONENT][index] = int(dut.load_exponent_data_o.value)
        for name in PULSES:
            self.pulses[name] += int(dut[name].value)

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
            acks = int(dut.write_ack_o.value), int(dut.read_ack_o.value)
            if any(acks):
                assert acks == (int(write), int(not write))
                value = int(dut.read_data_o.value)
                await self.cycle()
                assert not int(dut.write_ack_o.value)
                assert not int(dut.read_ack_o.value)
                assert int(dut.read_data_o.value) == 0  # the bus alone has seen it
                return value, took
            assert took < 100

    async def pulse(self, name: str) -> None:
        agents.drive(self.dut, **{name: 1})
        await self.cycle()
        agents.drive(self.dut, **{name: 0})
        await self.cycle()

    async def select(self, slot: Slot) -> None:
        # the register behind slot_i changes a cycle after the write that select_i tells of
        await self.pulse("select_i")
        agents.drive(self.dut, slot_i=slot)
        self.slot, self.left_bits = slot, 0

    async def write(self, value: int, count: int | None = None) -> None:
        """All of an operand's 32-bit words, or so many, in the cycles that the head states."""
        exponent = self.slot == Slot.EXPONENT
        whole = self.bits if exponent else self.word_bits * self.words
        for i in range(-(-whole // 32) if count is None else count):
            _, took = await self.request(True, value >> (32 * i) & 0xFFFFFFFF)
            if exponent:
                assert took == 2
            else:
                complete, self.left_bits = divmod(self.left_bits + 32, self.word_bits)
                assert took == 2 + complete

    def loaded(self) -> bool:
        return bool(int(self.dut.loaded_o.value))

    def check(self, slot: Slot, value: int) -> None:
        if slot == Slot.EXPONENT:
            count, bits = -(-self.bits // 32), 32
        else:
            count, bits = self.words, self.word_bits
        words = self.stored[slot]
        assert sorted(words) == list(range(count))
        assert join([words[i] for i in range(count)], bits) == value

    async def load_all(self) -> None:
        for slot in (Slot.MODULUS, Slot.BASE, Slot.EXPONENT):
            await self.select(slot)
            await self.write(0)
        assert self.loaded()


async def port(dut: Any, words: int = 5, bits: int = 40, gap: int = 0) -> Port:
    unit = Port(dut, words, bits, gap)
    await unit.set_up()
    return unit


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(gap=[0, 5])
async def operands_in(dut: Any, gap: int) -> None:
    """Every length: the words stored, in any order of the slots; loaded when all of them are."""
    for words in range(4, 40, 1 if gap == 0 else 5):
        bits = random.choice([1, 5, 31, 32, 33, 63, 64, 65, 255, 256])
        unit = await port(dut, words, bits, gap)
        order = [Slot.MODULUS, Slot.BASE, Slot.EXPONENT]
        random.shuffle(order)
        for number, slot in enumerate(order):
            length = bits if slot == Slot.EXPONENT else unit.word_bits * words
            value = random.choice([(1 << length) - 1, random.getrandbits(length)])
            await unit.select(slot)
            assert not unit.loaded()
            await unit.write(value)
            unit.check(slot, value)
            assert unit.loaded() == (number == 2)
        assert not any(unit.pulses.values())
        for name in random.sample(["forget_exponent_i", "used_i", "forget_all_i"], 3):
            await unit.load_all()
            await unit.pulse(name)
            assert not unit.loaded(), name


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(gap=[0, 5])
async def result_out(dut: Any, gap: int) -> None:
    """Every length, twice in a row; zeros beyond the end."""
    for words in range(4, 40, 1 if gap == 0 else 5):
        unit = await port(dut, words, gap=gap)
        value = random.getrandbits(unit.word_bits * words)
        unit.result = split(value, words, unit.word_bits)
        for _ in range(2):
            await unit.select(Slot.RESULT)
            for i in range(-(-unit.word_bits * words // 32) + 2):
                word, took = await unit.request(False)
                assert word == value >> (32 * i) & 0xFFFFFFFF
                needed = -(-max(0, 32 - unit.left_bits) // unit.word_bits)
                unit.left_bits += needed * unit.word_bits - 32
                assert took == 2 + 3 * needed
        assert not any(unit.pulses.values())


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def started_again(dut: Any) -> None:
    """A slot that is selected again begins at its lowest word, whatever was left over."""
    unit = await port(dut, 9)
    for slot in (Slot.MODULUS, Slot.BASE, Slot.EXPONENT):
        await unit.select(slot)
        await unit.write(0xFFFFFFFF, 1)
        await unit.select(slot)
        value = random.getrandbits(40 if slot == Slot.EXPONENT else unit.word_bits * 9)
        await unit.write(value)
        unit.check(slot, value)
    assert unit.loaded()


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def too_long(dut: Any) -> None:
    """A bit beyond the end pulses, stores nothing, and makes the operand missing to stay."""
    for words in range(4, 12):
        unit = await port(dut, words, bits=random.choice([1, 20, 31, 32, 33, 64]))
        for slot in (Slot.MODULUS, Slot.BASE, Slot.EXPONENT):
            length = unit.bits if slot == Slot.EXPONENT else unit.word_bits * words
            top = -(-length // 32) * 32
            for bit in sorted({length, top - 1, top, top + 31, top + 40}):
                if bit < length:
                    continue
                await unit.load_all()
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
            before = dict(unit.pulses)
            await unit.write(0, 3)  # zeros beyond the end are not too long
            assert unit.loaded()
            assert unit.pulses == before


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def not_possible(dut: Any) -> None:
    """Acknowledged all the same; changes nothing, reads zero; a read raises a fault."""
    unit = await port(dut, 5)
    unit.result = [random.getrandbits(8) | 1 for _ in range(5)]
    for slot in (Slot.MODULUS, Slot.BASE, Slot.EXPONENT):
        await unit.select(slot)
        assert (await unit.request(False))[0] == 0
    assert unit.pulses["not_readable_o"] == 3
    agents.drive(dut, readable_i=0)
    await unit.select(Slot.RESULT)
    assert (await unit.request(False))[0] == 0
    assert unit.pulses["not_readable_o"] == 4
    await unit.request(True, 0xFFFFFFFF)  # the result cannot be written
    agents.drive(dut, writable_i=0)
    for slot in (Slot.MODULUS, Slot.BASE, Slot.EXPONENT):
        await unit.select(slot)
        for _ in range(9):
            await unit.request(True, random.getrandbits(32))
    assert not any(unit.stored.values())
    assert not unit.loaded()
    agents.drive(dut, writable_i=1)
    await unit.load_all()  # nothing of it was kept
    for slot in (Slot.MODULUS, Slot.BASE, Slot.EXPONENT):
        unit.check(slot, 0)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def cleared(dut: Any) -> None:
    """No bit of an operand is left, and none counts as there."""
    unit = await port(dut, 9)
    unit.result = [0xFF] * 9
    await unit.load_all()
    for slot in Slot:
        await unit.select(slot)
        await unit.request(slot != Slot.RESULT, 0xFFFFFFFF)
        await unit.pulse("clear_i")
        assert not agents.not_zero(dut)
        assert int(dut.read_data_o.value) == 0
        assert not unit.loaded()
