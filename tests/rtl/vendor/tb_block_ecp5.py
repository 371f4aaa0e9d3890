# SPDX-License-Identifier: Apache-2.0
"""monpro_block_ecp5 over the model of its primitive, with the tests of monpro_block."""

from __future__ import annotations

from tb_block import one_product_a_cycle  # noqa: F401  cocotb finds it here

TOP = "monpro_block_ecp5"
PARAMETERS = ({"WordBits": 18}, {"WordBits": 8})
