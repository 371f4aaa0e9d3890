# SPDX-License-Identifier: Apache-2.0
"""The model of a design, whichever core it has."""

from __future__ import annotations

from monpro.hardware.models.coprocessor import Coprocessor
from monpro.hardware.models.product import ProductCoprocessor
from monpro.hardware.models.serial import SerialCoprocessor

# Two of them each in rtl/serial/monpro_serial_core.sv: built of LUTs, without a table.
SERIAL_MULTIPLIERS = ("radix2", "interleaved")


def coprocessor(
    *, multiplier: str, crt: bool, word_bits: int, elements: int, min_bits: int, max_bits: int,
    table_words: int, table_banks: int, entries: int, digit_bits: int = 0,
) -> Coprocessor | SerialCoprocessor | ProductCoprocessor:  # fmt: skip
    """The model for the parameters of a design."""
    if multiplier in SERIAL_MULTIPLIERS:
        return SerialCoprocessor(min_bits, max_bits, multiplier)
    if entries:
        return ProductCoprocessor(word_bits, elements, min_bits, max_bits, entries, multiplier)
    return Coprocessor(
        word_bits, elements, min_bits, max_bits, table_words, table_banks, multiplier, crt,
        digit_bits,
    )  # fmt: skip
