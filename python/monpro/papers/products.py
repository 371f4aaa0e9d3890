# SPDX-License-Identifier: Apache-2.0
"""Exponentiations over single products, for the tables of papers: simulated, checked, recorded.

The value is checked by Python's pow, or by the openssl program where its key is used. Products and
cycles are checked by the exact formula of python/monpro/hardware/models/product.py, which also
gives what is not simulated.
"""

from __future__ import annotations

import functools
import random
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, as_completed
from dataclasses import dataclass
from typing import Any, cast

from monpro import records, rsa
from monpro.base import terminal
from monpro.base.terminal import duration
from monpro.bench import rsa as main_job
from monpro.engine import Counters, Engine, Job, Scheme
from monpro.errors import MonproError
from monpro.hardware import bounds, designs
from monpro.hardware.designs import Design
from monpro.hardware.models.coprocessor import MAX_WINDOW, Cost
from monpro.hardware.models.product import ProductCoprocessor
from monpro.hardware.regs import Scheme as SchemeNumber
from monpro.measure import openssl, predict
from monpro.records import Record
from monpro.synth import area as synth_area
from monpro.synth import clocks, targets
from monpro.synth.targets import Counts

TARGETS = ("xc7z020", "xc7a100t")  # the papers' device first
SYNTHESIS_S = 60
NO_WINDOW = 1


@dataclass(frozen=True, slots=True)
class Item:
    """One operation of a design, with a warm key: a short operation before it made the key warm.

    kind: encrypt, decrypt, modexp, product. A product is measured as a 64th of what 64 more
    squarings take, and its load is the load of one operand. crt: the library does both halves, and
    the key is cold.
    """

    design: str
    kind: str
    bits: int
    scheme: str
    public: bool
    n: int
    exponent: int
    crt: bool = False
    simulated: bool = True
    key: rsa.Key | None = None
    pem: str | None = None

    @property
    def title(self) -> str:
        crt = ", CRT" if self.crt else ""
        return f"{self.design}: {self.kind}, {self.bits} bits, {self.scheme}{crt}"

    @property
    def exponent_bits(self) -> int:
        """A secret one counts as long as the modulus."""
        return self.exponent.bit_length() if self.public else self.bits

    def costs(self) -> dict[int, Cost]:
        """Cycles by the formula, by the window: the library chooses one that fits."""
        model, scheme = _model(designs.parse(self.design)), SchemeNumber[self.scheme.upper()]
        if self.kind == "product":
            return {NO_WINDOW: Cost(0, model.multiplier_at(self.bits).interval_cycles, 1)}
        bits = self.bits // 2 if self.crt else self.bits
        windows = [NO_WINDOW]
        if scheme.facts.window:
            every = range(1, MAX_WINDOW + 1)
            windows = [w for w in every if model.window_fits(bits, w, scheme=scheme)]
        length = self.exponent_bits if self.public else bits
        exponent = self.exponent if self.public else None
        found = {w: _cost(model, scheme, bits, length, w, exponent) for w in windows}
        if not self.crt:
            return found
        return {
            w: Cost(0, 2 * cost.cycles_exponentiate, 2 * cost.products) for w, cost in found.items()
        }

    def cost(self) -> Cost:
        """The cost with the fastest window."""
        return min(self.costs().values(), key=lambda cost: cost.cycles)

    def bound(self) -> int:
        """Word products that are needed, in words of the design's multiplier; both CRT halves."""
        work = product_work(self.design, self.bits // 2 if self.crt else self.bits)
        if self.kind == "product":
            return work
        if self.crt:
            half = self.bits // 2
            return 2 * bounds.products(self.scheme, 0, half, public=False) * work
        return work * bounds.products(
            self.scheme, self.exponent, self.exponent_bits, public=self.public
        )


@functools.cache
def _cost(
    model: ProductCoprocessor, scheme: SchemeNumber, bits: int, length: int, window: int,
    exponent: int | None,
) -> Cost:  # fmt: skip
    """Kept: it goes through every command."""
    return model.modexp(scheme, bits, length, window, warm=True, exponent=exponent)


def _model(design: Design) -> ProductCoprocessor:
    return ProductCoprocessor(
        design.word_bits, design.elements, design.min_bits, design.max_bits, design.entries,
        design.multiplier,
    )  # fmt: skip


def product_work(name: str, bits: int) -> int:
    """Word products of one Montgomery product over operands of the length that the design needs."""
    design = designs.parse(name)
    if _model(design).exact:
        words = -(-bits // design.word_bits)
        return 2 * words * words + words
    return bounds.product_work(bits, design.word_bits)


@dataclass(frozen=True, slots=True)
class Run:
    """One operation and what it spent. load_cold: with the constants of the modulus.

    check: of the verification of an RSA private result, which is not in spent.
    """

    item: Item
    spent: Counters
    load_cold: int | None = None
    check: Counters | None = None
    window: int | None = None
    failure: str | None = None


def predicted(item: Item) -> Run:
    """What the formula predicts. It says nothing about the bus."""
    window, cost = min(item.costs().items(), key=lambda pair: pair[1].cycles)
    spent = Counters(products=cost.products, cycles_exponentiate=cost.cycles_exponentiate)
    return Run(item, spent, window=window if window != NO_WINDOW else None)


def simulate(item: Item, seed: str) -> Run:
    """On the RTL; every result is checked."""
    source = random.Random(seed)  # noqa: S311 - repeatable tests
    try:
        with Engine(f"sim:{item.design}") as engine:
            if item.crt:
                return _private(item, engine, source)
            if item.kind == "product":
                return _product(item, engine, source)
            return _modexp(item, engine, source)
    except MonproError as why:
        return Run(item, Counters(), failure=f"{item.title}: {why}")


def _modexp(item: Item, engine: Engine, source: random.Random) -> Run:
    e = item.exponent if item.public else item.exponent.to_bytes(-(-item.bits // 8), "big")
    x = source.randrange(item.n)
    jobs = [
        Job(1, 1, item.n - 2, public=True),  # the first one of a device sets it up
        Job(1, 1, item.n, public=True),
        Job(x, e, item.n, item.public, cast(Scheme, item.scheme)),
    ]
    _, cold, result = engine.modexp_batch(jobs)
    if result.error or cold.error:
        return Run(item, Counters(), failure=f"{item.title}: {result.error or cold.error}")
    failure = window = None
    if result.value != pow(x, item.exponent, item.n):
        failure = f"{item.title}: not what Python's pow gives"
    elif item.pem and result.value != _openssl(item, x):
        failure = f"{item.title}: not what the openssl program gives"
    else:
        failure, window = _formula(item, result.counters)
    return Run(item, result.counters, cold.counters.cycles_load, window=window, failure=failure)


def _openssl(item: Item, x: int) -> int:
    """The same by the openssl program with its key."""
    private = ["-decrypt"] if item.kind == "decrypt" else ["-encrypt"]
    raw = openssl.must(
        "pkeyutl", *private, "-inkey", str(item.pem), "-pkeyopt", "rsa_padding_mode:none",
        data=x.to_bytes(item.bits // 8, "big"),
    )  # fmt: skip
    return int.from_bytes(raw, "big")


def _formula(item: Item, spent: Counters) -> tuple[str | None, int | None]:
    """What is wrong with the cycles, or the window that has them."""
    for window, cost in item.costs().items():
        if (spent.products, spent.cycles) == (cost.products, cost.cycles):
            return None, window if window != NO_WINDOW else None
    cycles = item.cost().cycles
    return f"{item.title}: {spent.cycles} cycles are not the formula's {cycles}", None


def _private(item: Item, engine: Engine, source: random.Random) -> Run:
    """A private operation by the library: blinded, both halves, checked before release."""
    assert item.key
    x = source.randrange(item.n)
    with engine.measure() as measured:
        [block] = rsa.raw_private(engine, item.key, [x.to_bytes(item.bits // 8, "big")])
    spent = measured.counters - measured.check
    value = int.from_bytes(block, "big")
    if value != pow(x, item.exponent, item.n):
        failure: str | None = f"{item.title}: not what Python's pow gives"
    elif value != _openssl(item, x):
        failure = f"{item.title}: not what the openssl program gives"
    else:
        failure, _ = _formula(item, spent)
    return Run(item, spent, spent.cycles_load, measured.check, failure=failure)


PRODUCTS = 64


def _product(item: Item, engine: Engine, source: random.Random) -> Run:
    """Squarings follow each other, so that what more of them take is start to start."""
    x = source.randrange(item.n)
    powers = [2, 2 << PRODUCTS]
    jobs = [Job(1, 1, item.n, public=True)]
    jobs += [Job(x, e, item.n, public=True, scheme="binary") for e in powers]
    _, short, long = engine.modexp_batch(jobs)
    if [short.value, long.value] != [pow(x, e, item.n) for e in powers]:
        return Run(item, Counters(), failure=f"{item.title}: not what Python's pow gives")
    spent = long.counters - short.counters
    cycles, rest = divmod(spent.cycles, PRODUCTS)
    one = Counters(
        products=1,
        cycles_load=short.counters.cycles_load,
        cycles_exponentiate=cycles,
        cycles_read=short.counters.cycles_read,
    )
    failure, _ = _formula(item, one)
    if rest or spent.products != PRODUCTS:
        failure = f"{item.title}: {spent.products} products in {spent.cycles} cycles"
    return Run(item, one, failure=failure)


def record(run: Run, **more: Any) -> Record:
    """An operation's record."""
    item, design = run.item, designs.parse(run.item.design)
    figures: Record = {"cycles": run.spent.cycles, "products": run.spent.products}
    if item.simulated:
        figures |= {
            "cycles_load": run.spent.cycles_load,
            "cycles_load_cold": run.load_cold,
            "cycles_read": run.spent.cycles_read,
        }
        if item.kind != "product":
            figures["cycles_total"] = run.spent.cycles_total
        if run.check:
            figures["cycles_check"] = run.check.cycles_total
    figures |= {
        "multipliers": design.multipliers,
        "multiplier_cycles": design.multipliers * run.spent.cycles,
        "word_multipliers": design.elements,
        "bound_word_products": item.bound(),
        "formula_cycles": item.costs()[run.window or NO_WINDOW].cycles,
        "window": run.window,
        "exponent_bits": item.exponent_bits if item.kind != "product" else None,
    }
    if run.spent.cycles:
        figures["bound_fraction"] = item.bound() / (design.elements * run.spent.cycles)
        figures |= clocks.figures(design, run.spent.cycles_total)
    return records.record(
        "papers",
        figures,
        engine=f"sim:{item.design}",
        design=item.design,
        operation=item.kind,
        bits=item.bits,
        scheme=item.scheme,
        exponent="public" if item.public else "secret",
        key_state="cold" if item.crt else "warm",
        ok=run.failure is None if item.simulated else None,
        obtained="simulated" if item.simulated else "estimated",
        method=None if item.simulated else "model",
        crt=item.crt,
        failure=run.failure,
        **more,
    )


def area(name: str, counts: Counts, target: str) -> Record:
    """The whole design on a device of 7-series."""
    parts = synth_area.parts_of(counts)
    return records.record(
        "papers",
        parts,
        engine=f"sim:{name}",
        design=name,
        operation="area",
        ok=True,
        obtained="synthesized",
        target=target,
        device=targets.get(target).device,
        instances=synth_area.instances(parts, target),
    )


def _say(todo: Sequence[Item], missing: int) -> None:
    """Before it starts: what it does, and how long that takes."""
    rates = {}
    for name in dict.fromkeys(item.design for item in todo):
        with Engine(f"sim:{name}") as engine:  # builds the model, if need be
            rates[name] = predict.cycles_per_s(engine, designs.parse(name))
    seconds = sum(item.cost().cycles / rates[item.design] for item in todo)
    text = f"{len(todo)} operations are simulated"
    if missing:
        text += f", {missing} syntheses made"
        seconds += missing * SYNTHESIS_S
    about = duration(seconds / main_job.SIMULATIONS_AT_ONCE)
    print(f"monpro: {text}, about {about}", file=sys.stderr, flush=True)


def measure(
    todo: Sequence[Item], names: Sequence[str], seed: int, *, quick: bool
) -> tuple[list[Run], list[Record]]:
    """The operations, in the order given, and the records of area of the designs."""
    areas, missing = synth_area.known({name: designs.parse(name) for name in names}, quick=quick)
    order = [item for item in todo if item.simulated]
    order.sort(key=lambda item: -item.cost().cycles)
    _say(order, len(missing))
    runs: dict[int, Run] = {id(item): predicted(item) for item in todo if not item.simulated}
    with terminal.Steps(len(order) + len(missing)) as steps, main_job.pool() as executor:
        making: dict[Future[Any], str] = {
            executor.submit(synth_area.synthesized, designs.parse(name)): name for name in missing
        }
        running: Mapping[Future[Any], Item] = {
            executor.submit(simulate, item, f"{seed} {item.title}"): item for item in order
        }
        for done in as_completed([*making, *running]):
            if done in making:
                areas[making[done]] = done.result()
                steps.done(f"{making[done]}: synthesized")
                continue
            item = running[done]
            runs[id(item)] = done.result()
            steps.done(f"{item.title}, {'WRONG' if done.result().failure else 'checked'}")
    sizes = [
        area(name, areas[name], target) for target in TARGETS for name in names if name in areas
    ]
    return [runs[id(item)] for item in todo], sizes
