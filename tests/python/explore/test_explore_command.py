# SPDX-License-Identifier: Apache-2.0
"""`monpro explore` as a user runs it: wrong use, an interrupt, a cluster whose worker is killed."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

import synthesis_stand_in as stand_in

Monpro = Callable[..., subprocess.CompletedProcess[bytes]]
PROGRAM = [sys.executable, "-m", "monpro"]
SPACE = ["--design", "small,elements=1/2/3/4", "--bits", "512"]
needs_wheels = pytest.mark.skipif(
    not all(importlib.util.find_spec(f"yowasp_{name}") for name in ("yosys", "nextpnr_ecp5")),
    reason="the yowasp wheels are not installed: their versions are part of what is kept",
)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--design", "smal"], ['no design "smal"', "small"]),
        (["--design", "small,elements=4/5000"], ["elements = 5000 is not possible"]),
        (["--target", "ecp5-250"], ['no target "ecp5-250"', "ecp5-25", "xc7z020"]),
        (["--operation", "sign"], ['--operation "sign"', "modexp", "rsa_private"]),
        (["--scheme", "lader"], ['no scheme "lader"', "ladder"]),
        (["--window", "wide"], ['--window "wide"']),
        (["--window", "0"], ['--window "0"']),
        (["--clock", "guessed"], ['--clock "guessed"', "placed, assumed"]),
        (["--mhz", "100"], ["--mhz needs --clock assumed"]),
        (["--clock", "assumed", "--seeds", "2"], ["--seeds needs --clock placed"]),
        (["--best", "price"], ['--best "price"', "time, area, blocks, energy"]),
        (["--area", "mm2"], ['--area "mm2"', "lut, blocks"]),
        (["--max-lut", "-1"], ["--max-lut"]),
        (["--max-lut", "few"], ["--max-lut"]),
        (["--min-bits", "9999"], ["--min-bits 9999 excludes every length", "4096"]),
        (["--bits", "24"], ["no design takes any of 24 bits"]),
        (["--search", "0"], ["--search"]),
        (["--scheduler", "x", "--jobs", "2"], ["--jobs is for this machine"]),
        (["--scheduler", "nowhere at all"], ["nowhere at all is not of the form HOST:PORT"]),
        (
            ["--design", "tiny", "--target", "xc7z020"],
            ["no place and route for xc7z020", "--clock assumed"],
        ),
        (["--design", "tiny", "--out", "/dev/null/x.json"], ["/dev/null"]),
    ],
)
def test_wrong_use_is_named(
    monpro: Monpro, tmp_path: Path, arguments: list[str], words: list[str]
) -> None:
    done = monpro("explore", *arguments)
    text = done.stderr.decode()
    assert done.returncode == 2, text
    assert done.stdout == b""
    assert all(word in text for word in words), text
    assert not list(tmp_path.rglob("*.json"))


# ---- processes of their own, with stand-ins for the tools


@pytest.fixture
def place(tmp_path: Path) -> dict[str, str]:
    """The environment of such a process."""
    modules = stand_in.modules(tmp_path / "modules")
    path = os.pathsep.join([str(modules), *filter(None, [os.environ.get("PYTHONPATH")])])
    return os.environ | {
        "PYTHONPATH": path, "MONPRO_CACHE": str(tmp_path / "cache"),
        "STAND_IN_LOG": str(tmp_path / "log"), "STAND_IN_S": "0.1",
    }  # fmt: skip


def tools(tmp_path: Path) -> list[str]:
    """Those that were called."""
    return [line.split()[0] for line in (tmp_path / "log").read_text().splitlines()]


def line(process: subprocess.Popen[str], pattern: str) -> str:
    """The next line of its standard error that has this."""
    assert process.stderr
    for text in process.stderr:
        if re.search(pattern, text):
            return text
    raise AssertionError(f"no line with {pattern}; it ended with {process.wait()}")


def start(
    tmp_path: Path, place: dict[str, str], *arguments: str,
    command: Sequence[str] = ("explore", *SPACE),
) -> subprocess.Popen[str]:  # fmt: skip
    return subprocess.Popen(
        [*PROGRAM, *command, *arguments], cwd=tmp_path, env=place, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        start_new_session=True, restore_signals=True,
        # Where tests run in the background a shell has it ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip


@needs_wheels
def test_interrupted_and_gone_on_with(tmp_path: Path, place: dict[str, str]) -> None:
    slow = place | {"STAND_IN_S": "0.5"}
    with start(tmp_path, slow, "--jobs", "1") as process:
        line(process, r"\[5/8\] .* placed")  # four syntheses and a placement
        os.killpg(process.pid, signal.SIGINT)
        _, rest = process.communicate(timeout=60)
    assert process.returncode == 130, rest
    assert "interrupted" in rest
    assert not (tmp_path / "build" / "explore" / "records.json").exists()
    before = tools(tmp_path)
    with start(tmp_path, place) as process:
        output, rest = process.communicate(timeout=60)
    assert process.returncode == 0, rest
    todo = re.search(r"(\d) placements to do, (\d) kept from earlier runs", rest)
    assert todo, rest
    left, kept = int(todo[1]), int(todo[2])  # the signal may have come a placement later
    assert kept >= 1
    assert left + kept == 4
    assert "4 of 4 points on the front" in output
    again = tools(tmp_path)[len(before) :]
    assert again.count("nextpnr") == left
    with start(tmp_path, place, "--json") as process:
        output, rest = process.communicate(timeout=60)
    assert rest == ""  # nothing to do, nothing to say
    assert json.loads(output) == json.loads(
        (tmp_path / "build" / "explore" / "records.json").read_text()
    )
    assert len(tools(tmp_path)) == len(before) + len(again)


def gone(number: int) -> bool:
    """Whether a process has ended; one that nobody waited for counts as well."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


@needs_wheels
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("command", ["explore --design small,elements=1/2/3", "synth tiny"])
def test_a_signal_ends_the_tools_too(
    tmp_path: Path, place: dict[str, str], command: str, number: signal.Signals
) -> None:
    """One to this process alone, as of `kill`; a terminal's goes to its children as well."""
    log = tmp_path / "log"
    slow = place | {"STAND_IN_S": "60"}
    with start(tmp_path, slow, "--jobs", "2", command=command.split()) as process:
        deadline = time.monotonic() + 60
        while not (log.exists() and log.read_text().count("\n") == 2):
            assert time.monotonic() < deadline
            time.sleep(0.05)
        process.send_signal(number)
        _, rest = process.communicate(timeout=30)
    assert process.returncode == 128 + number, rest
    assert "Traceback" not in rest
    assert "FAILED" not in rest
    deadline = time.monotonic() + 10
    children = [int(line.split()[1]) for line in log.read_text().splitlines()]
    assert len(children) == 2  # nothing was begun after it
    while not all(map(gone, children)):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert not list((tmp_path / "cache" / "synth").iterdir())


@needs_wheels
def test_records_say_what_was_asked(tmp_path: Path, place: dict[str, str]) -> None:
    options = (
        "--clock assumed --mhz 80 --max-lut 1300 --max-ms 1e6 --area blocks --best area --warm"
    )
    with start(tmp_path, place, *options.split(), "--scheme", "ladder") as process:
        output, rest = process.communicate(timeout=60)
    assert process.returncode == 0, rest
    found = json.loads((tmp_path / "build" / "explore" / "records.json").read_text())
    assert len(found) == 4
    for item in found:
        assert item["run"] == {
            "designs": ["small,elements=1/2/3/4"], "targets": ["ecp5-25"], "bits": [512],
            "operation": "modexp", "schemes": ["ladder"], "window": "best", "key_state": "warm",
            "clock": "assumed", "mhz": 80, "constraints": {"max_lut": 1300, "max_ms": 1e6},
            "area": "blocks", "best": "area",
        }  # fmt: skip
    assert "Best for --max-lut 1300, --max-ms 1e+06 on ecp5-25 at 512 bits" in " ".join(
        output.split()
    )


class Cluster:
    """A Dask scheduler and workers, each a process of its own with a cache of its own."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self._folder, self._environment = folder, environment
        self._file = folder / "scheduler.json"
        arguments = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show"]
        self.scheduler = self._start("scheduler", [*arguments, "--scheduler-file", str(self._file)])
        self.workers: list[subprocess.Popen[bytes]] = []

    def _start(self, kind: str, arguments: list[str], **more: str) -> subprocess.Popen[bytes]:
        with (self._folder / f"{kind}.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.dask_{kind}", *arguments],
                cwd=self._folder, env=self._environment | more, stdout=log, stderr=log,
                stdin=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip

    @property
    def address(self) -> str:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            if self._file.exists() and (text := self._file.read_text()):
                return str(json.loads(text)["address"])
            time.sleep(0.1)
        raise AssertionError((self._folder / "scheduler.log").read_text())

    def add_worker(self, **environment: str) -> None:
        number = len(self.workers)
        arguments = [
            self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard",
            "--name", f"worker{number}", "--local-directory", str(self._folder / f"work{number}"),
        ]  # fmt: skip
        cache = str(self._folder / f"cache{number}")
        self.workers.append(self._start("worker", arguments, MONPRO_CACHE=cache, **environment))

    def close(self) -> None:
        for process in [*self.workers, self.scheduler]:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path, place: dict[str, str]) -> Iterator[Cluster]:
    pytest.importorskip("distributed")
    started = Cluster(tmp_path, place | {"STAND_IN_S": "0.7"})
    yield started
    started.close()


@needs_wheels
def test_a_killed_worker_loses_nothing(
    tmp_path: Path, place: dict[str, str], cluster: Cluster
) -> None:
    """Two workers share the work; one is killed while it has some; the other does it all."""
    cluster.add_worker()
    cluster.add_worker()
    with start(tmp_path, place, "--scheduler", cluster.address) as process:
        line(process, r"\[2/4\] .* synthesized")
        os.killpg(cluster.workers[0].pid, signal.SIGKILL)
        output, rest = process.communicate(timeout=120)
    assert process.returncode == 0, rest
    assert "4 of 4 points on the front" in output
    found = json.loads((tmp_path / "build" / "explore" / "records.json").read_text())
    assert [item["clock_mhz"] for item in found] == [148, 147, 146, 145]
    # Both have worked, and what they found is kept here: the same again needs no cluster.
    assert all(list((tmp_path / f"cache{i}" / "synth").iterdir()) for i in range(2))
    before = len(tools(tmp_path))
    with start(tmp_path, place, "--out", "again.json") as process:
        process.communicate(timeout=60)
    assert json.loads((tmp_path / "again.json").read_text()) == found
    assert len(tools(tmp_path)) == before


@needs_wheels
def test_a_cluster_without_workers_or_scheduler(
    tmp_path: Path, place: dict[str, str], cluster: Cluster
) -> None:
    quick = place | {"MONPRO_CONNECT_S": "1"}
    with start(tmp_path, quick, "--scheduler", cluster.address) as process:
        _, rest = process.communicate(timeout=60)
    assert process.returncode == 2
    assert f"{cluster.address} has no workers" in rest
    address = cluster.address
    cluster.add_worker()
    with start(tmp_path, place, "--scheduler", address) as process:
        line(process, r"\[1/4\] .* synthesized")
        os.killpg(cluster.scheduler.pid, signal.SIGKILL)
        _, rest = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "its scheduler is gone; what was done is kept" in rest
    assert "Traceback" not in rest
    cluster.close()
    with start(tmp_path, quick, "--scheduler", address) as process:
        _, rest = process.communicate(timeout=60)
    assert process.returncode == 2
    assert f"no Dask scheduler at {address}" in rest
    assert "Traceback" not in rest
