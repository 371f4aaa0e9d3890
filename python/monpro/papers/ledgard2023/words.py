# SPDX-License-Identifier: Apache-2.0
"""What the thesis's tables mean in words: the bound, who is ahead and why."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from monpro.base import terminal
from monpro.hardware.models.serial import interleaved_cycles, radix2_cycles
from monpro.papers.ledgard2023.figures import Thesis
from monpro.papers.ledgard2023.found import Found

PER_LUT = 2  # one-bit multiply-adds that a LUT with its carry makes in a cycle, at the very most
DSP_BLOCKS, DSP_PRODUCT = 240, 24 * 17  # of the whole device; unsigned

INTRODUCTION = (
    "thesis: published; Monpro: the designs repeated, binary and montgomery, of the same "
    "algorithms with bit-serial multipliers. Monpro's power and energy are estimated."
)
COLUMNS = (
    "Columns of the next two tables: zeros, exponent 0, of which Monpro leaves out the leading "
    "zeros and has next to nothing to do; top bit: 2^(n-1), every squaring that the thesis's walk "
    "through a key of zeros has, the fairer minimum; ones: 2^n-1; mean: 40 random exponents of n "
    "bits. For secret exponents the binary scheme takes as long as for all ones, whatever the "
    "exponent; secret: constant time too, right to left, which keeps both multipliers at work."
)
BOUND = (
    "A multiplication modulo N of n bits is n^2 one-bit multiply-adds for the product and as many "
    "for the reduction; a LUT with its carry does one in a cycle, two at the very most. What "
    "stands above 2 is not done by these LUTs."
)


def log10(number: int) -> float:
    """The logarithm of a number of any size."""
    shift = max(0, number.bit_length() - 64)
    return math.log10(number >> shift) + shift * math.log10(2)


@dataclass(frozen=True, slots=True)
class Bound:
    """Exponent of all ones: 2 (n - 1) multiplications at least, of 2 n^2 multiply-adds each."""

    bits: int
    theirs: float  # cycles a multiplication
    ours: float
    theirs_per_lut: float  # multiply-adds a LUT and cycle
    ours_per_lut: float | None

    @classmethod
    def of(cls, found: Found, thesis: Thesis, design: str, bits: int) -> Bound:
        products = 2 * (bits - 1)
        theirs = 10 * thesis.figure("latency_us_max", design, bits) / products
        ours = found.cycles(design, bits, "ones") / products
        work, area = 2 * bits * bits, found.of(design, "area", bits)
        return cls(
            bits,
            theirs,
            ours,
            work / theirs / thesis.figure("LUT", design, bits),
            work / ours / area["lut"] if area else None,
        )

    @property
    def a_cycle(self) -> float:
        """Multiply-adds that the published figure needs in each cycle."""
        return 2 * self.bits * self.bits / self.theirs


def listed(bits: Sequence[int]) -> str:
    """As "32 bits", "32 to 128 bits"."""
    return f"{bits[0]} bits" if len(bits) == 1 else f"{bits[0]} to {bits[-1]} bits"


def times(ratio: float) -> str:
    return f"{terminal.significant(ratio, 2 if ratio < 100 else 3)} times"


def ahead(what: str, rows: Sequence[tuple[int, float, float]]) -> str:
    """Who has less of it. The items are (bits, the thesis's, ours), one for each length."""
    theirs = [bits for bits, a, b in rows if a < b]
    ours = [bits for bits, a, b in rows if b < a]
    bits, a, b = rows[-1]
    sides = [
        f"{who} at {listed(side)}"
        for who, side in (("the thesis", theirs), ("Monpro", ours))
        if side
    ]
    loser = "the thesis" if b < a else "Monpro"
    many = f"at {bits} bits {loser} has {times(max(a, b) / min(a, b))} as many"
    return f"Fewer {what}: {', '.join(sides)}; {many}"


def clock(found: Found, thesis: Thesis) -> str:
    parts = []
    for name, theirs in thesis.clock_mhz.items():
        ours = found.of(name, "clock").get("clock_mhz")
        if ours:
            parts.append(f"{name}: Monpro by {times(ours / theirs)}" if ours > theirs
                         else f"{name}: the thesis by {times(theirs / ours)}")  # fmt: skip
    if not parts:
        return "Who is ahead: not known while no clock of Monpro's designs is measured."
    return (
        f"Who is ahead: {'; '.join(parts)}. montgomery's carries end after 32 bits, whatever the "
        "length; those of the other two run through it, as a comparison with N needs them whole. "
        "The devices differ (40 nm ECP5, 28 nm Artix-7)."
    )


def slope(rows: Sequence[tuple[int, float]]) -> float:
    """LUTs that a bit more takes, from the shortest length to the longest."""
    (first, low), (last, high) = rows[0], rows[-1]
    return (high - low) / (last - first)


def area(found: Found, thesis: Thesis) -> str:
    lines, slopes = [], []
    for name in ("repeated", "binary", "montgomery"):
        known = [(bits, found.of(name, "area", bits)) for bits in thesis.bits]
        rows = [(bits, item) for bits, item in known if item]
        if not rows:
            continue
        luts = [(bits, thesis.figure("LUT", name, bits), item["lut"]) for bits, item in rows]
        lines.append(f"{ahead(f'LUTs, {name}', luts)}.")
        if len(rows) > 1:
            theirs, ours = (slope([(row[0], row[side]) for row in luts]) for side in (1, 2))
            bus = luts[0][2] - ours * luts[0][0]
            slopes.append(
                f"{name} takes {ours:.1f} LUTs a bit and {bus:.0f} at any length, the thesis's "
                f"{theirs:.1f} a bit"
            )
    if not lines:
        return "Area of Monpro: not synthesized; the full form does it, and keeps it (Yosys)."
    text = " ".join(lines)
    if slopes:
        text += f" Why: {'; '.join(slopes)}."
    return (
        f"{text} Monpro's figures are of the whole coprocessor, its AXI4-Lite bus, registers and "
        "operand memories included, which the thesis's designs have not; with the length grow only "
        "the multipliers. Synthesized by Yosys, not by Vivado. fit: by LUTs, FFs, CARRY4, DSPs or "
        "BRAMs, whichever run out first; the thesis's by the LUTs and FFs that it publishes."
    )


def repeated(found: Found, thesis: Thesis) -> str:
    last = thesis.bits[-1]
    product = (found.cycles("repeated", last, "small", 255)
               - found.cycles("repeated", last, "small", 3)) / 252  # fmt: skip
    return (
        f"e of thesis's cycles: the exponent for which Monpro takes as many. Bound: an exponent of "
        f"{last} bits takes 2^{last - 1} multiplications at least; at one a cycle, 10 MHz, that is "
        f"10^{(last - 1) * 0.30103 - 7:.0f} s. So the thesis measured short exponents, which it "
        f"does not name, and nobody can be called ahead: Monpro takes {product:.0f} cycles a "
        f"multiplication at {last} bits. m: by the formula, which equals what was simulated."
    )


def bound(found: Found, thesis: Thesis, design: str) -> str:
    each = [Bound.of(found, thesis, design, bits) for bits in thesis.bits]
    over, over_all = [], []
    for one in each:
        most = PER_LUT * thesis.figure("LUT", design, one.bits)
        if one.a_cycle > most:
            over.append(one.bits)
        if one.a_cycle > most + DSP_BLOCKS * DSP_PRODUCT:
            over_all.append(one.bits)
    last = each[-1]
    lut = thesis.figure("LUT", design, last.bits)
    text = (
        f"Bound: of all ones, {last.bits} bits take {2 * (last.bits - 1)} multiplications, so the "
        f"thesis's {10 * thesis.figure('latency_us_max', design, last.bits):.0f} cycles leave "
        f"{last.theirs:.1f} for each, {last.a_cycle / 1e3:.0f} thousand one-bit multiply-adds a "
        f"cycle, {last.theirs_per_lut:.1f} for each of its {lut:.0f} LUTs, which do two at the "
        f"most."
    )
    if over:
        text += f" Above two: {listed(over)}"
    if over_all:
        text += (
            f"; above what its LUTs and all {DSP_BLOCKS} DSP blocks of the device "
            f"({DSP_BLOCKS * DSP_PRODUCT / 1e3:.0f} thousand a cycle) would do: {listed(over_all)}"
        )
    text += "."
    if design == "montgomery":
        theirs = thesis.figure("cycles", design, last.bits)
        text += (
            f" Its {theirs:.0f} cycles cannot be a full exponentiation: a bit-serial "
            f"multiplication takes {last.bits} cycles at least, "
            f"{theirs / radix2_cycles(last.bits):.1f} of Monpro's fit in."
        )
    return text


def latency(found: Found, thesis: Thesis, design: str) -> str:
    rows = [
        (
            bits,
            thesis.figure("latency_us_avg", design, bits),
            found.cycles(design, bits, "random") / 10,
        )
        for bits in thesis.bits
    ]
    first, last = thesis.bits[0], thesis.bits[-1]
    low, high = (b / a for _, a, b in (rows[0], rows[-1]))
    product = {"binary": interleaved_cycles, "montgomery": radix2_cycles}[design](last)
    ones = found.cycles(design, last, "ones")
    leader = f"the thesis by its own figures, {times(low)} at {first} bits, {times(high)} at {last}"
    if low < 1 or high < 1:
        leader = ", ".join(f"{n} bits {'thesis' if a < b else 'Monpro'}" for n, a, b in rows)
    return (
        f"Who is ahead: {leader}. Why: Monpro works on one bit of an operand a cycle, {product} "
        f"cycles a multiplication of {last} bits, {100 * 2 * (last - 1) * product / ones:.1f} % of "
        f"its cycles at all ones; the thesis's cycles a multiplication do not grow with the "
        f"length, as the bound says they must."
    )


def throughput(found: Found, thesis: Thesis) -> str:
    last = thesis.bits[-1]
    return (
        "Formula (7): clock x bits / cycles. Monpro: mean of the 40 exponents, repeated: e = "
        "65537 by the formula; thesis: one exponent, not named. Who is ahead: as by the cycles "
        f"above, at 10 MHz; the thesis's figures above the bound (binary, montgomery, up to {last} "
        "bits) stand under the doubts of their tables. * its Fmax is in doubt (table 3)."
    )


def notes(found: Found, thesis: Thesis, *, quick: bool) -> list[str]:
    last = thesis.bits[-1]
    warm = found.of("montgomery", "modexp", last, exponent_kind="random")
    lines = [
        "Cycles are from start to done, operands in place, of the design as it is listed, which "
        "takes all lengths up to 1024 bits; keys are cold: each exponentiation has a modulus of "
        f"its own, and its constants are inside (montgomery, {last} bits, mean: "
        f"{warm['cycles'] - warm['cycles_warm']:.0f} of {warm['cycles']:.0f} cycles). Built for "
        "one length only, as in the area table, a cold key takes up to 31 cycles less.",
        "simulated: of the exponentiations of a row, those that were; the rest follows from the "
        "formula, to which each simulated one is held in this run (m: by the formula).",
    ]
    if quick:
        lines.append("Quick: fewer are simulated; the area is what the cache has.")
    return lines
