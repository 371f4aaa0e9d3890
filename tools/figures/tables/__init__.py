"""The tables, each a function of the records: `load` finds them in the modules of this folder.

A function `readme_designs` with the mark @table writes the table `readme-designs`.
"""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping

from figures.pages import Table
from figures.tables.kit import TABLES


def load() -> Mapping[str, Table]:
    """All tables by their names."""
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return TABLES
