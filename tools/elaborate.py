#!/usr/bin/env python3
"""Elaborates SystemVerilog with slang in its default strictness, and shows what is an error.

    python tools/elaborate.py --top TOP [-G NAME=VALUE ...] FILE...

The arguments are those of slang's own program. Verilator and Yosys accept code that IEEE 1800
forbids, for example a variable that both an `initial` and an `always_ff` write; slang does not.
Exit status: 0 no error, 1 errors.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from pyslang.driver import Driver


def quoted(argument: str) -> str:
    """An argument as slang's command line splits it again."""
    return '"' + argument.replace("\\", "\\\\").replace('"', '\\"') + '"'


def main(arguments: Sequence[str]) -> int:
    driver = Driver()
    driver.addStandardArgs()
    ready = driver.parseCommandLine(" ".join(map(quoted, ["slang", *arguments])))
    done = ready and driver.processOptions() and driver.parseAllSources()
    return 0 if done and driver.runFullCompilation(quiet=True) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
