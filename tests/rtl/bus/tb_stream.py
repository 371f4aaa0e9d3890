# SPDX-License-Identifier: Apache-2.0
"""monpro_stream alone: random packets, right and wrong, against a model of its head; registers that
answer late or with an error, another master, stalls on both sides, flushes at any time."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge

import agents
from monpro.hardware import regs
from monpro.hardware.models import stream
from monpro.hardware.models.stream import MAGIC, Op, Section
from monpro.hardware.regs import Fault

TOP = "monpro_stream"
PARAMETERS: tuple[dict[str, int], ...] = ({},)
LAST = 0x7C
Word = tuple[int, int, int]  # data, keep, last


@dataclass(frozen=True, slots=True)
class Access:
    write: bool
    address: int
    data: int = 0


STATUS = Access(False, regs.STATUS.offset)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a packet leads to. reads: accesses that go into the answer."""

    accesses: list[Access]
    fault: Fault
    reads: int


def bad_address(address: int) -> bool:
    """Where the registers of this bench answer an error."""
    return address in (0x18, LAST)


def interpret(words: Sequence[Word]) -> Outcome:
    """The head of the module, for a packet that ends with TLAST."""
    done: list[Access] = []
    reads = 0

    def out(fault: Fault = Fault.NONE) -> Outcome:
        return Outcome(done, fault, reads)

    def length_fault(number: int, total: int) -> Fault:
        _, keep, last = words[number]
        if keep != 15 or (last and number != total):
            return Fault.STREAM_SHORT
        return Fault.STREAM_LONG if not last and number == total else Fault.NONE

    total = words[0][0] & 0xFFFF
    if fault := length_fault(0, total):
        return out(fault)
    if words[0][0] >> 16 != MAGIC:
        return out(Fault.STREAM_HEADER)
    at = 1
    while at <= total:
        if fault := length_fault(at, total):
            return out(fault)
        word = words[at][0]
        op, count, address = word >> 28, word >> 8 & 0xFFFF, word & 0x7C
        legal = op in set(Op) and not word & 0x0F000080 and (op == Op.WAIT or count > 0)
        if not legal or (op == Op.WRITE and at == total):
            return out(Fault.STREAM_HEADER)
        at += 1
        for number in range(0 if op == Op.WAIT else count):
            if op == Op.WRITE:
                if fault := length_fault(at, total):
                    return out(fault)
                if at == total and number != count - 1:
                    return out(Fault.STREAM_HEADER)
            access = Access(op == Op.WRITE, address, words[at][0] if op == Op.WRITE else 0)
            done.append(access)
            at += op == Op.WRITE
            if bad_address(address):
                return out(Fault.STREAM_TARGET)
            reads += op == Op.READ
            if address not in (regs.DATA.offset, regs.PRODUCT.offset):
                address += 4
    return out()


@dataclass
class Bench:
    """Everything around the module, cycle by cycle."""

    dut: Any
    in_stall: float = 0.0
    out_stall: float = 0.0
    other: float = 0.0  # the chance that the other master has the registers
    late: int = 0  # most cycles of an answer
    full: float = 0.0  # of the queue
    busy: float = 0.0
    words: deque[Word] = field(default_factory=deque)
    log: list[Access] = field(default_factory=list)
    values: list[int] = field(default_factory=list)  # of reads that were answered well
    answers: list[list[int]] = field(default_factory=lambda: [[]])
    faults: list[Fault] = field(default_factory=list)
    cycle: int = 0
    first: int = -1  # the cycle that took the first word since the last answer
    taken: list[int] = field(default_factory=list)  # cycles from there to the answer's end
    held: bool = False  # in the last cycle
    ending: bool = False  # STATUS is all that is to come, in the last cycle
    _due: int = -1
    _access: Access | None = None
    _free: int = 1
    _full: int = 0
    _shown: tuple[int, int] | None = None  # an answer's word that was not taken

    async def set_up(self) -> None:
        await agents.reset(
            self.dut, flush_i=0, s_axis_tvalid=0, s_axis_tdata=0, s_axis_tkeep=15, s_axis_tlast=0,
            m_axis_tready=0, free_i=1, ack_i=0, error_i=0, read_data_i=0, queue_full_i=0, busy_i=0,
        )  # fmt: skip

    def out(self, name: str) -> int:
        return agents.number(self.dut[name])

    async def step(self, *, flush: bool = False) -> None:
        """One cycle: inputs, answers to a request in it, what is taken at its end."""
        dut = self.dut
        full, busy = random.random() < self.full, random.random() < self.busy
        free = not flush and random.random() >= self.other
        offered = bool(self.words) and random.random() >= self.in_stall and not flush
        data, keep, last = self.words[0] if offered else (random.getrandbits(32), 15, 1)
        ready = random.random() >= self.out_stall
        agents.drive(
            dut, flush_i=flush, s_axis_tvalid=offered, s_axis_tdata=data, s_axis_tkeep=keep,
            s_axis_tlast=last, m_axis_tready=ready, free_i=free, queue_full_i=full, busy_i=busy,
            ack_i=0, error_i=random.getrandbits(1), read_data_i=random.getrandbits(32),
        )  # fmt: skip
        await FallingEdge(dut.clk_i)
        self.held, self.ending = bool(self.out("hold_o")), bool(agents.number(dut.status_q))
        if self.out("req_o"):
            assert self._access is None, "a request before the one before is answered"
            assert self.out("hold_o")
            write = bool(self.out("is_write_o"))
            self._access = Access(
                write, self.out("addr_o"), self.out("write_data_o") if write else 0
            )
            assert self._free, "a request while another master has the registers"
            if write and self._access.address == regs.PRODUCT.offset:
                assert not self._full, "a product goes into a full queue"
            self.log.append(self._access)
            self._due = self.cycle + random.randint(0, self.late) + (0 if write else 1)
        if self._access is not None:
            assert self.out("hold_o")
            if self.cycle >= self._due:
                value, bad = random.getrandbits(32), bad_address(self._access.address)
                agents.drive(dut, ack_i=1, error_i=bad, read_data_i=value)
                if not self._access.write and not bad:
                    self.values.append(value)
                self._access = None
        self._free, self._full = free, full
        if fault := self.out("fault_o"):
            self.faults.append(Fault(fault))  # type: ignore[call-arg]
        valid = self.out("m_axis_tvalid")
        shown = self.out("m_axis_tdata"), self.out("m_axis_tlast")
        if self._shown is not None:
            assert (valid, *shown) == (1, *self._shown), "a word was withdrawn or changed"
        if not valid:
            assert shown[0] == 0
        took = offered and self.out("s_axis_tready")
        await RisingEdge(dut.clk_i)
        self._shown = shown if valid and not ready and not flush else None
        if took:
            self.words.popleft()
            if self.first < 0:
                self.first = self.cycle
        if valid and ready:
            self.answers[-1].append(shown[0])
            if shown[1]:
                self.answers.append([])
                self.taken.append(self.cycle - self.first + 1)
                self.first = -1
        self.cycle += 1

    async def answered(self, count: int = 1, most: int = 5000) -> None:
        end = self.cycle + most
        while len(self.answers) <= count:
            await self.step()
            assert self.cycle < end, "no answer"

    def forget(self) -> None:
        self.log.clear(), self.values.clear(), self.faults.clear(), self.taken.clear()
        self.answers[:] = [[]]


def framed(words: Sequence[int]) -> list[Word]:
    return [(word, 15, int(number == len(words) - 1)) for number, word in enumerate(words)]


def any_section() -> Section:
    op = random.choice([Op.WRITE, Op.WRITE, Op.READ, Op.WAIT])
    count = random.choice([1, 1, 2, random.randint(1, 9)])
    good = [*range(0x1C, LAST - 4 * 9, 4), regs.DATA.offset, regs.PRODUCT.offset]
    address = random.choice(good) if random.random() < 0.95 else random.choice([0x14, LAST - 4])
    if op == Op.WRITE:
        return Section(op, address, tuple(random.getrandbits(32) for _ in range(count)))
    return Section(op, address if op == Op.READ else 0, count=count if op == Op.READ else 0)


def damaged(words: list[Word]) -> list[Word]:
    """One thing is wrong with it, or it is a right one after all."""
    words = list(words)
    at = random.randrange(len(words))
    kind = random.randrange(6)
    if kind == 0:  # a bit
        data, keep, last = words[at]
        words[at] = (data ^ 1 << random.randrange(32), keep, last)
    elif kind == 1:  # cut
        data, keep, _ = words[at]
        words = [*words[:at], (data, keep, 1)]
    elif kind == 2:  # more
        data, keep, _ = words[-1]
        tail = [random.getrandbits(32) for _ in range(random.randint(1, 4))]
        words = [*words[:-1], (data, keep, 0), *framed(tail)]
    elif kind == 3:  # a word that is not whole
        data, _, last = words[at]
        words[at] = (data, random.choice([0, 1, 3, 7, 14]), last)
    elif kind == 4:  # a word is missing
        del words[at]
        words = [*words[:-1], (*words[-1][:2], 1)] if words else framed([0])
    return words


async def check(unit: Bench, words: list[Word]) -> None:
    expected = interpret(words)
    unit.forget()
    unit.words.extend(words)
    await unit.answered()
    await unit.step()
    assert not unit.words
    *reads, status = unit.log
    assert status == STATUS
    assert reads == expected.accesses, [hex(word[0]) for word in words]
    assert unit.faults == ([expected.fault] if expected.fault else [])
    assert len(unit.answers[0]) == expected.reads + 1
    assert unit.answers[0] == unit.values
    assert not unit.out("streaming_o")
    assert agents.number(unit.dut.data_q) == 0 or not any(a.write for a in reads)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def exact_cycles(dut: Any) -> None:
    """Without stalls, by the formula; a register answers a read in the second cycle."""
    unit = Bench(dut)
    await unit.set_up()
    for _ in range(60):
        sections = [any_section() for _ in range(random.randint(0, 5))]
        sections = [s for s in sections if 0x14 != s.address != LAST - 4]
        sections = [s for s in sections if regs.DATA.offset not in stream.accesses(s)]
        unit.forget()
        unit.words.extend(framed(stream.packet(sections)))
        await unit.answered()
        assert unit.taken == [stream.cycles(sections, 17)], sections


@cocotb.test(timeout_time=4, timeout_unit="ms")
@cocotb.parametrize(
    how=[(0.0, 0.0, 0.0, 0, 0.0, 0.0), (0.6, 0.0, 0.3, 2, 0.5, 0.7), (0.0, 0.8, 0.6, 0, 0.9, 0.0),
         (0.4, 0.4, 0.2, 9, 0.3, 0.9)]
)  # fmt: skip
async def random_packets(dut: Any, how: tuple[float, float, float, int, float, float]) -> None:
    """Right and wrong ones, one after another: accesses, answers and faults."""
    unit = Bench(dut, *how)
    await unit.set_up()
    faults: set[Fault] = set()
    for number in range(60):
        words = framed(stream.packet(any_section() for _ in range(random.randint(0, 4))))
        await check(unit, damaged(words) if number % 3 else words)
        faults |= set(unit.faults)
    wrong = (Fault.STREAM_HEADER, Fault.STREAM_TARGET, Fault.STREAM_SHORT, Fault.STREAM_LONG)
    assert faults == set(wrong)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def without_a_gap(dut: Any) -> None:
    """Packets behind each other, all there before the first is answered."""
    unit = Bench(dut, out_stall=0.5)
    await unit.set_up()
    packets = [framed(stream.packet([any_section()])) for _ in range(20)]
    packets = [words for words in packets if not interpret(words).fault]
    for words in packets:
        unit.words.extend(words)
    await unit.answered(len(packets))
    expected = [interpret(words).reads + 1 for words in packets]
    assert [len(answer) for answer in unit.answers] == [*expected, 0]


def program_in_data() -> list[int]:
    """A packet whose data is a packet: taken for a header, its words would be accesses."""
    inner = stream.packet([Section(Op.WRITE, 0x20, (1,)), Section(Op.READ, 0x1C, count=2)])
    repeats = random.randint(1, 3)
    data = Section(Op.WRITE, regs.DATA.offset, tuple(inner * repeats))
    return stream.packet([any_section(), data, any_section()])


async def flush_somewhere(unit: Bench) -> tuple[int, bool]:
    """Sends a packet and flushes in any of its cycles: how many accesses were done by then, and
    whether all were but that of STATUS."""
    unit.forget()
    unit.first = -1
    words = framed(program_in_data())
    while interpret(words).fault or STATUS in interpret(words).accesses:
        words = framed(program_in_data())
    unit.words.extend(words)
    for _ in range(random.randrange(130)):
        await unit.step()
    unit.other = 1.0  # the command comes from another master
    await unit.step()
    while unit.held:
        await unit.step()
    unit.faults.clear()
    done = len(unit.log)
    complete = bool(unit.log) and unit.log[-1] == STATUS
    await unit.step(flush=True)
    unit.other = 0.0
    return done, complete or unit.ending


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def flushed(dut: Any) -> None:
    """In any cycle of a packet: what is left of it is dropped to its TLAST, even if it looks like
    a packet; the answer ends with STATUS and TLAST. Then the next packet is as ever."""
    unit = Bench(dut, in_stall=0.3, out_stall=0.6, late=2, busy=0.5)
    await unit.set_up()
    cut = 0
    for _ in range(120):
        done, complete = await flush_somewhere(unit)
        unit.in_stall = 1.0
        await unit.step()
        unit.in_stall = 0.3
        if unit.faults:
            assert not agents.number(dut.data_q)
            assert not unit.out("streaming_o")
            assert not unit.out("resting_o")
        if done and not complete:
            assert unit.faults == [Fault.STREAM_CUT]
            cut += 1
        if unit.words or done:
            while unit.words or not unit.out("resting_o"):
                await unit.step()
                assert unit.cycle < 100_000
            assert unit.log.count(STATUS) == 1
            if done:  # a flush that came before the packet's first word is not for the packet
                assert unit.log[done:] in ([], [STATUS])
            assert len(unit.answers) == 2, "one TLAST, whenever it was cut"
            assert unit.answers[0][-1] == unit.values[-1]
        unit.forget()
        unit.first = -1
        await check(unit, framed(stream.packet([any_section(), Section(Op.WAIT)])))
    assert cut > 40


@cocotb.test(timeout_time=8, timeout_unit="ms")
async def given_up(dut: Any) -> None:
    """The streams have stopped: a second flush clears all that is in flight. One behind a word that
    has moved does not: then more may come."""
    unit = Bench(dut, in_stall=0.3, out_stall=0.6, late=2, busy=0.5)
    await unit.set_up()
    for number in range(60):
        await flush_somewhere(unit)
        left, unit.words = unit.words, deque()
        unit.out_stall = 1.0
        for _ in range(12):
            await unit.step()
        if number % 3 == 0 and len(left) > 3 and not unit.out("resting_o"):
            unit.words.append(left[0])
            while unit.words:
                await unit.step()
            await unit.step(flush=True)
            for _ in range(12):
                await unit.step()
            assert not unit.out("resting_o")
        before = len(unit.log)
        await unit.step(flush=True)
        await unit.step()
        assert unit.out("resting_o")
        assert not unit.out("streaming_o")
        assert not unit.out("m_axis_tvalid")
        assert not agents.number(dut.data_q)
        assert not agents.number(dut.answer_q)
        for _ in range(10):
            await unit.step()
        assert len(unit.log) == before
        unit.out_stall, unit.first = 0.6, -1
        unit.faults.clear()
        await unit.step(flush=True)
        assert not unit.faults, "nothing is under way"
        await check(unit, framed(stream.packet([any_section(), Section(Op.WAIT)])))
