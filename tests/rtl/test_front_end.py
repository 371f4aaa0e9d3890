"""The strict front end of lint refuses what IEEE 1800 forbids, and what Verilator lets pass.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEAD = "module top (input logic clk_i, input logic d_i, output logic q_o);\n"
REGISTER = "  always_ff @(posedge clk_i) q_o <= d_i;\n"


def elaborate(source: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "tools/elaborate.py", "--top", "top", *flags, str(source)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (f"{REGISTER}  initial q_o = 1'b0;\n", "cannot be written to by any other process"),
        (f"{REGISTER}  assign q_o = d_i;\n", "cannot mix continuous and p"),
        ("  no_such_module u_part (.clk_i);\n", "unknown module"),
        ("  always_comb q_o = 1'b0;\n  always_comb q_o = d_i;\n", "cannot be written to"),
        ('  if (1) $error("not legal");\n', "not legal"),
    ],
)
def test_refused(tmp_path: Path, body: str, error: str) -> None:
    source = tmp_path / "top.sv"
    source.write_text(f"{HEAD}{body}endmodule\n", encoding="utf-8")
    done = elaborate(source)
    assert done.returncode == 1, done.stderr
    assert error in done.stderr


def test_accepted(tmp_path: Path) -> None:
    source = tmp_path / "top.sv"
    source.write_text(f"{HEAD}{REGISTER}endmodule\n", encoding="utf-8")
    done = elaborate(source)
    assert done.returncode == 0, done.stderr


def test_a_parameter_in_quotes(tmp_path: Path) -> None:
    """Parameters reach slang as Verilator gets them."""
    source = tmp_path / "top.sv"
    check = '  if (Kind != "a b") $error("other kind");\n'
    head = HEAD.replace("(input", '#(parameter string Kind = "") (input', 1)
    source.write_text(f"{head}{REGISTER}{check}endmodule\n", encoding="utf-8")
    assert elaborate(source, '-GKind="a b"').returncode == 0
    assert elaborate(source, '-GKind="a"').returncode == 1
