# SPDX-License-Identifier: Apache-2.0
"""The simulator's C ABI (sim/monpro_sim.h), over a stand-in for the coprocessor (echo.sv)."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from monpro.hardware import designs, regs, rtl, simulator

HERE = Path(__file__).resolve().parent
RESPONSE_CYCLES = 4096
RESET_CYCLES = 4
RUN_CYCLES = 500  # of echo.sv
SILENCE = 0xDEAD_DEAD  # of echo.sv
DECERR, HANG = 3, 4  # of monpro_sim.h


def build(elements: int, *, trace: bool = False) -> Path:
    design = designs.get("tiny").with_parameters(elements=elements)
    files = [path for path in rtl.sources() if path.stem.startswith(("monpro_regs", "monpro_axi"))]
    return simulator.model(design, trace=trace, files=[*files, HERE / "echo.sv"], top="echo")


@pytest.fixture(scope="module")
def plain() -> Path:
    return build(5)


@pytest.fixture(scope="module")
def traced() -> Path:
    return build(9, trace=True)


class Model:
    """A model, loaded by the system's loader as the library does it."""

    def __init__(self, path: Path) -> None:
        self.library = ctypes.CDLL(str(path), mode=os.RTLD_LOCAL | os.RTLD_NOW)
        word, handle = ctypes.c_uint32, ctypes.c_void_p
        signatures = {
            "abi": (word, []),
            "create": (handle, [ctypes.c_char_p]),
            "destroy": (None, [handle]),
            "reset": (None, [handle]),
            "write": (ctypes.c_int, [handle, word, word]),
            "read": (ctypes.c_int, [handle, word, ctypes.POINTER(word)]),
            "wait": (ctypes.c_uint64, [handle, ctypes.c_uint64]),
            "irq": (ctypes.c_int, [handle]),
            "cycles": (ctypes.c_uint64, [handle]),
        }
        for name, (result, arguments) in signatures.items():
            function = getattr(self.library, f"monpro_sim_{name}")
            function.restype, function.argtypes = result, arguments
            setattr(self, f"_{name}", function)

    def create(self, trace: Path | None = None) -> Sim | None:
        handle = self._create(None if trace is None else os.fsencode(trace))
        return Sim(self, handle) if handle else None


class Sim:
    """One simulated coprocessor."""

    def __init__(self, model: Model, handle: int) -> None:
        self.model, self.handle = model, handle

    def __getattr__(self, name: str) -> Callable[..., int]:
        return lambda *arguments: getattr(self.model, f"_{name}")(self.handle, *arguments)

    def get(self, register: regs.Register) -> int:
        value = ctypes.c_uint32(0xFFFF_FFFF)
        assert self.read(register.offset, ctypes.byref(value)) == 0
        return value.value

    def put(self, register: regs.Register, value: int) -> None:
        assert self.write(register.offset, value) == 0


@pytest.fixture
def sim(plain: Path) -> Iterator[Sim]:
    sim = Model(plain).create()
    assert sim is not None
    yield sim
    sim.destroy()


def test_exports_only_the_abi(plain: Path, traced: Path) -> None:
    header = (rtl.folder().parent / "sim" / "monpro_sim.h").read_text(encoding="utf-8")
    for model in (plain, traced):
        run = subprocess.run(
            ["nm", "-D", "--defined-only", str(model)], check=True, text=True, capture_output=True
        )
        names = {line.split()[-1] for line in run.stdout.splitlines()}
        assert len(names) == 9
        assert all(f" {name}(" in header or f"*{name}(" in header for name in names)


def test_registers_answer(sim: Sim) -> None:
    assert sim.get(regs.ID) == regs.ID_MAGIC.reset
    sim.put(regs.LENGTH, 61)
    assert sim.get(regs.LENGTH) == 61
    for value in (0, 1, 0x8000_0000, 0xFFFF_FFFF):
        sim.put(regs.DATA, value)
        assert sim.get(regs.DATA) == value


def test_address_beyond_the_map_is_a_decode_error(sim: Sim) -> None:
    value = ctypes.c_uint32(7)
    assert sim.read(0x80, ctypes.byref(value)) == DECERR
    assert value.value == 0
    assert sim.write(0xFFFF_FFFC, 1) == DECERR


def test_wait_ends_with_the_interrupt(sim: Sim) -> None:
    sim.put(regs.INTERRUPT, 1)
    sim.put(regs.COMMAND, regs.COMMAND_START.put(1))
    assert sim.wait(100) == 100
    assert not sim.irq()
    assert sim.wait(10**6) == RUN_CYCLES - 100
    assert sim.irq()
    assert sim.wait(10**6) == 0
    sim.put(regs.COMMAND, regs.COMMAND_CLEAR.put(1))
    assert not sim.irq()


def test_reset_in_the_middle(sim: Sim) -> None:
    sim.put(regs.INTERRUPT, 1)
    sim.put(regs.LENGTH, 9)
    sim.put(regs.COMMAND, regs.COMMAND_START.put(1))
    before = sim.cycles()
    sim.reset()
    assert sim.cycles() - before == RESET_CYCLES
    assert sim.get(regs.STATUS) == 0
    assert sim.get(regs.LENGTH) == 0
    assert sim.wait(2 * RUN_CYCLES) == 2 * RUN_CYCLES


def test_silence_hangs_until_reset(sim: Sim) -> None:
    sim.put(regs.DATA, SILENCE)
    value = ctypes.c_uint32(7)
    before = sim.cycles()
    assert sim.read(regs.DATA.offset, ctypes.byref(value)) == HANG
    assert sim.cycles() - before == RESPONSE_CYCLES
    assert value.value == 0
    # A late answer must not be taken for that of another access.
    assert sim.read(regs.ID.offset, ctypes.byref(value)) == HANG
    assert sim.write(regs.LENGTH.offset, 1) == HANG
    sim.reset()
    assert sim.get(regs.ID) == regs.ID_MAGIC.reset


def test_handles_and_models_are_independent(sim: Sim, plain: Path, traced: Path) -> None:
    sim.put(regs.LENGTH, 5)
    twin, other = Model(plain).create(), Model(traced).create()
    assert twin is not None
    assert other is not None
    assert twin.get(regs.LENGTH) == 0
    assert regs.PARAM_ARRAY_ELEMENTS.get(twin.get(regs.PARAM_ARRAY)) == 5
    assert regs.PARAM_ARRAY_ELEMENTS.get(other.get(regs.PARAM_ARRAY)) == 9
    twin.destroy()
    assert sim.get(regs.LENGTH) == 5
    other.destroy()


def test_cycles_are_deterministic(plain: Path, traced: Path) -> None:
    def work(path: Path) -> list[int]:
        sim = Model(path).create()
        assert sim is not None
        counts = [sim.cycles()]
        for value in range(50):
            sim.put(regs.DATA, value)
            counts.append(sim.cycles())
            assert sim.get(regs.DATA) == value
            counts.append(sim.cycles())
        sim.destroy()
        return counts

    first = work(plain)
    assert first[0] == 0
    assert work(plain) == first
    assert work(traced) == first


def test_trace(traced: Path, tmp_path: Path) -> None:
    path = tmp_path / "trace.fst"
    sim = Model(traced).create(path)
    assert sim is not None
    for value in range(100):
        sim.put(regs.DATA, value)
    cycles = sim.cycles() + RESET_CYCLES
    sim.destroy()
    # The head of an FST file: block type, its length, first and last time (ns; a cycle is 10).
    data = path.read_bytes()
    assert data[0] == 0
    assert int.from_bytes(data[1:9], "big") == 329
    assert int.from_bytes(data[9:17], "big") == 0
    assert int.from_bytes(data[17:25], "big") == 10 * cycles - 5


def test_trace_that_cannot_be_written(plain: Path, traced: Path, tmp_path: Path) -> None:
    assert Model(traced).create(tmp_path / "no" / "such" / "folder.fst") is None
    assert Model(plain).create(tmp_path / "untraced.fst") is None
    assert not (tmp_path / "untraced.fst").exists()


# In a process of its own, whose heap holds nothing but what the model left there.
LEFTOVERS = """
import ctypes, pathlib, sys
sys.path.insert(0, {folder!r})
from test_harness import Model, regs
sim = Model(pathlib.Path({model!r})).create()
marker = int("5EC2E7A5", 16)
sim.put(regs.DATA, marker)
assert sim.get(regs.DATA) == marker
if {destroy}:
    sim.destroy()
needle, found = marker.to_bytes(4, "little"), 0
for line in open("/proc/self/maps"):
    if "[heap]" in line:
        low, high = (int(text, 16) for text in line.split()[0].split("-"))
        with open("/proc/self/mem", "rb") as memory:
            memory.seek(low)
            block = memory.read(high - low)
        found += sum(block[at : at + 4] == needle for at in range(0, len(block), 4))
print(found)
"""


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="needs Linux's /proc")
def test_destroy_wipes(plain: Path) -> None:
    def leftovers(*, destroy: bool) -> int:
        program = LEFTOVERS.format(folder=str(HERE), model=str(plain), destroy=destroy)
        run = subprocess.run(
            [sys.executable, "-c", program], check=True, text=True, capture_output=True
        )
        return int(run.stdout)

    # Python's own integers and ctypes' arguments may leave copies; the model must not add to them.
    before, after = leftovers(destroy=False), leftovers(destroy=True)
    assert before - after >= 2  # few: the bus keeps nothing of a word


def test_destroy_takes_null(plain: Path) -> None:
    Model(plain)._destroy(None)
