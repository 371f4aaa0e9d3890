# SPDX-License-Identifier: Apache-2.0
"""The space that `monpro explore` sweeps: hardware, device, operation, length, scheme, window.

Hardware is written as in an engine's specification, with alternatives: "small,elements=4/8/16". A
point is one hardware on one device doing one operation. Its cycles are those of the models, and the
tests of the RTL hold the models to the simulation, cycle for cycle. A kernel between streams takes
part with a full batch. Its cycles are shared among the operations.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from monpro.bench import schemes as bench_schemes
from monpro.errors import MonproError
from monpro.hardware import designs
from monpro.hardware.designs import Design
from monpro.hardware.models.coprocessor import MAX_WINDOW
from monpro.hardware.regs import Scheme
from monpro.measure import predict
from monpro.study import dataflow
from monpro.synth.targets import Target

E = 65537
KEY_BITS = 8  # an exponent is loaded as whole bytes

OPERATIONS = {
    "modexp": "an exponentiation with a secret exponent as long as the modulus",
    "rsa_private": "an RSA private operation by CRT, its result checked",
    "rsa_public": f"an RSA public operation, e = {E}",
}

# One synthesis and one placement of each serve all lengths, schemes and windows.
DESIGNS = (
    "tiny,elements=1/2/4",
    "small,elements=4/6/8/10/12/16/20/24/28",
    "small,elements=8/16/24,word_bits=18",
    "fast,elements=4/6",
    "pynq,elements=1/2",
    "montgomery",
)
BITS = (1024, 2048, 3072, 4096)


@dataclass(frozen=True, slots=True)
class Point:
    """One row of an exploration.

    cycles: from the operands in the memory until the result is there. For a kernel between streams
    it is a share of the cycles of a full batch.
    """

    design: Design
    target: Target
    operation: str
    bits: int
    scheme: str
    window: int | None
    cycles: int
    key_state: str

    @property
    def exponent(self) -> str:
        return "public" if self.operation == "rsa_public" else "secret"

    @property
    def title(self) -> str:
        return f"{self.design.name} on {self.target.name}"

    @property
    def batch(self) -> int | None:
        """Operations that go side by side, and end together; None: one at a time."""
        return dataflow.BATCH if self.design.stream else None


@dataclass(frozen=True, slots=True)
class Space:
    """What is swept. window: "all" that fit, a number of bits, or "best". scheme_best: of the
    schemes, and of their windows, the one that takes fewest cycles of each design and length."""

    designs: tuple[Design, ...]
    targets: tuple[Target, ...]
    bits: tuple[int, ...]
    operation: str = "modexp"
    schemes: tuple[str, ...] = ("fixed_window",)
    scheme_best: bool = False
    window: str = "best"
    warm: bool = False

    def points(self) -> list[Point]:
        """All points, in the order of the space. Some designs take fewer lengths or schemes.

        MonproError if there is none at all.
        """
        found = []
        for design, target in itertools.product(self.designs, self.targets):
            for bits in self.bits:
                found += _of_design(self, design, target, bits)
        if not found:
            raise MonproError(
                "MONPRO_ERR_ARGUMENT",
                f"no design takes any of {', '.join(map(str, self.bits))} bits with "
                f"{' or '.join(self.schemes)}",
            )
        return found


def expand(spec: str) -> list[Design]:
    """The designs of a specification with alternatives, in order; equal ones once.

    A combination that the RTL does not elaborate is left out; MonproError if none is left, or for
    a name or a number that is wrong by itself.
    """
    name, *settings = spec.removeprefix("sim:").split(",")
    base, axes = designs.get(name), []
    for setting in settings:
        key, equals, values = setting.partition("=")
        key = designs.parameter(base, key)
        choices = [f"{key}{equals}{value}" for value in values.split("/")]
        for one in choices:
            _check(name, one)
        own = f"{key}={getattr(base, key, None)}"
        axes.append([() if one == own else (one,) for one in choices])
    found: dict[tuple[object, ...], Design] = {}
    refused: MonproError | None = None
    for choice in itertools.product(*axes):
        try:
            design = designs.parse(",".join([name, *itertools.chain(*choice)]))
        except MonproError as why:
            refused = refused or why
            continue
        found.setdefault(tuple(design.parameters().values()), design)
    if not found:
        assert refused
        raise refused
    return list(found.values())


def _check(name: str, setting: str) -> None:
    """Complains about a setting that no combination with others could save."""
    key, _, value = setting.partition("=")
    numbers = designs.PARAMETERS.get(key, range(0))
    if not value.isdecimal() or int(value) not in numbers:
        designs.parse(f"{name},{setting}")


def expand_all(specs: Sequence[str]) -> tuple[Design, ...]:
    """As expand(), of several specifications; hardware that is listed twice counts once."""
    found: dict[tuple[object, ...], Design] = {}
    for spec in specs:
        for design in expand(spec):
            found.setdefault((design.top, *design.rtl_parameters().values()), design)
    return tuple(found.values())


def schemes(names: Sequence[str], operation: str) -> tuple[str, ...]:
    """The schemes to sweep by their names; of "all" or "best" those that the operation can have."""
    kind = "public" if operation == "rsa_public" else "secret"
    usable = [name for name, kinds in bench_schemes.KINDS.items() if kind in kinds]
    if operation == "rsa_private":
        usable = [scheme.name.lower() for scheme in Scheme if scheme.facts.crt]
    if "all" in names or "best" in names:
        return tuple(usable)
    if wrong := [name for name in names if name not in usable]:
        raise MonproError(
            "MONPRO_ERR_SCHEME",
            f'{operation} has no scheme "{wrong[0]}"; there are: {", ".join(usable)}, all, best',
        )
    return tuple(dict.fromkeys(names))


# ---- cycles


def _of_design(space: Space, design: Design, target: Target, bits: int) -> list[Point]:
    def point(scheme: str, window: int | None, cycles: int) -> Point:
        warm = space.warm and space.operation != "rsa_private"
        state = "warm" if warm else "cold"
        return Point(design, target, space.operation, bits, scheme, window, cycles, state)

    shortest = bits // 2 if space.operation == "rsa_private" else bits
    if not (design.min_bits <= shortest and bits <= design.max_bits):
        return []
    found = []
    for scheme in space.schemes:
        if scheme not in design.schemes:
            continue
        if space.operation == "rsa_private":
            found.append(point(scheme, None, _private(design, bits)))
            continue
        costs = _cycles(space, design, bits, scheme)
        if space.window == "best":
            costs = dict([min(costs.items(), key=lambda item: item[1])]) if costs else {}
        found += [point(scheme, window or None, cycles) for window, cycles in costs.items()]
    if space.scheme_best and found:
        return [min(found, key=lambda one: one.cycles)]
    return found


def _cycles(space: Space, design: Design, bits: int, scheme: str) -> dict[int, int]:
    """Cycles by window; by 0 for a scheme without one."""
    number = Scheme[scheme.upper()]
    windows: Sequence[int] = [0]
    if number.facts.window:
        asked = range(1, MAX_WINDOW + 1)
        if space.window.isdecimal():
            asked = range(int(space.window), int(space.window) + 1)
        windows = [w for w in asked if _fits(design, number, bits, w)]
    public = space.operation == "rsa_public"
    return {w: _cost(design, number, bits, w or 1, public=public, warm=space.warm) for w in windows}


def _fits(design: Design, scheme: Scheme, bits: int, window: int) -> bool:
    """Whether there is room for a window's table. A kernel's software has room for every table."""
    if design.stream:
        return window <= MAX_WINDOW
    return design.model().window_fits(bits, window, scheme=scheme)


def _private(design: Design, bits: int) -> int:
    """Cycles of a private operation, by CRT and with the check of its result."""
    if design.stream:
        windows = range(1, MAX_WINDOW + 1)
        half = min(
            _cost(design, Scheme.FIXED_WINDOW, bits // 2, window, public=False, warm=False)
            for window in windows
        )
        return 2 * half + _cost(design, Scheme.BINARY, bits, 1, public=True, warm=False)
    [row] = [r for r in predict.predict(design, "rsa_private", bits, E).rows if r[1]]
    return row[2]


@functools.cache
def _cost(
    design: Design, scheme: Scheme, bits: int, window: int, *, public: bool, warm: bool
) -> int:
    """Cycles of an exponentiation, by the model: some milliseconds of walking through its steps."""
    length = KEY_BITS * -(-E.bit_length() // KEY_BITS) if public else bits
    exponent = E if public else None
    if design.stream:
        together = dataflow.exponentiation_cycles(
            design.elements, scheme, bits, length, window, exponent=exponent
        )
        return -(-together // dataflow.BATCH)
    return design.model().modexp(scheme, bits, length, window, warm=warm, exponent=exponent).cycles
