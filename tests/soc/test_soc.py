# SPDX-License-Identifier: Apache-2.0
"""The system on chip: it boots, software and coprocessor agree with the host, errors have names.

One system is built, around the smallest design with its streams. One run of it does everything.
The tests look at what the firmware said.
"""

from __future__ import annotations

import dataclasses
import random
import zlib

import pytest

from monpro import _native
from monpro.errors import MonproError
from monpro.hardware import designs, regs
from monpro.hardware.regs import Fault
from monpro.soc import build as soc_build
from monpro.soc import lines as soc_lines
from monpro.soc import run as soc
from monpro.soc import tasks as soc_tasks
from monpro.soc.build import System
from monpro.soc.run import EXPECTED_ERRORS, Outcome
from monpro.soc.tasks import DMA, Kind, On, Task, number

DESIGN = "tiny"
BITS = 256
SYSTEM = System(designs.get(DESIGN), streams=True)
SEED = 5


def tasks() -> list[Task]:
    rng = random.Random(SEED)
    n = rng.getrandbits(BITS) | 1 | 1 << (BITS - 1)
    b, e = rng.randrange(n), rng.getrandbits(BITS) | 1 << (BITS - 1)
    fields = (number(n), number(b), number(e))
    expected = pow(b, e, n)
    even = (number(n - 1), *fields[1:])

    def modexp(on: On, scheme: str = "fixed_window", name: str = "modexp", flags: int = 0) -> Task:
        return Task(Kind.MODEXP, on, fields, expected, BITS, name, scheme, flags=flags)

    rsa = soc.PROGRAMS["rsa"].tasks(SYSTEM.design, 512, "default", rng)
    public = next(task.fields for task in rsa if task.kind == Kind.RSA_PUBLIC)
    private = next(task.fields for task in rsa if task.kind == Kind.RSA_PRIVATE)

    def wrong(kind: Kind, *numbers: bytes) -> Task:
        return Task(kind, On.DEVICE, numbers, None, BITS, "wrong")

    def other(at: int, field: bytes) -> Task:
        return wrong(Kind.RSA_PRIVATE, *private[:at], field, *private[at + 1 :])

    return [
        modexp(On.SOFT),
        modexp(On.DEVICE),
        modexp(On.DEVICE),
        modexp(On.DEVICE, "binary"),
        modexp(On.DEVICE, "ladder"),  # which this design has not
        Task(Kind.MODEXP, On.SOFT, even, None, BITS, "even"),
        *(task for task in rsa if task.operation != "private"),  # by the CRT is enough
        *(wrong(kind) for kind in Kind if kind != Kind.PEER),
        wrong(Kind.MODEXP, *fields[:2]),
        wrong(Kind.STREAM, *fields, b"\1"),
        wrong(Kind.MISUSE, b"", *fields[1:]),
        wrong(Kind.MODEXP, fields[0], fields[1], bytes(513)),
        wrong(Kind.RSA_PUBLIC, *public[:2]),
        wrong(Kind.RSA_PUBLIC, *public[:2], public[2][1:]),
        wrong(Kind.RSA_PRIVATE, *public),
        wrong(Kind.RSA_PRIVATE, *private[:-1]),
        other(2, b"\0" + private[2]),
        *(other(at, private[at][1:]) for at in (5, 6, 7, 8)),
        Task(Kind.PEER, On.SOFT, fields, None, BITS, "peer"),
        Task(Kind.MISUSE, On.DEVICE, fields, expected, BITS, "misuse"),
        modexp(On.DEVICE, name="stream", flags=DMA),
        modexp(On.DEVICE, name="stream", flags=DMA),
        modexp(On.DEVICE, "binary", name="stream", flags=DMA),
        *(dataclasses.replace(task, operation=f"{task.operation}, stream")
          for task in soc.by_dma(rsa) if task.on == On.DEVICE and task.operation != "private"),
        Task(Kind.MISUSE, On.DEVICE, fields, expected, BITS, "misuse", flags=DMA),
        Task(Kind.STREAM, On.DEVICE, fields, expected, BITS, "misuse", flags=DMA),
    ]  # fmt: skip


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return soc.simulate(SYSTEM, tasks())


def of(outcomes: list[Outcome], operation: str, engine: str = "device") -> list[Outcome]:
    return [x for x in outcomes if x.task.operation == operation and x.engine == engine]


@pytest.mark.sim
def test_software_and_coprocessor_agree_with_the_host(outcomes: list[Outcome]) -> None:
    soft = of(outcomes, "modexp", "soft")[0]
    cold, warm, binary, _ladder = of(outcomes, "modexp")
    for outcome in (soft, cold, warm, binary):
        assert outcome.ok, outcome
    assert (cold.counters["warm"], warm.counters["warm"]) == (0, 1)
    assert warm.counters["products"] < cold.counters["products"]
    assert warm.busy < cold.busy < cold.cycles < soft.cycles


@pytest.mark.sim
def test_rsa_512_in_software_and_hardware(outcomes: list[Outcome]) -> None:
    for operation in ("public", "private, CRT"):
        soft, device = of(outcomes, operation, "soft"), of(outcomes, operation)
        assert len(soft) == 1
        stream = of(outcomes, f"{operation}, stream")
        assert [x.out for x in stream] == [x.out for x in device]
        assert all(x.ok for x in stream)
        assert len(device) == (2 if operation == "public" else 1)
        assert soft[0].ok
        assert all(x.ok and x.out == soft[0].out for x in device)


@pytest.mark.sim
def test_a_scheme_that_is_not_there_and_an_even_modulus_are_named(outcomes: list[Outcome]) -> None:
    assert of(outcomes, "modexp")[3].status == "MONPRO_ERR_SCHEME"
    assert of(outcomes, "even", "soft")[0].status == "MONPRO_ERR_MODULUS_EVEN"
    assert of(outcomes, "peer", "peer")[0].status == "MONPRO_ERR_UNSUPPORTED"


@pytest.mark.sim
def test_a_task_without_its_numbers_is_named_and_not_done(outcomes: list[Outcome]) -> None:
    wrong = of(outcomes, "wrong")
    assert len(wrong) == sum(task.operation == "wrong" for task in tasks()) == 18
    assert {(x.what, x.status, x.out) for x in wrong} == {("task", "MONPRO_ERR_ARGUMENT", None)}
    assert all("fields" in x.text for x in wrong)


@pytest.mark.sim
def test_every_misuse_has_its_error_and_work_goes_on(outcomes: list[Outcome]) -> None:
    seen = [(x.what, x.status) for x in outcomes if x.what in EXPECTED_ERRORS]
    assert set(seen) == set(EXPECTED_ERRORS.items())
    both = {"absent", "newer_version", "even_modulus", "start_while_busy"}  # registers and DMA
    twice = both | {"dma_length", "dma_place", "stream_stalled"}  # in two ways each
    assert len(seen) == len(EXPECTED_ERRORS) + len(twice)
    assert all(sum(what == x for what, _ in seen) == 2 for x in twice)
    afterwards = [x for x in outcomes if x.what == "afterwards"]
    assert len(afterwards) == 3  # registers, DMA, packets of its own
    assert all(x.ok for x in afterwards)


@pytest.mark.sim
def test_every_fault_of_the_stream_is_the_one_it_has_to_be(outcomes: list[Outcome]) -> None:
    """The text has STATUS, and that which fault it was."""
    for what, fault in (
        ("stream_short", Fault.STREAM_SHORT), ("stream_long", Fault.STREAM_LONG),
        ("stream_header", Fault.STREAM_HEADER), ("stream_cut", Fault.STREAM_CUT),
    ):  # fmt: skip
        [outcome] = [x for x in outcomes if x.what == what]
        status = int(outcome.text.rpartition(" ")[2], 16)
        assert regs.STATUS_FAULT.get(status) == fault, outcome.text
    registers, stream = [x for x in outcomes if x.what == "start_while_busy"]
    faults = [regs.STATUS_FAULT.get(int(x.text[-8:], 16)) for x in (registers, stream)]
    assert faults == [Fault.START_WHILE_BUSY, Fault.STREAM_BUSY]


@pytest.mark.sim
def test_a_packet_by_dma_costs_less_than_accesses(outcomes: list[Outcome]) -> None:
    stream = of(outcomes, "stream")
    cold, warm, binary = of(outcomes, "modexp")[:3]
    assert [x.counters["warm"] for x in stream] == [0, 1, 1]
    for one, other in zip(stream, (cold, warm, binary), strict=True):
        assert one.ok
        assert one.busy == other.busy  # the same work in the same cycles
        assert one.overhead is not None
        assert other.overhead is not None
        assert 0 < one.overhead < other.overhead


@pytest.mark.sim
def test_single_products_go_by_dma() -> None:
    """Packet after packet. At this length the processor makes commands about as fast as they are
    done, and copies more slowly."""
    design = designs.get("codesign")
    for scheme, most in (("sliding_window", 0.2), ("fixed_window", 0.4)):
        asked = soc.PROGRAMS["stream"].tasks(design, 512, scheme, random.Random(SEED))
        [(system, rest)] = [part for part in soc.parts(design, asked) if part[0].design]
        registers, stream = [], []
        for outcome in soc.simulate(system, rest):
            assert outcome.ok, outcome
            (stream if outcome.task.flags & DMA else registers).append(outcome)
        assert [x.counters["warm"] for x in stream] == [0, 1]
        for one, other in zip(stream, registers, strict=True):
            assert one.counters["products"] == other.counters["products"]
            assert one.overhead is not None
            assert one.overhead < most
            assert one.cycles < 1.15 * other.cycles


@pytest.mark.sim
def test_a_run_that_does_not_end_is_a_timeout() -> None:
    with pytest.raises(MonproError) as caught:
        soc.simulate(SYSTEM, tasks(), limit_cycles=3000)
    assert caught.value.name == "MONPRO_ERR_DEVICE_TIMEOUT"


@pytest.mark.sim
def test_tasks_that_the_firmware_does_not_know_stop_it() -> None:
    rom_tasks = [Task(Kind.MODEXP, On.SOFT, (b"\3",) * 10, None, 8, "too many numbers for any")]
    with pytest.raises(MonproError, match="did 0 of 1 tasks"):
        soc.simulate(SYSTEM, rom_tasks)


# ---- without a simulation ---------------------------------------------------------------------


def line(body: str) -> str:
    return f"${body}*{zlib.crc32(body.encode()):08x}"


def test_a_line_is_taken_apart() -> None:
    found = soc_lines.parse(line("result task=1 what=x text=a b=c * d"))
    assert found.kind == "result"
    assert found.fields == {"task": "1", "what": "x", "text": "a b=c * d"}
    assert found.number("task") == 1
    with pytest.raises(MonproError):
        found.number("what")


@pytest.mark.parametrize(
    "text", ["", "$x", line("x a=1").replace("a=1", "a=2"), line("x")[:-1], "x" + line("x")]
)
def test_a_damaged_line_is_an_error(text: str) -> None:
    with pytest.raises(MonproError) as caught:
        soc_lines.parse(text)
    assert caught.value.name == "MONPRO_ERR_DEVICE_FAULT"


def test_addresses_are_the_same_in_all_systems() -> None:
    systems = [
        System(None), SYSTEM, System(designs.get("tiny")), System(designs.get("pynq")),
    ]  # fmt: skip
    found: dict[str, list[object]] = {}
    for system in systems:
        generated, _ = soc_build._generate(system)
        parts = generated.map()
        one = {f"register {k}": v for k, v in parts["csr_registers"].items()}
        one |= {k: v for k, v in parts["constants"].items() if k.endswith("_interrupt")}
        one |= {f"memory {k}": v["base"] for k, v in parts["memories"].items()}
        for key, value in one.items():
            found.setdefault(key, []).append(value)
    for key, values in found.items():
        assert values == values[:1] * len(values), key
    for key in ("register uart_rxtx", "memory rom", "memory sram", "uart_interrupt"):
        assert len(found[key]) == 4, key
    for key in ("register monpro_ev_enable", "memory monpro", "monpro_interrupt"):
        assert len(found[key]) == 3, key
    for key in ("register monpro_reader_base", "register monpro_writer_base"):
        assert len(found[key]) == 1, key  # with the streams alone


def test_too_many_tasks_are_refused() -> None:
    with pytest.raises(MonproError) as caught:
        soc_build.rom(b"", bytes(64 << 10))
    assert caught.value.name == "MONPRO_ERR_UNSUPPORTED"


def test_scheme_numbers_are_the_librarys() -> None:
    numbers = _native.load().ffi.typeof("monpro_scheme").elements
    names = [f"MONPRO_SCHEME_{name.upper()}" for name in soc_tasks.SCHEMES]
    assert [numbers[number] for number in range(len(numbers))] == names


def test_a_stream_kernel_has_no_place_on_the_bus() -> None:
    with pytest.raises(MonproError) as caught:
        soc_build.model(System(designs.get("dataflow")))
    assert caught.value.name == "MONPRO_ERR_UNSUPPORTED"
