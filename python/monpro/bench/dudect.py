# SPDX-License-Identifier: Apache-2.0
"""Whether the time of a secret exponentiation tells the exponent.

A fixed exponent runs against random ones, in turns that are drawn. Welch's t-test compares the
times (Reparaz, Balasch, Verbauwhede, "Dude, is my code constant time?", 2017).

The test can show a leak. It can never show that there is none: it sees only what this number of
measurements lets through, on this processor, under this load, for one modulus and one fixed
exponent.
"""

from __future__ import annotations

import dataclasses
import math
import random
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from monpro import _native, records
from monpro.base import files, terminal
from monpro.engine import Batch, Engine, Job
from monpro.errors import MonproError
from monpro.measure import timing
from monpro.records import Record

BITS = 512
REQUESTS = (1, 8)  # one alone, and a whole vector
CROPS = (0.5, 0.75, 0.9, 0.99, 1.0)  # of the shortest times: what interrupts take is in the rest
SUSPECT, CERTAIN = 4.5, 10.0  # |t|, as in the paper

Clock = Callable[[], float]


@dataclasses.dataclass(frozen=True, slots=True)
class Verdict:
    """`t` is the largest t of all crops by amount. Positive: the fixed exponent is slower."""

    t: float
    measurements: int  # of both together

    @property
    def text(self) -> str:
        if abs(self.t) > CERTAIN:
            return "LEAKS"
        return "suspect" if abs(self.t) > SUSPECT else "no leak seen"


def welch(a: Sequence[float], b: Sequence[float]) -> float:
    """t of two samples, of two values each at least; 0 where neither varies."""
    spread = statistics.variance(a) / len(a) + statistics.variance(b) / len(b)
    return (statistics.fmean(a) - statistics.fmean(b)) / math.sqrt(spread) if spread else 0.0


def judge(fixed: Sequence[float], other: Sequence[float]) -> Verdict:
    """Compares the times of both. The same limit crops both."""
    pooled = sorted([*fixed, *other])
    found = [0.0]
    for crop in CROPS:
        limit = pooled[max(0, math.ceil(crop * len(pooled)) - 1)]
        samples = [[x for x in times if x <= limit] for times in (fixed, other)]
        if all(len(sample) > 1 for sample in samples):
            found.append(welch(*samples))
    return Verdict(max(found, key=abs), len(pooled))


def times(
    prepare: Callable[[bytes], None],
    work: Callable[[], None],
    size: int,
    count: int,
    source: random.Random,
    clock: Clock = time.perf_counter,
) -> tuple[list[float], list[float]]:
    """Seconds of `work` after `prepare` with the fixed exponent and with random ones of `size`
    bytes: `count` measurements, of either kind as `source` draws it, the first tenth not kept."""
    fixed = b"\x80" + bytes(size - 2) + b"\x01"  # as few ones as an exponent of its length has
    found: tuple[list[float], list[float]] = ([], [])
    for i in range(count + count // 10):
        kind, other = source.getrandbits(1), source.randbytes(size)
        exponent = (fixed, bytes([other[0] | 0x80]) + other[1:])[kind]
        prepare(exponent)
        start = clock()
        work()
        if i >= count // 10:
            found[kind].append(clock() - start)
    return found


def of_engine(engine: Engine, requests: int, count: int, seed: int) -> Verdict:
    """Exponentiations under one modulus, `requests` at once with the same exponent."""
    source, size = random.Random(seed), BITS // 8  # noqa: S311 - operands of a benchmark
    n = source.getrandbits(BITS) | 1 << (BITS - 1) | 1
    native = _native.load()
    job = Job(source.randrange(n), bytes([255] * size), n)
    batch = Batch(engine, [job] * requests)
    secret = native.ffi.new("uint8_t[]", size)
    for c_job in batch._jobs:
        c_job.exponent = secret

    def prepare(exponent: bytes) -> None:
        native.ffi.memmove(secret, exponent, size)

    with engine._using() as handle:
        return judge(
            *times(
                prepare,
                lambda: native.call(native.lib.monpro_modexp_batch, handle, batch._jobs, requests),
                size,
                count,
                source,
            )
        )


def run(names: Sequence[str], count: int, seed: int, out: Path, *, as_json: bool) -> bool:
    """Tests each engine, shows, writes the records. True: a t-value is no reason to fail."""
    for name in names:
        if name.partition(":")[0] not in ("soft", "lanes"):
            raise MonproError("MONPRO_ERR_ARGUMENT", f"--dudect is for soft and lanes, not {name}")
    found: list[Record] = []
    with timing.pinned(), terminal.Steps(len(names) * len(REQUESTS)) as steps:
        for name in names:
            with Engine(name) as engine:
                for requests in REQUESTS:
                    verdict = of_engine(engine, requests, count, seed)
                    figures = {
                        "requests": requests,
                        "measurements": verdict.measurements,
                        "welch_t": verdict.t,
                        "verdict": verdict.text,
                    }
                    found.append(
                        records.record(
                            "bench", figures, engine=engine, operation="modexp", bits=BITS,
                            exponent="secret", obtained="measured", contender=name,
                        )
                    )  # fmt: skip
                    steps.done(f"{name}, {requests} at once")
    out.parent.mkdir(parents=True, exist_ok=True)
    with files.output(str(out)) as write:
        write(records.to_json(found).encode() + b"\n")
    if as_json:
        records.show(found)
    else:
        show(found, out)
    return True


def show(found: Sequence[Record], out: Path) -> None:
    """A line for each engine and count of requests, and what it means."""
    lines = [
        [item["contender"], str(item["requests"]), f"{item['welch_t']:+.1f}", item["verdict"]]
        for item in found
    ]
    terminal.show_table(["", "at once", "t", ""], lines, numbers=["at once", "t"])
    terminal.show_text(
        f"\nModexp {BITS}, a fixed secret exponent of two ones against random ones, "
        f"{found[0]['measurements']} measurements each, in drawn order; t is Welch's, the largest "
        f"over {len(CROPS)} crops of the longest times. Above {SUSPECT} it is suspect, above "
        f"{CERTAIN:.0f} a leak; below, none was seen, which does not show that there is none: "
        "more measurements, a quieter processor or another exponent may show one. "
        f"Records: {out}"
    )
