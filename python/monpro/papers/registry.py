"""The tables of a reference design with Monpro's figures beside the published ones: which of them
there are, and one run of one of them."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from monpro import records
from monpro.base import files
from monpro.errors import MonproError
from monpro.papers.bishop2021 import measure as bishop2021
from monpro.papers.bishop2021 import table as bishop2021_table
from monpro.papers.ledgard2023 import measure as ledgard2023
from monpro.papers.ledgard2023 import table as ledgard2023_table
from monpro.papers.maxeler import drawn as maxeler_drawn
from monpro.papers.maxeler import measure as maxeler
from monpro.papers.maxeler import table as maxeler_table
from monpro.papers.pai2025 import measure as pai2025
from monpro.papers.pai2025 import table as pai2025_table
from monpro.papers.sharif import measure as sharif
from monpro.papers.sharif import table as sharif_table
from monpro.records import Record


@dataclass(frozen=True, slots=True)
class Reference:
    """measure: seed, quick -> records. show: the tables, from records alone.

    Where there are tables, measure takes those of them that are wanted as well. draw: plots, from
    the records, into a folder.
    """

    measure: Callable[..., list[Record]]
    show: Callable[[Sequence[Record], Path, int, float, bool], None]
    tables: tuple[int, ...] = ()
    draw: Callable[[Sequence[Record], Path], list[Path]] | None = None


REFERENCES: Mapping[str, Reference] = {
    "R1": Reference(pai2025.measure, pai2025_table.show),
    "R2": Reference(
        maxeler.measure,
        maxeler_table.show,
        maxeler.TABLES,
        maxeler_drawn.draw,
    ),
    "R3": Reference(sharif.measure, sharif_table.show),
    "R4": Reference(ledgard2023.measure, ledgard2023_table.show),
    "R5": Reference(bishop2021.measure, bishop2021_table.show, bishop2021.TABLES),
}


def _wanted(name: str, table: int | None, plots: Path | None) -> dict[str, tuple[int, ...]]:
    """What measure takes besides, where a table is chosen."""
    reference = REFERENCES[name]
    if plots is not None and reference.draw is None:
        raise MonproError("MONPRO_ERR_ARGUMENT", f"there are no plots of {name}")
    if table is None:
        return {}
    if table not in reference.tables:
        tables = ", ".join(map(str, reference.tables))
        rule = f"it has {tables}" if tables else "--table does not choose among its tables"
        raise MonproError("MONPRO_ERR_ARGUMENT", f"{name}: no table {table} of its own; {rule}")
    return {"tables": (table,)}


def run(
    name: str,
    seed: int,
    out: Path,
    *,
    quick: bool,
    as_json: bool,
    table: int | None = None,
    plots: Path | None = None,
) -> bool:
    """Measures, shows, writes the records and plots; whether every result was right."""
    if name not in REFERENCES:
        known = ", ".join(REFERENCES)
        raise MonproError(
            "MONPRO_ERR_ARGUMENT", f'no reference design "{name}"; there are: {known}'
        )
    reference, start_s = REFERENCES[name], time.monotonic()
    wanted = _wanted(name, table, plots)
    out.parent.mkdir(parents=True, exist_ok=True)
    with files.output(str(out)) as write:
        found = reference.measure(seed, quick, **wanted)
        elapsed_s = time.monotonic() - start_s
        found = records.of_run(found, seed=seed, quick=quick, elapsed_s=elapsed_s)
        write(records.to_json(found).encode() + b"\n")
    if as_json:
        records.show(found)
    else:
        reference.show(found, out, seed, elapsed_s, quick)
    if plots is not None and reference.draw is not None:
        drawn = ", ".join(str(path) for path in reference.draw(found, plots))
        print(f"monpro: plots: {drawn}", file=sys.stderr)
    return all(item["ok"] is not False for item in found)
