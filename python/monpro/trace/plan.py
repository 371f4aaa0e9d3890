# SPDX-License-Identifier: Apache-2.0
"""What a design computes on the way to x^e mod N, product after product, and where its steps end.

A plan is written once and followed twice: by the C code (c_code.py), and as the list of what a
design's operand memory is expected to get (rtl.py). The order of the steps is in the heads of
monpro_sequencer.sv and monpro_serial_control.sv. For designs that do single products it is in
models/product.py.
"""

from __future__ import annotations

from monpro.hardware.designs import Design
from monpro.hardware.regs import Scheme
from monpro.trace.products_plan import ProductsPlan
from monpro.trace.steps import (
    COPY,
    PRODUCT,
    SLOTS,
    UNSEEN,
    Builder,
    Form,
    Operation,
    Plan,
    bits_label,
    windows,
)


def plan(design: Design, operation: Operation) -> Plan:
    """The plan of a design."""
    if design.products:
        return ProductsPlan(operation).walk()
    if design.serial:
        return _Serial(operation, montgomery=design.multiplier == "radix2").walk()
    return _Core(operation).walk()


class _Core(Builder):
    """monpro_core: a sequencer with a table."""

    def __init__(self, operation: Operation) -> None:
        super().__init__()
        self.operation = operation

    def multiply(
        self,
        what: str,
        to: str,
        x: str,
        y: str,
        *,
        entry: int | None = None,
        form: Form | None = None,
    ) -> None:
        name = None if entry is None else f"t{entry}"
        self.add(what, to, x, y, source=PRODUCT, slot=SLOTS[to], entry=name, form=form)

    def look_up(self, to: str, entry: int) -> None:
        self.add("look-up", to, f"t{entry}", None, source=COPY, slot=SLOTS[to])

    def enter(self, *, entry: int | None) -> None:
        self.multiply("x into Montgomery form", "base", "x", "rr", entry=entry)

    def enter_both(self) -> None:
        self.multiply("1 into Montgomery form", "acc", "1", "rr", entry=0)
        self.enter(entry=1)

    def walk(self) -> Plan:
        o = self.operation
        running = {
            Scheme.FIXED_WINDOW: self.fixed_window,
            Scheme.BINARY: self.binary if o.public else self.fixed_window,
            Scheme.SLIDING_WINDOW: self.sliding_window,
            Scheme.RIGHT_TO_LEFT: self.right_to_left,
            Scheme.LADDER: self.ladder,
            Scheme.REPEATED: self.repeated,
        }[o.scheme]()
        if running != "1":
            self.multiply("out of Montgomery form", "acc", running, "1", form="other")
            running = "acc"
        return self.plan(running)

    def fixed_window(self) -> str:
        o = self.operation
        window = o.window or 1
        self.enter_both()
        self.step("x", "", 1, "base")
        running = "base"
        for power in range(2, 1 << window):
            self.multiply(f"table: x^{power}", "acc", "base", running, entry=power)
            running = "acc"
        for start in range(0, o.bits, window):
            size = min(window, o.bits - start)
            rest = o.bits - start - size
            digit = o.exponent >> rest & ((1 << size) - 1)
            if start == 0:
                self.look_up("acc", digit)
            else:
                for _ in range(size):
                    self.multiply("square", "acc", "acc", "acc")
                self.look_up("sel", digit)
                self.multiply(f"times x^{digit}", "acc", "sel", "acc")
            self.step(
                bits_label(rest + size - 1, size), f"{digit:0{size}b}", o.exponent >> rest, "acc"
            )
        return "acc"

    def binary(self) -> str:
        """Public: from the highest one on."""
        o = self.operation
        self.enter(entry=None)
        self.step("x", "", 1, "base")
        running = "base" if o.exponent else "1"
        for place in reversed(range(o.exponent.bit_length())):
            bit = o.exponent >> place & 1
            if o.exponent >> place > 1:
                self.multiply("square", "acc", running, running)
                running = "acc"
                if bit:
                    self.multiply("times x", "acc", "base", "acc")
            self.step(bits_label(place), str(bit), o.exponent >> place, running)
        return running

    def sliding_window(self) -> str:
        o = self.operation
        self.enter(entry=0)
        self.step("x", "", 1, "base")
        if o.exponent == 0:
            o = Operation(o.scheme, 0, 0, o.window, o.public)
        running = "base"
        if self.operation.window > 1:
            self.multiply("table: x^2", "sel", "base", "base")
            for entry in range(1, 1 << (self.operation.window - 1)):
                self.multiply(f"table: x^{2 * entry + 1}", "acc", "sel", running, entry=entry)
                running = "acc"
        left = o.bits
        for size, digit in windows(o):
            first, left = left == o.bits, left - size
            if first:
                self.look_up("acc", digit >> 1)
            else:
                for _ in range(size):
                    self.multiply("square", "acc", "acc", "acc")
                if digit:
                    self.look_up("sel", digit >> 1)
                    self.multiply(f"times x^{digit}", "acc", "sel", "acc")
            self.step(bits_label(left + size - 1, size), f"{digit:b}", o.exponent >> left, "acc")
        return "acc" if o.bits else "1"

    def right_to_left(self) -> str:
        o = self.operation
        self.enter_both()
        self.step("1", "", 0, "acc")
        for place in range(o.bits):
            bit = o.exponent >> place & 1
            if not o.public:
                self.look_up("sel", bit)
                self.multiply(f"times x^(2^{place})" if bit else "times 1", "acc", "sel", "acc")
            elif bit:
                self.multiply(f"times x^(2^{place})", "acc", "base", "acc")
            self.step(bits_label(place), str(bit), o.exponent & ((2 << place) - 1), "acc")
            self.multiply(f"x^(2^{place + 1})", "base", "base", "base", entry=1)
        return "acc"

    def ladder(self) -> str:
        """P = [r0, r1] in acc, the square of r_bit in base: after a bit b that is r_b."""
        o = self.operation
        self.enter_both()
        self.step("1", "", 0, "acc")
        before = 1
        for place in reversed(range(o.bits)):
            bit = o.exponent >> place & 1
            self.look_up("sel", bit ^ before ^ 1)
            self.multiply("r0 * r1", "acc", "base", "acc", entry=0)
            self.multiply(f"r{bit} squared", "base", "sel", "sel", entry=1)
            before = bit
            self.step(bits_label(place), str(bit), o.exponent >> place, "acc" if bit else "base")
        self.look_up("acc", before ^ 1)
        return "acc"

    def repeated(self) -> str:
        o = self.operation
        self.enter(entry=None)
        self.step("x", "", 1, "base")
        running = "base" if o.exponent else "1"
        for power in range(2, o.exponent + 1):
            self.multiply("times x", "acc", "base", running)
            running = "acc"
            self.step(f"x^{power}", "", power, "acc")
        return running


class _Serial(Builder):
    """monpro_serial_core. Only its running value can be seen, once for each bit."""

    def __init__(self, operation: Operation, *, montgomery: bool) -> None:
        super().__init__("montgomery" if montgomery else "plain")
        self.montgomery = montgomery
        self.operation = operation

    def multiply(self, what: str, to: str, x: str, y: str) -> None:
        self.add(what, to, x, y, source=UNSEEN)

    def running(self, value: str, form: Form | None = None) -> None:
        self.add("running value", "acc", value, None, source=PRODUCT, form=form)

    def walk(self) -> Plan:
        o = self.operation
        self.multiply("x into Montgomery form", "base", "x", "rr")
        self.multiply("1 into Montgomery form", "one", "1", "rr")
        if o.scheme == Scheme.REPEATED:
            self.repeated()
        elif o.scheme == Scheme.RIGHT_TO_LEFT:
            self.right_to_left()
        else:
            self.binary()
        return self.plan("acc")

    def binary(self) -> None:
        o = self.operation
        for place in reversed(range(o.bits)):
            bit = o.exponent >> place & 1
            first = place == o.bits - 1
            if first:
                self.running("base" if bit else "one")
            else:
                self.multiply("square", "square", "acc", "acc")
                self.multiply("times x", "product", "square", "base")
                self.running("product" if bit else "square")
            self.step(bits_label(place), str(bit), o.exponent >> place, "acc")
        if self.montgomery:
            self.running("acc", "other")

    def right_to_left(self) -> None:
        """The running value is outside of Montgomery form."""
        o = self.operation
        running = "one"
        for place in range(o.bits):
            bit = o.exponent >> place & 1
            self.multiply(f"times x^(2^{place})", "product", running, "base")
            self.running("product" if bit else running, "plain")
            running = "acc"
            self.step(bits_label(place), str(bit), o.exponent & ((2 << place) - 1), "acc")
            self.multiply(f"x^(2^{place + 1})", "base", "base", "base")

    def repeated(self) -> None:
        e = self.operation.exponent
        if e < 2:
            self.running("base" if e else "one")
            self.step(f"x^{e}", "", e, "acc")
        running = "base"
        for power in range(2, e + 1):
            self.multiply("times x", "product", running, "base")
            self.running("product")
            running = "acc"
            self.step(f"x^{power}", "", power, "acc")
