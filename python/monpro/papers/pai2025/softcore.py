# SPDX-License-Identifier: Apache-2.0
"""The paper's comparison on one softcore: RSA with the design pynq, and by software."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from monpro.base import terminal
from monpro.papers import softcore
from monpro.papers.pai2025.figures import Tables
from monpro.papers.softcore import Run, cycles_by_software, ratio
from monpro.records import Record

BITS = (1024, 2048)
HEAD = ["", "M\ncycles", "ms", "ops/s", "fixed\ncost", "ratio", "paper's\nratio"]
OPERATIONS = {
    "public": ("encrypt", "encrypt"),
    "private, CRT": ("decrypt, CRT", "decrypt"),
    "private": ("decrypt, no CRT", "decrypt"),
}


def runs() -> list[Run]:
    """With one multiplier and two: encryption with a cold and a warm key; signatures with CRT and
    without."""
    found = []
    for bits in BITS:
        found += softcore.runs("rsa", "pynq", bits)
        found += softcore.runs("rsa", "pynq,elements=2", bits, hardware=True)
    return found


def measure(seed: int) -> list[Record]:
    return softcore.measure(runs(), seed)


def rows(found: Sequence[Record], paper: Tables, bits: int) -> list[list[str]]:
    """One table's: each operation by software and by the coprocessor, key cold and warm."""
    result = []
    for item in (item for item in found if item["bits"] == bits):
        title, published = OPERATIONS[item["operation"]]
        soft, _ = cycles_by_software(found, item)
        theirs = paper.row(bits, published, "hardware").speedup
        device = item["engine"] == "device"
        by = f"{item['design']}, {item.get('key_state', 'cold')}" if device else "software"
        fixed = item["cycles_total"] - item["cycles_device"] if "cycles_device" in item else None
        result.append(
            [f"{title}: {by}", terminal.significant(item["cycles_total"] / 1e6, 4),
             terminal.significant(item["time_ms"]), terminal.significant(1e3 / item["time_ms"]),
             "" if fixed is None else str(fixed), ratio(soft, item) if device else "",
             f"{theirs:g}" if device and theirs else ""]
        )  # fmt: skip
    return result


def words(found: Sequence[Record], paper: Tables, bits: int) -> str:
    """Who is ahead, by the ratio of software to hardware on one processor."""
    said = []
    for operation, (title, published) in OPERATIONS.items():
        ours = [
            (soft / item["cycles_total"], item["design"])
            for item in found
            if item["bits"] == bits and item["operation"] == operation
            and item["engine"] == "device"
            and (soft := cycles_by_software(found, item)[0]) is not None
        ]  # fmt: skip
        theirs = paper.row(bits, published, "hardware").speedup
        if ours and theirs:
            best, design = max(ours)
            who = "Monpro" if best > theirs else "the paper"
            said.append(f"{title} {best:.3g} ({design}) to the paper's {theirs:g}, {who} is ahead")
    return f"Ratio of software to hardware on one processor: {'; '.join(said)}." if said else ""


def show(found: Sequence[Record], paper: Tables, numbers: Mapping[int, str]) -> None:
    """numbers: of the paper's tables, by length."""
    if not found:
        terminal.show_text(softcore.NOT_HERE)
        return
    for bits, number in numbers.items():
        terminal.show_text(f"\nTable {number} on one softcore: RSA-{bits}, VexRiscv and pynq")
        terminal.show_table(HEAD, rows(found, paper, bits), numbers=HEAD[1:])
        terminal.show_text(words(found, paper, bits))
    terminal.show_text(
        "Both on one simulated VexRiscv, at one clock; ms and ops/s at "
        f"{softcore.ASSUMED_MHZ:g} MHz, assumed. Fixed cost: cycles of a call in which the "
        "multiplier does not work. A private result is checked with e inside the figure, and not "
        "blinded: there is no randomness in this system. What the paper compares are an ARM at 650 "
        "MHz and logic at a clock that it does not state; its software has no stated source. "
        "Encryption is short: with a cold key its constants, which the processor computes, decide."
    )
