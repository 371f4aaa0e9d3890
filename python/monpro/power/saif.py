# SPDX-License-Identifier: Apache-2.0
"""Toggles in a SAIF file, as Verilator writes it: of each module instance, with registers apart.

- A register is a signal named *_q, as all registers of this project are.
- Bits that never change are left out. Most are constants, of which synthesis makes nothing. The
  others belong to longer operands than the operation has. So one model of a design also tells what
  the design would do if it were built for less.
- A signal that goes through ports is there once in each module.
- Contents of memories are no signals.
- Verilator evaluates a net once a cycle, so there are no glitches.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from monpro.errors import MonproError

CLOCK, MEMORY = "clk_i", "memory_q"
# A multiplier block, by the ports that it has and their names (rtl/multipliers/monpro_block.sv).
BLOCK, FACTORS = "u_block", ("a_i", "b_i")
_INSTANCE = re.compile(r"\s*\(INSTANCE (\S+)$")
_NET = re.compile(r"\s*\((\S+) \(T0 \d+\) .*\(TC (\d+)\)\)$")


@dataclass(slots=True)
class Toggles:
    """The toggles of one instance.

    They are the bits of registers and of other nets that change, the changes of each, and the
    changes at the factors of a multiplier block.
    """

    registers: int = 0
    register_changes: int = 0
    nets: int = 0
    net_changes: int = 0
    factor_changes: int = 0
    is_block: bool = False


@dataclass(frozen=True, slots=True)
class Counted:
    """A whole file. clock_cycles: all cycles of it, also those with nothing to do."""

    instances: dict[str, Toggles]
    clock_cycles: float

    def total(self) -> Toggles:
        result = Toggles()
        for each in self.instances.values():
            result.registers += each.registers
            result.register_changes += each.register_changes
            result.nets += each.nets
            result.net_changes += each.net_changes
            result.factor_changes += each.factor_changes
        return result

    @property
    def blocks(self) -> int:
        """Multiplier blocks."""
        return sum(each.is_block for each in self.instances.values())


def _events(path: Path) -> Iterator[tuple[str, str, int]]:
    """(path of the instance, signal, changes), bit by bit."""
    scopes: list[str | None] = []  # None: a bracket that is no instance
    with path.open(encoding="utf-8", errors="replace") as file:
        for line in file:
            line = line.rstrip()
            if net := _NET.match(line):
                where = "/".join(scope for scope in scopes if scope)
                yield where, net[1].split("\\[", 1)[0].split("[", 1)[0], int(net[2])
            elif instance := _INSTANCE.match(line):
                scopes.append(instance[1])
            elif line.strip() == ")":
                if scopes:
                    scopes.pop()
            elif line.count("(") > line.count(")"):
                scopes.append(None)


def read(path: Path) -> Counted:
    """Counts a file. MonproError if it is not there, or without a clock in it."""
    instances: dict[str, Toggles] = {}
    clock = 0
    try:
        for where, name, changes in _events(path):
            if name == CLOCK:
                clock = max(clock, changes)
                continue
            if name.startswith(MEMORY):
                continue
            found = instances.setdefault(where, Toggles())
            if where.rsplit("/", 1)[-1] == BLOCK and name in FACTORS:
                found.is_block = True
                found.factor_changes += changes
            if changes and name.endswith("_q"):
                found.registers += 1
                found.register_changes += changes
            elif changes:
                found.nets += 1
                found.net_changes += changes
    except OSError as why:
        raise MonproError("MONPRO_ERR_FILE", f"{path}: {why.strerror}") from why
    if not clock:
        raise MonproError("MONPRO_ERR_FILE", f"{path}: no activity: the clock never changes in it")
    return Counted(instances, clock / 2)
