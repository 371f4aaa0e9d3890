"""The records of one run of the thesis's tables, by what they are of."""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from collections.abc import Sequence

from monpro.records import Record


class Found:
    """The records of one run."""

    def __init__(self, found: Sequence[Record]) -> None:
        self.all = found

    def one(self, design: str, operation: str, bits: int | None = None, **more: object) -> Record:
        """The one record, or an empty one."""
        for item in self.all:
            if (item["design"], item["operation"], item["bits"]) == (design, operation, bits) and (
                all(item.get(key) == value for key, value in more.items())
            ):
                return item
        return {}

    def cycles(self, design: str, bits: int, kind: str, value: int | None = None) -> float:
        item = self.one(design, "modexp", bits, exponent_kind=kind, exponent_value=value)
        return float(item["cycles"])

    def runs(self, design: str, bits: int) -> tuple[int, int]:
        """Exponentiations simulated, and all of them."""
        group = [
            item
            for item in self.all
            if (item["design"], item["operation"], item["bits"]) == (design, "modexp", bits)
        ]
        return sum(i["simulated"] for i in group), sum(i["samples"] for i in group)
