# SPDX-License-Identifier: Apache-2.0
"""maxeler's tables 2 and 3 with Monpro's figures beside its own, from records alone."""

from __future__ import annotations

from monpro.base import terminal
from monpro.papers.maxeler import figures as maxeler_figures
from monpro.papers.maxeler.figures import Dataflow
from monpro.papers.maxeler.lanes import (
    LANES,
    LINEAR_FROM,
    TABLE_FORMS,
    Host,
    crossover,
    increments,
    pays_from_mhz,
)
from monpro.papers.table_kit import NONE, Found, show_doubts
from monpro.published.figures import doubts_of
from monpro.records import Record

FORMS = {
    "b": "constant, a restart for each",
    "c": "constants as streams",
    "d": "constants held on the kernel",
    "e": "carries on the kernel too",
    "f": "whole Montgomery product",
}
INTRODUCTION = (
    "Products of 1024-bit blocks, streamed through rtl/dataflow: lanes of four pipelined "
    "multiplier blocks, a product of two 32-bit digits in each cycle. Forms: a, a constant and "
    "its stream, and a restart for the next one; b, the same with many blocks; c, constants sent "
    "as redundant streams; d, the constant held and stepped on the kernel; e, carries resolved "
    "there, eight blocks taking turns; f, the whole Montgomery product there. From a to d the "
    "host resolves carries, in a thread of its own while the kernel runs on. a to e are step 1, "
    "beside the host's step 1; f is beside a whole product of the host's."
)
COST = ["", "cyc-\nles", "kernel\nus", "carries\nus", "prep.\nus", "saved\n%", "prep.\n%",
        "best\n%", "pays\nMHz"]  # fmt: skip


def _batch(found: Found, form: str, lanes: int, blocks: int) -> Record:
    return found.one("batch", form=form, lanes=lanes, blocks=blocks)


def _sizes(dataflow: Dataflow) -> list[int]:
    return [row.blocks for row in dataflow.rows]


def _lanes(found: Found) -> list[int]:
    """The numbers of lanes that were simulated."""
    return list(dict.fromkeys(item["lanes"] for item in found.every("batch")))


def _with(lanes: int) -> str:
    return f"{lanes} lane{'s'[: lanes > 1]}"


def _mark(item: Record) -> str:
    return " e" if item["obtained"] == "estimated" else ""


def _seconds(ms: float) -> str:
    return terminal.significant(ms / 1e3)


def _percent(value: float) -> str:
    return f"{value:.0f}"


# ---- table 2


def blocks_heads(dataflow: Dataflow) -> list[str]:
    heads = [""]
    for number, row in enumerate(dataflow.rows):
        heads += [f"{row.blocks}\ns", "\n%" + " " * number]  # every head is another
    return heads


def blocks_rows(found: Found, dataflow: Dataflow) -> list[list[str]]:
    """Times and what is saved, by one lane: the paper's, the host's, each form."""
    theirs = dataflow.rows
    rows = [
        ["paper CPU", *(cell for row in theirs for cell in (f"{row.cpu_s:g}", ""))],
        ["paper DFE", *(c for row in theirs for c in (f"{row.dfe_s:g}", f"{row.speedup_percent}"))],
    ]
    for name, key, form in (
        ("host SOS", "time_host_ms", "c"),
        (" whole", "time_host_ms", "f"),
        ("host best", "time_library_ms", "c"),
        (" whole", "time_library_ms", "f"),
    ):
        items = [_batch(found, form, 1, blocks) for blocks in _sizes(dataflow)]
        rows.append([name, *(cell for i in items for cell in (f"{_seconds(i[key])} m", ""))])
    for form in TABLE_FORMS:
        items = [_batch(found, form, 1, blocks) for blocks in _sizes(dataflow)]
        cells = [
            cell
            for i in items
            for cell in (f"{_seconds(i['time_ms'])}{_mark(i)}", _percent(i["saved_percent"]))
        ]
        rows.append([f"form {form}", *cells])
    return rows


def cost_rows(found: Found, dataflow: Dataflow, lanes: int) -> list[list[str]]:
    """What a block of many costs, form by form."""
    most, of = max(_sizes(dataflow)), Host.of(found.all)
    rows = []
    for form in TABLE_FORMS:
        item = _batch(found, form, lanes, most)
        each = item["blocks"] / 1e3
        pays = pays_from_mhz(of, form, lanes)
        rows.append(
            [
                f"{form}, {lanes}",
                f"{item['cycles_each']:g}",
                terminal.significant(item["time_kernel_ms"] / each),
                terminal.significant(item["time_carries_ms"] / each),
                terminal.significant((item["time_prepared_ms"] - item["time_ms"]) / each),
                _percent(item["saved_percent"]),
                _percent(item["saved_prepared_percent"]),
                _percent(item["saved_of_library_percent"]),
                NONE if pays is None else f"{pays:.0f}",
            ]
        )
    return rows


# ---- table 3


def lanes_rows(found: Found, dataflow: Dataflow) -> list[list[str]]:
    """What is saved by form c with each number of lanes; the paper's between."""
    theirs = {row.lanes: row.speedup_percent for row in dataflow.lanes}
    theirs[1] = tuple(row.speedup_percent for row in dataflow.rows)
    rows = []
    for lanes in LANES:
        if lanes in theirs:
            rows.append([f"paper, {lanes}", *(f"{percent}" for percent in theirs[lanes])])
        items = [_batch(found, "c", lanes, blocks) for blocks in _sizes(dataflow)]
        rows.append([f"ours, {lanes}", *(_percent(item["saved_percent"]) for item in items)])
    return rows


def forms_rows(found: Found, dataflow: Dataflow) -> list[list[str]]:
    """What is saved by each form with each number of lanes, preparation not counted and counted."""
    most = max(_sizes(dataflow))
    rows = []
    for form in TABLE_FORMS:
        cells = []
        for lanes in LANES:
            item = _batch(found, form, lanes, most)
            cells += [_percent(item["saved_percent"]), _percent(item["saved_prepared_percent"])]
        rows.append([form, *cells])
    return rows


# ---- words


def linear_words(found: Found) -> str:
    """Says that the cost is linear where it is no longer simulated."""
    each = {
        (form, lanes): set(increments(found.all, form, lanes))
        for form in TABLE_FORMS
        for lanes in _lanes(found)
    }
    simulated = found.every("stream")
    most = max(item["blocks"] // item["lanes"] for item in simulated)
    if all(len(steps) == 1 for steps in each.values()):
        text = (
            f"From {LINEAR_FROM} blocks a lane on a block more costs the same cycles again and "
            f"again, up to {most} simulated: "
        )
        text += "; ".join(f"{form} {max(each[form, 1]):g}" for form in TABLE_FORMS)
        text += " with one lane"
        text += ", and less by as much as there are lanes. " if len(_lanes(found)) > 1 else ". "
    else:
        uneven = sorted(f"{form} with {lanes}" for (form, lanes), s in each.items() if len(s) > 1)
        text = f"NOT LINEAR where simulated: {', '.join(uneven)}. "
    return text + (
        "Every one of those batches is right digit by digit and takes the cycles of the model's "
        "formula; times marked e are by that formula."
    )


def crossover_words(found: Found, dataflow: Dataflow) -> str:
    """How many blocks it takes until the kernel pays, and who is ahead."""
    of, most, all_lanes = Host.of(found.all), max(_sizes(dataflow)), _lanes(found)
    pays, never = [], []
    for form in TABLE_FORMS:
        for lanes in all_lanes:
            mhz = _batch(found, form, lanes, most)["clock_mhz"]
            first = crossover(of, form, lanes, mhz, most, prepared=False)
            if first is None:
                never.append(f"{form} with {lanes}")
            else:
                counted = crossover(of, form, lanes, mhz, most, prepared=True)
                also = f"{counted}" if counted else "never"
                pays.append(
                    f"{form} with {_with(lanes)} from {first} (preparation counted: {also})"
                )
    text = "From how many blocks on the kernel saves time: "
    text += "; ".join(pays) if pays else "by no form, however many"
    if pays and never:
        text += f"; all others never do ({len(never)} of {len(pays) + len(never)})"
    item = _batch(found, "c", 1, most)
    best = max(
        (_batch(found, form, lanes, most) for form in TABLE_FORMS for lanes in all_lanes),
        key=lambda i: i["saved_of_library_percent"],
    )
    times = best["time_ms"] / best["time_library_ms"]
    theirs_us = 1e6 * dataflow.rows[-1].cpu_s / dataflow.rows[-1].blocks
    ours_us = item["time_host_ms"] / item["blocks"] * 1e3
    text += (
        f". Who is ahead: the paper's host takes {theirs_us:.1f} us for a block, ours "
        f"{ours_us:.2f} us by the same SOS: a kernel that has to be faster than that needs more "
        "lanes or more clock, and pays early or never, since what a run begins and ends with is "
        "some dozens of cycles here, and no call of an operating system. Form c leaves the host "
        f"{item['time_carries_ms'] / item['time_host_ms'] * 100:.0f} % of its own work as "
        "carries, so more lanes than the carries can follow save nothing more, and its streams "
        "take time to prepare; d saves the preparation, e the carries as well. Against the "
        f"library's own 64-bit product the best, {best['form']} with {_with(best['lanes'])}, takes "
        f"{times:.2f} times as long"
    )
    return text + (": software is ahead." if times >= 1 else ": the kernel is ahead.")


def single_words(found: Found, dataflow: Dataflow) -> str:
    """The paper's experiment with one product."""
    item = found.one("stream", form="a")
    clock = found.every("batch", lanes=1)[0]["clock_mhz"]
    scalar_us = Host.of(found.all).own["scalar"]
    each = item["cycles"] // item["runs"]
    return (
        f"Of its text: one product of 1024 bits, a restart for each constant. Paper: host "
        f"{dataflow.single_product.cpu_ns:g} ns*, kernel {dataflow.single_product.dfe_ms:g} ms. "
        f"Ours, form a with one lane: {item['runs']} runs of {each} cycles, {item['cycles']} "
        f"cycles simulated, {item['cycles'] / clock:.1f} us at {clock:.4g} MHz; host "
        f"{scalar_us:.2f} us. Of a run's cycles 32 are products and {each - 32} pipeline; the "
        "paper's 1.3 ms a run are its platform's."
    )


def clock_words(found: Found) -> str:
    """Whose clocks, by lanes."""
    words = []
    for lanes in _lanes(found):
        item = found.every("batch", lanes=lanes)[0]
        text = f"{item['clock_mhz']:.4g} MHz {item['clock_obtained']}"
        if item["clock_obtained"] == "placed":
            text += f" on {item['clock_device']}, seeds: {item['clock_seeds']}"
        elif "clock_device" in item:
            text += ", as that of one lane"
        words.append(f"{_with(lanes)} {text}")
    return f"Clock of the kernel: {'; '.join(words)}. `monpro synth` places it."


def _show_blocks(found: Found, dataflow: Dataflow) -> None:
    terminal.show_text("\nTable 2: many blocks by one lane; s, and time saved, %")
    heads = blocks_heads(dataflow)
    terminal.show_table(heads, blocks_rows(found, dataflow), numbers=heads[1:])
    terminal.show_text(
        "Saved: of the host's SOS with 32-bit digits, preparation of the streams not counted, as "
        "in the paper; f of a whole SOS. Best: the library's own product of 64-bit limbs. m: "
        "measured over 64 blocks again and again, and scaled by blocks; e: estimated, cycles by "
        "formula. The kernel's streams are assumed to keep up with it: 8 bytes a lane and cycle "
        "in and out."
    )
    terminal.show_text(linear_words(found))
    terminal.show_text("\nWhat a block costs where there are many; form and lanes")
    terminal.show_table(
        COST,
        [
            row
            for lanes in sorted({1, _lanes(found)[-1]})
            for row in cost_rows(found, dataflow, lanes)
        ],
        numbers=COST[1:],
    )
    terminal.show_text(
        "The time is the kernel's or the carries', whichever is longer, as they go on at once. "
        "prep. %: saved with the preparation of the streams before it; best %: saved of the "
        "library's own product, not counting it; pays MHz: the clock from which it saves time "
        f"({NONE}: the carries alone take longer than the host)."
    )
    terminal.show_text(single_words(found, dataflow))
    show_doubts(doubts_of(dataflow.doubts, "24 ns"))


def _show_lanes(found: Found, dataflow: Dataflow) -> None:
    terminal.show_text("\nTable 3: time saved by form c, %; whose, and lanes")
    heads = ["", *(f"{blocks}" for blocks in _sizes(dataflow))]
    terminal.show_table(heads, lanes_rows(found, dataflow), numbers=heads[1:])
    terminal.show_text(
        f"\nTime saved by each form, {max(_sizes(dataflow))} blocks, %; prep.: preparation counted"
    )
    heads = ["form"]
    for lanes in LANES:
        heads += [f"{lanes}", f"{lanes}\nprep."]
    terminal.show_table(heads, forms_rows(found, dataflow), numbers=heads[1:])
    terminal.show_text("The host's parts are measured with one lane, and count the same with more.")


def show(found: Found) -> None:
    """The tables that there are records of."""
    if not found.every("batch"):
        return
    dataflow = maxeler_figures.load()
    terminal.show_text(f"\n{INTRODUCTION}")
    terminal.show_text(clock_words(found))
    if found.every("stream", form="a"):
        _show_blocks(found, dataflow)
    if len(_lanes(found)) > 1:
        _show_lanes(found, dataflow)
    terminal.show_text(crossover_words(found, dataflow))
