"""The table of docs/designs/assist.md: cycles of a softcore with and without the instruction."""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from figures.store import Store
from figures.tables.kit import markdown, table
from monpro.base.terminal import significant

RECORDS = "systems/assist"
LINES = {
    "multiplication by one, 128 bits": ("by_one",),
    "Montgomery product, 128 bits": ("product",),
    "encryption and decryption": ("encrypt", "decrypt"),
}


def _cycles(store: Store, operations: tuple[str, ...], form: str) -> float:
    """Cycles of the operations together: the mean over the texts."""
    found = (store.one(RECORDS, operation=name, form=form) for name in operations)
    return sum(float(item["cycles"]) for item in found)


@table
def assist_cycles(store: Store) -> str:
    without, drawn = (
        item["cycles"] / item["turns"]
        for form in ("branch", "word")
        for item in store.all(RECORDS, operation="body", form=form)
    )
    times = f"{significant(without / drawn, 2)} times"
    rows = [
        ["body of the loop, 32 bits, a turn", f"{without:.2f}", "", ""],
        ["the same with the instruction as drawn", f"{drawn:.2f} ({times})", "", ""],
    ]
    for line, operations in LINES.items():
        software = _cycles(store, operations, "software")
        cells = [line, f"{software:.0f}"]
        for form in ("limbs", "held"):
            cycles = _cycles(store, operations, form)
            cells.append(f"{cycles:.0f} ({significant(software / cycles, 2)} times)")
        rows.append(cells)
    return markdown(["", "without", "words, chained", "128 bits inside"], rows)
