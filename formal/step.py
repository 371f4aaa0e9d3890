# SPDX-License-Identifier: Apache-2.0
"""Cycles of a netlist as formulas. In the first one registers, inputs and memories are free."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

import z3

from formal.netlist import GATE_INPUTS, Bit, Cell, Netlist

_GATES = {
    "$_AND_": z3.And, "$_OR_": z3.Or, "$_XOR_": z3.Xor,
    "$_NAND_": lambda a, b: z3.Not(z3.And(a, b)), "$_NOR_": lambda a, b: z3.Not(z3.Or(a, b)),
    "$_XNOR_": lambda a, b: a == b, "$_ANDNOT_": lambda a, b: z3.And(a, z3.Not(b)),
    "$_ORNOT_": lambda a, b: z3.Or(a, z3.Not(b)), "$_NOT_": z3.Not, "$_BUF_": lambda a: a,
    "$_MUX_": lambda a, b, s: z3.If(s, b, a),
}  # fmt: skip
_WORDS = {
    "$add": lambda a, b: a + b, "$sub": lambda a, b: a - b, "$mul": lambda a, b: a * b,
    "$lt": z3.ULT, "$le": z3.ULE, "$gt": z3.UGT, "$ge": z3.UGE,
    "$shl": lambda a, b: a << b, "$shr": z3.LShR, "$shiftx": z3.LShR,
}  # fmt: skip


class Step:
    """Formulas by bit, made when they are asked for. `before` is the cycle before this one; wires
    in `free` can be anything, whatever drives them."""

    def __init__(self, netlist: Netlist, before: Step | None = None, free: Iterable[Bit] = ()):
        self._before = before
        self._number: int = before._number + 1 if before else 0
        self._free: frozenset[Bit] = before._free if before else frozenset(free)
        self.netlist = netlist
        self.next_of = {out: data for data, out, _ in netlist.registers}
        self._driver = {bit: cell for cell in netlist.cells for bit in cell[1]["Y"]}
        self._made: dict[Bit, z3.BoolRef] = {
            "0": z3.BoolVal(False), "1": z3.BoolVal(True), "x": z3.Bool("x"), "z": z3.Bool("z"),
        }  # fmt: skip

    def bit(self, bit: Bit) -> z3.BoolRef:
        waiting = [bit]  # a stack of our own: logic is deeper than Python's calls may be
        while waiting:
            wanted = waiting[-1]
            cell = None if wanted in self._free else self._driver.get(wanted)
            missing = []
            if wanted in self._made:
                waiting.pop()
            elif cell:
                missing = [
                    each for pin in cell[1] if pin != "Y"
                    for each in cell[1][pin] if each not in self._made
                ]  # fmt: skip
                if not missing:
                    self._drive(cell)
            elif self._before and wanted in self.next_of and wanted not in self._free:
                self._made[wanted] = self._before.after(wanted)
            else:
                self._made[wanted] = z3.Bool(f"{wanted} at {self._number}")
            waiting += missing
        return self._made[bit]

    def bits(self, name: str) -> list[z3.BoolRef]:
        return [self.bit(bit) for bit in self.netlist.bits(name)]

    def word(self, name: str, width: int) -> z3.BitVecRef:
        """A wire as a number of so many bits, with zeros above."""
        return self._word(self.netlist.bits(name), width, signed=False)

    def after(self, bit: Bit) -> z3.BoolRef:
        """A register's value in the next cycle."""
        return self.bit(self.next_of[bit])

    def _drive(self, cell: Cell) -> None:
        kind, pins, signed = cell
        out = pins["Y"]
        if kind in _GATES:
            inputs = [self.bit(pins[pin][0]) for pin in GATE_INPUTS if pin in pins]
            self._made[out[0]] = _GATES[kind](*inputs)
            return
        if kind == "$pmux":
            selects = [self.bit(bit) for bit in pins["S"]]
            for place, bit in enumerate(out):
                formula = self.bit(pins["A"][place])
                for number, select in enumerate(selects):
                    taken = self.bit(pins["B"][number * len(out) + place])
                    formula = z3.If(select, taken, formula)
                self._made[bit] = formula
            return
        width = max(len(out), len(pins["A"]), len(pins["B"])) + 1
        a, b = (self._word(pins[pin], width, both) for pin, both in zip("AB", signed, strict=True))
        result = _WORDS[kind](a, b)
        for place, bit in enumerate(out):
            if z3.is_bool(result):
                self._made[bit] = result if place == 0 else z3.BoolVal(False)
            else:
                self._made[bit] = z3.Extract(place, place, result) == 1

    def _word(self, bits: Sequence[Bit], width: int, signed: bool) -> z3.BitVecRef:
        ones = [z3.If(self.bit(bit), z3.BitVecVal(1, 1), z3.BitVecVal(0, 1)) for bit in bits]
        word = reduce(lambda low, high: z3.Concat(high, low), ones)
        extend = z3.SignExt if signed else z3.ZeroExt
        return extend(width - len(bits), word)


def one_hot(bits: Sequence[z3.BoolRef]) -> z3.BoolRef:
    return z3.PbEq([(bit, 1) for bit in bits], 1)


def at_most_one(bits: Sequence[z3.BoolRef]) -> z3.BoolRef:
    return z3.AtMost(*bits, 1) if len(bits) > 1 else z3.BoolVal(True)


def holds(hypotheses: Sequence[z3.BoolRef], goal: z3.BoolRef) -> bool:
    """Whether there is no counterexample, and the hypotheses do not contradict each other."""
    solver = z3.Solver()
    solver.set("timeout", 60_000)
    solver.add(*hypotheses)
    if solver.check() != z3.sat:
        return False
    solver.add(z3.Not(goal))
    return bool(solver.check() == z3.unsat)


def reachable(step: Step, registers: Sequence[Bit], start: Sequence[bool]) -> z3.BoolRef:
    """What a few registers can hold after a reset, all others being free: values are added until
    no step leads out of them."""
    now, after = [step.bit(bit) for bit in registers], [step.after(bit) for bit in registers]
    found = [tuple(start)]
    solver = z3.Solver()
    for values in found:  # which grows
        solver.push()
        solver.add(*(bit == value for bit, value in zip(now, values, strict=True)))
        for known in found:
            solver.add(z3.Or(*(bit != value for bit, value in zip(after, known, strict=True))))
        while solver.check() == z3.sat:
            model = solver.model()
            new = tuple(z3.is_true(model.eval(bit, model_completion=True)) for bit in after)
            found.append(new)
            solver.add(z3.Or(*(bit != value for bit, value in zip(after, new, strict=True))))
        solver.pop()
    return z3.Or(*(z3.And(*(b == v for b, v in zip(now, values, strict=True))) for values in found))
