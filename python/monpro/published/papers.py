"""The figures of reference designs, from `published/`, each with its doubts: R1's rows of two
tables, R2's profile and rows of blocks, R3's rows of one table, R4's by length, R5's steps."""

from __future__ import annotations

import dataclasses
import functools
import tomllib
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from monpro.base import paths
from monpro.errors import MonproError

DESIGNS = ("repeated", "binary", "montgomery")
# Tables with a figure for each length; those that the thesis has for two of the designs only.
TABLES = {
    "LUT": DESIGNS,
    "FF": DESIGNS,
    "cycles": DESIGNS,
    "throughput_bit_s": DESIGNS,
    "latency_us_min": DESIGNS[1:],
    "latency_us_max": DESIGNS[1:],
    "latency_us_avg": DESIGNS[1:],
    "static_W": DESIGNS,
    "dynamic_W": DESIGNS,
    "energy_J": DESIGNS[1:],
}
CLOCK = "max_frequency_MHz"  # one figure for each design
SECONDS = "latency_repeated_s"  # one table of its own
SOFTWARE = "msp430"  # lists of its own, for each of its clocks
OTHERS = ("survey",)  # of the same file, for those who print it


@dataclass(frozen=True, slots=True)
class Doubt:
    """A figure that contradicts itself or arithmetic, and why."""

    of: str
    why: str


def doubts_of(doubts: Sequence[Doubt], *beginnings: str) -> list[Doubt]:
    """Those whose figure is named so."""
    return [doubt for doubt in doubts if doubt.of.startswith(beginnings)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperRow:
    """R1: one operation, in software or hardware. The cycles are those of the processor's clock."""

    bits: int
    op: str
    impl: str
    cycles_M: float
    time_ms: float
    throughput_ops_s: float
    speedup: float | None = None


@dataclass(frozen=True, slots=True)
class Paper:
    """R1: tables I and II."""

    source: Mapping[str, Any]
    rows: tuple[PaperRow, ...]
    doubts: tuple[Doubt, ...]

    def row(self, bits: int, op: str, impl: str) -> PaperRow:
        [found] = [row for row in self.rows if (row.bits, row.op, row.impl) == (bits, op, impl)]
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileRow:
    """R2: one function of the host's program, by gprof."""

    function: str
    time_percent: float
    cumulative_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class BlocksRow:
    """R2: many blocks through one lane; "speed-up" is time saved."""

    input_MB: int
    blocks: int
    cpu_s: float
    dfe_s: float
    speedup_percent: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LanesRow:
    """R2: more lanes, at several sizes."""

    lanes: int
    input_MB: tuple[int, ...]
    speedup_percent: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleProduct:
    """R2: one product with a restart for each of its constants."""

    what: str
    cpu_ns: float
    dfe_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DataflowTotal:
    """R2: what it concludes, by Amdahl's law."""

    multiplication_share_percent: float
    multiplication_improved_percent: float
    whole_encryption_improved_percent: float


@dataclass(frozen=True, slots=True)
class Dataflow:
    """R2: tables 1 to 3 and two figures of its text."""

    source: Mapping[str, Any]
    profile: tuple[ProfileRow, ...]
    rows: tuple[BlocksRow, ...]
    lanes: tuple[LanesRow, ...]
    single_product: SingleProduct
    total: DataflowTotal
    doubts: tuple[Doubt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PosterRow:
    """R3: an exponentiation of 1024 bits by one of several designs."""

    who: str
    schemes: str
    sizes: tuple[int, ...]
    coprocessor: str
    device: str
    MHz: str  # two of them, where a source names two and not which is the multiplier's
    LUT: int
    BRAM: int
    DSP: int
    time_ms: float

    @property
    def timed(self) -> str:
        """The scheme that the time is of."""
        schemes, mark, _ = self.schemes.partition(" timed)")
        return schemes.split("(")[-1] if mark else schemes

    @property
    def cycles(self) -> tuple[float, float]:
        """At the lowest clock that is named, and at the highest."""
        clocks = [float(clock) for clock in self.MHz.split("/")]
        return clocks[0] * 1e3 * self.time_ms, clocks[-1] * 1e3 * self.time_ms

    @property
    def multiplier_cycles(self) -> tuple[float, float] | None:
        """None without DSP blocks."""
        low, high = self.cycles
        return (self.DSP * low, self.DSP * high) if self.DSP else None


@dataclass(frozen=True, slots=True, kw_only=True)
class PosterClaim:
    """What R3 says beside its table."""

    speedup_over_relic_max: float
    communication_overhead_percent_below: float


@dataclass(frozen=True, slots=True)
class Poster:
    """R3: the comparison table and two claims."""

    source: Mapping[str, Any]
    claim: PosterClaim
    rows: tuple[PosterRow, ...]
    doubts: tuple[Doubt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRow:
    """R5: a program after so many optimization steps."""

    iteration: int
    what: str
    roundtrip_s: float
    gain_percent: float | None = None  # against iteration 0
    assembly_lines: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Assist:
    """R5: an instruction that was drawn."""

    what: str
    software_cycles: int
    assisted_cycles: int
    estimated_speedup: float
    measured: bool


@dataclass(frozen=True, slots=True)
class Optimizations:
    """R5: table 1, and the instruction."""

    source: Mapping[str, Any]
    rows: tuple[StepRow, ...]
    assist: Assist
    doubts: tuple[Doubt, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SoftwareRow:
    """R4: RSA-1024 on a microcontroller at one of its clocks."""

    MHz: float
    encrypt_ms: float
    decrypt_s: float


@dataclass(frozen=True, slots=True)
class Thesis:
    """R4. Every list has a figure for each of `bits`."""

    source: Mapping[str, Any]
    bits: tuple[int, ...]
    clock_mhz: Mapping[str, float]
    repeated_s: tuple[float, ...]
    tables: Mapping[str, Mapping[str, tuple[float, ...]]]
    doubts: tuple[Doubt, ...]
    software: tuple[SoftwareRow, ...]

    def figure(self, table: str, design: str, bits: int) -> float:
        return self.tables[table][design][self.bits.index(bits)]

    def doubts_of(self, *beginnings: str) -> list[Doubt]:
        """Those whose figure is named so."""
        return doubts_of(self.doubts, *beginnings)


def _error(source: Path, message: str) -> MonproError:
    return MonproError("MONPRO_ERR_FILE", f"{source}: {message}")


def _list(source: Path, where: str, value: Any, length: int) -> tuple[float, ...]:
    numbers = value if isinstance(value, list) else []
    positive = [x for x in numbers if isinstance(x, int | float) and x > 0]
    if len(numbers) != length or len(positive) != length:
        raise _error(source, f"{where} is not a list of {length} positive numbers")
    return tuple(numbers)


def _load(source: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(source.read_text(encoding="utf-8"))
    except OSError as why:
        raise _error(source, why.strerror or str(why)) from why
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as why:
        raise _error(source, str(why)) from why


def read(source: Path) -> Thesis:
    """A file with the form of R4.toml; an unknown key is an error."""
    data = _load(source)
    known = ["bits", "source", "doubt", CLOCK, SECONDS, SOFTWARE, *TABLES, *OTHERS]
    if unknown := [key for key in data if key not in known]:
        raise _error(source, f'unknown key "{unknown[0]}"; there are: {", ".join(known)}')
    needed = [key for key in known if key not in OTHERS]
    if missing := [key for key in needed if key not in data]:
        raise _error(source, f'"{missing[0]}" is missing')
    bits = tuple(int(x) for x in _list(source, "bits", data["bits"], len(data["bits"])))
    tables = {}
    for name, designs in TABLES.items():
        if set(data[name]) != set(designs):
            raise _error(source, f"[{name}] has exactly the keys {', '.join(designs)}")
        tables[name] = {
            design: _list(source, f"{name}.{design}", data[name][design], len(bits))
            for design in designs
        }
    if set(data[CLOCK]) != set(DESIGNS):
        raise _error(source, f"[{CLOCK}] has exactly the keys {', '.join(DESIGNS)}")
    repeated_s = _list(source, SECONDS, data[SECONDS].get("repeated"), len(bits))
    doubts = tuple(Doubt(**item) for item in data["doubt"])
    columns = [field.name for field in dataclasses.fields(SoftwareRow)]
    if set(data[SOFTWARE]) != set(columns):
        raise _error(source, f"[{SOFTWARE}] has exactly the keys {', '.join(columns)}")
    many = len(data[SOFTWARE]["MHz"])
    lists = [_list(source, f"{SOFTWARE}.{key}", data[SOFTWARE][key], many) for key in columns]
    software = tuple(
        SoftwareRow(**dict(zip(columns, row, strict=True))) for row in zip(*lists, strict=True)
    )
    return Thesis(data["source"], bits, data[CLOCK], repeated_s, tables, doubts, software)


def figures(key: str) -> Path:
    """The file with a paper's figures."""
    return paths.package() / "papers" / key / "paper.toml"


@functools.cache
def load() -> Thesis:
    """The thesis that the designs repeated, binary and montgomery are measured beside."""
    return read(figures("ledgard2023"))


Row = TypeVar(
    "Row", PaperRow, PosterRow, PosterClaim, ProfileRow, BlocksRow, LanesRow, SingleProduct,
    DataflowTotal, StepRow, Assist, Doubt,
)  # fmt: skip


def _value(kind: Any, value: Any) -> Any:
    """A value as its field has it; ValueError says what it should have been."""
    if isinstance(kind, types.UnionType):  # X | None: what is absent never comes here
        [kind] = [arm for arm in typing.get_args(kind) if arm is not type(None)]
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if kind == tuple[int, ...]:
        if not isinstance(value, list) or not value or {type(x) for x in value} != {int}:
            raise ValueError("a list of whole numbers")
        return tuple(value)
    if kind is float:
        if not number or value <= 0:
            raise ValueError("a positive number")
    elif kind is int:
        if type(value) is not int or value < 0:
            raise ValueError("a whole number")
    elif kind is bool:
        if not isinstance(value, bool):
            raise ValueError("true or false")
    elif not isinstance(value, str) or not value:
        raise ValueError("a text")
    return value


def _row(kind: type[Row], table: Any, source: Path, where: str) -> Row:
    hints = typing.get_type_hints(kind)
    if not isinstance(table, dict):
        raise _error(source, f"{where} is not a table")
    if unknown := [key for key in table if key not in hints]:
        raise _error(source, f'{where}: unknown key "{unknown[0]}"; there are: {", ".join(hints)}')
    needed = [f.name for f in dataclasses.fields(kind) if f.default is dataclasses.MISSING]
    if missing := [key for key in needed if key not in table]:
        raise _error(source, f'{where}: "{missing[0]}" is missing')
    values = {}
    for key, value in table.items():
        try:
            values[key] = _value(hints[key], value)
        except ValueError as why:
            raise _error(source, f"{where}: {key} = {value!r} is not {why}") from None
    return kind(**values)


def _rows(kind: type[Row], tables: Any, source: Path, name: str) -> tuple[Row, ...]:
    if not isinstance(tables, list):
        raise _error(source, f"{name} is not a list of tables: write [[{name}]]")
    each = enumerate(tables, 1)
    return tuple(_row(kind, table, source, f"{name} {number}") for number, table in each)


def _rows_file(source: Path, *names: str) -> dict[str, Any]:
    """A file of rows; every one of the names is in it, and nothing else."""
    data = _load(source)
    if unknown := [key for key in data if key not in names]:
        raise _error(source, f'unknown table "{unknown[0]}"; there are: {", ".join(names)}')
    if missing := [name for name in names if name not in data]:
        raise _error(source, f'"{missing[0]}" is missing')
    return data


def read_paper(source: Path) -> Paper:
    """A file with the form of R1.toml."""
    data = _rows_file(source, "source", "row", "doubt")
    rows = _rows(PaperRow, data["row"], source, "row")
    wanted = {(b, op, how) for b in (1024, 2048) for op in ("encrypt", "decrypt")
              for how in ("software", "hardware")}  # fmt: skip
    if sorted((row.bits, row.op, row.impl) for row in rows) != sorted(wanted):
        raise _error(source, "there is one row of each length, op and impl")
    return Paper(data["source"], rows, _rows(Doubt, data["doubt"], source, "doubt"))


def read_dataflow(source: Path) -> Dataflow:
    """A file with the form of R2.toml."""
    names = ("source", "profile", "row", "lanes", "single_product", "total", "doubt")
    data = _rows_file(source, *names)
    lanes = _rows(LanesRow, data["lanes"], source, "lanes")
    for number, row in enumerate(lanes, 1):
        if len(row.input_MB) != len(row.speedup_percent):
            raise _error(source, f"lanes {number}: a speed-up for each size")
    [single] = _rows(SingleProduct, data["single_product"], source, "single_product")
    [total] = _rows(DataflowTotal, data["total"], source, "total")
    return Dataflow(
        data["source"],
        _rows(ProfileRow, data["profile"], source, "profile"),
        _rows(BlocksRow, data["row"], source, "row"),
        lanes,
        single,
        total,
        _rows(Doubt, data["doubt"], source, "doubt"),
    )


def read_poster(source: Path) -> Poster:
    """A file with the form of R3.toml."""
    data = _rows_file(source, "source", "claim", "row", "doubt")
    [claim] = _rows(PosterClaim, data["claim"], source, "claim")
    rows = _rows(PosterRow, data["row"], source, "row")
    for number, row in enumerate(rows, 1):
        if not all(part.replace(".", "", 1).isdecimal() for part in row.MHz.split("/")):
            raise _error(source, f'row {number}: MHz = "{row.MHz}" is not a clock, or two: "1/2"')
    return Poster(data["source"], claim, rows, _rows(Doubt, data["doubt"], source, "doubt"))


def read_optimizations(source: Path) -> Optimizations:
    """A file with the form of R5.toml."""
    data = _rows_file(source, "source", "row", "hardware_assist", "doubt")
    rows = _rows(StepRow, data["row"], source, "row")
    if [row.iteration for row in rows] != list(range(len(rows))):
        raise _error(source, "rows are of the iterations 0, 1, 2 ...")
    assist = _row(Assist, data["hardware_assist"], source, "hardware_assist")
    return Optimizations(data["source"], rows, assist, _rows(Doubt, data["doubt"], source, "doubt"))


@functools.cache
def load_paper() -> Paper:
    """What the design pynq is measured beside."""
    return read_paper(figures("pai2025"))


@functools.cache
def load_dataflow() -> Dataflow:
    """What the scanning methods are measured beside."""
    return read_dataflow(figures("maxeler"))


@functools.cache
def load_poster() -> Poster:
    """What the design codesign is measured beside."""
    return read_poster(figures("sharif"))


@functools.cache
def load_optimizations() -> Optimizations:
    """What the program in soc/assist and the design assist are measured beside."""
    return read_optimizations(figures("bishop2021"))
