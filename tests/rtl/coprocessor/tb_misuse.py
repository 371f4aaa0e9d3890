# SPDX-License-Identifier: Apache-2.0
"""monpro_coprocessor misused: every error, every fault, every way to stop it; on `study`, and on
`tiny` and `small` with little memory."""

from __future__ import annotations

import random
from collections.abc import Callable, Coroutine
from typing import Any

import cocotb
from cocotb.handle import ArrayObject, HierarchyArrayObject, HierarchyObject, Immediate
from cocotb.triggers import FallingEdge, RisingEdge
from cocotbext.axi import AxiResp

import agents
from agents import device
from agents.device import Device, Status
from monpro.hardware import designs, regs
from monpro.hardware.regs import Error, Fault, Register, Scheme, Slot

TOP = "monpro_coprocessor"
_LITTLE = {"min_bits": 40, "max_bits": 256, "table_words": 256}
PARAMETERS = {
    "study": {**designs.get("study").rtl_parameters(), "Stream": 1},
    "tiny": designs.get("tiny").with_parameters(**_LITTLE).rtl_parameters(),
    "small": designs.get("small").with_parameters(**_LITTLE).rtl_parameters(),
}
STATES = ("state_q", "after_q")
TIED = ("x_beyond_q", "y_beyond_q", "n_wide_q", "n_one_q")  # to zero in this design
ANSWERS = ("s_axil_awready", "s_axil_wready", "s_axil_bvalid", "s_axil_bresp", "s_axil_arready")
ANSWERS += ("s_axil_rvalid", "s_axil_rdata", "s_axil_rresp", "s_axis_tready")
ANSWERS += ("m_axis_tvalid", "m_axis_tdata", "m_axis_tlast")
WIPE_CYCLES = 1000  # at most


async def ready(dut: Any) -> Device:
    unit = Device(dut)
    await unit.set_up()
    return unit


def blank_memories(dut: Any) -> bool:
    """Whether every memory is zero."""
    return not any(v for name, v in agents.registers(dut).items() if "memory_q[" in name)


def scramble(dut: Any) -> None:
    """Every register holds anything, but for states, as a `unique case` stops at what is none."""
    pending = [dut]
    while pending:
        for item in pending.pop():
            name = item._name
            if isinstance(item, HierarchyObject | HierarchyArrayObject):
                pending.append(item)
            elif name.endswith("_q") and name not in STATES + TIED:
                for word in item if isinstance(item, ArrayObject) else [item]:
                    word.value = Immediate(random.getrandbits(len(word)))


async def prepare(unit: Device, n: int, /, **wrong: int) -> None:
    """A good operation but for what is named."""
    given = {"x": 5, "e": 3, "bits": 2, "scheme": 0, "window": 1, "n": n, "crt": 0} | wrong
    await unit.load_modulus(given["n"], wrong.get("length") or unit.model.length(n.bit_length()))
    await unit.load_base(given["x"], wrong.get("length") or unit.model.length(n.bit_length()))
    await unit.load_exponent(given["e"], given["bits"])
    await unit.configure(given["scheme"], given["window"], False, crt=bool(given["crt"]))
    await unit.enable_interrupt()


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def every_error(dut: Any) -> None:
    """Each provoked: named, reported by the interrupt, everything wiped; the next one works."""
    unit = await ready(dut)
    n = device.modulus(64)
    big = device.modulus(256)
    w, length = unit.model.word_bits, unit.model.length(64)
    small = (1 << (w * (length - 2) - 2)) - 1  # a bit more would be the least of so many words
    cases: list[tuple[Error, dict[str, int]]] = [
        (Error.MODULUS_EVEN, {"n": n ^ 1}),
        (Error.MODULUS_EVEN, {"n": 0, "x": 0}),
        (Error.MODULUS_SIZE, {"n": 1, "x": 0}),
        (Error.MODULUS_SIZE, {"n": small}),
        (Error.MODULUS_SIZE, {"n": 1 << (w * length - 2) | 1}),
        (Error.BASE_RANGE, {"x": n}),
        (Error.BASE_RANGE, {"x": (1 << w * (length + 1)) - 1}),
        (Error.WINDOW, {"window": 0}),
        (Error.WINDOW, {"window": 7}),
        (Error.SCHEME, {"scheme": Scheme.SLIDING_WINDOW}),  # for public exponents alone, as this:
        (Error.SCHEME, {"scheme": Scheme.REPEATED}),
        (Error.SCHEME, {"scheme": 6}),
        (Error.SCHEME, {"scheme": 7}),
        (Error.SCHEME, {"crt": 1}),  # which this design has not
    ]
    for error, wrong in cases:
        await prepare(unit, n, **wrong)
        await unit.start()
        assert await unit.finish() == Status(0, 1, 0, 0, error, Fault.NONE), (error, wrong)
        assert blank_memories(dut), error.name
        await unit.clear()
    await prepare(unit, big, window=4)
    await unit.start()
    assert (await unit.finish()).error == Error.WINDOW
    await unit.clear()

    # Lengths that forbid loading: the operands are missing, but that is not the first to be said.
    for words in (0, unit.model.length(unit.model.min_bits) - 1, unit.model.length(256) + 1, 4095):
        await unit.write(regs.LENGTH, words)
        await unit.load_exponent(3, 2)
        await unit.start()
        assert (await unit.finish()).error == Error.LENGTH
        assert blank_memories(dut)
        await unit.clear()
    for bits in (0, 257, 65535):
        await prepare(unit, n)
        await unit.write(regs.EXPONENT, bits)
        await unit.start()
        assert (await unit.finish()).error == Error.EXPONENT_LENGTH
        await unit.clear()
    await unit.modexp(n, 7, 5, 3)


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def missing_operands(dut: Any) -> None:
    """Not written, not to the end, used up, or forgotten since."""
    unit = await ready(dut)
    n = device.modulus(64)
    x_words = unit.data_words(unit.model.length(64))

    async def fails(what: str) -> None:
        await unit.start()
        status = await unit.finish()
        assert status.error == Error.OPERAND_MISSING, what
        assert blank_memories(dut), what
        await unit.clear()

    for again in ("base", "exponent"):
        await prepare(unit, n)
        await unit.start()
        assert (await unit.finish()).error == Error.NONE
        await unit.clear()
        await (unit.load_base(4) if again == "base" else unit.load_exponent(3, 2))
        await fails(f"only the {again} was written again")
    for slot in (Slot.MODULUS, Slot.BASE):
        await prepare(unit, n)
        await unit.write(regs.LENGTH, unit.model.length(64))
        for other in {Slot.MODULUS, Slot.BASE} - {slot}:
            await unit.select(other)
            await unit.data(n - 2, x_words)
        await unit.load_exponent(3, 2)
        await fails(f"{slot.name} was not written")
        await prepare(unit, n)
        await unit.write(regs.LENGTH, unit.model.length(64))
        for other in (Slot.MODULUS, Slot.BASE):
            await unit.select(other)
            await unit.data(n - 2, x_words - (other == slot))
        await unit.load_exponent(3, 2)
        await fails(f"{slot.name} was not written to its end")
    for public in (False, True):  # slots that only CRT has are no modulus and no exponent
        await prepare(unit, n)
        await unit.write(regs.LENGTH, unit.model.length(64))
        for other in (Slot.MODULUS_Q, Slot.INVERSE, Slot.EXPONENT_Q, Slot.BASE):
            await unit.select(other)
            await unit.data(n - 2, x_words)
        await unit.configure(0, 1, public)
        await fails("N was written to the slots of CRT")
    await prepare(unit, n, bits=33)
    await unit.write(regs.EXPONENT, 33)
    await fails("the exponent's length was set again")
    await prepare(unit, n)
    await unit.write(regs.EXPONENT, 40)
    await unit.select(Slot.EXPONENT)
    await unit.data(1, 1)
    await fails("the exponent was not written to its end")
    await unit.modexp(n, 7, 5, 3)


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def misuse_while_busy(dut: Any) -> None:
    """Each is reported and changes nothing: the running operation gives its result."""
    unit = await ready(dut)
    n = device.modulus(96)
    x, e, bits = random.randrange(n), random.getrandbits(16), 16
    misuses: list[tuple[Fault, Callable[[], Coroutine[Any, Any, Any]]]] = [
        (Fault.START_WHILE_BUSY, unit.start),
        (Fault.WRITE_WHILE_BUSY, lambda: unit.write(regs.LENGTH, 9)),
        (Fault.WRITE_WHILE_BUSY, lambda: unit.write(regs.EXPONENT, 3)),
        (Fault.WRITE_WHILE_BUSY, lambda: unit.configure(1, 2, True)),
        (Fault.WRITE_WHILE_BUSY, lambda: unit.write_byte(regs.CONFIG, 1, 1)),
        (Fault.WRITE_WHILE_BUSY, lambda: unit.select(Slot.BASE)),
        (Fault.WRITE_WHILE_BUSY, lambda: unit.data(0xFFFFFFFF, 3)),
        (Fault.WRITE_WHILE_BUSY, lambda: unit.command(regs.COMMAND_WIPE)),
        (Fault.NOT_READABLE, lambda: unit.read(regs.DATA)),
    ]
    names = (regs.LENGTH, regs.EXPONENT, regs.CONFIG, regs.OPERAND)
    for fault, misuse in misuses:
        await prepare(unit, n, x=x, e=e, bits=bits, window=3)
        before = [await unit.read(register) for register in names]
        await unit.start()
        await agents.cycles(dut, random.randrange(200))
        answer = await misuse()
        status = await unit.status()
        assert (status.busy, status.fault, status.error) == (1, fault, Error.NONE)
        assert not answer
        assert before == [await unit.read(register) for register in names]
        status = await unit.finish()
        assert status == Status(0, 1, 1, 1, Error.NONE, fault)
        expected = unit.model.modexp(Scheme.FIXED_WINDOW, 96, bits, 3, warm=False)
        assert await unit.cost() == expected
        assert await unit.result() == pow(x, e, n)
        await unit.clear()
        assert (await unit.status()).fault == Fault.NONE
    # The first fault stays until it is cleared, here in the middle of the operation.
    await prepare(unit, n, x=x, e=e, bits=bits, window=3)
    await unit.start()
    await unit.select(Slot.BASE)
    await unit.start()
    assert (await unit.status()).fault == Fault.WRITE_WHILE_BUSY
    await unit.clear()
    await unit.start()
    assert (await unit.status()).fault == Fault.START_WHILE_BUSY
    assert (await unit.finish()).error == Error.NONE
    assert await unit.result() == pow(x, e, n)


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def longer_than_the_lower_half_counts(dut: Any) -> None:
    """No operation here takes 2^32 cycles: the counter is put ahead, so that its lower half ends in
    the middle of one."""
    unit = await ready(dut)
    n = device.modulus(96)
    cost = await unit.modexp(n, 7, 0x1234567, 25)
    for left in (1, 2, 3, cost.cycles_exponentiate // 2):
        await prepare(unit, n, e=0x1234567, bits=25)
        await unit.start()
        while not agents.number(dut.exponentiate_q):
            await RisingEdge(dut.clk_i)
        ahead = 3 << 32 | (2**32 - left)
        counted = agents.number(dut.exponentiate_q)
        dut.exponentiate_q.value = Immediate(ahead)
        await unit.finish()
        told = (await unit.cost()).cycles_exponentiate
        assert told == cost.cycles_exponentiate - counted + ahead, (left, counted)
        await unit.clear()


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def no_such_access(dut: Any) -> None:
    """Where no register is, or none that can be read or written so: SLVERR, and nothing happens."""
    unit = await ready(dut)
    before = await unit.status()
    known = {register.offset for register in vars(regs).values() if isinstance(register, Register)}
    absent = sorted(set(range(0, 128, 4)) - known)
    assert absent
    for offset in [*absent, regs.COMMAND.offset]:
        assert (await unit.bus.read(offset, 4)).resp == AxiResp.SLVERR, hex(offset)
    for offset in [*absent, regs.ID.offset, regs.STATUS.offset, regs.PRODUCTS.offset]:
        response = await unit.bus.write(offset, b"\xff\xff\xff\xff")
        assert response.resp == AxiResp.SLVERR, hex(offset)
    assert await unit.status() == before


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def part_of_a_word(dut: Any) -> None:
    """A write to DATA of less than four bytes answers SLVERR and takes no place in it."""
    unit = await ready(dut)
    n = device.modulus(64)
    await prepare(unit, n)
    await unit.clear()
    words = unit.data_words(unit.model.length(64))
    await unit.select(Slot.BASE)
    x = n - 3
    for i in range(words):
        for byte, data in ((0, b"\x55"), (1, b"\x55\xaa"), (3, b"\xff"), (0, b"\x01\x02\x03")):
            response = await unit.bus.write(regs.DATA.offset + byte, data)
            assert response.resp == AxiResp.SLVERR
        await unit.data(x >> (32 * i) & 0xFFFFFFFF, 1)
    await unit.start()
    assert await unit.finish() == Status(0, 1, 1, 1, Error.NONE, Fault.NONE)
    assert await unit.result() == pow(x, 3, n)


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def commands_together(dut: Any) -> None:
    """Bits of one write: what destroys more wins, idle or busy; nothing is started then."""
    unit = await ready(dut)
    n = device.modulus(64)
    start, wipe, abort = regs.COMMAND_START, regs.COMMAND_WIPE, regs.COMMAND_ABORT
    for fields in ((start, wipe), (start, abort), (wipe, abort), (start, wipe, abort)):
        command = sum(field.put(1) for field in fields)
        await prepare(unit, n)
        await _together(unit, [(regs.COMMAND, command)])
        assert await unit.finish() == Status(0, 1, 0, 0, Error.NONE, Fault.NONE), fields
        assert blank_memories(dut), fields
        assert await unit.read(regs.OPERATIONS) == 0
        await unit.start()  # which has no operands any more
        assert (await unit.finish()).error == Error.OPERAND_MISSING
        await unit.clear()
        await prepare(unit, n, e=(1 << 32) - 1, bits=32)
        await unit.start()
        await _together(unit, [(regs.COMMAND, command)])
        fault = Fault.NONE if abort in fields else Fault.WRITE_WHILE_BUSY
        error = Error.ABORTED if abort in fields else Error.NONE
        assert await unit.finish() == Status(0, 1, not error, not error, error, fault), fields
        assert blank_memories(dut) == bool(error)
        await unit.clear()
        await unit.command(wipe)
        await unit.finish()
        await unit.clear()
        dut.operations_q.value = Immediate(0)
    await unit.modexp(n, 7, 5, 3)


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def settings_then_start(dut: Any) -> None:
    """With the command right behind it on the bus what was written last already counts."""
    unit = await ready(dut)
    n = device.modulus(64)
    window = {"window": 1}
    cases: list[tuple[Error, Register, int, dict[str, int]]] = [
        (Error.LENGTH, regs.LENGTH, 4095, window),
        (Error.SCHEME, regs.CONFIG, regs.CONFIG_SCHEME.put(6) | regs.CONFIG_WINDOW.put(1), window),
        (Error.WINDOW, regs.CONFIG, regs.CONFIG_WINDOW.put(0), window),
        (Error.EXPONENT_LENGTH, regs.EXPONENT, 0, window),
        (Error.OPERAND_MISSING, regs.EXPONENT, 2, window),
        (Error.NONE, regs.CONFIG, regs.CONFIG_WINDOW.put(2), {"window": 0}),
        (Error.NONE, regs.CONFIG, regs.CONFIG_WINDOW.put(1), {"scheme": 6}),
    ]
    for error, register, value, given in cases:
        await prepare(unit, n, **given)
        await _together(unit, [(register, value), (regs.COMMAND, regs.COMMAND_START.put(1))])
        status = await unit.finish()
        assert status.error == error, (error, register.name)
        if error == Error.NONE:
            assert await unit.result() == pow(5, 3, n)
        await unit.clear()
    # The last word of an operand, too.
    await prepare(unit, n, e=1 << 40 | 3, bits=41)
    await unit.write(regs.OPERAND, int(Slot.EXPONENT))
    words = [(regs.DATA, 3), (regs.DATA, 1 << 8)]
    await _together(unit, [*words, (regs.COMMAND, regs.COMMAND_START.put(1))])
    assert (await unit.finish()).error == Error.NONE
    assert await unit.result() == pow(5, 1 << 40 | 3, n)


async def _together(unit: Device, writes: list[tuple[Register, int]]) -> None:
    """As fast as the bus takes them, a command last."""
    tasks = [cocotb.start_soon(unit.write(register, value)) for register, value in writes]
    for task in tasks:
        await task
    await agents.cycles(unit.dut, 2)  # as Device.command


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def operands_too_long(dut: Any) -> None:
    """A bit beyond the end, in the last word or after it, makes the operand count as missing."""
    unit = await ready(dut)
    n = device.modulus(70)  # its words end in the middle of 32 bits
    length = unit.model.length(70)
    size, words = unit.model.word_bits * (length + 1), unit.data_words(length)
    for slot in (Slot.MODULUS, Slot.BASE):
        for bit in (size, 32 * words - 1, 32 * words, 32 * words + 31):
            await prepare(unit, n)
            await unit.clear()
            await unit.select(slot)
            await unit.data(1 << bit | 3, max(words, bit // 32 + 1))
            assert (await unit.status()).fault == Fault.OPERAND_TOO_LONG, (slot, bit)
            await unit.start()
            assert (await unit.finish()).error == Error.OPERAND_MISSING
    for bits, bit in ((5, 5), (5, 31), (32, 32), (33, 33), (33, 63)):
        await prepare(unit, n)
        await unit.clear()
        await unit.write(regs.EXPONENT, bits)
        await unit.select(Slot.EXPONENT)
        await unit.data(1 << bit | 1, bit // 32 + 1)
        assert (await unit.status()).fault == Fault.OPERAND_TOO_LONG, (bits, bit)
        await unit.start()
        assert (await unit.finish()).error == Error.OPERAND_MISSING
    # Zeros beyond the end do no harm.
    await unit.clear()
    await prepare(unit, n)
    await unit.select(Slot.BASE)
    await unit.data(5, words + 2)
    await unit.start()
    assert (await unit.finish()).error == Error.NONE
    assert await unit.result() == pow(5, 3, n)


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def not_readable(dut: Any) -> None:
    """No slot but the result can be read, and that only while there is one."""
    unit = await ready(dut)
    n = device.modulus(64)
    for slot in Slot:
        await unit.select(slot)
        assert await unit.read(regs.DATA) == 0
        assert (await unit.status()).fault == Fault.NOT_READABLE
        await unit.clear()
    await unit.modexp(n, n - 2, 3, 2)
    for slot in set(Slot) - {Slot.RESULT}:
        await unit.select(slot)
        assert await unit.read(regs.DATA) == 0
        assert (await unit.status()).fault == Fault.NOT_READABLE
        await unit.clear()
    assert await unit.result() == pow(n - 2, 3, n)
    assert (await unit.status()).fault == Fault.NONE
    # A second time from the lowest word on; then beyond its end there are only zeros.
    assert await unit.result() == pow(n - 2, 3, n)
    assert [await unit.read(regs.DATA) for _ in range(3)] == [0, 0, 0]
    # The slot of the result cannot be written.
    await unit.select(Slot.RESULT)
    await unit.data(0xFFFFFFFF, 2)
    assert await unit.result() == pow(n - 2, 3, n)
    # With another modulus it is gone.
    await unit.write(regs.LENGTH, 9)
    await unit.select(Slot.RESULT)
    assert await unit.read(regs.DATA) == 0
    assert (await unit.status()).fault == Fault.NOT_READABLE


@cocotb.test(timeout_time=10, timeout_unit="ms")
@cocotb.parametrize(how=["abort", "reset", "wipe"])
async def stopped(dut: Any, how: str) -> None:
    """At any point: everything wiped, and the next operation is right, and cold."""
    unit = await ready(dut)
    n = (1 << 96) - 1
    cost = unit.model.modexp(Scheme.FIXED_WINDOW, 96, 32, 3, warm=False)
    for _ in range(8):
        await prepare(unit, n, x=n - 2, e=0xFFFFFFFF, bits=32, window=3)
        await unit.start()
        if how == "wipe":
            assert (await unit.finish()).result == 1
            assert not blank_memories(dut)
            await unit.command(regs.COMMAND_WIPE)
        else:
            await agents.cycles(dut, random.randrange(1, cost.cycles - 10))
            assert not blank_memories(dut)
        if how == "reset":
            await unit.reset()
            await unit.enable_interrupt()
        elif how == "abort":
            await unit.command(regs.COMMAND_ABORT)
        error = Error.ABORTED if how == "abort" else Error.NONE
        assert await unit.finish() == Status(0, 1, 0, 0, error, Fault.NONE)
        assert blank_memories(dut)
        # Every operand is forgotten; a reset forgets the length, too.
        await unit.start()
        forgotten = Error.LENGTH if how == "reset" else Error.OPERAND_MISSING
        assert (await unit.finish()).error == forgotten
        await unit.clear()
        await unit.modexp(device.modulus(40), 3, random.getrandbits(5), 5, 2)
    await unit.command(regs.COMMAND_ABORT)  # with nothing to end
    assert (await unit.status()).busy == 0
    assert (await unit.status()).error == Error.NONE


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def nothing_unknown_after_reset(dut: Any) -> None:
    """What every register held before a reset makes no difference after it and its wipe: not to a
    register, and not to a cycle of any output."""
    unit = await ready(dut)
    wanted: tuple[list[dict[str, int]], dict[str, int]] | None = None
    outputs = [item for item in dut if item._name.endswith("_o") or item._name in ANSWERS]
    for _ in range(3):
        await FallingEdge(dut.clk_i)
        scramble(dut)
        dut.rst_ni.value = 0
        await agents.cycles(dut, 4)
        dut.rst_ni.value = 1
        seen = []
        for _ in range(WIPE_CYCLES):
            await RisingEdge(dut.clk_i)
            seen.append({item._name: agents.number(item) for item in outputs})
        assert await unit.status() == Status(0, 1, 0, 0, Error.NONE, Fault.NONE)
        found = seen, agents.registers(dut)
        wanted = wanted or found
        differ = [n for n, v in found[1].items() if v != wanted[1][n]]
        assert not differ, differ
        assert found == wanted
