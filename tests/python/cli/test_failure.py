# SPDX-License-Identifier: Apache-2.0
"""A command that fails and was asked for JSON: one object on standard output, with its name."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (("modexp", "--engine", "hard", "2", "3", "35", "--json"), "MONPRO_ERR_ENGINE"),
        (("modexp", "--engine", "soft", "2", "3", "34", "--json"), "MONPRO_ERR_MODULUS_EVEN"),
        (("verify", "--key", "absent.pem", "--signature", "a", "b", "--json"), "MONPRO_ERR_FILE"),
        (("designs", "--json", "--colour"), "USAGE"),
    ],
)
def test_a_failure_is_json_where_that_was_asked_for(
    arguments: tuple[str, ...], name: str, tmp_path: Path
) -> None:
    command = [sys.executable, "-m", "monpro", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2
    error = json.loads(done.stdout)["error"]
    assert error["name"] == name
    assert done.stderr == f"monpro: error: {error['message']}\n"
