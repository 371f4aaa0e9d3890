# SPDX-License-Identifier: Apache-2.0
"""Why a row of each multiplier is Montgomery's step, and why its result is in range.

Each theorem is a list of claims over integers without bounds, with the word W, the modulus and the
number of words symbolic. Z3 is asked for a counterexample of each claim, and has to say that there
is none. Z3 does not multiply inequalities by itself: where a claim needs it, the product is among
the hypotheses, and is a claim of its own.

A break drops one hypothesis or changes one number; then there has to be a counterexample. So no
hypothesis is too much, and none contradicts another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import z3

from formal.theorem import Theorem, Verdict

TIMEOUT_MS = 20_000


@dataclass(frozen=True)
class Claim:
    """What follows from hypotheses, each of which has a name, for a break to drop it."""

    text: str
    hypotheses: dict[str, z3.BoolRef]
    goal: z3.BoolRef

    def check(self, without: str = "") -> z3.CheckSatResult:
        solver = z3.Solver()
        solver.set("timeout", TIMEOUT_MS)
        for name, hypothesis in self.hypotheses.items():
            if name != without:
                solver.add(hypothesis)
        solver.add(z3.Not(self.goal))
        return solver.check()


def whole(names: str) -> list[z3.ArithRef]:
    return [z3.Int(name) for name in names.split()]


def grows(factor: z3.ArithRef, low: z3.ArithRef, high: z3.ArithRef) -> z3.BoolRef:
    """A number that is not negative keeps the order: factor * low <= factor * high."""
    return factor * low <= factor * high


def order_claims() -> Iterator[Claim]:
    a, low, high = whole("a low high")
    yield Claim(
        "a factor that is not negative keeps an order",
        {"factor": a >= 0, "order": low <= high},
        grows(a, low, high),
    )


def row_claims() -> Iterator[Claim]:
    """monpro_element: T' = (T + x Y + q M) / B, M = B N' - 1, q = (T + x Y) mod B."""
    t, x, y, q, n, b, f, m, t1 = whole("T x Y q N' B f M T'")
    yield Claim(
        "the row is the floor of the sum, plus q N': no multiplication stands before q",
        {"division": t + x * y == b * f + q, "modulus": m == b * n - 1},
        b * (f + q * n) == t + x * y + q * m,
    )
    yield Claim(
        "T < Y + M stays so",
        {
            "row": b * t1 == t + x * y + q * m,
            "range": t < y + m,
            "digits of x": grows(y, x, b - 1),
            "digits of q": grows(m, q, b - 1),
            "base": b >= 2,
        },
        t1 < y + m,
    )


def chain_claims() -> Iterator[Claim]:
    """The two chains of an element: words of W, digits of B, one carry from word to word."""
    t, x, y, c, c1, u, w, b, p, low, power = whole("t x y c c' u W B p low W^j")
    yield Claim(
        "a sum stays below W B, so its carry is below B",
        {
            "word": t <= w - 1,
            "product": p <= (w - 1) * (b - 1),
            "carry": c <= b - 1,
            "sum": w * c1 + u == t + p + c,
            "not negative": u >= 0,
            "word size": w >= 2,
        },
        c1 < b,
    )
    done, rest, done1 = whole("done sum done'")
    yield Claim(
        "the words so far, and the carry behind them, are the whole so far",
        {
            "so far": done + power * c == rest,
            "word": w * c1 + u == t + x * y + c,
            "next": done1 == done + power * u,
        },
        done1 + power * w * c1 == rest + power * (t + x * y),
    )
    yield Claim(
        "a number below W^s has no carry behind its s words",
        {"words": low >= 0, "number": low + power * c < power, "carry": c >= 0, "size": power >= 1},
        c == 0,
    )


def sum_claims() -> Iterator[Claim]:
    """All rows of a product together, R = B^K."""
    r, t, xs, y, qs, m, b, x, q, t1 = whole("R T X Y Q M B x q T'")
    before = r * t == xs * y + qs * m
    row = b * t1 == t + x * y + q * m
    yield Claim(
        "a row adds a digit to X and to Q",
        {"before": before, "row, R times": r * (b * t1) == r * (t + x * y + q * m)},
        (r * b) * t1 == (xs + r * x) * y + (qs + r * q) * m,
    )
    yield Claim(
        "a row times R is a row",
        {"row": row},
        r * (b * t1) == r * (t + x * y + q * m),
    )
    yield Claim(
        "the result is below 2M if the operands are and R is 4M or more",
        {
            "sum": r * t == xs * y + qs * m,
            "operands": xs * y <= (2 * m - 1) * (2 * m - 1),
            "digits": grows(m, qs, r - 1),
            "modulus": m >= 1,
            "size": r >= 4 * m,
        },
        t < 2 * m,
    )
    k, n = whole("k N")
    yield Claim(
        "R T is X Y modulo N, of which M is a multiple",
        {"sum": r * t == xs * y + qs * m, "multiple": m == k * n},
        r * t - xs * y == (qs * k) * n,
    )


def late_claims() -> Iterator[Claim]:
    """monpro_pipelined_element: F = T + x Y + q' N' W, q = F mod W, T = F div W, M = W^2 N' - 1."""
    t, x, y, q, q1, n, w, m, t1, s, s1 = whole("T x Y q' q N' W M T' S S'")
    late = {
        "row": w * t1 + q1 == t + x * y + q * n * w,
        "state": s == t + q * n * w,
        "next state": s1 == t1 + q1 * n * w,
        "modulus": m == w * w * n - 1,
    }
    yield Claim(
        "with S = T + q' N' W a row is S := (S + x Y + q M) / W: Montgomery's step",
        late,
        w * s1 == s + x * y + q1 * m,
    )
    yield Claim(
        "S < Y + M stays so",
        {
            "step": w * s1 == s + x * y + q1 * m,
            "range": s < y + m,
            "digits of x": grows(y, x, w - 1),
            "digits of q": grows(m, q1, w - 1),
            "word size": w >= 2,
        },
        s1 < y + m,
    )
    yield Claim(
        "the last row, whose digit of x is none, gives all words of its F: they are S",
        {"row": w * t1 + q1 == t + x * y + q * n * w, "digit": x == 0, "state": s == t + q * n * w},
        w * t1 + q1 == s,
    )


def word_claims() -> Iterator[Claim]:
    """monpro_mul_word: T := (T + x y + q N) / W, and N subtracted once, under a mask."""
    t, x, y, q, n, w, t1, h, inverse, k, j = whole("T x y q N W T' h n' k j")
    yield Claim(
        "the lowest word of a row is zero",
        {
            "inverse": inverse * n == k * w - 1,
            "digit": q == h * inverse - j * w,
        },
        h + q * n == w * (h * k - j * n),
    )
    yield Claim(
        "T < y + N stays so",
        {
            "row": w * t1 == t + x * y + q * n,
            "range": t < y + n,
            "digits of x": grows(y, x, w - 1),
            "digits of q": grows(n, q, w - 1),
            "word size": w >= 2,
        },
        t1 < y + n,
    )
    yield Claim(
        "one subtraction is enough for operands below N",
        {"range": t < y + n, "operand": y < n, "not negative": t >= 0},
        z3.If(t >= n, z3.And(t - n >= 0, t - n < n), z3.And(t >= 0, t < n)),
    )


def bit_claims() -> Iterator[Claim]:
    """monpro_radix2 (a bit of x in each row) and monpro_interleaved (from the highest bit on)."""
    t, x, y, q, q1, n, t1, m, s, s1 = whole("T x y q' q N' T' M S S'")
    radix2 = {
        "row": 2 * t1 + q1 == t + x * y + q * 2 * n,
        "modulus": m == 4 * n - 1,
        "state": s == t + q * 2 * n,
        "next state": s1 == t1 + q1 * 2 * n,
    }
    yield Claim("radix 2, a digit late: 2 S' = S + x y + q M", radix2, 2 * s1 == s + x * y + q1 * m)
    p, d, modulus = whole("P d N")
    yield Claim(
        "interleaved: of 2P + x y minus 2N, N or nothing one is in range",
        {
            "range": z3.And(p >= 0, p < modulus),
            "operand": z3.And(y >= 0, y < modulus),
            "value": d == 2 * p + z3.If(x == 1, y, 0),
        },
        z3.Or(
            z3.And(d - 2 * modulus >= 0, d - 2 * modulus < modulus),
            z3.And(d - modulus >= 0, d - modulus < modulus),
            z3.And(d >= 0, d < modulus),
        ),
    )


def pass_claims() -> Iterator[Claim]:
    """The passes of monpro_alu: halving, doubling, the last subtraction; CRT's recombination."""
    a, n, r, k, v = whole("a n r k v")
    yield Claim(
        "halving: a or a + n is even if n is odd, and half of it is in range",
        {
            "odd": n == 2 * k + 1,
            "range": z3.And(a >= 0, a < n),
            "result": r == z3.If(a % 2 == 1, a + n, a) / 2,
        },
        z3.And(r >= 0, r < n, z3.Or(2 * r == a, 2 * r == a + n)),
    )
    yield Claim(
        "doubling: -n <= r < n if -n <= a < n, and r is 2a modulo n",
        {
            "range": z3.And(a >= -n, a < n),
            "result": r == 2 * a + z3.If(a < 0, n, -n),
        },
        z3.And(r >= -n, r < n),
    )
    yield Claim(
        "subtraction and restoring take a < 2n below n",
        {
            "range": z3.And(a >= 0, a < 2 * n),
            "result": r == (a - n) + z3.If(a - n < 0, n, 0),
        },
        z3.And(r >= 0, r < n, z3.Or(r == a, r == a - n)),
    )
    p, q, inverse, h, mp, mq, m, j = whole("p q qInv h m_p m_q m j")
    garner = {
        "inverse": inverse * q == 1 + k * p,
        "factor": h == (mp - mq) * inverse - j * p,
        "sum": m == mq + h * q,
    }
    yield Claim("CRT: the result is m_q modulo q", {"sum": garner["sum"]}, m - mq == h * q)
    yield Claim(
        "CRT: the result is m_p modulo p",
        garner,
        m - mp == p * ((mp - mq) * k - j * q),
    )
    yield Claim(
        "CRT: the result is below p q",
        {
            "sum": garner["sum"],
            "factor": grows(q, h, p - 1),
            "half": mq <= q - 1,
        },
        m < p * q,
    )
    yield Claim(
        "CRT: m_p - m_q plus p, twice at most, is not negative if q < 2p",
        {"halves": z3.And(mp >= 0, mq < q), "lengths": q <= 2 * p, "value": v == mp - mq + 2 * p},
        v >= 0,
    )


def recoding_claims() -> Iterator[Claim]:
    """An exponent by windows from the highest bit on, and by single bits."""
    done, rest, power, digit, rest1, size = whole("done rest 2^i digit rest' 2^w")
    yield Claim(
        "fixed window: what is done and what is left are the exponent, after each window",
        {
            "before": z3.Int("e") == done * (power * size) + rest,
            "split": rest == digit * power + rest1,
        },
        z3.Int("e") == (done * size + digit) * power + rest1,
    )
    r0, r1, x, bit = whole("log(R0) log(R1) x bit")
    yield Claim(
        "ladder: R1 / R0 stays the base",
        {
            "before": r1 == r0 + x,
            "one": z3.Int("log(R0)'") == z3.If(bit == 1, r0 + r1, 2 * r0),
            "two": z3.Int("log(R1)'") == z3.If(bit == 1, 2 * r1, r0 + r1),
        },
        z3.Int("log(R1)'") == z3.Int("log(R0)'") + x,
    )


Claims = Callable[[], Iterator[Claim]]
TABLE: Sequence[tuple[str, str, Claims]] = (
    ("order", "A product keeps an order; the other claims use it.", order_claims),
    ("row", "A row of the array is Montgomery's step, and its range stays.", row_claims),
    ("chains", "The words and carries of an element are the numbers of its row.", chain_claims),
    ("product", "All rows together: R T = X Y + Q M, T < 2M.", sum_claims),
    ("late digit", "A quotient digit one row late is Montgomery's step as well.", late_claims),
    ("word", "The word-serial multiplier: exact division, range, one subtraction.", word_claims),
    ("bits", "The radix-2 and the interleaved multiplier: step and range.", bit_claims),
    ("passes", "The adder's passes and CRT's recombination: value and range.", pass_claims),
    ("recoding", "A fixed window and the ladder compute the exponent.", recoding_claims),
)


def _prove(claims: Claims, _folder: Path, broken: str) -> Verdict:
    for claim in claims():
        title, _, hypothesis = broken.partition(": without ")
        if broken and title != claim.text:
            continue
        found = claim.check(without=hypothesis)
        # Of a break a counterexample is wanted: not to find an end is no answer.
        if found == (z3.sat if broken else found) and found != z3.unsat:
            return Verdict(False, f"{claim.text}: Z3 says {found}")
    return Verdict(True)


def _breaks(claims: Claims) -> Iterator[str]:
    for claim in claims():
        for hypothesis in claim.hypotheses:
            yield f"{claim.text}: without {hypothesis}"


def theorems() -> Iterator[Theorem]:
    for name, statement, claims in TABLE:
        yield Theorem(
            name=f"arithmetic: {name}",
            statement=statement,
            tool="Z3 over integers",
            scope="any word, modulus and number of words",
            prove=partial(_prove, claims),
            breaks=tuple(_breaks(claims)),
        )
