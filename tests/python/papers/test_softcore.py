# SPDX-License-Identifier: Apache-2.0
"""Software and hardware on one softcore: what is run, and what is said of it.

tests/soc tests the simulation itself. Here it is a stand-in that answers at once.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import pytest

from monpro.errors import MonproError
from monpro.papers import softcore
from monpro.papers.pai2025 import figures as pai2025_figures
from monpro.papers.pai2025 import softcore as pai2025_softcore
from monpro.papers.sharif import softcore as sharif_softcore
from monpro.soc import build as soc_build
from monpro.soc import peer as soc_peer
from monpro.soc import run as soc
from monpro.soc.tasks import Kind, On, Task

SOFT_CYCLES, PEER_CYCLES, DEVICE_CYCLES = 6_000_000, 9_000_000, 100_000


def answer(task: Task, **changes: object) -> soc.Outcome:
    """What the firmware would say of a task done right."""
    if task.kind == Kind.PEER:
        found = soc.Outcome(task, "peer", "peer", "MONPRO_OK", PEER_CYCLES, "", task.expected, {})
    elif task.on == On.SOFT:
        found = soc.Outcome(task, "soft", "soft", "MONPRO_OK", SOFT_CYCLES, "", task.expected, {})
    else:
        counters = {
            "warm": 1, "load": 600, "read": 300, "precompute": 0, "exponentiate": 98_000,
            "span": 99_000, "scheme": 1,
        }  # fmt: skip
        found = soc.Outcome(
            task, "device", "device", "MONPRO_OK", DEVICE_CYCLES, "", task.expected, counters
        )
    return dataclasses.replace(found, **changes)


@pytest.fixture
def simulated(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str | None, int]]:
    """No builds; the systems and lengths that were simulated."""
    seen: list[tuple[str | None, int]] = []

    def simulate(
        system: soc_build.System, tasks: Sequence[Task], *, program: bytes
    ) -> list[soc.Outcome]:
        assert program == b"image"
        seen.append((system.design and system.design.name, tasks[0].bits))
        return [answer(task) for task in tasks]

    monkeypatch.setattr(soc, "simulate", simulate)
    monkeypatch.setattr(soc_build, "model", lambda system: None)
    monkeypatch.setattr(soc, "is_kept", lambda *_: False)
    monkeypatch.setattr(soc_build, "firmware", lambda peer: b"image")
    monkeypatch.setattr(soc_peer, "mbedtls", lambda: ([], []))
    return seen


def test_pai2025_has_both_lengths_by_software_and_hardware(
    simulated: list[tuple[str | None, int]], capsys: pytest.CaptureFixture[str]
) -> None:
    found = pai2025_softcore.measure(1)
    assert sorted(simulated, key=str) == sorted(
        [(name, bits) for name in (None, "pynq", "pynq,elements=2") for bits in (1024, 2048)],
        key=str,
    )
    assert "6 simulations" in capsys.readouterr().err
    assert all(item["ok"] for item in found)
    assert {item["clock"] for item in found} == {"assumed"}
    own, compared = softcore.split([{"operation": "area"}, *found])
    assert (len(own), len(compared)) == (1, len(found))
    paper = pai2025_figures.load()
    rows = pai2025_softcore.rows(compared, paper, 1024)
    titles = [row[0] for row in rows]
    assert titles.count("encrypt: software") == 1
    assert titles.count("encrypt: pynq, warm") == 2
    hardware = rows[titles.index("decrypt, CRT: pynq, warm")]
    assert hardware == [
        "decrypt, CRT: pynq, warm",
        "0.1000",
        "1.00",
        "1000",
        "2000",
        "60.0",
        "11.43",
    ]
    words = pai2025_softcore.words(compared, paper, 1024)
    assert "encrypt 60 (pynq,elements=2) to the paper's 7.5, Monpro is ahead" in words
    for bits in (1024, 2048):
        assert "no CRT 60" in pai2025_softcore.words(compared, paper, bits)


def test_sharif_compares_with_the_library_and_with_our_own(
    simulated: list[tuple[str | None, int]], capsys: pytest.CaptureFixture[str]
) -> None:
    found = sharif_softcore.measure(1)
    assert {name for name, _ in simulated} == {None, "codesign", "small", "fast"}
    assert {bits for _, bits in simulated} == {512, 1024, 1536, 2048}
    capsys.readouterr()
    sharif_softcore.show(found, 57)
    text = capsys.readouterr().out
    rows = [line.split() for line in text.splitlines()]
    assert [
        "2048",
        "small,",
        "DMA",
        "fixed_window",
        "warm",
        "0.1000",
        "1.01",
        "90.0",
        "60.0",
    ] in rows
    assert "small 90 at 2048 bits, above it" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 80


def test_the_paper_is_ahead_where_it_is(simulated: list[tuple[str | None, int]]) -> None:
    found = sharif_softcore.measure(1)
    assert "below it" in sharif_softcore.words(found, 91)


def test_without_the_library_there_is_our_own(
    simulated: list[tuple[str | None, int]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def missing() -> None:
        raise MonproError("MONPRO_ERR_UNSUPPORTED", "there is no cargo")

    monkeypatch.setattr(soc_peer, "mbedtls", missing)
    found = sharif_softcore.measure(1)
    assert "without mbedTLS: there is no cargo" in capsys.readouterr().err
    assert not [item for item in found if item["engine"] == "peer"]
    assert "Against the library's own software" in sharif_softcore.words(found, 57)


def test_a_wrong_result_is_no_figure(
    simulated: list[tuple[str | None, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        soc, "simulate",
        lambda system, tasks, program: [answer(task, out=1) for task in tasks],
    )  # fmt: skip
    assert not any(item["ok"] for item in pai2025_softcore.measure(1))


def test_a_quick_run_says_where_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    sharif_softcore.show([], 57)
    assert "full form only" in capsys.readouterr().out
