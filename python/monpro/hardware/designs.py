# SPDX-License-Identifier: Apache-2.0
"""The named designs of designs.toml, and variants of them with other parameters."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from monpro.base import paths, toml
from monpro.errors import MonproError
from monpro.hardware.models import product
from monpro.hardware.models.coprocessor import Coprocessor
from monpro.hardware.models.montgomery import multiplier_delay, operand_words
from monpro.hardware.models.product import EXACT_MULTIPLIERS, ProductCoprocessor
from monpro.hardware.models.select import SERIAL_MULTIPLIERS, coprocessor
from monpro.hardware.models.serial import SerialCoprocessor, chunks
from monpro.hardware.models.word import MIN_WORDS
from monpro.hardware.regs import Scheme

# What a variant may change, with the range that the RTL elaborates. A parameter's name in the RTL
# is this one in camel case: word_bits is WordBits.
PARAMETERS: Mapping[str, range] = {
    "word_bits": range(8, 37),
    "elements": range(1, 1025),
    "min_bits": range(32, 16385),
    "max_bits": range(32, 16385),
    "table_words": range((1 << 20) + 1),
    "table_banks": range(1, 17),
    "entries": range(33),
    "digit_bits": range(37),
}

# Bits that a multiplier block takes on each side; that of a 7-series takes these as well.
BLOCK_BITS = 18
TILE_BITS = (24, 17)

_DESIGN = "MONPRO_ERR_DESIGN"


@dataclasses.dataclass(frozen=True, slots=True)
class Design:
    """One design; the fields are the keys of its table in designs.toml, explained there."""

    name: str
    summary: str
    multiplier: str
    word_bits: int
    elements: int
    min_bits: int
    max_bits: int
    table_words: int
    table_banks: int
    entries: int
    schemes: tuple[str, ...]
    bus: str
    crt: bool
    reference: str
    digit_bits: int = 0

    def parameters(self) -> dict[str, int]:
        """The parameters of the RTL's top module that are numbers, by their names here."""
        return {key: getattr(self, key) for key in PARAMETERS}

    def rtl_parameters(self) -> dict[str, int | str]:
        """All parameters of the RTL's top module, with names and values in SystemVerilog's form."""
        if self.stream:
            return {"Lanes": self.elements, "MaxDigits": self.max_bits // self.word_bits}
        values: dict[str, int | str] = {"Multiplier": f'"{self.multiplier}"'}
        for key, value in self.parameters().items():
            if key != "digit_bits" or value:  # what stands for words is the RTL's default
                values["".join(word.title() for word in key.split("_"))] = value
        values["Schemes"] = sum(1 << Scheme[name.upper()] for name in self.schemes)
        values["Crt"] = int(self.crt)
        return values

    @property
    def serial(self) -> bool:
        """Whether its core is the one of serial multipliers."""
        return self.multiplier in SERIAL_MULTIPLIERS

    @property
    def products(self) -> bool:
        """Whether it does single products, for software that keeps the exponentiation."""
        return self.entries != 0

    @property
    def stream(self) -> bool:
        """Whether it is a kernel between two streams, with the exponentiation in software."""
        return self.bus == "axi4-stream"

    @property
    def top(self) -> str:
        """The RTL's top module."""
        return f"monpro_{self.multiplier}" if self.stream else "monpro_coprocessor"

    @property
    def multipliers(self) -> int:
        """Multiplier blocks present."""
        if self.serial:
            return 0
        word, digit = self.block_bits
        if word <= TILE_BITS[0] and digit <= TILE_BITS[1]:
            return self.elements
        return self.elements * -(-word // BLOCK_BITS) * -(-digit // BLOCK_BITS)

    @property
    def block_bits(self) -> tuple[int, int]:
        """Bits of the factors that an element multiplies: of a word, and of a digit."""
        return self.word_bits, self.digit_bits or self.word_bits

    @property
    def narrow(self) -> bool:
        """Whether digits are narrower than words, for blocks of unequal sides: 7-series alone."""
        return self.block_bits[0] != self.block_bits[1]

    @property
    def delay(self) -> int:
        """Rows by which the multiplier uses a quotient digit late."""
        return multiplier_delay(self.multiplier)

    def model(self) -> Coprocessor | SerialCoprocessor | ProductCoprocessor:
        """Its cycles, by the model of its core; a stream kernel's are in monpro.models.dataflow."""
        if self.stream:
            raise _error(
                "UNSUPPORTED",
                f"the cycles of {self.name} are those of runs: see monpro papers maxeler",
            )
        return coprocessor(multiplier=self.multiplier, crt=self.crt, **self.parameters())

    def with_parameters(self, **changes: int) -> Design:
        """A variant for study, named like "small,elements=4"."""
        for key, value in changes.items():
            if key not in PARAMETERS:
                raise _error(
                    "PARAMETER", f'no parameter "{key}"; there are: {", ".join(PARAMETERS)}'
                )
            allowed = PARAMETERS[key]
            if value not in allowed:
                raise _error(
                    "PARAMETER",
                    f"{key} = {value} is not possible; it can be {allowed[0]} to {allowed[-1]}",
                )
        if not changes:
            return self
        name = ",".join([self.name, *(f"{key}={value}" for key, value in changes.items())])
        variant = dataclasses.replace(self, name=name, **changes)  # type: ignore[arg-type]
        variant.check()
        return variant

    def check(self) -> None:
        """Checks relations between parameters that no single range can state, as the RTL does."""
        word, digit = self.block_bits
        rules = {
            f"digit_bits = {digit} is not word_bits / 2 to word_bits, which is {word}": (
                word <= 2 * digit <= 2 * word
            ),
            f"digit_bits = {digit} below word_bits wants the multiplier array and no entries": (
                not self.narrow or (self.multiplier == "array" and not self.products)
            ),
        }
        _require(rules)
        if self.stream:
            return self._check_stream()
        if self.serial:
            return self._check_serial()
        if self.products:
            return self._check_products()
        shortest, longest = self._operand_words(self.min_bits), self._operand_words(self.max_bits)
        table = f"table_words = {self.table_words}"
        rules = {
            "the multiplier word is for single products: entries must not be 0": (
                self.multiplier not in EXACT_MULTIPLIERS
            ),
            f"min_bits = {self.min_bits} is above max_bits = {self.max_bits}": (
                self.min_bits <= self.max_bits
            ),
            f"min_bits = {self.min_bits} fills less than four words of {self.word_bits} bits": (
                shortest >= 4
            ),
            f"{table} is not a power of two": self.table_words.bit_count() == 1,
            f"table_banks = {self.table_banks} is not a power of two": (
                self.table_banks.bit_count() == 1
            ),
            f"{table} is too small: it has to hold two operands of {longest} words in each bank": (
                self.table_words >= 2 * self.table_banks * longest
            ),
            "crt = true wants the multiplier pipelined": (
                not self.crt or self.multiplier == "pipelined"
            ),
        }
        _require(rules)

    def _fixed(self, fixed: Mapping[str, int | bool]) -> dict[str, bool]:
        return {
            f"{key} = {getattr(self, key)} is not possible with the multiplier {self.multiplier}"
            f"{' and entries' if self.products else ''}: it is {value}": getattr(self, key) == value
            for key, value in fixed.items()
        }

    def _check_stream(self) -> None:
        rules = self._fixed(
            {"word_bits": 32, "table_words": 0, "table_banks": 1, "entries": 0, "crt": False}
        )
        rules |= {
            f"min_bits = {self.min_bits} is above max_bits = {self.max_bits}": (
                self.min_bits <= self.max_bits
            ),
            f"elements = {self.elements} are not 1, 2, 4 or 8 lanes": self.elements in (1, 2, 4, 8),
            f"max_bits = {self.max_bits} is not 128, 256, 512, 1024, 2048 or 4096": (
                self.max_bits in (128, 256, 512, 1024, 2048, 4096)
            ),
        }
        _require(rules)

    def _check_products(self) -> None:
        exact = self.multiplier in EXACT_MULTIPLIERS
        words = product.length(self.min_bits, self.word_bits, exact=exact)
        rules = self._fixed({"table_words": 0, "table_banks": 1, "crt": False})
        rules |= {
            f"min_bits = {self.min_bits} is above max_bits = {self.max_bits}": (
                self.min_bits <= self.max_bits
            ),
            f"entries = {self.entries} is not 8, 16 or 32": self.entries in (8, 16, 32),
            f"entries want the multiplier array or {EXACT_MULTIPLIERS[0]}": (
                exact or self.multiplier == "array"
            ),
        }
        if exact:
            rules |= {
                f"elements = {self.elements} is not possible with the multiplier "
                f"{self.multiplier}: it is 1 or 2": self.elements in (1, 2),
                f"word_bits = {self.word_bits} is odd or above 32": (
                    self.word_bits % 2 == 0 and self.word_bits <= 32
                ),
                f"min_bits = {self.min_bits} fills less than {MIN_WORDS.get(self.elements, 0)} "
                f"words of {self.word_bits} bits": words >= MIN_WORDS.get(self.elements, 0),
            }
        else:
            rules[
                f"min_bits = {self.min_bits} fills less than four words of {self.word_bits} bits"
            ] = words >= 3
        _require(rules)

    def _check_serial(self) -> None:
        rules = self._fixed(
            {
                "word_bits": 32, "elements": 1, "table_words": 0, "table_banks": 1, "entries": 0,
                "crt": False,
            }
        )  # fmt: skip
        rules |= {
            f"min_bits = {self.min_bits} is above max_bits = {self.max_bits}": (
                self.min_bits <= self.max_bits
            ),
            f"min_bits = {self.min_bits} is too short: a product takes min_bits + 10 cycles at "
            f"least, its operands of max_bits = {self.max_bits} {chunks(self.max_bits)}": (
                self.min_bits + 10 > chunks(self.max_bits)
            ),
            "the scheme repeated wants the multiplier interleaved": (
                self.multiplier == "interleaved" or "repeated" not in self.schemes
            ),
        }
        _require(rules)

    def _operand_words(self, bits: int) -> int:
        """operand_words() of rtl/common/monpro_pkg.sv."""
        return operand_words(bits, self.word_bits, self.delay)


def _require(rules: Mapping[str, bool]) -> None:
    for broken, holds in rules.items():
        if not holds:
            raise _error("PARAMETER", broken)


def _error(kind: str, message: str) -> MonproError:
    return MonproError(f"MONPRO_ERR_{kind}", message)


@dataclasses.dataclass(frozen=True, slots=True)
class _File:
    """The form of designs.toml: a table for each design, by its name."""

    design: Mapping[str, Any]


def _design(name: str, table: Any, source: Path) -> Design:
    where = f"design.{name}"
    design = toml.convert(table, Design, source, where, error=_DESIGN, name=name)
    schemes = [scheme.name.lower() for scheme in Scheme]
    if unknown := [scheme for scheme in design.schemes if scheme not in schemes]:
        raise _error("DESIGN", f'{source}: {where}: no scheme "{unknown[0]}"; '
                     f"there are: {', '.join(schemes)}")  # fmt: skip
    design.with_parameters(**design.parameters())  # the same ranges hold for the named ones
    return design


def read(source: Path) -> dict[str, Design]:
    """The designs of a file with the form of designs.toml."""
    tables = toml.read(source, _File, error=_DESIGN).design
    return {name: _design(name, table, source) for name, table in tables.items()}


@functools.cache
def load() -> Mapping[str, Design]:
    """The designs that Monpro comes with, by name."""
    return read(paths.share() / "designs.toml")


def get(name: str) -> Design:
    """One design by its name."""
    designs = load()
    if name not in designs:
        raise _error("DESIGN", f'no design "{name}"; there are: {", ".join(designs)}')
    return designs[name]


def parameter(design: Design, key: str) -> str:
    """A parameter by what a specification calls it: the elements of a kernel are its lanes."""
    return "elements" if design.stream and key == "lanes" else key


def parse(text: str) -> Design:
    """A design by what follows "sim:" in an engine's specification, as "small,elements=4"."""
    name, *settings = text.split(",")
    design = get(name)
    changes: dict[str, int] = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            raise _error("PARAMETER", f'"{setting}" is not of the form parameter=value')
        key = parameter(design, key)
        if key in changes:
            raise _error("PARAMETER", f"{key} is given twice")
        try:
            changes[key] = int(value, 10)
        except ValueError:
            if key in PARAMETERS:
                raise _error("PARAMETER", f'{key} = "{value}" is not a whole number') from None
            changes[key] = 0  # an unknown key is the better thing to complain about
    return design.with_parameters(**changes)
