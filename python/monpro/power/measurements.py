"""A board's measured power as a CSV file, and the set of coefficients that is fitted on it."""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import csv
import io
import json
import math

from monpro.errors import MonproError
from monpro.power.fit import Fit, Point
from monpro.power.sets import Activity
from monpro.synth.targets import Counts

COLUMNS = (
    "design", "bits", "clock_MHz", "lut", "ff", "dsp", "bram", "logic", "register", "dsp_toggles",
    "power_W",
)  # fmt: skip
_TEXT, _POSITIVE = ("design",), ("bits", "clock_MHz", "ff", "power_W")


def lines(design: str, bits: int, clock_MHz: float, counts: Counts, a: Activity) -> str:
    """The first line of such a file, and one whose power is left to be measured."""
    cells = [
        f'"{design}"', str(bits), f"{clock_MHz:g}", str(counts.lut_sites or counts.lut),
        *(f"{part:g}" for part in (counts.ff, counts.dsp, counts.bram)),
        *(f"{toggles:.5g}" for toggles in (a.logic, a.register, a.dsp)),
    ]  # fmt: skip
    return f"{','.join(COLUMNS)}\n{','.join(cells)},"


def _cell(where: str, column: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value < 0 or (column in _POSITIVE and not value):
        least = "above 0" if column in _POSITIVE else "0 or more"
        raise MonproError(
            "MONPRO_ERR_FILE", f'{where}, column {column}: "{text}" is not a number {least}'
        )
    return value


def read_csv(name: str, text: str) -> list[Point]:
    """Measurements of a board: a first line with the names of COLUMNS, in any order."""
    reader = csv.reader(io.StringIO(text), strict=True)
    found: list[Point] = []
    head: list[str] | None = None
    try:
        for cells in reader:
            where = f"{name}: line {reader.line_num}"
            if not cells or cells[0].lstrip().startswith("#"):
                continue
            cells = [cell.strip() for cell in cells]
            if head is None:
                head = cells
                if unknown := [cell for cell in cells if cell not in COLUMNS]:
                    raise MonproError(
                        "MONPRO_ERR_FILE",
                        f'{where}: unknown column "{unknown[0]}"; there are: {", ".join(COLUMNS)}',
                    )
                if missing := [column for column in COLUMNS if column not in cells]:
                    raise MonproError("MONPRO_ERR_FILE", f'{where}: no column "{missing[0]}"')
                continue
            if len(cells) != len(head):
                raise MonproError(
                    "MONPRO_ERR_FILE", f"{where}: {len(cells)} columns, the first has {len(head)}"
                )
            table = dict(zip(head, cells, strict=True))
            if not table["design"]:
                raise MonproError("MONPRO_ERR_FILE", f"{where}, column design: it is empty")
            v = {c: _cell(where, c, table[c]) for c in COLUMNS if c not in _TEXT}
            activity = Activity(v["logic"], v["register"], v["dsp_toggles"])
            found.append(
                Point(
                    table["design"],
                    int(v["bits"]),
                    v["clock_MHz"],
                    activity.by_kind(v),
                    v["power_W"],
                )
            )
    except csv.Error as why:
        raise MonproError("MONPRO_ERR_FILE", f"{name}: line {reader.line_num}: {why}") from why
    if not found:
        raise MonproError("MONPRO_ERR_FILE", f"{name}: no measurements in it")
    return found


def to_toml(
    found: Fit, name: str, family: str, device: str | None, factor: float, source: str
) -> str:
    """A file with one set, in the form of energy.toml."""
    joules = ", ".join(f"{kind} = {value:.4g}" for kind, value in found.joules.items())
    lines = [
        "[[set]]",
        f"name = {json.dumps(name)}",
        f"joules = {{ {joules} }}",
        f"static_W = {found.static_W or 0:.4g}",
        f"factor = {factor:.4g}",
        f"family = {json.dumps(family)}",
        *([f"device = {json.dumps(device)}"] if device else []),
        "calibrated = true",
        f"source = {json.dumps(source)}",
    ]
    return "\n".join(lines) + "\n"
