# SPDX-License-Identifier: Apache-2.0
"""monpro_uart_bridge: registers over a serial line, bus errors, every way to lose the thread."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, First, RisingEdge, Timer

import agents

TOP = "monpro_uart_bridge"
PARAMETERS = ({"BitCycles": 8, "AddrBits": 8}, {"BitCycles": 13, "AddrBits": 7})
OK, ERROR, LOST, BREAK = b"K", b"E", b"?", b"B"


async def cycles(count: int) -> None:
    """As agents.cycles, but one event however many they are."""
    if count:
        await Timer(count * agents.CLOCK_NS, "ns")


@dataclass
class Bus:
    """Registers behind the bridge: memory, with stalls; an address in `errors` answers SLVERR."""

    dut: Any
    stall: float = 0.0
    memory: dict[int, int] = field(default_factory=dict)
    errors: set[int] = field(default_factory=set)
    log: list[tuple[str, int, int]] = field(default_factory=list)
    hold: bool = False

    async def run(self) -> None:
        dut = self.dut
        addr: int | None = None
        data: int | None = None
        previous: dict[str, tuple[int, ...]] = {}
        valids = [dut[f"m_axil_{name}valid"] for name in ("aw", "w", "ar")]
        while True:
            if not any(int(valid.value) for valid in valids):
                await First(*(RisingEdge(valid) for valid in valids))
            ready = {
                name: not self.hold and random.random() >= self.stall for name in ("aw", "w", "ar")
            }
            agents.drive(dut, **{f"m_axil_{name}ready": value for name, value in ready.items()})
            await RisingEdge(dut.clk_i)
            payloads = {
                "aw": (agents.number(dut.m_axil_awaddr),),
                "w": (agents.number(dut.m_axil_wdata), agents.number(dut.m_axil_wstrb)),
                "ar": (agents.number(dut.m_axil_araddr),),
            }
            taken = {}
            for name, payload in payloads.items():
                valid = agents.number(dut[f"m_axil_{name}valid"])
                if name in previous:  # offered and not taken: it stays, unchanged
                    assert valid
                    assert previous[name] == payload
                    del previous[name]
                if valid and ready[name]:
                    taken[name] = payload
                elif valid:
                    previous[name] = payload
            if "ar" in taken:
                await self._answer("r", *taken["ar"])
            if "aw" in taken:
                assert addr is None
                [addr] = taken["aw"]
            if "w" in taken:
                assert data is None
                data, strobe = taken["w"]
                assert strobe == 0xF
            if addr is not None and data is not None:
                if addr not in self.errors:
                    self.memory[addr] = data
                self.log.append(("w", addr, data))
                await self._answer("b", addr)
                addr = data = None

    async def _answer(self, channel: str, addr: int) -> None:
        dut = self.dut
        agents.drive(dut, m_axil_awready=0, m_axil_wready=0, m_axil_arready=0)
        while random.random() < self.stall:
            await RisingEdge(dut.clk_i)
        values = {f"m_axil_{channel}valid": 1, f"m_axil_{channel}resp": 2 * (addr in self.errors)}
        if channel == "r":
            value = self.memory.get(addr, 0)
            self.log.append(("r", addr, value))
            values["m_axil_rdata"] = random.getrandbits(32) if addr in self.errors else value
        agents.drive(dut, **values)
        while True:
            await RisingEdge(dut.clk_i)
            if agents.number(dut[f"m_axil_{channel}ready"]):
                break
        agents.drive(dut, **{f"m_axil_{channel}valid": 0})


class Host:
    """The other end of the line. skew: of its clock, relative."""

    def __init__(self, dut: Any, stall: float = 0.0, skew: float = 0.0) -> None:
        self.dut = dut
        self.bit = agents.parameters()["BitCycles"] * (1 + skew)
        self.addresses = range(0, 1 << agents.parameters()["AddrBits"], 4)
        self.bus = Bus(dut, stall)
        self.got = bytearray()

    async def set_up(self) -> None:
        names = ("awready", "wready", "arready", "bvalid", "bresp", "rvalid", "rresp", "rdata")
        await agents.reset(self.dut, rx_i=1, **{f"m_axil_{name}": 0 for name in names})
        cocotb.start_soon(self.bus.run())
        cocotb.start_soon(self._listen())
        await self.idle(12)
        assert not self.got

    async def idle(self, bits: float) -> None:
        await cycles(round(bits * self.bit))

    async def _listen(self) -> None:
        bit = agents.parameters()["BitCycles"]
        tx = self.dut.tx_o
        while True:
            if int(tx.value):
                await FallingEdge(tx)
            await cycles(bit // 2)
            assert not int(tx.value)
            value = 0
            for place in range(8):
                await cycles(bit)
                value |= int(tx.value) << place
            await cycles(bit)
            assert int(tx.value), "an answer without its stop bit"
            self.got.append(value)

    async def levels(self, bits: list[int]) -> None:
        """Puts bits on the line; their ends are where an ideal clock of this skew has them."""
        spent = 0
        for number, level in enumerate(bits, 1):
            agents.drive(self.dut, rx_i=level)
            until = round(number * self.bit)
            await cycles(until - spent)
            spent = until

    async def send(self, data: bytes, *, stop: int = 1) -> None:
        for value in data:
            await self.levels([0, *(value >> i & 1 for i in range(8)), stop])
        agents.drive(self.dut, rx_i=1)

    async def answer(self, count: int) -> bytes:
        """So many bytes, and no more than that."""
        for _ in range(count * 4):
            if len(self.got) >= count:
                break
            await self.idle(5)
        await self.idle(12)
        data = bytes(self.got)
        self.got.clear()
        assert len(data) == count, data
        return data

    async def write(self, addr: int, value: int) -> bytes:
        await self.send(b"W" + bytes([addr]) + value.to_bytes(4, "little"))
        return await self.answer(1)

    async def read(self, addr: int) -> bytes:
        await self.send(b"R" + bytes([addr]))
        return await self.answer(1 if addr in self.bus.errors else 5)

    async def send_break(self, bits: float = 11) -> None:
        await self.levels([0] * round(bits))
        agents.drive(self.dut, rx_i=1)
        await self.idle(2)

    async def check(self) -> None:
        """It works: a write, then the same value back."""
        addr, value = random.choice(self.addresses), random.getrandbits(32)
        self.bus.errors.discard(addr)
        assert await self.write(addr, value) == OK
        assert self.bus.memory[addr] == value
        assert await self.read(addr) == OK + value.to_bytes(4, "little")


async def ready(dut: Any, stall: float = 0.0, skew: float = 0.0) -> Host:
    host = Host(dut, stall, skew)
    await host.set_up()
    return host


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(stall=[0.0, 0.8], skew=[-0.03, 0.0, 0.03])
async def reads_and_writes(dut: Any, stall: float, skew: float) -> None:
    """Any order, any data; hosts a little slow or fast; a bus with and without stalls."""
    host = await ready(dut, stall, skew)
    values: dict[int, int] = {}
    for _ in range(20):
        addr = random.choice(host.addresses[:8])
        if random.random() < 0.5:
            values[addr] = random.choice([0, 0xFFFFFFFF, random.getrandbits(32)])
            assert await host.write(addr, values[addr]) == OK
        else:
            assert await host.read(addr) == OK + values.get(addr, 0).to_bytes(4, "little")
    assert host.bus.memory == values
    assert agents.number(dut.lost_o) == 0


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def bus_errors(dut: Any) -> None:
    """An error answer is one byte, for both directions, and the next command works."""
    host = await ready(dut)
    host.bus.errors = {host.addresses[3]}
    for _ in range(3):
        assert await host.write(host.addresses[3], 5) == ERROR
        assert await host.read(host.addresses[3]) == ERROR
        assert await host.write(host.addresses[4], 6) == OK
        assert await host.read(host.addresses[4]) == OK + b"\6\0\0\0"
    assert host.bus.memory == {host.addresses[4]: 6}


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def ahead_of_answers(dut: Any) -> None:
    """Writes without a gap, and one command behind a read."""
    host = await ready(dut)
    values = [random.getrandbits(32) for _ in range(8)]
    data = b"".join(
        b"W" + bytes([4 * i]) + value.to_bytes(4, "little") for i, value in enumerate(values)
    )
    await host.send(data)
    assert await host.answer(8) == OK * 8
    assert [host.bus.memory[4 * i] for i in range(8)] == values
    await host.send(b"R\0R\4")
    words = [value.to_bytes(4, "little") for value in values]
    assert await host.answer(10) == OK + words[0] + OK + words[1]
    await host.send(b"R\x08" + data[:6])
    assert await host.answer(6) == OK + words[2] + OK
    await host.check()


@cocotb.test(timeout_time=40, timeout_unit="ms")
async def garbage(dut: Any) -> None:
    """After a byte that is no command nothing reaches the bus until a break, whatever is sent."""
    host = await ready(dut)
    for first in [
        0,
        0xFF,
        *(random.choice(sorted(set(range(256)) - set(b"RW"))) for _ in range(4)),
    ]:
        before = list(host.bus.log)
        await host.send(bytes([first]))
        assert await host.answer(1) == LOST
        assert agents.number(dut.lost_o) == 1
        await host.send(b"W\0\1\2\3\4" + b"R\0" + random.randbytes(6))
        assert await host.answer(0) == b""
        assert host.bus.log == before
        await host.send_break()
        assert await host.answer(1) == BREAK
        assert agents.number(dut.lost_o) == 0
        await host.check()


@cocotb.test(timeout_time=40, timeout_unit="ms")
@cocotb.parametrize(position=range(7))
async def broken_frame(dut: Any, position: int) -> None:
    """A byte without its stop bit, anywhere in a write, and the rest of it is dropped."""
    host = await ready(dut)
    whole = b"W\4\1\2\3\4"
    if position < len(whole):
        await host.send(whole[:position])
        await host.send(whole[position : position + 1], stop=0)
        await host.idle(2)
        await host.send(whole[position + 1 :])
        assert await host.answer(1) == LOST
        assert not host.bus.log
    else:  # right behind it: the write is done, and the answer comes first
        await host.send(whole)
        await host.send(b"R", stop=0)
        assert await host.answer(2) == OK + LOST
        assert host.bus.memory == {4: 0x04030201}
    await host.send_break()
    assert await host.answer(1) == BREAK
    await host.check()


@cocotb.test(timeout_time=40, timeout_unit="ms")
async def breaks(dut: Any) -> None:
    """Anywhere in a command, also where there is none, of any length: one answer, a new start."""
    host = await ready(dut)
    for sent in range(6):
        await host.send(b"W\4\1\2\3\4"[:sent])
        await host.send_break(random.choice([10, 11, 30]))
        assert await host.answer(1) == BREAK
        assert not host.bus.log
    await host.check()
    # In the middle of an answer: the byte on the line ends, the others do not come.
    await host.send(b"R\4")
    await host.send_break(12)
    await host.idle(60)
    answer = bytes(host.got)
    host.got.clear()
    assert answer[:1] == OK
    assert answer[-1:] == BREAK
    assert len(answer) < 6
    await host.check()


@cocotb.test(timeout_time=40, timeout_unit="ms")
async def slow_bus(dut: Any) -> None:
    """While the bus stands still one byte has room; one more is lost, and said to be."""
    host = await ready(dut)
    host.bus.hold = True
    await host.send(b"R\0" + b"R")
    assert await host.answer(0) == b""
    host.bus.hold = False
    assert await host.answer(5) == OK + bytes(4)
    await host.send(b"\0")
    assert await host.answer(5) == OK + bytes(4)
    host.bus.hold = True
    await host.send(b"W\0\1\0\0\0" + b"RR")
    host.bus.hold = False
    assert await host.answer(2) == OK + LOST
    assert host.bus.log[-1] == ("w", 0, 1)
    # A break meanwhile: what the bus was asked is done, its answer is not sent, what waits is gone.
    await host.send_break()
    assert await host.answer(1) == BREAK
    host.bus.hold = True
    await host.send(b"W\0\2\0\0\0" + b"R")
    await host.send_break()
    assert await host.answer(0) == b""
    host.bus.hold = False
    assert await host.answer(1) == BREAK
    assert host.bus.log[-1] == ("w", 0, 2)
    await host.check()


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def noise(dut: Any) -> None:
    """A low pulse shorter than half a bit is no start bit."""
    host = await ready(dut)
    for length in range(1, agents.parameters()["BitCycles"] // 2 - 1):
        agents.drive(dut, rx_i=0)
        await cycles(length)
        agents.drive(dut, rx_i=1)
        await host.idle(3)
    assert await host.answer(0) == b""
    await host.check()


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def line_low_at_reset(dut: Any) -> None:
    """A line that is low from the start on is no start bit: the host is not there yet."""
    host = Host(dut)
    await host.set_up()
    agents.drive(dut, rst_ni=0, rx_i=0)
    await cycles(3)
    agents.drive(dut, rst_ni=1)
    await host.idle(30)
    agents.drive(dut, rx_i=1)
    await host.idle(3)
    assert await host.answer(0) == b""
    await host.check()
