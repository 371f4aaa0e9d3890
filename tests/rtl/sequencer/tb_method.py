"""monpro_method: what the steps know of each scheme, against the table of schemes.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents
from agents import structs
from agents.whole_numbers import METHOD_BITS, SEQUENCER
from monpro.hardware.regs import Scheme

TOP = "monpro_method"
PARAMETERS = ({"Schemes": 63}, {"Schemes": 5})
KINDS = {
    Scheme.FIXED_WINDOW: "fixed",
    Scheme.BINARY: "binary",
    Scheme.SLIDING_WINDOW: "sliding",
    Scheme.RIGHT_TO_LEFT: "right_to_left",
    Scheme.LADDER: "ladder",
    Scheme.REPEATED: "repeated",
}


def expected(scheme: Scheme, public: int) -> int:
    kind = "public_binary" if scheme == Scheme.BINARY and public else KINDS[scheme]
    return structs.bits(SEQUENCER, "method_t", **dict.fromkeys(METHOD_BITS[kind], 1))


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def every_scheme(dut: Any) -> None:
    """A cycle after the configuration; of schemes that the design has."""
    agents.start_clock(dut)
    known = [scheme for scheme in Scheme if agents.parameters()["Schemes"] >> scheme & 1]
    cases = [(scheme, public) for scheme in known for public in (0, 1)] * 4
    random.shuffle(cases)
    for scheme, public in cases:
        agents.drive(dut, scheme_i=scheme, public_i=public)
        await agents.cycles(dut, 2)
        assert agents.number(dut.method_o) == expected(scheme, public), (scheme, public)
    # What a design leaves out has no control of its own.
    agents.drive(dut, scheme_i=Scheme.LADDER, public_i=0)
    await RisingEdge(dut.clk_i)
    await RisingEdge(dut.clk_i)
    ladder = structs.bits(SEQUENCER, "method_t", ladder=1)
    assert bool(agents.number(dut.method_o) & ladder) == (Scheme.LADDER in known)
