"""The tables of a reference design with Monpro's figures beside the published ones: which of them
there are, and one run of one of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from monpro import (
    bench_reference_r1,
    bench_reference_r1_table,
    bench_reference_r2,
    bench_reference_r2_table,
    bench_reference_r3,
    bench_reference_r3_table,
    bench_reference_r4,
    bench_reference_r4_table,
    files,
    records,
)
from monpro.errors import MonproError
from monpro.records import Record


@dataclass(frozen=True, slots=True)
class Reference:
    """measure: seed, quick -> records. show: the tables, from records alone."""

    measure: Callable[[int, bool], list[Record]]
    show: Callable[[Sequence[Record], Path, int, float, bool], None]


REFERENCES: Mapping[str, Reference] = {
    "R1": Reference(bench_reference_r1.measure, bench_reference_r1_table.show),
    "R2": Reference(bench_reference_r2.measure, bench_reference_r2_table.show),
    "R3": Reference(bench_reference_r3.measure, bench_reference_r3_table.show),
    "R4": Reference(bench_reference_r4.measure, bench_reference_r4_table.show),
}
OTHERS = ("R5",)  # published, without a bench yet


def run(name: str, seed: int, out: Path, *, quick: bool, as_json: bool) -> bool:
    """Measures, shows, writes the records; whether every result was right."""
    if name not in REFERENCES:
        known = ", ".join(REFERENCES)
        if name in OTHERS:
            message = f"there is no bench of {name} yet; there are: {known}"
            raise MonproError("MONPRO_ERR_UNSUPPORTED", message)
        raise MonproError(
            "MONPRO_ERR_ARGUMENT", f'no reference design "{name}"; there are: {known}'
        )
    reference, start_s = REFERENCES[name], time.monotonic()
    out.parent.mkdir(parents=True, exist_ok=True)
    with files.output(str(out)) as write:
        found = reference.measure(seed, quick)
        write(records.to_json(found).encode() + b"\n")
    if as_json:
        records.show(found)
    else:
        reference.show(found, out, seed, time.monotonic() - start_s, quick)
    return all(item["ok"] is not False for item in found)
