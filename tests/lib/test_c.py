# SPDX-License-Identifier: Apache-2.0
"""Builds libmonpro, its C tests and its C examples in every configuration and runs them.

Configurations: gcc and clang (skipped where it is not installed), each plain and with the address
and undefined behaviour sanitizers, and gcc with 32-bit limbs; always with ``-Wall -Wextra
-Wpedantic -Werror``. The tests of constant time run the plain builds under valgrind, and the fuzzer
is of clang's build with sanitizers. Builds are kept under ``build/tests-lib``, so that only what
changed is built again.
"""

from __future__ import annotations

import fcntl
import functools
import json
import os
import re
import shutil
import stat
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEADER = ROOT / "lib/include/monpro/monpro.h"
PUBLIC = sorted(path.stem for path in HEADER.parent.glob("*.h"))
VECTORS = ROOT / "tests/vectors"
HERE = Path(__file__).parent
JOBS = "2"


@dataclass(frozen=True, slots=True)
class Configuration:
    name: str
    compiler: str
    options: tuple[str, ...] = ()


VALGRIND_HEADER = "#include <valgrind/memcheck.h>"
FUZZER = """#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return data == 0 && size == 1; }
"""


def takes(compiler: str, source: str, *options: str) -> bool:
    """Whether a compiler is there and takes these lines and options."""
    if shutil.which(compiler) is None:
        return False
    command = (compiler, *options, "-x", "c", "-", "-o", os.devnull)
    return subprocess.run(command, input=source, capture_output=True, text=True).returncode == 0


# Optimized as it is shipped, with secrets marked for valgrind, which is a few instructions that do
# nothing without it, and with lines for its reports (it does not read clang's DWARF 5).
MARKED = (
    ("-DMONPRO_VALGRIND=ON", "-DCMAKE_C_FLAGS=-gdwarf-4")
    if takes("gcc", VALGRIND_HEADER, "-E")
    else ()
)
# Of the optimizer's work most would be spent on what is instrumented.
QUICK = "-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG"
SANITIZE = "-DMONPRO_SANITIZE=address,undefined"
HAS_FUZZER = takes("clang", FUZZER, "-fsanitize=fuzzer")
CONFIGURATIONS = (
    Configuration("gcc", "gcc", MARKED),
    Configuration("gcc-sanitize", "gcc", (SANITIZE, QUICK)),
    Configuration("gcc-limb32", "gcc", (*MARKED, "-DMONPRO_LIMB32=ON")),
    Configuration("clang", "clang", MARKED),
    Configuration("clang-sanitize", "clang", (SANITIZE + ",fuzzer-no-link" * HAS_FUZZER, QUICK)),
)


def run(
    *command: str | Path,
    stdin: str | None = None,
    env: dict[str, str] | None = None,
    timeout: float = 600,
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        input=stdin,
        env=env,
        timeout=timeout,
    )


@functools.cache
def build_configuration(configuration: Configuration, target: str = "all") -> Path:
    folder = ROOT / "build/tests-lib" / configuration.name
    folder.mkdir(parents=True, exist_ok=True)
    compiler = f"-DCMAKE_C_COMPILER={configuration.compiler}"
    options = ("-DMONPRO_TESTS=ON", "-DMONPRO_WERROR=ON", *configuration.options)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another process of this test run may be building it
        for command in (
            ("cmake", "-S", ROOT, "-B", folder, compiler, *options),
            ("cmake", "--build", folder, "-j", JOBS, "--target", target),
        ):
            done = run(*command)
            assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="session", params=CONFIGURATIONS, ids=lambda c: c.name)
def build(request: pytest.FixtureRequest) -> Path:
    """The folder of a built configuration."""
    configuration: Configuration = request.param
    if shutil.which(configuration.compiler) is None:
        pytest.skip(f"{configuration.compiler} is not installed")
    return build_configuration(configuration)


@pytest.fixture(scope="session")
def plain() -> Path:
    """The first configuration, for what one build is enough for."""
    return build_configuration(CONFIGURATIONS[0])


def vector_lines() -> str:
    return "".join(
        f"{case['modulus']} {case['base']} {case['exponent']} {case['result']}\n"
        for case in json.loads((VECTORS / "modexp.json").read_text())
    )


def run_test(
    build: Path, name: str, *, stdin: str | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs one test program; those that take a model get the fake one."""
    argument = "soft" if name == "modexp_vectors" else build / "tests/lib/fake_model.so"
    return run(build / "tests/lib" / name, argument, stdin=stdin)


# constant_time tests run under valgrind below; model_program_test is asked by the tests of that.
ELSEWHERE = ("constant_time_test", "lanes_constant_time_test", "model_program_test")
PROGRAMS = {path.stem: path for path in HERE.rglob("*_test.c") if path.stem not in ELSEWHERE}
TESTS = sorted(PROGRAMS)


def room_of(name: str) -> pytest.MarkDecorator:
    """That of a test program's source."""
    return pytest.mark.room(str(PROGRAMS[name].parent.relative_to(HERE.parent)))


@pytest.mark.parametrize("name", [pytest.param(name, marks=room_of(name)) for name in TESTS])
def test_program(build: Path, name: str) -> None:
    done = run_test(build, name)
    assert done.returncode == 0, done.stderr


@pytest.mark.room("lib/engine")
def test_vectors(build: Path) -> None:
    done = run_test(build, "modexp_vectors", stdin=vector_lines())
    assert done.returncode == 0, done.stderr
    assert re.search(r"^\d{4} exponentiations$", done.stdout, re.M)


@pytest.mark.room("lib/engine")
def test_a_wrong_vector_is_found(plain: Path) -> None:
    first = vector_lines().splitlines()[5]
    flipped = first[:-1] + ("0" if first[-1] != "0" else "1")
    assert run_test(plain, "modexp_vectors", stdin=flipped).returncode == 1


def test_vectors_are_what_their_generator_makes() -> None:
    assert run(sys.executable, VECTORS / "generate.py", "--check").returncode == 0
    assert (VECTORS / "modexp.json").stat().st_size < 1_500_000


# ---- constant time -------------------------------------------------------------------------------

VALGRIND_FOUND = 99


def valgrind(configuration: Configuration, program: str) -> tuple[str, ...]:
    """The command of a test of constant time under valgrind's memcheck."""
    for tool in (configuration.compiler, "valgrind"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    if not MARKED:
        pytest.skip("valgrind/memcheck.h is not installed")
    path = build_configuration(configuration) / "tests/lib" / program
    return "valgrind", "-q", f"--error-exitcode={VALGRIND_FOUND}", str(path)


PLAIN = [one for one in CONFIGURATIONS if "sanitize" not in one.name]


@pytest.fixture(scope="session", params=PLAIN, ids=lambda c: c.name)
def memcheck(request: pytest.FixtureRequest) -> tuple[str, ...]:
    return valgrind(request.param, "constant_time_test")


def test_constant_time(memcheck: tuple[str, ...]) -> None:
    """No branch and no address depends on an exponent, prime, base or blinding factor."""
    done = run(*memcheck)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("leak", "report"),
    [("branch", "Conditional jump or move depends on"), ("address", "Use of uninitialised value")],
)
def test_a_leak_is_found(memcheck: tuple[str, ...], leak: str, report: str) -> None:
    done = run(*memcheck, leak)
    assert done.returncode == VALGRIND_FOUND, done.stderr
    assert report in done.stderr
    assert f"leak_by_{leak}" in done.stderr


# ---- the program that builds models --------------------------------------------------------------


def program(folder: Path, script: str) -> Path:
    path = folder / "a program with spaces"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def open_engine(build: Path, spec: str, monpro: Path | str) -> tuple[str, str]:
    """The status and the message of opening an engine; `monpro` builds its models."""
    done = run(
        build / "tests/lib/model_program_test",
        spec,
        env={**os.environ, "MONPRO_PROGRAM": str(monpro)},
    )
    assert done.returncode == 0, done.stderr
    status, _, message = done.stdout.partition("\n")
    return status.removeprefix("saw "), message.strip()


@pytest.mark.room("lib/model")
@pytest.mark.parametrize(
    ("code", "status"),
    [
        (3, "MONPRO_ERR_BUILD"),
        (4, "MONPRO_ERR_DESIGN"),
        (5, "MONPRO_ERR_PARAMETER"),
        (1, "MONPRO_ERR_BUILD"),
    ],
)
def test_model_program_fails(build: Path, tmp_path: Path, code: int, status: str) -> None:
    monpro = program(
        tmp_path, f"echo out; echo 'first words' >&2; echo 'last words' >&2; exit {code}"
    )
    assert open_engine(build, "sim:small", monpro) == (status, "first words\nlast words")


@pytest.mark.room("lib/model")
def test_model_program_is_called_without_a_shell(build: Path, tmp_path: Path) -> None:
    monpro = program(
        tmp_path, f'for a in "$@"; do echo "[$a]"; done > "{tmp_path}/arguments"; exit 4'
    )
    open_engine(build, "sim:small,elements=$(id),trace=/x y.fst,word_bits=8", monpro)
    assert (
        tmp_path / "arguments"
    ).read_text() == "[model]\n[small,elements=$(id),word_bits=8]\n[--trace]\n"


@pytest.mark.room("lib/model")
def test_model_program_gives_a_path(build: Path, tmp_path: Path) -> None:
    fake = build / "tests/lib/fake_model.so"
    monpro = program(tmp_path, f"echo building... >&2; echo notes; echo {fake}")
    assert open_engine(build, "sim:small", monpro) == ("MONPRO_OK", "")


@pytest.mark.room("lib/model")
def test_model_program_says_more_than_fits(build: Path, tmp_path: Path) -> None:
    """A compiler's flood neither blocks the pipe nor pushes its last words out of the message."""
    monpro = program(
        tmp_path, "i=0; while [ $i -lt 20000 ]; do echo line $i >&2; i=$((i+1)); done; exit 3"
    )
    status, message = open_engine(build, "sim:small", monpro)
    assert status == "MONPRO_ERR_BUILD"
    assert message.endswith("line 19999")
    assert len(message) > 500


@pytest.mark.room("lib/model")
@pytest.mark.parametrize(
    ("script", "words"),
    [("exit 0", "no path"), ("kill -9 $$", "without a word"), ("exit 3", "without a word")],
)
def test_model_program_says_nothing(build: Path, tmp_path: Path, script: str, words: str) -> None:
    status, message = open_engine(build, "sim:small", program(tmp_path, script))
    assert status == "MONPRO_ERR_BUILD"
    assert words in message


@pytest.mark.room("lib/model")
def test_model_program_missing(build: Path) -> None:
    status, message = open_engine(build, "sim:small", "/nowhere/monpro")
    assert status == "MONPRO_ERR_BUILD"
    assert "/nowhere/monpro" in message
    assert "MONPRO_PROGRAM" in message


@pytest.mark.room("lib/model")
@pytest.mark.parametrize("spec", ["sim:", "sim:--help"])
def test_no_design_name(build: Path, spec: str) -> None:
    assert open_engine(build, spec, "/bin/true")[0] == "MONPRO_ERR_DESIGN"


@pytest.mark.room("lib/model")
def test_overlong_specification(build: Path) -> None:
    assert open_engine(build, "sim:" + "x" * 5000, "/bin/true")[0] == "MONPRO_ERR_PARAMETER"


@pytest.mark.room("lib/model")
def test_not_a_model(build: Path) -> None:
    status, message = open_engine(build, f"sim:{build}/libmonpro.so", "/bin/true")
    assert status == "MONPRO_ERR_BUILD"
    assert "a function is missing" in message


# ---- the library as a whole ----------------------------------------------------------------------


def test_every_status_is_provoked(plain: Path, tmp_path: Path) -> None:
    """Each status of the header comes out of some test, so that none is only written down."""
    listed = set(re.findall(r"^    (MONPRO_(?:OK|ERR_\w+)) =", HEADER.read_text(), re.M))
    assert len(listed) > 40
    seen = set()
    for name in TESTS:
        seen |= set(re.findall(r"^saw (\w+)$", run_test(plain, name).stdout, re.M))
    for code in (3, 4, 5):
        seen.add(open_engine(plain, "sim:small", program(tmp_path, f"exit {code}"))[0])
    assert listed - seen == set()
    assert seen - listed == set()


def test_exported_symbols(plain: Path) -> None:
    """What the library exports is the committed list, and the list is what the header declares."""
    done = run("nm", "--dynamic", "--defined-only", plain / "libmonpro.so")
    exported = {line.split()[-1] for line in done.stdout.splitlines()}
    committed = set((HERE / "symbols.txt").read_text().split())
    headers = "".join(HEADER.with_name(f"{x}.h").read_text() for x in ("monpro", "transport"))
    declared = set(re.findall(r"^MONPRO_API [\w \*]*?(monpro_\w+)\(", headers, re.M))
    assert exported == committed
    assert declared == committed


def test_exported_symbols_for_study(plain: Path) -> None:
    """The library for study exports what its own headers declare, and nothing else."""
    done = run("nm", "--dynamic", "--defined-only", plain / "libmonpro_scanning.so")
    exported = {line.split()[-1] for line in done.stdout.splitlines()}
    headers = "".join(HEADER.with_name(f"{x}.h").read_text() for x in ("scanning", "dataflow"))
    assert exported == set(re.findall(r"^MONPRO_API [\w \*]*?(monpro_\w+)\(", headers, re.M))


def test_the_header_is_cplusplus_too(tmp_path: Path) -> None:
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("no C++ compiler is installed")
    source = tmp_path / "use.cpp"
    source.write_text(
        2 * "".join(f"#include <monpro/{name}.h>\n" for name in PUBLIC)
        + "int main() { return 0; }\n"
    )
    done = run(
        compiler,
        "-std=c++17",
        "-Wall",
        "-Wextra",
        "-Wpedantic",
        "-Werror",
        f"-I{HEADER.parents[1]}",
        "-fsyntax-only",
        source,
    )
    assert done.returncode == 0, done.stderr


def test_install(plain: Path, tmp_path: Path) -> None:
    """A program is built against an installed library alone."""
    done = run("cmake", "--install", plain, "--prefix", tmp_path)
    assert done.returncode == 0, done.stderr
    libraries = next(tmp_path.rglob("libmonpro.so")).parent
    done = run(
        "gcc",
        ROOT / "examples/modexp.c",
        f"-I{tmp_path}/include",
        f"-L{libraries}",
        "-lmonpro",
        "-o",
        tmp_path / "modexp",
    )
    assert done.returncode == 0, done.stderr
    done = run(tmp_path / "modexp", env={**os.environ, "LD_LIBRARY_PATH": str(libraries)})
    assert int(done.stdout, 16) == pow(3, 65537, 0xFF << 120 | 0x61)


# ---- with the RTL --------------------------------------------------------------------------------


def monpro_program() -> str | None:
    """The program that builds models: named, or installed beside this Python, or on the path."""
    beside = Path(sys.executable).with_name("monpro")
    return os.environ.get("MONPRO_PROGRAM") or (
        str(beside) if beside.exists() else shutil.which("monpro")
    )


@pytest.fixture(scope="session", params=["soft", "sim:small"])
def engine(request: pytest.FixtureRequest) -> tuple[str, dict[str, str]]:
    """An engine's specification, and the environment it wants."""
    if request.param == "soft":
        return request.param, dict(os.environ)
    monpro = monpro_program()
    if monpro is None:
        pytest.skip("the program monpro is not installed: no models")
    # A model holds its own copy of the C++ library, half of which the sanitizer replaces: what
    # its `new` gave goes to its own `free`.
    return request.param, {
        **os.environ,
        "MONPRO_PROGRAM": monpro,
        "ASAN_OPTIONS": "alloc_dealloc_mismatch=0",
    }


@pytest.mark.room("lib/engine")
def test_vectors_on_the_rtl(plain: Path, engine: tuple[str, dict[str, str]]) -> None:
    """A sample of the vectors up to 1024 bits; the tests of the RTL itself go further."""
    spec, environment = engine
    short = [
        line for line in vector_lines().splitlines(keepends=True) if len(line.split()[0]) <= 256
    ]
    done = run(plain / "tests/lib/modexp_vectors", spec, stdin="".join(short[::9]), env=environment)
    assert done.returncode == 0, done.stderr


def test_example_modexp(build: Path, engine: tuple[str, dict[str, str]]) -> None:
    spec, environment = engine
    done = run(build / "example_modexp", spec, env=environment)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout, 16) == pow(3, 65537, 0xFF << 120 | 0x61)


def test_example_sign(build: Path, tmp_path: Path, engine: tuple[str, dict[str, str]]) -> None:
    spec, environment = engine
    key, public, message = tmp_path / "key.pem", tmp_path / "public.pem", tmp_path / "message"
    message.write_bytes(bytes(range(256)) * 700)
    assert run("openssl", "genrsa", "-out", key, "1024").returncode == 0
    assert run("openssl", "pkey", "-in", key, "-pubout", "-out", public).returncode == 0
    done = run(build / "example_sign", key, message, tmp_path / "signature", spec, env=environment)
    assert done.returncode == 0, done.stderr
    assert "3 exponentiations" in done.stdout
    done = run(
        "openssl",
        "dgst",
        "-sha256",
        "-sigopt",
        "rsa_padding_mode:pss",
        "-verify",
        public,
        "-signature",
        tmp_path / "signature",
        message,
    )
    assert done.stdout == "Verified OK\n", done.stderr


def test_example_sign_refuses(plain: Path, tmp_path: Path) -> None:
    done = run(plain / "example_sign", tmp_path / "none.pem", __file__, tmp_path / "signature")
    assert done.returncode == 1
    assert "MONPRO_ERR_FILE" in done.stderr
    assert not (tmp_path / "signature").exists()
