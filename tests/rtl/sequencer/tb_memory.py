# SPDX-License-Identifier: Apache-2.0
"""monpro_memory: three readers and two writers at random, against a dictionary."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents

TOP = "monpro_memory"
PARAMETERS = (
    {"WordBits": 17, "IndexBits": 3, "SlotBits": 2},
    {"WordBits": 8, "IndexBits": 2, "SlotBits": 3},
)


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(write_chance=[0.0, 0.4, 1.0])
async def reads_and_writes_together(dut: Any, write_chance: float) -> None:
    """Each read comes two cycles later; one of a word that is being written may give anything."""
    p = agents.parameters()
    word_bits, words, slots = p["WordBits"], 1 << p["IndexBits"], 1 << p["SlotBits"]
    agents.start_clock(dut)
    work: dict[tuple[int, int], int] = {}
    modulus: dict[tuple[int, int], int] = {}
    agents.drive(dut, x_slot_i=0, x_index_i=0, y_slot_i=0, y_index_i=0)
    agents.drive(dut, n_scaled_i=0, n_index_i=0)
    for slot in range(slots):
        for index in range(words):
            word = work[slot, index] = random.getrandbits(word_bits)
            agents.drive(dut, work_write_i=1, work_slot_i=slot)
            agents.drive(dut, work_index_i=index, work_data_i=word)
            word = modulus[slot % 2, index] = random.getrandbits(word_bits)
            agents.drive(dut, n_write_i=1, n_write_scaled_i=slot % 2)
            agents.drive(dut, n_write_index_i=index, n_write_data_i=word)
            await RisingEdge(dut.clk_i)

    def somewhere(slots: int) -> tuple[int, int]:
        return random.randrange(slots), random.randrange(words)

    expected: list[dict[str, int]] = []
    for _ in range(3000):
        x, y, n = somewhere(slots), somewhere(slots), somewhere(2)
        to_work = random.choice([x, y, somewhere(slots)])
        to_modulus = random.choice([n, somewhere(2)])
        word, other = random.getrandbits(word_bits), random.getrandbits(word_bits)
        write, write_modulus = (random.random() < write_chance for _ in range(2))
        agents.drive(
            dut, x_slot_i=x[0], x_index_i=x[1], y_slot_i=y[0], y_index_i=y[1],
            n_scaled_i=n[0], n_index_i=n[1],
            work_write_i=write, work_slot_i=to_work[0], work_index_i=to_work[1], work_data_i=word,
            n_write_i=write_modulus, n_write_scaled_i=to_modulus[0],
            n_write_index_i=to_modulus[1], n_write_data_i=other,
        )  # fmt: skip
        await RisingEdge(dut.clk_i)
        if len(expected) == 2:
            for port, value in expected.pop(0).items():
                assert int(dut[f"{port}_data_o"].value) == value, port
        known = {}
        if not (write and to_work == x):
            known["x"] = work[x]
        if not (write and to_work == y):
            known["y"] = work[y]
        if not (write_modulus and to_modulus == n):
            known["n"] = modulus[n]
        expected.append(known)
        if write:
            work[to_work] = word
        if write_modulus:
            modulus[to_modulus] = other
