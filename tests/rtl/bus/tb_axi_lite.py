# SPDX-License-Identifier: Apache-2.0
"""monpro_axi_lite: every cycle against a model of its head, by hand; and cocotbext-axi's master."""

from __future__ import annotations

import itertools
import logging
import random
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, ReadOnly, RisingEdge
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp

import agents

TOP = "monpro_axi_lite"
PARAMETERS = ({"AddrBits": 7, "DataAddr": 0x3C}, {"AddrBits": 4, "DataAddr": 0x0})
OKAY, SLAVE_ERROR = 0, 2
# What stays when an access has been answered: where it went, and how, which is no secret.
KEPT = ("write_addr_q", "read_addr_q", "addr_q", "strobe_q", "is_write_q", "error_q")
Delay = Callable[[], int]


@dataclass(frozen=True, slots=True)
class Access:
    """As it comes out of the module. data and strobe: of a write."""

    write: bool
    addr: int
    data: int = 0
    strobe: int = 0

    @property
    def to_data(self) -> bool:
        return self.addr >> 2 == agents.parameters()["DataAddr"] >> 2

    @property
    def refused(self) -> bool:
        """A word of an operand goes in whole or not at all."""
        return self.write and self.to_data and self.strobe != 15

    @property
    def enable(self) -> int:
        return sum(0xFF << (8 * i) for i in range(4) if self.strobe >> i & 1)


@dataclass
class Model:
    """The head of the module: what is on its outputs in a cycle, from what was in those before."""

    aw: int | None = None  # taken, not yet answered
    w: tuple[int, int] | None = None
    ar: int | None = None
    access: Access | None = None
    asked: int = 0  # the cycle of its request
    response: tuple[str, int, int] | None = None  # channel, code, data
    wrote: bool = False  # the access before was a write

    def choose(self, now: int) -> None:
        """At the end of a cycle: the next one has the request."""
        if self.access is not None:
            return
        if self.aw is not None and self.w is not None and not (self.ar is not None and self.wrote):
            self.access = Access(True, self.aw, *self.w)
        elif self.ar is not None:
            self.access = Access(False, self.ar)
        else:
            return
        self.wrote = self.access.write
        self.asked = now + 1

    @property
    def pending(self) -> bool:
        return (self.aw, self.w, self.ar) != (None, None, None)

    @property
    def active(self) -> bool:
        """An access is under way, or only hold_i keeps one from it."""
        whole = self.aw is not None and self.w is not None
        return self.access is not None or whole or self.ar is not None

    def answered(self) -> None:
        """The response was taken."""
        assert self.access is not None
        if self.access.write:
            self.aw = self.w = None
        else:
            self.ar = None
        self.access = self.response = None


@dataclass
class Bench:
    """A master on the five channels and what is behind the module, cycle by cycle."""

    dut: Any
    latency: Delay = lambda: 0  # of an answer
    bad: Callable[[Access], bool] = lambda _: False  # the register block refuses it
    gap: Delay = lambda: 0  # before an access of a channel
    wait: Delay = lambda: 0  # of a response until it is taken
    value: Callable[[Access], int] = lambda _: random.getrandbits(32)  # of a read
    hold: Callable[[], bool] = lambda: False  # another master has what is behind the module
    held: bool = False
    now: int = 0
    model: Model = field(default_factory=Model)
    queues: dict[str, deque[tuple[int, ...]]] = field(
        default_factory=lambda: {name: deque() for name in ("aw", "w", "ar")}
    )
    due: int = 0  # the cycle of the answer
    valid: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("aw", "w", "ar"), 0))
    left: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("aw", "w", "ar"), 0))
    shown: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("b", "r"), -1))
    ready: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("b", "r"), 0))
    log: list[Access] = field(default_factory=list)
    answers: list[tuple[str, int, int]] = field(default_factory=list)
    taken: list[tuple[str, int]] = field(default_factory=list)  # channel, cycle
    began: list[tuple[str, int]] = field(default_factory=list)  # responses, the first cycle

    async def set_up(self) -> None:
        channels = {f"s_axil_{name}valid": 0 for name in self.queues}
        payloads = ("awaddr", "wdata", "wstrb", "araddr", "bready", "rready")
        behind = (
            "read_ack_i", "read_error_i", "read_data_i", "write_ack_i", "write_error_i",
            "data_read_ack_i", "data_i", "data_write_ack_i",
        )  # fmt: skip
        idle = dict.fromkeys((*(f"s_axil_{name}" for name in payloads), *behind, "hold_i"), 0)
        await agents.reset(self.dut, **channels, **idle)

    def out(self, name: str) -> int:
        return int(self.dut[name].value)

    def write(self, addr: int, data: int, strobe: int = 15) -> None:
        self.queues["aw"].append((addr,))
        self.queues["w"].append((data, strobe))

    def read(self, addr: int) -> None:
        self.queues["ar"].append((addr,))

    async def cycle(self) -> None:
        await FallingEdge(self.dut.clk_i)
        self._behind()
        self.held = self.hold()
        agents.drive(self.dut, hold_i=self.held)
        await RisingEdge(self.dut.clk_i)
        self._check()
        self._step()
        self._master()
        self.now += 1

    async def cycles(self, count: int) -> None:
        for _ in range(count):
            await self.cycle()

    async def finish(self, most: int = 2000) -> None:
        """Until all that is queued is answered."""
        end = self.now + most
        while any(self.queues.values()) or self.model.pending:
            await self.cycle()
            assert self.now < end

    def _behind(self) -> None:
        """An answer can be in the cycle of its request. What no pulse says is valid is anything."""
        model = self.model
        asked = model.access is not None and model.asked == self.now
        to_data = model.access is not None and model.access.to_data
        assert self.out("req_o") == (asked and not to_data)
        refused = model.access is not None and model.access.refused
        assert self.out("data_req_o") == (asked and to_data and not refused)
        lines = {
            "read_ack_i": 0, "write_ack_i": 0, "data_read_ack_i": 0, "data_write_ack_i": 0,
            "read_error_i": random.getrandbits(1), "write_error_i": random.getrandbits(1),
            "read_data_i": random.getrandbits(32), "data_i": random.getrandbits(32),
        }  # fmt: skip
        self.given: tuple[str, int, int] | None = None
        if model.access is not None and model.response is None:
            access = model.access
            if asked and refused:  # nothing behind the module is asked
                self.due, self.given = -1, ("b", SLAVE_ERROR, 0)
            elif asked:
                self.log.append(access)
                self.due = self.now + self.latency()
            if self.now >= model.asked:
                self._check_request(access)
            if self.now == self.due and self.now >= model.asked:
                bad = not to_data and self.bad(access)
                way = "write" if access.write else "read"
                lines[f"data_{way}_ack_i" if to_data else f"{way}_ack_i"] = 1
                value = 0
                if not to_data:
                    lines[f"{way}_error_i"] = bad
                if not access.write:
                    value = lines["data_i" if to_data else "read_data_i"] = self.value(access)
                self.given = "b" if access.write else "r", SLAVE_ERROR if bad else OKAY, value
        agents.drive(self.dut, **lines)

    def _check_request(self, access: Access) -> None:
        """From the request to its answer nothing of it changes."""
        assert self.out("req_is_write_o") == self.out("data_is_write_o") == access.write
        assert self.out("addr_o") >> 2 == access.addr >> 2
        if access.write:
            assert self.out("write_data_o") == access.data
            assert self.out("write_enable_o") == access.enable
            assert self.out("data_o") == access.data

    def _check(self) -> None:
        model = self.model
        assert self.out("active_o") == model.active
        assert self.out("s_axil_awready") == (model.aw is None)
        assert self.out("s_axil_wready") == (model.w is None)
        assert self.out("s_axil_arready") == (model.ar is None)
        for name in ("b", "r"):
            valid = model.response is not None and model.response[0] == name
            assert self.out(f"s_axil_{name}valid") == valid
            if valid:
                assert model.response is not None
                assert self.out(f"s_axil_{name}resp") == model.response[1]
        is_read = model.response is not None and model.response[0] == "r"
        # An operand is a secret: no cycle has it but those that must.
        assert self.out("s_axil_rdata") == (model.response[2] if is_read and model.response else 0)
        if model.w is None:
            assert self.out("write_data_o") == self.out("data_o") == 0

    def _step(self) -> None:
        model = self.model
        for name in ("b", "r"):
            if model.response is not None and model.response[0] == name and self.ready[name]:
                self.answers.append(model.response)
                self.taken.append((name, self.now))
                model.answered()
                break
        else:
            if not self.held:
                model.choose(self.now)
        if self.given is not None:
            model.response = self.given
            self.began.append((self.given[0], self.now + 1))
        for name, queue in self.queues.items():
            if self.valid[name] and self.out(f"s_axil_{name}ready"):
                self.taken.append((name, self.now))
                payload = queue.popleft()
                self.valid[name] = 0
                if name == "w":
                    model.w = (payload[0], payload[1])
                else:
                    setattr(model, name, payload[0])

    def _master(self) -> None:
        """Drives what holds in the next cycle."""
        p = agents.parameters()
        for name, queue in self.queues.items():
            if not self.valid[name] and queue:
                if not self.left[name]:
                    self.left[name] = 1 + self.gap()
                self.left[name] -= 1
                self.valid[name] = not self.left[name]
            agents.drive(self.dut, **{f"s_axil_{name}valid": self.valid[name]})
            offered = queue[0] if self.valid[name] else None
            if name == "w":
                data, strobe = offered or (random.getrandbits(32), random.getrandbits(4))
                agents.drive(self.dut, s_axil_wdata=data, s_axil_wstrb=strobe)
            else:
                addr = offered[0] if offered else random.getrandbits(p["AddrBits"])
                agents.drive(self.dut, **{f"s_axil_{name}addr": addr})
        for name in ("b", "r"):
            valid = self.model.response is not None and self.model.response[0] == name
            if not valid:
                self.shown[name] = -1
                self.ready[name] = random.getrandbits(1)
            elif self.shown[name] < 0:
                self.shown[name] = self.wait()
            if valid:
                self.ready[name] = self.shown[name] == 0
                self.shown[name] -= 1
            agents.drive(self.dut, **{f"s_axil_{name}ready": self.ready[name]})


async def bench(dut: Any, **how: Any) -> Bench:
    unit = Bench(dut, **how)
    await unit.set_up()
    return unit


def data_addr() -> int:
    return agents.parameters()["DataAddr"]


def other_addr() -> int:
    """Of a register."""
    return random.choice(
        [a for a in range(0, 1 << agents.parameters()["AddrBits"], 4) if a != data_addr()]
    )


def either() -> int:
    return random.choice([data_addr() + random.randrange(4), other_addr()])


def dice(most: int) -> Delay:
    return lambda: random.choice([0, 0, random.randint(0, most)])


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def exact_cycles(dut: Any) -> None:
    """An access alone, its channels in any order: three cycles to its response, and the port's."""
    unit = await bench(dut)
    await unit.cycles(3)
    for aw, w, wait, latency in itertools.product(range(4), range(4), (0, 1, 3), (0, 1, 2, 7)):
        unit.latency, unit.wait = lambda value=latency: value, lambda value=wait: value
        unit.taken.clear(), unit.began.clear()
        gaps = iter([aw, w])
        unit.gap = lambda source=gaps: next(source)
        unit.write(either(), random.getrandbits(32))
        await unit.finish()
        times = dict(unit.taken)
        last = max(times["aw"], times["w"])
        assert times["w"] - times["aw"] == w - aw
        assert unit.began == [("b", last + 3 + latency)]
        assert times["b"] == last + 3 + latency + wait
        unit.taken.clear(), unit.began.clear()
        unit.gap = lambda: 0
        unit.read(either())
        await unit.finish()
        times = dict(unit.taken)
        assert unit.began == [("r", times["ar"] + 3 + latency)]
        assert times["r"] == times["ar"] + 3 + latency + wait


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(latency=[0, 1, 5])
async def one_after_another(dut: Any, latency: int) -> None:
    """The next access of a kind is taken in the cycle after the response to the one before was."""
    for way, first in (("b", "aw"), ("r", "ar")):
        unit = await bench(dut, latency=lambda: latency)
        for _ in range(9):
            unit.write(either(), random.getrandbits(32)) if way == "b" else unit.read(either())
        await unit.finish()
        starts = [when for name, when in unit.taken if name == first]
        ends = [when for name, when in unit.taken if name == way]
        assert len(starts) == len(ends) == 9
        assert starts[1:] == [end + 1 for end in ends[:-1]]
        assert {b - a for a, b in itertools.pairwise(starts)} == {4 + latency}


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def take_turns(dut: Any) -> None:
    """Neither kind waits for two accesses of the other; after a reset the write is first."""
    unit = await bench(dut, latency=dice(3), wait=dice(2))
    for _ in range(40):
        unit.write(either(), random.getrandbits(32))
        unit.read(either())
    await unit.finish()
    assert [access.write for access in unit.log] == [True, False] * 40
    # What is there alone does not wait for its turn: half a write is none.
    for write in (True, False):
        unit.log.clear()
        unit.queues["aw" if write else "w"].append((other_addr(),) if write else (5, 15))
        for _ in range(3):
            unit.read(either())
            await unit.cycles(30)
        assert [access.write for access in unit.log] == [False] * 3
        unit.queues["w" if write else "aw"].append((5, 15) if write else (other_addr(),))
        await unit.finish()
        assert [access.write for access in unit.log] == [False] * 3 + [True]


@cocotb.test(timeout_time=5, timeout_unit="ms")
@cocotb.parametrize(busy=[False, True])
async def any_order(dut: Any, busy: bool) -> None:
    """Channels, answers and responses with any delays: all that was asked, in order, each once."""
    unit = await bench(
        dut,
        latency=dice(1 if busy else 9),
        hold=lambda: random.random() < (0.0 if busy else 0.4),
        gap=(lambda: 0) if busy else dice(12),
        wait=dice(1 if busy else 9),
        bad=lambda access: bool(access.addr >> 2 & 1),
    )
    writes: list[Access] = []
    reads: list[Access] = []
    for _ in range(600):
        if random.random() < 0.5:
            writes.append(Access(True, either(), random.getrandbits(32), random.getrandbits(4)))
            unit.write(writes[-1].addr, writes[-1].data, writes[-1].strobe)
        else:
            reads.append(Access(False, either()))
            unit.read(reads[-1].addr)
    await unit.finish(60_000)
    whole = [access for access in writes if not access.refused]
    assert [access for access in unit.log if access.write] == whole
    assert [access for access in unit.log if not access.write] == reads
    for name, asked in (("b", writes), ("r", reads)):
        codes = [code for channel, code, _ in unit.answers if channel == name]
        assert codes == [
            SLAVE_ERROR if access.refused or (not access.to_data and access.addr >> 2 & 1) else OKAY
            for access in asked
        ]


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def errors(dut: Any) -> None:
    """What the register block says of this access, and of no other; the data port has none."""
    unit = await bench(dut, latency=dice(3))
    for _ in range(100):
        bad = random.getrandbits(1)
        unit.bad = lambda _, bad=bad: bool(bad)  # type: ignore[misc]
        write, to_data = random.getrandbits(1), random.getrandbits(1)
        addr = data_addr() if to_data else other_addr()
        unit.write(addr, random.getrandbits(32)) if write else unit.read(addr)
        await unit.finish()
        [(_, code, _)] = unit.answers
        assert code == (SLAVE_ERROR if bad and not to_data else OKAY)
        unit.answers.clear()


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def strobes(dut: Any) -> None:
    """By bytes: enables for a register, where none is a write all the same. A write of an operand
    that is not whole is answered SLVERR and goes nowhere."""
    unit = await bench(dut)
    for strobe in range(16):
        for addr in (data_addr(), other_addr()):
            unit.write(addr, 0xFFFFFFFF, strobe)
            await unit.finish()
            refused = addr == data_addr() and strobe != 15
            assert unit.log == ([] if refused else [Access(True, addr, 0xFFFFFFFF, strobe)])
            assert unit.answers == [("b", SLAVE_ERROR if refused else OKAY, 0)]
            unit.log.clear(), unit.answers.clear()
            unit.write(addr, 0x12345678)
            await unit.finish()  # the next one is as ever
            assert unit.log.pop() == Access(True, addr, 0x12345678, 15)
            unit.answers.clear()


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def low_address_bits(dut: Any) -> None:
    """A master that writes bytes gives their addresses: these are the register's."""
    unit = await bench(dut, latency=lambda: 2)
    for low, write in itertools.product(range(4), (True, False)):
        for addr in (data_addr(), other_addr()):
            unit.log.clear()
            strobe = 15 if addr == data_addr() else 1 << low
            unit.write(addr | low, 5, strobe) if write else unit.read(addr | low)
            while not unit.log:
                await unit.cycle()
            assert unit.out("addr_o") == addr
            await unit.finish()


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def nothing_left(dut: Any) -> None:
    """When an access has been answered no register holds a bit of what it wrote or read."""
    unit = await bench(dut, latency=dice(3), wait=dice(3), value=lambda _: 0xFFFFFFFF)
    for write, to_data in list(itertools.product((True, False), (True, False))) * 4:
        addr = data_addr() if to_data else other_addr()
        unit.write(addr, 0xFFFFFFFF) if write else unit.read(addr)
        while not unit.answers:
            await unit.cycle()
        unit.answers.clear()
        await ReadOnly()  # just after the edge that ends the cycle of the response
        assert not agents.not_zero(dut, *KEPT)
        for name in ("data_o", "write_data_o", "s_axil_rdata"):
            assert unit.out(name) == 0
        await unit.cycles(2)
        assert not agents.not_zero(dut, *KEPT)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def reset_at_any_time(dut: Any) -> None:
    """At once, without a clock edge: nothing is valid, asked or kept; then all works."""
    for stop in range(2, 14):
        unit = await bench(dut, latency=lambda: 3, wait=lambda: 3, value=lambda _: 0xFFFFFFFF)
        addr = random.choice([data_addr(), other_addr()])
        for _ in range(4):
            unit.write(addr, 0xFFFFFFFF)
            unit.read(addr)
        await unit.cycles(stop)
        await FallingEdge(dut.clk_i)
        channels = {f"s_axil_{name}valid": 0 for name in unit.queues}
        acks = ("read_ack_i", "write_ack_i", "data_read_ack_i", "data_write_ack_i")
        agents.drive(dut, rst_ni=0, **channels, **dict.fromkeys(acks, 0))
        await ReadOnly()
        assert not agents.not_zero(dut)
        for name in ("s_axil_bvalid", "s_axil_rvalid", "req_o", "data_req_o", "data_o"):
            assert unit.out(name) == 0
        await RisingEdge(dut.clk_i)
        unit = Bench(dut, latency=dice(2))
        agents.drive(dut, rst_ni=1)
        await RisingEdge(dut.clk_i)
        for _ in range(4):
            unit.write(addr, random.getrandbits(32))
            unit.read(addr)
        await unit.finish()
        assert [access.write for access in unit.log] == [True, False] * 4
        agents.drive(dut, rst_ni=0)


@cocotb.test(timeout_time=2, timeout_unit="ms")
@cocotb.parametrize(stall=[0.0, 0.4])
async def another_master(dut: Any, stall: float) -> None:
    """cocotbext-axi's, several accesses at a time, bytes and words, against a memory."""
    logging.getLogger("cocotb.monpro_axi_lite.s_axil").setLevel(logging.WARNING)
    await Bench(dut).set_up()
    memory: dict[int, int] = {}
    cocotb.start_soon(_memory(dut, memory))
    master = AxiLiteMaster(
        AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk_i, dut.rst_ni, reset_active_level=False
    )
    write, read = master.write_if, master.read_if
    if stall:
        for channel in (
            write.aw_channel, write.w_channel, write.b_channel, read.ar_channel, read.r_channel,
        ):  # fmt: skip
            channel.set_pause_generator(_pauses(stall))
    size = 1 << agents.parameters()["AddrBits"]
    base = data_addr() & ~3
    expected = bytearray(size)
    for _ in range(60):
        start = random.randrange(size)
        count = random.randint(1, min(12, size - start))
        data = random.randbytes(count)
        expected[start : start + count] = data
        covered = set(range(start, start + count)) & set(range(base, base + 4))
        beside = cocotb.start_soon(master.read(0, 4))
        answer = await master.write(start, data)
        assert answer.resp == (AxiResp.SLVERR if 0 < len(covered) < 4 else AxiResp.OKAY)
        assert (await beside).resp == AxiResp.OKAY
        start = random.randrange(size)
        count = random.randint(1, size - start)
        answer = await master.read(start, count)
        assert answer.resp == AxiResp.OKAY
        for at, value in enumerate(answer.data, start):
            if at >> 2 != data_addr() >> 2:
                assert value == expected[at]
    assert await _word(master, base, 0xA5C3F00F) == 0xA5C3F00F
    assert (await master.write(base + 1, b"\x7e")).resp == AxiResp.SLVERR
    assert int.from_bytes((await master.read(base, 4)).data, "little") == 0xA5C3F00F


async def _word(master: AxiLiteMaster, addr: int, value: int) -> int:
    await master.write(addr, value.to_bytes(4, "little"))
    return int.from_bytes((await master.read(addr, 4)).data, "little")


async def _memory(dut: Any, memory: dict[int, int]) -> None:
    """Behind both ports."""
    while True:
        await FallingEdge(dut.clk_i)
        data = int(dut.data_req_o.value)
        if not (data or int(dut.req_o.value)):
            continue
        for _ in range(random.choice([0, 0, 1, 6])):
            await FallingEdge(dut.clk_i)
        write = int(dut.req_is_write_o.value)
        place = int(dut.addr_o.value) >> 2
        if write and data:
            memory[place] = int(dut.data_o.value)
        elif write:
            enable = int(dut.write_enable_o.value)
            memory[place] = memory.get(place, 0) & ~enable | int(dut.write_data_o.value) & enable
        value = memory.get(place, 0)
        way = "write" if write else "read"
        name = f"data_{way}_ack_i" if data else f"{way}_ack_i"
        agents.drive(dut, **{name: 1, "data_i" if data else "read_data_i": value})
        await FallingEdge(dut.clk_i)
        agents.drive(dut, **{name: 0, "data_i": 0, "read_data_i": 0})


def _pauses(chance: float) -> Iterator[bool]:
    while True:
        yield random.random() < chance
