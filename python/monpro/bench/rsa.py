# SPDX-License-Identifier: Apache-2.0
"""The main job: RSA with keys and files that OpenSSL made, through the RTL and through software.

OpenSSL checks every result. The records say what each operation cost.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from monpro import records, rsa
from monpro.base import files, terminal
from monpro.bench import rsa_table
from monpro.engine import Counters, Engine
from monpro.errors import MonproError
from monpro.measure import openssl, predict, timing
from monpro.records import Record

SIZES = (1024, 2048, 3072, 4096)
OPERATIONS = ("sign", "decrypt", "verify", "encrypt")
PRIVATE = ("sign", "decrypt")
OF_LONG = ("sign", "verify")
"""What is simulated above rsa_table.LONG_BITS: each stands for the other of its kind."""
PADDING = {"sign": "pss", "verify": "pss", "encrypt": "oaep", "decrypt": "oaep"}
SIMULATIONS_AT_ONCE = 2
FILE_BYTES = 4096  # digesting it is a small part of any operation
SECRET_BYTES = 32
E = 65537


@dataclasses.dataclass(frozen=True, slots=True)
class Case:
    """One key size: OpenSSL's key, file, short secret, and its own signature and ciphertext."""

    party: openssl.Party
    file: Path
    secret: bytes
    signature: bytes
    block: bytes

    @classmethod
    def make(cls, folder: Path, bits: int) -> Case:
        party = openssl.Party(folder, bits)
        file = folder / f"{bits}.bin"
        openssl.must("rand", "-out", file, str(FILE_BYTES))
        secret = openssl.must("rand", str(SECRET_BYTES))
        return cls(party, file, secret, party.sign(file), party.encrypt(secret))

    @property
    def bits(self) -> int:
        return self.party.bits

    def computation(self, operation: str, engine: Engine) -> Callable[[], bytes | None]:
        """An operation with everything it needs at hand, to be run any number of times."""
        key, message = rsa.Key.read_file(self.party.key), self.file.read_bytes()
        computations: dict[str, Callable[[], bytes | None]] = {
            "sign": lambda: rsa.sign(engine, key, message),
            "verify": lambda: rsa.verify(engine, key, message, self.signature),
            "encrypt": lambda: rsa.encrypt(engine, key, self.secret),
            "decrypt": lambda: rsa.decrypt(engine, key, self.block),
        }
        return computations[operation]

    def agrees(self, operation: str, result: bytes | None, engine: Engine) -> bool:
        """Whether OpenSSL, or what it made, says that a result is right."""
        match operation:
            case "sign":
                return result is not None and self.party.verifies(self.file, result)
            case "encrypt":
                return result is not None and self.party.decrypt(result) == self.secret
            case "decrypt":
                return result == self.secret
            case _:  # verify accepted OpenSSL's signature; it must not accept just any
                return self._refuses_other_message(engine)

    def _refuses_other_message(self, engine: Engine) -> bool:
        key, message = rsa.Key.read_file(self.party.key), self.file.read_bytes()
        try:
            rsa.verify(engine, key, message + b"\0", self.signature)
        except MonproError as error:
            return error.name == "MONPRO_ERR_SIGNATURE"
        return False


def _record(
    case: Case, operation: str, engine: Engine | str, ok: bool, figures: Record, failure: str | None
) -> Record:
    private = operation in PRIVATE
    return records.record(
        "bench",
        figures,
        engine=engine,
        operation="rsa_private" if private else "rsa_public",
        bits=case.bits,
        scheme="fixed_window" if private else "binary",
        exponent="secret" if private else "public",
        ok=ok,
        step=operation,
        padding=PADDING[operation],
        crt=private or None,
        checked=private or None,
        blinded=private or None,
        failure=failure,
    )


def _check(case: Case, operation: str, result: bytes | None, engine: Engine) -> str | None:
    """What is wrong with a result, or None."""
    if case.agrees(operation, result, engine):
        return None
    return f"RSA-{case.bits} {operation} by {engine.spec}: OpenSSL does not agree"


def hardware(case: Case, operation: str, spec: str) -> list[Record]:
    """An operation in a coprocessor of its own, the key cold; a public one once more, warm."""
    result = []
    with Engine(spec) as engine:
        compute = case.computation(operation, engine)
        for _ in range(1 if operation in PRIVATE else 2):
            spent, failure, start_s = Counters(), None, time.perf_counter()
            try:
                with engine.measure() as measured:
                    output = compute()
                wall_s, spent = time.perf_counter() - start_s, measured.counters
                failure = _check(case, operation, output, engine)
            except MonproError as error:
                wall_s = time.perf_counter() - start_s
                failure = f"RSA-{case.bits} {operation} by {spec}: {error}"
            figures = {"wall_ms": wall_s * 1e3, **records.cycle_figures(engine, spent)}
            figures |= {"key_state": records.key_state(spent), "obtained": "simulated"}
            result.append(_record(case, operation, engine, failure is None, figures, failure))
    return result


def software(case: Case, operation: str, rounds: int) -> list[Record]:
    """The software engine, checked, then timed in turns with OpenSSL."""
    peer = timing.peer(case.party.key.read_bytes(), case.file.read_bytes(), case.secret)
    with Engine("soft") as engine:
        compute = case.computation(operation, engine)
        try:
            failure = _check(case, operation, compute(), engine)
        except MonproError as error:
            failure = f"RSA-{case.bits} {operation} by soft: {error}"
        if failure:
            return [_record(case, operation, engine, False, {"obtained": "measured"}, failure)]
        soft_ms, peer_ms = timing.interleaved_ms([compute, peer[operation]], rounds)
        common: Record = {"obtained": "measured", "rounds": rounds}
        ratio = {"ratio_to_openssl": soft_ms / peer_ms, "baseline": timing.peer_version()}
        return [
            _record(case, operation, engine, True, common | {"time_ms": soft_ms} | ratio, None),
            _record(case, operation, "openssl", True, common | {"time_ms": peer_ms}, None),
        ]


def simulated(sizes: list[int], spec: str) -> list[tuple[int, str]]:
    """Size and operation of each simulation; the longest first, so that no processor waits for the
    other at the end."""
    if spec == "soft":
        return []
    found = [
        (bits, operation)
        for operation in OPERATIONS
        for bits in sizes
        if bits <= rsa_table.LONG_BITS or operation in OF_LONG
    ]
    return sorted(found, key=lambda item: (item[1] not in PRIVATE, -item[0]))


def _say_how_long(sizes: list[int], spec: str) -> None:
    """What is about to be simulated, and how long that takes here, by the cycles of the model."""
    work = simulated(sizes, spec)
    with Engine(spec) as engine:
        if engine.design is None:
            return
        rate = predict.cycles_per_s(engine, engine.design)
        kinds = {True: "rsa_private", False: "rsa_public"}
        cycles = sum(
            predict.predict(engine.design, kinds[step in PRIVATE], bits, E).simulated_cycles
            for bits, step in work
        )
    about = terminal.duration(cycles / rate / SIMULATIONS_AT_ONCE)
    print(
        f"monpro: RSA of {', '.join(map(str, sizes))} bits by {spec}, software and OpenSSL: "
        f"{len(work)} simulations, about {about}",
        file=sys.stderr,
        flush=True,
    )


def measure(sizes: list[int], spec: str, rounds: int) -> list[Record]:
    """Measures all of it. The simulations share the machine. Software is timed when it is alone."""
    with tempfile.TemporaryDirectory(prefix="monpro-bench-") as name:
        files.unfinished.add(name)
        work = simulated(sizes, spec)
        total = len(sizes) * (1 + len(OPERATIONS)) + len(work)
        with terminal.Steps(total) as steps:
            cases = []
            for bits in sizes:
                cases.append(Case.make(Path(name), bits))
                steps.done(f"RSA-{bits}: key and file made by the openssl program")
            found = []
            by_size = {case.bits: case for case in cases}
            with pool() as executor:
                running = {
                    executor.submit(hardware, by_size[bits], op, spec): (by_size[bits], op)
                    for bits, op in work
                }
                for done in as_completed(running):
                    found += done.result()
                    case, op = running[done]
                    steps.done(f"RSA-{case.bits} {op}: {spec}, checked")
            for case in cases:
                for op in OPERATIONS:
                    found += software(case, op, rounds)
                    steps.done(f"RSA-{case.bits} {op}: software, checked and timed")
    order = functools.partial(_order, spec)
    return sorted(found, key=order)


def _order(spec: str, item: Record) -> tuple[int, int, int]:
    """The place of a record: by size, then operation, the coprocessor before software.

    Sorting keeps cold before warm.
    """
    engines = [spec, "soft", "openssl"]
    return item["bits"], OPERATIONS.index(item["step"]), engines.index(item["engine"])


@contextlib.contextmanager
def pool() -> Iterator[ThreadPoolExecutor]:
    """Threads for simulations; after an error or an interrupt none is started any more."""
    executor = ThreadPoolExecutor(SIMULATIONS_AT_ONCE)
    try:
        yield executor
    finally:
        executor.shutdown(cancel_futures=True)


def _sizes(wanted: list[int] | None, spec: str) -> list[int]:
    """The key sizes: those asked for, which the engine has to take, or all that it takes."""
    with Engine(spec) as engine:  # builds the model, if need be, before there is a progress bar
        shortest, longest = engine.info.min_bits, engine.info.max_bits
    taken = [bits for bits in wanted or SIZES if shortest <= bits <= longest]
    if not taken or (wanted and taken != wanted):
        sizes = ", ".join(map(str, wanted or SIZES))
        raise MonproError(
            "MONPRO_ERR_KEY_SIZE",
            f"{spec} takes moduli of {shortest} to {longest} bits; asked for: {sizes}",
        )
    return sorted(set(taken))


def run(sizes: list[int] | None, spec: str, rounds: int, out: Path, *, as_json: bool) -> bool:
    """Measures, shows, writes the records; whether every check passed."""
    for bits in sizes or []:
        if not SIZES[0] <= bits <= SIZES[-1]:
            raise MonproError(
                "MONPRO_ERR_KEY_SIZE", f"--bits {bits}: it can be {SIZES[0]} to {SIZES[-1]}"
            )
    start_s = time.monotonic()
    sizes = _sizes(sizes, spec)
    out.parent.mkdir(parents=True, exist_ok=True)
    _say_how_long(sizes, spec)
    with files.output(str(out)) as write:
        found = measure(sizes, spec, rounds)
        elapsed_s = time.monotonic() - start_s
        found = records.of_run(found, spec=spec, elapsed_s=elapsed_s)
        write(records.to_json(found).encode() + b"\n")
    if as_json:
        records.show(found)
    else:
        rsa_table.show(found, spec, out, elapsed_s)
    return all(item["ok"] for item in found)
