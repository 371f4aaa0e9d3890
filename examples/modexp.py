# SPDX-License-Identifier: Apache-2.0
"""Modular exponentiation through an engine, and what it cost.

python examples/modexp.py [ENGINE]
"""

import sys

import monpro

modulus = (1 << 1024) - 105
with monpro.Engine(sys.argv[1] if len(sys.argv) > 1 else "sim:small") as engine:
    result = engine.modexp(3, modulus - 2, modulus)
    print(f"right: {result * 3 % modulus == 1}, clock cycles: {engine.counters().cycles}")
