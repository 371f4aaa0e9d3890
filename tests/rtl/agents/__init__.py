# SPDX-License-Identifier: Apache-2.0
"""What the test benches share on cocotb's side: clock, reset, parameters, memories, stalls."""

from __future__ import annotations

import json
import os
import random
from collections import deque
from typing import Any

from cocotb.clock import Clock
from cocotb.handle import (
    ArrayObject,
    HierarchyArrayObject,
    HierarchyObject,
    LogicArrayObject,
)
from cocotb.triggers import RisingEdge, Timer

from agents import structs

CLOCK_NS = 2


def parameters() -> dict[str, int]:
    """The numbers among the parameters that the model was built with."""
    values: dict[str, int | str] = json.loads(os.environ["MONPRO_PARAMETERS"])
    return {name: value for name, value in values.items() if isinstance(value, int)}


def text(name: str) -> str:
    """A parameter that is a string."""
    return str(json.loads(os.environ["MONPRO_PARAMETERS"])[name]).strip('"')


def start_clock(dut: Any) -> None:
    Clock(dut.clk_i, CLOCK_NS, "ns").start()


def drive(dut: Any, **values: int) -> None:
    """Sets inputs: they hold from just after the last clock edge on. A field of a core's struct is
    set by the name that the input has elsewhere."""
    for name, value in values.items():
        port, number_ = name, int(value)
        if not hasattr(dut, name):
            port, number_ = structs.driven(name, number_)
        getattr(dut, port).value = number_


async def reset(dut: Any, **inputs: int) -> None:
    """Starts the clock, sets inputs, holds the reset, rst_ni or else clear_i, for some cycles."""
    name, active = ("rst_ni", 0) if hasattr(dut, "rst_ni") else ("clear_i", 1)
    start_clock(dut)
    drive(dut, **inputs | {name: active})
    await cycles(dut, 3)
    drive(dut, **{name: 1 - active})
    await RisingEdge(dut.clk_i)


async def cycles(dut: Any, count: int) -> None:
    edge = RisingEdge(dut.clk_i)
    if count > 3:  # all but the first and the last in one go, to the middle of a cycle
        await edge
        await Timer((count - 2) * CLOCK_NS + CLOCK_NS // 2, "ns")
        count = 1
    for _ in range(count):
        await edge


def number(handle: Any) -> int:
    """int(handle.value) in a fraction of the time, for what is read in every cycle."""
    return int(handle._handle.get_signal_val_binstr(), 2)


class Reads:
    """What a module reads of monpro_ram: each set of inputs holds a cycle after it would have
    followed its index at once. Before the first one they are anything."""

    def __init__(self, dut: Any, *ports: str, bits: int) -> None:
        self._ports = {port: getattr(dut, port) for port in ports}
        self._next: deque[dict[str, int]] = deque()
        self._next.append({port: random.getrandbits(bits) for port in ports})

    def cycle(self, **inputs: int) -> None:
        """In a cycle: what belongs to the indexes that are there in it."""
        self._next.append(inputs)
        for port, word in self._next.popleft().items():
            self._ports[port].value = word


def _value(item: Any) -> int:
    """Of any kind of object."""
    return number(item) if isinstance(item, LogicArrayObject) else int(item.value)


def registers(dut: Any) -> dict[str, int]:
    """Every register of a module and of those in it, by path: all that is named *_q, and what a
    memory holds and last read."""
    assert os.environ["MONPRO_INSIDE"] == "1", "this bench's model does not show them"
    found: dict[str, int] = {}
    pending = [("", dut)]
    while pending:
        path, scope = pending.pop()
        for item in scope:
            name = item._name
            if isinstance(item, HierarchyObject | HierarchyArrayObject):
                pending.append((f"{path}{name}.", item))
            elif isinstance(item, ArrayObject):
                if name.endswith("_q"):
                    found |= {f"{path}{name}[{i}]": _value(item[i]) for i in item.range}
            elif name.endswith("_q") or (path.endswith("ram.") and name == "read_data_o"):
                found[path + name] = _value(item)
    assert found, "no registers: has the naming rule changed?"
    return found


def not_zero(dut: Any, *but: str) -> dict[str, int]:
    """The registers that hold something, but for those named, which are no secret."""
    return {
        name: value
        for name, value in registers(dut).items()
        if value and name.rpartition(".")[2] not in but
    }
