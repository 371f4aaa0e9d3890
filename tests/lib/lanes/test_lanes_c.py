# SPDX-License-Identifier: Apache-2.0
"""The engine of lanes, beyond what test_c.py runs in every configuration: the vectors, constant
time under valgrind, and a short run of the fuzzer where clang has one."""

from __future__ import annotations

import pytest

from test_c import (
    CONFIGURATIONS,
    HAS_FUZZER,
    build_configuration,
    run,
    valgrind,
    vector_lines,
)

FUZZ_RUNS = 1500


@pytest.mark.parametrize(
    ("spec", "every"),
    [("lanes:threads=2", 1), ("lanes:isa=scalar", 4), ("lanes:isa=portable,threads=2", 6)],
)
def test_vectors(spec: str, every: int) -> None:
    """Those of soft; for the slow ones only some."""
    lines = "".join(vector_lines().splitlines(keepends=True)[::every])
    folder = build_configuration(CONFIGURATIONS[0])
    done = run(folder / "tests/lib/modexp_vectors", spec, stdin=lines)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{4 * lines.count(chr(10))} exponentiations\n"


@pytest.mark.parametrize("spec", ["lanes:threads=1", "lanes:isa=portable,threads=1"])
def test_constant_time(spec: str) -> None:
    """No branch and no address depends on a modulus, a base or a secret exponent."""
    done = run(*valgrind(CONFIGURATIONS[0], "lanes_constant_time_test"), spec)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""


def test_fuzz() -> None:
    """libFuzzer on batches: the engine of lanes says what soft says, of bad requests too."""
    if not HAS_FUZZER:
        pytest.skip("there is no clang with libFuzzer")
    program = build_configuration(CONFIGURATIONS[-1]) / "tests/lib/lanes_fuzz"
    done = run(program, f"-runs={FUZZ_RUNS}", "-seed=7", "-max_len=1500", "-len_control=0")
    assert done.returncode == 0, done.stderr[-4000:]
    assert f"Done {FUZZ_RUNS} runs" in done.stderr
