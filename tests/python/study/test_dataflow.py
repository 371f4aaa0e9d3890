# SPDX-License-Identifier: Apache-2.0
"""The dataflow kernel through Python: batches of products and exponentiations in every form, its
cycles by the model, errors, and RSA and sealed files over it."""

from __future__ import annotations

import random
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import monpro
from monpro import Engine, Job, Key, MonproError
from monpro.explore import space as explore_space
from monpro.hardware import designs, rtl, simulator
from monpro.hardware.models.dataflow import MAX_BLOCKS, Kernel
from monpro.hardware.regs import Scheme
from monpro.seal import blocks as seal_blocks
from monpro.study import dataflow
from monpro.study.dataflow import FORMS, Model, Numbers
from monpro.synth import targets

TWO_LANES = "dataflow,elements=2,max_bits=128"


def numbers(digits: int, blocks: int) -> Numbers:
    """Random ones, and digits of ones and zeros for carries."""
    chance, bits = random.Random(digits), 32 * digits
    values = []
    for block in range(blocks):
        n = [(1 << bits) - 1, 1 << bits - 1 | 1, chance.getrandbits(bits) | 1 << bits - 1 | 1]
        modulus = n[block % 3]
        values.append((modulus - 1 if block % 4 == 0 else chance.randrange(modulus),
                       chance.choice([0, 1, modulus - 1, chance.randrange(modulus)]),
                       modulus))  # fmt: skip
    return dataflow.numbers_of(values, digits)


@pytest.fixture(scope="module")
def model() -> Iterator[Model]:
    with Model(simulator.model(designs.get("dataflow"))) as opened:
        yield opened


@pytest.fixture(scope="module")
def two_lanes() -> Iterator[Model]:
    with Model(simulator.model(designs.parse(TWO_LANES))) as opened:
        yield opened


# ---- the design


def test_the_designs_shape() -> None:
    design = designs.get("dataflow")
    assert (design.top, design.multipliers) == ("monpro_dataflow", 4)
    assert designs.parse("dataflow,elements=8").multipliers == Kernel(8).multipliers
    assert simulator.harness(design) == "harness_stream.cpp"
    assert simulator.harness(designs.get("small")) == "harness.cpp"
    with pytest.raises(MonproError, match="MONPRO_ERR_UNSUPPORTED: the cycles of dataflow"):
        design.model()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("dataflow,elements=3", "elements = 3 are not 1, 2, 4 or 8 lanes"),
        ("dataflow,max_bits=1000", "max_bits = 1000 is not 128, 256, 512"),
        ("dataflow,word_bits=16", "word_bits = 16 is not possible with the multiplier dataflow"),
        ("dataflow,entries=8", "entries = 8 is not possible"),
        ("dataflow,min_bits=2048,max_bits=1024", "min_bits = 2048 is above max_bits = 1024"),
    ],
)
def test_other_shapes_are_refused(text: str, words: str) -> None:
    with pytest.raises(MonproError, match="MONPRO_ERR_PARAMETER") as caught:
        designs.parse(text)
    assert words in caught.value.message


def test_a_model_is_made_of_what_its_top_needs() -> None:
    names = [path.stem for path in simulator.sources(designs.get("dataflow"))]
    assert "monpro_dataflow" in names
    assert "monpro_coprocessor" not in names
    assert rtl.needed("monpro_coprocessor", rtl.sources()) != rtl.sources()
    assert simulator.sources(designs.get("small")) == rtl.sources()


# ---- products


@pytest.mark.sim
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("digits", [1, 4, 33])
def test_products_in_the_models_cycles(model: Model, form: str, digits: int) -> None:
    for blocks in (1, 7, 9):
        batch = numbers(digits, blocks)
        done = model.multiply(form, batch)
        assert done.values == batch.products(whole=form == "f")
        assert done.cycles == dataflow.cycles(form, 1, digits, blocks)
        assert done.runs == (blocks * digits if form in dataflow.RESTARTED else 1)


@pytest.mark.sim
@pytest.mark.parametrize("form", FORMS)
def test_lanes_that_are_not_full(two_lanes: Model, form: str) -> None:
    assert two_lanes.lanes == 2
    for blocks in (1, 5, 18):
        batch = numbers(4, blocks)
        done = two_lanes.multiply(form, batch)
        assert done.values == batch.products(whole=form == "f")
        assert done.cycles == dataflow.cycles(form, 2, 4, blocks)


@pytest.mark.sim
def test_errors_have_names(two_lanes: Model, tmp_path: Path) -> None:
    with pytest.raises(MonproError, match="MONPRO_ERR_MODULUS_LONG: 5 digits; the kernel takes"):
        two_lanes.multiply("c", numbers(5, 1))
    with pytest.raises(MonproError, match="MONPRO_ERR_PARAMETER: no such form"):
        two_lanes.multiply("g", numbers(4, 1))
    even = dataflow.numbers_of([(1, 1, 1 << 127)], 4)
    with pytest.raises(MonproError, match="MONPRO_ERR_MODULUS_EVEN"):
        two_lanes.multiply("f", even)
    with pytest.raises(MonproError, match="MONPRO_ERR_BUILD: the model cannot be loaded"):
        Model(tmp_path / "none.so")
    with pytest.raises(MonproError, match="MONPRO_ERR_ARGUMENT: no repeats"):
        dataflow.host("c", "scalar", 1, numbers(4, 1), 0)
    with pytest.raises(MonproError, match="MONPRO_ERR_UNSUPPORTED: 3 digits do not fill limbs"):
        dataflow.host("c", "library_whole", 1, numbers(3, 1), 1)
    assert two_lanes.multiply("c", numbers(4, 2)).cycles > 0


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("lanes", [1, 4])
def test_the_hosts_own_parts(form: str, lanes: int) -> None:
    batch = numbers(32, 6)
    for work in dataflow.WORKS:
        done = dataflow.host(form, work, lanes, batch, 3)
        whole = work.endswith("_whole") or (work == "resolve" and form == "f")
        assert done.time_ns > 0
        assert (done.values == batch.products(whole=whole)) == (work != "prepare"), work


def test_cycles_of_more_blocks_than_a_run_has() -> None:
    kernel = Kernel(2)
    many = 2 * (MAX_BLOCKS + 5)
    expected = kernel.cycles(FORMS["e"], 4, MAX_BLOCKS) + kernel.cycles(FORMS["e"], 4, 5)
    assert dataflow.cycles("e", 2, 4, many) == expected
    rows = MAX_BLOCKS // 32
    assert dataflow.cycles("c", 2, 32, 2 * rows) == kernel.cycles(FORMS["c"], 32, 32 * rows)
    assert dataflow.cycles("b", 2, 4, 7) == 4 * 4 * kernel.cycles(FORMS["b"], 4, 1)


# ---- exponentiations


def jobs(bits: int, count: int) -> list[Job]:
    chance = random.Random(bits)
    found = []
    for _ in range(count):
        n = chance.getrandbits(bits) | 1 << bits - 1 | 1
        found.append(Job(chance.randrange(n), chance.getrandbits(bits), n))
    return found


@pytest.mark.sim
@pytest.mark.parametrize("form", FORMS)
def test_exponentiations_in_every_form(form: str) -> None:
    with Engine(f"sim:{TWO_LANES},form={form}") as engine:
        assert (engine.info.elements, engine.info.max_bits) == (2, 128)
        todo = jobs(128, 3)
        results = engine.modexp_batch(todo)
        for job, result in zip(todo, results, strict=True):
            assert result.value == pow(job.base, job.exponent, job.modulus)  # type: ignore[arg-type]
        assert sum(r.counters.cycles_exponentiate for r in results) == engine.counters().cycles


@pytest.mark.sim
def test_a_batch_shares_the_kernel() -> None:
    with Engine(f"sim:{TWO_LANES},form=e") as engine:
        [one] = engine.modexp_batch(jobs(128, 1))
        many = engine.modexp_batch(jobs(128, 16))
    cycles = sum(result.counters.cycles_exponentiate for result in many)
    assert cycles < 2 * one.counters.cycles_exponentiate
    assert {result.counters.products for result in many} == {one.counters.products}


@pytest.mark.sim
def test_a_secret_exponent_does_not_show_in_the_cycles() -> None:
    cycles = set()
    with Engine(f"sim:{TWO_LANES}") as engine:
        for exponent in (0, 1, (1 << 128) - 1, int("5" * 32, 16)):
            [result] = engine.modexp_batch([Job(3, exponent.to_bytes(16), (1 << 128) - 159)])
            assert result.value == pow(3, exponent, (1 << 128) - 159)
            cycles.add(result.counters.cycles_exponentiate)
    assert len(cycles) == 1


@pytest.mark.sim
@pytest.mark.parametrize(("form", "count"), [("f", dataflow.BATCH), ("f", 5), ("c", 3)])
def test_cycles_of_a_batch_are_known_before(form: str, count: int) -> None:
    with Engine(f"sim:{TWO_LANES},form={form}") as engine:
        results = engine.modexp_batch(jobs(128, count))
    [(scheme, window)] = {(result.scheme, result.window) for result in results}

    def cycles(window: int) -> int:
        return dataflow.exponentiation_cycles(
            2, Scheme.FIXED_WINDOW, 128, 128, window, form=form, count=count
        )

    assert scheme == "fixed_window"
    assert sum(result.counters.cycles_exponentiate for result in results) == cycles(window)
    assert window == min(range(1, 7), key=cycles)  # as an exploration takes it


@pytest.mark.sim
def test_rsa_in_a_full_batch_takes_what_an_exploration_says() -> None:
    key = Key.generate(512)
    blocks = [bytes([0, i]) * 32 for i in range(dataflow.BATCH)]
    ecp5 = (targets.get("ecp5-25"),)
    with Engine("sim:dataflow,form=f") as engine:
        for operation, work in (
            ("rsa_private", monpro.raw_private),
            ("rsa_public", monpro.raw_public),
        ):
            schemes = explore_space.schemes(["best"], operation)
            space = explore_space.Space(
                (designs.get("dataflow"),), ecp5, (512,), operation, schemes, scheme_best=True
            )
            [point] = space.points()
            before = engine.counters().cycles
            work(engine, key, blocks)
            # A share is rounded up: that in a private operation of a half, and of the check.
            over = dataflow.BATCH * point.cycles - (engine.counters().cycles - before)
            assert 0 <= over < 3 * dataflow.BATCH


@pytest.mark.sim
@pytest.mark.parametrize(
    ("spec", "words"),
    [
        (f"sim:{TWO_LANES},form=g", 'no form "g" of products; there are: a, b, c, d, e, f'),
        (f"sim:{TWO_LANES},form=", "no form"),
        ("sim:study,form=c", "form is for a design with streams"),
    ],
)
def test_a_bad_form_is_named(spec: str, words: str) -> None:
    with pytest.raises(MonproError, match="MONPRO_ERR_PARAMETER") as caught:
        Engine(spec)
    assert words in caught.value.message


# ---- RSA, and files


def png(side: int) -> bytes:
    """A small picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    rows = b"".join(b"\0" + bytes((x * y) % 251 for x in range(3 * side)) for y in range(side))
    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(rows)), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


@pytest.mark.sim
def test_rsa_of_each_size(soft: Engine) -> None:
    """A private operation, CRT halves side by side; the largest public only: its time."""
    with Engine("sim:dataflow") as engine:
        for bits in (512, 1024):
            key = Key.generate(bits)
            blocks = [bytes([0, i]) * (bits // 16) for i in range(2)]
            found = monpro.raw_private(engine, key, blocks)
            assert found == monpro.raw_private(soft, key, blocks)
        n = (1 << 4096) - 1
        assert engine.modexp(3, 65537, n, public=True) == pow(3, 65537, n)


@pytest.mark.sim
def test_a_picture_block_by_block(monpro: Any, tmp_path: Path) -> None:
    key, picture = tmp_path / "key.pem", tmp_path / "photo.png"
    key.write_bytes(Key.generate(1024).write())
    picture.write_bytes(png(9))
    assert seal_blocks.block_count(Key.read_file(key), picture.stat().st_size) >= 4
    sealed, back = tmp_path / "photo.sealed", tmp_path / "back.png"
    over = ["--engine", "sim:dataflow"]
    done = monpro("seal", "--blocks", "--to", key, *over, picture, "-o", sealed)
    assert done.returncode == 0, done.stderr
    done = monpro("open", "--key", key, *over, sealed, "-o", back)
    assert done.returncode == 0, done.stderr
    assert back.read_bytes() == picture.read_bytes()
    damaged = bytearray(sealed.read_bytes())
    damaged[-1] ^= 1
    sealed.write_bytes(damaged)
    back.unlink()
    assert monpro("open", "--key", key, *over, sealed, "-o", back).returncode != 0
    assert not back.exists()
