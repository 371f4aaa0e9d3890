"""Areas and clocks: docs/synthesis.md, and the pages of the designs after papers."""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import functools
import tomllib

from figures.catalogue import ROOT
from figures.store import Store
from figures.tables.kit import TABLES, markdown, table
from monpro.records import Record
from monpro.synth import area

MAIN = ("tiny", "small", "pynq", "codesign", "fast")
SERIAL = ("repeated", "binary", "montgomery")
SERIAL_BITS = (32, 64, 128, 256, 512, 1024)
POSTER = ROOT / "python" / "monpro" / "papers" / "sharif" / "paper.toml"
PARTS = ("lut", "ff", "carry", "dsp", "bram")


def clock(top: Record) -> str:
    """The clock of a placement; of several seeds the median and the range."""
    text = f"{top['clock_mhz']:.0f} MHz"
    if len(top["seeds"]) > 1:
        text += f", {len(top['seeds'])} seeds"
        text += f" {top['clock_mhz_min']:.0f} to {top['clock_mhz_max']:.0f}"
    return text


@table
def synthesis_placed(store: Store) -> str:
    rows = []
    for design in MAIN:
        key = f"placed/{design}"
        top, core = (store.one(key, part=part) for part in ("top", "core"))
        counts = [f"{item['lut']} + {item['carry']}" for item in (top, core)]
        blocks = [f"{top[part]:g}" for part in ("ff", "dsp", "bram")]
        device = top["device"].removesuffix("-6")
        rows.append([f"`{design}`", device, *counts, *blocks, clock(top)])
    heads = ["design", "device", "LUT4 + CCU2C", "of it core"]
    return markdown([*heads, "FF", "MULT18X18D", "DP16KD", "clock"], rows)


@table
def synthesis_seeds(store: Store) -> str:
    rows = []
    for design in MAIN:
        top = store.one(f"placed/{design}", part="top")
        if clocks := top.get("clocks_mhz"):
            cells = [f"{mhz:.1f}" for mhz in clocks]
            rows.append([f"`{design}`", ", ".join(cells), f"{top['clock_mhz']:.1f}"])
    return markdown(["design", "MHz, seed by seed", "median"], rows)


def _fit(item: Record, target: str) -> str:
    """How many a device holds of a design, by what runs out first."""
    return str(area.instances({part: item[part] for part in PARTS}, target))


def _counted(store: Store, key: str, names: tuple[str, ...]) -> list[list[str]]:
    """Rows of designs whose counts are the same for both 7-series devices."""
    rows = []
    for name in names:
        found = store.all(key, design=name)
        counts = [f"{found[0][part]:g}" for part in PARTS]
        fits = [_fit(found[0], target) for target in ("xc7z020", "xc7a100t")]
        rows.append([f"`{name}`", *counts, *fits])
    return rows


HEADS = ["design", "LUT", "FF", "CARRY4", "DSP", "BRAM", "fit one XC7Z020", "fit one XC7A100T"]


@table
def pynq_area(store: Store) -> str:
    return markdown(HEADS, _counted(store, "placed/pynq-7series", ("pynq", "pynq,elements=2")))


@table
def codesign_area(store: Store) -> str:
    rows = _counted(store, "placed/codesign-7series", ("codesign",))
    poster = tomllib.loads(POSTER.read_text(encoding="utf-8"))["row"][0]
    parts = {"lut": poster["LUT"], "dsp": poster["DSP"], "bram": poster["BRAM"]}
    cells = [parts["lut"], "", "", parts["dsp"], parts["bram"], area.instances(parts, "xc7z020")]
    return markdown(HEADS, [*rows, ["the poster's", *map(str, cells), ""]])


def _serial_area(design: str, store: Store) -> str:
    rows = []
    for bits in SERIAL_BITS:
        item = store.one(f"placed/{design}-7series", design=f"{design},max_bits={bits}")
        counts = [f"{item[part]:g}" for part in ("lut", "ff", "carry")]
        rows.append([str(bits), *counts, _fit(item, "xc7a100t")])
    return markdown(["longest modulus", "LUT", "FF", "CARRY4", "fit one XC7A100T"], rows)


for _design in SERIAL:
    TABLES[f"{_design}-area"] = functools.partial(_serial_area, _design)
