# SPDX-License-Identifier: Apache-2.0
"""The elements and tiles of the arrays do their recurrence, at the widths that ship.

A claim is about a few cycles from any state at all in which the carries are in range. That they
stay so is a claim of its own. So the claims hold in every cycle, for any number of words.

The product of the block is cut: it is any number of at most (W - 1) (B - 1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import z3

from formal import netlist, step
from formal.netlist import Netlist
from formal.theorem import Mutant, Theorem, Verdict

ELEMENT = "monpro_element"
PIPELINED = "monpro_pipelined_element"
CUT = ("u_block.p_o",)
TILES = ("u_tiles.lo_o", "u_tiles.mid_o", "u_tiles.hi_o")
FIRST_CHAIN = 5
MOST_CARRY = 10  # of monpro_pipelined_element, see its head


@dataclass(frozen=True)
class Claim:
    text: str
    hypotheses: list[z3.BoolRef]
    goal: z3.BoolRef


class Cycles:
    """Cycles of an element. Wires that are cut can be anything in each of them."""

    def __init__(
        self, found: Netlist, count: int, word_bits: int, digit_bits: int, cut: Sequence[str]
    ):
        free = [bit for name in cut for bit in found.bits(name)]
        self.at = [step.Step(found, free=free)]
        for _ in range(count):
            self.at.append(step.Step(found, before=self.at[-1]))
        self.width = word_bits + digit_bits + 4  # of all sums here
        self.word_bits, self.digit_bits = word_bits, digit_bits

    def word(self, name: str, cycle: int) -> z3.BitVecRef:
        return self.at[cycle].word(name, self.width)

    def bit(self, name: str, cycle: int) -> z3.BoolRef:
        [found] = self.at[cycle].bits(name)
        return found

    def number(self, value: int) -> z3.BitVecRef:
        return z3.BitVecVal(value, self.width)

    def odd(self, cycle: int, first_is_odd: bool) -> list[z3.BoolRef]:
        """No reset, and the phase of this cycle if cycle 0 has that one."""
        odd = first_is_odd == (cycle % 2 == 0)
        phases = [self.bit("odd_i", cycle) == odd, self.bit("even_i", cycle) == (not odd)]
        return [*phases, z3.Not(self.bit("clear_i", cycle))]


def addend(cycles: Cycles, cycle: int, odd: bool) -> z3.BitVecRef:
    """What a sum takes beside the product and t: the carry, and in odd cycles v."""
    d = cycles.word("d_q", cycle)
    return d + cycles.word("late_q", cycle) if odd else d


def element_claims(found: Netlist, word_bits: int, digit_bits: int) -> Iterator[Claim]:
    cycles = Cycles(found, 2, word_bits, digit_bits, CUT)
    words, digits = cycles.number(1 << word_bits), cycles.number(1 << digit_bits)
    product = cycles.word("product_q", 0)
    in_range = z3.ULE(product, cycles.number(((1 << word_bits) - 1) * ((1 << digit_bits) - 1)))
    new_row = cycles.bit(f"load_q[{FIRST_CHAIN - 2}]", 1)
    for odd in (False, True):
        here, name = cycles.odd(0, odd) + cycles.odd(1, odd), "odd" if odd else "even"
        before, after = addend(cycles, 0, odd), addend(cycles, 2, odd)
        t = cycles.number(0) if odd else cycles.word("t_i", 0)
        # In an odd cycle v is among the addends: that of the next odd cycle is there a cycle early.
        v = cycles.word("v", 1) if odd else cycles.number(0)
        most = digits - 1 + (words - 1 if odd else cycles.number(0))
        sum_ = cycles.word("s_q", 1) + words * (after - v)
        bounds = [in_range, z3.ULE(before, most)]
        yield Claim(
            f"{name} cycles: sum + W carry = product + {'v' if odd else 't'} + carry",
            [*here, *bounds, z3.Not(new_row)],
            sum_ == product + t + before,
        )
        yield Claim(
            f"{name} cycles: the carry stays below B",
            [*here, *bounds],
            z3.ULE(after, most),
        )
    yield Claim(
        "a row begins without a carry",
        [*cycles.odd(0, False), *cycles.odd(1, False), new_row],
        cycles.word("d_q", 2) == 0,
    )
    yield from operand_claims(found, word_bits, digit_bits)


def operand_claims(found: Netlist, word_bits: int, digit_bits: int) -> Iterator[Claim]:
    """What the two chains are made of, and what goes on to the next element."""
    shift = word_bits - digit_bits
    cycles = Cycles(found, 6, word_bits, digit_bits, CUT)
    phases = [phase for cycle in range(6) for phase in cycles.odd(cycle, True)]
    low = cycles.number((1 << digit_bits) - 1)
    begins = cycles.bit(f"load_q[{FIRST_CHAIN}]", 2)
    # Cycles 0, 2 and 4 are odd: s_q holds a word u of the first chain.
    u, u_next = cycles.word("s_q", 0), cycles.word("s_q", 2)
    above = z3.LShR(u, digit_bits) if shift else cycles.number(0)
    yield Claim(
        "v is the next word's lowest digit above what is left of this one",
        [*phases, z3.Not(begins)],
        cycles.word("v", 3) == ((u_next & low) << shift) + above,
    )
    yield Claim(
        "the first digit of a row is its quotient digit, and the block's factor from then on",
        [*phases, begins, *(z3.Not(cycles.bit(f"load_q[{FIRST_CHAIN}]", k)) for k in (3, 4))],
        z3.And(
            cycles.word("factor", 2) == (u_next & low),
            cycles.word("factor", 4) == (u_next & low),
        ),
    )
    yield Claim(
        "the first chain's last carry takes the place of the next row's first digit",
        [*phases, begins, z3.Not(cycles.bit(f"load_q[{FIRST_CHAIN - 2}]", 1))],
        cycles.word("v", 3) == ((cycles.word("d", 0) & low) << shift) + above,
    )
    yield Claim(
        "in its even cycles the block multiplies the digit of x",
        [*phases, cycles.bit("load_i", 0), *(z3.Not(cycles.bit("load_i", k)) for k in (1, 2)),
         *(z3.Not(cycles.bit(f"load_q[{FIRST_CHAIN}]", k)) for k in (1, 3))],
        z3.And(
            cycles.word("factor", 1) == cycles.word("x_i", 0),
            cycles.word("factor", 3) == cycles.word("x_i", 0),
        ),
    )  # fmt: skip
    yield Claim(
        "the next element gets the bus and the start six cycles later",
        [z3.Not(cycles.bit("clear_i", k)) for k in range(6)],
        z3.And(
            cycles.word("bus_o", 6) == cycles.word("bus_i", 0),
            cycles.bit("load_o", 6) == cycles.bit("load_i", 0),
        ),
    )


def pipelined_claims(found: Netlist, word_bits: int, _: int) -> Iterator[Claim]:
    """monpro_pipelined_element: word j of F in slot j, its lower half's carry left to the next."""
    cycles = Cycles(found, 3, word_bits, word_bits, TILES)
    sum_bits = word_bits + 4
    half, words = cycles.number(1 << sum_bits // 2), cycles.number(1 << word_bits)
    running = [z3.Not(cycles.bit("clear_i", k)) for k in range(3)]
    lo, t = cycles.word("lo", 0), cycles.word("t_i", 0)
    parts = [
        z3.ULT(lo, 3 * words),
        z3.ULT(cycles.word("hi", 0) + cycles.word("mid", 0), words),
    ]
    t_carry = z3.If(cycles.bit("t_carry_i", 0), half, cycles.number(0))
    f = cycles.word("f_q", 1) + z3.If(cycles.bit("f_carry_q", 1), half, cycles.number(0))
    g = cycles.word("g_q", 0)
    word_0 = z3.Not(cycles.bit("add_low_q", 0))
    together = cycles.bit("add_low_q", 0) == z3.Not(cycles.bit("skip_high_q", 0))
    bounded = [*running, *parts, z3.ULE(g, 5 * words + MOST_CARRY)]
    yield Claim(
        "a word is g + lo + t, with the carry of t's lower half",
        [*bounded, z3.Not(word_0), together],
        f == g + lo + t + t_carry,
    )
    yield Claim("word 0 is g alone", [*bounded, word_0, together], f == g)
    yield Claim(
        "the accumulator takes hi + mid, behind those of the slot before in phase 1",
        [*running, *parts, z3.ULE(cycles.word("acc_q", 0), words)],
        cycles.word("acc_q", 1)
        == z3.If(cycles.bit("phase_i", 0), cycles.word("acc_q", 0), cycles.number(0))
        + cycles.word("hi", 0)
        + cycles.word("mid", 0),
    )
    carry = cycles.word("carry", 0)
    yield Claim(
        "g is the accumulator, lo and the carry of the word before",
        [*running, *parts, z3.ULE(cycles.word("acc_q", 0), 2 * words)],
        cycles.word("g_q", 1) == cycles.word("acc_q", 0) + lo + carry,
    )
    quotient = cycles.word("q_q", 1) + words * cycles.word("q_carry_q", 1)
    yield Claim(
        "the quotient digit and its carry are lo + t of word 0",
        [*running, *parts, cycles.bit("first", 0)],
        quotient == lo + t + t_carry,
    )
    yield Claim(
        "the next element gets x a cycle later, and the bus three",
        running,
        z3.And(
            cycles.word("x_o", 1) == cycles.word("x_i", 0),
            cycles.word("bus_o", 3) == cycles.word("bus_i", 0),
        ),
    )


def tile_claims(found: Netlist, word_bits: int, _: int) -> Iterator[Claim]:
    """monpro_tiles: a b = lo + W (hi + mid), of the four products of halves."""
    blocks = {(i, j): f"g_four.g_a[{i}].g_b[{j}].u_block.p_o" for i in (0, 1) for j in (0, 1)}
    cycles = Cycles(found, 1, word_bits, word_bits, tuple(blocks.values()))
    half, words = cycles.number(1 << word_bits // 2), cycles.number(1 << word_bits)
    products = {key: cycles.word(name, 0) for key, name in blocks.items()}
    bounded = [z3.ULE(product, (half - 1) * (half - 1)) for product in products.values()]
    bounded.append(z3.Not(cycles.bit("clear_i", 0)))
    lo, mid, hi = (cycles.word(f"{part}_o", 1) for part in ("lo", "mid", "hi"))
    cross = products[0, 1] + products[1, 0]
    yield Claim(
        "the parts are the product",
        bounded,
        lo + words * (hi + mid) == products[0, 0] + half * cross + words * products[1, 1],
    )
    yield Claim("lo is below 3 W", bounded, z3.ULT(lo, 3 * words))
    yield Claim("hi + mid is below W", bounded, z3.ULT(hi + mid, words))


Claims = Callable[[Netlist, int, int], Iterator[Claim]]


def _prove(
    top: str, claims: Claims, word_bits: int, digit_bits: int, folder: Path, _: str
) -> Verdict:
    parameters = [f"WordBits={word_bits}"]
    if digit_bits != word_bits:
        parameters.append(f"DigitBits={digit_bits}")
    found = netlist.make(top, parameters, folder)
    for claim in claims(found, word_bits, digit_bits):
        if not step.holds(claim.hypotheses, claim.goal):
            return Verdict(False, claim.text)
    return Verdict(True)


ELEMENT_FILE = "multipliers/monpro_element.sv"
BREAKS = (
    ("a carry of two is a carry of one", "late_q <= over_q[1] && even_i;",
     "late_q <= over_q[0] && even_i;"),
    ("a row begins with the carry of the row before",
     "if (clear_i || load_q[FirstChain-2]) d_q <= '0;  // a row begins", "if (clear_i) d_q <= '0;"),
    ("the quotient digit is that of the second word",
     "if (load_q[FirstChain]) factor = s_q[DigitBits-1:0];",
     "if (load_q[FirstChain-1]) factor = s_q[DigitBits-1:0];"),
    ("the first chain's last carry is lost",
     "else u_q <= load_q[FirstChain] ? u_last_q : s_q[DigitBits-1:0];",
     "else u_q <= s_q[DigitBits-1:0];"),
    ("t is added in odd cycles too", "even_i ? t_i : WordBits'(late_q)",
     "even_i ? t_i : t_i | WordBits'(late_q)"),
    ("the bus goes on a cycle early", "assign bus_o = bus_q[Spacing-1];",
     "assign bus_o = bus_q[Spacing-2];"),
    ("x changes with the bus", "if (load_i) x_q <= x_i;", "x_q <= x_i;"),
)  # fmt: skip
MUTANTS = tuple(Mutant(name, ELEMENT_FILE, text, instead) for name, text, instead in BREAKS)


PIPELINED_FILE = "multipliers/monpro_pipelined_element.sv"
PIPELINED_BREAKS = (
    ("the carry of t's lower half is lost", "t_carry_i && !skip_high_q};", "1'b0};"),
    ("two carries are one", "((g_q & f_lo) | (g_q & f_t) | (f_lo & f_t)) << 1;",
     "((g_q & f_lo) | (f_lo & f_t)) << 1;"),
    ("the quotient digit leaves out t's carry", "assign q_t_carry = HighBits'(t_carry_i);",
     "assign q_t_carry = '0;"),
    ("the accumulator forgets", "acc_q <= (phase_i ? acc_q : '0)", "acc_q <= ('0)"),
    ("g takes half of the carry", "acc_q + SumBits'(carry) + SumBits'(lo)",
     "acc_q + SumBits'(carry >> 1) + SumBits'(lo)"),
    ("word 0 adds lo", "assign f_lo = SumBits'(lo) & add;", "assign f_lo = SumBits'(lo);"),
)  # fmt: skip


TILE_BREAK = Mutant(
    "one cross product's upper half is taken twice", "multipliers/monpro_tiles.sv",
    "(TileBits + 1)'(product[1][0][2*TileBits-1:TileBits]);",
    "(TileBits + 1)'(product[0][1][2*TileBits-1:TileBits]);",
)  # fmt: skip


def theorems() -> Iterator[Theorem]:
    pipelined = [Mutant(name, PIPELINED_FILE, *change) for name, *change in PIPELINED_BREAKS]
    for word_bits in (18, 34, 36):
        yield Theorem(
            name=f"pipelined element: words of {word_bits} bits",
            statement="Each word of F is the sum of its products' parts, t and carry, and so is "
            "the quotient digit; no sum is cut off.",
            tool="Z3 over bits",
            scope="monpro_pipelined_element, any state with its carries in range",
            prove=partial(_prove, PIPELINED, pipelined_claims, word_bits, word_bits),
            mutants=tuple(pipelined if word_bits == 36 else pipelined[:2]),
        )
    for word_bits in (34, 36):
        yield Theorem(
            name=f"tiles: words of {word_bits} bits",
            statement="lo + W (hi + mid) is the product of two words; lo < 3 W, hi + mid < W.",
            tool="Z3 over bits",
            scope="monpro_tiles, any products of halves",
            prove=partial(_prove, "monpro_tiles", tile_claims, word_bits, word_bits),
            mutants=(TILE_BREAK,),
        )
    for word_bits, digit_bits in ((17, 17), (18, 18), (24, 17)):
        yield Theorem(
            name=f"element: digits of {digit_bits} bits, words of {word_bits}",
            statement="Each chain adds product, word and carry; the carries stay below B; the "
            "quotient digit is the first digit of its row; bus and start go on after six cycles.",
            tool="Z3 over bits",
            scope="monpro_element, any state with its carries in range, any number of words",
            prove=partial(_prove, ELEMENT, element_claims, word_bits, digit_bits),
            mutants=MUTANTS if digit_bits == 17 else MUTANTS[:2],
        )
