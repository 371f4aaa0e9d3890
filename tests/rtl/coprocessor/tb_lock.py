# SPDX-License-Identifier: Apache-2.0
"""monpro_lock: random pulses against a model of its head."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, RisingEdge

import agents
from monpro.hardware.regs import Leave, Slot

TOP = "monpro_lock"
PARAMETERS: tuple[dict[str, int], ...] = ({},)
IDLE = {
    "leave_i": 0, "ended_i": 0, "wiping_i": 0, "writable_i": 1, "configure_i": 0, "load_i": 0,
    "slot_i": 0,
}  # fmt: skip


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def random_pulses(dut: Any) -> None:
    """Locked from an end with lock to a wipe; a breach is any write but that of a base."""
    await agents.reset(dut, **IDLE)
    locked, breaches, bases = False, 0, 0
    breach = False  # by the write of the cycle before
    for _ in range(4000):
        given = {name: int(random.random() < 0.2) for name in IDLE if name.endswith("_i")}
        given |= {"leave_i": random.randrange(4), "slot_i": random.randrange(8)}
        given["writable_i"] = int(random.random() < 0.8)
        agents.drive(dut, **given)
        await FallingEdge(dut.clk_i)
        assert agents.number(dut.locked_o) == locked
        assert agents.number(dut.breach_o) == bool(breach)
        other = given["load_i"] and given["slot_i"] != Slot.BASE
        breach = locked and given["writable_i"] and (given["configure_i"] or other)
        breaches += bool(breach)
        bases += locked and given["load_i"] and not breach
        await RisingEdge(dut.clk_i)
        if given["wiping_i"]:
            locked = False
        elif given["ended_i"] and given["leave_i"] == Leave.LOCK:
            locked = True
    assert breaches > 50
    assert bases > 20
