"""monpro_order: the step that follows each step, against a table of its own.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import cocotb
from cocotb.handle import Immediate
from cocotb.triggers import RisingEdge

import agents
from agents import structs
from agents.whole_numbers import METHOD_BITS, METHODS, SEQUENCER, STATES

TOP = "monpro_order"
PARAMETERS: tuple[dict[str, int], ...] = ({},)
Facts = dict[str, Any]


def constants_end(f: Facts) -> str:
    if f["crt"]:
        return "StHighIn"
    return "StOne" if "tabled" in METHOD_BITS[f["method"]] else "StBase"


def base_end(f: Facts) -> str:
    if f["method"] in ("right_to_left", "ladder"):
        return "StBit"
    if f["method"] == "repeated":
        return "StCount"
    if f["method"] == "sliding" and f["window"]:
        return "StSquareBase"
    return "StTable" if f["method"] in ("fixed", "binary") and f["window"] != 1 else "StNext"


def next_end(f: Facts) -> str:
    if f["none_taken"]:
        return "StLastInit"
    if f["method"] == "sliding":
        return "StMore" if f["one_taken"] else "StNext" if f["first"] else "StZeros"
    if not f["first"]:
        return "StSquare"
    return "StFirst" if "tabled" in METHOD_BITS[f["method"]] else "StNext"


def square_end(f: Facts) -> str:
    if not f["last_squaring"]:
        return "StSquare"
    multiplies = "selecting" in METHOD_BITS[f["method"]] or f["one_taken_q"]
    return "StMultiply" if multiplies else "StNext"


def multiply_end(f: Facts) -> str:
    return "StZeros" if f["method"] == "sliding" and f["zeros"] else "StNext"


def bit_end(f: Facts) -> str:
    if f["none_taken"]:
        return "StFirst" if f["method"] == "ladder" else "StLastInit"
    if f["method"] == "ladder" or not f["public"]:
        return "StBitSelect"
    return "StBitFirst" if f["one_taken"] else "StBitSecond"


def square_r2_end(f: Facts) -> str:
    if f["power_one"]:
        return "StMultiplyR2"
    return constants_end(f) if f["power_last"] else "StSquareR2"


def restore_end(f: Facts) -> str:
    if not f["crt"]:
        return "StIdle"
    return "StCopyQ" if f["combining"] else "StDiff"


def choice(fact: str, yes: str, no: str) -> Callable[[Facts], str]:
    return lambda f: yes if f[fact] else no


ORDER: dict[str, str | Callable[[Facts], str]] = {
    "StWipe": "StIdle",
    "StIdle": choice("wipe", "StWipe", "StCheck"),
    "StCheck": lambda f: constants_end(f) if f["warm"] else "StScaleInit",
    "StScaleInit": "StScale",
    "StScale": choice("last_pass", "StPowerInit", "StScale"),
    "StPowerInit": "StPower",
    "StPower": choice("last_doubling", "StPowerEnd", "StPower"),
    "StPowerEnd": "StSquareR2",
    "StSquareR2": square_r2_end,
    "StMultiplyR2": lambda f: constants_end(f) if f["power_end"] else "StSquareR2",
    "StHighIn": "StHighShift",
    "StHighShift": "StLowIn",
    "StLowIn": "StSum",
    "StSum": "StOne",
    "StOne": "StEntry0",
    "StEntry0": "StBase",
    "StBase": base_end,
    "StSquareBase": "StTable",
    "StTable": choice("last_entry", "StNext", "StTable"),
    "StNext": next_end,
    "StMore": choice("first", "StFirst", "StSquare"),
    "StFirst": lambda f: "StLastInit" if f["method"] == "ladder" else multiply_end(f),
    "StSquare": square_end,
    "StMultiply": multiply_end,
    "StZeros": choice("last_zero", "StNext", "StZeros"),
    "StBit": bit_end,
    "StBitSelect": "StBitFirst",
    "StBitFirst": "StBitSecond",
    "StBitSecond": "StBit",
    "StCount": lambda f: (
        "StCount" if not f["none_taken"] else "StRepeat" if f["repeats"] else "StLastInit"
    ),
    "StRepeat": choice("repeats", "StRepeat", "StLastInit"),
    "StLastInit": choice("first", "StUnscale", "StLast"),
    "StLast": "StUnscale",
    "StUnscale": choice("last_pass", "StSub", "StUnscale"),
    "StSub": "StRestore",
    "StRestore": restore_end,
    "StDiff": "StDiffFix",
    "StDiffFix": choice("last_pass", "StDiffIn", "StDiffFix"),
    "StDiffIn": "StInverseIn",
    "StInverseIn": "StFactor",
    "StFactor": "StLastInit",
    "StCopyQ": "StWideInit",
    "StWideInit": "StWide",
    "StWide": "StWideSum",
    "StWideSum": "StIdle",
}


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def every_step(dut: Any) -> None:
    """What an operation is stays for a while; what its steps find changes from cycle to cycle."""
    conditions = structs.fields(SEQUENCER, "conditions_t")
    assert set(STATES) == ORDER.keys()
    dut.state_i.value = Immediate(1 << STATES.index("StWipe"))
    agents.start_clock(dut)
    seen = set()
    for _ in range(200):
        f: Facts = {
            "method": random.choice(METHODS), "window": random.randrange(7),
            "public": random.getrandbits(1), "crt": random.getrandbits(1),
        }  # fmt: skip
        method = structs.bits(SEQUENCER, "method_t", **dict.fromkeys(METHOD_BITS[f["method"]], 1))
        agents.drive(
            dut, public_i=f["public"], crt_i=f["crt"], window_i=f["window"], method_i=method
        )
        await agents.cycles(dut, 3)
        for step, after in ORDER.items():
            f |= {name: random.getrandbits(1) for name in conditions}
            given = {name: f[name] for name in conditions}
            agents.drive(
                dut, state_i=1 << STATES.index(step),
                conditions_i=structs.bits(SEQUENCER, "conditions_t", **given),
            )  # fmt: skip
            await RisingEdge(dut.clk_i)
            await RisingEdge(dut.clk_i)
            expected = after if isinstance(after, str) else after(f)
            assert agents.number(dut.after_o) == 1 << STATES.index(expected), (step, f)
            seen.add((step, expected))
    assert len(seen) == 87, "some step that may follow another was not seen"
