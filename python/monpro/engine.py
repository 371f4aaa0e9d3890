# SPDX-License-Identifier: Apache-2.0
"""Engines: batches of modular exponentiations go in, results or named errors come out."""

from __future__ import annotations

import dataclasses
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias, get_args

from monpro import _native
from monpro.base.closing import Closing
from monpro.errors import MonproError
from monpro.hardware import designs, simulator
from monpro.hardware.schemes import SchemeName

Number = int | bytes | bytearray | memoryview
Scheme: TypeAlias = SchemeName

DEFAULT = "sim:small"


@dataclasses.dataclass(frozen=True, slots=True)
class Counters:
    """What was spent, in clock cycles of the device; software counts operations only."""

    operations: int = 0
    warm: int = 0
    products: int = 0
    cycles_load: int = 0
    cycles_precompute: int = 0
    cycles_exponentiate: int = 0
    cycles_read: int = 0

    @property
    def cycles(self) -> int:
        """From each start to its done, operands already in place."""
        return self.cycles_precompute + self.cycles_exponentiate

    @property
    def cycles_bus(self) -> int:
        """Operands over the bus and results back."""
        return self.cycles_load + self.cycles_read

    @property
    def cycles_total(self) -> int:
        """Everything the device's clock saw of the operation."""
        return self.cycles + self.cycles_bus

    def __sub__(self, earlier: Counters) -> Counters:
        names = [field.name for field in dataclasses.fields(self)]
        return Counters(*(getattr(self, name) - getattr(earlier, name) for name in names))

    def __add__(self, other: Counters) -> Counters:
        names = [field.name for field in dataclasses.fields(self)]
        return Counters(*(getattr(self, name) + getattr(other, name) for name in names))


@dataclasses.dataclass(frozen=True, slots=True)
class EngineInfo:
    """What an engine is and takes, as monpro_engine_info of the C library."""

    min_bits: int
    max_bits: int
    word_bits: int
    elements: int
    delay: int
    multipliers: int
    table_words: int
    table_banks: int
    schemes: int  # a bit each; ask with has()
    crt: int  # 1: does an RSA private operation, both CRT halves, at once
    entries: int  # of a device for single products, whose exponentiations are the driver's; else 0
    exact: int  # 1: its multiplier subtracts the modulus at the end
    version: int

    def has(self, scheme: Scheme) -> bool:
        """Whether the engine has a scheme."""
        return scheme == "default" or bool(self.schemes >> _scheme(_native.load(), scheme) & 1)


@dataclasses.dataclass(frozen=True, slots=True)
class Job:
    """base ^ exponent mod modulus.

    A secret exponent costs time for its whole length: a whole number counts as long as the
    modulus, bytes are taken as they are. `public` lets the time depend on the exponent. Some
    schemes need it (`secret` of their facts in hardware.schemes). `soft` has every scheme, and
    computes most of them alike.
    """

    base: Number
    exponent: Number
    modulus: Number
    public: bool = False
    scheme: Scheme = "default"
    window: int = 0


@dataclasses.dataclass(frozen=True, slots=True)
class Result:
    """How one job ended. `value` raises the job's error, if it has one."""

    _value: int
    counters: Counters
    error: MonproError | None
    scheme: Scheme = "default"
    """That it was done by; of a failed job the default."""
    window: int = 0
    """Of a scheme with one."""

    @property
    def value(self) -> int:
        if self.error:
            raise self.error
        return self._value


def _scheme(native: _native.Native, name: Scheme) -> int:
    """The number of a scheme in the C library."""
    if name not in get_args(Scheme):
        known = ", ".join(get_args(Scheme))
        raise MonproError("MONPRO_ERR_SCHEME", f'no scheme "{name}"; there are: {known}')
    return int(getattr(native.lib, f"MONPRO_SCHEME_{name.upper()}"))


def _scheme_name(native: _native.Native, number: int) -> Scheme:
    return next(name for name in get_args(Scheme) if _scheme(native, name) == number)


def to_bytes(number: Number, length: int = 0) -> bytes:
    """Big-endian bytes. A whole number gets at least `length` bytes. Bytes stay as they are."""
    if not isinstance(number, int):
        return bytes(number)
    if number < 0:
        raise MonproError("MONPRO_ERR_ARGUMENT", "a number is negative")
    return number.to_bytes(max(length, (number.bit_length() + 7) // 8, 1), "big")


class Batch:
    """Jobs that were submitted. `wait` gives their results, in order."""

    def __init__(self, engine: Engine, jobs: Sequence[Job]) -> None:
        native = _native.load()
        self._engine = engine
        self._count = len(jobs)
        self._jobs = native.ffi.new("monpro_job[]", max(len(jobs), 1))
        self._buffers: list[Any] = []
        self._ticket: int | None = None
        self._results: list[Result] | None = None
        for c_job, job in zip(self._jobs, jobs, strict=False):
            self._fill(native, c_job, job)

    def _fill(self, native: _native.Native, c_job: Any, job: Job) -> None:
        modulus = to_bytes(job.modulus)
        longest = self._engine.info.max_bits // 8
        exponent = to_bytes(job.exponent, 0 if job.public else min(len(modulus), longest))
        result = native.ffi.new("uint8_t[]", max(len(modulus), 1))
        for name, data in (
            ("modulus", modulus), ("base", to_bytes(job.base)), ("exponent", exponent),
        ):  # fmt: skip
            pointer = native.ffi.from_buffer(data)
            self._buffers.append(pointer)
            setattr(c_job, name, pointer)
            setattr(c_job, f"{name}_len", len(data))
        self._buffers.append(result)
        c_job.result, c_job.result_len = result, max(len(modulus), 1)
        c_job.flags = native.lib.MONPRO_EXPONENT_PUBLIC if job.public else 0
        c_job.scheme, c_job.window = _scheme(native, job.scheme), job.window

    def poll(self) -> bool:
        """Does a slice of the work; whether the batch has finished."""
        if self._results is not None:
            return True
        native = _native.load()
        finished = native.ffi.new("int *")
        with self._engine._using() as handle:
            status = native.lib.monpro_poll(handle, self._ticket, finished)
        if status:
            raise native.error(status)
        return bool(finished[0])

    def wait(self) -> list[Result]:
        """Blocks until the batch has finished."""
        if self._results is None:
            native = _native.load()
            error = native.ffi.new("monpro_error *")
            with self._engine._using() as handle:
                status = native.lib.monpro_wait(handle, self._ticket, error)
            self._collect(native, status, error)
            self._engine._batches.discard(self)
        assert self._results is not None
        return self._results

    def _collect(self, native: _native.Native, status: int, error: Any) -> None:
        """The library describes the first failed job; the others get their status' sentence."""
        first = native.error(status, native.text(error.message)) if status else None
        if first and not any(c_job.status for c_job in self._jobs[0 : self._count]):
            raise first  # it did not come to run them
        self._results = []
        for c_job in self._jobs[0 : self._count]:
            why = None
            if c_job.status:
                why = self._engine._named(first or native.error(c_job.status))
                first = None
            data = bytes(native.ffi.buffer(c_job.result, c_job.result_len))
            counters = _counters(c_job.counters)
            used = _scheme_name(native, int(c_job.used_scheme)), int(c_job.used_window)
            self._results.append(Result(int.from_bytes(data, "big"), counters, why, *used))
        self._buffers.clear()


def _counters(c_counters: Any) -> Counters:
    """The counters of a monpro_counters."""
    return Counters(*(int(getattr(c_counters, f.name)) for f in dataclasses.fields(Counters)))


class Measured:
    """What was spent inside `with engine.measure() as measured`, known after the block.

    `check` is the part of `counters` that went into checking the results of RSA private
    operations with the public exponent before they were released.
    """

    counters: Counters = Counters()
    check: Counters = Counters()


class Engine(Closing):
    """An open engine; use it in a `with` statement, or call close().

    spec: "soft", "sim:small", "sim:small,elements=4", "sim:PATH.so". The model of a simulated
    design is built when it is first needed. `trace` names an FST file for the waves of a
    simulated one. Threads may share an engine, their calls then run one after the other.
    """

    def __init__(self, spec: str = DEFAULT, *, trace: str | Path | None = None) -> None:
        native = _native.load()
        self._c_spec, self.design = _resolve(spec, str(trace) if trace else None)
        self.spec = spec
        self._lock = threading.RLock()
        self._batches: set[Batch] = set()
        self._checks = Counters()  # spent on checking private results
        handle = native.ffi.new("monpro_engine **")
        native.call(native.lib.monpro_engine_open, handle, self._c_spec.encode())
        self._handle: Any = handle[0]
        info = native.ffi.new("monpro_engine_info *")
        status = native.lib.monpro_engine_query(self._handle, info)
        if status:
            self.close()
            raise native.error(status)
        fields = dataclasses.fields(EngineInfo)
        self.info = EngineInfo(*(int(getattr(info, field.name)) for field in fields))

    @contextmanager
    def _using(self) -> Iterator[Any]:
        """The handle, for this thread alone."""
        with self._lock:
            if self._handle is None:
                raise MonproError("MONPRO_ERR_ARGUMENT", f"the engine {self.spec} is closed")
            try:
                yield self._handle
            except MonproError as error:
                raise self._named(error) from None

    def _named(self, error: MonproError) -> MonproError:
        """The error with this engine's own name for what the library knows by a path."""
        return MonproError(error.name, error.message.replace(self._c_spec[:255], self.spec))

    def close(self) -> None:
        """Wipes and closes; closing twice is harmless."""
        with self._lock:
            handle, self._handle = self._handle, None
            if handle is not None:
                _native.load().lib.monpro_engine_close(handle)
            self._batches.clear()

    def __del__(self) -> None:
        if getattr(self, "_handle", None) is not None:
            self.close()

    def counters(self) -> Counters:
        """What was spent since the engine was opened."""
        native = _native.load()
        out = native.ffi.new("monpro_counters *")
        with self._using() as handle:
            status = native.lib.monpro_engine_counters(handle, out)
        if status:
            raise native.error(status)
        return _counters(out)

    @contextmanager
    def measure(self) -> Iterator[Measured]:
        """Measures what the calls inside the block spend."""
        measured = Measured()
        before, checks_before = self.counters(), self._checks
        yield measured
        measured.counters = self.counters() - before
        measured.check = self._checks - checks_before

    def modexp(
        self,
        base: Number,
        exponent: Number,
        modulus: Number,
        *,
        public: bool = False,
        scheme: Scheme = "default",
        window: int = 0,
    ) -> int:
        """base ^ exponent mod modulus, the arguments as in Job."""
        return self.modexp_batch([Job(base, exponent, modulus, public, scheme, window)])[0].value

    def modexp_batch(self, jobs: Sequence[Job]) -> list[Result]:
        """Runs the jobs in order. A failed job does not keep the others from running."""
        batch = Batch(self, jobs)
        native = _native.load()
        error = native.ffi.new("monpro_error *")
        with self._using() as handle:
            status = native.lib.monpro_modexp_batch(handle, batch._jobs, batch._count, error)
        batch._collect(native, status, error)
        return batch.wait()

    def submit(self, jobs: Sequence[Job]) -> Batch:
        """Queues the jobs without waiting for them."""
        batch = Batch(self, jobs)
        native = _native.load()
        ticket = native.ffi.new("monpro_ticket *")
        with self._using() as handle:
            native.call(native.lib.monpro_submit, handle, batch._jobs, batch._count, ticket)
            batch._ticket = int(ticket[0])
            self._batches.add(batch)  # the library writes into its buffers until it has finished
        return batch


def _resolve(spec: str, trace: str | None) -> tuple[str, designs.Design | None]:
    """The specification the C library gets: a simulated design becomes the path of its model."""
    kind, colon, rest = spec.partition(":")
    if kind != "sim" or not colon:
        if trace:
            raise MonproError("MONPRO_ERR_PARAMETER", f"{spec} is not simulated: it has no trace")
        return spec, None
    settings = rest.split(",")
    for setting in [s for s in settings if s.startswith("trace=")]:
        settings.remove(setting)
        trace = setting.removeprefix("trace=")
    if trace is not None and (not trace or "," in trace):
        raise MonproError("MONPRO_ERR_PARAMETER", f'a trace cannot be written to "{trace}"')
    forms = [s for s in settings if s.startswith("form=")]  # of products, and no other model
    settings = [s for s in settings if s not in forms]
    tail = "".join(f",{form}" for form in forms[-1:]) + (f",trace={trace}" if trace else "")
    if "/" in rest:
        return f"sim:{','.join(settings)}{tail}", None
    design = designs.parse(",".join(settings))
    return f"sim:{simulator.model(design, trace=bool(trace))}{tail}", design
