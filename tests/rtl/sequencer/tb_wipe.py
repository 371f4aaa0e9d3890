"""monpro_wipe: random steps and commands against a model of its head.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.handle import Immediate
from cocotb.triggers import FallingEdge, ReadOnly

import agents
from agents.whole_numbers import STATES

TOP = "monpro_wipe"
PARAMETERS = ({"WipeBits": 4},)
WIPE, IDLE, RUN = (1 << STATES.index(name) for name in ("StWipe", "StIdle", "StCheck"))


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def every_wipe(dut: Any) -> None:
    """To the end, or begun again: each address once behind the last beginning; its end is told if
    it leaves nothing."""
    dut.state_i.value = Immediate(WIPE)
    await agents.reset(dut, state_i=WIPE, clear_i=0, stop_i=0)
    size = 1 << agents.parameters()["WipeBits"]
    agains = cleared = 0
    state, clearing, leaving = WIPE, False, False
    left = 0  # cycles in StIdle or of an operation
    await FallingEdge(dut.clk_i)
    at = agents.number(dut.addr_q)
    shown = 1, agents.number(dut.wipe_addr_o)
    for _ in range(6000):
        clear = state == RUN and left == 0 and random.random() < 0.5
        stop = random.random() < (0.01 if state == WIPE else 0.2)
        agents.drive(dut, state_i=state, clear_i=clear, stop_i=stop)
        await ReadOnly()
        again = state == WIPE and clearing and stop
        last = state == WIPE and not again and at == size - 2
        assert agents.number(dut.again_o) == again
        assert agents.number(dut.last_o) == last
        assert agents.number(dut.clearing_o) == clearing
        assert agents.number(dut.ended_o) == (leaving and not clearing)
        agains += again
        cleared += last and clearing
        assert (agents.number(dut.wipe_o), agents.number(dut.wipe_addr_o)) == shown
        shown, was = (int(state == WIPE), at), state
        if state == WIPE:
            at = 0 if again else (at + 1) % size
            if leaving and not again:
                state, left = IDLE, random.randrange(1, 4)
        elif left:
            left -= 1
        else:
            state = WIPE if clear or state == RUN else RUN
            left = random.randrange(4)
        leaving = last
        clearing = clear or (clearing and not again and was != IDLE)
        await FallingEdge(dut.clk_i)
    assert agains > 10
    assert cleared > 10
