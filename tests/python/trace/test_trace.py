# SPDX-License-Identifier: Apache-2.0
"""Intermediate values of C and RTL: equal step by step, and a fault found in exactly its step."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from monpro import MonproError
from monpro.cli import program
from monpro.engine import Job, Scheme
from monpro.hardware import designs, simulator
from monpro.hardware.regs import Scheme as Number
from monpro.measure import openssl
from monpro.study.small_key import StudyKey
from monpro.trace import c_code
from monpro.trace import plan as trace_plan
from monpro.trace import rtl as trace_rtl
from monpro.trace import run as trace
from monpro.trace import text as trace_text
from monpro.trace.run import Injection, Trace
from monpro.trace.steps import Operation, Plan

Monpro = Callable[..., subprocess.CompletedProcess[bytes]]

N = 0xF087F5C7
X = 0x1234567
KEY = StudyKey(0xFFF1, 0xFFEF, 11)  # 65521 and 65519
SECRET: list[Scheme] = ["fixed_window", "binary", "right_to_left", "ladder"]
PUBLIC: list[Scheme] = [*SECRET, "sliding_window", "repeated"]
CASES = [(s, False, w) for s in SECRET for w in ((1, 3) if s == "fixed_window" else (0,))] + [
    (s, True, w) for s in PUBLIC for w in ((1, 4) if "window" in s else (0,))
]


def run(
    exponent: int,
    scheme: Scheme = "default",
    window: int = 0,
    *,
    public: bool = False,
    inject: Injection | None = None,
    digit_bits: int = 8,
    method: str = "cios",
    design: str = "study",
    modulus: int = N,
) -> Trace:
    job = Job(X, exponent, modulus, public, scheme, window)
    way = c_code.way(method, digit_bits)
    return trace.run(designs.parse(design), way, job, inject)


def check(found: Trace, exponent: int, modulus: int = N) -> None:
    """All values are right, and the steps go through the whole exponent."""
    assert found.difference is None
    assert found.error is None
    for step, pair in found.steps:
        assert pair.c == pair.rtl == pow(X, step.power, modulus), step.label
        assert pair.c_raw == pair.c * found.c_r % modulus
        assert pair.rtl_raw is not None
        assert pair.rtl_raw * pow(found.rtl_r, -1, modulus) % modulus == pair.rtl or (
            pair.rtl_raw % modulus == pair.rtl
        )
    if exponent and found.scheme != "repeated":
        digits = [step.digit for step, _ in found.steps if step.digit]
        if found.scheme == "right_to_left":
            digits.reverse()
        assert int("".join(digits), 2) == exponent
        assert found.steps[-1][0].power == exponent
    assert found.result.c == found.result.rtl == pow(X, exponent, modulus)


@pytest.mark.sim
@pytest.mark.parametrize(("scheme", "public", "window"), CASES)
def test_all_steps_of_all_schemes(scheme: Scheme, public: bool, window: int) -> None:
    for exponent in (0, 1, 2, 0x123 if scheme == "repeated" else 0xDEADBEE0):
        check(run(exponent, scheme, window, public=public), exponent)


@pytest.mark.sim
@pytest.mark.parametrize("method", ["sos", "cios", "fios", "fips", "cihs"])
def test_any_width_of_the_digit(method: str) -> None:
    traces = [run(0xC0DE, digit_bits=w, method=method) for w in (8, 16, 32, 64)]
    for found in traces:
        check(found, 0xC0DE)
    assert traces[0].c_r == 1 << 32
    assert traces[3].c_r == 1 << 64
    assert traces[0].steps[2][1].c_raw != traces[3].steps[2][1].c_raw


@pytest.mark.sim
@pytest.mark.parametrize(("scheme", "public", "window"), CASES)
def test_a_fault_is_found_in_its_step(scheme: Scheme, public: bool, window: int) -> None:
    exponent = 0x13 if scheme == "repeated" else 0xDEADBEEF
    written = [step.written for step, _ in run(exponent, scheme, window, public=public).steps]
    steps, found = len(written), 0
    for step in {0, 1, 2, steps - 1}:
        for injection in (Injection(step, 3), Injection(step, 45), Injection(step, 7, "c")):
            if written[step] != step:
                with pytest.raises(MonproError, match="writes nothing"):
                    run(exponent, scheme, window, public=public, inject=injection)
                continue
            got = run(exponent, scheme, window, public=public, inject=injection)
            assert got.difference is not None
            assert got.difference.step == step
            assert got.difference.wrong == ("C" if injection.side == "c" else "RTL")
            assert trace_text.verdict(got).startswith(f"First difference: step {step} ")
            first = next(i for i, (_, pair) in enumerate(got.steps) if pair.differ)
            assert first == step
            found += 1
    assert found >= 6


@pytest.mark.sim
@pytest.mark.parametrize("side", ["rtl", "c"])
@pytest.mark.parametrize(
    ("scheme", "window", "values"),
    [
        ("fixed_window", 3, ["1 into Montgomery form", "table: x^3", "square", "look-up"]),
        ("right_to_left", 0, ["look-up", "x^(2^3)"]),
        ("ladder", 0, ["look-up", "r0 * r1", "r1 squared"]),
    ],
)
def test_the_wrong_side_of_any_value(
    scheme: Scheme, window: int, values: list[str], side: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also of one that no step ends with: the last of that name but one."""

    for what in values:
        meant: list[int] = []

        def fault(
            plan: Plan, *_: object, what: str = what, meant: list[int] = meant
        ) -> tuple[tuple[int, int] | None, trace_rtl.Fault | None]:
            at = [number for number, op in enumerate(plan.ops) if op.what == what][-2:][0]
            meant.extend((at, plan.step_at(at)))
            source = plan.ops[at].source
            before = sum(op.source == source for op in plan.ops[:at])
            return (None, trace_rtl.Fault(source, before, 3)) if side == "rtl" else ((at, 3), None)

        monkeypatch.setattr(trace, "_faults", fault)
        got = run(0xDEADBEEF, scheme, window)
        assert got.difference is not None
        assert got.difference == trace.Difference(meant[1], what, side.upper())


@pytest.mark.sim
@pytest.mark.parametrize(
    ("design", "modulus", "schemes"),
    [
        ("montgomery,max_bits=64", N, [("binary", False), ("right_to_left", True)]),
        ("pynq,max_bits=512", (1 << 511) + 111, [("ladder", False), ("right_to_left", True)]),
    ],
    ids=["serial", "products"],
)
def test_other_cores(design: str, modulus: int, schemes: list[tuple[Scheme, bool]]) -> None:
    for scheme, public in schemes:
        for exponent in (0, 1, 0xB00D):
            found = run(exponent, scheme, public=public, design=design, modulus=modulus)
            check(found, exponent, modulus)
    for side in ("rtl", "c"):
        injection = Injection(4, 9, side)  # type: ignore[arg-type]
        if side == "rtl" and design.startswith("montgomery"):
            with pytest.raises(MonproError, match=r"UNSUPPORTED.*--inject-into c"):
                run(0xB00D, "binary", design=design, modulus=modulus, inject=injection)
            continue
        got = run(0xB00D, "binary", design=design, modulus=modulus, inject=injection)
        assert got.difference is not None
        assert (got.difference.step, got.difference.wrong) == (4, side.upper())


@pytest.mark.sim
def test_looking_costs_no_cycle_and_is_in_no_other_model() -> None:
    design = designs.get("study")
    found = run(0xC0DE, "fixed_window", 3)
    cost = design.model().modexp(Number.FIXED_WINDOW, 32, 32, 3, warm=False)
    assert (found.counters.cycles, found.counters.products) == (cost.cycles, cost.products)
    assert not any("observed" in flag for flag in simulator.flags(design, trace=True))
    assert "observed.vlt" in simulator.flags(design, trace=False, observed=True)


# ---- the command


def trace_of(monpro: Monpro, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return monpro("trace", "--message", "0x1234567", *arguments)


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    (tmp_path / "public.pem").write_bytes(KEY.write("public_spki"))
    path = tmp_path / "key.pem"
    path.write_bytes(KEY.write())
    return path


@pytest.mark.sim
def test_a_study_key(monpro: Monpro, key_file: Path) -> None:
    """The private exponent is used, and shown, only where it is asked for."""
    options = ("--design", "study", "--digit-bits", "8")
    for name in ("key.pem", "public.pem"):
        done = trace_of(monpro, "--key", name, *options, "--json")
        assert done.returncode == 0, done.stderr
        [record] = json.loads(done.stdout)
        assert record["exponent"] == "public"
        assert record["ok"] is True
        assert "".join(step["digit"] for step in record["steps"]) == f"{KEY.e:b}"
        assert int(record["result"]["rtl"], 16) == pow(X, KEY.e, KEY.n)
        assert done.stderr.startswith(b"monpro: warning: intermediate values are secrets")
    done = trace_of(monpro, "--key", "key.pem", *options, "--secrets", "--raw", "--json")
    [record] = json.loads(done.stdout)
    assert record["exponent"] == "secret"
    assert int("".join(step["digit"] for step in record["steps"]), 2) == KEY.d
    assert record["steps"][1]["rtl_raw"] != record["steps"][1]["c_raw"]
    assert b"warning" in done.stderr
    assert sorted(path.name for path in key_file.parent.iterdir()) == ["key.pem", "public.pem"]


@pytest.mark.sim
def test_1024_bits_on_80_columns(monpro: Monpro, party: openssl.Party) -> None:
    arguments = ("--key", str(party.key), "--design", "small", "--secrets")
    done = trace_of(monpro, *arguments, "--raw", "--inject", "100:1000")
    assert done.returncode == 1
    assert b"MONPRO_ERR_CHECK: the C code and small differ: step 100 (" in done.stderr
    lines = done.stdout.decode().splitlines()
    assert max(map(len, lines)) <= 80
    assert [line.split()[0] for line in lines if line.endswith("<--")] == ["100"]
    said = " ".join(lines[lines.index("") :][-2:])
    assert said.startswith("First difference: step 100 (bits ")
    assert said.endswith("Wrong: RTL.")
    done = trace_of(monpro, *arguments, "--full")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.decode().splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[-1].startswith("No difference in ")
    number = "".join(line[14:] for line in lines[-12:-7])
    assert len(number) >= 256


NUMBERS = ("--modulus", hex(N), "--exponent", "0xdeadbeef", "--design", "study")


@pytest.mark.sim
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((*NUMBERS, "--inject", "33"), "ARGUMENT: there is no step 33 to change; there are 0 to "),
        ((*NUMBERS, "--inject", "2:64"), "ARGUMENT: there is no bit 64 to change; there are 0 to "),
        ((*NUMBERS, "--inject", "2:-1"), "ARGUMENT: there is no bit -1 to change"),
        ((*NUMBERS, "--inject", "two"), "ARGUMENT: --inject two: not of the form STEP or STEP:BIT"),
        ((*NUMBERS, "--inject", "2", "--inject-into", "d"), "ARGUMENT: --inject-into d: there are"),
        ((*NUMBERS, "--digit-bits", "12"), "PARAMETER: no digits of 12 bits; there are: 8, 16, 32"),
        ((*NUMBERS, "--method", "ciso"), 'PARAMETER: no scanning method "ciso"; there are: sos, '),
        ((*NUMBERS, "--scheme", "slid"), "SCHEME: the time of the scheme sliding_window tells"),
        ((*NUMBERS, "--scheme", "x"), 'SCHEME: no scheme "x"; there are: default, '),
        ((*NUMBERS, "--secrets"), "ARGUMENT: --secrets is for a private key: --key"),
        ((*NUMBERS, "--key", "key.pem"), "ARGUMENT: give --key, or --modulus and --exponent"),
        (("--modulus", "35", "--design", "study"), "ARGUMENT: the exponent is missing: --exponent"),
        (("--modulus", "35", "--exponent", "3"), "MODULUS_SHORT: the modulus has 6 bits; small"),
        (("--modulus", hex(1 << 40), "--exponent", "3", "--design", "study"), "MODULUS_EVEN: "),
        (("--modulus", hex(1 | 1 << 300), "--exponent", "3", "--design", "study"), "MODULUS_LONG"),
        (("--modulus", hex(N), "--exponent", "3", "--design", "stud"), 'DESIGN: no design "stud"'),
        (("--modulus", "35", "--exponent", "3", "--design", "dataflow"), "UNSUPPORTED: dataflow "),
        (("--key", "public.pem", "--design", "study", "--secrets"), "KEY_PUBLIC: public.pem: a "),
        (("--key", "none.pem", "--design", "study"), "FILE: none.pem: No such file"),
    ],
)
def test_errors_by_name(
    key_file: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    message: str,
) -> None:
    monkeypatch.chdir(key_file.parent)
    command = ["trace", "--message", "0x1234567", *arguments]
    with pytest.raises(MonproError) as why:
        program.app(command, prog_name="monpro", standalone_mode=False)
    assert str(why.value).startswith(f"MONPRO_ERR_{message}")
    assert not why.value.failed_check  # exit status 2
    assert capsys.readouterr().out == ""


@pytest.mark.sim
def test_a_message_that_is_too_large(monpro: Monpro) -> None:
    done = monpro("trace", "--message", hex(N), *NUMBERS)
    assert done.returncode == 2
    assert b"MONPRO_ERR_BASE_RANGE: " in done.stderr
    assert b".so" not in done.stderr


@pytest.mark.sim
def test_a_design_that_leaves_the_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the RTL writes is matched against the plan, not taken for it."""
    right = trace_plan.plan

    def wrong(design: designs.Design, operation: Operation) -> Plan:
        made = right(design, operation)
        return Plan(made.ops[:-1], made.steps, made.result)

    monkeypatch.setattr(trace_plan, "plan", wrong)
    with pytest.raises(MonproError, match=r"CHECK: study does not follow the plan"):
        run(5, "binary", public=True)
