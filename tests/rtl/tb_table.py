"""monpro_table: every entry comes back, and a look-up's addresses and cycles tell nothing."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents

TOP = "monpro_table"
PARAMETERS = (
    {"WordBits": 17, "IndexBits": 4, "Words": 512},
    {"WordBits": 8, "IndexBits": 6, "Words": 128},
)
IDLE = {
    "clear_i": 0, "wipe_i": 0, "wipe_addr_i": 0, "words_i": 1, "window_i": 1, "store_i": 0,
    "store_entry_i": 0, "store_index_i": 0, "store_data_i": 0, "look_up_i": 0, "entry_i": 0,
    "select_ready_i": 1,
}  # fmt: skip


def shapes() -> list[tuple[int, int]]:
    """Windows and lengths that fill the table, and short ones."""
    p = agents.parameters()
    longest = (1 << p["IndexBits"]) - 1
    found = []
    for window in range(1, 7):
        most = min(p["Words"] >> window, longest)
        found += [
            (window, words) for words in sorted({1, 2, 3, most - 1, most}) if 0 < words <= most
        ]
    return found


async def fill(dut: Any, window: int, words: int, entries: list[list[int]]) -> None:
    agents.drive(dut, words_i=words, window_i=window)
    places = [(e, j) for e in range(1 << window) for j in range(words)]
    random.shuffle(places)
    for entry, index in places:
        agents.drive(
            dut, store_i=1, store_entry_i=entry, store_index_i=index,
            store_data_i=entries[entry][index],
        )  # fmt: skip
        await RisingEdge(dut.clk_i)
    agents.drive(dut, store_i=0)


async def look_up(
    dut: Any, window: int, words: int, entry: int, stall: bool
) -> tuple[list[int], list[tuple[int, ...]]]:
    """The words that come out, and all that can be seen of it from outside, cycle by cycle."""
    agents.drive(dut, look_up_i=1, entry_i=entry)
    found: list[int] = []
    seen: list[tuple[int, ...]] = []
    size, taken_at, done = 1 << window, -1, False
    while not done:
        cycle = len(seen)
        valid_since = (len(found) + 1) * size + 2
        late = size - 1 if stall else 0  # a word must be taken before the next one comes
        ready = cycle >= valid_since + random.randint(0, late)
        agents.drive(dut, select_ready_i=ready)
        await RisingEdge(dut.clk_i)
        agents.drive(dut, look_up_i=0)
        valid, done = int(dut.select_valid_o.value), bool(int(dut.done_o.value))
        address = (
            int(dut.u_ram.read_addr_i.value) if cycle else 0
        )  # first: that of the last look-up
        seen.append((address, valid, int(done)))
        assert valid == (cycle >= valid_since), f"cycle {cycle}"
        if valid and ready:
            assert int(dut.select_index_o.value) == len(found)
            found.append(int(dut.select_data_o.value))
            taken_at = cycle
        assert done == (len(found) == words and taken_at == cycle)
        assert cycle < (words + 2) * size + 4
    agents.drive(dut, select_ready_i=1)
    return found, seen


def any_entries(window: int, words: int) -> list[list[int]]:
    bits = agents.parameters()["WordBits"]
    return [[random.getrandbits(bits) for _ in range(words)] for _ in range(1 << window)]


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(stall=[False, True])
async def every_entry(dut: Any, stall: bool) -> None:
    await agents.reset(dut, **IDLE)
    for window, words in shapes():
        entries = any_entries(window, words)
        await fill(dut, window, words, entries)
        for entry in random.sample(range(1 << window), min(1 << window, 8)):
            found, _ = await look_up(dut, window, words, entry, stall)
            assert found == entries[entry]


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def look_ups_look_the_same(dut: Any) -> None:
    """Same addresses, same cycles: for every entry, and for tables of zeros and of ones."""
    await agents.reset(dut, **IDLE)
    ones = (1 << agents.parameters()["WordBits"]) - 1
    for window, words in shapes():
        traces = []
        for filling in (0, ones, None):
            entries = any_entries(window, words)
            if filling is not None:
                entries = [[filling] * words for _ in entries]
            await fill(dut, window, words, entries)
            for entry in range(1 << window):
                traces.append((await look_up(dut, window, words, entry, False))[1])
        assert all(trace == traces[0] for trace in traces)
        addresses = [address for address, _, _ in traces[0]]
        assert set(addresses) >= set(range(words << window)), "an entry is not read"


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(stop=[0, 1, 2, 5, 9])
async def wiped_in_the_middle(dut: Any, stop: int) -> None:
    """A clear, with zeros written everywhere, leaves nothing; then the table works again."""
    await agents.reset(dut, **IDLE)
    window, words = 2, 7
    await fill(dut, window, words, any_entries(window, words))
    agents.drive(dut, look_up_i=1, entry_i=3, select_ready_i=0)
    await RisingEdge(dut.clk_i)
    agents.drive(dut, look_up_i=0)
    await agents.cycles(dut, stop)
    agents.drive(dut, clear_i=1, wipe_i=1, store_i=1, store_data_i=255)
    for address in range(agents.parameters()["Words"]):
        agents.drive(dut, wipe_addr_i=address)
        await RisingEdge(dut.clk_i)
    agents.drive(dut, store_i=0)
    await agents.cycles(dut, 2)
    assert not agents.not_zero(dut)
    agents.drive(dut, clear_i=0, wipe_i=0, select_ready_i=1)
    for _ in range(10):
        await RisingEdge(dut.clk_i)
        assert not int(dut.select_valid_o.value)
        assert not int(dut.done_o.value)
    entries = any_entries(window, words)
    await fill(dut, window, words, entries)
    assert (await look_up(dut, window, words, 2, False))[0] == entries[2]
