# SPDX-License-Identifier: Apache-2.0
"""Tables 3 to 10 with Monpro's figures beside the thesis's, from records alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from monpro.base import terminal
from monpro.papers.ledgard2023 import figures as ledgard2023_figures
from monpro.papers.ledgard2023 import power_table, words
from monpro.papers.ledgard2023.figures import DESIGNS, PAPER_MHZ, Thesis
from monpro.papers.ledgard2023.found import Found
from monpro.papers.table_kit import NONE, show_doubts, show_heading
from monpro.records import Record
from monpro.synth import area


def _us(cycles: float) -> str:
    """Microseconds at the thesis's clock."""
    return f"{cycles / PAPER_MHZ:.1f}"


def _simulated(found: Found, design: str, bits: int) -> str:
    some, every = found.runs(design, bits)
    return f"{some}/{every}" if some < every else "all"


def clock_rows(found: Found, thesis: Thesis) -> list[list[str]]:
    rows = []
    for name in DESIGNS:
        item = found.of(name, "clock")
        ours, device = NONE, f"not measured: monpro synth {name} --target ecp5-25"
        if "clock_mhz" in item:
            seeds = item["clock_seeds"]
            ours = f"{item['clock_mhz']:.1f}"
            device = f"{item['clock_device']}, placed and routed, {seeds} seed{'s'[: seeds > 1]}"
        rows.append([name, f"{thesis.clock_mhz[name]:g}*", ours, device])
    return rows


AREA = ["", "LUT\nthesis", "LUT\nMonpro", "FF\nthesis", "FF\nMonpro", "CARRY4", "DSP", "BRAM",
        "fit\nthesis", "fit\nMonpro"]  # fmt: skip


def area_rows(found: Found, thesis: Thesis) -> list[list[str]]:
    rows = []
    for name in DESIGNS:
        rows.append([name, *[""] * (len(AREA) - 1)])
        for bits in thesis.bits:
            lut, ff = thesis.figure("LUT", name, bits), thesis.figure("FF", name, bits)
            theirs = area.instances({"lut": lut, "ff": ff})
            item = found.of(name, "area", bits)
            keys = ("lut", "ff", "carry", "dsp", "bram", "instances")
            mine = [f"{item[key]:g}" if item else NONE for key in keys]
            rows.append(
                [f" {bits}", f"{lut:g}", mine[0], f"{ff:g}", mine[1], *mine[2:5], str(theirs),
                 mine[5]]
            )  # fmt: skip
    return rows


REPEATED = [
    "bits", "thesis\ncycles", "thesis\ns", "e = 0\ncycles", "e = 255\ncycles",
    "e = 65537\ncycles m", "all ones\ncycles m", "e of thesis's\ncycles", "simu-\nlated",
]  # fmt: skip


def repeated_rows(found: Found, thesis: Thesis) -> list[list[str]]:
    rows = []
    for place, bits in enumerate(thesis.bits):
        theirs = thesis.figure("cycles", "repeated", bits)
        small = {e: found.cycles("repeated", bits, "small", e) for e in (3, 255)}
        product = (small[255] - small[3]) / 252
        ones = found.of("repeated", "modexp", bits, exponent_kind="ones")
        power = ones["cycles_log10"] if "cycles_log10" in ones else words.log10(ones["cycles"])
        last = found.of("repeated", "modexp", bits, exponent_kind="small", exponent_value=255)
        rows.append(
            [str(bits), f"{theirs:.0f}", f"{thesis.repeated_s[place]:g}",
             f"{found.cycles('repeated', bits, 'zeros'):.0f}",
             f"{small[255]:.0f}{'' if last['simulated'] else ' m'}",
             f"{found.cycles('repeated', bits, 'usual', 65537):.0f}", f"10^{power:.1f}",
             str(max(1, round((theirs - small[3]) / product) + 3)),
             _simulated(found, "repeated", bits)]
        )  # fmt: skip
    return rows


LATENCY = [
    "bits", "zeros\nthesis", "zeros\nMonpro", "top bit\nMonpro", "ones\nthesis", "ones\nMonpro",
    "mean\nthesis", "mean\nMonpro", "secret\nMonpro", "simu-\nlated",
]  # fmt: skip


def latency_rows(found: Found, thesis: Thesis, design: str) -> list[list[str]]:
    """Microseconds at 10 MHz."""
    rows = []
    for bits in thesis.bits:
        kinds = ("zeros", "top_bit", "ones", "random", "secret_pair")
        zeros, top, ones, mean, pair = (_us(found.cycles(design, bits, kind)) for kind in kinds)
        least, most, middle = (
            f"{thesis.figure(f'latency_us_{name}', design, bits):g}"
            for name in ("min", "max", "avg")
        )
        rows.append([str(bits), least, zeros, top, most, ones, middle, mean, pair,
                     _simulated(found, design, bits)])  # fmt: skip
    return rows


RATES = ["", "cycles\nthesis", "cycles\nMonpro", "10 MHz\nthesis", "10 MHz\nMonpro",
         "at its Fmax\nthesis", "at its clock\nMonpro"]  # fmt: skip


def rate_rows(found: Found, thesis: Thesis) -> list[list[str]]:
    """kbit/s by formula (7)."""
    rows = []
    for name in DESIGNS:
        rows.append([name, *[""] * (len(RATES) - 1)])
        for bits in thesis.bits:
            if name == "repeated":
                item = found.of(name, "modexp", bits, exponent_kind="usual")
            else:
                item = found.of(name, "modexp", bits, exponent_kind="random")
            theirs = thesis.figure("throughput_bit_s", name, bits)
            mhz = item.get("clock_mhz")
            kbits = 1e3 * bits / item["cycles"]  # at 1 MHz
            rows.append(
                [f" {bits}", f"{thesis.figure('cycles', name, bits):.0f}", f"{item['cycles']:.1f}",
                 terminal.significant(theirs / 1e3), terminal.significant(kbits * PAPER_MHZ),
                 terminal.significant(theirs / 1e3 / PAPER_MHZ * thesis.clock_mhz[name]) + "*",
                 terminal.significant(kbits * mhz) if mhz else NONE]
            )  # fmt: skip
    return rows


BOUND = ["bits", "binary:\nthesis", "cycles\nMonpro", "binary:\nthesis", "m.-a.\nMonpro",
         "montg.:\nthesis", "cycles\nMonpro", "montg.:\nthesis", "m.-a.\nMonpro"]  # fmt: skip


def bound_rows(found: Found, thesis: Thesis) -> list[list[str]]:
    """At the exponent of all ones: cycles a multiplication; multiply-adds a LUT and cycle."""
    rows = []
    for bits in thesis.bits:
        cells = [str(bits)]
        for name in ("binary", "montgomery"):
            bound = words.Bound.of(found, thesis, name, bits)
            ours = bound.ours_per_lut
            cells += [f"{bound.theirs:.2f}", f"{bound.ours:.1f}", f"{bound.theirs_per_lut:.2f}",
                      NONE if ours is None else f"{ours:.2f}"]  # fmt: skip
        rows.append(cells)
    return rows


def show(
    all_records: Sequence[Record], out: Path, seed: int, elapsed_s: float, quick: bool
) -> None:
    """Every table, the bound and doubts under it, and who is ahead."""
    found, thesis = Found(all_records), ledgard2023_figures.load()
    show_heading("ledgard2023", thesis.source)
    terminal.show_text(words.INTRODUCTION)

    terminal.show_text("\nTable 3: maximum clock, MHz")
    rows = clock_rows(found, thesis)
    terminal.show_table(
        ["", "thesis", "Monpro", "Monpro's device"], rows, numbers=["thesis", "Monpro"]
    )
    show_doubts(thesis.doubts_of("maximum clock"))
    terminal.show_text(words.clock(found, thesis))

    terminal.show_text("\nTables 4 and 5: area on XC7A100T, and how many fit one")
    terminal.show_table(AREA, area_rows(found, thesis), numbers=AREA[1:])
    terminal.show_text(words.area(found, thesis))

    terminal.show_text("\nTable 6: repeated multiplication; e: Monpro's exponents")
    terminal.show_table(REPEATED, repeated_rows(found, thesis), numbers=REPEATED)
    show_doubts(thesis.doubts_of("repeated multiplication"))
    terminal.show_text(words.repeated(found, thesis))

    terminal.show_text(f"\n{words.COLUMNS}")
    for tables, name in (("7 and 8", "binary"), ("9 and 10", "montgomery")):
        terminal.show_text(
            f"\nTables {tables}: {name}, binary scheme (variable time), us at 10 MHz"
        )
        terminal.show_table(LATENCY, latency_rows(found, thesis, name), numbers=LATENCY)
        terminal.show_text(words.bound(found, thesis, name))
        show_doubts(thesis.doubts_of(f"{name} exp", f"{name.title()} exp"))
        terminal.show_text(words.latency(found, thesis, name))

    terminal.show_text("\nTables 6, 7 and 9: throughput by formula (7), kbit/s")
    terminal.show_table(RATES, rate_rows(found, thesis), numbers=RATES[1:])
    show_doubts(thesis.doubts_of("latency at"))
    terminal.show_text(words.throughput(found, thesis))

    terminal.show_text("\nThe bound, exponent of all ones: cycles a multiplication, multiply-adds "
                     "(m.-a.) a LUT and cycle")  # fmt: skip
    terminal.show_table(BOUND, bound_rows(found, thesis), numbers=BOUND)
    terminal.show_text(words.BOUND)
    power_table.show(all_records, thesis)
    for line in words.notes(found, thesis, quick=quick):
        terminal.show_text(f"\n{line}")
    checked = sum(item.get("simulated", 0) for item in all_records if item.get("ok") is not None)
    wrong = sum(item["ok"] is False for item in all_records)
    terminal.show_text(
        f"\n{checked} exponentiations simulated; {'all' if not wrong else 'NOT ALL'} right, values "
        f"by Python's pow and cycles by the formula. Seed {seed}, {elapsed_s:.0f} s in all. "
        f"Records: {out}"
    )
    for item in all_records:
        if "failure" in item:
            terminal.show_text(f"FAILED: {item['failure']}")
