# SPDX-License-Identifier: Apache-2.0
"""A coprocessor with streams: packets by cocotbext-axi's source and sink, answers checked."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge
from cocotb.utils import get_sim_time
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

import agents
from agents import device
from monpro.hardware import regs
from monpro.hardware.models import stream
from monpro.hardware.models.stream import Section, operand, read, result, wait, write
from monpro.hardware.regs import Error, Fault, Scheme, Slot

START = write(regs.COMMAND, regs.COMMAND_START.put(1))
CLEAR = write(regs.COMMAND, regs.COMMAND_CLEAR.put(1))


@dataclass(frozen=True, slots=True)
class Answer:
    words: list[int]
    """But for the last, which is STATUS."""
    error: Error
    fault: Fault
    warm: int
    busy: int
    cycles: int
    """From the cycle that took the header to that which took STATUS, both included."""


class Streams:
    """The two streams of a device. in_stall, out_stall: the chance that a word waits a cycle."""

    def __init__(self, unit: device.Device, in_stall: float = 0.0, out_stall: float = 0.0) -> None:
        self.unit, self.dut = unit, unit.dut
        for name in ("s_axis", "m_axis"):
            logging.getLogger(f"cocotb.{self.dut._name}.{name}").setLevel(logging.WARNING)
        ports = self.dut.clk_i, self.dut.rst_ni
        self.source = AxiStreamSource(
            AxiStreamBus.from_prefix(self.dut, "s_axis"), *ports, reset_active_level=False
        )
        self.sink = AxiStreamSink(
            AxiStreamBus.from_prefix(self.dut, "m_axis"), *ports, reset_active_level=False
        )
        if in_stall:
            self.source.set_pause_generator(device.pauses(in_stall))
        if out_stall:
            self.sink.set_pause_generator(device.pauses(out_stall))
        self.took: list[int] = []
        """The cycle of each word in, and of each word out."""
        self.gave: list[int] = []
        self.dropping = False
        """A command may take back what is offered."""
        self._before: tuple[int, ...] = (0,)
        cocotb.start_soon(self._watch())

    async def _watch(self) -> None:
        """Notes each transfer, and that what is offered stays until it is taken."""
        dut, edge = self.dut, RisingEdge(self.dut.clk_i)
        wires = (dut.m_axis_tvalid, dut.m_axis_tready, dut.m_axis_tdata, dut.m_axis_tlast)
        while True:
            await edge
            now = round(get_sim_time("ns")) // agents.CLOCK_NS
            if agents.number(dut.s_axis_tvalid) and agents.number(dut.s_axis_tready):
                self.took.append(now)
            valid, ready = agents.number(wires[0]), agents.number(wires[1])
            offered = (valid, agents.number(wires[2]), agents.number(wires[3]))
            if self._before[0] and not self.dropping:
                assert offered == self._before, "an answer's word changed before it was taken"
            if valid and ready:
                self.gave.append(now)
            if not valid:
                assert offered[1] == 0, "a word is to be seen that is not offered"
            self._before = (0,) if ready or not valid else offered

    # ---- packets

    def send(self, words: Sequence[int]) -> None:
        data = b"".join(word.to_bytes(4, "little") for word in words)
        self.source.send_nowait(AxiStreamFrame(data))

    async def answer(self) -> Answer:
        """Of the packet before which both lists of cycles were empty."""
        frame = await self.sink.recv()
        data = bytes(frame.tdata)
        words = [int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4)]
        status = words.pop()
        assert regs.STATUS_STREAMING.get(status) == 1
        cycles = self.gave[-1] - self.took[0] + 1
        self.took.clear()
        self.gave.clear()
        return Answer(
            words,
            Error(regs.STATUS_ERROR.get(status)),  # type: ignore[call-arg]
            Fault(regs.STATUS_FAULT.get(status)),  # type: ignore[call-arg]
            regs.STATUS_WARM.get(status),
            regs.STATUS_BUSY.get(status),
            cycles,
        )

    async def ask(self, sections: Iterable[Section]) -> Answer:
        self.send(stream.packet(sections))
        return await self.answer()

    async def raw(self, words: Sequence[int]) -> Answer:
        self.send(words)
        return await self.answer()

    # ---- operations

    def configuration(self, scheme: int, window: int, public: bool) -> int:
        return (
            regs.CONFIG_SCHEME.put(int(scheme))
            | regs.CONFIG_WINDOW.put(window)
            | regs.CONFIG_PUBLIC.put(int(public))
        )

    def operation(
        self, n: int | None, x: int, e: int, bits: int, window: int = 1,
        scheme: int = Scheme.FIXED_WINDOW, *, public: bool = False,
    ) -> list[Section]:  # fmt: skip
        """A whole exponentiation; without a modulus under the one that the device has."""
        unit = self.unit
        if n is not None:
            unit.n = n
        length = unit.model.length(unit.n.bit_length())
        words, config = unit.data_words(length), self.configuration(scheme, window, public)
        first = [write(regs.EXPONENT, bits, config)]
        if n is not None:
            slot = regs.OPERAND_SLOT.put(int(Slot.MODULUS))
            first = [write(regs.LENGTH, length, bits, config, slot, *stream.split(n, words))]
        return [
            *first,
            operand(Slot.BASE, x, words),
            operand(Slot.EXPONENT, e, -(-bits // 32)),
            write(regs.COMMAND, regs.COMMAND_START.put(1)),
            wait(),
            *result(-(-unit.n.bit_length() // 32)),
        ]

    async def modexp(self, n: int | None, x: int, e: int, bits: int, *how: Any, **more: Any) -> int:
        """One exponentiation with its result and cost checked; the cycles of its packet."""
        sections = self.operation(n, x, e, bits, *how, **more)
        answer = await self.ask(sections)
        assert (answer.error, answer.fault, answer.busy) == (Error.NONE, Fault.NONE, 0), answer
        assert stream.join(answer.words) == pow(x, e, self.unit.n)
        return answer.cycles

    def registers(self) -> list[Section]:
        """The counters of an operation."""
        return [read(regs.CYCLES_LOAD, 7)]


async def ready(dut: Any, *stalls: float) -> tuple[device.Device, Streams]:
    unit = device.Device(dut)
    streams = Streams(unit, *stalls)
    await unit.set_up()
    return unit, streams


async def check_alive(
    unit: device.Device, streams: Streams, x: int = 7, *, warm: bool = True
) -> None:
    """The fault can be cleared, and the key is still there and warm."""
    answer = await streams.ask([CLEAR])
    assert (answer.fault, answer.warm) == (Fault.NONE, int(warm)), answer
    await streams.modexp(None if warm else unit.n, x, 3, 2)


def any_modulus(low: int, high: int) -> int:
    return device.modulus(random.randint(low, high))
