# SPDX-License-Identifier: Apache-2.0
"""A dataflow kernel over its two streams, and the answers that its runs must give."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from cocotb.triggers import RisingEdge
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

import agents
from monpro.hardware.models import dataflow
from monpro.hardware.models.dataflow import Block, Form, Kernel, Pair, Status

EDGES = (0, 1, dataflow.DIGIT_MASK, dataflow.DIGIT_MASK - 1, 1 << 31, 0xFFFF, 0xFFFF0000)


@dataclass(frozen=True, slots=True)
class Run:
    """A packet in and the beats out, `lanes` blocks side by side: blocks[i][lane]."""

    form: Form
    digits: int
    blocks: list[list[Block]]
    constants: list[int] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.form.name}, {self.digits} digits, {len(self.blocks)} blocks"

    @property
    def head(self) -> int:
        return dataflow.header(self.form, self.digits, len(self.blocks))

    def sent(self) -> list[list[Pair]]:
        """Each beat's pair of each lane, the header first."""
        lanes = len(self.blocks[0])
        constants = self.constants or [random.getrandbits(32) for _ in range(lanes)]
        head = [(random.getrandbits(32), constant) for constant in constants]
        head[0] = (self.head, constants[0])
        beats = [head]
        for row in self.blocks:
            beats += map(
                list, zip(*(dataflow.beats_in(self.form, one) for one in row), strict=True)
            )
        return beats

    def expected(self) -> list[list[Pair]]:
        constants = self.constants or [0] * len(self.blocks[0])
        beats: list[list[Pair]] = []
        for row in self.blocks:
            answers = [
                dataflow.beats_out(self.form, one, constant)
                for one, constant in zip(row, constants, strict=True)
            ]
            beats += map(list, zip(*answers, strict=True))
        return beats


def to_bytes(beats: Sequence[Sequence[Pair]]) -> bytes:
    return b"".join(
        (low | high << 32).to_bytes(8, "little") for beat in beats for low, high in beat
    )


def some_digits(count: int) -> tuple[int, ...]:
    """Random ones, extreme ones, or both."""
    kind = random.randrange(4)
    if kind == 0:
        return (random.choice(EDGES),) * count
    choose = [lambda: random.getrandbits(32), lambda: random.choice(EDGES)]
    return tuple(random.choice(choose if kind == 1 else choose[:1])() for _ in range(count))


def some_modulus(count: int) -> tuple[int, ...]:
    """Odd, of full length or short, and now and then the largest or one."""
    digits = list(some_digits(count))
    digits[0] |= 1
    return tuple(digits)


def some_block(form: Form, digits: int) -> Block:
    if form != Form.MONTGOMERY:
        return Block(some_digits(digits), some_digits(digits))
    n = some_modulus(digits)
    return Block(some_digits(digits), some_digits(digits), n, dataflow.inverse(n[0]))


def some_run(form: Form, digits: int, blocks: int, lanes: int) -> Run:
    """Any numbers, the constants too."""
    rows = [[some_block(form, digits) for _ in range(lanes)] for _ in range(blocks)]
    constants = [random.choice([random.getrandbits(32), *EDGES]) for _ in range(lanes)]
    return Run(form, digits, rows, constants)


def _pauses(chance: float) -> Iterator[bool]:
    """Single cycles, and sometimes a longer wait."""
    while True:
        yield from [random.random() < chance] * random.choice([1, 1, 1, 1, 30])


class Stream:
    """A kernel out of reset, at first with no stall on its streams."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        p = agents.parameters()
        self.lanes = p["Lanes"]
        self.kernel = Kernel(p["Lanes"], p["MaxDigits"])
        for name in ("s_axis", "m_axis"):
            logging.getLogger(f"cocotb.{dut._name}.{name}").setLevel(logging.WARNING)
        dut.rst_ni.value = 0
        args = (dut.clk_i, dut.rst_ni)
        bus = AxiStreamBus.from_prefix
        self.source = AxiStreamSource(bus(dut, "s_axis"), *args, reset_active_level=False)
        self.sink = AxiStreamSink(bus(dut, "m_axis"), *args, reset_active_level=False)

    def pause(self, into: float, out: float) -> None:
        """The chances with which the streams wait."""
        self.source.set_pause_generator(_pauses(into))
        self.sink.set_pause_generator(_pauses(out))

    def forget(self) -> None:
        """What was sent and not taken, what came and was not looked at."""
        self.source.clear()
        self.sink.clear()

    async def set_up(self) -> None:
        agents.start_clock(self.dut)
        await agents.cycles(self.dut, 3)
        self.dut.rst_ni.value = 1
        await agents.cycles(self.dut, 2)

    async def send(self, beats: Sequence[Sequence[Pair]]) -> None:
        await self.source.send(AxiStreamFrame(to_bytes(beats)))

    async def receive(self) -> tuple[Status, bytes, AxiStreamFrame]:
        """A packet's status, and its data."""
        frame = await self.sink.recv(compact=False)
        width = 8 * self.lanes
        data, last = bytes(frame.tdata[:-width]), bytes(frame.tdata[-width:])
        return Status(int.from_bytes(last, "little")), data, frame

    async def check(self, run: Run) -> AxiStreamFrame:
        """The answer of a run that was sent."""
        status, data, frame = await self.receive()
        assert status == Status.OK, f"{run}: {status.name}"
        self.compare(run, data)
        return frame

    def compare(self, run: Run, data: bytes) -> None:
        expected = to_bytes(run.expected())
        width = 8 * self.lanes
        assert len(data) == len(expected), f"{run}: {len(data) // width} beats"
        for at in range(0, len(data), 8):
            got, want = data[at : at + 8].hex(), expected[at : at + 8].hex()
            assert got == want, f"{run}: beat {at // width}, lane {at % width // 8}"

    async def run(self, run: Run) -> None:
        await self.send(run.sent())
        await self.check(run)

    async def timed(self, run: Run) -> int:
        """Cycles from the header's to the status beat's, both counted, with the answer checked."""
        await self.send(run.sent())
        edge = RisingEdge(self.dut.clk_i)
        while not (self.dut.s_axis_tvalid.value and self.dut.s_axis_tready.value):
            await edge
        count = 1
        while not (self.dut.m_axis_tlast.value and self.dut.m_axis_tvalid.value):
            await edge
            count += 1
        await self.check(run)
        return count


async def ready(dut: Any) -> Stream:
    unit = Stream(dut)
    await unit.set_up()
    return unit
