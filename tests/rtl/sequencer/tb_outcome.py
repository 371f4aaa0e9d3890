"""monpro_outcome: the error of every refusal, and what is left after each end, against a model.

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
from agents.whole_numbers import STATES
from monpro.hardware.regs import Error

TOP = "monpro_outcome"
PARAMETERS: tuple[dict[str, int], ...] = ({},)
INPUTS = ("start", "wipe", "stop", "clearing", "crt", "half", "modulus_changed", "pass_done",
          "last_pass", "alu_done", "alu_below", "alu_odd", "alu_size", "alu_negative")  # fmt: skip
# Where something can happen; the other steps change nothing.
BUSY = ("StWipe", "StIdle", "StCheck", "StBase", "StRestore", "StDiffFix", "StWideSum")
CONFIG_ERRORS = (Error.NONE, Error.SCHEME, Error.WINDOW, Error.LENGTH)
STEPS = 8000


@dataclass(slots=True)
class Outcome:
    """The fields are the module's outputs."""

    failed: int = 0
    error: int = Error.NONE
    warm: int = 0
    result: int = 0

    def step(self, name: str, config_error: Error, i: dict[str, int]) -> None:
        """A clock edge at the end of a cycle in a step."""
        begins = name == "StIdle" and i["start"]
        refusals = []
        if begins:
            refusals.append(config_error)
        if name == "StCheck" and i["alu_done"]:
            refusals.append(
                Error.MODULUS_EVEN if not i["alu_odd"]
                else Error.MODULUS_SIZE if not i["alu_size"]
                else Error.BASE_RANGE if not (i["alu_below"] or i["half"])
                else Error.NONE
            )  # fmt: skip
        if name == "StDiffFix" and i["alu_done"] and i["last_pass"] and i["alu_negative"]:
            refusals.append(Error.MODULUS_SIZE)
        if i["stop"] and not self.failed:
            self.error = Error.ABORTED
        elif refusals:
            self.error = refusals[0]
        elif name == "StIdle" and i["wipe"]:
            self.error = Error.NONE
        self.failed = int(any(refusals))

        if i["modulus_changed"]:
            self.warm = self.result = 0
        if name == "StBase":
            self.warm = 1
        if name == "StRestore" and i["pass_done"]:
            self.result = 1 - i["crt"]
        if name == "StWideSum" and i["alu_done"]:
            self.result = 1
        if name == "StWipe":
            self.warm = 0
            self.result &= i["clearing"]
        if begins:
            self.result = 0


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def every_end(dut: Any) -> None:
    """Steps in any order, with anything found in them."""
    dut.state_i.value = Immediate(1)
    await agents.reset(dut, state_i=1, config_error_i=0, **{f"{name}_i": 0 for name in INPUTS})
    model, config_error = Outcome(), Error.NONE
    errors = set()
    for _ in range(STEPS):
        name = random.choice(BUSY if random.random() < 0.8 else STATES)
        wanted = random.choice(CONFIG_ERRORS)
        inputs = {one: random.getrandbits(1) for one in INPUTS}
        inputs["stop"] &= random.getrandbits(1)
        agents.drive(dut, state_i=1 << STATES.index(name), config_error_i=wanted)
        agents.drive(dut, **{f"{one}_i": value for one, value in inputs.items()})
        await RisingEdge(dut.clk_i)
        seen = {field: agents.number(dut[f"{field}_o"]) for field in Outcome.__slots__}
        assert seen == {field: getattr(model, field) for field in seen}, name
        errors.add(seen["error"])
        model.step(name, config_error, inputs)
        config_error = wanted
    assert errors == {*CONFIG_ERRORS, Error.MODULUS_EVEN, Error.MODULUS_SIZE, Error.BASE_RANGE,
                      Error.ABORTED}  # fmt: skip
