# SPDX-License-Identifier: Apache-2.0
"""The builder of models, with a top of its own: caching, locking, tracing, and failing well."""

from __future__ import annotations

import multiprocessing
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cffi
import pytest

from monpro import MonproError
from monpro.base import paths
from monpro.hardware import designs, simulator

TOP = "tiny_top"
SOURCE = Path(__file__).with_name("tiny_top.sv")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MONPRO_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "models"


def build(text: str = "small", source: Path = SOURCE, **options: Any) -> tuple[Path, list[str]]:
    """A model and what was said while it was got."""
    said: list[str] = []
    chosen = designs.parse(text)
    path = simulator.model(chosen, files=[source], top=TOP, say=said.append, **options)
    return path, said


def read_register(model: Path, address: int, trace: str | None = None) -> int:
    """What a register of a model holds, through the ABI of sim/monpro_sim.h."""
    ffi: Any = cffi.FFI()
    ffi.cdef(
        "typedef struct monpro_sim monpro_sim; monpro_sim *monpro_sim_create(const char *);"
        "void monpro_sim_destroy(monpro_sim *);"
        "int monpro_sim_read(monpro_sim *, uint32_t, uint32_t *);"
    )
    lib = ffi.dlopen(str(model))
    sim = lib.monpro_sim_create(trace.encode() if trace else ffi.NULL)
    assert sim != ffi.NULL
    value = ffi.new("uint32_t *")
    assert lib.monpro_sim_read(sim, address, value) == 0
    lib.monpro_sim_destroy(sim)
    return int(value[0])


def test_a_model_is_built_once_and_parameters_make_another(cache: Path) -> None:
    first, said = build()
    assert len(said) == 2
    again, said = build()
    assert (again, said) == (first, [])
    other, said = build("small,word_bits=9")
    assert other != first
    assert len(said) == 2
    # Both in one process, each with its own parameters.
    assert read_register(first, 8) == 17 << 16 | 8
    assert read_register(other, 12) == 9 << 16 | 12
    # A design of another name but the same parameters is the same model.
    same = designs.get("small").parameters()
    text = ",".join(["study", *(f"{key}={value}" for key, value in same.items())])
    assert build(text) == (first, [])


def test_a_changed_source_is_another_model(cache: Path, tmp_path: Path) -> None:
    changed = tmp_path / SOURCE.name
    shutil.copy(SOURCE, changed)
    options = simulator.flags(designs.get("small"), trace=False, top=TOP)
    before = simulator.digest([changed], options)
    assert before == simulator.digest([SOURCE], options)  # wherever it lies
    changed.write_text(SOURCE.read_text() + "// changed\n")
    assert simulator.digest([changed], options) != before
    assert simulator.digest([SOURCE], [*options, "-Wall"]) != before


def test_a_tracing_model_writes_a_trace(cache: Path, tmp_path: Path) -> None:
    model, _ = build(trace=True)
    read_register(model, 8, str(tmp_path / "waves.fst"))
    assert (tmp_path / "waves.fst").stat().st_size > 100


def test_a_folder_with_spaces_will_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MONPRO_CACHE", str(tmp_path / "my cache"))
    folder = tmp_path / "my sources"
    folder.mkdir()
    model, _ = build(source=Path(shutil.copy(SOURCE, folder)))
    assert read_register(model, 4) == 17 << 16 | 4


@pytest.mark.parametrize("what", ["verilog", "c++"])
def test_a_failing_build_shows_the_compilers_words_and_leaves_nothing(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    source = SOURCE
    if what == "verilog":
        source = tmp_path / SOURCE.name
        source.write_text(SOURCE.read_text().replace("1'b1;", "no_such_signal;", 1))
        words = "no_such_signal"
    else:
        share = tmp_path / "share"
        shutil.copytree(paths.share() / "sim", share / "sim")
        (share / "designs.toml").touch()
        harness = share / "sim" / "harness.cpp"
        harness.write_text(harness.read_text() + "\nint spoiled = no_such_name;\n")
        monkeypatch.setattr(paths, "share", lambda: share)
        words = "no_such_name"
    design = designs.get("small")
    with pytest.raises(MonproError) as caught:
        simulator.model(design, files=[source], top=TOP, say=lambda line: None)
    assert caught.value.name == "MONPRO_ERR_BUILD"
    assert words in caught.value.message
    full = SimpleNamespace(free=4096)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: full)
    with pytest.raises(MonproError, match=f"no space left on device: {cache}"):
        simulator.model(design, files=[source], top=TOP, say=lambda line: None)
    assert [path.suffix for path in cache.iterdir()] == [".lock"]


def test_without_a_compiler_the_message_says_so(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(MonproError, match="no C\\+\\+ compiler"):
        build()


def test_a_cache_that_cannot_be_made_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("MONPRO_CACHE", str(tmp_path / "file"))
    with pytest.raises(MonproError, match=f"MONPRO_ERR_BUILD.*{tmp_path / 'file'}"):
        build()


def test_a_lock_that_cannot_be_made_is_named(cache: Path) -> None:
    name = simulator.digest([SOURCE], simulator.flags(designs.get("small"), trace=False, top=TOP))
    lock = cache / f"{name}.lock"
    lock.mkdir(parents=True)
    with pytest.raises(MonproError, match=f"MONPRO_ERR_BUILD.*{lock}"):
        build()


def test_the_cache_folder_is_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Verilator runs in another folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MONPRO_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "here")
    assert paths.cache().is_relative_to(tmp_path)
    monkeypatch.setenv("MONPRO_CACHE", "there")
    assert paths.cache() == tmp_path / "there"
    monkeypatch.setenv("MONPRO_CACHE", "~no-such-user/cache")
    with pytest.raises(MonproError, match="set MONPRO_CACHE"):
        paths.cache()


def test_two_processes_build_one_model(cache: Path) -> None:
    context = multiprocessing.get_context("spawn")
    with context.Pool(2) as pool:
        results = pool.map(_build_elsewhere, [None, None])
    (first, said), (second, said_too) = results
    assert first == second
    built = [line for line in said + said_too if line.startswith("built in")]
    assert len(built) == 1


def _build_elsewhere(_: None) -> tuple[Path, list[str]]:
    return build()
