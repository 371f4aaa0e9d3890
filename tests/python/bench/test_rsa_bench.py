# SPDX-License-Identifier: Apache-2.0
"""The main job on its smallest size: what it prints and records, and that it notices a fault."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from monpro import MonproError, records, rsa
from monpro.base import terminal
from monpro.bench import rsa as main_job
from monpro.bench import rsa_table
from monpro.measure import openssl

FIGURES = {
    "cycles", "cycles_precompute", "cycles_exponentiate", "cycles_bus", "cycles_load",
    "cycles_read", "cycles_total", "multipliers", "multiplier_cycles",
}  # fmt: skip


def run(tmp_path: Path, engine: str) -> tuple[bool, list[records.Record]]:
    out = tmp_path / "records.json"
    ok = main_job.run([1024], engine, 1, out, as_json=False)
    return ok, json.loads(out.read_text())


@pytest.mark.sim
def test_the_main_job(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ok, found = run(tmp_path, "sim:small")
    assert ok
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 80
    assert "10 of 10 results right" in text.replace("\n", " ")
    kinds = [(item["step"], item["engine"], item["key_state"]) for item in found]
    for step in ("sign", "decrypt", "verify", "encrypt"):
        assert (step, "sim:small", "cold") in kinds
        assert (step, "soft", None) in kinds
        assert (step, "openssl", None) in kinds
    assert ("verify", "sim:small", "warm") in kinds
    for item in found:
        assert item["ok"] is True
        if item["engine"] == "sim:small":
            assert item.keys() >= FIGURES
            assert str(item["cycles_total"]) in text
            assert item["cycles_total"] == item["cycles"] + item["cycles_bus"]
            assert min(item[name] for name in FIGURES) > 0
        else:
            assert item["time_ms"] > 0
            assert "cycles" not in item
        if item["engine"] == "soft":
            assert item["baseline"].startswith("OpenSSL ")


def test_nothing_long_is_simulated_twice() -> None:
    """Every size has a private and a public operation; short ones have both of each kind."""
    work = main_job.simulated([1024, 2048, 4096], "sim:small")
    assert len(set(work)) == len(work) == 4 + 4 + 2
    assert {step for bits, step in work if bits == 4096} == {"sign", "verify"}
    assert work[0] == (4096, "sign")
    assert main_job.simulated([1024], "soft") == []


def test_it_says_how_long_it_takes(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    main_job.run([1024], "sim:small", 1, tmp_path / "records.json", as_json=False)
    said = capsys.readouterr().err.splitlines()[0]
    assert said.startswith("monpro: RSA of 1024 bits by sim:small")
    assert "4 simulations, about " in said


def test_a_records_figures_stand_in_their_columns() -> None:
    item = records.record(
        "bench",
        {"cycles_total": 15, "cycles_load": 1, "cycles_precompute": 2, "cycles_exponentiate": 3,
         "cycles_read": 9, "wall_ms": 1000.0, "step": "sign"},
        engine="sim:small", bits=1024, ok=True,
    )  # fmt: skip
    assert rsa_table.rows([item])[1][:7] == [" sign", "15", "1", "2", "3", "9", "1.0"]


@pytest.mark.sim
def test_only_sizes_that_the_engine_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured: list[list[int]] = []

    def measure(sizes: list[int], *_: object) -> list[records.Record]:
        measured.append(sizes)
        return []

    monkeypatch.setattr(main_job, "measure", measure)
    monkeypatch.setattr(rsa_table, "show", lambda *_: None)
    out = tmp_path / "records.json"
    assert main_job.run(None, "soft", 1, out, as_json=False)
    assert measured == [list(main_job.SIZES)]
    for sizes in (None, [1024]):
        with pytest.raises(MonproError, match="sim:study takes moduli of 32 to 256 bits"):
            main_job.run(sizes, "sim:study", 1, out, as_json=False)
    monkeypatch.setattr(main_job, "SIZES", (128, 256, 512))
    assert main_job.run(None, "sim:study", 1, out, as_json=False)
    assert measured[1:] == [[128, 256]]


@pytest.mark.parametrize("operation", main_job.OPERATIONS)
def test_a_wrong_result_is_noticed(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    operation: str,
) -> None:
    right = getattr(rsa, operation)

    def wrong(*arguments: object) -> bytes | None:
        if operation == "verify":
            return None  # accepts anything
        result = bytearray(right(*arguments))
        result[-1] ^= 1
        return bytes(result)

    monkeypatch.setattr(rsa, operation, wrong)
    ok, found = run(tmp_path, "soft")
    assert not ok
    assert {item["step"] for item in found if not item["ok"]} == {operation}
    assert f"FAILED: RSA-1024 {operation} by soft" in capsys.readouterr().out


def test_an_error_is_a_failed_check_and_the_rest_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> bytes:
        raise MonproError("MONPRO_ERR_CHECK", "a fault")

    monkeypatch.setattr(rsa, "sign", refuse)
    ok, found = run(tmp_path, "soft")
    assert not ok
    [failed] = [item for item in found if not item["ok"]]
    assert "MONPRO_ERR_CHECK: a fault" in failed["failure"]


def test_without_openssl_the_old_records_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "records.json").write_text("old")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MonproError, match="openssl"):
        main_job.run([1024], "soft", 1, tmp_path / "records.json", as_json=False)
    assert (tmp_path / "records.json").read_text() == "old"
    with pytest.raises(MonproError, match="openssl"):
        openssl.version()


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0123456, "0.0123"), (1.2345, "1.23"), (123.4, "123"), (9.999, "10.0"), (54321.0, "54300")],
)
def test_significant_digits(value: float, text: str) -> None:
    assert terminal.significant(value) == text


def test_steps_are_lines_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    with terminal.Steps(2) as steps:
        steps.done("one")
        steps.done("two")
    assert stream.getvalue() == "[1/2] one\n[2/2] two\n"
