# SPDX-License-Identifier: Apache-2.0
"""`monpro seal` and `monpro open` as a user runs them: the target is whole or absent."""

from __future__ import annotations

import functools
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from command_line import error_of
from monpro.measure import openssl
from monpro.measure.openssl import Party
from sealing import OAEP, certificate

SOFT = ("--engine", "soft")
FORMS = ([], ["--blocks"])
Monpro = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "photo.png"
    path.write_bytes(b"\x89PNG" + os.urandom(5000))
    return path


@pytest.fixture(scope="session")
def cert(party: Party) -> Path:
    return certificate(party)


def done(process: subprocess.CompletedProcess[bytes]) -> bytes:
    assert process.returncode == 0, process.stderr
    assert process.stderr == b""
    return process.stdout


@pytest.mark.parametrize("form", FORMS)
def test_a_photo(
    monpro: Monpro, party: Party, cert: Path, photo: Path, tmp_path: Path, form: list[str]
) -> None:
    done(monpro("seal", "--to", cert, *SOFT, *form, photo.name, "-o", "photo.p7m"))
    done(monpro("open", "--key", party.key, *SOFT, "photo.p7m", "-o", "back.png"))
    assert (tmp_path / "back.png").read_bytes() == photo.read_bytes()
    assert (tmp_path / "back.png").stat().st_mode & 0o777 == 0o600
    file = (tmp_path / "photo.p7m").read_bytes()
    piped = done(monpro("seal", "--to", party.public, *SOFT, *form, "-", data=b"content"))
    assert done(monpro("open", "--key", party.key, *SOFT, "-", data=piped)) == b"content"
    if not form:
        theirs = ("cms", "-decrypt", "-binary", "-inform", "DER", "-inkey", party.key)
        assert openssl.must(*theirs, data=file) == photo.read_bytes()
        assert openssl.must(*theirs, data=piped) == b"content"


@pytest.mark.sim
@pytest.mark.parametrize("form", FORMS)
def test_the_coprocessor(
    monpro: Monpro, party: Party, photo: Path, tmp_path: Path, form: list[str]
) -> None:
    photo.write_bytes(content := os.urandom(100))
    sealed = monpro("seal", "--to", party.public, *form, photo.name, "-o", "sealed", "--json")
    opened = monpro("open", "--key", party.key, "sealed", "-o", "back", "--json")
    for process, operation in ((sealed, "rsa_public"), (opened, "rsa_private")):
        [record] = json.loads(done(process))
        assert (record["engine"], record["operation"]) == ("sim:small", operation)
        assert record["form"] == ("blocks" if form else "cms")
        assert record["ok"] is True
        assert record["cycles"] > 0
        assert "cycles_check" in record or operation == "rsa_public"
    assert (tmp_path / "back").read_bytes() == content


@pytest.mark.parametrize("form", FORMS)
def test_what_does_not_open_leaves_no_trace(
    monpro: Monpro, parties: Callable[[int], Party], party: Party, photo: Path, form: list[str],
    tmp_path: Path,
) -> None:  # fmt: skip
    done(monpro("seal", "--to", party.public, *SOFT, *form, photo.name, "-o", "sealed"))
    file = bytearray((tmp_path / "sealed").read_bytes())
    file[-1] ^= 1  # found at the very end
    (tmp_path / "changed").write_bytes(file)
    (tmp_path / "old.png").write_bytes(b"old")
    before = sorted(path.name for path in tmp_path.iterdir())
    for name, key, target in (
        ("changed", party.key, "old.png"), ("changed", party.key, "-"),
        ("sealed", parties(1088).key, "new.png"),
    ):  # fmt: skip
        text = error_of(monpro("open", "--key", key, *SOFT, name, "-o", target), 1)
        assert "it is sealed to another key, or it was changed" in text
    assert (tmp_path / "old.png").read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_a_device_gets_nothing_of_a_changed_file(
    monpro: Monpro, party: Party, tmp_path: Path
) -> None:
    sealed = done(monpro("seal", "--to", party.public, *SOFT, "-", data=bytes(3 << 20)))
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        changed = sealed[:-10] + b"?" + sealed[-9:]
        command = ("open", "--key", party.key, *SOFT, "-", "-o", "pipe")
        error_of(monpro(*command, data=changed), 1)
        assert os.read(reader, 1) == b""
    finally:
        os.close(reader)


def limited(folder: Path, *arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    """Runs the command where a file may have 3000 bytes, which is as a full disk to it."""
    return subprocess.run(
        [sys.executable, "-m", "monpro", *map(str, arguments)],
        capture_output=True, cwd=folder, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000)),
    )  # fmt: skip


def test_a_full_disk(monpro: Monpro, party: Party, photo: Path, tmp_path: Path) -> None:
    seal = ("seal", "--to", party.public, *SOFT, photo.name)
    unseal = ("open", "--key", party.key, *SOFT, "sealed")
    done(monpro(*seal, "-o", "sealed"))
    before = sorted(path.name for path in tmp_path.iterdir())
    full = "MONPRO_ERR_FILE: /dev/full: No space left on device"
    assert full in error_of(monpro(*unseal, "-o", "/dev/full"), 2)
    assert "MONPRO_ERR_FILE: new: " in error_of(limited(tmp_path, *seal, "-o", "new"), 2)
    assert "MONPRO_ERR_FILE: new: " in error_of(limited(tmp_path, *unseal, "-o", "new"), 2)
    # A pipe gets what waits on a disk until all of it is right.
    assert "a temporary file in /" in error_of(limited(tmp_path, *unseal), 2)
    assert sorted(path.name for path in tmp_path.iterdir()) == before


@pytest.mark.parametrize(("form", "number"), [([], signal.SIGTERM), (["--blocks"], signal.SIGINT)])
def test_an_interrupt(
    monpro: Monpro, party: Party, tmp_path: Path, form: list[str], number: signal.Signals
) -> None:
    content = os.urandom(20_000)
    sealed = done(monpro("seal", "--to", party.public, *SOFT, *form, "-", data=content))
    command = [sys.executable, "-m", "monpro", "open", "--key", str(party.key), *SOFT]
    # What a shell starts in the background, these tests perhaps, ignores SIGINT; it is inherited.
    heeds = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    process = subprocess.Popen(
        [*command, "-", "-o", "new"],
        stdin=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path, preexec_fn=heeds,
    )  # fmt: skip
    try:
        assert process.stdin is not None
        process.stdin.write(sealed[:-100])  # and then nothing: it waits
        process.stdin.flush()
        until = time.monotonic() + 120  # on a busy machine
        while not any(tmp_path.iterdir()) and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(0.5)
        assert [path.name[:5] for path in tmp_path.iterdir()] == [".new."]  # the unfinished one
        process.send_signal(number)
        text = process.communicate(timeout=120)[1]
    finally:
        process.kill()
    assert process.returncode == 128 + number
    assert b"Traceback" not in text
    assert list(tmp_path.iterdir()) == []


def test_openssl_defaults_need_a_flag(monpro: Monpro, party: Party, cert: Path) -> None:
    file = openssl.must("cms", "-encrypt", "-binary", "-recip", cert, data=b"content")
    common = ("open", "--key", party.key, *SOFT, "-")
    assert "--unauthenticated opens it" in error_of(monpro(*common, data=file), 2)
    assert done(monpro(*common, "--unauthenticated", data=file)) == b"content"
    better = openssl.must(
        "cms", "-encrypt", "-binary", "-aes-256-gcm", "-recip", cert, *OAEP, data=b"content"
    )
    assert done(monpro(*common, "--cert", cert, data=better)) == b"content"


def test_wrong_use(monpro: Monpro, party: Party, cert: Path, tmp_path: Path) -> None:
    to = ("--to", party.public)
    (tmp_path / "folder").mkdir()
    for arguments, words in (
        (("seal", *to, *to, "--blocks", *SOFT, cert), "--blocks seals to one key"),
        (("seal", "--to", "-", *SOFT, "-"), "only one input"),
        (("seal", *to, *SOFT, "absent"), "absent: No such file"),
        (("seal", *to, *SOFT, "folder"), "folder: Is a directory"),
        (("seal", *to, *SOFT, "--json", cert), "name a file for the result"),
    ):
        assert words in error_of(monpro(*arguments), 2)
    expected = ["folder"]
    assert [path.name for path in tmp_path.iterdir()] == expected


def test_progress(monpro: Monpro, party: Party, tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(bytes(70_000))
    process = monpro("seal", "--to", party.public, *SOFT, "--blocks", "large", "-o", "sealed")
    lines = process.stderr.decode().splitlines()
    assert len(lines) == 10
    assert lines[-1] == "[10/10] 1130 of 1130 blocks"
