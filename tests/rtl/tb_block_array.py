"""monpro_mul_array over the vendors' blocks, with its own tests."""

from __future__ import annotations

from tb_mul_array import *  # noqa: F403

TOP = "monpro_mul_array"
PARAMETERS = {
    target: {"Target": f'"{target}"', "WordBits": 17, "Elements": 2, "MaxWords": 9}
    for target in ("ecp5", "xilinx7")
} | {
    "xilinx7-narrow": {
        "Target": '"xilinx7"', "WordBits": 24, "DigitBits": 17, "Elements": 2, "MaxWords": 9,
    },
}  # fmt: skip
