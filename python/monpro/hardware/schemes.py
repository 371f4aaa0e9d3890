# SPDX-License-Identifier: Apache-2.0
"""The schemes of exponentiation, and what holds for each.

Generated from regs/monpro.rdl and regs/schemes.toml by regs/generate.py. Do not edit.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Literal, Self

# The names that the library and the command line take, in the order of monpro_scheme in monpro.h.
SchemeName = Literal[
    "default",
    "fixed_window",
    "binary",
    "right_to_left",
    "sliding_window",
    "ladder",
    "repeated",
]


@dataclass(frozen=True, slots=True)
class Facts:
    """What C, Python and RTL must know of a scheme."""

    library: int
    """The value of monpro_scheme in monpro.h."""
    label: str
    """The name in running text."""
    short: str
    """The name in the narrow columns of a table."""
    alias: str
    """The name in papers, or empty. The command line takes it too."""
    secret: bool
    """The scheme takes secret exponents. The cycles then depend on lengths only."""
    public_time: bool
    """The cycles depend on a public exponent."""
    window: bool
    """The scheme has a table whose size follows from a window."""
    odd_powers: bool
    """The table has the odd powers only: it is half as long."""
    crt: bool
    """The scheme can do both halves of an RSA private operation at once."""
    products: bool
    """The scheme can be done as single products."""
    max_exponent_bits: int
    """The longest exponent, where the scheme sets a limit of its own; else 0."""


class Scheme(IntEnum):
    """A scheme. Its value is its number in CONFIG.scheme and PARAM_FEATURES.schemes."""

    description: str
    facts: Facts

    def __new__(cls, value: int, description: str, facts: Facts) -> Self:
        member = int.__new__(cls, value)
        member._value_ = value
        member.description = description
        member.facts = facts
        return member

    FIXED_WINDOW = (
        0,
        "Left-to-right fixed window. Cycles depend on lengths only, whatever the exponent",
        Facts(
            library=1,
            label="fixed window",
            short="fixed",
            alias="",
            secret=True,
            public_time=False,
            window=True,
            odd_powers=False,
            crt=True,
            products=True,
            max_exponent_bits=0,
        ),
    )
    BINARY = (
        1,
        (
            "Left-to-right binary. With CONFIG.public the zero bits cost no multiplication, "
            "otherwise every bit costs one"
        ),
        Facts(
            library=2,
            label="binary",
            short="binary",
            alias="l2r",
            secret=True,
            public_time=True,
            window=False,
            odd_powers=False,
            crt=False,
            products=True,
            max_exponent_bits=0,
        ),
    )
    RIGHT_TO_LEFT = (
        2,
        (
            "Right-to-left binary. With CONFIG.public the zero bits cost no multiplication, "
            "otherwise every bit costs one"
        ),
        Facts(
            library=3,
            label="right to left",
            short="r. to l.",
            alias="r2l",
            secret=True,
            public_time=True,
            window=False,
            odd_powers=False,
            crt=False,
            products=True,
            max_exponent_bits=0,
        ),
    )
    SLIDING_WINDOW = (
        3,
        (
            "Left-to-right sliding window over odd powers. The time depends on the exponent: "
            "CONFIG.public only"
        ),
        Facts(
            library=4,
            label="sliding window",
            short="sliding",
            alias="slid",
            secret=False,
            public_time=True,
            window=True,
            odd_powers=True,
            crt=False,
            products=True,
            max_exponent_bits=0,
        ),
    )
    LADDER = (
        4,
        "Montgomery ladder: a product and a squaring for each bit. Cycles depend on lengths only",
        Facts(
            library=5,
            label="ladder",
            short="ladder",
            alias="",
            secret=True,
            public_time=False,
            window=False,
            odd_powers=False,
            crt=False,
            products=True,
            max_exponent_bits=0,
        ),
    )
    REPEATED = (
        5,
        "e - 1 multiplications by the base: CONFIG.public and exponents of 32 bits at most only",
        Facts(
            library=6,
            label="repeated",
            short="repeated",
            alias="",
            secret=False,
            public_time=True,
            window=False,
            odd_powers=False,
            crt=False,
            products=False,
            max_exponent_bits=32,
        ),
    )
