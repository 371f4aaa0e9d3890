# SPDX-License-Identifier: Apache-2.0
"""monpro_ram_ecp5 over the model of its primitive, with the tests of monpro_ram."""

from __future__ import annotations

from tb_ram import read_is_two_cycles_late  # noqa: F401  cocotb finds it here

TOP = "monpro_ram_ecp5"
PARAMETERS = ({"Width": 17, "Depth": 243}, {"Width": 36, "Depth": 300}, {"Width": 8, "Depth": 2100})
