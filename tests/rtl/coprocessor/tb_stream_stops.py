# SPDX-License-Identifier: Apache-2.0
"""monpro_coprocessor with streams that stall, stop or are cut short: nothing hangs, nothing of the
rest is taken for a packet, and no word of an operand stays."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents
from agents.device import Status
from agents.stream import START, Streams, any_modulus, check_alive, ready
from monpro.hardware import designs, regs
from monpro.hardware.models import stream
from monpro.hardware.models.stream import result, wait, write
from monpro.hardware.regs import Error, Fault, Slot

TOP = "monpro_coprocessor"
PARAMETERS = {"study": {**designs.get("study").rtl_parameters(), "Stream": 1}}


async def halted(streams: Streams, words: list[int], count: int) -> None:
    """Sends so many words of a packet, then no more."""
    streams.took.clear()
    streams.send(words)
    while len(streams.took) < count:
        await RisingEdge(streams.dut.clk_i)
    streams.source.assert_reset()
    await agents.cycles(streams.dut, random.randint(40, 60))
    assert len(streams.took) == count


async def resume(streams: Streams) -> None:
    streams.dropping = False
    await agents.cycles(streams.dut, 2)
    streams.took.clear()
    streams.gave.clear()


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def cut_short(dut: Any) -> None:
    """The stream ends anywhere: nothing hangs, the other bus has its say, flush is the way out."""
    unit, streams = await ready(dut)
    n = any_modulus(64, 64)
    await streams.modexp(n, 3, 3, 2)
    packet = stream.packet(streams.operation(None, 9, 3, 2))
    names = (regs.LENGTH, regs.EXPONENT, regs.CONFIG, regs.OPERAND)
    misuses: list[Callable[[], Awaitable[Any]]] = [
        lambda: unit.write(regs.LENGTH, 9),
        lambda: unit.write(regs.EXPONENT, 9),
        lambda: unit.write(regs.CONFIG, 1),
        lambda: unit.select(Slot.MODULUS),
        lambda: unit.data(0xFFFFFFFF, 1),
        unit.start,
        lambda: unit.write(regs.PRODUCT, 0),
        lambda: unit.read(regs.DATA),
    ]
    for count in range(1, packet.index(START.words[0]) + 1):
        await halted(streams, packet, count)
        word = await unit.read(regs.STATUS)
        assert regs.STATUS_STREAMING.get(word) == 1
        assert regs.STATUS_FAULT.get(word) == Fault.NONE
        before = [await unit.read(register) for register in names]
        misuse = misuses[count % len(misuses)]
        assert not await misuse()
        assert (await unit.status()).fault == Fault.STREAM_BUSY, count
        assert before == [await unit.read(register) for register in names]
        await unit.clear()
        streams.dropping = True
        await unit.command(regs.COMMAND_FLUSH)
        word = await unit.read(regs.STATUS)
        assert regs.STATUS_STREAMING.get(word) == 1  # TLAST is still to come
        assert regs.STATUS_FAULT.get(word) == Fault.STREAM_CUT
        assert regs.STATUS_WARM.get(word) == 1
        await unit.clear()
        await unit.write(regs.OPERAND, 1)
        assert await unit.read(regs.OPERAND) == 1
        word = await unit.read(regs.STATUS)
        assert regs.STATUS_FAULT.get(word) == Fault.NONE  # the registers are everyone's again
        await unit.command(regs.COMMAND_FLUSH)  # but it does not come
        word = await unit.read(regs.STATUS)
        assert regs.STATUS_STREAMING.get(word) == 0
        await unit.clear()
        await resume(streams)
        if count % 4 == 0:
            await check_alive(unit, streams)
        elif count % 4 == 1:
            await unit.modexp(None, 11, 5, 3)
    # With nothing under way it does nothing.
    await unit.command(regs.COMMAND_FLUSH)
    assert (await unit.status()).fault == Fault.NONE


@cocotb.test(timeout_time=10, timeout_unit="ms")
@cocotb.parametrize(how=["flush", "wipe"])
async def rest_that_looks_like_a_packet(dut: Any, how: str) -> None:
    """After a flush in an operand its rest is dropped, even where it is a packet by itself."""
    unit, streams = await ready(dut)
    n = any_modulus(200, 200)
    await streams.modexp(n, 3, 3, 2)
    inside = stream.packet([write(regs.INTERRUPT, 3)])
    base = stream.join([1, 2, *inside, 5])
    packet = stream.packet(streams.operation(n, base, 1 << 20 | 1, 21))
    first = packet.index(inside[0])
    for count in range(first - 2, first + 2):
        streams.took.clear()
        streams.send(packet)
        while len(streams.took) < count:
            await RisingEdge(dut.clk_i)
        streams.source.pause = True
        await agents.cycles(dut, 30)
        await unit.command(regs.COMMAND_FLUSH if how == "flush" else regs.COMMAND_WIPE)
        streams.source.pause = False
        answer = await streams.answer()  # which ends
        assert (answer.words, answer.error, answer.fault) == ([], Error.NONE, Fault.STREAM_CUT)
        await agents.cycles(dut, 30)
        word = await unit.read(regs.STATUS)
        assert regs.STATUS_STREAMING.get(word) == 0
        assert await unit.read(regs.INTERRUPT) == 0
        while (await unit.status()).busy:
            pass
        await unit.clear()
        await streams.modexp(n, 3, 3, 2)


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def stops_in_the_middle_of_the_operation(dut: Any) -> None:
    """The stream stalls while the operation runs: it ends; the result is there for either bus."""
    unit, streams = await ready(dut)
    n = any_modulus(64, 64)
    packet = stream.packet(streams.operation(n, 9, 1 << 20 | 1, 21))
    at = len(packet) - 4  # word of `wait`
    assert packet[at] == wait().words[0]
    await halted(streams, packet, at)
    while (await unit.status()).busy:
        pass
    assert await unit.read(regs.OPERATIONS) == 1
    assert await unit.read(regs.DATA) == 0
    assert (await unit.status()).fault == Fault.STREAM_BUSY
    streams.dropping = True
    await unit.write(regs.COMMAND, regs.COMMAND_FLUSH.put(1) | regs.COMMAND_CLEAR.put(1))
    assert await unit.result() == pow(9, 1 << 20 | 1, n)
    await unit.command(regs.COMMAND_FLUSH)
    await unit.clear()
    await resume(streams)
    answer = await streams.ask(result(2))
    assert stream.join(answer.words) == pow(9, 1 << 20 | 1, n)


@cocotb.test(timeout_time=10, timeout_unit="ms")
@cocotb.parametrize(how=["flush", "wipe", "reset"])
async def answer_not_taken(dut: Any, how: str) -> None:
    """A word that no one takes stays; flush, wipe and reset clear it and all that is in flight."""
    unit, streams = await ready(dut)
    n = any_modulus(64, 64)
    await streams.modexp(n, 3, 3, 2)
    for count in range(4):
        streams.sink.pause = True
        await agents.cycles(dut, 3)
        sections = streams.operation(None, n - 1, 1, 1)  # n - 1: no word of it is zero
        streams.send(stream.packet(sections))
        while not int(dut.m_axis_tvalid.value):
            await RisingEdge(dut.clk_i)
        for _ in range(count):
            taken = len(streams.gave)
            streams.sink.pause = False
            while len(streams.gave) == taken:
                await RisingEdge(dut.clk_i)
            streams.sink.pause = True
            await agents.cycles(dut, 30)
            assert len(streams.gave) == taken + 1
        await agents.cycles(dut, 30)
        if count < 3:
            assert int(dut.m_axis_tvalid.value), count
            held = {k: v for k, v in secrets(dut).items() if v}
            assert any("answer_q" in name for name in held) == (count < 3), held
        streams.dropping = True
        if how == "reset":
            await unit.reset()
            cleared = Status(0, 1, 0, 0, Error.NONE, Fault.NONE)
        else:
            await unit.command(regs.COMMAND_FLUSH if how == "flush" else regs.COMMAND_WIPE)
            fault = Fault.STREAM_CUT if count < 3 else Fault.NONE
            while (await unit.status()).busy:
                pass
            offered = int(dut.m_axis_tvalid.value), int(dut.m_axis_tlast.value)
            assert offered in ((0, 0), (0, 1), (1, 1))  # nothing but STATUS
            await unit.command(regs.COMMAND_FLUSH)  # nor does anyone take STATUS
            cleared = Status(0, 1, how == "flush", how == "flush", Error.NONE, fault)
        assert int(dut.m_axis_tvalid.value) == 0
        assert int(dut.m_axis_tdata.value) == 0
        assert not any(secrets(dut).values())
        assert await unit.status() == cleared, count
        if how == "flush":
            assert await unit.result() == n - 1
        await unit.clear()
        streams.sink.clear()
        streams.sink.assert_reset()
        streams.sink.pause = False
        streams.source.assert_reset()
        await resume(streams)
        await streams.modexp(None if how == "flush" else n, 3, 5, 3)


def secrets(dut: Any) -> dict[str, int]:
    """Registers of the stream's that hold words of operands or results."""
    found = agents.registers(dut.g_stream.u_stream)
    return {name: value for name, value in found.items() if name in ("data_q", "answer_q")}


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def aborted(dut: Any) -> None:
    """An abort over the bus while a packet waits for its operation ends both."""
    unit, streams = await ready(dut)
    n = any_modulus(64, 64)
    for _ in range(3):
        streams.send(stream.packet(streams.operation(n, 9, 1 << 30, 31)))
        while not (await unit.status()).busy:
            pass
        await agents.cycles(dut, random.randrange(400))
        await unit.command(regs.COMMAND_ABORT)
        answer = await streams.answer()  # the rest of the packet is dropped
        assert (answer.words, answer.fault) == ([], Fault.STREAM_CUT)
        while (await unit.status()).busy:
            pass
        assert await unit.status() == Status(0, 1, 0, 0, Error.ABORTED, Fault.STREAM_CUT)
        await unit.clear()
        await streams.modexp(n, 3, 5, 3)
