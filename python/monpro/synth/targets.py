"""Devices that `monpro synth` knows, and how many of a device's parts a netlist takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from monpro.errors import MonproError


@dataclass(frozen=True, slots=True)
class Counts:
    """Parts of a device: those that a netlist takes, or those there are.

    ECP5: lut counts LUT4 cells; carry the CCU2C, each of which takes two more LUT4 sites, so that
    lut_sites = lut + 2 * carry. 7-series: lut counts LUTs of any size, also as memory or as
    inverter; carry the CARRY4, which take no LUT. bram: DP16KD (18 kbit), or RAMB36E1 with each
    RAMB18E1 as a half.
    """

    lut: int
    ff: int
    dsp: int
    bram: float
    carry: int = 0
    lut_sites: int = 0


@dataclass(frozen=True, slots=True)
class Target:
    """A device. family "ecp5": placed and routed as well; "xilinx7": counted only."""

    name: str
    device: str
    family: str
    available: Counts
    flag: str = ""  # nextpnr's option for it
    package: str = ""
    speed: int = 0  # grade
    # Where the groups of four multiplier blocks are, as nextpnr counts columns and rows.
    dsp_columns: tuple[int, ...] = ()
    dsp_rows: tuple[int, ...] = ()

    @property
    def is_placed(self) -> bool:
        return self.family == "ecp5"


_ALL = (
    Target(
        "ecp5-25", "LFE5U-25F-6", "ecp5",
        Counts(lut=24288, ff=24288, dsp=28, bram=56, lut_sites=24288),
        flag="--25k", package="CABGA381", speed=6,
        dsp_columns=(4, 13, 22, 33, 42, 51, 60), dsp_rows=(13,),
    ),
    Target(
        "ecp5-85", "LFE5U-85F-6", "ecp5",
        Counts(lut=83640, ff=83640, dsp=156, bram=208, lut_sites=83640),
        flag="--85k", package="CABGA381", speed=6,
        dsp_columns=(4, 13, 22, 31, 40, 49, 58, 69, 78, 87, 96, 105, 114), dsp_rows=(58, 34, 10),
    ),
    Target("xc7z020", "XC7Z020", "xilinx7", Counts(lut=53200, ff=106400, dsp=220, bram=140)),
    Target("xc7a100t", "XC7A100T", "xilinx7", Counts(lut=63400, ff=126800, dsp=240, bram=135)),
)  # fmt: skip
TARGETS: Mapping[str, Target] = {target.name: target for target in _ALL}

# What the parts of each family are called in a table.
NAMES: Mapping[str, Mapping[str, str]] = {
    "ecp5": {
        "lut": "LUT4", "carry": "CCU2C", "lut_sites": "LUT4 sites", "ff": "FF",
        "dsp": "MULT18X18D", "bram": "DP16KD",
    },
    "xilinx7": {
        "lut": "LUT", "carry": "CARRY4", "ff": "FF", "dsp": "DSP48E1", "bram": "RAMB36E1",
    },
}  # fmt: skip

# What one cell of a type takes. A type that is in none of these tables is an error: a count that
# leaves something out would be worth nothing.
_ECP5: Mapping[str, Mapping[str, float]] = {
    "LUT4": {"lut": 1, "lut_sites": 1},
    "CCU2C": {"carry": 1, "lut_sites": 2},
    "TRELLIS_DPR16X4": {"lut": 6, "lut_sites": 6},  # four as memory, two for its write port
    "TRELLIS_FF": {"ff": 1},
    "MULT18X18D": {"dsp": 1},
    "DP16KD": {"bram": 1},
    "PDPW16KD": {"bram": 1},
}
_XILINX7: Mapping[str, Mapping[str, float]] = {
    **{f"LUT{inputs}": {"lut": 1} for inputs in range(1, 7)},
    **{name: {"lut": 1} for name in ("INV", "SRL16E", "SRLC32E", "RAM32X1S", "RAM64X1S")},
    **{name: {"lut": 2} for name in ("RAM32X1D", "RAM64X1D", "RAM128X1S")},
    **{name: {"lut": 4} for name in ("RAM32M", "RAM64M", "RAM128X1D", "RAM256X1S")},
    **{name: {"ff": 1} for name in ("FDRE", "FDSE", "FDCE", "FDPE")},
    "CARRY4": {"carry": 1},
    "DSP48E1": {"dsp": 1},
    "RAMB36E1": {"bram": 1},
    "RAMB18E1": {"bram": 0.5},
}
_CELLS = {"ecp5": _ECP5, "xilinx7": _XILINX7}
_FREE = {  # part of the slice or of the pins: nothing that could be used up is counted for them
    "ecp5": {"PFUMX", "L6MUX21", "GSR", "TRELLIS_IO"},
    "xilinx7": {"MUXF7", "MUXF8", "IBUF", "OBUF", "BUFG"},
}


def get(name: str) -> Target:
    """A target by its name."""
    if name not in TARGETS:
        raise MonproError(
            "MONPRO_ERR_ARGUMENT", f'no target "{name}"; there are: {", ".join(TARGETS)}'
        )
    return TARGETS[name]


def count(family: str, cells: Mapping[str, int]) -> Counts:
    """What the cells of a netlist take, by their types and how many there are of each."""
    table, total = _CELLS[family], dict.fromkeys(Counts.__dataclass_fields__, 0.0)
    for kind, number in cells.items():
        if kind in table:
            for part, each in table[kind].items():
                total[part] += each * number
        elif kind not in _FREE[family]:
            raise MonproError(
                "MONPRO_ERR_BUILD", f"synthesis left {number} x {kind}, which no table counts"
            )
    bram = total.pop("bram")
    return Counts(bram=bram, **{part: int(value) for part, value in total.items()})


def too_many(target: Target, counts: Counts) -> list[str]:
    """The parts of which a design needs more than its target has, in words."""
    found = []
    for part, name in NAMES[target.family].items():
        there, needed = getattr(target.available, part), getattr(counts, part)
        if there and needed > there:
            found.append(f"{needed:g} {name} of {there:g}")
    return found
