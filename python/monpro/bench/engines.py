# SPDX-License-Identifier: Apache-2.0
"""Software engines and their peers side by side, in turns, on one processor.

They do raw exponentiations and RSA.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import typer
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa as keys

from monpro import _native, records, rsa
from monpro.base import files, terminal
from monpro.bench import dudect as dudect_test
from monpro.bench import peers
from monpro.engine import Batch, Engine, Job
from monpro.errors import MonproError
from monpro.measure import timing
from monpro.records import Record

# Requests of a full batch: whole vectors of any engine, and many where one is short.
FULL = {"modexp": 16, "rsa_private": 16, "rsa_public": 64}
KEYS = 8  # of a batch in which each request has its own: their halves are whole vectors too
CHECKED = 3  # of a batch's results, by Python's pow; the others by each other
ROUND_S = 0.02  # each contender's share of a round, at least
MODEXP_BITS = (512, 1024, 2048, 4096)
RSA_BITS = (1024, 2048, 3072, 4096)
PEERS = ("openssl", "openssl:ifma=off", "gmp")
# The bit of AVX-512 IFMA among the features that libcrypto looks at, taken away.
NO_IFMA = ("OPENSSL_ia32cap", ":~0x200000")


@dataclasses.dataclass(frozen=True, slots=True)
class Row:
    """What is measured: how many requests of an operation at once; for RSA under how many keys."""

    operation: str  # modexp, rsa_private, rsa_public
    bits: int
    requests: int
    keys: int = 1

    @property
    def title(self) -> str:
        name = {"modexp": "modexp", "rsa_private": "RSA private", "rsa_public": "RSA public"}
        how = ", one alone" if self.requests == 1 else ", a key each" if self.keys > 1 else ""
        return f"{name[self.operation]} {self.bits}{how}"


def rows(bits: Sequence[int] | None) -> list[Row]:
    """The lengths asked for, or all."""
    found = []
    for operation, requests in FULL.items():
        sizes = MODEXP_BITS if operation == "modexp" else RSA_BITS
        found += [Row(operation, b, requests) for b in sizes if not bits or b in bits]
    for requests in (1, KEYS):
        found += [
            Row("rsa_private", b, requests, requests) for b in RSA_BITS if not bits or b in bits
        ]
    if not found:
        known = ", ".join(map(str, sorted({*MODEXP_BITS, *RSA_BITS})))
        raise MonproError("MONPRO_ERR_KEY_SIZE", f"--bits: there are {known}")
    return found


def split(names: str) -> list[str]:
    """Names apart by commas; "threads=2" after one belongs to it."""
    found: list[str] = []
    for part in names.split(","):
        if found and "=" in part and ":" not in part and ":" in found[-1]:
            found[-1] += f",{part}"
        else:
            found.append(part)
    for i, name in enumerate(found):
        if name.startswith("sim:"):
            raise MonproError(
                "MONPRO_ERR_ARGUMENT",
                f"{name} is no software engine: bench engines is for software",
            )
        if name.startswith("lanes") and "threads=" not in name:
            found[i] = name + (",threads=1" if ":" in name else ":threads=1")
    return list(dict.fromkeys(found))


@functools.cache
def _key(bits: int, _index: int) -> keys.RSAPrivateKey:
    return keys.generate_private_key(65537, bits)


class Case:
    """One row's operands, the right results, and the work of each contender."""

    def __init__(self, row: Row, seed: int) -> None:
        self.row = row
        source = random.Random(f"{seed} {row}")  # noqa: S311 - operands of a benchmark
        count, bits = row.requests, row.bits
        top = 1 << (bits - 1)
        if row.operation == "modexp":
            self.moduli = [source.getrandbits(bits) | top | 1 for _ in range(count)]
            self.exponents = [source.getrandbits(bits) | top for _ in range(count)]
            self.bases = [source.randrange(n) for n in self.moduli]
        else:
            self.keys = [_key(bits, i % row.keys) for i in range(count)]
            numbers = [key.private_numbers() for key in self.keys]
            private = row.operation == "rsa_private"
            self.moduli = [one.public_numbers.n for one in numbers]
            self.exponents = [one.d if private else one.public_numbers.e for one in numbers]
            self.bases = [source.randrange(n) for n in self.moduli]

    def right(self, results: list[int], others: list[int]) -> bool:
        """Whether Python's pow agrees on some, and another contender on all."""
        some = range(0, len(results), max(1, len(results) // CHECKED))
        return results == others and all(
            results[i] == pow(self.bases[i], self.exponents[i], self.moduli[i]) for i in some
        )

    def work(self, engine: Engine | str) -> peers.Work:
        """All requests once."""
        if isinstance(engine, Engine):
            return self._monpro(engine)
        module, operation = engine.partition(":")[0], self.row.operation
        if operation == "modexp":
            modexp = peers.openssl_modexp if module == "openssl" else peers.gmp_modexp
            return modexp(self.bases, self.exponents, self.moduli)
        whole = peers.openssl_rsa if module == "openssl" else peers.gmp_rsa
        return whole(self.keys, self._blocks, private=operation == "rsa_private")

    @property
    def _blocks(self) -> list[bytes]:
        return [base.to_bytes(self.row.bits // 8, "big") for base in self.bases]

    def _monpro(self, engine: Engine) -> peers.Work:
        if self.row.operation == "modexp":
            size = self.row.bits // 8
            jobs = [
                Job(b.to_bytes(size, "big"), e.to_bytes(size, "big"), n.to_bytes(size, "big"))
                for b, e, n in zip(self.bases, self.exponents, self.moduli, strict=True)
            ]
            return _in_c(engine, Batch(engine, jobs), len(jobs), size)
        read = {key: rsa.Key.read(_der(key)) for key in self.keys}
        c_keys = [read[key] for key in self.keys]
        return _rsa_in_c(engine, c_keys, self._blocks, self.row.operation)


def _der(key: keys.RSAPrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.DER,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def _in_c(engine: Engine, batch: Batch, count: int, size: int) -> peers.Work:
    """A batch's work without its translation from Python's numbers, which the peers do not have."""
    native = _native.load()
    c_jobs = batch._jobs

    def work() -> list[int]:
        with engine._using() as handle:
            native.call(native.lib.monpro_modexp_batch, handle, c_jobs, count)
        data = (bytes(native.ffi.buffer(c_jobs[i].result, size)) for i in range(count))
        return [int.from_bytes(number, "big") for number in data]

    work.kept = batch  # type: ignore[attr-defined]  # its buffers have to live as long as this
    return work


def _rsa_in_c(
    engine: Engine, c_keys: list[rsa.Key], blocks: list[bytes], operation: str
) -> peers.Work:
    """The same for a batch of blocks of one length, each with its key."""
    native, size = _native.load(), c_keys[0].size
    source = native.ffi.from_buffer(b"".join(blocks))
    out = native.ffi.new("uint8_t[]", len(source))
    c_jobs = native.ffi.new("monpro_rsa_job[]", len(blocks))
    for i, (c_job, key) in enumerate(zip(c_jobs, c_keys, strict=True)):
        c_job.key, c_job.out = key._handle, out + i * size
        setattr(c_job, "in", source + i * size)
    function = getattr(native.lib, f"monpro_{operation}_batch")

    def work() -> list[int]:
        with engine._using() as handle:
            native.call(function, handle, c_jobs, len(blocks), native.ffi.NULL)
        data = bytes(native.ffi.buffer(out))
        return [int.from_bytes(data[i : i + size], "big") for i in range(0, len(data), size)]

    work.kept = (source, c_keys)  # type: ignore[attr-defined]  # they have to live as long as it
    return work


def _seconds(work: peers.Work, repeats: int) -> float:
    """Processor time, not time of the clock on the wall, so other processes do not count."""
    start_s = time.process_time()
    for _ in range(repeats):
        work()
    return (time.process_time() - start_s) / repeats


def interleaved(works: Sequence[peers.Work], rounds: int) -> list[list[float]]:
    """Seconds of each contender, round by round. They take turns in each round."""
    repeats = [max(1, round(ROUND_S / max(_seconds(work, 1), 1e-6))) for work in works]
    times: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for work, repeat, found in zip(works, repeats, times, strict=True):
            found.append(_seconds(work, repeat))
    return times


def measure(case: Case, contenders: dict[str, Engine | str], rounds: int) -> list[Record]:
    """One row: each contender checked, then all of them timed."""
    works = {name: case.work(engine) for name, engine in contenders.items()}
    results = {name: work() for name, work in works.items()}
    first = next(iter(results.values()))
    right = {name: case.right(result, first) for name, result in results.items()}
    times = dict(zip(works, interleaved(list(works.values()), rounds), strict=True))
    peer = next((name for name in works if name.startswith("openssl")), None)
    found = []
    for name, seconds in times.items():
        ratios = [b / a for a, b in zip(seconds, times[peer], strict=True)] if peer else []
        private = case.row.operation == "rsa_private"
        library = name.partition(":")[0]
        bare = library == "gmp"
        each_s = statistics.median(seconds) / case.row.requests
        figures: Record = {
            "requests": case.row.requests,
            "keys": case.row.keys if case.row.keys > 1 else None,
            "rounds": rounds,
            "time_ms": each_s * 1e3,
            "operations_per_s": 1 / each_s,
            "speed_to_openssl": statistics.median(ratios) if ratios else None,
            "baseline": _peer_title(peer) if peer else None,
            "crt": private or None,
            "checked": (private and not bare) or None,
            "blinded": (private and not bare) or None,
            "failure": None if right[name] else f"{case.row.title} by {name}: wrong results",
        }
        engine = contenders[name]
        found.append(
            records.record(
                "bench", figures, engine=engine, operation=case.row.operation, bits=case.row.bits,
                exponent="public" if case.row.operation == "rsa_public" else "secret",
                ok=right[name], obtained="measured", step=case.row.title, contender=name,
            )
        )  # fmt: skip
    return found


def _peer_title(name: str) -> str:
    masked = ", AVX-512 IFMA masked" if name.endswith("ifma=off") else ""
    return peers.libcrypto_version() + masked


def _open(
    names: list[str], stack: contextlib.ExitStack
) -> tuple[dict[str, Engine | str], list[str]]:
    """The contenders; and why one that is optional is not there."""
    found: dict[str, Engine | str] = {}
    missing = []
    for name in names:
        if name == "gmp":
            try:
                peers.gmp()
            except MonproError as why:
                missing.append(f"gmp is left out: {why.message}.")
                continue
        if name in PEERS:
            found[name] = name
        else:
            found[name] = stack.enter_context(Engine(name))
    return found, missing


def show(found: list[Record], missing: list[str], out: Path) -> None:
    """A line for each row; times, and how many times as fast as OpenSSL."""
    names = list(dict.fromkeys(item["contender"] for item in found))
    lines = []
    for step in dict.fromkeys(item["step"] for item in found):
        of_step = {item["contender"]: item for item in found if item["step"] == step}
        cells = [step]
        for name in names:
            cells.append(terminal.significant(of_step[name]["time_ms"]))
            if not name.startswith("openssl") and "speed_to_openssl" in of_step[name]:
                cells.append(f"{of_step[name]['speed_to_openssl']:.2f}")
        lines.append(cells)
    heads = [""]
    for name in names:
        heads.append(f"{name.replace(':', chr(10))}\nms")
        if not name.startswith("openssl") and any("speed_to_openssl" in item for item in found):
            heads.append("x")
    terminal.show_table(heads, lines, numbers=heads[1:])
    first = found[0]
    notes = [
        "Times are of one request in a full batch, unless alone; with a key each in one of "
        f"{KEYS}: medians of "
        f"{first['rounds']} rounds in which the contenders take turns on one processor, in "
        "processor time. x: how many "
        "times as fast as OpenSSL in the same round, median. Private operations have blinding "
        "and the check in them, but for gmp's, which have neither."
    ]
    if "baseline" in first:
        notes.append(f"OpenSSL: {first['baseline']}.")
    for item in found:
        if item.get("failure"):
            notes.append(f"WRONG: {item['failure']}")
    terminal.show_text("\n" + " ".join(notes + missing) + f" Records: {out}")


def _without_ifma(arguments: list[str]) -> bool:
    """This command again, in a process whose libcrypto does not see IFMA. What is neither right
    nor wrong results is that process's own exit status, and with it this one's."""
    environment = {**os.environ, NO_IFMA[0]: NO_IFMA[1]}
    code = subprocess.run([sys.executable, "-m", "monpro", *arguments], env=environment).returncode
    if code not in (0, 1):
        raise typer.Exit(code if code > 0 else 128 - code)  # a signal as a shell has it
    return code == 0


def dudect(
    names: str, bits: list[int] | None, count: int, seed: int, out: Path, *, as_json: bool
) -> bool:
    """`count` measurements of each engine's time with a fixed exponent and with random ones."""
    if bits:
        raise MonproError("MONPRO_ERR_ARGUMENT", "--dudect does not take --bits")
    return dudect_test.run(split(names), count, seed, out, as_json=as_json)


def run(
    names: str, bits: list[int] | None, rounds: int, seed: int, out: Path, *, as_json: bool
) -> bool:
    """Measures, shows, writes the records; whether every result was right."""
    chosen = split(names)
    todo = rows(bits)
    if "openssl:ifma=off" in chosen and os.environ.get(NO_IFMA[0]) != NO_IFMA[1]:
        if "openssl" in chosen:
            raise MonproError("MONPRO_ERR_ARGUMENT", "give openssl or openssl:ifma=off, not both")
        return _without_ifma(sys.argv[1:])
    found: list[Record] = []
    with contextlib.ExitStack() as stack:
        contenders, missing = _open(chosen, stack)
        stack.enter_context(timing.pinned())
        steps = stack.enter_context(terminal.Steps(len(todo)))
        for row in todo:
            found += measure(Case(row, seed), contenders, rounds)
            steps.done(row.title)
    out.parent.mkdir(parents=True, exist_ok=True)
    with files.output(str(out)) as write:
        write(records.to_json(found).encode() + b"\n")
    if as_json:
        records.show(found)
    else:
        show(found, missing, out)
    return all(item["ok"] for item in found)
