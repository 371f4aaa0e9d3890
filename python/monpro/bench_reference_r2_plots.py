"""R2's tables 2 and 3 as plots, for the command that measures them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from monpro import page_figures_r2, page_files
from monpro.errors import MonproError
from monpro.records import Record


def draw(found: Sequence[Record], folder: Path) -> list[Path]:
    """Both plots, as PNG and SVG, into a folder that is made if need be."""
    plots = [page_figures_r2.against_lanes(found), page_figures_r2.against_blocks(found)]
    if None in plots:
        raise MonproError(
            "MONPRO_ERR_ARGUMENT", "--plots takes what table 3 does: not --table 1, 2"
        )
    return page_files.draw([plot for plot in plots if plot], folder)
