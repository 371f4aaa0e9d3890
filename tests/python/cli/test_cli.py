# SPDX-License-Identifier: Apache-2.0
"""The command line as a user runs it: what it does, and what each mistake says and leaves alone."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from command_line import error_of
from keyfiles import Numbers
from monpro import Engine
from monpro.engine import Scheme
from monpro.hardware import designs
from monpro.measure import openssl
from monpro.measure.openssl import Party

HEAD = {
    "command", "design", "engine", "operation", "bits", "scheme", "exponent", "key_state", "ok",
    "obtained", "tool_versions", "commit", "machine",
}  # fmt: skip
SOFT = ("--engine", "soft")
Monpro = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "photo.png"
    path.write_bytes(b"\x89PNG" + bytes(range(256)) * 40)
    return path


# ---- the main road


def test_sign_and_verify(monpro: Monpro, party: Party, photo: Path, tmp_path: Path) -> None:
    done = monpro("sign", "--key", party.key, *SOFT, "--padding", "pss", photo.name)
    assert done.returncode == 0, done.stderr
    assert party.verifies(photo, done.stdout)
    (tmp_path / "photo.sig").write_bytes(done.stdout)
    common = ("verify", "--key", party.public, *SOFT, "--signature", "photo.sig")
    assert monpro(*common, photo.name).stdout == b"Verified OK\n"
    assert "MONPRO_ERR_SIGNATURE" in error_of(monpro(*common, "-", data=b"other"), 1)


def test_digests_salts_and_mgf1(monpro: Monpro, party: Party, photo: Path, tmp_path: Path) -> None:
    (tmp_path / "hash").write_bytes(hashlib.sha384(photo.read_bytes()).digest())
    choice = ("--mgf1-digest", "sha1", "--salt-length")
    done = monpro("sign", "--key", party.key, *SOFT, "--prehashed", "sha384", *choice, "20", "hash")
    assert done.returncode == 0, done.stderr
    (tmp_path / "photo.sig").write_bytes(done.stdout)
    common = ("verify", "--key", party.public, *SOFT, "--signature", "photo.sig")
    whole = (*common, "--digest", "sha384", photo.name)
    assert monpro(*whole, *choice, "20").stdout == b"Verified OK\n"
    assert monpro(*whole, *choice, "any").stdout == b"Verified OK\n"
    for wrong in (("digest",), ("longest",), ("21",), ("20", "--mgf1-digest", "sha384")):
        assert "MONPRO_ERR_SIGNATURE" in error_of(monpro(*whole, *choice, *wrong), 1)


def test_oaep_with_another_digest_in_mgf1(monpro: Monpro, party: Party, tmp_path: Path) -> None:
    common = (*SOFT, "--digest", "sha256", "--mgf1-digest", "sha1")
    done = monpro("encrypt", "--key", party.public, *common, "-", data=b"secret")
    assert done.returncode == 0, done.stderr
    assert monpro("decrypt", "--key", party.key, *common, "-", data=done.stdout).stdout == b"secret"
    error_of(monpro("decrypt", "--key", party.key, *common[:-2], "-", data=done.stdout), 1)


@pytest.mark.sim
def test_the_coprocessor_signs(monpro: Monpro, party: Party, photo: Path, tmp_path: Path) -> None:
    arguments = ("--key", party.key, "--engine", "sim:small", "--padding", "pss")
    done = monpro("sign", *arguments, photo.name)
    assert done.returncode == 0, done.stderr
    assert party.verifies(photo, done.stdout)
    done = monpro("sign", *arguments, photo.name, "--json", "--out", "photo.sig")
    [record] = json.loads(done.stdout)
    assert record.keys() >= HEAD
    assert (record["design"], record["engine"], record["ok"]) == ("small", "sim:small", True)
    assert record["cycles"] == record["cycles_precompute"] + record["cycles_exponentiate"] > 0
    assert record["cycles_bus"] == record["cycles_load"] + record["cycles_read"] > 0
    assert 0 < record["cycles_check"] < record["cycles"] / 2
    assert 0 < record["cycles_check_bus"] < record["cycles_bus"]
    assert party.verifies(photo, (tmp_path / "photo.sig").read_bytes())


@pytest.mark.parametrize("padding", ["oaep", "pkcs1"])
def test_encrypt_and_decrypt(monpro: Monpro, party: Party, padding: str) -> None:
    options = ("-pkeyopt", f"rsa_padding_mode:{padding}")
    theirs = openssl.must(
        "pkeyutl", "-encrypt", "-pubin", "-inkey", party.public, *options, data=b"secret"
    )
    common = (*SOFT, "--padding", padding, "-")
    assert monpro("decrypt", "--key", party.key, *common, data=theirs).stdout == b"secret"
    ours = monpro("encrypt", "--key", party.public, *common, data=b"secret").stdout
    found = openssl.must("pkeyutl", "-decrypt", "-inkey", party.key, *options, data=ours)
    assert found == b"secret"


def test_keygen(monpro: Monpro, tmp_path: Path) -> None:
    (tmp_path / "words").write_text("correct horse\nand more\n")
    done = monpro(
        "keygen", "--bits", "1024", "--out", "key.pem", "--public-out", "pub.pem",
        "--passphrase-file", "words",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    key = tmp_path / "key.pem"
    assert key.stat().st_mode & 0o777 == 0o600
    openssl.must("pkey", "-in", key, "-passin", "pass:correct horse", "-check", "-noout")
    openssl.must("pkey", "-pubin", "-in", tmp_path / "pub.pem", "-noout")
    signed = monpro("sign", "--key", "key.pem", "--passphrase-file", "words", *SOFT, "pub.pem")
    assert len(signed.stdout) == 128
    error = error_of(monpro("sign", "--key", "key.pem", *SOFT, "pub.pem"), 2)
    assert "MONPRO_ERR_KEY_PASSPHRASE" in error
    (tmp_path / "words").write_text("wrong\n")
    wrong = monpro("sign", "--key", "key.pem", "--passphrase-file", "words", *SOFT, "pub.pem")
    assert "MONPRO_ERR_KEY_WRONG_PASSPHRASE" in error_of(wrong, 2)


def test_the_passphrase_may_come_from_the_environment(
    monpro: Monpro, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MONPRO_PASSPHRASE", "words")
    pem = monpro("keygen", "--bits", "512").stdout
    assert b"ENCRYPTED" in pem
    done = monpro("sign", "--padding", "pkcs1", "--digest", "sha1", "--key", "-", *SOFT, __file__,
                  data=pem)  # fmt: skip
    assert len(done.stdout) == 64, done.stderr


def test_modexp(monpro: Monpro) -> None:
    assert monpro("modexp", *SOFT, "3", "1000", "1000003").stdout == b"%d\n" % pow(3, 1000, 1000003)
    assert monpro("modexp", *SOFT, "3", "0", "0xf4243").stdout == b"0x1\n"
    for scheme in get_args(Scheme):
        done = monpro("modexp", *SOFT, "--public", "--scheme", scheme, "3", "1000", "1000003")
        assert done.stdout == b"%d\n" % pow(3, 1000, 1000003), done.stderr
    done = monpro("modexp", *SOFT, "--random", "512", "--count", "3", "--seed", "7", "--json")
    first = json.loads(done.stdout)
    assert [(record["bits"], record["ok"]) for record in first] == [(512, True)] * 3
    assert first[0].keys() >= HEAD
    again = monpro("modexp", *SOFT, "--random", "512", "--count", "3", "--seed", "7")
    assert again.stdout.decode().split() == [record["result"] for record in first]


def test_designs(monpro: Monpro) -> None:
    text = monpro("designs").stdout.decode()
    records = json.loads(monpro("designs", "--json").stdout)
    assert [record["design"] for record in records] == list(designs.load())
    for record in records:
        assert record.keys() >= HEAD | {"elements", "word_bits", "max_bits"}
        assert f"\n{record['design']} " in text
    assert max(map(len, text.splitlines())) <= 80


def test_doctor(monpro: Monpro, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    done = monpro("doctor", "--json")
    records = {record["item"]: record for record in json.loads(done.stdout)}
    assert records["libmonpro"]["ok"]
    assert "self-test passed" in records["libmonpro"]["found"]
    needed = [record["ok"] for record in records.values() if record["needed"]]
    assert done.returncode == (0 if all(needed) else 1)
    monkeypatch.setenv("PATH", str(tmp_path))  # where there is nothing
    done = monpro("doctor")
    assert done.returncode == 1
    assert b"missing: make: builds models: apt-get install make\n" in done.stdout


def test_version_and_help(monpro: Monpro) -> None:
    assert monpro("--version").stdout.startswith(b"monpro 0.")
    commands = ("sign", "verify", "encrypt", "decrypt", "keygen", "modexp", "designs", "doctor")
    for command in (*((each,) for each in commands), ("bench", "rsa"), ("model",)):
        done = monpro(*command, "--help")
        assert done.returncode == 0
        assert b"--json" in done.stdout


# ---- mistakes


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("frobnicate",), "No such command 'frobnicate'"),
        (("sign",), "Missing argument"),
        (("sign", "file"), "Missing option '--key'"),
        (("sign", "--padding", "oaep", "--key", "k", "file"), "pss"),
        (("sign", "--key", "absent.pem", *SOFT, __file__), "absent.pem: No such file"),
        (("sign", "--key", "-", *SOFT, "-"), "only one input"),
        (("sign", "--key", "k", *SOFT, "f", "--json"), "--out"),
        (("sign", "--key", "k", "f", "--salt-length", "-1"), "digest, longest or any"),
        (("sign", "--key", "k", "f", "--digest", "sha1", "--prehashed", "sha1"), "drop --digest"),
        (("modexp", "2", "3"), "MONPRO_ERR_ARGUMENT"),
        (("modexp", *SOFT, "two", "3", "15"), 'base "two" is not a number'),
        (("modexp", *SOFT, "2", "3", "0"), "MONPRO_ERR_MODULUS_ZERO"),
        (("modexp", *SOFT, "2", "3", "1"), "MONPRO_ERR_MODULUS_ONE"),
        (("modexp", *SOFT, "2", "3", "16"), "MONPRO_ERR_MODULUS_EVEN"),
        (("modexp", *SOFT, "10007", "3", "10007"), "MONPRO_ERR_BASE_RANGE"),
        (("modexp", *SOFT, "", "3", "10007"), "MONPRO_ERR_BASE_EMPTY"),
        (("modexp", *SOFT, "2", "", "10007"), "MONPRO_ERR_EXPONENT_EMPTY"),
        (("modexp", *SOFT, "2", "3", "10007", "--scheme", "steps"), "ladder, repeated"),
        (("modexp", *SOFT, "2", "3", "10007", "--scheme", "repeated"), "MONPRO_ERR_SCHEME"),
        (("modexp", *SOFT, "2", "3", "10007", "--window", "9"), "MONPRO_ERR_SCHEME"),
        (("modexp", *SOFT, "--trace", "t.fst", "2", "3", "10007"), "MONPRO_ERR_PARAMETER"),
        (("modexp", "--engine", "hard", "2", "3", "10007"), "MONPRO_ERR_ENGINE"),
        (("modexp", "--engine", "sim:big", "2", "3", "10007"), "there are: tiny, small"),
        (("modexp", "--engine", "sim:small,words=2", "2", "3", "7"), "there are: word_bits"),
        (("modexp", "--engine", "sim:./no.so", "2", "3", "10007"), "MONPRO_ERR_BUILD"),
        (("keygen", "--bits", "100"), "MONPRO_ERR_KEY_SIZE"),
        (("keygen", "--exponent", "2"), "MONPRO_ERR_KEY_EXPONENT"),
        (("keygen", "--out", "no/such/folder/key.pem"), "No such file or directory"),
        (("bench", "rsa", "--bits", "512"), "it can be 1024 to 4096"),
        (
            ("bench", "rsa", *SOFT, "--out", "/dev/null/folder/file"),
            "MONPRO_ERR_FILE: /dev/null/folder",
        ),
        (("modexp", *SOFT, "2", "3", "35", "--count", "2"), "--count needs --random"),
    ],
)
def test_a_mistake_is_one_clear_line(
    monpro: Monpro, arguments: tuple[str, ...], words: str
) -> None:
    assert words in error_of(monpro(*arguments), 2)


def test_the_command_alone_shows_its_help(monpro: Monpro) -> None:
    done = monpro()
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"Usage: monpro ")


def test_a_passphrase_file_that_is_missing_is_the_one_named(monpro: Monpro, party: Party) -> None:
    arguments = ("sign", "--key", party.key, "--passphrase-file", "absent", *SOFT, __file__)
    assert "MONPRO_ERR_FILE: absent: No such file" in error_of(monpro(*arguments), 2)


def test_bad_keys_and_messages(monpro: Monpro, party: Party, tmp_path: Path) -> None:
    numbers = Numbers.of(party.key.read_bytes())
    numbers.dp += 2
    (tmp_path / "bad.pem").write_bytes(numbers.private_pem())
    (tmp_path / "cut.pem").write_bytes(party.key.read_bytes()[:500])
    block = bytearray(party.encrypt(b"secret"))
    block[64] ^= 1
    cases = [
        ("MONPRO_ERR_KEY_DP", 2, ("sign", "--key", "bad.pem", "bad.pem"), b""),
        ("MONPRO_ERR_KEY_FORMAT", 2, ("sign", "--key", "cut.pem", "bad.pem"), b""),
        ("MONPRO_ERR_KEY_PUBLIC", 2, ("sign", "--key", party.public, "bad.pem"), b""),
        ("MONPRO_ERR_KEY_PUBLIC", 2, ("decrypt", "--key", party.public, "-"), bytes(128)),
        ("MONPRO_ERR_MESSAGE_LONG", 2, ("encrypt", "--key", party.public, "-"), bytes(100)),
        ("MONPRO_ERR_CIPHERTEXT", 2, ("decrypt", "--key", party.key, "-"), b"short"),
        ("MONPRO_ERR_DECRYPT", 1, ("decrypt", "--key", party.key, "-"), bytes(block)),
    ]
    for name, status, arguments, data in cases:
        assert name in error_of(monpro(*arguments, *SOFT, data=data), status)


def test_an_old_result_stays_when_a_command_fails(
    monpro: Monpro, party: Party, photo: Path, tmp_path: Path
) -> None:
    target = tmp_path / "result"
    target.write_bytes(b"old")
    common = ("--out", "result", *SOFT)
    error_of(monpro("decrypt", "--key", party.key, *common, "-", data=b"x"), 2)
    error_of(monpro("sign", "--key", party.key, *common, "absent"), 2)
    assert target.read_bytes() == b"old"
    before = sorted(tmp_path.iterdir())
    assert monpro("sign", "--key", party.key, *common, photo.name).returncode == 0
    assert party.verifies(photo, target.read_bytes())
    assert [path for path in sorted(tmp_path.iterdir()) if path not in before] == []


def test_what_cannot_be_written_is_named_before_anything_is_done(
    monpro: Monpro, party: Party, tmp_path: Path
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    for out in ("folder", "file/result", "absent/result"):
        # The message does not exist either; that the output is named shows which came first.
        done = monpro("sign", "--key", party.key, *SOFT, "--out", out, "no-such-message")
        error = error_of(done, 2)
        assert "MONPRO_ERR_FILE" in error
        assert out in error


def test_a_read_only_result_stays(monpro: Monpro, party: Party, photo: Path) -> None:
    old = photo.with_name("old")
    old.write_bytes(b"old")
    old.chmod(0o444)
    done = monpro("sign", "--key", party.key, *SOFT, "--out", "old", photo.name)
    assert "MONPRO_ERR_FILE" in error_of(done, 2)
    assert old.read_bytes() == b"old"


def test_devices_and_links_are_not_replaced(
    monpro: Monpro, party: Party, photo: Path, tmp_path: Path
) -> None:
    link, real = tmp_path / "link", tmp_path / "real"
    link.symlink_to(real)
    common = ("sign", "--key", party.key, *SOFT, photo.name, "--out")
    assert monpro(*common, "link").returncode == 0
    assert link.is_symlink()
    assert party.verifies(photo, real.read_bytes())
    assert monpro(*common, "/dev/null").returncode == 0
    assert not Path("/dev/null").is_file()
    assert party.verifies(photo, monpro(*common, "/dev/stdout").stdout)


def test_a_signature_is_not_written_to_a_terminal(party: Party, photo: Path) -> None:
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "monpro", "sign", "--key", party.key, *SOFT, photo]
    done = subprocess.run(command, stdout=slave, stderr=subprocess.PIPE, check=False)
    os.close(slave)
    os.close(master)
    assert done.returncode == 2
    assert b"the result is binary" in done.stderr


def test_a_reader_that_leaves_is_no_disaster(monpro: Monpro) -> None:
    command = f"{sys.executable} -m monpro designs --json | head -c 1"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
    assert done.stdout == b"["
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["designs", "designs --json", "--help", "sign"])
@pytest.mark.parametrize("where", [">/dev/full", ">&-"])
def test_output_that_cannot_be_written_is_an_error(
    party: Party, photo: Path, command: str, where: str
) -> None:
    if command == "sign":
        command = f"sign --engine soft --key {party.key} {photo}"
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m monpro {command} {where}"],
        capture_output=True, check=False,
    )  # fmt: skip
    assert "MONPRO_ERR_FILE: standard output: " in error_of(done, 2)


def test_closed_streams_do_not_mix(party: Party, photo: Path) -> None:
    def run(arguments: str) -> subprocess.CompletedProcess[bytes]:
        command = ["bash", "-c", f"{sys.executable} -m monpro {arguments}"]
        return subprocess.run(command, capture_output=True, check=False)

    read = run(f"sign --engine soft --key - {photo} <&-")
    assert "MONPRO_ERR_FILE: standard input: " in error_of(read, 2)
    # The message that reports the error must not land in the result.
    assert run(f"sign --engine soft --key absent {photo} 2>&-").stdout == b""


@pytest.mark.parametrize(("columns", "width"), [("", 80), ("wide", 80), ("60", 60)])
def test_any_width_will_do(
    monpro: Monpro, monkeypatch: pytest.MonkeyPatch, columns: str, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    done = monpro("designs")
    assert done.returncode == 0, done.stderr
    assert max(map(len, done.stdout.decode().splitlines())) <= width


@pytest.mark.sim
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_long_simulation_can_be_ended(
    parties: Callable[[int], Party], photo: Path, number: signal.Signals
) -> None:
    Engine("sim:tiny").close()
    key, out = parties(4096).key, photo.with_name("signature")
    command = f"monpro sign --engine sim:tiny --out {out} --key {key} {photo}"
    # What a shell starts in the background, these tests perhaps, ignores SIGINT; it is inherited.
    heeds = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(
        [sys.executable, "-m", *command.split(" ")], stderr=subprocess.PIPE, preexec_fn=heeds
    ) as running:
        try:
            before = [photo]
            while list(photo.parent.iterdir()) == before:  # until the result's new file is there
                assert running.poll() is None
                time.sleep(0.05)
            time.sleep(2)
            assert running.poll() is None, "it was over too soon"
            running.send_signal(number)
            _, error = running.communicate(timeout=60)  # a loaded machine is slow
        finally:
            running.kill()
    assert running.returncode == 128 + number
    assert b"Traceback" not in error
    assert list(photo.parent.iterdir()) == before


# ---- monpro model, which the C library calls


def test_model_tells_failures_apart(
    monpro: Monpro, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("MONPRO_CACHE", str(tmp_path / "cache"))
    assert "MONPRO_ERR_DESIGN" in error_of(monpro("model", "big"), 4)
    assert "MONPRO_ERR_PARAMETER" in error_of(monpro("model", "small,elements=0"), 5)
    monkeypatch.setenv("CXX", "no-such-compiler")
    done = monpro("model", "sim:study")
    assert (done.returncode, done.stdout) == (3, b"")
    assert b"MONPRO_ERR_BUILD" in done.stderr


@pytest.mark.sim
def test_model_prints_a_path_that_an_engine_takes(monpro: Monpro, tmp_path: Path) -> None:
    path = monpro("model", "study", "--trace").stdout.decode().splitlines()[-1]
    assert Path(path).is_file()
    done = monpro("modexp", "--engine", f"sim:{path},trace=w.fst", "3", "5", "0xfffffffb")
    assert done.stdout == b"0xf3\n", done.stderr
    assert (tmp_path / "w.fst").stat().st_size > 1000
    again = monpro("modexp", "--engine", "sim:study", "--trace", "v.fst", "3", "5", "0xfffffffb")
    assert again.stdout == b"0xf3\n", again.stderr
    assert (tmp_path / "v.fst").read_bytes()[:1] == (tmp_path / "w.fst").read_bytes()[:1]
