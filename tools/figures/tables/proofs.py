"""The table of docs/proofs.md."""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from figures.store import Store
from figures.tables.kit import markdown, table


@table
def proofs(store: Store) -> str:
    rows = [
        [
            item["name"],
            item["statement"],
            item["scope"],
            item["tool"],
            "proved" if item["proved"] else "not proved",
            f"{item['breaks'] - item['not_noticed']} of {item['breaks']}",
            f"{item['seconds']:.1f}",
        ]
        for item in store.all("measured/proofs")
    ]
    heads = ["theorem", "statement", "scope", "by", "result", "breaks noticed", "seconds"]
    return markdown(heads, rows)
