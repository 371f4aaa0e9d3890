# SPDX-License-Identifier: Apache-2.0
"""The schemes of exponentiation side by side, at one length, on each design that has them."""

from __future__ import annotations

import dataclasses
import random
import sys
import time
from collections.abc import Sequence
from concurrent.futures import as_completed
from pathlib import Path
from typing import cast

from monpro import records
from monpro.base import files, terminal
from monpro.base.terminal import duration
from monpro.bench import rsa as main_job
from monpro.engine import Engine, Job, Scheme
from monpro.errors import MonproError
from monpro.hardware import bounds
from monpro.hardware.designs import Design
from monpro.hardware.regs import Scheme as SchemeNumber
from monpro.measure import predict
from monpro.records import Record
from monpro.synth import clocks

BITS = 1024
SMALL_E = 257  # plain repetition takes e - 1 products
USUAL_FRACTION = 0.7  # of the bound, for the estimate of time only


def _kinds() -> dict[str, tuple[str, ...]]:
    """The kinds of exponent for each scheme. A scheme that takes the same time for both has one.

    Schemes for secret exponents come first, schemes for public exponents last.
    """
    ordered = sorted(SchemeNumber, key=lambda one: (not one.facts.secret, one.facts.public_time))
    return {
        one.name.lower(): ("secret",) * one.facts.secret + ("public",) * one.facts.public_time
        for one in ordered
    }


KINDS = _kinds()


@dataclasses.dataclass(frozen=True, slots=True)
class Item:
    """One line of the table."""

    design: Design
    scheme: str
    exponent: str
    bits: int
    e: int

    @property
    def public(self) -> bool:
        return self.exponent == "public"

    @property
    def exponent_bits(self) -> int:
        return self.e.bit_length() if self.public else self.bits

    @property
    def title(self) -> str:
        return f"{self.scheme}, {self.exponent} exponent: {self.design.name}"

    def work(self) -> int:
        design = self.design
        width = bounds.block_bits(design.word_bits, design.elements, design.multipliers)
        return bounds.modexp(
            self.bits, width, self.scheme, self.e, self.exponent_bits, public=self.public,
            digit_bits=design.digit_bits,
        )  # fmt: skip


def items(designs: Sequence[Design], schemes: Sequence[str], bits: int, e: int) -> list[Item]:
    """The lines that are asked for; a design without a scheme has none."""
    known = list(KINDS)
    if unknown := [name for name in schemes if name not in [*known, "all"]]:
        names = ", ".join(known)
        raise MonproError("MONPRO_ERR_SCHEME", f'no scheme "{unknown[0]}"; there are: {names}, all')
    found = []
    for design in designs:
        if not design.min_bits <= bits <= design.max_bits:
            raise MonproError(
                "MONPRO_ERR_KEY_SIZE",
                f"{design.name} takes moduli of {design.min_bits} to {design.max_bits} bits",
            )
        for scheme in known if "all" in schemes else dict.fromkeys(schemes):
            if scheme in design.schemes:
                limit = SchemeNumber[scheme.upper()].facts.max_exponent_bits
                value = SMALL_E if limit else e
                found += [Item(design, scheme, kind, bits, value) for kind in KINDS[scheme]]
    if not found:
        raise MonproError(
            "MONPRO_ERR_SCHEME", f"none of the designs has the scheme {', '.join(schemes)}"
        )
    return found


def measure(item: Item, n: int, x: int) -> Record:
    """One exponentiation with a warm key, checked."""
    head = {"engine": f"sim:{item.design.name}", "design": item.design.name}
    head |= {"operation": "modexp", "scheme": item.scheme, "exponent": item.exponent}
    head |= {"obtained": "simulated"}
    e = item.e if item.public else item.e.to_bytes(-(-item.bits // 8), "big")
    job = Job(x, e, n, item.public, cast(Scheme, item.scheme))
    try:
        with Engine(f"sim:{item.design.name}") as engine:
            engine.modexp(1, 3, n, public=True)  # the key is warm from here on
            [result] = engine.modexp_batch([job])
            right = result.value == pow(x, item.e, n)
            figures = records.cycle_figures(engine, result.counters)
    except MonproError as why:
        failure = f"{item.title}: {why}"
        return records.record("bench", head | {"failure": failure}, bits=item.bits, ok=False)
    figures["exponent_bits"] = item.exponent_bits
    if figures["multipliers"]:  # otherwise there are no multiplier-cycles
        work = item.work()
        figures["bound_word_products"] = work
        figures["bound_fraction"] = work / figures["multiplier_cycles"]
    figures |= clocks.figures(item.design, figures["cycles"])
    if not right:
        figures["failure"] = f"{item.title}: not what Python's pow gives"
    state = records.key_state(result.counters)
    return records.record("bench", head | figures, bits=item.bits, key_state=state, ok=right)


def _expected_cycles(item: Item) -> float:
    """An estimate; where there is no window to be known, what the model says."""
    if item.design.serial:
        scheme, e = SchemeNumber[item.scheme.upper()], item.e if item.public else None
        model = item.design.model()
        return model.modexp(scheme, item.bits, item.exponent_bits, warm=True, exponent=e).cycles
    return item.work() / item.design.multipliers / USUAL_FRACTION


def _expected_s(todo: Sequence[Item]) -> float:
    rates: dict[str, float] = {}
    total_s = 0.0
    for item in todo:
        name = item.design.name
        if name not in rates:
            with Engine(f"sim:{name}") as engine:
                rates[name] = predict.cycles_per_s(engine, item.design)
        total_s += _expected_cycles(item) / rates[name]
    return total_s / main_job.SIMULATIONS_AT_ONCE


HEADS = [
    "", "exponent", "products", "cycles", "M mult.-\ncycles", "% of\nbound", "ms", "const.\ntime",
]  # fmt: skip


def rows(found: Sequence[Record]) -> list[list[str]]:
    """A heading for each design, a line for each scheme."""
    result: list[list[str]] = []
    for design in dict.fromkeys(item["design"] for item in found):
        result.append([design, *[""] * (len(HEADS) - 1)])
        for item in found:
            if item["design"] != design:
                continue
            if "cycles" not in item:
                result.append([f" {item['scheme']}", "FAILED", *[""] * (len(HEADS) - 2)])
                continue
            result.append(
                [
                    f" {item['scheme']}",
                    f"{item['exponent_bits']} {item['exponent']}",
                    str(item["products"]),
                    str(item["cycles"]),
                    f"{item['multiplier_cycles'] / 1e6:.3f}" if item["multipliers"] else "",
                    f"{100 * item['bound_fraction']:.1f}" if "bound_fraction" in item else "",
                    terminal.significant(item["time_ms"]) if "time_ms" in item else "",
                    "yes" if item["exponent"] == "secret" else "no",
                ]
            )
    return result


def run(
    designs: Sequence[Design],
    schemes: Sequence[str],
    bits: int,
    seed: int,
    out: Path,
    *,
    as_json: bool,
) -> bool:
    """Measures, shows, writes the records; whether every result was right."""
    start_s = time.monotonic()
    source = random.Random(f"{seed} {bits}")  # noqa: S311 - repeatable tests
    n = source.getrandbits(bits) | 1 << (bits - 1) | 1
    x, e = source.randrange(n), source.getrandbits(bits) | 1 << (bits - 1)
    todo = items(designs, schemes, bits, e)
    out.parent.mkdir(parents=True, exist_ok=True)
    with files.output(str(out)) as write:
        expected = duration(_expected_s(todo))
        print(f"monpro: {len(todo)} simulations, about {expected}", file=sys.stderr, flush=True)
        found: dict[Item, Record] = {}
        with terminal.Steps(len(todo)) as steps, main_job.pool() as executor:
            running = {executor.submit(measure, item, n, x): item for item in todo}
            for done in as_completed(running):
                found[running[done]] = done.result()
                steps.done(running[done].title)
        elapsed_s = time.monotonic() - start_s
        listed = records.of_run([found[item] for item in todo], seed=seed, elapsed_s=elapsed_s)
        write(records.to_json(listed).encode() + b"\n")
    if as_json:
        records.show(listed)
    else:
        show(listed, out, seed, elapsed_s)
    return all(item["ok"] for item in listed)


def show(found: Sequence[Record], out: Path, seed: int, elapsed_s: float) -> None:
    """The table, and what its columns mean."""
    bits = found[0]["bits"]
    terminal.show_text(f"Schemes of exponentiation, modulus of {bits} bits, key warm\n")
    terminal.show_table(HEADS, rows(found), numbers=HEADS[2:-1])
    right = sum(item["ok"] for item in found)
    terminal.show_text(
        "\nsecret: cycles depend on lengths only. public: they depend on the exponent, the same "
        f"random one in every line (repeated: {SMALL_E}). bound: the word products of the "
        f"scheme itself, one a block and cycle. {right} of {len(found)} results right, by "
        f"Python's pow. Seed {seed}, {elapsed_s:.0f} s in all. Records: {out}"
    )
    without = dict.fromkeys(item["design"] for item in found if item.get("multipliers") == 0)
    if without:
        terminal.show_text(f"{', '.join(without)}: no multiplier blocks, so no multiplier-cycles.")
    for item in found:
        if "failure" in item:
            terminal.show_text(f"FAILED: {item['failure']}")
