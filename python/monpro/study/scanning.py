# SPDX-License-Identifier: Apache-2.0
"""libmonpro_scanning through cffi: Montgomery products by scanning digits in five ways."""

from __future__ import annotations

import dataclasses
import functools
from dataclasses import dataclass
from typing import Any

from monpro._native import declarations
from monpro.base import paths
from monpro.errors import MonproError

METHODS = ("sos", "cios", "fios", "fips", "cihs")
LIBRARY = "library"  # the product that libmonpro itself computes with
WIDTHS = (8, 16, 32, 64)  # of a digit, in bits
PARTS = ("vectors", "constants", "products", "select", "clock")


@dataclass(frozen=True, slots=True)
class Counts:
    """Operations on digits; `around` a product: zeros, the final subtraction and selection."""

    products_ab: int
    products_mn: int
    products_m: int
    additions: int
    reads: int
    writes: int
    around_additions: int
    around_reads: int
    around_writes: int


@dataclass(frozen=True, slots=True)
class Done:
    """A result and what it took, by part of an exponentiation; a product has the part products."""

    value: int
    counts: dict[str, Counts]
    time_ns: dict[str, int]


@dataclass(frozen=True, slots=True)
class Way:
    """A method at a width of the digit, in one of the forms of monpro_scanning_form."""

    method: str
    digit_bits: int
    form: str = "plain"

    def digits(self, bits: int) -> int:
        """s, the digits of a modulus of `bits` bits."""
        return -(-bits // self.digit_bits)


class Native:
    """The loaded library."""

    def __init__(self) -> None:
        import cffi

        header = paths.header()
        library = paths.library().with_name("libmonpro_scanning.so")
        self.ffi: Any = cffi.FFI()
        for name in ("monpro.h", "scanning.h", "dataflow.h"):
            text = header.with_name(name).read_text(encoding="utf-8")
            self.ffi.cdef(declarations(text))
        try:
            self.lib: Any = self.ffi.dlopen(str(library))
        except OSError as why:
            raise MonproError("MONPRO_ERR_FILE", f"{library} cannot be loaded: {why}") from why
        self._statuses: dict[int, str] = dict(self.ffi.typeof("monpro_status").elements)

    def check(self, status: int, error: Any) -> None:
        """Raises what a call reports."""
        if status:
            raise MonproError(self._statuses[status], self.ffi.string(error.message).decode())

    def run(self, function: Any, way: Way, n: int, a: int, b: bytes, repeats: int) -> Done:
        ffi = self.ffi
        size = (n.bit_length() + 7) // 8
        modulus, base, result = n.to_bytes(size), a.to_bytes(size), ffi.new("uint8_t[]", size)
        keep = [ffi.from_buffer(data) for data in (modulus, base, b)]
        job, error = ffi.new("monpro_scanning_job *"), ffi.new("monpro_error *")
        job.method = getattr(self.lib, f"MONPRO_SCANNING_{way.method.upper()}")
        job.form = getattr(self.lib, f"MONPRO_SCANNING_{way.form.upper()}")
        job.digit_bits, job.repeats = way.digit_bits, repeats
        job.modulus, job.modulus_len = keep[0], size
        job.a, job.a_len = keep[1], size
        job.b, job.b_len = keep[2], len(b)
        job.result, job.result_len = result, size
        self.check(function(job, error), error)
        names = [field.name for field in dataclasses.fields(Counts)]
        counts = {
            part: Counts(*(getattr(job.counts[i], name) for name in names))
            for i, part in enumerate(PARTS)
        }
        time_ns = {part: job.time_ns[i] for i, part in enumerate(PARTS)}
        return Done(int.from_bytes(bytes(result)), counts, time_ns)


@functools.cache
def load() -> Native:
    """The library, loaded once."""
    return Native()


def available() -> tuple[int, ...]:
    """The widths of a digit that this build of the library has."""
    found = []
    for bits in WIDTHS:
        try:
            product(Way("sos", bits), 7, 3, 1, 1)
        except MonproError as why:
            if why.name != "MONPRO_ERR_UNSUPPORTED":
                raise
        else:
            found.append(bits)
    return tuple(found)


def product(way: Way, n: int, a: int, b: int, repeats: int) -> Done:
    """A chain of products, a <- a * b / R mod n."""
    native = load()
    size = (n.bit_length() + 7) // 8
    return native.run(native.lib.monpro_scanning_product, way, n, a, b.to_bytes(size), repeats)


def modexp(way: Way, n: int, a: int, exponent: bytes) -> Done:
    """a^exponent mod n, a square and a product for every bit of the bytes."""
    native = load()
    return native.run(native.lib.monpro_scanning_modexp, way, n, a, exponent, 0)
