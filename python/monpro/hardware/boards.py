# SPDX-License-Identifier: Apache-2.0
"""Boards. Each is a folder boards/NAME with a file board.toml, found by a scan.

The folder has everything of its board: constraints, top modules, scripts, device tree. What several
boards use is in boards/common. A board's name is its folder's, with "-" for "_".
"""

from __future__ import annotations

import functools
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from monpro.base import paths, toml
from monpro.base.toml import Positive, Text
from monpro.errors import MonproError

FILE = "board.toml"
COMMON = "common"
# coprocessor: behind the board's serial line. system: with a processor, for `monpro soc build`.
System = Literal["coprocessor", "system"]
# nextpnr: a bitstream is made. vivado: a project is written, which Vivado makes a bitstream of.
Tool = Literal["nextpnr", "vivado"]


@dataclass(frozen=True, slots=True)
class Board:
    """A board; the fields but folder and name are the keys of its board.toml.

    target: the device, as `monpro synth` names it. package: of the device, as the tool names it.
    clock_mhz: of the board, or of the coprocessor where the tool sets it. pins: the constraints.
    formats: endings of the files that program the board. tops: the top module for each system,
    in a file of its name. script, overlay: for Vivado, its script and the device tree.
    next: what to do with the file that is made, {file}. default: of `monpro synth --bitstream`.
    """

    folder: Path
    name: Text
    summary: Text
    tool: Tool
    target: Text
    package: Text
    clock_mhz: Positive
    pins: Text
    formats: tuple[Text, ...]
    tops: Mapping[System, Text]
    next: Text
    script: Text | None = None
    overlay: Text | None = None
    default: bool = False

    def __post_init__(self) -> None:
        if self.tool == "vivado" and None in (self.script, self.overlay):
            raise ValueError('tool = "vivado" wants script and overlay')
        if not self.tops:
            raise ValueError(f"tops is empty; there are: {', '.join(typing.get_args(System))}")

    @property
    def constraints(self) -> Path:
        return self.folder / self.pins

    def top(self, system: System) -> str:
        """The top module for a system; an error where the board has none."""
        if system not in self.tops:
            raise MonproError(
                "MONPRO_ERR_UNSUPPORTED",
                f"the board {self.name} has no top for the {system}: "
                f"its {FILE} has {', '.join(self.tops)}",
            )
        return self.tops[system]

    def top_file(self, system: System) -> Path:
        """The file of the top module: in the board's folder, or shared with other boards."""
        top = self.top(system)
        found = _in(self.folder, top) or _in(self.folder.parent / COMMON, top)
        if found is None:
            raise _error(self.folder, f'tops.{system}: there is no file "{top}.sv" or "{top}.v"')
        return found

    def shared(self) -> list[Path]:
        """The SystemVerilog that all boards share."""
        return sorted((self.folder.parent / COMMON).glob("*.sv"))

    def error(self, message: str) -> MonproError:
        """An error about this board's file."""
        return _error(self.folder, message)

    def next_step(self, file: str) -> str:
        """What to do with a file that was made, for a last line; "" of standard output."""
        return "" if file == "-" else f"; next: {self.next.format(file=file)}"

    def check_output(self, name: str) -> None:
        """Raises an error for a file whose ending says that it is for another programmer."""
        ending = Path(name).suffix.removeprefix(".")
        if ending and ending not in self.formats:
            raise MonproError(
                "MONPRO_ERR_ARGUMENT",
                f"{name}: the file for {self.name} is a .{' or .'.join(self.formats)}",
            )


def _error(folder: Path, message: str) -> MonproError:
    return MonproError("MONPRO_ERR_FILE", f"{folder / FILE}: {message}")


def _in(folder: Path, module: str) -> Path | None:
    files = (folder / f"{module}{ending}" for ending in (".sv", ".v"))
    return next((path for path in files if path.is_file()), None)


def read(folder: Path) -> Board:
    """The board of a folder."""
    path, name = folder / FILE, folder.name.replace("_", "-")
    board = toml.convert(toml.load(path), Board, path, folder=folder, name=name)
    for key in ("pins", "script", "overlay"):
        file = getattr(board, key)
        if file is not None and not (folder / file).is_file():
            raise _error(folder, f'{key}: there is no file "{file}" beside it')
    for system in board.tops:
        board.top_file(system)
    return board


def folder() -> Path:
    """boards/ of the package or of the checkout."""
    path = paths.share() / "boards"
    if not path.is_dir():
        raise MonproError("MONPRO_ERR_FILE", f"there is no folder {path}")
    return path


@functools.cache
def _scan(folder: Path) -> Mapping[str, Board]:
    found = [read(path.parent) for path in sorted(folder.glob(f"*/{FILE}"))]
    return {board.name: board for board in found}


def load() -> Mapping[str, Board]:
    """All boards, by name."""
    return _scan(folder())


def get(name: str) -> Board:
    """A board by its name."""
    if name not in load():
        raise MonproError(
            "MONPRO_ERR_ARGUMENT", f'no board "{name}"; there are: {", ".join(load())}'
        )
    return load()[name]


def default() -> Board:
    """The board for a bitstream where none is named."""
    found = [board for board in load().values() if board.default]
    if len(found) != 1:
        raise MonproError(
            "MONPRO_ERR_ARGUMENT", f"name a board with --board; there are: {', '.join(load())}"
        )
    return found[0]
