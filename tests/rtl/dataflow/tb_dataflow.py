# SPDX-License-Identifier: Apache-2.0
"""monpro_dataflow over its streams: every form at many lengths, stalls, errors, exact cycles."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Sequence
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge, Timer
from cocotb.utils import get_sim_time

import agents
from agents.dataflow import Run, Stream, ready, some_run, to_bytes
from monpro.hardware.models import dataflow
from monpro.hardware.models.dataflow import Block, Form, Pair, Status

TOP = "monpro_dataflow"
INSIDE = False
PARAMETERS = {
    "one": {"Lanes": 1, "MaxDigits": 128},
    "eight": {"Lanes": 8, "MaxDigits": 4},
}
GROUPED = (Form.PRODUCT, Form.MONTGOMERY)
Beats = list[list[Pair]]


def lengths(unit: Stream) -> list[int]:
    return [1, 2, 3, 4, 9] if unit.lanes == 1 else [1, 4]


def cases(unit: Stream, every: Sequence[Any], few: int) -> Sequence[Any]:
    """With many lanes, whose control is that of one, a few at random."""
    return every if unit.lanes == 1 else random.sample(every, few)


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(form=list(Form))
async def exact_cycles(dut: Any, form: Form) -> None:
    """Answers of random and of extreme numbers, all in the cycles that the model says."""
    unit = await ready(dut)
    counts = (1, 7, 8, 9, 17, 33) if form in GROUPED else (1, 2, 16, 17, 40)
    for digits in lengths(unit):
        for blocks in cases(unit, counts if digits < 9 else counts[:4], 2):
            got = await unit.timed(some_run(form, digits, blocks, unit.lanes))
            want = unit.kernel.cycles(form, digits, blocks)
            assert got == want, f"{form.name}: {digits} digits, {blocks} blocks"


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def all_ones(dut: Any) -> None:
    """The largest sums that a column can have, in every slot."""
    unit = await ready(dut)
    for digits in lengths(unit)[-2:]:
        ones = (dataflow.DIGIT_MASK,) * digits
        one = Block(ones, ones, ones, dataflow.inverse(ones[0]))
        for form in Form:
            rows = [[one] * unit.lanes for _ in range(9)]
            await unit.run(Run(form, digits, rows, [ones[0]] * unit.lanes))


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def final_subtraction(dut: Any) -> None:
    """u just below n, n itself and just above, and a u with a bit more than n has digits."""
    unit = await ready(dut)
    digits = 3
    r = 1 << (dataflow.DIGIT_BITS * digits)
    blocks = []
    for n in (r - 1, r - 0x5555, (1 << 95) + 1, 0x10001, 3):
        for a, b in ((1, 0), (1, r % n), (n, 1), (n, n), (r - 1, r - 1), (r % n, n - 1)):
            blocks.append(dataflow.block(digits, a, b, n))
    results = [dataflow.montgomery(one) for one in blocks]
    assert any(result == 0 for result in results)
    rows = [[random.choice(blocks) for _ in range(unit.lanes)] for _ in range(8)]
    rows += [[one] * unit.lanes for one in blocks]
    await unit.run(Run(Form.MONTGOMERY, digits, rows))


@cocotb.test(timeout_time=50, timeout_unit="ms")
@cocotb.parametrize(sides=["both", "in", "out"])
async def stalls(dut: Any, sides: str) -> None:
    """Packets sent ahead into a kernel whose streams wait: nothing lost, nothing twice."""
    unit = await ready(dut)
    unit.pause(0.3 if sides != "out" else 0.0, 0.4 if sides != "in" else 0.0)
    runs = []
    for form in Form:
        for digits in lengths(unit)[:3]:
            runs.append(some_run(form, digits, random.choice([1, 9, 17, 30]), unit.lanes))
    random.shuffle(runs)
    for run in runs:
        await unit.send(run.sent())
    watch = cocotb.start_soon(payload_stays(dut))
    for run in runs:
        await unit.check(run)
    assert not watch.done()
    watch.cancel()


async def payload_stays(dut: Any) -> None:
    """A beat that was offered stays as it is until it is taken."""
    edge = RisingEdge(dut.clk_i)
    offered: tuple[int, int] | None = None
    while True:
        await edge
        valid = dut.m_axis_tvalid.value == 1
        beat = (int(dut.m_axis_tdata.value), int(dut.m_axis_tlast.value)) if valid else None
        assert offered is None or beat == offered
        offered = None if dut.m_axis_tready.value == 1 else beat


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def one_run_after_the_other(dut: Any) -> None:
    """A run's header is taken in the cycle after the status beat of the one before, no earlier."""
    unit = await ready(dut)
    runs = [some_run(form, 2, blocks, unit.lanes) for form in Form for blocks in (1, 10)]
    for run in runs:
        await unit.send(run.sent())
    ends = []
    for run in runs:
        frame = await unit.check(run)
        ends.append(frame.sim_time_end)
    step = get_sim_time("step") / get_sim_time("ns") * agents.CLOCK_NS
    for run, begin, end in zip(runs[1:], ends, ends[1:], strict=False):
        want = unit.kernel.cycles(run.form, 2, len(run.blocks))
        assert (end - begin) / step == want, run.form.name


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def longest(dut: Any) -> None:
    """MaxDigits digits in every form, in the cycles of the formula."""
    unit = await ready(dut)
    digits = unit.kernel.max_digits
    for form in Form:
        count = 1 if digits > 4 else 17
        run = some_run(form, digits, count, unit.lanes)
        if form in GROUPED and digits > 4:
            await run_asleep(unit, run)
        else:
            assert await unit.timed(run) == unit.kernel.cycles(form, digits, count)


async def run_asleep(unit: Stream, run: Run) -> None:
    """Nothing looks at the clock while the kernel works, which is nearly all of the time."""
    dut, edge = unit.dut, RisingEdge(unit.dut.clk_i)
    sent = run.sent()
    expected = to_bytes(run.expected())
    beats = len(expected) // (8 * unit.lanes)
    whole = unit.kernel.cycles(run.form, run.digits, len(run.blocks))
    for at, beat in enumerate(sent):
        data = int.from_bytes(to_bytes([beat]), "little")
        agents.drive(dut, s_axis_tvalid=1, s_axis_tdata=data, s_axis_tlast=at == len(sent) - 1)
        await edge
        while dut.s_axis_tready.value == 0:
            await edge
    agents.drive(dut, s_axis_tvalid=0, m_axis_tready=1)
    await Timer((whole - len(sent) - beats - 20) * agents.CLOCK_NS, "ns")
    out = b""
    began = get_sim_time("ns")
    while dut.m_axis_tlast.value == 0:
        await edge
        if dut.m_axis_tvalid.value == 1:
            out += int(dut.m_axis_tdata.value).to_bytes(8 * unit.lanes, "little")
        assert get_sim_time("ns") < began + 2 * beats * agents.CLOCK_NS
    unit.compare(run, out[: len(expected)])
    assert not any(out[len(expected) :])


# ---- errors


def good(unit: Stream, form: Form | None = None, blocks: int = 9) -> Run:
    return some_run(form or random.choice(list(Form)), 2, blocks, unit.lanes)


async def expect(unit: Stream, beats: Beats, status: Status) -> None:
    """A packet's status, and that the next run is none the worse."""
    after = good(unit)
    await unit.send(beats)
    await unit.send(after.sent())
    got, _, _ = await unit.receive()
    assert got == status, f"{got.name}, not {status.name}"
    await unit.check(after)


def with_head(unit: Stream, head: int, rest: int) -> Beats:
    """A header, and any data."""
    beats = [[(random.getrandbits(32), 0) for _ in range(unit.lanes)] for _ in range(rest + 1)]
    beats[0][0] = (head, 0)
    return beats


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(stall=[0.0, 0.3])
async def wrong_headers(dut: Any, stall: float) -> None:
    unit = await ready(dut)
    unit.pause(stall, stall)
    most = unit.kernel.max_digits
    heads = [(form, 2, 1) for form in (0, 6, 7, 8, 15)]
    heads += [(form, digits, 1) for form in Form for digits in (0, most + 1, 255)]
    heads += [(form, 2, 0) for form in Form] + [(0, 0, 0), (1, 0, 0)]
    for form, digits, blocks in cases(unit, heads, 4):
        status = unit.kernel.status(form, digits, blocks)
        assert status != Status.OK
        beats = with_head(unit, dataflow.header(form, digits, blocks), random.choice([0, 1, 7]))
        await expect(unit, beats, status)


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(stall=[0.0, 0.3])
async def too_short(dut: Any, stall: float) -> None:
    """TLAST on the header, in a block, between blocks, before the last beat."""
    unit = await ready(dut)
    unit.pause(stall, stall)
    for form in Form:
        whole = good(unit, form, 20).sent()
        sizes = [1, 2, 3, len(whole) // 2, len(whole) * 4 // 5, len(whole) - 1]
        for size in cases(unit, sizes, 1):
            await expect(unit, whole[:size], Status.SHORT)


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(stall=[0.0, 0.3])
async def too_long(dut: Any, stall: float) -> None:
    unit = await ready(dut)
    unit.pause(stall, stall)
    for form in Form:
        for blocks, more in cases(unit, [(1, 1), (9, 2), (9, 150)], 1):
            beats = good(unit, form, blocks).sent()
            await expect(unit, beats + beats[1:2] * more, Status.LONG)


@cocotb.test(timeout_time=20, timeout_unit="ms")
@cocotb.parametrize(stall=[0.0, 0.3])
async def wrong_inverse(dut: Any, stall: float) -> None:
    """In any block of any lane; an even n has none."""
    unit = await ready(dut)
    unit.pause(stall, stall)
    for digits in (1, 2, 3):
        for _ in cases(unit, range(8), 2):
            run = some_run(Form.MONTGOMERY, digits, random.choice([1, 9, 24]), unit.lanes)
            row = random.choice(run.blocks)
            lane = random.randrange(unit.lanes)
            # Where a * b is zero so is m, and nothing shows.
            one = dataclasses.replace(row[lane], a=(3,) * digits, b=(5,) * digits)
            change: Callable[[Block], Block] = random.choice([spoil_inverse, make_even])
            row[lane] = change(one)
            await expect(unit, run.sent(), Status.INVERSE)


def spoil_inverse(one: Block) -> Block:
    return dataclasses.replace(one, inverse=one.inverse ^ 1 << random.randrange(32))


def make_even(one: Block) -> Block:
    return dataclasses.replace(one, n=(one.n[0] & ~1, *one.n[1:]))


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def one_error_does_not_hide_another(dut: Any) -> None:
    """A packet both too long and with a wrong n': one status, the first."""
    unit = await ready(dut)
    run = some_run(Form.MONTGOMERY, 2, 1, unit.lanes)
    run.blocks[0][0] = spoil_inverse(dataflow.block(2, 3, 5, 7))
    beats = run.sent()
    await expect(unit, beats + beats[1:2] * 60, Status.LONG)
    run = some_run(Form.MONTGOMERY, 2, 60, unit.lanes)
    run.blocks[0][0] = spoil_inverse(dataflow.block(2, 3, 5, 7))
    beats = run.sent()
    await expect(unit, beats + beats[1:2], Status.INVERSE)
    await expect(unit, beats[:-1], Status.INVERSE)


@cocotb.test(timeout_time=20, timeout_unit="ms")
async def reset_at_any_time(dut: Any) -> None:
    """It comes out of it with nothing of the run before."""
    unit = await ready(dut)
    for form in Form:
        await unit.send(good(unit, form, 20).sent())
        await agents.cycles(dut, random.randrange(5, 100))
        dut.rst_ni.value = 0
        await agents.cycles(dut, 2)
        assert dut.m_axis_tvalid.value == 0
        dut.rst_ni.value = 1
        unit.forget()
        await agents.cycles(dut, 2)
        await unit.run(good(unit))
