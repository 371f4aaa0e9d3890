# SPDX-License-Identifier: Apache-2.0
"""monpro_mul_array over the vendors' blocks, with its own tests."""

from __future__ import annotations

from tb_mul_array import *  # noqa: F403

TOP = "monpro_mul_array"
_COMMON = {"Elements": 2, "MaxWords": 9}
PARAMETERS = {
    target: {"Target": f'"{target}"', "WordBits": 17, **_COMMON}
    for target in ("ecp5", "xilinx7")
} | {
    "xilinx7-narrow": {"Target": '"xilinx7"', "WordBits": 24, "DigitBits": 17, **_COMMON}
}  # fmt: skip
