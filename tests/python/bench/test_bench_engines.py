# SPDX-License-Identifier: Apache-2.0
"""The engine of lanes through Python: against pow, with keys, with bad requests; and the bench of
engines side by side."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa as keys

from monpro import (
    Engine,
    Job,
    Key,
    MonproError,
    raw_private,
    raw_private_batch,
    raw_public,
    raw_public_batch,
    rsa,
)
from monpro.bench import dudect, peers
from monpro.bench import engines as bench_engines

SPECS = ("lanes:threads=2", "lanes:isa=avx2,threads=1", "lanes:isa=portable,threads=2")


@pytest.fixture(scope="module", params=SPECS)
def lanes(request: pytest.FixtureRequest) -> Iterator[Engine]:
    try:
        engine = Engine(request.param)
    except MonproError as why:
        if why.name != "MONPRO_ERR_UNSUPPORTED":
            raise
        pytest.skip(str(why))
    with engine:
        yield engine


def cases(source: random.Random, count: int, longest: int) -> list[Job]:
    """Any lengths; the moduli and bases on which carries go far, often."""
    jobs = []
    for _ in range(count):
        bits = source.randint(2, longest)
        top = 1 << (bits - 1)
        n = source.choice([2 * top - 1, top + 1, source.getrandbits(bits) | top]) | 1
        base = min(n - 1, source.choice([0, 1, n - 1, n - 2, top - 1, source.randrange(n)]))
        length = source.choice([1, 63, 64, 65, 128, 129])
        e = source.choice([(1 << length) - 1, 1 << (length - 1), source.getrandbits(length)])
        public = source.random() < 0.3
        window = source.choice([0, 0, 0, 1, 2, 3, 4, 5, 6])
        e_bytes = e.to_bytes(-(-length // 8), "big")
        jobs.append(Job(base, e_bytes, n, public, "fixed_window" if window else "default", window))
    return jobs


def expected(job: Job) -> int:
    e = job.exponent if isinstance(job.exponent, int) else int.from_bytes(job.exponent, "big")
    assert isinstance(job.base, int)
    assert isinstance(job.modulus, int)
    return pow(job.base, e, job.modulus)


@pytest.mark.parametrize(("seed", "count", "longest"), [(1, 200, 140), (2, 60, 1100), (3, 9, 4096)])
def test_random_batches(lanes: Engine, seed: int, count: int, longest: int) -> None:
    jobs = cases(random.Random(seed), count, longest)
    for job, result in zip(jobs, lanes.modexp_batch(jobs), strict=True):
        assert result.value == expected(job), job


def test_a_bad_request_has_its_own_error(lanes: Engine) -> None:
    jobs = [Job(5 + i, 77, 10**30 + 57) for i in range(10)]
    jobs[4] = Job(5, 77, 10**30)
    jobs[7] = Job(10**30 + 57, 77, 10**30 + 57)
    found = lanes.modexp_batch(jobs)
    names = [result.error.name if result.error else None for result in found]
    assert names[4] == "MONPRO_ERR_MODULUS_EVEN"
    assert names[7] == "MONPRO_ERR_BASE_RANGE"
    good = [i for i in range(10) if i not in (4, 7)]
    assert [found[i].value for i in good] == [expected(jobs[i]) for i in good]


def key_of(p: int, q: int) -> Key:
    d = pow(65537, -1, (p - 1) * (q - 1))
    public = keys.RSAPublicNumbers(65537, p * q)
    numbers = keys.RSAPrivateNumbers(p, q, d, d % (p - 1), d % (q - 1), pow(q, -1, p), public)
    return Key.read(
        numbers.private_key().private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )


def prime(source: random.Random, bits: int) -> int:
    gmp = pytest.importorskip("gmpy2")
    while True:
        p = int(gmp.next_prime(source.getrandbits(bits) | 3 << (bits - 2)))
        if p.bit_length() == bits and p % 65537 != 1:
            return p


@pytest.mark.parametrize(("p_bits", "q_bits"), [(512, 512), (544, 480)])
@pytest.mark.parametrize("count", [1, 5])
def test_rsa(lanes: Engine, p_bits: int, q_bits: int, count: int) -> None:
    """Primes of one length, and of lengths that do not share a vector."""
    source = random.Random(p_bits)
    p, q = prime(source, p_bits), prime(source, q_bits)
    key = key_of(p, q)
    blocks = [source.randrange(p * q).to_bytes(key.size, "big") for _ in range(count)]
    powers = raw_private(lanes, key, blocks)
    assert raw_public(lanes, key, powers) == blocks
    with Engine("soft") as soft:
        assert raw_private(soft, key, blocks) == powers


def test_rsa_across_keys(lanes: Engine) -> None:
    """Keys of several lengths in one call, one of them again and again; and back."""
    source = random.Random(5)
    some = [Key.generate(bits) for bits in (512, 1024, 512, 1088)]
    some.append(key_of(prime(source, 544), prime(source, 480)))
    requests = []
    for _ in range(19):
        key = source.choice(some)
        requests.append((key, b"\0" + source.randbytes(key.size - 1)))
    with Engine("soft") as soft:
        expected = [raw_private(soft, key, [block])[0] for key, block in requests]
    powers = raw_private_batch(lanes, requests)
    assert [power.value for power in powers] == expected
    back = [(key, power.value) for (key, _), power in zip(requests, powers, strict=True)]
    assert [found.value for found in raw_public_batch(lanes, back)] == [x for _, x in requests]


def test_sign_and_verify(lanes: Engine) -> None:
    key = Key.generate(1024)
    signature = rsa.sign(lanes, key, b"message")
    rsa.verify(lanes, key, b"message", signature)
    with pytest.raises(MonproError, match="does not verify"):
        rsa.verify(lanes, key, b"massage", signature)


# ---- monpro bench engines ------------------------------------------------------------------------


def test_names_are_split() -> None:
    given = "soft,lanes,lanes:isa=avx2,threads=2,lanes:isa=scalar,openssl:ifma=off,gmp,soft"
    assert bench_engines.split(given) == [
        "soft", "lanes:threads=1", "lanes:isa=avx2,threads=2", "lanes:isa=scalar,threads=1",
        "openssl:ifma=off", "gmp",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("names", "bits", "status"),
    [
        ("soft,sim:small", [512], "MONPRO_ERR_ARGUMENT"),
        ("soft,openssl,openssl:ifma=off", [512], "MONPRO_ERR_ARGUMENT"),
        ("soft", [513], "MONPRO_ERR_KEY_SIZE"),
        ("soft,hard", [512], "MONPRO_ERR_ENGINE"),
    ],
)
def test_bench_refuses(tmp_path: Path, names: str, bits: list[int], status: str) -> None:
    with pytest.raises(MonproError) as why:
        bench_engines.run(names, bits, 1, 1, tmp_path / "x.json", as_json=False)
    assert why.value.name == status
    assert not (tmp_path / "x.json").exists()


def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_engines, "FULL", dict.fromkeys(bench_engines.FULL, 4))
    monkeypatch.setattr(bench_engines, "ROUND_S", 0.001)


def test_bench(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small(monkeypatch)
    out = tmp_path / "engines.json"
    assert bench_engines.run("soft,lanes,openssl,gmp", [1024], 2, 1, out, as_json=False)
    found = json.loads(out.read_text())
    assert {item["contender"] for item in found} == {"soft", "lanes:threads=1", "openssl", "gmp"}
    for item in found:
        assert item["ok"]
        assert item["time_ms"] > 0
        assert "OpenSSL 3" in item["baseline"]
        if item["operation"] == "rsa_private":
            assert item.get("checked") == (None if item["contender"] == "gmp" else True)
    text = capsys.readouterr().out
    for row in (
        "modexp 1024", "RSA private 1024, one alone", "RSA public 1024",
        "RSA private 1024, a key each",
    ):  # fmt: skip
        assert row in text
    several = [item for item in found if item.get("keys", 1) > 1]
    assert {item["contender"] for item in several} == {item["contender"] for item in found}
    assert {(item["keys"], item["requests"]) for item in several} == {(8, 8)}


def test_bench_notices_a_wrong_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small(monkeypatch)
    monkeypatch.setattr(peers, "gmp_modexp", lambda bases, exponents, moduli: lambda: [1, 2, 3, 4])
    assert not bench_engines.run("soft,gmp", [512], 1, 1, tmp_path / "x.json", as_json=False)
    assert "WRONG: modexp 512 by gmp" in capsys.readouterr().out.replace("\n", " ")


def test_bench_takes_a_key_each() -> None:
    """The right results are those of as many moduli as there are requests, by every contender."""
    case = bench_engines.Case(bench_engines.Row("rsa_private", 1024, 3, 3), 1)
    assert len(set(case.moduli)) == 3
    expected = [pow(*three) for three in zip(case.bases, case.exponents, case.moduli, strict=True)]
    with Engine("lanes") as engine:
        contenders = [engine, "openssl"]
        assert [case.work(one)() for one in contenders] == [expected] * 2
    one = bench_engines.Case(bench_engines.Row("rsa_private", 1024, 3), 1)
    assert len(set(one.moduli)) == 1


@pytest.mark.parametrize(
    ("ends", "status"), [("exit 0", 0), ("exit 1", 1), ("exit 2", 2), ("kill -9 $$", 137)]
)
def test_without_ifma_ends_as_its_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ends: str, status: int
) -> None:
    """Wrong results are 1, and nothing else is."""
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\n[ -n "${bench_engines.NO_IFMA[0]}" ] && {ends}\n')
    python.chmod(0o755)
    monkeypatch.delenv(bench_engines.NO_IFMA[0], raising=False)
    monkeypatch.setattr(sys, "executable", str(python))

    def run() -> bool:
        return bench_engines.run(
            "openssl:ifma=off", [512], 1, 1, tmp_path / "x.json", as_json=False
        )

    if status < 2:
        assert run() == (status == 0)
        return
    with pytest.raises(typer.Exit) as why:
        run()
    assert why.value.exit_code == status


def test_without_gmp(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is optional: the others are measured, and the table says why it is not there."""
    small(monkeypatch)

    def absent() -> object:
        raise MonproError("MONPRO_ERR_UNSUPPORTED", "gmpy2 is not installed")

    monkeypatch.setattr(peers, "gmp", absent)
    assert bench_engines.run("soft,gmp", [512], 1, 1, tmp_path / "x.json", as_json=False)
    assert "gmp is left out: gmpy2 is not installed" in capsys.readouterr().out.replace("\n", " ")


# ---- monpro bench engines A --dudect N -----------------------------------------------------------


@pytest.mark.parametrize(("leak", "verdict"), [(0.001, "LEAKS"), (0.0, "no leak seen")])
def test_dudect_sees_a_leak(leak: float, verdict: str) -> None:
    """Of a stand-in, by a clock of its own: a thousandth of the time for each bit that is set,
    under noise of five hundredths, and now and then an interrupt."""
    noise, now, given = random.Random(3), [0.0], [b""]

    def work() -> None:
        ones = int.from_bytes(given[0], "big").bit_count()
        now[0] += 1 + leak * ones + noise.gauss(0, 0.05) + (noise.random() < 0.01) * 30

    def prepare(exponent: bytes) -> None:
        given[0] = exponent

    fixed, other = dudect.times(prepare, work, 64, 1000, random.Random(4), lambda: now[0])
    assert len(fixed) + len(other) == 1000
    assert min(len(fixed), len(other)) > 400
    found = dudect.judge(fixed, other)
    assert found.text == verdict
    assert found.t < 0 or not leak  # the fixed one has two ones


def test_welch() -> None:
    """By hand: means 2 and 5, variances 1 and 4, of three and four: -3 / sqrt(1/3 + 4/4)."""
    b = [5 - 6**0.5, 5.0, 5.0, 5 + 6**0.5]
    assert dudect.welch([1.0, 2.0, 3.0], b) == pytest.approx(-3 / (1 / 3 + 1) ** 0.5)
    assert dudect.welch([1.0, 1.0], [1.0, 1.0]) == 0


def test_dudect_of_engines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "dudect.json"
    assert bench_engines.dudect("soft,lanes", None, 100, 1, out, as_json=False)
    found = json.loads(out.read_text())
    assert [(item["contender"], item["requests"]) for item in found] == [
        ("soft", 1), ("soft", 8), ("lanes:threads=1", 1), ("lanes:threads=1", 8),
    ]  # fmt: skip
    for item in found:
        assert item["measurements"] == 100
        assert isinstance(item["welch_t"], float)
    assert "does not show that there is none" in capsys.readouterr().out.replace("\n", " ")


@pytest.mark.parametrize(("names", "bits"), [("soft,openssl", None), ("soft", [1024])])
def test_dudect_refuses(tmp_path: Path, names: str, bits: list[int] | None) -> None:
    with pytest.raises(MonproError) as why:
        bench_engines.dudect(names, bits, 100, 1, tmp_path / "x.json", as_json=False)
    assert why.value.name == "MONPRO_ERR_ARGUMENT"
