# SPDX-License-Identifier: Apache-2.0
"""Engines through Python: results against pow, batches, every named error, and their lifetime."""

from __future__ import annotations

import dataclasses
import threading
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from monpro import Counters, Engine, EngineInfo, Job, MonproError, _native
from monpro.engine import Scheme
from monpro.hardware import designs
from monpro.hardware.regs import Scheme as RegisterScheme

COMMON = {
    "deadline": None,
    "suppress_health_check": [HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
}
N = (1 << 255) - 19
N256 = (1 << 256) - 189  # of a length that every design takes
PUBLIC_ONLY = ("sliding_window", "repeated")
Numbers = tuple[int, int, int]


@st.composite
def numbers(draw: st.DrawFn, min_bits: int, max_bits: int) -> Numbers:
    """Base, exponent and odd modulus, with a liking for edges."""
    bits = draw(st.integers(min_bits, max_bits))
    top = 1 << (bits - 1)
    modulus = draw(st.one_of(st.just(2 * top - 1), st.just(top + 1), st.integers(top, 2 * top - 1)))
    modulus |= 1
    edges = st.sampled_from([0, 1, 2, modulus - 1, modulus - 2])
    base = draw(st.one_of(edges, st.integers(0, modulus - 1)))
    exponent = draw(st.one_of(edges, st.just(top), st.integers(0, 2 * top - 1)))
    return base, exponent, modulus


@settings(max_examples=150, **COMMON)
@given(case=numbers(2, 2100), public=st.booleans(), window=st.integers(0, 6))
def test_soft_equals_pow(soft: Engine, case: Numbers, public: bool, window: int) -> None:
    base, exponent, modulus = case
    if modulus.bit_length() >= soft.info.min_bits:
        found = soft.modexp(base, exponent, modulus, public=public, window=window)
        assert found == pow(base, exponent, modulus)


@pytest.mark.sim
@settings(max_examples=60, **COMMON)
@given(case=numbers(32, 256), public=st.booleans(), scheme=st.sampled_from(["default", "binary"]))
def test_simulated_equals_pow(study: Engine, case: Numbers, public: bool, scheme: Any) -> None:
    base, exponent, modulus = case
    found = study.modexp(base, exponent, modulus, public=public, scheme=scheme)
    assert found == pow(base, exponent, modulus)


@settings(max_examples=40, **COMMON)
@given(cases=st.lists(numbers(128, 512), min_size=1, max_size=6))
def test_a_batch_is_its_jobs_in_order(soft: Engine, cases: list[Numbers]) -> None:
    jobs = [Job(*case) for case in cases]
    expected = [pow(*case) for case in cases]
    assert [result.value for result in soft.modexp_batch(jobs)] == expected
    batch = soft.submit(jobs)
    while not batch.poll():
        pass
    assert [result.value for result in batch.wait()] == expected
    assert batch.poll()
    assert [result.value for result in batch.wait()] == expected


def test_bytes_are_numbers_too(soft: Engine) -> None:
    data = [number.to_bytes(40, "big") for number in (7, 65537, N)]
    assert soft.modexp(*data) == pow(7, 65537, N)
    assert soft.modexp(bytearray(data[0]), memoryview(data[1]), data[2]) == pow(7, 65537, N)


BAD = [
    ("MODULUS_ZERO", (2, 3, 0)),
    ("MODULUS_ZERO", (2, 3, b"")),
    ("MODULUS_ONE", (0, 3, 1)),
    ("MODULUS_EVEN", (2, 3, N + 1)),
    ("MODULUS_LONG", (2, 3, (1 << 20000) + 1)),
    ("BASE_RANGE", (N, 3, N)),
    ("BASE_EMPTY", (b"", 3, N)),
    ("EXPONENT_EMPTY", (2, b"", N)),
    ("EXPONENT_LONG", (2, b"\x01" * 3000, N)),
    ("ARGUMENT", (-1, 3, N)),
]


@pytest.mark.parametrize(("name", "case"), BAD)
def test_bad_numbers_have_names_and_the_engine_lives_on(
    soft: Engine, name: str, case: tuple[Any, Any, Any]
) -> None:
    before = soft.counters().operations
    with pytest.raises(MonproError) as caught:
        soft.modexp(*case)
    assert caught.value.name == f"MONPRO_ERR_{name}"
    assert soft.counters().operations == before
    assert soft.modexp(2, 3, N) == 8


@pytest.mark.sim
@pytest.mark.parametrize(("name", "case"), [*BAD, ("MODULUS_SHORT", (2, 3, 9))])
def test_simulated_engines_refuse_the_same(
    study: Engine, name: str, case: tuple[Any, Any, Any]
) -> None:
    with pytest.raises(MonproError) as caught:
        study.modexp(*case)
    assert caught.value.name == f"MONPRO_ERR_{name}"
    assert ".so" not in caught.value.message  # it is named as the user named it
    assert study.modexp(2, 3, N) == 8


def test_schemes_and_windows(soft: Engine) -> None:
    for window in range(7):
        assert soft.modexp(3, N - 2, N, scheme="fixed_window", window=window) == pow(3, N - 2, N)
    for bad in ({"window": 7}, {"scheme": "ladders"}, *({"scheme": s} for s in PUBLIC_ONLY)):
        with pytest.raises(MonproError, match="MONPRO_ERR_SCHEME"):
            soft.modexp(3, 5, N, **bad)  # type: ignore[arg-type]


def shortest(name: str) -> int:
    """A modulus of 256 bits, or of as many as a design must have."""
    return N256 if designs.get(name).min_bits <= 256 else (1 << designs.get(name).min_bits) - 569


def check_schemes(engine: Engine, modulus: int) -> None:
    """Every scheme that an engine has gives pow's results, and every other one its error."""
    have = {scheme for scheme in get_args(Scheme)[1:] if engine.info.has(scheme)}
    public_only = {*PUBLIC_ONLY, *(() if have - {*PUBLIC_ONLY} else ("default",))}
    for scheme in get_args(Scheme):
        for public in (False, True):
            if not engine.info.has(scheme) or (scheme in public_only and not public):
                with pytest.raises(MonproError, match="MONPRO_ERR_SCHEME"):
                    engine.modexp(3, 5, modulus, scheme=scheme, public=public)
                continue
            exponents = [0, 1, 2, 3, 0b110111, 1000]
            if scheme != "repeated" and have != {"repeated"}:
                exponents += [65537, 1 << 200, (1 << 200) - 1, modulus // 3]
            for exponent in exponents:
                found = engine.modexp(modulus - 2, exponent, modulus, scheme=scheme, public=public)
                assert found == pow(modulus - 2, exponent, modulus), (scheme, public, exponent)
    if engine.info.has("repeated"):
        with pytest.raises(MonproError, match="MONPRO_ERR_EXPONENT_LONG"):
            engine.modexp(3, 1 << 32, modulus, scheme="repeated", public=True)


def test_every_scheme(soft: Engine) -> None:
    assert all(soft.info.has(scheme) for scheme in get_args(Scheme))
    check_schemes(soft, N256)


@pytest.mark.sim
@pytest.mark.parametrize("name", list(reversed(designs.load())))
def test_every_scheme_of_every_design(name: str) -> None:
    design = designs.get(name)
    with Engine(f"sim:{name}") as engine:
        has = {scheme for scheme in get_args(Scheme)[1:] if engine.info.has(scheme)}
        assert has == set(design.schemes)
        assert bool(engine.info.crt) == design.crt
        check_schemes(engine, shortest(name))


@pytest.mark.sim
@pytest.mark.parametrize("name", list(designs.load()))
def test_a_secret_exponents_value_does_not_show_with_any_scheme(name: str) -> None:
    with Engine(f"sim:{name}") as engine:
        for scheme in get_args(Scheme):
            if not engine.info.has(scheme) or scheme in PUBLIC_ONLY:
                continue
            if designs.get(name).schemes == ("repeated",):
                continue
            cycles, n = set(), shortest(name)
            for exponent in (0, 1, 1 << 255, (1 << 256) - 1, int("5" * 64, 16)):
                job = Job(3, exponent.to_bytes(32, "big"), n, scheme=scheme)
                [result] = engine.modexp_batch([job])
                assert result.value == pow(3, exponent, n)
                cycles.add(result.counters.cycles_exponentiate)
            assert len(cycles) == 1, scheme


@pytest.mark.sim
@pytest.mark.parametrize("name", ["repeated", "binary", "montgomery"])
def test_a_build_for_the_shortest_moduli_alone(name: str) -> None:
    """Operands of so few words are over before the modulus is in the multipliers."""
    with Engine(f"sim:{name},max_bits=32") as engine:
        n = (1 << 32) - 5
        jobs = [Job(x, e, n, public=True) for x, e in ((3, 5), (n - 1, 65537), (2, 1))]
        assert [result.value for result in engine.modexp_batch(jobs)] == [
            pow(job.base, job.exponent, n) for job in jobs
        ]


def test_a_failed_job_does_not_stop_the_others(soft: Engine) -> None:
    good, bad = Job(2, 10, N), Job(2, 10, N + 1)
    results = soft.modexp_batch([good, bad, good, Job(N, 1, N)])
    names = [result.error.name if result.error else None for result in results]
    assert names == [None, "MONPRO_ERR_MODULUS_EVEN", None, "MONPRO_ERR_BASE_RANGE"]
    assert results[2].value == 1024
    with pytest.raises(MonproError, match="even"):
        _ = results[1].value


def test_an_empty_batch_is_done(soft: Engine) -> None:
    assert soft.modexp_batch([]) == []
    assert soft.submit([]).wait() == []


def test_batches_finish_in_order_of_submission(soft: Engine) -> None:
    first, second = soft.submit([Job(2, 3, N)]), soft.submit([Job(2, 4, N)])
    assert second.wait()[0].value == 16
    assert first.poll()
    assert first.wait()[0].value == 8


def test_counters_add_and_subtract() -> None:
    one, three = Counters(*range(7)), Counters(*range(0, 21, 3))
    assert one + one + one == three
    assert three - one == one + one


def test_the_mirrors_have_the_headers_fields() -> None:
    native = _native.load()
    for mirror, name, extra in (
        (Counters, "monpro_counters", set()),
        (EngineInfo, "monpro_engine_info", {"spec"}),
    ):
        fields = {field.name for field in dataclasses.fields(mirror)}
        assert fields | extra == {field for field, _ in native.ffi.typeof(name).fields}
    numbers = native.ffi.typeof("monpro_scheme").elements.values()
    schemes = {f"MONPRO_SCHEME_{scheme.upper()}" for scheme in get_args(Scheme)}
    assert schemes == set(numbers)


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("hard", "ENGINE"),
        ("", "ENGINE"),
        ("sim:smal", "DESIGN"),
        ("sim:small,elemants=2", "PARAMETER"),
        ("sim:/nowhere/model.so", "BUILD"),
    ],
)
def test_what_cannot_be_opened_is_named(spec: str, name: str) -> None:
    with pytest.raises(MonproError) as caught:
        Engine(spec)
    assert caught.value.name == f"MONPRO_ERR_{name}"


def test_software_has_no_trace() -> None:
    with pytest.raises(MonproError, match="MONPRO_ERR_PARAMETER"):
        Engine("soft", trace="waves.fst")


def test_a_closed_engine_says_so() -> None:
    engine = Engine("soft")
    batch = engine.submit([Job(2, 3, N)])
    engine.close()
    engine.close()
    for call in (engine.counters, batch.wait, batch.poll, lambda: engine.modexp(2, 3, N)):
        with pytest.raises(MonproError, match="closed"):
            call()


def test_threads_may_share_an_engine(soft: Engine) -> None:
    wrong: list[int] = []

    def work(base: int) -> None:
        for exponent in range(40):
            if soft.modexp(base, exponent, N) != pow(base, exponent, N):
                wrong.append(base)

    threads = [threading.Thread(target=work, args=(base,)) for base in range(2, 6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.sim
def test_counters_tell_cold_from_warm_and_repeat_exactly() -> None:
    spent = []
    for _ in range(2):
        with Engine("sim:study") as engine:
            for _ in range(2):
                with engine.measure() as measured:
                    engine.modexp(3, 65537, N, public=True)
                spent.append(measured.counters)
    cold, warm = spent[:2]
    assert spent[2:] == [cold, warm]  # deterministic
    assert (cold.operations, cold.warm, warm.operations, warm.warm) == (1, 0, 1, 1)
    assert warm.cycles_precompute < cold.cycles_precompute
    design = designs.get("study")
    unit = design.model()
    for counters, is_warm in ((cold, False), (warm, True)):
        # To the cycle; a cold one waits for the last product of the constants after their end.
        cost = unit.modexp(RegisterScheme.BINARY, N.bit_length(), 17, warm=is_warm, exponent=65537)
        assert counters.cycles_precompute == cost.cycles_precompute
        assert counters.cycles_exponentiate == cost.cycles_exponentiate
        assert counters.products == cost.products
    assert min(cold.cycles_load, cold.cycles_read) > 0


@pytest.mark.sim
def test_a_secret_exponents_value_does_not_show_in_the_cycles(study: Engine) -> None:
    cycles = set()
    for exponent in (1, 1 << 254, (1 << 255) - 1, int("5" * 63, 16)):
        [result] = study.modexp_batch([Job(3, exponent, N)])
        assert result.value == pow(3, exponent, N)
        cycles.add(result.counters.cycles_exponentiate)
    assert len(cycles) == 1


@pytest.mark.sim
def test_several_models_in_one_process(study: Engine) -> None:
    with Engine("sim:study,elements=2,max_bits=128") as other:
        assert other.info.elements == 2
        assert study.info.elements == 4
        modulus = (1 << 127) - 1
        assert other.modexp(3, 1000, modulus) == study.modexp(3, 1000, modulus)
