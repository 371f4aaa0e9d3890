"""The engine of lanes, beyond what test_c.py runs in every configuration: the vectors, constant
time under valgrind, and a short run of the fuzzer where clang has one."""

from __future__ import annotations

import shutil

import pytest

from test_c import (
    CONFIGURATIONS,
    MARKED_CONFIGURATIONS,
    VALGRIND_FOUND,
    Configuration,
    build_configuration,
    run,
    vector_lines,
)

FUZZ = Configuration(
    "clang-fuzz",
    "clang",
    (
        "-DMONPRO_SANITIZE=address,undefined,fuzzer-no-link",
        "-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG",
    ),
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
    if shutil.which("valgrind") is None:
        pytest.skip("valgrind is not installed")
    folder = build_configuration(MARKED_CONFIGURATIONS[0], "lanes_constant_time_test")
    program = folder / "tests/lib/lanes_constant_time_test"
    done = run("valgrind", "-q", f"--error-exitcode={VALGRIND_FOUND}", program, spec)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""


def test_fuzz() -> None:
    """libFuzzer on batches: the engine of lanes says what soft says, of bad requests too."""
    if shutil.which("clang") is None:
        pytest.skip("clang is not installed")
    have = run("clang", "-fsanitize=fuzzer", "-x", "c", "-", "-o", "/dev/null", stdin=PROBE)
    if have.returncode != 0:
        pytest.skip("clang has no libFuzzer")
    program = build_configuration(FUZZ, "lanes_fuzz") / "tests/lib/lanes_fuzz"
    done = run(program, f"-runs={FUZZ_RUNS}", "-seed=7", "-max_len=1500", "-len_control=0")
    assert done.returncode == 0, done.stderr[-4000:]
    assert f"Done {FUZZ_RUNS} runs" in done.stderr


PROBE = """#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return data == 0 && size == 1; }
"""
