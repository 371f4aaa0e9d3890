# SPDX-License-Identifier: Apache-2.0
"""Batches of products through the dataflow kernel, by libmonpro_scanning through cffi.

Products are counted, and the host's parts of them are timed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from monpro.base.closing import Closing
from monpro.hardware.models import product
from monpro.hardware.models.dataflow import MAX_BLOCKS, Form, Kernel
from monpro.hardware.regs import Scheme
from monpro.study import scanning

FORMS: Mapping[str, Form] = {
    "a": Form.CONSTANT,
    "b": Form.CONSTANT,
    "c": Form.PAIRS,
    "d": Form.HELD,
    "e": Form.PRODUCT,
    "f": Form.MONTGOMERY,
}
"""The paper's forms, and its outlook's, and what the kernel has for each."""
WHOLE = "f"  # the form whose results are Montgomery products
RESTARTED = ("a", "b")  # for each constant
DIGIT_BITS = 32
LIMB_DIGITS = 2  # the engine's numbers are whole limbs
BATCH = 64
"""Exponentiations that the engine has side by side: MONPRO_MAX_GROUP of lib/src/engine/engine.h."""
WORKS = ("scalar", "scalar_whole", "library", "library_whole", "prepare", "resolve")


@dataclass(frozen=True, slots=True)
class Numbers:
    """Factors and a modulus of each block; the modulus fills its digits."""

    digits: int
    a: tuple[int, ...]
    b: tuple[int, ...]
    n: tuple[int, ...]

    def first(self, blocks: int) -> Numbers:
        """The same with `blocks` blocks, repeated if need be."""
        rounds = -(-blocks // len(self.a))
        return Numbers(
            self.digits, *((each * rounds)[:blocks] for each in (self.a, self.b, self.n))
        )

    def products(self, *, whole: bool) -> list[int]:
        """What comes out: a * b, or with `whole` a * b / W^digits mod n."""
        if not whole:
            return [x * y for x, y in zip(self.a, self.b, strict=True)]
        factors = {n: pow(2, -DIGIT_BITS * self.digits, n) for n in set(self.n)}
        return [x * y * factors[n] % n for x, y, n in zip(self.a, self.b, self.n, strict=True)]


@dataclass(frozen=True, slots=True)
class Done:
    """What a batch gave and took."""

    values: list[int]
    cycles: int = 0
    runs: int = 0
    beats_in: int = 0
    beats_out: int = 0
    time_ns: int = 0


def cycles(form: str, lanes: int, digits: int, blocks: int) -> int:
    """Cycles of the kernel for `blocks` blocks, by its model: all runs of a batch together."""
    kernel, in_lane = Kernel(lanes), -(-blocks // lanes)
    if form in RESTARTED:
        return in_lane * digits * kernel.cycles(FORMS[form], digits, 1)
    # Of pairs a block of the kernel is a row of a block of ours.
    rows = digits if form == "c" else 1
    most = MAX_BLOCKS // rows
    whole, rest = divmod(in_lane, most)
    total = whole * kernel.cycles(FORMS[form], digits, most * rows) if whole else 0
    return total + (kernel.cycles(FORMS[form], digits, rest * rows) if rest else 0)


def exponentiation_cycles(
    lanes: int, scheme: Scheme, bits: int, exponent_bits: int, window: int = 1, *,
    exponent: int | None = None, form: str = WHOLE, count: int = BATCH,
) -> int:  # fmt: skip
    """Cycles of the kernel for `count` exponentiations side by side, all of them together.

    The engine sends the products of each step through the kernel at once. Without an exponent the
    exponent is secret.
    """
    public = exponent is not None
    steps = product.commands(scheme, exponent or 0, exponent_bits, window, public=public)
    digits = LIMB_DIGITS * -(-bits // (LIMB_DIGITS * DIGIT_BITS))
    return sum(not step.choose for step in steps) * cycles(form, lanes, digits, count)


class _Job:
    """A monpro_dataflow_job with its buffers."""

    def __init__(
        self, form: str, lanes: int, numbers: Numbers, *, whole: bool, repeats: int
    ) -> None:
        native = scanning.load()
        ffi, size = native.ffi, DIGIT_BITS // 8 * numbers.digits
        self._size = size if whole else 2 * size
        self.job = ffi.new("monpro_dataflow_job *")
        self._keep = [
            ffi.from_buffer(b"".join(value.to_bytes(size, "big") for value in each))
            for each in (numbers.a, numbers.b, numbers.n)
        ]
        for name, data in zip("abn", self._keep, strict=True):
            setattr(self.job, name, data)
            setattr(self.job, f"{name}_len", len(data))
        self._result = ffi.new("uint8_t[]", self._size * len(numbers.a))
        self.job.form = form.encode()
        self.job.lanes, self.job.digits = lanes, numbers.digits
        self.job.blocks, self.job.repeats = len(numbers.a), repeats
        self.job.result, self.job.result_len = self._result, len(self._result)

    def done(self) -> Done:
        data, job = bytes(self._result), self.job
        values = [
            int.from_bytes(data[i : i + self._size], "big") for i in range(0, len(data), self._size)
        ]
        return Done(values, job.cycles, job.runs, job.beats_in, job.beats_out, job.time_ns)


def host(form: str, work: str, lanes: int, numbers: Numbers, repeats: int) -> Done:
    """Does a part of a batch, or all of it, by the host alone, `repeats` times, and times it.

    `prepare` has no values.
    """
    native = scanning.load()
    whole = work.endswith("_whole") or (work in ("prepare", "resolve") and form == WHOLE)
    job = _Job(form, lanes, numbers, whole=whole, repeats=repeats)
    error = native.ffi.new("monpro_error *")
    number = getattr(native.lib, f"MONPRO_DATAFLOW_{work.upper()}")
    native.check(native.lib.monpro_dataflow_host(job.job, number, error), error)
    return job.done()


class Model(Closing):
    """An open kernel: a model that `monpro model` has built. Use it in a `with` statement."""

    def __init__(self, path: Path) -> None:
        native = scanning.load()
        self._native: Any = native
        handle, error = (
            native.ffi.new("monpro_dataflow_kernel **"),
            native.ffi.new("monpro_error *"),
        )
        status = native.lib.monpro_dataflow_kernel_open(handle, str(path).encode(), error)
        native.check(status, error)
        self._handle: Any = handle[0]
        self.lanes = int(native.lib.monpro_dataflow_kernel_lanes(self._handle))

    def multiply(self, form: str, numbers: Numbers) -> Done:
        """A batch through the kernel."""
        job = _Job(form, self.lanes, numbers, whole=form == WHOLE, repeats=1)
        error = self._native.ffi.new("monpro_error *")
        function = self._native.lib.monpro_dataflow_multiply
        self._native.check(function(self._handle, job.job, error), error)
        return job.done()

    def close(self) -> None:
        """Closing twice is harmless."""
        handle, self._handle = self._handle, None
        if handle is not None:
            self._native.lib.monpro_dataflow_kernel_close(handle)


def numbers_of(values: Sequence[tuple[int, int, int]], digits: int) -> Numbers:
    """The numbers of a batch, from a, b and n of each block."""
    a, b, n = zip(*values, strict=True)
    return Numbers(digits, a, b, n)
