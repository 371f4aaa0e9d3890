# SPDX-License-Identifier: Apache-2.0
"""Which bits of a netlist can a secret reach, in any cycle after a reset?

The netlist is Yosys's: simple gates, arithmetic on words, flip-flops and memories. Each bit has a
value that it always has (0 or 1), or none, and a taint. Both only ever grow: a bit that differs
from cycle to cycle loses its value, and a bit that a tainted one can change is tainted. So the
fixpoint covers every cycle of every run, and a state that a reset state cannot reach is not in it.

A taint ends where the other input decides: `0 & secret` is 0. It does not end where a value is
unknown, even if it never lets the secret pass. So "clean" is a proof, and "tainted" is a suspicion.
"""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, partial, reduce
from heapq import heappop, heappush

from formal.netlist import GATE_INPUTS, GATES, Bit, Memory, Netlist, Pins, in_order

NEVER, ZERO, ONE, ANY = range(4)  # what a bit can be: not known yet, 0, 1, both
SECRET = 4  # added to ANY or a value: the taint
VALUE = 3

# How long a reset is held, with the clock running: registers without a reset then hold what the
# others and the static configuration make of them.
RESET_CYCLES = 4

State = int


def join(a: State, b: State) -> State:
    """What is either of the two."""
    taint = (a | b) & SECRET
    x, y = a & VALUE, b & VALUE
    if x in (NEVER, y):
        return y | taint
    return (x if y == NEVER else ANY) | taint


def _not(a: State) -> State:
    return (a & ~VALUE) | (NEVER, ONE, ZERO, ANY)[a & VALUE]


def _and(a: State, b: State) -> State:
    if not (a & VALUE and b & VALUE):
        return NEVER
    if a == ZERO or b == ZERO:
        return ZERO
    if a & VALUE == ZERO or b & VALUE == ZERO:
        value = ZERO
    elif a & VALUE == ONE and b & VALUE == ONE:
        value = ONE
    else:
        value = ANY
    return value | ((a | b) & SECRET)


def _or(a: State, b: State) -> State:
    return _not(_and(_not(a), _not(b)))


def _xor(a: State, b: State) -> State:
    x, y = a & VALUE, b & VALUE
    if not (x and y):
        return NEVER
    value = ANY if ANY in (x, y) else (ZERO if x == y else ONE)
    return value | ((a | b) & SECRET)


def _mux(a: State, b: State, s: State) -> State:
    """a where s is 0, b where it is 1."""
    if not s & VALUE:
        return NEVER
    if s == ZERO:
        return a
    if s == ONE:
        return b
    if a == b and not a & SECRET and a & VALUE in (ZERO, ONE):
        return a
    return join(a, b) | (s & SECRET)


def _majority(a: State, b: State, c: State) -> State:
    return _or(_and(a, b), _or(_and(a, c), _and(b, c)))


def _add(a: Sequence[State], b: Sequence[State], carry: State) -> list[State]:
    total = []
    for x, y in zip(a, b, strict=True):
        total.append(_xor(_xor(x, y), carry))
        carry = _majority(x, y, carry)
    return total


def _number(bits: Sequence[State], signed: bool) -> int:
    value = sum(1 << place for place, bit in enumerate(bits) if bit == ONE)
    return value - (1 << len(bits)) if signed and bits and bits[-1] == ONE else value


def _shiftx(a: int, b: int) -> int:
    return a >> b if b >= 0 else a << -b


def _word(
    kind: str, a: Sequence[State], b: Sequence[State], width: int, signed: tuple[bool, bool]
) -> list[State]:
    """An operation on words: exact of numbers that never change, and otherwise anything."""
    found = [*a, *b]
    if not all(x & VALUE for x in found):
        return [NEVER] * width
    if all(x in (ZERO, ONE) for x in found):
        result = int(_WORDS[kind](_number(a, signed[0]), _number(b, signed[1])))
        return [ONE if result >> place & 1 else ZERO for place in range(width)]
    taint = SECRET if any(x & SECRET for x in found) else 0
    return [ANY | taint] * width


_GATES: dict[str, Callable[..., State]] = {
    "$_NOT_": _not,
    "$_BUF_": lambda a: a,
    "$_AND_": _and,
    "$_OR_": _or,
    "$_XOR_": _xor,
    "$_NAND_": lambda a, b: _not(_and(a, b)),
    "$_NOR_": lambda a, b: _not(_or(a, b)),
    "$_XNOR_": lambda a, b: _not(_xor(a, b)),
    "$_ANDNOT_": lambda a, b: _and(a, _not(b)),
    "$_ORNOT_": lambda a, b: _or(a, _not(b)),
    "$_MUX_": _mux,
}
_WORDS: dict[str, Callable[[int, int], int]] = {
    "$mul": operator.mul, "$lt": operator.lt, "$le": operator.le, "$gt": operator.gt,
    "$ge": operator.ge, "$shl": operator.lshift, "$shr": operator.rshift, "$shiftx": _shiftx,
}  # fmt: skip


def _always(constant: State, _: State) -> State:
    return constant


class Flow:
    """The fixpoint. `secret` and `fixed` name wires: what a secret enters by, and what is known to
    stay as it is during an operation. `declassified` wires may be seen by everybody."""

    def __init__(
        self, netlist: Netlist, secret: Iterable[str], fixed: dict[str, int],
        declassified: Iterable[str],
    ):  # fmt: skip
        self.netlist = netlist
        self.state: dict[Bit, State] = defaultdict(int)
        self._forced: dict[Bit, Callable[[State], State]] = {}
        self._words: dict[str, list[tuple[State, Bit]]] = {}  # of the memories
        self._by: dict[Bit, Bit | None] = {}  # of a tainted bit, the bit that tainted it first
        for name in declassified:
            for bit in netlist.bits(name):
                self._forced[bit] = lambda state: state & VALUE
        for name in secret:
            for bit in netlist.bits(name):
                self._forced[bit] = lambda state: ANY | SECRET
        for name, value in fixed.items():
            for place, bit in enumerate(netlist.bits(name)):
                constant = ONE if value >> place & 1 else ZERO
                self._forced[bit] = partial(_always, constant)
        self._index()
        kept = {None: ANY, False: ZERO, True: ONE}
        after = [kept[reset] for *_, reset in netlist.registers]
        for _ in range(RESET_CYCLES):
            self._start(after)
            self._spread(clocked=False)
            after = [
                self.state[data] if reset is None else kept[reset]
                for (data, _, reset) in netlist.registers
            ]
        self._start(after)
        self._spread(clocked=True)

    def _index(self) -> None:
        """Which cells, registers and memories each bit goes to."""
        self._fanout: dict[Bit, list[int]] = defaultdict(list)
        self._clocks: dict[Bit, list[Bit]] = defaultdict(list)
        self._cells: list[Callable[[], None]] = []
        for kind, pins, signed in in_order(self.netlist.cells):
            inputs = (bit for pin, bits in pins.items() if pin != "Y" for bit in bits)
            self._add(self._cell(kind, pins, signed), inputs)
        for data, out, _ in self.netlist.registers:
            self._clocks[data].append(out)
        for memory in self.netlist.memories:
            stored = [bit for written in memory.written for bit in written]
            reads = [memory.public[name] for name in memory.public if name.startswith("read")]
            stored += [bit for bits in reads for bit in bits]
            self._add(partial(self._remember, memory), stored)
        self._dirty = [False] * len(self._cells)
        self._work: list[int] = []

    def _add(self, evaluate: Callable[[], None], inputs: Iterable[Bit]) -> None:
        for bit in dict.fromkeys(inputs):
            self._fanout[bit].append(len(self._cells))
        self._cells.append(evaluate)

    def _cell(self, kind: str, pins: Pins, signed: tuple[bool, bool]) -> Callable[[], None]:
        state, out = self.state, pins["Y"]
        if kind in GATES:
            rule, inputs = _GATES[kind], [pins[pin][0] for pin in GATE_INPUTS if pin in pins]

            def gate() -> None:
                self._grow(out[0], rule(*[state[bit] for bit in inputs]), inputs)

            return gate
        if kind == "$pmux":
            return self._choice(pins)
        a, b = (
            self._extended(pins[pin], len(out), both)
            for pin, both in zip("AB", signed, strict=True)
        )
        whole = [*pins["A"], *pins["B"]]

        def word() -> None:
            if kind == "$add":
                new = _add([state[x] for x in a], [state[x] for x in b], ZERO)
            elif kind == "$sub":
                new = _add([state[x] for x in a], [_not(state[x]) for x in b], ONE)
            else:
                left, right = ([state[bit] for bit in pins[pin]] for pin in "AB")
                new = _word(kind, left, right, len(out), signed)
            for bit, grown in zip(out, new, strict=True):
                self._grow(bit, grown, whole)

        return word

    def _choice(self, pins: dict[str, list[Bit]]) -> Callable[[], None]:
        """One of many words, by selects of which one at most is 1."""
        state, width = self.state, len(pins["Y"])
        words = [pins["B"][low : low + width] for low in range(0, len(pins["B"]), width)]

        def choose() -> None:
            selects = [state[bit] for bit in pins["S"]]
            if not all(select & VALUE for select in selects):
                return
            secret = any(select & SECRET for select in selects)
            taken = [word for word, s in zip(words, selects, strict=True) if s & VALUE != ZERO]
            if ONE not in selects:
                taken.append(pins["A"])
            for place, bit in enumerate(pins["Y"]):
                states = [state[word[place]] for word in taken]
                new = reduce(join, states)
                if secret and not (len(set(states)) == 1 and new in (ZERO, ONE)):
                    new |= SECRET
                by = [*pins["S"], *(word[place] for word in taken)]
                self._grow(bit, new, by)

        return choose

    @staticmethod
    def _extended(bits: list[Bit], width: int, signed: bool) -> list[Bit]:
        top = bits[-1] if signed else "0"
        return (bits + [top] * width)[:width]

    def _remember(self, memory: Memory) -> None:
        """A state for each bit of a word, of all words together, and the bit that tainted it."""
        words = self._words[memory.name]
        for number, (data, enable) in enumerate(memory.written):
            place = number % len(words)
            if self.state[enable] & VALUE not in (NEVER, ZERO):
                old, _ = words[place]
                new = join(old, self.state[data]) | (self.state[enable] & SECRET)
                if new != old:
                    words[place] = new, data
        for port, bits in enumerate(memory.read):
            address = memory.public[f"read address {port}"]
            taint = SECRET if any(self.state[bit] & SECRET for bit in address) else 0
            for bit, (state, by) in zip(bits, words, strict=True):
                self._grow(bit, state | taint, [*address, by])

    def _grow(self, bit: Bit, state: State, by: Sequence[Bit] = ()) -> None:
        if bit in self._forced:
            state = self._forced[bit](state)
        before = self.state[bit]
        new = join(before, state)
        if new != before:
            self.state[bit] = new
            self._touch(bit)
            self._grown.append(bit)
            if new & SECRET and not before & SECRET:
                self._by[bit] = next((b for b in by if self.state[b] & SECRET), None)

    def _touch(self, bit: Bit) -> None:
        for cell in self._fanout[bit]:
            if not self._dirty[cell]:
                self._dirty[cell] = True
                heappush(self._work, cell)

    def _start(self, registers: Iterable[State]) -> None:
        """A cycle: inputs, registers and memories have their values, and nothing else has."""
        self.state.clear()
        self.state.update({"0": ZERO, "1": ONE, "x": ANY, "z": ANY})
        self._by.clear()
        self._grown: list[Bit] = ["0", "1", "x", "z"]
        for constant in self._grown:
            self._touch(constant)
        for name, bits in self.netlist.inputs.items():
            for bit in bits:
                self._grow(bit, ONE if name == "rst_ni" else ANY)
        for (_, out, _), state in zip(self.netlist.registers, registers, strict=True):
            self._grow(out, state)
        for bit, force in self._forced.items():
            if force(NEVER) != NEVER:
                self._grow(bit, NEVER)
        for memory in self.netlist.memories:
            self._words[memory.name] = [(ANY, "x")] * len(memory.read[0])
            self._remember(memory)

    def _spread(self, *, clocked: bool) -> None:
        """Until nothing grows: within a cycle, or from cycle to cycle."""
        while True:
            while self._work:  # cells in their order: each once, as long as there is no loop
                cell = heappop(self._work)
                self._dirty[cell] = False
                self._cells[cell]()
            grown, self._grown = self._grown, []
            if not (clocked and grown):
                return
            for bit in grown:
                for out in self._clocks[bit]:
                    self._grow(out, self.state[bit], [bit])

    def tainted(self, bits: Iterable[Bit]) -> bool:
        return any(self.state[bit] & SECRET for bit in bits)

    def path(self, bits: Iterable[Bit]) -> list[str]:
        """The names on the way of a secret to the first tainted one of these bits."""
        bit: Bit | None = next(bit for bit in bits if self.state[bit] & SECRET)
        found = []
        while bit is not None:
            if name := self._names.get(bit):
                found.append(name)
            bit = self._by.get(bit)
        return found

    @cached_property
    def _names(self) -> dict[Bit, str]:
        names: dict[Bit, str] = {}
        for name, bits in sorted(self.netlist.names.items(), key=lambda item: len(item[0])):
            for place, bit in enumerate(bits):
                if not name.startswith("$"):
                    names.setdefault(bit, f"{name}[{place}]" if len(bits) > 1 else name)
        return names

    def stuck(self) -> list[str]:
        """Registers that the fixpoint never gave a value: a loop that it cannot resolve."""
        return [str(out) for _, out, _ in self.netlist.registers if not self.state[out] & VALUE]

    def leaks(
        self, data: Iterable[str], clean: Iterable[str] = ()
    ) -> Iterator[tuple[str, list[Bit]]]:
        """Outputs, and addresses and enables of memories, that a secret reaches. `data` names the
        outputs that carry operands and results; `clean` names wires that must not be reached."""
        places = {f"wire {name}": self.netlist.bits(name) for name in clean}
        for name in self.netlist.outputs.keys() - set(data):
            places[f"output {name}"] = self.netlist.outputs[name]
        for memory in self.netlist.memories:
            for port, bits in memory.public.items():
                places[f"{memory.name}: {port}"] = bits
        for place, bits in sorted(places.items()):
            if self.tainted(bits):
                yield place, bits
