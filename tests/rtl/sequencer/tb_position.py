"""monpro_position: what is kept of an operation's steps, against a model, step by step.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import cocotb
from cocotb.handle import Immediate
from cocotb.triggers import RisingEdge

import agents
from agents import structs
from agents.whole_numbers import METHOD_BITS, METHODS, SEQUENCER, STATES

TOP = "monpro_position"
PARAMETERS = ({"Crt": 0}, {"Crt": 1})
EVENTS = ("half_done", "product_done", "alu_done", "taken", "none_taken", "one_taken", "none",
          "length_changed")  # fmt: skip
STEPS = 6000
# After these the running value, or R^2, has yet to be computed; after those it has been.
NEW_LOOP = ("StPowerEnd", "StBase")
COMPUTED = ("StSquareR2", "StFirst", "StSquare", "StBit")


@dataclass(slots=True)
class Position:
    """Of one operation; the fields are the module's outputs."""

    crt: bool
    first: int = 0
    from_base: int = 0
    entry: int = 0
    half: int = 0
    combining: int = 0
    wide: int = 0
    restart: int = 0

    def step(self, name: str, method: tuple[str, ...], both: int, e: dict[str, int]) -> None:
        """A clock edge at the end of a cycle in a step."""
        ends = {"StSquareR2": "product_done", "StSquare": "product_done"}
        done = e[ends[name]] if name in ends else 1
        was_first = self.first
        taken = name == "StNext" and e["taken"] and not e["none_taken"] and "sliding" not in method
        if name in NEW_LOOP or (name == "StMore" and e["taken"]) or (taken and not was_first):
            self.first = 1
        elif name in COMPUTED and done:
            self.first = 0
        elif taken and "tabled" not in method:
            self.first = 1 - e["one_taken"]
        elif name == "StCount" and e["taken"] and e["none_taken"]:
            self.first = e["none"]

        if name == "StBase":
            self.from_base, self.entry = 1, 1 if "sliding" in method else 2
        elif name == "StTable" and e["product_done"]:
            self.entry = (self.entry + 1) % 64
        computed = name in ("StTable", "StSquare", "StRepeat") and e["product_done"]
        left = (name == "StMore" and e["taken"]) or name == "StBit"
        if computed or left or (taken and was_first and "tabled" in method):
            self.from_base = 0
        self.recombination(name, both, e)

    def recombination(self, name: str, both: int, e: dict[str, int]) -> None:
        copied = int(name == "StCopyQ" and e["alu_done"])
        self.restart = int(e["length_changed"] or copied or (name == "StIdle" and self.wide))
        if not self.crt:
            return
        self.half = 0 if name == "StWipe" else self.half ^ (e["half_done"] & both)
        self.combining = int((self.combining or name == "StDiff") and name != "StIdle")
        self.wide = int((self.wide or copied) and name != "StIdle")


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def every_step(dut: Any) -> None:
    """Steps in any order, with anything ending in them."""
    dut.state_i.value = Immediate(1)
    idle = {f"{event}_i": 0 for event in EVENTS}
    await agents.reset(dut, state_i=1, method_i=0, window_i=1, both_i=0, **idle)
    model = Position(bool(agents.parameters()["Crt"]))
    method: tuple[str, ...] = ()
    window = 1
    late = [-1, -1]  # the entry, as last_entry_o sees it
    settled = 0
    for _ in range(STEPS):
        if random.random() < 0.05:  # a configuration is static in an operation
            method, window = METHOD_BITS[random.choice(METHODS)], random.randint(1, 6)
            settled = 0
        name = random.choice(STATES)
        both = random.getrandbits(1)
        events = {event: random.getrandbits(1) for event in EVENTS}
        agents.drive(
            dut, state_i=1 << STATES.index(name), both_i=both, window_i=window,
            method_i=structs.bits(SEQUENCER, "method_t", **dict.fromkeys(method, 1)),
            **{f"{event}_i": value for event, value in events.items()},
        )  # fmt: skip
        await RisingEdge(dut.clk_i)
        seen = {f: agents.number(dut[f"{f}_o"]) for f in Position.__slots__ if f != "crt"}
        assert seen == {f: getattr(model, f) for f in seen}, name
        late.append(model.entry)
        settled += 1
        if settled > 3:
            assert agents.number(dut.last_entry_o) == (late[-2] == (1 << window) - 1)
        model.step(name, method, both, events)
