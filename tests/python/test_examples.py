# SPDX-License-Identifier: Apache-2.0
"""Every Python example runs, on software and on the coprocessor, and says what it should."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))
SAYS = {
    "batch.py": "8 results, all right, in several slices: True",
    "modexp.py": "right: True",
    "sign.py": "MONPRO_ERR_SIGNATURE",
}


@pytest.mark.parametrize("engine", ["soft", pytest.param("sim:small", marks=pytest.mark.sim)])
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_example(example: Path, engine: str) -> None:
    command = [sys.executable, str(example), engine]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert SAYS[example.name] in done.stdout
