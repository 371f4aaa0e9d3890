# SPDX-License-Identifier: Apache-2.0
"""The record of one result of the firmware."""

from __future__ import annotations

from monpro import records
from monpro.records import Record
from monpro.soc.run import Outcome
from monpro.soc.tasks import DMA, PUBLIC, SCHEMES

PROCESSOR = "VexRiscv, full"


def record(
    outcome: Outcome,
    design: str,
    clock_mhz: float,
    seed: int,
    program: str,
    command: str = "soc run",
) -> Record:
    """design: of the system; clock_mhz: assumed."""
    on_device = outcome.engine == "device"
    public = bool(outcome.task.flags & PUBLIC) or outcome.task.operation == "public"
    counters = outcome.counters
    timed = outcome.cycles or None
    return records.record(
        command,
        {},
        engine=outcome.engine,
        design=design if on_device else None,
        operation=outcome.what if program == "errors" else outcome.task.operation,
        bits=outcome.task.bits,
        scheme=_scheme(outcome),
        exponent="public" if public else "secret",
        key_state=("warm" if counters.get("warm") else "cold") if on_device and counters else None,
        ok=outcome.ok,
        obtained="simulated",
        program=program,
        processor=PROCESSOR,
        status=outcome.status,
        message=outcome.text or None,
        cycles_total=timed,
        cycles_device=outcome.busy if on_device and counters else None,
        cycles_span=counters.get("span") if on_device and counters else None,
        overhead=outcome.overhead,
        path=("stream" if outcome.task.flags & DMA else "registers") if on_device else None,
        cycles_bus=counters["load"] + counters["read"] if on_device and counters else None,
        products=counters.get("products") if on_device else None,
        blinded=False if "private" in outcome.task.operation else None,
        checked=True if "private" in outcome.task.operation else None,
        time_ms=outcome.cycles / clock_mhz / 1e3 if timed else None,
        clock_mhz=clock_mhz if timed else None,
        clock="assumed" if timed else None,
        seed=seed,
    )


def _scheme(outcome: Outcome) -> str | None:
    number = outcome.counters.get("scheme")
    return None if number is None else SCHEMES[number]
