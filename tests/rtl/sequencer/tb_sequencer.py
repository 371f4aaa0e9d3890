# SPDX-License-Identifier: Apache-2.0
"""monpro_sequencer with units that work on whole numbers and take any number of cycles.

The units check how they are used: a pass of the adder while a product is in flight, an operand that
is not below its bound, a look-up into a slot that is still being read, all end the test.
"""

from __future__ import annotations

import math
import random
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents
from agents.sequencer import CONFIGURATION_CYCLES, Units, Way, state, units
from agents.whole_numbers import ACC, STATES
from monpro.hardware.regs import Error, Scheme

TOP = "monpro_sequencer"
PARAMETERS = {
    "narrow": {
        "WordBits": 24, "DigitBits": 17, "Elements": 3, "Delay": 0, "MinBits": 96, "MaxBits": 256,
        "TableWords": 512, "TableBanks": 1, "Schemes": 63, "Crt": 0,
    },
    "no_split": {  # 2^b for R^2 is a whole digit where a quarter of one is no whole number of bits
        "WordBits": 22, "Elements": 3, "Delay": 1, "MinBits": 64, "MaxBits": 256,
        "TableWords": 512, "TableBanks": 1, "Schemes": 63, "Crt": 0,
    },
    "single": {
        "WordBits": 8, "Elements": 4, "Delay": 0, "MinBits": 32, "MaxBits": 72,
        "TableWords": 512, "TableBanks": 1, "Schemes": 63, "Crt": 0,
    },
    "crt": {
        "WordBits": 20, "Elements": 3, "Delay": 1, "MinBits": 64, "MaxBits": 256,
        "TableWords": 1024, "TableBanks": 2, "Schemes": 63, "Crt": 1,
    },
}  # fmt: skip


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(slow=[1, 4, 60])
async def any_speed(dut: Any, slow: int) -> None:
    """Every scheme, cold and warm, whatever each unit takes for each of its tasks."""
    unit = await units(dut, slow)
    for way in unit.ways():
        await unit.run(way, *unit.operation(way))
        size = unit.numbers.moduli[0].bit_length()
        for _ in range(3 if slow < 60 else 1):
            fits = [
                w
                for w in range(1, 7)
                if unit.model.window_fits(size, w, crt=way.crt, scheme=way.scheme)
            ]
            other = Way(way.scheme, random.choice(fits), way.public, way.crt)
            await unit.run(other, *unit.operation(other, new=False))


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def the_steps_of_a_secret(dut: Any) -> None:
    """The same steps in the same order, for every exponent of a length."""
    unit = await units(dut, 5)
    for way in unit.ways():
        if way.public:
            continue
        moduli, *_, bits = unit.operation(way)
        assert moduli
        await unit.run(way, moduli, 2, [1] * len(moduli), bits)
        seen = []
        for e in (0, 1, (1 << bits) - 1, random.getrandbits(bits), random.getrandbits(bits)):
            base = random.randrange(math.prod(moduli))
            await unit.run(way, None, base, [e, random.getrandbits(bits)][: len(moduli)], bits)
            # units finish in random order beside each other: compare what each was asked
            kinds = ("pass", "product", "take", "look up")
            seen.append([[step for step in unit.steps if step[0] == kind] for kind in kinds])
        assert all(steps == seen[0] for steps in seen), way


async def wiped(unit: Units, error: Error, *, aborted: bool = False) -> None:
    """A wipe that is about to begin: every address once, then the end, and nothing is left."""
    dut = unit.dut
    while not agents.number(dut.wipe_o):
        await RisingEdge(dut.clk_i)
    unit.ends = 0
    addresses = []
    while agents.number(dut.wipe_o):
        addresses.append(agents.number(dut.wipe_addr_o))
        asked = agents.number(dut.mul_valid_o) or agents.number(dut.alu_start_o)
        assert aborted or not asked, f"{error.name}: the step after the failed one"
        await RisingEdge(dut.clk_i)
    assert sorted(addresses) == list(range(unit.model.wipe_cycles)), error.name
    assert agents.number(dut.error_o) == error, error.name
    assert (
        agents.number(dut.warm_o) == agents.number(dut.result_o) == agents.number(dut.busy_o) == 0
    )
    await RisingEdge(dut.clk_i)
    assert unit.ends == 1, error.name


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def wipes(dut: Any) -> None:
    """After a reset, on command, by each error."""
    unit = await units(dut, 3)
    way = unit.ways()[-1] if unit.model.crt else Way()
    length = unit.model.length(unit.model.max_bits >> way.crt)
    causes: list[tuple[Error, dict[str, int]]] = [
        (Error.NONE, {"wipe_i": 1}),
        (Error.LENGTH, {"length_i": length + 1}),
        (Error.EXPONENT_LENGTH, {"bits_i": 0}),
        (Error.EXPONENT_LENGTH, {"bits_i": unit.model.max_bits + 1}),
        (Error.SCHEME, {"scheme_i": 7}),
        (Error.WINDOW, {"window_i": 0}),
        (Error.OPERAND_MISSING, {"loaded_i": 0}),
        (Error.MODULUS_EVEN, {"alu_odd_i": 0, "alu_size_i": 0}),
        (Error.MODULUS_SIZE, {"alu_size_i": 0, "alu_below_i": 0}),
        (Error.BASE_RANGE, {"alu_below_i": 0}),
    ]
    for error, cause in causes:
        operation = unit.operation(way)
        await unit.run(way, *operation)
        await unit.load(way, *operation)
        start = {"start_i": 1} if "wipe_i" not in cause else {}
        if start:
            agents.drive(dut, **cause)
            await agents.cycles(dut, CONFIGURATION_CYCLES)
        agents.drive(dut, **start or cause)
        await RisingEdge(dut.clk_i)
        unit.commanded = not start
        agents.drive(dut, start_i=0, wipe_i=0)
        await wiped(unit, error)
    await unit.run(way, *unit.operation(way))


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def second_half_of_the_check(dut: Any) -> None:
    """CRT: q as well must be odd and long enough; that qInv is not below it is no error."""
    unit = await units(dut, 3)
    if not unit.model.crt:
        return
    way = Way(crt=True)
    for error, wrong in (
        (Error.MODULUS_EVEN, {"alu_odd_i": 0}),
        (Error.MODULUS_SIZE, {"alu_size_i": 0}),
        (Error.NONE, {"alu_below_i": 0}),
    ):
        await unit.load(way, *unit.operation(way))
        await unit.start()
        while not agents.number(dut.half):
            await RisingEdge(dut.clk_i)
        agents.drive(dut, **wrong)
        if error == Error.NONE:
            await unit.end()
            assert agents.number(dut.result_o) == 1
        else:
            await wiped(unit, error)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def aborted_in_every_state(dut: Any) -> None:
    """An abort in the first cycle of each step, and later in it, ends it; then a right result."""
    unit = await units(dut, 3)
    stopped: set[str] = set()
    for way in unit.ways():
        unit.states.clear()
        moduli, base, exponents, bits = unit.operation(way)
        if not way.crt:
            bits, exponents = (3, [0b110]) if way.scheme == Scheme.REPEATED else (8, [0b11011000])
        await unit.run(way, moduli, base, exponents, bits)
        for name in sorted(unit.states - stopped - {"StWipe", "StIdle"}):
            await unit.load(way, moduli, base, exponents, bits)
            await unit.start()
            while state(agents.number(dut.state_q)) != name:
                await RisingEdge(dut.clk_i)
            agents.drive(dut, abort_i=1)
            await RisingEdge(dut.clk_i)
            agents.drive(dut, abort_i=0)
            await wiped(unit, Error.ABORTED, aborted=True)
            stopped.add(name)
        # before the first step
        await unit.load(way, moduli, base, exponents, bits)
        await unit.start()
        agents.drive(dut, abort_i=1)
        await RisingEdge(dut.clk_i)
        agents.drive(dut, abort_i=0)
        await wiped(unit, Error.ABORTED, aborted=True)
        assert not unit.steps
        await unit.run(way, moduli, base, exponents, bits)
    crt_only = set(STATES[STATES.index("StDiff") :])
    crt_only |= set(STATES[STATES.index("StHighIn") : STATES.index("StOne")])
    missed = set(STATES) - stopped - {"StWipe", "StIdle"}
    assert missed == (set() if unit.model.crt else crt_only)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def not_while_idle_or_busy(dut: Any) -> None:
    """An abort with nothing to end, and a start or a wipe while busy, do nothing."""
    unit = await units(dut, 3)
    agents.drive(dut, abort_i=1)
    await agents.cycles(dut, 3)
    agents.drive(dut, abort_i=0)
    assert agents.number(dut.busy_o) == agents.number(dut.error_o) == 0
    way = Way()
    operation = unit.operation(way)
    await unit.load(way, *operation)
    await unit.start()
    agents.drive(dut, start_i=1, wipe_i=1)
    await agents.cycles(dut, 100)
    agents.drive(dut, start_i=0, wipe_i=0)
    await unit.end()
    assert agents.number(dut.error_o) == Error.NONE
    assert unit.numbers.slot(ACC, 0) == pow(operation[1], operation[2][0], unit.numbers.moduli[0])
    # a modulus that changes takes the result with it, and what was precomputed
    assert agents.number(dut.result_o) == agents.number(dut.warm_o) == 1
    agents.drive(dut, modulus_changed_i=1)
    await RisingEdge(dut.clk_i)
    agents.drive(dut, modulus_changed_i=0)
    await agents.cycles(dut, 2)
    assert agents.number(dut.result_o) == agents.number(dut.warm_o) == 0


@cocotb.test(timeout_time=1, timeout_unit="ms")
@cocotb.parametrize(command=["wipe_i", "start_i"])
async def not_in_any_cycle(dut: Any, command: str) -> None:
    """A wipe or a start in one cycle while busy does nothing: in any one, in each of the last."""
    unit = await units(dut, 1)  # every operation takes the same cycles
    way = Way(Scheme.BINARY)
    _, base, exponents, _ = operation = unit.operation(way)
    await unit.run(way, *operation)

    async def busy_cycles(at: int) -> int:
        await unit.load(way, None, base, exponents, bits=3)
        await unit.start()
        count = 0
        while True:
            agents.drive(dut, **{command: count == at})
            await RisingEdge(dut.clk_i)
            if not agents.number(dut.busy_o):
                break
            count += 1
        agents.drive(dut, **{command: 0})
        for _ in range(4):
            await RisingEdge(dut.clk_i)
            assert not agents.number(dut.busy_o), f"{command} {at} of {count}"
        assert unit.ends == agents.number(dut.result_o) == agents.number(dut.warm_o) == 1
        n = unit.numbers.moduli[0]
        assert unit.numbers.slot(ACC, 0) == pow(base, exponents[0] & 7, n)
        return count

    all_cycles = await busy_cycles(-1)
    last = range(all_cycles - 6, all_cycles)
    for at in (*random.sample(range(last[0]), 6), *last):
        assert await busy_cycles(at) == all_cycles, f"{command} {at} of {all_cycles}"
