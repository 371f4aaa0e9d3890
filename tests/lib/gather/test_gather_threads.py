# SPDX-License-Identifier: Apache-2.0
"""The engine `gather` under ThreadSanitizer. test_c.py runs the same program in every other
configuration, those with AddressSanitizer among them."""

from __future__ import annotations

import pytest

from test_c import Configuration, build_configuration, run, takes

THREAD = Configuration(
    "gcc-thread", "gcc", ("-DMONPRO_SANITIZE=thread", "-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG")
)


def test_no_data_race() -> None:
    """Threads share an engine and keys."""
    if not takes("gcc", "int main(void) { return 0; }\n", "-fsanitize=thread"):
        pytest.skip("gcc has no ThreadSanitizer")
    folder = build_configuration(THREAD, "gather_test")
    done = run(folder / "tests/lib/gather_test")
    assert done.returncode == 0, done.stderr[-4000:]
    assert "WARNING: ThreadSanitizer" not in done.stderr
