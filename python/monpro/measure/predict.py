# SPDX-License-Identifier: Apache-2.0
"""What the bench knows before it simulates: cycles from the model, and the simulator's speed."""

from __future__ import annotations

import dataclasses
import time

from monpro.engine import Counters, Engine, Job
from monpro.hardware.designs import Design
from monpro.hardware.models.coprocessor import MAX_WINDOW, Coprocessor
from monpro.hardware.regs import Scheme

PROBE_S = 0.3
PROBE_BITS = 512
PROBE_E = 17  # of a design that has no secret exponents


@dataclasses.dataclass(frozen=True, slots=True)
class Prediction:
    """Cycles of an operation by the model, for each line of a table that it fills."""

    rows: tuple[tuple[str, bool | None, int], ...]
    """Key state; whether the result is checked (private operations); cycles."""
    simulated_cycles: int
    """All that is simulated for these lines."""


def _secret(design: Design, bits: int, *, warm: bool, crt: bool = False) -> dict[int, int]:
    """Cycles of a fixed window over an exponent as long as the modulus (or p), by the window."""
    model, found = design.model(), {}
    for window in range(1, MAX_WINDOW + 1):
        if model.window_fits(bits, window, crt=crt):
            if crt and isinstance(model, Coprocessor):
                cost = model.rsa_private(bits, window, warm=warm)
            else:
                cost = model.modexp(Scheme.FIXED_WINDOW, bits, bits, window, warm=warm)
            found[window] = cost.cycles
    return found


def window_of(design: Design, bits: int, spent: Counters) -> int | None:
    """The window that an operation with an exponent of full length had, by its cycles."""
    cycles = _secret(design, bits, warm=spent.warm > 0)
    return next((window for window, each in cycles.items() if each == spent.cycles), None)


def predictions(design: Design, operation: str, bits: int, e: int) -> list[Prediction]:
    """Cycles with a cold key, and with a warm one where that is measured: of each window that a
    secret exponent can have, the fastest first; of a public one there is one prediction."""

    def public(*, warm: bool) -> int:
        length = 8 * -(-e.bit_length() // 8)  # it is loaded as whole bytes
        cost = design.model().modexp(Scheme.BINARY, bits, length, warm=warm, exponent=e)
        return cost.cycles

    if operation == "rsa_public":
        both = [(public(warm=False), public(warm=True))]
    elif operation == "modexp":
        cold, warm = (_secret(design, bits, warm=w) for w in (False, True))
        both = sorted((cold[window], warm[window]) for window in cold)
    else:
        halves = _secret(design, bits // 2, warm=False, crt=design.crt).values()
        check, times = public(warm=False), 1 if design.crt else 2
        pairs = sorted((times * each, times * each + check) for each in halves)
        return [Prediction((("cold", False, x), ("cold", True, y)), y) for x, y in pairs]
    return [Prediction((("cold", None, x), ("warm", None, y)), x + y) for x, y in both]


def predict(design: Design, operation: str, bits: int, e: int) -> Prediction:
    """The same with the window that is fastest."""
    return predictions(design, operation, bits, e)[0]


def cycles_per_s(engine: Engine, design: Design) -> float:
    """How many cycles of this design are simulated in a second, by trying for a moment."""
    bits = min(PROBE_BITS, design.max_bits)
    n, cycles, start_s = (1 << bits) - 1, 0, time.perf_counter()
    job = Job(3, b"\xff" * 8, n)
    if design.schemes == ("repeated",):
        job = Job(3, PROBE_E, n, public=True, scheme="repeated")
    while (spent_s := time.perf_counter() - start_s) < PROBE_S:
        [result] = engine.modexp_batch([job])
        cycles += result.counters.cycles_total
    return cycles / spent_s
