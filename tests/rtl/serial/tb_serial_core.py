# SPDX-License-Identifier: Apache-2.0
"""monpro_serial_core: exponentiations without the bus, over both multipliers, to the cycle."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, First, RisingEdge
from cocotb.utils import get_sim_time

import agents
from monpro.hardware.models.coprocessor import PUBLIC_SCHEMES
from monpro.hardware.models.montgomery import join, split
from monpro.hardware.models.serial import SerialCoprocessor
from monpro.hardware.regs import Error, Scheme

TOP = "monpro_serial_core"
PARAMETERS = {
    "radix2": {"Multiplier": '"radix2"', "MinBits": 32, "MaxBits": 128, "Schemes": 6},
    "radix2_1024": {"Multiplier": '"radix2"', "MinBits": 32, "MaxBits": 1024, "Schemes": 6},
    "interleaved": {"Multiplier": '"interleaved"', "MinBits": 32, "MaxBits": 64, "Schemes": 38},
}
IDLE = {
    "start_i": 0, "wipe_i": 0, "abort_i": 0, "wipes_i": 0,
    "length_i": 0, "bits_i": 1, "scheme_i": 1,
    "window_i": 1, "public_i": 0, "crt_i": 0, "loaded_i": 1, "length_changed_i": 0,
    "modulus_changed_i": 0, "load_modulus_i": 0, "load_base_i": 0, "load_inverse_i": 0,
    "load_half_i": 0, "load_index_i": 0, "load_data_i": 0, "load_exponent_i": 0,
    "load_exponent_addr_i": 0, "load_exponent_data_i": 0, "read_index_i": 0,
}  # fmt: skip
# From a write to the configuration until it counts.
CONFIGURATION_CYCLES = 4
# Registers that follow from lengths and from what was asked alone, and may stay as they were.
NO_SECRET = {
    "last_word_q",
    "error_q", "x_index_q", "x_bit_q", "index_q", "valid_q", "push_q", "popped_q", "last_q",
    "window_q", "size_window_q", "length_ok_q", "scheme_ok_q", "window_ok_q",
    "word_index_q", "x_place_q",
    "bits_q", "no_bits_q", "many_bits_q", "too_many_bits_q",
}  # fmt: skip


class Core:
    """Loads operands, runs operations and knows what they must cost."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        p = agents.parameters()
        self.model = SerialCoprocessor(p["MinBits"], p["MaxBits"], agents.text("Multiplier"))
        self.min_bits, self.max_bits = p["MinBits"], p["MaxBits"]
        self.schemes = [scheme for scheme in Scheme if p["Schemes"] >> scheme & 1]
        self.n = 0

    async def set_up(self) -> None:
        await agents.reset(self.dut, **IDLE)
        await FallingEdge(self.dut.busy)  # the wipe after a reset
        await agents.cycles(self.dut, 4)

    async def write(self, value: int, words: int, what: str) -> None:
        agents.drive(self.dut, **{what: 1})
        for index, word in enumerate(split(value, words, 32)):
            agents.drive(self.dut, load_index_i=index, load_data_i=word)
            await RisingEdge(self.dut.clk_i)
        agents.drive(self.dut, **{what: 0})

    async def load(self, n: int | None, x: int, e: int) -> None:
        """Operands; without a modulus the one before stays."""
        dut = self.dut
        if n is not None:
            self.n = n
            length = self.model.length(n.bit_length())
            agents.drive(dut, length_i=length, length_changed_i=1, modulus_changed_i=1)
            await RisingEdge(dut.clk_i)
            agents.drive(dut, length_changed_i=0, modulus_changed_i=0)
            await self.write(n, length + 1, "load_modulus_i")
        await self.write(x, self.model.operand_words(self.n.bit_length()), "load_base_i")
        agents.drive(dut, load_exponent_i=1)
        for address, word in enumerate(split(e, -(-self.max_bits // 32), 32)):
            agents.drive(dut, load_exponent_addr_i=address, load_exponent_data_i=word)
            await RisingEdge(dut.clk_i)
        agents.drive(dut, load_exponent_i=0)

    async def start(self, bits: int, scheme: int, public: bool) -> None:
        agents.drive(self.dut, bits_i=bits, scheme_i=scheme, public_i=public)
        await agents.cycles(self.dut, CONFIGURATION_CYCLES)
        agents.drive(self.dut, start_i=1)
        await RisingEdge(self.dut.clk_i)
        agents.drive(self.dut, start_i=0)

    async def run(self, bits: int, scheme: int, public: bool) -> tuple[int, int]:
        """One operation that must succeed; its cycles."""
        dut = self.dut
        await self.start(bits, scheme, public)
        begin = get_sim_time("ns") + agents.CLOCK_NS
        await First(RisingEdge(dut.exponentiating), RisingEdge(dut.ended))
        middle = get_sim_time("ns")
        assert agents.number(dut.exponentiating), f"error {agents.number(dut.error)}"
        await RisingEdge(dut.ended)
        end = get_sim_time("ns")
        await agents.cycles(dut, 2)
        assert (agents.number(dut.error), agents.number(dut.result)) == (Error.NONE, 1)
        assert agents.number(dut.busy) == 0
        cycle = agents.CLOCK_NS
        return round((middle - begin) / cycle) + 1, round((end - middle) / cycle) + 1

    async def result(self) -> int:
        words = []
        for index in range(self.model.operand_words(self.n.bit_length())):
            agents.drive(self.dut, read_index_i=index)
            await agents.cycles(self.dut, 3)
            words.append(agents.number(self.dut.read_data_o))
        return join(words, 32)


async def core(dut: Any) -> Core:
    unit = Core(dut)
    await unit.set_up()
    return unit


def modulus(bits: int) -> int:
    return random.getrandbits(bits) | 1 | 1 << (bits - 1)


async def check(
    unit: Core, n: int | None, x: int, e: int, bits: int, scheme: Scheme, *, public: bool = False
) -> tuple[int, int]:
    """One exponentiation: its result, and the cycles of both of its phases."""
    await unit.load(n, x, e)
    cycles = await unit.run(bits, scheme, public)
    what = f"{x:#x} ^ {e:#x} mod {unit.n:#x}, {bits} bits, {scheme}, public {public}"
    assert await unit.result() == pow(x, e, unit.n), what
    cost = unit.model.modexp(
        scheme, unit.n.bit_length(), bits, warm=n is None, exponent=e if public else None
    )
    assert cycles == (cost.cycles_precompute, cost.cycles_exponentiate), what
    return cycles


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def exponents(dut: Any) -> None:
    """Every scheme, cold and warm, secret and public, over exponents of every weight."""
    unit = await core(dut)
    long = unit.max_bits > 128
    for length in (unit.min_bits, unit.max_bits):
        n: int | None = modulus(length)
        for scheme in unit.schemes:
            for bits, e in [
                (1, 0), (1, 1), (2, 1), (2, 2), (2, 3), (5, 0), (6, 0b101100), (7, 127), (9, 1),
            ][:: 3 if long else 1]:  # fmt: skip
                for public in (True, False):
                    if not public and scheme in PUBLIC_SCHEMES:
                        continue
                    x = random.choice([0, 1, unit.n - 1 if n is None else n - 1])
                    x = random.choice([x, random.randrange(n or unit.n)])
                    await check(unit, n, x, e, bits, scheme, public=public)
                    n = None


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def every_length(dut: Any) -> None:
    """Moduli of every fill of the highest word, extreme ones among them."""
    unit = await core(dut)
    low, high = unit.min_bits, unit.max_bits
    lengths = range(low, min(high, 98)) if high <= 128 else [61, 62, 63, 93, 511, 1021, 1022, 1023]
    for length in lengths:
        n = random.choice([modulus(length), (1 << length) - 1, 1 << (length - 1) | 1])
        x, e = random.choice([n - 1, random.randrange(n)]), random.getrandbits(3)
        await check(unit, n, x, e, 3, random.choice(unit.schemes[:2]))


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def random_operations(dut: Any) -> None:
    unit = await core(dut)
    for number in range(30 if unit.max_bits <= 128 else 3):
        scheme = random.choice(unit.schemes)
        public = scheme in PUBLIC_SCHEMES or random.random() < 0.5
        n = modulus(random.randint(unit.min_bits, unit.max_bits)) if number % 3 == 0 else None
        bits = random.randint(1, 5 if scheme == Scheme.REPEATED or unit.max_bits > 128 else 40)
        x, e = random.randrange(n or unit.n), random.getrandbits(bits)
        await check(unit, n, x, e, bits, scheme, public=public)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def secrets_take_equal_time(dut: Any) -> None:
    """The same steps in the same cycles for exponents of every weight, bases and moduli."""
    unit = await core(dut)
    if unit.max_bits > 128:
        return
    length, bits = unit.max_bits, 7
    control = dut.u_control
    for scheme in set(unit.schemes) - set(PUBLIC_SCHEMES):
        traces = []
        for e in (0b1111111, 0, 1, 0b1000000, 0b0101010, 0b1110111):
            n = random.choice([modulus(length), (1 << length) - 1])
            x = random.choice([0, 1, n - 1, random.randrange(n)])
            await unit.set_up()
            await unit.load(n, x, e)
            await unit.start(bits, scheme, False)
            seen: list[tuple[int, ...]] = []
            while not seen or seen[-1][1]:
                await RisingEdge(dut.clk_i)
                signals = (
                    control.state_q, dut.busy, dut.address, dut.product, dut.keep_q, dut.pass_q,
                    dut.u_exponent.u_ram.read_addr_i, dut.square_next, dut.multiply_next,
                )  # fmt: skip
                seen.append(tuple(map(agents.number, signals)))
            assert await unit.result() == pow(x, e, n)
            traces.append(seen)
        assert all(trace == traces[0] for trace in traces), scheme


def left(dut: Any, blank: dict[str, int]) -> dict[str, int]:
    """What tells a coprocessor from one that never held an operand."""
    return {
        name: value
        for name, value in agents.registers(dut).items()
        if value != blank[name] and name.rpartition(".")[2] not in NO_SECRET
    }


@cocotb.test(timeout_time=5, timeout_unit="ms")
@cocotb.parametrize(how=["wipe", "abort", "reset"])
async def nothing_is_left(dut: Any, how: str) -> None:
    """No bit of an operand is in any memory or register after the end; then a right result."""
    unit = await core(dut)
    blank = agents.registers(dut)
    length = unit.max_bits
    bits = 8
    ones = (1 << length) - 1
    states = set()
    for scheme in unit.schemes[:2] if length <= 128 else unit.schemes[:1]:
        cost = unit.model.modexp(scheme, length, bits, warm=False)
        every = range(1, cost.cycles - 1)
        stops = [cost.cycles + 10] if how == "wipe" else random.sample(every, 12)
        for stop in stops[:3] if length > 128 else stops:
            await unit.load(ones, ones - 2, 0xFF)
            await unit.start(bits, scheme, False)
            await agents.cycles(dut, stop)
            states.add(agents.number(dut.u_control.state_q))
            assert left(dut, blank)
            agents.drive(dut, load_data_i=0, load_exponent_data_i=0)
            if how == "reset":
                agents.drive(dut, rst_ni=0)
                await agents.cycles(dut, 2)
                agents.drive(dut, rst_ni=1)
            else:
                agents.drive(dut, **{f"{how}_i": 1})
                await RisingEdge(dut.clk_i)
                agents.drive(dut, **{f"{how}_i": 0})
            begin = get_sim_time("ns")
            await RisingEdge(dut.clk_i)
            await FallingEdge(dut.busy)
            cycles = (get_sim_time("ns") - begin) / agents.CLOCK_NS
            assert cycles in (unit.model.wipe_cycles, unit.model.wipe_cycles + 1)
            assert agents.number(dut.error) == (Error.ABORTED if how == "abort" else Error.NONE)
            assert agents.number(dut.warm) == agents.number(dut.result) == 0
            await agents.cycles(dut, 4)
            assert not left(dut, blank)
    await check(unit, modulus(unit.min_bits), 3, 5, 3, unit.schemes[0])


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def abort_in_every_state(dut: Any) -> None:
    """From each state that an operation goes through."""
    unit = await core(dut)
    if unit.max_bits > 128:
        return
    control = dut.u_control
    seen: set[int] = set()
    for scheme in unit.schemes:
        public = scheme in PUBLIC_SCHEMES
        await unit.load(modulus(40), 5, 6)
        await unit.start(3, scheme, public)
        path: dict[int, int] = {}
        for cycle in range(100000):
            await RisingEdge(dut.clk_i)
            if not agents.number(dut.busy) and cycle:
                break
            path.setdefault(agents.number(control.state_q), cycle)
        for state, cycle in path.items():
            if state in seen:
                continue
            await unit.load(modulus(40), 5, 6)
            await unit.start(3, scheme, public)
            await agents.cycles(dut, cycle + random.randint(0, 1))
            agents.drive(dut, abort_i=1)
            await RisingEdge(dut.clk_i)
            agents.drive(dut, abort_i=0)
            await RisingEdge(dut.ended)
            assert agents.number(dut.error) == Error.ABORTED
            assert agents.number(dut.result) == 0
            seen.add(state)
            await agents.cycles(dut, 4)
    assert len(seen) >= (12 if unit.model.montgomery else 6)
    await check(unit, modulus(40), 3, 5, 3, unit.schemes[0])


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def errors_wipe(dut: Any) -> None:
    """Each error of an operation by its name; all of the operands are gone after it."""
    unit = await core(dut)
    blank = agents.registers(dut)
    low, high = unit.min_bits, unit.max_bits
    good = modulus(low)
    length = unit.model.length(low)
    small = (1 << (32 * (length - 1) - 2)) - 1
    cases: list[tuple[Error, int, int, dict[str, int]]] = [
        (Error.MODULUS_EVEN, good & ~1, 1, {}),
        (Error.MODULUS_EVEN, 0, 0, {}),
        (Error.MODULUS_SIZE, 1, 0, {}),
        (Error.MODULUS_SIZE, small, 1, {}),
        (Error.MODULUS_SIZE, (1 << (32 * length - 1)) - 1, 1, {}),
        (Error.MODULUS_SIZE, good << 32 | 1, 1, {}),
        (Error.BASE_RANGE, good, good, {}),
        (Error.BASE_RANGE, good, good + 1, {}),
        (Error.BASE_RANGE, good, 1 << (32 * length), {}),
        (Error.LENGTH, good, 1, {"length_i": length - 1}),
        (Error.LENGTH, good, 1, {"length_i": unit.model.length(high) + 1}),
        (Error.LENGTH, good, 1, {"length_i": 0}),
        (Error.LENGTH, good, 1, {"length_i": 4095}),
        (Error.EXPONENT_LENGTH, good, 1, {"bits_i": 0}),
        (Error.EXPONENT_LENGTH, good, 1, {"bits_i": high + 1}),
        (Error.EXPONENT_LENGTH, good, 1, {"bits_i": 65535}),
        (Error.SCHEME, good, 1, {"scheme_i": Scheme.FIXED_WINDOW}),
        (Error.SCHEME, good, 1, {"scheme_i": Scheme.SLIDING_WINDOW}),
        (Error.SCHEME, good, 1, {"scheme_i": Scheme.REPEATED}),
        (Error.SCHEME, good, 1, {"scheme_i": 6}),
        (Error.SCHEME, good, 1, {"crt_i": 1}),
        (Error.OPERAND_MISSING, good, 1, {"loaded_i": 0}),
    ]
    for error, n, x, wrong in cases:
        await unit.load(good, 1, 3)
        await unit.write(n, length + 1, "load_modulus_i")
        await unit.write(x, length + 1, "load_base_i")
        usual = {"scheme_i": Scheme.BINARY, "bits_i": 2, "public_i": 0, "crt_i": 0, "loaded_i": 1}
        agents.drive(dut, **usual | wrong)
        await agents.cycles(dut, CONFIGURATION_CYCLES)
        agents.drive(dut, start_i=1)
        await RisingEdge(dut.clk_i)
        agents.drive(dut, start_i=0, load_data_i=0, load_exponent_data_i=0)
        await RisingEdge(dut.ended)
        assert agents.number(dut.error) == error, f"{error.name}: N = {n:#x}, {wrong}"
        assert agents.number(dut.warm) == agents.number(dut.result) == 0
        await agents.cycles(dut, 4)
        assert agents.number(dut.busy) == 0
        assert not left(dut, blank), error.name
        agents.drive(dut, **usual)
    await check(unit, good, 2, 3, 2, unit.schemes[0])


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def products_are_counted(dut: Any) -> None:
    """A cycle of product_o for each, also where two begin at once."""
    unit = await core(dut)
    if unit.max_bits > 128:
        return
    for scheme in unit.schemes:
        public = scheme in PUBLIC_SCHEMES
        await unit.load(modulus(33), 7, 0b101)
        await unit.start(3, scheme, public)
        count = 0
        for cycle in range(100000):
            await RisingEdge(dut.clk_i)
            if cycle and not agents.number(dut.busy):
                break
            count += agents.number(dut.product)
        cost = unit.model.modexp(scheme, 33, 3, warm=False, exponent=5 if public else None)
        assert count == cost.products, scheme
