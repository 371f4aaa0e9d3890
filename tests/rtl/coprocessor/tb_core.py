# SPDX-License-Identifier: Apache-2.0
"""monpro_core: exponentiations without the bus; what an observer on the chip could see of them."""

from __future__ import annotations

import math
import random
from typing import Any

import cocotb
from cocotb.triggers import FallingEdge, First, ReadOnly, RisingEdge
from cocotb.utils import get_sim_time

import agents
from monpro.hardware.models.coprocessor import PUBLIC_SCHEMES, Coprocessor, Cost
from monpro.hardware.models.montgomery import join, split
from monpro.hardware.regs import Error, Scheme

TOP = "monpro_core"
PARAMETERS = {
    "study": {
        "Multiplier": '"array"', "WordBits": 8, "Elements": 4, "MinBits": 32, "MaxBits": 64,
        "TableWords": 512, "TableBanks": 1, "Schemes": 63, "Crt": 0,
    },
    "odd_fill": {
        "Multiplier": '"array"', "WordBits": 17, "Elements": 3, "MinBits": 128, "MaxBits": 256,
        "TableWords": 512, "TableBanks": 2, "Schemes": 63, "Crt": 0,
    },
    "narrow": {
        "Multiplier": '"array"', "WordBits": 24, "DigitBits": 17, "Elements": 16, "MinBits": 96,
        "MaxBits": 256, "TableWords": 512, "TableBanks": 1, "Schemes": 63, "Crt": 0,
    },
    "crt": {
        "Multiplier": '"pipelined"', "WordBits": 8, "Elements": 3, "MinBits": 32, "MaxBits": 128,
        "TableWords": 512, "TableBanks": 4, "Schemes": 63, "Crt": 1,
    },
    "one_pass": {  # at its shortest lengths
        "Multiplier": '"pipelined"', "WordBits": 8, "Elements": 8, "MinBits": 32, "MaxBits": 128,
        "TableWords": 512, "TableBanks": 4, "Schemes": 63, "Crt": 1,
    },
}  # fmt: skip
IDLE = {
    "start_i": 0, "wipe_i": 0, "abort_i": 0, "wipes_i": 0,
    "length_i": 0, "bits_i": 1, "scheme_i": 0,
    "window_i": 1, "public_i": 0, "crt_i": 0, "loaded_i": 1, "length_changed_i": 0,
    "modulus_changed_i": 0, "load_modulus_i": 0, "load_base_i": 0, "load_inverse_i": 0,
    "load_half_i": 0, "load_index_i": 0, "load_data_i": 0, "load_exponent_i": 0,
    "load_exponent_addr_i": 0, "load_exponent_data_i": 0, "read_index_i": 0,
}  # fmt: skip
# Registers that follow from lengths and from what was asked alone, and may stay as they were.
NO_SECRET = {
    "clear_index_q", "rows_q", "elements_q", "passes_q", "spare_q", "wanted_q", "target_q",
    "hold_q", "change_q", "more_q", "one_pass_q", "below_q", "settled_q", "row_bits_q",
    "word_bits_q", "pass_bits_q", "at_tap_q", "clear_line_q", "clear_q", "idle_q", "in_use_q",
    "which_q", "group_on_q", "head_slots_q", "last_element_q", "add_low_q", "before_q",
    "skip_high_q", "min_slots_q", "power_q", "power_bit_q", "doublings_q", "pass_q", "words_q",
    "operand_length_q", "error_q", "entry_q", "squarings_q", "first_q", "from_base_q",
    "selected_q", "row_ok_q", "x_step_q", "x_valid_q", "n_one_q", "last_q", "last_index_q",
    "near_index_q", "near_q", "one_q", "phase_q", "use_q_q", "third_index_q", "place_read_q",
    "both_q", "last_half_q", "last_look_up_q", "look_up_ends_q", "next_pass_q", "place_data_q",
    "place_word_q", "place_add_q", "place_sum_q", "window_q", "too_long_q", "config_error_q",
    "length_ok_q", "scheme_ok_q", "window_ok_q", "after_constants_q", "after_base_q",
    "last_entry_q", "steps_bits_q", "steps_less_one_q", "few_q", "table_end_q", "bits_q",
    "no_bits_q", "many_bits_q", "after_q", "at_last_q", "too_many_bits_q", "last_word_q",
    "one_index_q", "end_row_q", "last_pass_q", "method_q", "result_words_q",
}  # fmt: skip


class Core:
    """Loads operands, runs operations and knows what they must cost."""

    def __init__(self, dut: Any) -> None:
        self.dut = dut
        p = agents.parameters()
        self.word_bits, self.min_bits, self.max_bits = p["WordBits"], p["MinBits"], p["MaxBits"]
        self.model = Coprocessor(
            p["WordBits"], p["Elements"], p["MinBits"], p["MaxBits"], p["TableWords"],
            p["TableBanks"], agents.text("Multiplier"), bool(p["Crt"]), p.get("DigitBits", 0),
        )  # fmt: skip
        self.n = 0
        self.primes: tuple[int, int] | None = None

    async def set_up(self) -> None:
        await agents.reset(self.dut, **IDLE)
        await FallingEdge(self.dut.busy)  # the wipe after a reset
        await agents.cycles(self.dut, 4)

    async def _load(self, value: int, words: int, what: str, half: int = 0) -> None:
        agents.drive(self.dut, **{what: 1}, load_half_i=half)
        for index, word in enumerate(split(value, words, self.word_bits)):
            agents.drive(self.dut, load_index_i=index, load_data_i=word)
            await RisingEdge(self.dut.clk_i)
        agents.drive(self.dut, **{what: 0}, load_half_i=0, load_index_i=0, load_data_i=0)

    async def _lengths(self, length: int, *, crt: bool) -> None:
        agents.drive(self.dut, length_i=length, crt_i=crt, length_changed_i=1, modulus_changed_i=1)
        await RisingEdge(self.dut.clk_i)
        agents.drive(self.dut, length_changed_i=0, modulus_changed_i=0)

    async def _exponent(self, value: int) -> None:
        dut = self.dut
        for address, word in enumerate(split(value, -(-self.max_bits // 32), 32)):
            agents.drive(dut, load_exponent_i=1)
            agents.drive(dut, load_exponent_addr_i=address, load_exponent_data_i=word)
            await RisingEdge(dut.clk_i)
        agents.drive(dut, load_exponent_i=0, load_exponent_data_i=0)

    def words(self) -> int:
        """Of an operand."""
        return self.model.array(self.n.bit_length()).words

    async def load(self, n: int | None, x: int, e: int) -> None:
        """Operands; without a modulus the one before stays."""
        if n is not None:
            self.n, self.primes = n, None
            await self._lengths(self.model.length(n.bit_length()), crt=False)
            await self._load(n, self.words(), "load_modulus_i")
        await self._load(x, self.words(), "load_base_i")
        await self._exponent(e)

    async def load_pair(
        self, primes: tuple[int, int] | None, c: int, exponents: tuple[int, int]
    ) -> None:
        """The same of a CRT operation, whose primes need only be coprime."""
        if primes is not None:
            self.primes = primes
            await self._lengths(self.model.length(primes[0].bit_length()), crt=True)
        assert self.primes
        p, q = self.primes
        self.n = p * q
        array = self.model.array(p.bit_length())
        if primes is not None:
            await self._load(p, array.words, "load_modulus_i", 0)
            await self._load(q, array.words, "load_modulus_i", 1)
        high, low = divmod(c, array.r)
        await self._load(low, array.factor_words, "load_base_i", 0)
        await self._load(high, array.factor_words, "load_base_i", 1)
        await self._load(pow(q, -1, p), array.words, "load_inverse_i")
        await self._exponent(exponents[0] | exponents[1] << (self.max_bits // 2))

    async def start(self, bits: int, scheme: int, window: int, public: bool) -> None:
        agents.drive(self.dut, bits_i=bits, scheme_i=scheme, window_i=window, public_i=public)
        await agents.cycles(self.dut, 6)  # the configuration is there long before
        agents.drive(self.dut, start_i=1)
        await RisingEdge(self.dut.clk_i)
        agents.drive(self.dut, start_i=0)

    async def run(
        self, bits: int, scheme: int = 0, window: int = 1, *, public: bool = False
    ) -> tuple[int, int]:
        """One operation that must succeed; its cycles."""
        dut = self.dut
        await self.start(bits, scheme, window, public)
        begin = get_sim_time("ns")
        await ReadOnly()
        assert agents.number(dut.precomputing)
        await First(RisingEdge(dut.exponentiating), RisingEdge(dut.ended))
        middle = get_sim_time("ns")
        assert agents.number(dut.exponentiating), f"error {agents.number(dut.error)}"
        await RisingEdge(dut.ended)
        end = get_sim_time("ns")
        await RisingEdge(dut.clk_i)
        await RisingEdge(dut.clk_i)
        assert agents.number(dut.error) == Error.NONE
        assert agents.number(dut.result) == 1
        assert agents.number(dut.busy) == 0
        cycle = agents.CLOCK_NS
        return round((middle - begin) / cycle), round((end - middle) / cycle) + 1

    async def result(self) -> int:
        dut, words = self.dut, []
        for index in range(-(-self.n.bit_length() // self.word_bits)):
            agents.drive(dut, read_index_i=index)
            await agents.cycles(dut, 4)
            words.append(agents.number(dut.read_data_o))
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
    unit: Core, n: int | None, x: int, e: int, bits: int, window: int,
    scheme: Scheme = Scheme.FIXED_WINDOW, *, public: bool = False,
) -> None:  # fmt: skip
    """One exponentiation: its result, and the cycles of both of its phases."""
    await unit.load(n, x, e)
    cycles = await unit.run(bits, scheme, window, public=public)
    e %= 1 << bits
    assert await unit.result() == pow(x, e, unit.n), f"{x:#x} ^ {e:#x} mod {unit.n:#x}"
    length = unit.n.bit_length()
    cost = unit.model.modexp(
        scheme, length, bits, window, warm=n is None, exponent=e if public else None
    )
    assert cycles == (cost.cycles_precompute, cost.cycles_exponentiate), (
        f"{length} bits, exponent {bits}, window {window}, scheme {scheme}, public {public}"
    )


def coprime(bits: int) -> tuple[int, int]:
    while True:
        p, q = modulus(bits), modulus(bits)
        if math.gcd(p, q) == 1:
            return p, q


def combined(primes: tuple[int, int], c: int, exponents: tuple[int, int]) -> int:
    """What CRT must give."""
    p, q = primes
    m_p, m_q = pow(c, exponents[0], p), pow(c, exponents[1], q)
    return m_q + q * ((m_p - m_q) * pow(q, -1, p) % p)


def random_exponents(bits: int) -> tuple[int, int]:
    return random.getrandbits(bits), random.getrandbits(bits)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def crt(dut: Any) -> None:
    """Both halves with their recombination, cold and warm, exact cycles."""
    unit = await core(dut)
    if not unit.model.crt:
        return
    for bits in (unit.min_bits, unit.max_bits // 2, unit.min_bits + 5):
        primes: tuple[int, int] | None = coprime(bits)
        assert primes
        for window in (1, 2, 3):
            c, exponents = random.randrange(primes[0] * primes[1]), random_exponents(bits)
            warm = window > 1
            await unit.load_pair(None if warm else primes, c, exponents)
            cycles = await unit.run(bits, Scheme.FIXED_WINDOW, window)
            assert await unit.result() == combined(primes, c, exponents)
            cost = unit.model.rsa_private(bits, window, warm=warm)
            assert cycles == (cost.cycles_precompute, cost.cycles_exponentiate)


@cocotb.test(timeout_time=5, timeout_unit="ms")
@cocotb.parametrize(window=[1, 2, 3, 4, 5, 6])
async def fixed_window(dut: Any, window: int) -> None:
    """Every length of exponent around whole windows, cold and warm keys, exact cycles."""
    unit = await core(dut)
    for length in (unit.min_bits, min(unit.max_bits, 200)):
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
    """Every scheme, secret and public."""
    unit = await core(dut)
    for number, scheme in enumerate([*Scheme, *Scheme]):
        public = number % 2 == 0 or scheme in PUBLIC_SCHEMES
        new = number == 0 or random.random() < 0.7
        n = modulus(random.randint(unit.min_bits, unit.max_bits)) if new else None
        length = (n or unit.n).bit_length()
        windows = [w for w in range(1, 7) if unit.model.window_fits(length, w, scheme=scheme)]
        bits = random.randint(1, 5 if scheme == Scheme.REPEATED else 40)
        x = random.randrange(n or unit.n)
        e = random.getrandbits(bits)
        await check(unit, n, x, e, bits, random.choice(windows), scheme, public=public)


def visible(dut: Any) -> list[Any]:
    """All that happens in a cycle but the data: steps, handshakes, addresses. `busy` first."""
    memory, exponent = dut.u_memory, dut.u_exponent.u_ram
    signals = [
        dut.busy, dut.u_sequencer.state_q, dut.ended, dut.precomputing, dut.product,
        memory.x_slot_i, memory.x_index_i, memory.y_slot_i, memory.y_index_i,
        memory.work_write_i, memory.work_slot_i, memory.work_index_i,
        memory.n_scaled_i, memory.n_index_i, memory.n_write_i, memory.n_write_index_i,
        exponent.read_addr_i, exponent.write_i,
    ]  # fmt: skip
    for bank in range(agents.parameters()["TableBanks"]):
        table = dut.u_table.g_bank[bank].u_ram
        signals += [table.read_addr_i, table.write_i, table.write_addr_i]
    return signals


async def trace(unit: Core) -> list[tuple[int, ...]]:
    """What can be seen of the operation that has been started."""
    edge, signals, number = RisingEdge(unit.dut.clk_i), visible(unit.dut), agents.number
    seen: list[tuple[int, ...]] = []
    while not seen or seen[-1][0]:
        await edge
        seen.append(tuple(map(number, signals)))
    return seen


def check_same(traces: list[list[tuple[int, ...]]]) -> None:
    for number, one in enumerate(traces):
        if one != traces[0]:
            pairs = zip(one, traces[0], strict=False)
            cycle = next((i for i, (a, b) in enumerate(pairs) if a != b), None)
            raise AssertionError(f"trace {number} differs in cycle {cycle}")


@cocotb.test(timeout_time=5, timeout_unit="ms")
@cocotb.parametrize(scheme=[scheme for scheme in Scheme if scheme not in PUBLIC_SCHEMES])
async def secrets_do_not_show(dut: Any, scheme: Scheme) -> None:
    """The same steps, addresses and cycles for exponents of every weight, bases and moduli."""
    unit = await core(dut)
    bits, length, window = 7, unit.min_bits, 3
    top = (1 << length) - 1
    traces = []
    others = ((top, 1), (modulus(length), random.randrange(1 << (length - 1))))
    for number, e in enumerate((0b1111111, 0, 0, 1, 0b1000000, 0b0101010, 0b1110111)):
        n, x = others[number % 2]
        await unit.set_up()
        await unit.load(n, x, e)
        await unit.start(bits, scheme, window, False)
        traces.append(await trace(unit))
        assert await unit.result() == pow(x, e, n)
    check_same(traces)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def secrets_of_crt_do_not_show(dut: Any) -> None:
    """The same for p, q, dP and dQ, whichever half is the larger one."""
    unit = await core(dut)
    if not unit.model.crt:
        return
    bits = unit.min_bits
    top, traces = (1 << bits) - 1, []
    low = 1 << (bits - 1) | 1
    while math.gcd(low, top) != 1:
        low += 2
    orders = ((top, low), (low, top), coprime(bits))
    weights = ((top, 0), (0, top), (1, 1), (0, 0), random_exponents(bits), (top, top))
    for number, exponents in enumerate(weights):
        primes = orders[number % 3]
        c = random.choice([0, 1, random.randrange(math.prod(primes))])
        await unit.set_up()
        await unit.load_pair(primes, c, exponents)
        await unit.start(bits, Scheme.FIXED_WINDOW, 2, False)
        traces.append(await trace(unit))
        assert await unit.result() == combined(primes, c, exponents)
    check_same(traces)


@cocotb.test(timeout_time=5, timeout_unit="ms")
@cocotb.parametrize(how=["wipe", "abort", "reset"])
async def nothing_is_left(dut: Any, how: str) -> None:
    """No bit of an operand is in any memory or register after the end; then a right result."""
    unit = await core(dut)
    blank = agents.registers(dut)
    crt = unit.model.crt
    length = bits = unit.max_bits >> crt
    ones, window = (1 << length) - 1, 2
    cost: Cost = (
        unit.model.rsa_private(length, window, warm=False)
        if crt
        else unit.model.modexp(Scheme.FIXED_WINDOW, length, bits, window, warm=False)
    )
    stops = [5, 60, *random.sample(range(100, cost.cycles - 10), 24 if crt else 6)]
    for stop in [cost.cycles + 10] * 2 if how == "wipe" else stops:
        if crt:
            await unit.load_pair((ones, ones - 2), ones * (ones - 2) - 1, (ones, ones))
        else:
            await unit.load(ones, ones - 2, ones)
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
        await FallingEdge(dut.busy)
        cycles = (get_sim_time("ns") - begin) / agents.CLOCK_NS
        assert cycles in (unit.model.wipe_cycles + 1, unit.model.wipe_cycles + 2)
        assert agents.number(dut.error) == (Error.ABORTED if how == "abort" else Error.NONE)
        assert agents.number(dut.warm) == agents.number(dut.result) == 0
        await agents.cycles(dut, 4)
        assert left(dut, blank) == {}
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
        (Error.SCHEME, good, 1, {"scheme_i": Scheme.SLIDING_WINDOW}),
        (Error.SCHEME, good, 1, {"scheme_i": Scheme.REPEATED}),
        (Error.SCHEME, good, 1, {"scheme_i": 6}),
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
            await unit._load(value, length + 1 + unit.model.delay, what)
        agents.drive(dut, bits_i=2, scheme_i=0, window_i=2, public_i=0, loaded_i=1)
        agents.drive(dut, **{name: value for name, value in wrong.items() if name != "odd"})
        await agents.cycles(dut, 6)
        agents.drive(dut, start_i=1)
        await RisingEdge(dut.clk_i)
        agents.drive(dut, start_i=0, load_data_i=0, load_exponent_data_i=0)
        await RisingEdge(dut.ended)
        assert agents.number(dut.error) == error, f"{error.name}: N = {n:#x}, {wrong}"
        await agents.cycles(dut, 4)
        assert agents.number(dut.busy) == 0
        assert left(dut, blank) == {}, error.name
    agents.drive(dut, loaded_i=1)
    await check(unit, good, 2, 3, 2, 2)
