# SPDX-License-Identifier: Apache-2.0
"""A design's RTL follows the same plan: its model runs, and what its operand memory gets is noted.

The model is built with sim/observed.h in it, and has a name of its own in the cache. Its RTL is the
one that all other models have.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from monpro.engine import Engine, Job, Result
from monpro.errors import MonproError
from monpro.hardware import simulator
from monpro.hardware.designs import Design
from monpro.hardware.models.coprocessor import Coprocessor
from monpro.hardware.models.product import ProductCoprocessor
from monpro.hardware.models.serial import Radix2, SerialCoprocessor
from monpro.trace.steps import COPY, PRODUCT, SLOTS, Plan

_DECLARATIONS = """
typedef uint64_t (*monpro_sim_observer)(void *, uint32_t, uint32_t, uint32_t, uint64_t);
void monpro_sim_observe(monpro_sim_observer observer, void *context);
int monpro_sim_can_flip(void);
"""


@dataclass(frozen=True, slots=True)
class Shape:
    """How a design has numbers of a length."""

    word_bits: int
    words: int
    r: int
    """Montgomery's factor; 1 where there is no Montgomery form."""


def shape(design: Design, modulus: int) -> Shape:
    """The shape of the numbers modulo a modulus."""
    bits, unit = modulus.bit_length(), design.model()
    if isinstance(unit, SerialCoprocessor):
        r = Radix2(modulus).factor if unit.montgomery else 1
        return Shape(unit.word_bits, unit.operand_words(bits), r)
    if isinstance(unit, ProductCoprocessor):
        return Shape(unit.word_bits, unit.words(bits), unit.multiplier_at(bits).r)
    assert isinstance(unit, Coprocessor)
    array = unit.array(bits)
    return Shape(unit.word_bits, array.words, array.r)


@dataclass(slots=True)
class Fault:
    """A bit of the value that comes `number`-th from a source."""

    source: int
    number: int
    bit: int


@dataclass(slots=True)
class Values:
    """What an observer has seen: numbers with their slots, by source and in order."""

    shape: Shape
    constant: int | None
    """The slot of a constant, whose values are not part of an exponentiation."""
    fault: Fault | None = None
    seen: dict[int, list[tuple[int, int]]] = field(default_factory=lambda: {PRODUCT: [], COPY: []})
    _number: dict[int, int] = field(default_factory=dict)

    def word(self, source: int, slot: int, index: int, word: int) -> int:
        """Notes one word. Returns the bits of it to flip."""
        if source == PRODUCT and slot == self.constant:
            return 0
        flip, bits = 0, self.shape.word_bits
        fault = self.fault
        if fault and fault.source == source and fault.number == len(self.seen[source]):
            place, bit = divmod(fault.bit, bits)
            flip = 1 << bit if place == index else 0
        number = self._number.get(source, 0) if index else 0
        number |= (word ^ flip) << (index * bits)
        self._number[source] = number
        if index == self.shape.words - 1:
            self.seen[source].append((slot, number))
        return flip


@contextmanager
def _observed(path: Path, values: Values) -> Iterator[bool]:
    """Coprocessors that are created inside are observed. Gives whether faults can be made."""
    import cffi

    ffi: Any = cffi.FFI()
    ffi.cdef(_DECLARATIONS)
    lib: Any = ffi.dlopen(str(path))

    @ffi.callback("monpro_sim_observer")  # type: ignore[untyped-decorator]
    def observer(_context: Any, source: int, slot: int, index: int, word: int) -> int:
        return values.word(source, slot, index, word)

    lib.monpro_sim_observe(observer, ffi.NULL)
    try:
        yield bool(lib.monpro_sim_can_flip())
    finally:
        lib.monpro_sim_observe(ffi.NULL, ffi.NULL)


def run(design: Design, job: Job, fault: Fault | None = None) -> tuple[Result, Values]:
    """One exponentiation on the design's model, with all that it wrote."""
    assert isinstance(job.modulus, int)
    path = simulator.model(design, observed=True)
    core = not (design.serial or design.products)
    values = Values(shape(design, job.modulus), SLOTS["r2"] if core else None, fault)
    with _observed(path, values) as can_flip:
        if fault and not can_flip:
            raise MonproError(
                "MONPRO_ERR_UNSUPPORTED",
                f"{design.name} streams its values past any register in which one could be "
                "changed: --inject-into c",
            )
        try:
            with Engine(f"sim:{path}") as engine:
                [result] = engine.modexp_batch([job])
        except MonproError as error:
            raise _named(error, path, design) from None
    if result.error:
        result = Result(0, result.counters, _named(result.error, path, design))
    return result, values


def _named(error: MonproError, path: Path, design: Design) -> MonproError:
    return MonproError(error.name, error.message.replace(str(path), design.name))


def match(plan: Plan, values: Values, design: Design) -> list[int | None]:
    """The value of each Op, as the RTL wrote it; None for what it does not show."""
    left = {source: iter(seen) for source, seen in values.seen.items()}
    expected = {s: sum(op.source == s for op in plan.ops) for s in values.seen}
    found = {source: len(seen) for source, seen in values.seen.items()}
    result: list[int | None] = []
    if expected == found:
        for op in plan.ops:
            if not op.source:
                result.append(None)
                continue
            slot, number = next(left[op.source])
            if slot != op.slot:
                break
            result.append(number)
    if len(result) != len(plan.ops):
        raise MonproError(
            "MONPRO_ERR_CHECK",
            f"{design.name} does not follow the plan: products and copies {list(found.values())}, "
            f"expected {list(expected.values())}, equal up to number {len(result)}",
        )
    return result
