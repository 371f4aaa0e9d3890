"""monpro_core: exponentiations without the bus; what an observer on the chip could see of them."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, First, RisingEdge
from cocotb.utils import get_sim_time

import agents
from monpro.models.coprocessor import Coprocessor, Cost
from monpro.models.montgomery import join, split
from monpro.regs import Error, Scheme

TOP = "monpro_core"
PARAMETERS = (
    {"WordBits": 8, "Elements": 4, "MinBits": 32, "MaxBits": 64, "TableWords": 512},
    {"WordBits": 17, "Elements": 3, "MinBits": 128, "MaxBits": 256, "TableWords": 512},
)
IDLE = {
    "start_i": 0, "wipe_i": 0, "abort_i": 0, "length_i": 0, "bits_i": 1, "scheme_i": 0,
    "window_i": 1, "public_i": 0, "loaded_i": 1, "modulus_changed_i": 0, "load_modulus_i": 0,
    "load_base_i": 0, "load_index_i": 0, "load_data_i": 0, "load_exponent_i": 0,
    "load_exponent_addr_i": 0, "load_exponent_data_i": 0, "read_index_i": 0,
}  # fmt: skip
# Registers that follow from lengths and from what was asked alone, and may stay as they were.
NO_SECRET = {
    "clear_index_q", "rows_q", "row_bit_q", "doublings_q", "bit_q", "error_q", "entry_q",
    "squarings_q", "first_q", "from_base_q", "selected_q", "issued_q", "product_q[0]",
    "product_q[1]", "x_row_q", "x_step_q", "x_valid_q",
}  # fmt: skip


class Core:
    """Loads operands, runs operations and knows what they must cost."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        p = agents.parameters()
        self.word_bits, self.min_bits, self.max_bits = p["WordBits"], p["MinBits"], p["MaxBits"]
        self.model = Coprocessor(
            p["WordBits"], p["Elements"], p["MinBits"], p["MaxBits"], p["TableWords"]
        )
        self.n = 0

    async def set_up(self) -> None:
        await agents.reset(self.dut, **IDLE)
        await FallingEdge(self.dut.busy_o)  # the wipe after a reset
        await agents.cycles(self.dut, 4)

    async def _load(self, value: int, words: int, what: str) -> None:
        for index, word in enumerate(split(value, words, self.word_bits)):
            agents.drive(self.dut, **{what: 1}, load_index_i=index, load_data_i=word)
            await RisingEdge(self.dut.clk_i)
        agents.drive(self.dut, **{what: 0})

    async def load(self, n: int | None, x: int, e: int) -> None:
        """Operands; without a modulus the one before stays."""
        dut = self.dut
        if n is not None:
            self.n = n
            agents.drive(dut, length_i=self.model.length(n.bit_length()), modulus_changed_i=1)
            await self._load(n, self.model.length(n.bit_length()) + 1, "load_modulus_i")
            agents.drive(dut, modulus_changed_i=0)
        words = self.model.length(self.n.bit_length()) + 1
        await self._load(x, words, "load_base_i")
        for address, word in enumerate(split(e, -(-self.max_bits // 32), 32)):
            agents.drive(dut, load_exponent_i=1)
            agents.drive(dut, load_exponent_addr_i=address, load_exponent_data_i=word)
            await RisingEdge(dut.clk_i)
        agents.drive(dut, load_exponent_i=0)

    async def start(self, bits: int, scheme: int, window: int, public: bool) -> None:
        agents.drive(
            self.dut, bits_i=bits, scheme_i=scheme, window_i=window, public_i=public, start_i=1
        )
        await RisingEdge(self.dut.clk_i)
        agents.drive(self.dut, start_i=0)

    async def run(
        self, bits: int, scheme: int = 0, window: int = 1, *, public: bool = False
    ) -> tuple[int, int]:
        """One operation that must succeed; its cycles."""
        dut = self.dut
        await self.start(bits, scheme, window, public)
        await First(RisingEdge(dut.precomputing_o), RisingEdge(dut.end_o))
        assert int(dut.precomputing_o.value), f"error {int(dut.error_o.value)}"
        begin = get_sim_time("ns")
        await First(RisingEdge(dut.exponentiating_o), RisingEdge(dut.end_o))
        middle = get_sim_time("ns")
        assert int(dut.exponentiating_o.value), f"error {int(dut.error_o.value)}"
        await RisingEdge(dut.end_o)
        end = get_sim_time("ns")
        await RisingEdge(dut.clk_i)
        await RisingEdge(dut.clk_i)
        assert int(dut.error_o.value) == Error.NONE
        assert int(dut.result_o.value) == 1
        assert int(dut.busy_o.value) == 0
        cycle = agents.CLOCK_NS
        return round((middle - begin) / cycle), round((end - middle) / cycle) + 1

    async def result(self) -> int:
        dut, words = self.dut, []
        for index in range(self.model.length(self.n.bit_length()) + 1):
            agents.drive(dut, read_index_i=index)
            await agents.cycles(dut, 2)
            words.append(int(dut.read_data_o.value))
        return join(words, self.word_bits)


async def core(dut: Any) -> Core:
    unit = Core(dut)
    await unit.set_up()
    return unit


def left(dut: Any, blank: dict[str, int]) -> dict[str, int]:
    """What tells a coprocessor from one that never held an operand."""
    return {
        name: value
        for name, value in agents.registers(dut).items()
        if value != blank[name] and name.rpartition(".")[2] not in NO_SECRET
    }


def modulus(bits: int) -> int:
    return random.getrandbits(bits) | 1 | 1 << (bits - 1)


async def check(
    unit: Core, n: int | None, x: int, e: int, bits: int, window: int, scheme: int = 0,
    *, public: bool = False,
) -> None:  # fmt: skip
    """One exponentiation: its result, and the cycles of both of its phases."""
    await unit.load(n, x, e)
    cycles = await unit.run(bits, scheme, window, public=public)
    e %= 1 << bits
    assert await unit.result() == pow(x, e, unit.n), f"{x:#x} ^ {e:#x} mod {unit.n:#x}"
    length = unit.n.bit_length()
    cost: Cost = (
        unit.model.public(length, e, bits, warm=n is None)
        if public
        else unit.model.secret(length, bits, window if scheme == 0 else 1, warm=n is None)
    )
    assert cycles == (cost.cycles_precompute, cost.cycles_exponentiate), (
        f"{length} bits, exponent {bits}, window {window}, scheme {scheme}, public {public}"
    )


@cocotb.test(timeout_time=5, timeout_unit="ms")
@cocotb.parametrize(window=[1, 2, 3, 4, 5, 6])
async def fixed_window(dut: Any, window: int) -> None:
    """Every length of exponent around whole windows, cold and warm keys, exact cycles."""
    unit = await core(dut)
    for length in (unit.min_bits, unit.max_bits):
        n: int | None = modulus(length)
        if not unit.model.window_fits(length, window):
            continue
        for bits in sorted({1, window, window + 1, 2 * window, 3 * window - 1, unit.min_bits}):
            x = random.randrange(n or unit.n)
            await check(unit, n, x, random.getrandbits(bits), bits, window)
            n = None


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def binary(dut: Any) -> None:
    """Secret exponents in equal time; public ones on the short path, whose cycles they decide."""
    unit = await core(dut)
    n: int | None = modulus(unit.min_bits)
    for bits, e in [
        (1, 0), (1, 1), (2, 1), (2, 2), (2, 3), (5, 0), (17, 65537), (20, 65537), (32, 3), (32, 0),
        (32, 1), (32, 0xFFFFFFFF), (32, 1 << 31), (31, 0x55555555),
    ]:  # fmt: skip
        for public in (True, False):
            x = random.randrange(n or unit.n)
            await check(unit, n, x, e, bits, 1, Scheme.BINARY, public=public)
            n = None
    n = modulus(unit.max_bits)  # a cold key on the short path
    await check(unit, n, n - 1, 65537, 17, 1, Scheme.BINARY, public=True)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def random_operations(dut: Any) -> None:
    unit = await core(dut)
    for number in range(12):
        new = number == 0 or random.random() < 0.7
        n = modulus(random.randint(unit.min_bits, unit.max_bits)) if new else None
        length = (n or unit.n).bit_length()
        window = random.choice([w for w in range(1, 7) if unit.model.window_fits(length, w)])
        bits = random.randint(1, unit.max_bits)
        x = random.randrange(n or unit.n)
        await check(unit, n, x, random.getrandbits(unit.max_bits), bits, window)


def visible(dut: Any) -> tuple[int, ...]:
    """All that happens in a cycle but the data: steps, handshakes, addresses."""
    memory, table, exponent = dut.u_memory, dut.u_table.u_ram, dut.u_exponent.u_ram
    signals = [
        dut.u_sequencer.state_q, dut.busy_o, dut.end_o, dut.precomputing_o, dut.product_o,
        memory.x_slot_i, memory.x_index_i, memory.y_slot_i, memory.y_index_i,
        memory.work_write_i, memory.work_slot_i, memory.work_index_i,
        memory.n_scaled_i, memory.n_index_i, memory.n_write_i, memory.n_write_index_i,
        table.read_addr_i, table.write_i, table.write_addr_i,
        exponent.read_addr_i, exponent.write_i,
    ]  # fmt: skip
    return tuple(int(signal.value) for signal in signals)


@cocotb.test(timeout_time=5, timeout_unit="ms")
@cocotb.parametrize(scheme=[Scheme.FIXED_WINDOW, Scheme.BINARY])
async def secrets_do_not_show(dut: Any, scheme: Scheme) -> None:
    """The same steps, addresses and cycles for exponents of every weight, bases and moduli."""
    unit = await core(dut)
    bits, length, window = 11, unit.min_bits, 3
    full = (1 << bits) - 1
    top = (1 << length) - 1
    traces: list[list[tuple[int, ...]]] = []
    for e in (full, 0, 1, 1 << (bits - 1), 0b01010101010, random.getrandbits(bits)):
        for n, x in ((top, 1), (modulus(length), random.randrange(1 << (length - 1)))):
            await unit.set_up()
            await unit.load(n, x, e)
            await unit.start(bits, scheme, window, False)
            trace: list[tuple[int, ...]] = []
            while not trace or trace[-1][1]:
                await RisingEdge(dut.clk_i)
                trace.append(visible(dut))
            assert await unit.result() == pow(x, e, n)
            traces.append(trace)
    for number, trace in enumerate(traces):
        if trace != traces[0]:
            pairs = zip(trace, traces[0], strict=False)
            cycle = next((i for i, (a, b) in enumerate(pairs) if a != b), None)
            raise AssertionError(f"trace {number} differs in cycle {cycle}")


@cocotb.test(timeout_time=5, timeout_unit="ms")
@cocotb.parametrize(how=["wipe", "abort", "reset"])
async def nothing_is_left(dut: Any, how: str) -> None:
    """No bit of an operand is in any memory or register after the end; then a right result."""
    unit = await core(dut)
    blank = agents.registers(dut)
    length, bits, window = unit.max_bits, unit.max_bits, 2
    n = (1 << length) - 1
    whole = sum(
        getattr(unit.model.secret(length, bits, window, warm=False), f"cycles_{phase}")
        for phase in ("precompute", "exponentiate")
    )
    stops = [5, 60, *random.sample(range(100, whole - 10), 6)]
    for stop in [whole + 10] * 2 if how == "wipe" else stops:
        await unit.load(n, n - 2, (1 << bits) - 1)
        await unit.start(bits, Scheme.FIXED_WINDOW, window, False)
        await agents.cycles(dut, stop)
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
        await FallingEdge(dut.busy_o)
        cycles = (get_sim_time("ns") - begin) / agents.CLOCK_NS
        assert cycles in (unit.model.wipe_cycles, unit.model.wipe_cycles + 1)
        assert int(dut.error_o.value) == (Error.ABORTED if how == "abort" else Error.NONE)
        assert int(dut.warm_o.value) == int(dut.result_o.value) == 0
        await agents.cycles(dut, 4)
        assert not left(dut, blank)
    await check(unit, modulus(unit.min_bits), 3, 5, 3, 2)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def errors_wipe(dut: Any) -> None:
    """Each error of an operation by its name; all of the operands are gone after it."""
    unit = await core(dut)
    blank = agents.registers(dut)
    low, high = unit.min_bits, unit.max_bits
    good = modulus(low)
    word = 1 << unit.word_bits
    even, small = good & ~1, (1 << (unit.word_bits * (unit.model.length(low) - 1) - 2)) - 1
    cases: list[tuple[Error, int, int, dict[str, int]]] = [
        (Error.MODULUS_EVEN, even, 1, {}),
        (Error.MODULUS_EVEN, 0, 0, {}),
        (Error.MODULUS_SIZE, 1, 0, {}),
        (Error.MODULUS_SIZE, small, 1, {}),
        (Error.MODULUS_SIZE, good * word, 1, {"odd": 1}),
        (Error.BASE_RANGE, good, good, {}),
        (Error.BASE_RANGE, good, good + 1, {}),
        (Error.LENGTH, good, 1, {"length_i": unit.model.length(low) - 1}),
        (Error.LENGTH, good, 1, {"length_i": unit.model.length(high) + 1}),
        (Error.LENGTH, good, 1, {"length_i": 0}),
        (Error.LENGTH, good, 1, {"length_i": 4095}),
        (Error.EXPONENT_LENGTH, good, 1, {"bits_i": 0}),
        (Error.EXPONENT_LENGTH, good, 1, {"bits_i": high + 1}),
        (Error.EXPONENT_LENGTH, good, 1, {"bits_i": 65535}),
        (Error.WINDOW, good, 1, {"window_i": 0}),
        (Error.WINDOW, good, 1, {"window_i": 7}),
        (Error.SCHEME, good, 1, {"scheme_i": 2}),
        (Error.SCHEME, good, 1, {"scheme_i": 3}),
        (Error.OPERAND_MISSING, good, 1, {"loaded_i": 0}),
    ]
    if not unit.model.window_fits(high, 6):
        cases.append((Error.WINDOW, modulus(high), 1, {"window_i": 6}))
    for error, n, x, wrong in cases:
        await unit.load(good, 1, 3)
        if unit.model.length(n.bit_length()) != unit.model.length(low) and n.bit_length() > low:
            n |= 1
        length = unit.model.length(high if error == Error.WINDOW and n != good else low)
        agents.drive(dut, length_i=length)
        for what, value in (("load_modulus_i", n), ("load_base_i", x)):
            await unit._load(value, length + 1, what)
        agents.drive(dut, bits_i=2, scheme_i=0, window_i=2, public_i=0, loaded_i=1, start_i=1)
        agents.drive(dut, **{name: value for name, value in wrong.items() if name != "odd"})
        await RisingEdge(dut.clk_i)
        agents.drive(dut, start_i=0, load_data_i=0, load_exponent_data_i=0)
        await RisingEdge(dut.end_o)
        assert int(dut.error_o.value) == error, f"{error.name}: N = {n:#x}, {wrong}"
        await agents.cycles(dut, 4)
        assert int(dut.busy_o.value) == 0
        assert not left(dut, blank), error.name
    agents.drive(dut, loaded_i=1)
    await check(unit, good, 2, 3, 2, 2)
