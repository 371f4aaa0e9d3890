# SPDX-License-Identifier: Apache-2.0
"""How often a design switches, counted in a simulation of a real operation.

The operation is an exponentiation. With both CRT halves on chip it is an RSA private operation. The
model counts the changes of every bit (SAIF), so what is written grows with the design and not with
the time. The cache keeps the model and the counts by their content.
"""

from __future__ import annotations

import dataclasses
import json
import random
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from monpro import rsa
from monpro.base import cache, files, paths
from monpro.engine import Counters, Engine, Job, Scheme
from monpro.errors import MonproError
from monpro.hardware import designs, simulator
from monpro.hardware.designs import Design
from monpro.hardware.regs import Scheme as SchemeNumber
from monpro.power import saif as activity_saif
from monpro.power.sets import Activity
from monpro.records import Record

# An exponent as long as this takes, or as long as the modulus: then loading and constants are few.
CYCLES = 60_000
LEAST_BITS = 16
SEED = "activity"
FORM = "1"  # of what is kept; another one for another operation or other figures
TOP_MODULES = 12
# What is usual of a multiplier is that of these designs at these lengths.
USUAL = {
    "interleaved": (("binary", (256, 512, 1024)), ("repeated", (256, 512, 1024))),
    "radix2": (("montgomery", (256, 512, 1024)),),
    "array": (("tiny", (1024,)), ("small", (512, 1024, 2048)), ("codesign", (1024,))),
    "pipelined": (("fast", (1024, 2048)),),
    "word": (("pynq", (1024, 2048)),),
}


@dataclass(frozen=True, slots=True)
class Measured:
    """One simulation. cycles: of loading, computing and reading, which toggles are held against;
    modules: (instance, register changes and other changes a cycle), the busiest first."""

    design: str
    bits: int
    operation: str
    exponent_bits: int
    cycles: int
    registers: int
    nets: int
    blocks: int
    logic: float
    register: float
    dsp: float
    modules: tuple[tuple[str, float, float], ...]

    @property
    def activity(self) -> Activity:
        return Activity(self.logic, self.register, self.dsp)

    def record(self) -> Record:
        """The figures of a record."""
        names = ("exponent_bits", "cycles", "registers", "nets", "logic", "register", "dsp")
        figures = {name: getattr(self, name) for name in names}
        busiest = [
            {"instance": where, "register_toggles": a, "net_toggles": b}
            for where, a, b in self.modules
        ]
        return figures | {"blocks": self.blocks, "modules": busiest}


def exponent(design: Design, bits: int) -> int:
    """A public exponent, random, that keeps the design at work for CYCLES or its whole length."""
    source = random.Random(f"{SEED} {bits}")  # noqa: S311 - repeatable
    model, length = design.model(), min(LEAST_BITS, bits)
    if design.schemes == ("repeated",):
        one = model.modexp(SchemeNumber.REPEATED, bits, 16, warm=True, exponent=3).cycles
        return max(3, min(2**16 - 1, 2 * CYCLES // one))
    while True:
        value = source.getrandbits(length) | 1 << (length - 1)
        cost = model.modexp(SchemeNumber.BINARY, bits, length, warm=True, exponent=value)
        if cost.cycles >= CYCLES or length == bits:
            return value
        length = min(2 * length, bits)


def _digest(design: Design, bits: int) -> str:
    """The name of a result, from the model, its input, and what is made of it."""
    options = simulator.flags(design, trace=False, toggles=True)
    model = simulator.digest(simulator.sources(design), options, simulator.harness(design))
    given = [model, str(bits), str(CYCLES), str(LEAST_BITS), FORM]
    return cache.digest(given, [Path(activity_saif.__file__)])


def _note(design: Design, bits: int) -> Path:
    folder = paths.cache() / "activity"
    return folder / f"{_digest(design, bits)}.json"


def kept(design: Design, bits: int) -> Measured | None:
    """What the cache has, or None."""
    if _unsupported(design):
        return None
    try:
        known: dict[str, Any] | None = cache.recall(_note(design, bits))
        if known is None:
            return None
        known["modules"] = tuple(tuple(each) for each in known["modules"])
        return Measured(**known)
    except (ValueError, TypeError, KeyError):  # a file that is damaged is as good as none
        return None


def _unsupported(design: Design) -> str | None:
    if design.stream:
        return f"{design.name}: no activity of a stream kernel: its host has the exponentiation"
    return None


def measured(design: Design, bits: int, say: simulator.Say = simulator._say) -> Measured:
    """The activity at one length, from the cache or simulated."""
    if refusal := _unsupported(design):
        raise MonproError("MONPRO_ERR_UNSUPPORTED", refusal)
    if not design.min_bits <= bits <= design.max_bits:
        raise MonproError(
            "MONPRO_ERR_PARAMETER",
            f"{design.name} takes {design.min_bits} to {design.max_bits} bits, not {bits}",
        )
    if found := kept(design, bits):
        return found
    model = simulator.model(design, toggles=True, say=say)
    with tempfile.TemporaryDirectory(prefix="monpro-activity-") as name:
        files.unfinished.add(name)
        saif = Path(name) / "toggles.saif"
        operation, length, spent = _run(design, bits, f"sim:{model},trace={saif}")
        counted = activity_saif.read(saif)
    result = _figures(design, bits, operation, length, spent, counted)
    note = _note(design, bits)
    try:
        note.parent.mkdir(parents=True, exist_ok=True)
        cache.keep(note, json.dumps(dataclasses.asdict(result)).encode() + b"\n")
    except OSError as why:
        raise MonproError("MONPRO_ERR_BUILD", f"{note.parent}: {why.strerror}") from why
    return result


def _run(design: Design, bits: int, spec: str) -> tuple[str, int, Counters]:
    """The operation, the bits of its exponent, and what it took; its result is checked."""
    source = random.Random(f"{SEED} {design.name} {bits}")  # noqa: S311 - repeatable
    with Engine(spec) as engine:
        if design.crt and bits >= 1024:
            key = rsa.Key.generate(bits)
            block = source.getrandbits(bits - 2).to_bytes(bits // 8, "big")
            back = rsa.raw_public(engine, key, rsa.raw_private(engine, key, [block]))
            if back != [block]:
                raise MonproError("MONPRO_ERR_CHECK", f"{design.name}: a wrong result")
            return "rsa_private", bits // 2, engine.counters()
        n = source.getrandbits(bits) | 1 << (bits - 1) | 1
        x, e = source.randrange(n), exponent(design, bits)
        scheme = "repeated" if design.schemes == ("repeated",) else "binary"
        [result] = engine.modexp_batch([Job(x, e, n, True, cast(Scheme, scheme))])
        if result.error:
            raise result.error
        if result.value != pow(x, e, n):
            raise MonproError("MONPRO_ERR_CHECK", f"{design.name}: a wrong result")
        return "modexp", e.bit_length(), result.counters


def _figures(
    design: Design,
    bits: int,
    operation: str,
    length: int,
    spent: Counters,
    counted: activity_saif.Counted,
) -> Measured:
    total, cycles = counted.total(), spent.cycles_total
    if not (total.registers and total.nets and cycles):
        raise MonproError("MONPRO_ERR_BUILD", f"{design.name}: no activity was counted")
    busiest = sorted(
        counted.instances.items(), key=lambda item: -item[1].net_changes - item[1].register_changes
    )
    modules = tuple(
        (where.partition("/")[2], t.register_changes / cycles, t.net_changes / cycles)
        for where, t in busiest[:TOP_MODULES]
    )
    blocks = counted.blocks
    return Measured(
        design.name, bits, operation, length, cycles, total.registers, total.nets, blocks,
        total.net_changes / cycles / total.nets,
        total.register_changes / cycles / total.registers,
        total.factor_changes / cycles / blocks if blocks else 0.0,
        modules,
    )  # fmt: skip


def spread(found: Sequence[Measured]) -> Activity:
    """What is usual of several: the geometric middle, and how far the ends are from it.

    factor: of a design with as many LUTs as flip-flops, all kinds of toggles alike.
    """

    def middle(name: str) -> tuple[float, float]:
        values = [getattr(each, name) for each in found]
        if not min(values):
            return max(values), 1.0
        low, high = min(values), max(values)
        return float((low * high) ** 0.5), float((high / low) ** 0.5)

    (logic, a), (register, b), (dsp, c) = map(middle, ("logic", "register", "dsp"))
    names = ", ".join(dict.fromkeys(each.design.partition(",")[0] for each in found))
    lengths = sorted({each.bits for each in found})
    span = f"{lengths[0]} to {lengths[-1]}" if len(lengths) > 1 else str(lengths[0])
    return Activity(logic, register, dsp, max(a, b, c), f"usual of {names}, {span} bits")


def usual(say: simulator.Say = simulator._say) -> dict[str, Activity]:
    """What is usual of each multiplier, from the cache or simulated."""
    return {
        multiplier: spread(
            [measured(designs.get(name), bits, say) for name, lengths in of for bits in lengths]
        )
        for multiplier, of in USUAL.items()
    }


def to_toml(found: Mapping[str, Activity]) -> str:
    """The activities in the form of the tables of published/energy.toml."""
    lines = []
    for name, each in found.items():
        lines += [
            f"[usual.{name}]",
            *(f"{key} = {getattr(each, key):.3g}" for key in ("logic", "register", "dsp")),
            f"factor = {each.factor:.3g}",
            f'obtained = "{each.obtained}"',
            "",
        ]
    return "\n".join(lines)
