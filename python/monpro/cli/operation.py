# SPDX-License-Identifier: Apache-2.0
"""An operation with a key: the engine it runs on, its record, and the way from file to file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from monpro import records
from monpro.base import files
from monpro.cli import options as o
from monpro.engine import Engine, Measured
from monpro.records import Record
from monpro.rsa import Key


@dataclass(slots=True)
class Operation:
    """One operation under way. `figures` go into its record; the block may add to them."""

    command: str
    key: Key
    private: bool
    engine: Engine
    figures: dict[str, Any] = field(default_factory=dict)
    record: Record | None = None
    """There when the operation has ended without an exception."""


@contextmanager
def measured(
    command: str, key: Key, engine: str, trace: str | None, *, private: bool, **figures: Any
) -> Iterator[Operation]:
    """Opens the engine for the block, and makes the record of what the block did with it."""
    with Engine(engine, trace=trace) as unit:
        if private:
            figures = {"checked": True, "blinded": True} | figures
        operation = Operation(command, key, private, unit, {"ok": True} | figures)
        start_s = perf_counter()
        with unit.measure() as spent:
            yield operation
        operation.record = _record(operation, spent, (perf_counter() - start_s) * 1e3)


def _record(operation: Operation, measured: Measured, elapsed_ms: float) -> Record:
    spent, private = measured.counters, operation.private
    time = "wall_ms" if spent.cycles else "time_ms"  # of a simulation, or of the operation
    cycles = records.cycle_figures(operation.engine, spent)
    if cycles and private:  # of the above, what went into the check of the result
        cycles["cycles_check"] = measured.check.cycles
        cycles["cycles_check_bus"] = measured.check.cycles_bus
    return records.record(
        operation.command,
        {**cycles, time: elapsed_ms},
        engine=operation.engine,
        operation="rsa_private" if private else "rsa_public",
        bits=operation.key.bits,
        scheme="fixed_window" if private else "binary",
        exponent="secret" if private else "public",
        key_state=records.key_state(spent),
        obtained="simulated" if spent.cycles else "measured",
        **operation.figures,
    )


@dataclass(frozen=True, slots=True)
class Call:
    """What all commands are given that read a file, use a key and write a file."""

    command: str
    file: str
    key: str
    engine: str
    passphrase_file: str | None
    out: str | None
    trace: str | None
    json: bool


def file_to_file(
    call: Call,
    work: Callable[[Engine, Key, bytes], bytes],
    *,
    private: bool,
    output: dict[str, bool] | None = None,
    **figures: Any,
) -> None:
    """Reads file and key, does the work, writes the result; a failure writes nothing.

    output: how the result is written, as files.output() has it.
    """
    o.one_standard_input(call.file, call.key)
    o.not_both_to_standard_output(call.json, call.out)
    with files.output(call.out, **(output or {})) as write:
        data, key = files.read(call.file), o.read_key(call.key, call.passphrase_file)
        with measured(
            call.command, key, call.engine, call.trace, private=private, **figures
        ) as done:
            result = work(done.engine, key, data)
        write(result)
    if call.json and done.record is not None:
        records.show([done.record])
