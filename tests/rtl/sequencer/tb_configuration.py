# SPDX-License-Identifier: Apache-2.0
"""monpro_configuration: every scheme, flag and window at every edge, against the rules in words."""

from __future__ import annotations

import itertools
import random
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents
from monpro.hardware.models.montgomery import modulus_words
from monpro.hardware.regs import Error, Scheme

TOP = "monpro_configuration"
PARAMETERS = {
    "one_bank": {
        "WordBits": 17, "Delay": 0, "MinBits": 128, "MaxBits": 512, "TableWords": 512,
        "TableBanks": 1, "Schemes": 63, "Crt": 0, "IndexBits": 5,
    },
    "crt": {
        "WordBits": 8, "Delay": 1, "MinBits": 32, "MaxBits": 256, "TableWords": 1024,
        "TableBanks": 4, "Schemes": 63, "Crt": 1, "IndexBits": 6,
    },
    "some_schemes": {
        "WordBits": 8, "Delay": 0, "MinBits": 32, "MaxBits": 64, "TableWords": 64,
        "TableBanks": 2, "Schemes": 0b010101, "Crt": 0, "IndexBits": 4,
    },
    "other_schemes": {
        "WordBits": 8, "Delay": 1, "MinBits": 32, "MaxBits": 64, "TableWords": 128,
        "TableBanks": 1, "Schemes": 0b101010, "Crt": 1, "IndexBits": 5,
    },
}  # fmt: skip
MOST_REPEATED_BITS = 32
LONGEST_WINDOW = 6
# Clock edges after a change before the one that makes all known.
KNOWN_CYCLES = 3


def table_window(scheme: int, window: int) -> int | None:
    """Bits of the entries' numbers; None where a scheme has no window and its table two entries."""
    if scheme == Scheme.FIXED_WINDOW:
        return window
    if scheme == Scheme.SLIDING_WINDOW:
        return window - 1
    return None


def lengths_allowed(p: dict[str, int], crt: bool) -> range:
    """Words of a modulus; with CRT of each of two, which together are as long as one."""
    most = p["MaxBits"] // 2 if crt else p["MaxBits"]
    return range(modulus_words(p["MinBits"], p["WordBits"]), modulus_words(most, p["WordBits"]) + 1)


def expected(
    p: dict[str, int], length: int, bits: int, scheme: int, window: int, public: bool, crt: bool,
    loaded: bool,
) -> Error:  # fmt: skip
    """The first of the errors that the register map's order names."""
    pair = crt and bool(p["Crt"])
    if length not in lengths_allowed(p, pair):
        return Error.LENGTH
    if scheme not in list(Scheme) or not p["Schemes"] >> scheme & 1:
        return Error.SCHEME
    if scheme in (Scheme.SLIDING_WINDOW, Scheme.REPEATED) and not public:
        return Error.SCHEME
    if crt and not (pair and scheme == Scheme.FIXED_WINDOW and not public):
        return Error.SCHEME
    bits_of_entries = table_window(scheme, window)
    if bits_of_entries is not None and not 1 <= window <= LONGEST_WINDOW:
        return Error.WINDOW
    no_table = scheme == Scheme.REPEATED or (scheme == Scheme.BINARY and public)
    if not no_table:
        entries = 1 << (1 if bits_of_entries is None else bits_of_entries)
        entries = max(entries, 2 * p["TableBanks"])
        if (length + 1 + p["Delay"]) * entries * (2 if pair else 1) > p["TableWords"]:
            return Error.WINDOW
    most = p["MaxBits"] // 2 if pair else p["MaxBits"]
    if scheme == Scheme.REPEATED:
        most = min(most, MOST_REPEATED_BITS)
    if not 1 <= bits <= most:
        return Error.EXPONENT_LENGTH
    return Error.NONE if loaded else Error.OPERAND_MISSING


async def check(dut: Any, p: dict[str, int], *given: int) -> Error:
    """Gives the error, which must be the right one, with what loaded_i is in each cycle."""
    names = ("length", "bits", "scheme", "window", "public", "crt", "loaded")
    agents.drive(dut, **{f"{name}_i": v for name, v in zip(names, given, strict=True)})
    await agents.cycles(dut, KNOWN_CYCLES)
    length, bits, scheme, window, public, crt, loaded = given
    text = ", ".join(f"{name} {v}" for name, v in zip(names, given, strict=True))
    error = Error.NONE
    for now in (not loaded, bool(loaded)):
        agents.drive(dut, loaded_i=now)
        await RisingEdge(dut.clk_i)
        error = expected(p, length, bits, scheme, window, bool(public), bool(crt), now)
        assert int(dut.error_o.value) == error, f"{text}, {now}"
    in_range = length in lengths_allowed(p, bool(crt and p["Crt"]))
    assert int(dut.length_ok_o.value) == in_range, text
    entries = table_window(scheme, window)
    if error == Error.NONE and scheme != Scheme.REPEATED:
        assert int(dut.window_o.value) == (1 if entries is None else entries), text
    return error


def edges(p: dict[str, int]) -> tuple[list[int], list[int]]:
    """Lengths and exponents' lengths on both sides of every limit."""
    low = modulus_words(p["MinBits"], p["WordBits"])
    half, high = (modulus_words(p["MaxBits"] >> n, p["WordBits"]) for n in (1, 0))
    lengths = {0, 1, 4095, 2048 + low, 256 + low} | {
        n + d for n in (low, half, high) for d in (-1, 0, 1)
    }
    # where a table of so many words is just full
    lengths |= {
        (p["TableWords"] >> n) - 1 - p["Delay"] + d for n in range(10) for d in (0, 1)
    }  # fmt: skip
    bits = {0, 1, 65535, 32768, 31, 32, 33}
    bits |= {(p["MaxBits"] >> n) + d for n in (1, 0) for d in (-1, 0, 1)}
    return sorted(n for n in lengths if 0 <= n < 4096), sorted(bits)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def every_rule(dut: Any) -> None:
    """Every scheme, window, public, crt and loaded at every edge of a length."""
    p = agents.parameters()
    agents.start_clock(dut)
    lengths, bits = edges(p)
    low = modulus_words(p["MinBits"], p["WordBits"])
    flags = list(itertools.product(range(8), range(8), (0, 1), (0, 1), (0, 1)))
    seen = set()
    for scheme, window, public, crt, loaded in flags:
        for length in lengths if loaded else [low]:
            seen.add(await check(dut, p, length, 1, scheme, window, public, crt, loaded))
        if window in (1, 7):
            for some in bits:
                seen.add(await check(dut, p, low, some, scheme, window, public, crt, loaded))
    assert seen == {
        Error.NONE, Error.LENGTH, Error.SCHEME, Error.WINDOW, Error.EXPONENT_LENGTH,
        Error.OPERAND_MISSING,
    }  # fmt: skip


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def several_at_once(dut: Any) -> None:
    """Which of two errors is told."""
    p = agents.parameters()
    agents.start_clock(dut)
    lengths, bits = edges(p)
    for _ in range(5000):
        await check(
            dut, p, random.choice(lengths), random.choice(bits), random.randrange(8),
            random.randrange(8), *(random.getrandbits(1) for _ in range(3)),
        )  # fmt: skip


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def tables_that_fit_or_not(dut: Any) -> None:
    """From one table to another of any size: the longest way, from the window to its error."""
    p = agents.parameters()
    agents.start_clock(dut)
    flags = itertools.product(range(8), range(8), (0, 1), (0, 1))
    found = [
        (length, 1, scheme, window, public, crt, 1)
        for scheme, window, public, crt in flags
        for length in lengths_allowed(p, bool(crt and p["Crt"]))
        if expected(p, length, 1, scheme, window, bool(public), bool(crt), True)
        in (Error.NONE, Error.WINDOW)
    ]
    seen = {await check(dut, p, *random.choice(found)) for _ in range(2000)}
    assert seen == {Error.NONE, Error.WINDOW}
