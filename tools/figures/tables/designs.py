"""Tables of docs/designs/ that follow from the models alone; the tests hold these to the RTL."""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from figures.store import Store
from figures.tables.kit import markdown, percent, spaced, table
from monpro.hardware import bounds, designs
from monpro.hardware.models.dataflow import DIGIT_BITS, Form, Kernel
from monpro.hardware.models.product import ProductCoprocessor
from monpro.hardware.models.serial import SerialCoprocessor
from monpro.hardware.regs import Scheme

E = 65537
RUN_FORMS = (Form.PAIRS, Form.HELD, Form.PRODUCT, Form.MONTGOMERY)
RUN_BLOCKS = (1, 8, 64, 8192)


def _products(spec: str) -> ProductCoprocessor:
    model = designs.parse(spec).model()
    assert isinstance(model, ProductCoprocessor)
    return model


def _interval(spec: str, bits: int) -> int:
    """Start of a product to the start of the next."""
    return _products(spec).multiplier_at(bits).interval_cycles


@table
def pynq_products(_: Store) -> str:
    rows = []
    for bits in (512, 1024, 2048):
        one, two = (_interval(spec, bits) for spec in ("pynq", "pynq,elements=2"))
        words = bits // designs.get("pynq").word_bits
        work = 2 * words * words + words
        shares = [100 * work / one, 100 * work / two / 2]
        rows.append(
            [str(bits), str(one), str(two), str(work), ", ".join(f"{one:.1f}" for one in shares)]
        )
    heads = ["bits", "one multiplier", "two", "bound, one", "% of bound, one and two"]
    return markdown(heads, rows)


@table
def pynq_exponentiations(_: Store) -> str:
    model = _products("pynq")
    rows = [
        [
            f"{bits} bits, secret exponent, `binary`",
            spaced(model.modexp(Scheme.BINARY, bits, bits, warm=True).cycles),
        ]
        for bits in (1024, 2048)
    ]
    public = model.modexp(Scheme.BINARY, 2048, E.bit_length(), warm=True, exponent=E)
    rows.append(["2048 bits, e = 65537", spaced(public.cycles)])
    return markdown(["exponentiation, one multiplier", "cycles"], rows)


def _window_cycles(model: ProductCoprocessor, bits: int) -> int:
    """Cycles of a fixed window over a secret exponent, with the best window."""
    return min(
        model.modexp(Scheme.FIXED_WINDOW, bits, bits, window, warm=True).cycles
        for window in range(1, 7)
        if model.window_fits(bits, window)
    )


def _bus_cycles(store: Store, bits: int, state: str) -> str:
    """Cycles of operands and result over AXI4-Lite."""
    item = store.one("cycles/codesign", operation="modexp", bits=bits, key_state=state)
    return str(item["cycles_bus"])


@table
def codesign_products(store: Store) -> str:
    design, model, rows = designs.get("codesign"), _products("codesign"), []
    for bits in (512, 1024, 1536, 2048):
        product = _interval("codesign", bits)
        work = bounds.product_work(bits, design.word_bits)
        rows.append(
            [
                str(bits),
                str(product),
                f"{100 * work / design.multipliers / product:.1f}",
                spaced(_window_cycles(model, bits)),
                spaced(model.modexp(Scheme.BINARY, bits, bits, warm=True).cycles),
                *(_bus_cycles(store, bits, state) for state in ("warm", "cold")),
            ]
        )
    heads = ["bits", "a product", "% of bound", "fixed window, secret"]
    heads += ["binary or right to left, secret", "bus, key there", "bus, new key"]
    return markdown(heads, rows)


@table
def dataflow_runs(_: Store) -> str:
    kernel, digits = Kernel(), 1024 // DIGIT_BITS
    rows = []
    for blocks in RUN_BLOCKS:
        cells = [str(blocks)]
        for form in RUN_FORMS:
            share = percent(kernel.busy_fraction(form, digits, blocks))
            cells.append(f"{kernel.cycles(form, digits, blocks)} ({share})")
        rows.append(cells)
    heads = [f"{form.value} `{form.name.lower()}`" for form in RUN_FORMS]
    return markdown(["blocks", *heads], rows)


def _serial(spec: str, schemes: tuple[Scheme, ...]) -> str:
    """An exponentiation of 1024 bits with an exponent of ones, key cold."""
    model, bits = designs.get(spec).model(), 1024
    assert isinstance(model, SerialCoprocessor)
    rows = []
    for scheme in schemes:
        cycles = model.modexp(scheme, bits, bits, warm=False, exponent=(1 << bits) - 1).cycles
        rows.append([f"`{scheme.name.lower()}`", spaced(cycles)])
    return markdown(["1024 bits, exponent all ones, key cold", "cycles"], rows)


@table
def binary_exponentiations(_: Store) -> str:
    return _serial("binary", (Scheme.BINARY, Scheme.RIGHT_TO_LEFT))


@table
def montgomery_exponentiations(_: Store) -> str:
    return _serial("montgomery", (Scheme.BINARY, Scheme.RIGHT_TO_LEFT))


@table
def repeated_exponentiations(_: Store) -> str:
    model = designs.get("repeated").model()
    assert isinstance(model, SerialCoprocessor)
    cycles = model.modexp(Scheme.REPEATED, 1024, E.bit_length(), warm=False, exponent=E).cycles
    return markdown(["1024 bits, e = 65537, key cold", "cycles"], [["`repeated`", spaced(cycles)]])
