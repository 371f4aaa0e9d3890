# SPDX-License-Identifier: Apache-2.0
"""The records of one run, by design, operation and length."""

from __future__ import annotations

from monpro.papers import table_kit
from monpro.records import Record


class Found(table_kit.Found):
    """Like Found of table_kit, with the cycles and the samples of exponentiations."""

    def of(self, design: str, operation: str, bits: int | None = None, **more: object) -> Record:
        """The one record, or an empty one."""
        return self.first(operation, design=design, bits=bits, **more)

    def cycles(self, design: str, bits: int, kind: str, value: int | None = None) -> float:
        item = self.of(design, "modexp", bits, exponent_kind=kind, exponent_value=value)
        return float(item["cycles"])

    def runs(self, design: str, bits: int) -> tuple[int, int]:
        """Exponentiations simulated, and all of them."""
        group = self.every("modexp", design=design, bits=bits)
        return sum(item["simulated"] for item in group), sum(item["samples"] for item in group)
