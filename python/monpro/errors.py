# SPDX-License-Identifier: Apache-2.0
"""Errors by name. Every failure carries the name of a `monpro_status` of the C library."""

from __future__ import annotations

# What a user should tell apart from a wrong call: the operation ran, and its answer is "no".
CHECKS = frozenset({"MONPRO_ERR_SIGNATURE", "MONPRO_ERR_DECRYPT", "MONPRO_ERR_CHECK"})


class MonproError(Exception):
    """A failed call: `name` as in "MONPRO_ERR_BASE_RANGE", `message` says what was wrong."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(name, message)
        self.name = name
        self.message = message

    def __str__(self) -> str:
        return f"{self.name}: {self.message}"

    @property
    def failed_check(self) -> bool:
        """Whether the input was fine and the answer is no: a bad signature, a damaged message."""
        return self.name in CHECKS
