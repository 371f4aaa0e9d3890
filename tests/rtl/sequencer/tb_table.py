# SPDX-License-Identifier: Apache-2.0
"""monpro_table: every entry comes back, and a look-up's addresses and cycles tell nothing."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents

TOP = "monpro_table"
PARAMETERS = (
    {"WordBits": 17, "IndexBits": 4, "Words": 512, "Banks": 1, "Crt": 0},
    {"WordBits": 8, "IndexBits": 5, "Words": 128, "Banks": 2, "Crt": 0},
    {"WordBits": 8, "IndexBits": 6, "Words": 512, "Banks": 4, "Crt": 1},
)
IDLE = {
    "clear_i": 0, "wipe_i": 0, "wipe_addr_i": 0, "words_i": 1, "window_i": 1, "crt_i": 0,
    "store_i": 0, "store_half_i": 0, "store_entry_i": 0, "store_index_i": 0, "store_data_i": 0,
    "look_up_i": 0, "half_i": 0, "entry_i": 0, "select_ready_i": 1,
}  # fmt: skip
# From a look-up to its first word, beyond the steps of one.
OUT_CYCLES = 4
# From what follows from words_i and window_i: what a store or a look-up needs is there then.
SETTLE_CYCLES = 2
# No secret: they follow from words_i and window_i.
LENGTHS = ("last_index_q", "steps_bits_q", "steps_less_one_q")


def steps(window: int) -> int:
    """Words that are read of each bank for one word of an entry."""
    return max((1 << window) // agents.parameters()["Banks"], 2)


@dataclass(frozen=True, slots=True)
class Shape:
    window: int
    words: int
    crt: bool

    @property
    def halves(self) -> range:
        return range(1 + self.crt)

    def addresses(self, half: int) -> set[int]:
        """Where a bank has a half's words: below the reversed number of the entry, and the half."""
        top = (p := agents.parameters())["Words"] // p["Banks"]
        found = set()
        for entry in range(steps(self.window)):
            number = entry << 1 | half if self.crt else entry
            above = sum(top >> (bit + 1) for bit in range(7) if number >> bit & 1)
            found |= {above | word for word in range(self.words)}
        return found


def shapes() -> list[Shape]:
    """Windows and lengths that fill the table, and short ones."""
    p = agents.parameters()
    longest = (1 << p["IndexBits"]) - 1
    found = []
    for crt in (False, True) if p["Crt"] else (False,):
        for window in range(7):
            most = min((p["Words"] >> crt) // (steps(window) * p["Banks"]), longest)
            found += [
                Shape(window, words, crt)
                for words in sorted({1, 2, most - 1, most})
                if 0 < words <= most
            ]
    return found


Entries = list[list[int]]


async def fill(dut: Any, shape: Shape, tables: list[Entries]) -> None:
    """A table for each half."""
    agents.drive(dut, words_i=shape.words, window_i=shape.window)
    agents.drive(dut, crt_i=shape.crt if agents.parameters()["Crt"] else random.getrandbits(1))
    await agents.cycles(dut, SETTLE_CYCLES)
    places = [
        (half, e, j)
        for half in shape.halves
        for e in range(1 << shape.window)
        for j in range(shape.words)
    ]
    random.shuffle(places)
    edge, names = RisingEdge(dut.clk_i), ("half", "entry", "index", "data")
    ports = [getattr(dut, f"store_{name}_i") for name in names]
    dut.store_i.value = 1
    for half, entry, index in places:
        values = (half, entry, index, tables[half][entry][index])
        for port, value in zip(ports, values, strict=True):
            port.value = value
        await edge
    agents.drive(dut, store_i=0)


async def look_up(
    dut: Any, shape: Shape, entry: int, *, half: int = 0, stall: bool = False
) -> tuple[list[int], list[tuple[int, ...]]]:
    """The words that come out, and all that can be seen of it from outside, cycle by cycle."""
    number, edge = agents.number, RisingEdge(dut.clk_i)
    read_addrs = [dut.g_bank[b].u_ram.read_addr_i for b in range(agents.parameters()["Banks"])]
    select_valid, select_done, select_ready = dut.select_valid_o, dut.done_o, dut.select_ready_i
    agents.drive(dut, look_up_i=1, half_i=half, entry_i=entry)
    found: list[int] = []
    seen: list[tuple[int, ...]] = []
    size = steps(shape.window)
    ready_at = size + OUT_CYCLES + random.randint(0, stall)
    last_cycle = shape.words * size + OUT_CYCLES  # of the look-up; its word may stay for another
    ready: bool | None = None
    for cycle in range(last_cycle + 2):
        valid_since = (len(found) + 1) * size + OUT_CYCLES
        if ready != (cycle >= ready_at):
            ready = cycle >= ready_at
            select_ready.value = int(ready)
        await edge
        if not cycle:
            dut.look_up_i.value = 0
        valid, done = number(select_valid), number(select_done)
        addresses = {number(read_addr) for read_addr in read_addrs}
        assert len(addresses) == 1
        # first: that of the last look-up
        seen.append((addresses.pop() if cycle else 0, valid, done))
        assert valid == (cycle >= valid_since and len(found) < shape.words), f"cycle {cycle}"
        assert done == (cycle == last_cycle), f"cycle {cycle}"
        if valid and cycle >= ready_at:
            assert number(dut.select_index_o) == len(found)
            found.append(number(dut.select_data_o))
            ready_at = valid_since + size + random.randint(0, stall)
    agents.drive(dut, select_ready_i=1)
    return found, seen


def any_entries(shape: Shape) -> Entries:
    bits = agents.parameters()["WordBits"]
    return [
        [random.getrandbits(bits) for _ in range(shape.words)] for _ in range(1 << shape.window)
    ]


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(stall=[False, True])
async def every_entry(dut: Any, stall: bool) -> None:
    await agents.reset(dut, **IDLE)
    for shape in shapes():
        tables = [any_entries(shape) for _ in shape.halves]
        await fill(dut, shape, tables)
        for entry in random.sample(range(1 << shape.window), min(1 << shape.window, 8)):
            for half in shape.halves:
                found, _ = await look_up(dut, shape, entry, half=half, stall=stall)
                assert found == tables[half][entry], shape


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def the_next_one_beside_the_last_word(dut: Any) -> None:
    """A look-up of the other half may begin while the last word of one waits to be taken."""
    await agents.reset(dut, **IDLE)
    for shape in shapes():
        tables = [any_entries(shape) for _ in shape.halves]
        await fill(dut, shape, tables)
        asked = [(half, random.randrange(1 << shape.window)) for half in [*shape.halves] * 2]
        found: list[int] = []
        for half, entry in asked:
            agents.drive(dut, look_up_i=1, half_i=half, entry_i=entry)
            done = False
            while not done:
                await RisingEdge(dut.clk_i)
                valid, ready = (
                    int(port.value) for port in (dut.select_valid_o, dut.select_ready_i)
                )
                done = bool(int(dut.done_o.value))
                if valid and ready:
                    found.append(agents.number(dut.select_data_o))
                # what is done comes with the last word, which is taken a cycle later
                last = (len(found) + 1) % shape.words == 0
                agents.drive(dut, look_up_i=0, select_ready_i=int(done or not last))
        await RisingEdge(dut.clk_i)
        found.append(agents.number(dut.select_data_o))
        await RisingEdge(dut.clk_i)
        assert int(dut.select_valid_o.value) == 0
        assert found == [word for half, entry in asked for word in tables[half][entry]], shape


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def look_ups_look_the_same(dut: Any) -> None:
    """Same addresses, same cycles: for every entry, and for tables of zeros and of ones."""
    await agents.reset(dut, **IDLE)
    ones = (1 << agents.parameters()["WordBits"]) - 1
    for shape in shapes():
        if shape.words > 3:
            continue
        traces: list[list[list[tuple[int, ...]]]] = [[] for _ in shape.halves]
        for filling in (0, ones, None):
            tables = [any_entries(shape) for _ in shape.halves]
            if filling is not None:
                tables = [[[filling] * shape.words for _ in table] for table in tables]
            await fill(dut, shape, tables)
            for entry in range(1 << shape.window):
                for half in shape.halves:
                    traces[half].append((await look_up(dut, shape, entry, half=half))[1])
        for half, some in enumerate(traces):
            assert all(trace == some[0] for trace in some)
            addresses = {address for address, _, _ in some[0]}
            assert addresses >= shape.addresses(half), "an entry is not read"


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(stop=[0, 1, 2, 5, 9], held=[False, True])
async def wiped_in_the_middle(dut: Any, stop: int, held: bool) -> None:
    """A clear, with zeros written everywhere, leaves nothing; then the table works again. It need
    not be held longer than the last address takes."""
    await agents.reset(dut, **IDLE)
    p = agents.parameters()
    shape = Shape(2, 7, bool(p["Crt"]))
    await fill(dut, shape, [any_entries(shape) for _ in shape.halves])
    agents.drive(dut, look_up_i=1, half_i=p["Crt"], entry_i=3, select_ready_i=0)
    await RisingEdge(dut.clk_i)
    agents.drive(dut, look_up_i=0)
    await agents.cycles(dut, stop)
    # with an entry that no bank has: the masks follow it at once
    agents.drive(dut, clear_i=1, wipe_i=1, store_i=1, store_data_i=255, entry_i=63)
    for address in range(p["Words"] // p["Banks"]):
        agents.drive(dut, wipe_addr_i=address)
        await RisingEdge(dut.clk_i)
        if address:  # a store in a wipe stores zeros
            assert int(dut.write_data_q.value) == 0
    agents.drive(dut, **{name: 0 for name in IDLE if name.startswith("store")})
    if held:
        await agents.cycles(dut, 3)
        assert not agents.not_zero(dut, *LENGTHS, "write_q", "write_addr_q")
    agents.drive(dut, clear_i=0, wipe_i=0, select_ready_i=1)
    await agents.cycles(dut, 3)
    assert not agents.not_zero(dut, *LENGTHS)
    for _ in range(10):
        await RisingEdge(dut.clk_i)
        assert not int(dut.select_valid_o.value)
        assert not int(dut.done_o.value)
    tables = [any_entries(shape) for _ in shape.halves]
    await fill(dut, shape, tables)
    for half in shape.halves:
        assert (await look_up(dut, shape, 2, half=half))[0] == tables[half][2]
