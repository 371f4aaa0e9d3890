"""R2's tables 2 and 3 as plots, for the command that measures them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from monpro.errors import MonproError
from monpro.papers.maxeler import plots as maxeler_plots
from monpro.plots import image_files
from monpro.records import Record


def draw(found: Sequence[Record], folder: Path) -> list[Path]:
    """Both plots, as PNG and SVG, into a folder that is made if need be."""
    plots = [maxeler_plots.against_lanes(found), maxeler_plots.against_blocks(found)]
    if None in plots:
        raise MonproError(
            "MONPRO_ERR_ARGUMENT", "--plots takes what table 3 does: not --table 1, 2"
        )
    return image_files.draw([plot for plot in plots if plot], folder)
