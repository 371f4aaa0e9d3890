# SPDX-License-Identifier: Apache-2.0
"""monpro_coprocessor with streams: packets, every misuse of them, and both buses at once."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import with_timeout
from cocotbext.axi import AxiStreamFrame

import agents
from agents import device
from agents.stream import CLEAR, START, any_modulus, check_alive, ready
from monpro.hardware import designs, regs
from monpro.hardware.models import stream
from monpro.hardware.models.stream import Op, Section, operand, read, result, wait, write
from monpro.hardware.regs import Error, Fault, Scheme, Slot

TOP = "monpro_coprocessor"
PARAMETERS = {"study": {**designs.get("study").rtl_parameters(), "Stream": 1}}
NOT_AN_OP = 4


def busy_cycles(cost: Any) -> int:
    """For which a `wait` right after the command waits: its word is read in the first two."""
    return int(cost.cycles) - 2


# ---- results


@cocotb.test(timeout_time=10, timeout_unit="ms")
@cocotb.parametrize(stalls=[(0.0, 0.0), (0.5, 0.0), (0.0, 0.7), (0.7, 0.5)])
async def random_operations(dut: Any, stalls: tuple[float, float]) -> None:
    """Cold and warm, each scheme; without stalls every cycle is accounted for."""
    unit, streams = await ready(dut, *stalls)
    for number in range(3 if any(stalls) else 9):
        length = random.randint(32, 110)
        n = device.modulus(length) if number == 0 or random.random() < 0.6 else None
        length = (n or unit.n).bit_length()
        bits = random.randint(1, 40)
        x, e = random.randrange(n or unit.n), random.getrandbits(bits)
        scheme = random.choice([Scheme.FIXED_WINDOW, Scheme.BINARY, Scheme.LADDER])
        window = random.choice(unit.windows(length))
        sections = streams.operation(n, x, e, bits, window, scheme)
        answer = await streams.ask(sections)
        assert (answer.error, answer.fault, answer.busy) == (Error.NONE, Fault.NONE, 0), answer
        assert stream.join(answer.words) == pow(x, e, unit.n)
        cost = unit.model.modexp(scheme, length, bits, window, warm=n is None, exponent=None)
        assert await unit.cost() == cost
        if not any(stalls):
            expected = stream.cycles(sections, unit.model.word_bits) + busy_cycles(cost)
            assert answer.cycles == expected, f"{answer.cycles} {expected}"


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def equals_registers(dut: Any) -> None:
    """By turns: result, status and counters of an operation are the same over either bus."""
    unit, streams = await ready(dut)
    for _ in range(2):
        n, bits = any_modulus(40, 90), random.randint(2, 20)
        x, e = random.randrange(n), random.getrandbits(bits)
        cold = await unit.modexp(n, x, e, bits, 2)  # checks result and cost
        await streams.modexp(None, x, e, bits, 2)
        warm = await unit.cost()
        assert warm == await unit.modexp(None, x, e, bits, 2)
        await streams.modexp(n, x, e, bits, 2)
        assert await unit.cost() == cold
        assert (await unit.status()).result == 1
        assert await unit.result() == pow(x, e, n)  # a second time, over the other bus
        await unit.clear()


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def several_in_a_packet(dut: Any) -> None:
    """Operations one after another, and answers of more than one kind; packets back to back."""
    unit, streams = await ready(dut)
    n = any_modulus(64, 64)
    xs = [random.randrange(n) for _ in range(3)]
    sections = [
        section
        for number, x in enumerate(xs)
        for section in (*streams.operation(None if number else n, x, 5, 3), read(regs.STATUS))
    ]
    answer = await streams.ask([read(regs.ID), *sections, read(regs.CYCLES_LOAD, 7)])
    assert answer.words.pop(0) == regs.ID_MAGIC.reset
    for number, x in enumerate(xs):
        *words, status = answer.words[:3]
        del answer.words[:3]
        assert stream.join(words) == pow(x, 5, n)
        assert regs.STATUS_RESULT.get(status) == 1
        assert regs.STATUS_WARM.get(status) == 1
        del number
    cost = unit.model.modexp(Scheme.FIXED_WINDOW, 64, 3, 1, warm=True)
    load, precompute, low, high, _, operations, products = answer.words
    assert (precompute, high << 32 | low, products) == (
        cost.cycles_precompute, cost.cycles_exponentiate, cost.products,
    )  # fmt: skip
    assert operations == 3
    assert 0 < load < 2000
    for x in xs:  # all sent before any is answered
        streams.send(stream.packet(streams.operation(None, x, 3, 2)))
    for x in xs:
        assert stream.join((await streams.answer()).words) == pow(x, 3, n)
    # A packet of nothing but its header is answered by its status.
    assert (await streams.ask([])).words == []
    assert (await streams.ask([wait()])).words == []


@cocotb.test(timeout_time=10, timeout_unit="ms")
@cocotb.parametrize(stall=[0.0, 0.6])
async def bus_counters(dut: Any, stall: float) -> None:
    """CYCLES_LOAD and CYCLES_READ against the wires: in which cycles a packet is under way."""
    unit, streams = await ready(dut, stall, stall)
    n = any_modulus(60, 60)
    await streams.modexp(n, 3, 5, 3)
    if stall:
        sections = streams.operation(None, 5, 3, 2)
        answer = await streams.ask([*sections, read(regs.CYCLES_LOAD)])
        assert answer.words[-1] > stream.cycles(sections[:4], unit.model.word_bits) - 4
        return
    sections = streams.operation(None, 5, 3, 2)
    split = sections.index(wait())
    answer = await streams.ask(sections)
    # Since the operation before: the end of `wait`, the slot of its result selected, the section
    # that reads it found; then this packet but for the cycle of the start and the one before.
    loading = 2 + 6 + 2 + (stream.cycles(sections[:split], 8) - 4) - 2
    assert await unit.read(regs.CYCLES_LOAD) == loading
    reading = stream.cycles([sections[split + 2]], 8) - 4
    told = await unit.read(regs.CYCLES_READ)
    assert 0 <= told - reading < 24, f"{told} {reading}"


# ---- wrong packets


@cocotb.test(timeout_time=10, timeout_unit="ms")
@cocotb.parametrize(stall=[0.0, 0.6])
async def wrong_packets(dut: Any, stall: float) -> None:
    """Each is named, has no further effect, is answered, and the next one works."""
    unit, streams = await ready(dut, stall, stall)
    n = any_modulus(64, 64)
    await streams.modexp(n, 3, 3, 2)
    length = unit.model.length(64)
    harm = write(regs.LENGTH, length)  # would forget the modulus
    good = stream.packet([read(regs.ID, 2), harm])
    reads = good[:2]
    magic = stream.MAGIC << 16
    cases: list[tuple[str, Fault, list[int], int]] = [
        ("no header", Fault.STREAM_HEADER, [good[0] ^ 1 << 31, *good[1:]], 0),
        ("no header, one word", Fault.STREAM_HEADER, [0], 0),
        ("operand data", Fault.STREAM_HEADER, [0x12340001, 0x2345], 0),
        ("op 0", Fault.STREAM_HEADER, [*reads, good[2] & 0x0FFFFFFF, good[3]], 2),
        ("op 4", Fault.STREAM_HEADER, [*reads, NOT_AN_OP << 28 | 0x12C, good[3]], 2),
        ("op 15", Fault.STREAM_HEADER, [*reads, good[2] | 0xF << 28, good[3]], 2),
        ("bit 24", Fault.STREAM_HEADER, [*reads, good[2] | 1 << 24, good[3]], 2),
        ("bit 7", Fault.STREAM_HEADER, [*reads, good[2] | 1 << 7, good[3]], 2),
        ("write of none", Fault.STREAM_HEADER, [*reads, good[2] & ~0xFF00, good[3]], 2),
        ("read of none", Fault.STREAM_HEADER, [magic | 1, Op.READ << 28], 0),
        ("section too long", Fault.STREAM_HEADER, [*reads, good[2] + 0x100, good[3]], 2),
        ("section without words", Fault.STREAM_HEADER, [magic | 2, *good[1:3]], 2),
        ("short by one", Fault.STREAM_SHORT, good[:-1], 2),
        ("short by two", Fault.STREAM_SHORT, good[:-2], 0),
        ("header alone", Fault.STREAM_SHORT, good[:1], 0),
        ("long by one", Fault.STREAM_LONG, [*good, 0], 2),
        ("long by many", Fault.STREAM_LONG, [*good, *good, *good], 2),
        ("long after nothing", Fault.STREAM_LONG, [magic, good[1]], 0),
    ]
    for address in (0x18, 0x1C, 0x60, 0x7C, regs.STATUS.offset, regs.ID.offset):
        section = Section(Op.WRITE, address, (5, 5))
        words = stream.packet([read(regs.ID, 2), section, harm])
        cases.append((f"write to {address:#x}", Fault.STREAM_TARGET, words, 2))
        words = stream.packet([Section(Op.WRITE, address, (5,))])
        cases.append((f"write to {address:#x} at the end", Fault.STREAM_TARGET, words, 0))
    for address in (0x18, 0x60, regs.COMMAND.offset, regs.PRODUCT.offset):
        words = stream.packet([read(regs.ID, 2), Section(Op.READ, address, count=3), harm])
        cases.append((f"read of {address:#x}", Fault.STREAM_TARGET, words, 2))
    words = stream.packet([read(regs.PARAM_FEATURES, 2), harm])  # runs into a gap
    cases.append(("read into a gap", Fault.STREAM_TARGET, words, 1))
    for name, fault, words, count in cases:
        answer = await with_timeout(cocotb.start_soon(streams.raw(words)), 20, "us")
        assert (answer.fault, len(answer.words), answer.error) == (fault, count, 0), (name, answer)
        assert answer.warm == 1, name
        assert (await unit.status()).fault == fault, name
        if not stall or random.random() < 0.2:
            await check_alive(unit, streams)
        await unit.clear()
    assert len(cases) > 30


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def partial_words(dut: Any) -> None:
    """A DMA engine that was told a number of bytes: the word that is not whole is not used."""
    unit, streams = await ready(dut)
    await streams.modexp(any_modulus(64, 64), 3, 3, 2)
    words = stream.packet([write(regs.LENGTH, 9, 3)])
    data = b"".join(word.to_bytes(4, "little") for word in words)
    for cut in (1, 2, 3, 5, len(data) - 3):
        streams.source.send_nowait(AxiStreamFrame(data[:-cut]))
        answer = await streams.answer()
        assert answer.fault == Fault.STREAM_SHORT, cut
        if cut < 4:  # LENGTH itself was whole
            assert answer.warm == 0
            await check_alive(unit, streams, warm=False)
        elif cut == 5:
            assert answer.warm == 1
            await check_alive(unit, streams)


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def start_only_at_the_end(dut: Any) -> None:
    """Of a packet that is longer than it says the last word is not acted upon."""
    unit, streams = await ready(dut)
    n = any_modulus(64, 64)
    sections = streams.operation(n, 5, 3, 2)[:-3]
    assert sections[-1] == START
    answer = await streams.raw([*stream.packet(sections), 0])
    assert (answer.fault, answer.busy) == (Fault.STREAM_LONG, 0)
    assert await unit.read(regs.OPERATIONS) == 0
    answer = await streams.ask([CLEAR, START, wait(), *result(2)])  # the operands are all there
    assert (answer.fault, stream.join(answer.words)) == (Fault.NONE, pow(5, 3, n))
    assert await unit.read(regs.OPERATIONS) == 1


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def wrong_operations(dut: Any) -> None:
    """What fails over registers fails here, is answered in full, with zeros, and has a name."""
    unit, streams = await ready(dut)
    n = any_modulus(64, 64)
    words = unit.data_words(unit.model.length(64))

    def good(number: int | None, x: int = 5) -> list[Section]:
        return streams.operation(number, x, 3, 2)

    def without(slot: Slot) -> list[Section]:
        value = regs.OPERAND_SLOT.put(int(slot))
        return [s for s in good(n) if s.address != regs.OPERAND.offset or s.data[0] != value]

    cases = [
        (Error.MODULUS_EVEN, Fault.NOT_READABLE, good(n ^ 1)),
        (Error.BASE_RANGE, Fault.NOT_READABLE, good(n, n)),
        (Error.OPERAND_MISSING, Fault.NOT_READABLE, without(Slot.BASE)),
        (Error.OPERAND_MISSING, Fault.NOT_READABLE, without(Slot.EXPONENT)),
        (
            Error.OPERAND_MISSING, Fault.OPERAND_TOO_LONG,
            [*good(n)[:2], operand(Slot.BASE, 1 << 32 * words, words + 1), *good(n)[2:]],
        ),
        (Error.LENGTH, Fault.NOT_READABLE, [*good(n)[:3], write(regs.LENGTH, 4095), *good(n)[3:]]),
    ]  # fmt: skip
    for error, fault, sections in cases:
        answer = await streams.ask(sections)
        assert (answer.error, answer.fault) == (error, fault), (answer, error)
        assert answer.words == [0, 0]
        unit.n = n
        await check_alive(unit, streams, warm=False)
    # While an operation runs.
    first = good(None)
    at = first.index(START)
    for fault, misuse in (
        (Fault.START_WHILE_BUSY, START),
        (Fault.WRITE_WHILE_BUSY, write(regs.LENGTH, 9)),
        (Fault.WRITE_WHILE_BUSY, operand(Slot.BASE, 1, words)),
        (Fault.NOT_READABLE, read(regs.DATA, 2)),
        (Fault.QUEUE_FULL, write(regs.PRODUCT, 0, 0)),
    ):
        sections = [CLEAR, *first[: at + 1], misuse, *first[at + 1 :]]
        answer = await streams.ask(sections)
        assert (answer.error, answer.fault) == (Error.NONE, fault)
        assert stream.join(answer.words[-2:]) == 125 % n
        assert answer.words[:-2] == ([0, 0] if misuse.op == Op.READ else [])
    # Wipe in a packet does not end it.
    answer = await streams.ask(
        [CLEAR, write(regs.COMMAND, regs.COMMAND_WIPE.put(1)), wait(), *result(1), read(regs.ID)]
    )
    assert (answer.fault, answer.warm) == (Fault.NOT_READABLE, 0)
    assert answer.words == [0, regs.ID_MAGIC.reset]
    # flush in a packet does nothing.
    answer = await streams.ask([CLEAR, write(regs.COMMAND, regs.COMMAND_FLUSH.put(1))])
    assert answer.fault == Fault.NONE


# ---- both at once


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def both_at_once(dut: Any) -> None:
    """What a packet has not for itself works beside it in any cycle, and changes nothing."""
    unit, streams = await ready(dut, 0.2, 0.2)
    n = any_modulus(64, 64)
    over = False

    async def pester() -> int:
        count = 0
        while not over:
            await agents.cycles(dut, random.randrange(1, 12))
            assert await unit.read(regs.ID) == regs.ID_MAGIC.reset
            await unit.write(regs.INTERRUPT, random.randrange(2))
            assert await unit.read(regs.VERSION)
            await unit.status()
            count += 1
        return count

    other = cocotb.start_soon(pester())
    for number in range(3):
        x = random.randrange(n)
        await streams.modexp(None if number else n, x, 77, 7, 2)
    over = True
    assert await other > 20
    assert (await unit.status()).fault == Fault.NONE
