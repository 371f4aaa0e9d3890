"""The commands `monpro soc run` and `monpro soc list`: programs on the simulated system on chip."""

from __future__ import annotations

import random
import sys
import time
from typing import Annotated

import typer

from monpro import designs, records, report
from monpro import options as o
from monpro.errors import MonproError
from monpro.soc_tasks import SCHEMES

app = typer.Typer(help="Run firmware on a simulated system: VexRiscv and a coprocessor.")
PROGRESS_S = 10.0
HEADS = (
    "operation", "by", "scheme", "cycles", "device", "over-\nhead %", "ms", "software\n/ this",
)  # fmt: skip


def _say(line: str) -> None:
    print(f"monpro: {line}", file=sys.stderr, flush=True)


class _Progress:
    """A line now and then with how far the runs are, one for both of them."""

    def __init__(self, total_cycles: int) -> None:
        self._total, self._last = total_cycles, time.monotonic()

    def __call__(self, line: str, cycles: int) -> None:
        now = time.monotonic()
        if cycles and now - self._last >= PROGRESS_S:
            self._last = now
            _say(f"{cycles / 1e6:.0f} million cycles simulated of about {self._total / 1e6:.0f}")


@app.command("list")
def list_(json: o.Json = False) -> None:
    """List the programs."""
    from monpro import soc

    if json:
        records.show([{"program": name, "summary": p.summary} for name, p in soc.PROGRAMS.items()])
        return
    report.show_table(("program", ""), [[n, p.summary] for n, p in soc.PROGRAMS.items()])


@app.command("run")
def run(
    program: Annotated[str, typer.Argument(metavar="PROGRAM", help="See `monpro soc list`.")],
    design: Annotated[
        str, typer.Option("--design", metavar="NAME", help='A design; "none": software alone.')
    ] = "small",
    bits: Annotated[int, typer.Option("--bits", metavar="N", min=32, max=4096)] = 512,
    scheme: Annotated[
        str, typer.Option("--scheme", metavar="S", help="Of the coprocessor, with modexp.")
    ] = "default",
    clock: Annotated[
        float, typer.Option("--clock", metavar="MHZ", help="Assumed, for times.")
    ] = 100.0,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Of keys and operands.")] = 1,
    json: o.Json = False,
) -> None:
    """Build a system and its firmware, simulate them, check every result.

    The processor is VexRiscv at the coprocessor's clock; cycles are those of its own counter, the
    driver's and the library's included.
    """
    from monpro import soc, soc_records
    from monpro.bench_designs import duration

    if program not in soc.PROGRAMS:
        known = ", ".join(soc.PROGRAMS)
        raise MonproError("MONPRO_ERR_ARGUMENT", f'no program "{program}"; there are: {known}')
    if scheme not in SCHEMES:
        raise MonproError(
            "MONPRO_ERR_SCHEME", f'no scheme "{scheme}"; there are: {", ".join(SCHEMES)}'
        )
    if clock <= 0:
        raise MonproError("MONPRO_ERR_ARGUMENT", "--clock is not above zero")
    chosen = None if design == "none" else designs.parse(design.removeprefix("sim:"))
    if chosen is not None and not chosen.min_bits <= bits <= chosen.max_bits:
        raise MonproError(
            "MONPRO_ERR_MODULUS_LONG" if bits > chosen.max_bits else "MONPRO_ERR_MODULUS_SHORT",
            f"{chosen.name} takes {chosen.min_bits} to {chosen.max_bits} bits",
        )
    tasks = soc.PROGRAMS[program].tasks(chosen, bits, scheme, random.Random(seed))  # noqa: S311
    runs = soc.parts(chosen, tasks)
    total = max(soc.expected_cycles(*part) for part in runs)
    longest_s = max(soc.seconds(*part) for part in runs)
    _say(
        f"{program}, {bits} bits: about {total / 1e6:.1f} million cycles to simulate, "
        f"{duration(longest_s)} on two processors"
    )
    image = soc.prepare(runs, peer=soc.PROGRAMS[program].peer)
    start_s = time.monotonic()
    outcomes = soc.run(runs, program=image, progress=_Progress(total))
    wall_s = time.monotonic() - start_s
    found = [soc_records.record(item, design, clock, seed, program) for item in outcomes]
    if json:
        records.show(found)
    else:
        _show(found, program, bits, clock, wall_s)
    if not all(outcome.ok for outcome in outcomes):
        raise typer.Exit(1)


def _show(
    found: list[records.Record], program: str, bits: int, clock_mhz: float, wall_s: float
) -> None:
    if program == "errors":
        rows = [[str(r["operation"]), str(r["status"]), str(r.get("message", ""))] for r in found]
        report.show_table(("", "status", ""), rows)
    else:
        report.show_table(
            HEADS,
            [_row(item, found) for item in found],
            numbers=HEADS[3:],
        )
    right = sum(bool(item["ok"]) for item in found)
    report.show_text(
        f"{right} of {len(found)} as they must be, {bits} bits; cycles by the processor's counter, "
        f"milliseconds at {clock_mhz:g} MHz, which is assumed. {wall_s:.0f} s of simulation."
    )


def _row(item: records.Record, found: list[records.Record]) -> list[str]:
    key = item.get("key_state")
    by = str(item["engine"]) if key is None else f"{item['design']}, {key}"
    if item.get("path") == "stream":
        by += ", DMA"
    if not item["ok"]:
        return [str(item["operation"]), by, str(item["status"]), *[""] * 4, "WRONG"]
    soft = next(
        (x for x in found if x["engine"] == "soft" and x["operation"] == item["operation"]), None
    )
    ratio, overhead = "", item.get("overhead")
    if soft is not None and soft is not item and soft.get("cycles_total"):
        ratio = report.significant(soft["cycles_total"] / item["cycles_total"])
    return [
        str(item["operation"]), by, str(item.get("scheme") or ""), str(item["cycles_total"]),
        str(item.get("cycles_device", "")),
        "" if overhead is None else f"{100 * overhead:.2f}",
        report.significant(item["time_ms"]), ratio,
    ]  # fmt: skip


def add_to(parent: typer.Typer) -> None:
    parent.add_typer(app, name="soc")
