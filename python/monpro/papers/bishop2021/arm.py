# SPDX-License-Identifier: Apache-2.0
"""bishop2021's program for a 32-bit ARM.

It is compiled, its assembly is counted, and it is emulated instruction by instruction. The same
source also runs on this machine, where it notes what the count depends on.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import importlib.util
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from monpro.base import paths
from monpro.errors import MonproError

BITS = 128
STEPS = tuple(range(9))
TRIES = {"nothing": 0, "unroll": 1, "pipeline": 2, "predicate": 3}  # TRY_* of rsa128.h
LEVELS = ("O0", "O2")
GCC = "arm-linux-gnueabihf-gcc"
COMMON = (
    "-std=c11", "-ffreestanding", "-fno-stack-protector", "-fno-asynchronous-unwind-tables",
    "-fno-unwind-tables", "-g0",
)  # fmt: skip
COMPILERS: Mapping[str, tuple[str, ...]] = {
    "clang": ("--target=arm-linux-musleabihf", "-mcpu=cortex_a53", "-fno-sanitize=all", "-w"),
    # as the report has it, but for the program around
    "gcc": ("-marm", "-mfloat-abi=hard", "-mfpu=neon", "-flax-vector-conversions"),
}
EVENTS_SHAPE = (7, 6, 10)  # sites, segments, events of rsa128_events.c
OPERATIONS = ("encrypt", "decrypt")

# Where things lie in the emulated machine.
MEMORY, STACK, DATA, END = 1 << 24, 0xF00000, 0xF10000, 0xFF0000
TIMEOUT_US = 600 * 10**6  # then the result is wrong, and said to be


@dataclass(frozen=True, slots=True)
class Build:
    """One compilation of the program."""

    step: int
    level: str
    attempt: str = "nothing"
    compiler: str = "clang"

    def __str__(self) -> str:
        attempt = "" if self.attempt == "nothing" else f" {self.attempt}"
        return f"{self.compiler} -{self.level} step {self.step}{attempt}"

    @property
    def defines(self) -> list[str]:
        return [f"-DR5_STEP={self.step}", f"-DTRY={TRIES[self.attempt]}"]


def sources() -> Path:
    return paths.share() / "soc" / "assist"


@functools.cache
def sources_digest() -> str:
    """The digest of all files of the program."""
    digest = hashlib.sha256()
    for path in sorted(sources().glob("*.[ch]")):
        data = path.read_bytes()
        digest.update(f"{path.name} {len(data)} ".encode() + data)
    return digest.hexdigest()[:32]


@functools.cache
def key() -> dict[str, int]:
    """The key of the program, from its header: M, E, D and R2."""
    text = (sources() / "rsa128.h").read_text(encoding="utf-8")
    found = dict(re.findall(r"#define KEY_(\w+) (0x[0-9a-f]+)u", text))
    return {
        name: int(found[f"{name}_HIGH"], 16) << 64 | int(found[f"{name}_LOW"], 16)
        for name in ("M", "E", "D", "R2")
    }


def compilers() -> list[str]:
    """Those that are here; without the first there is nothing to measure."""
    for package in ("ziglang", "unicorn"):
        if importlib.util.find_spec(package) is None:
            why = f"{package} is missing: pip install '.[soc]'"
            raise MonproError("MONPRO_ERR_BUILD", why)
    return [name for name in COMPILERS if name == "clang" or shutil.which(GCC)]


@functools.cache
def compiler_version(name: str) -> str:
    if name == "clang":
        return f"clang of ziglang {importlib.metadata.version('ziglang')}"
    done = subprocess.run([GCC, "-dumpfullversion"], capture_output=True, text=True, check=True)
    return f"gcc {done.stdout.strip()}"


def _command(compiler: str) -> list[str]:
    return [GCC] if compiler == "gcc" else [sys.executable, "-m", "ziglang", "cc"]


def _run(command: Sequence[str]) -> None:
    cache = str(paths.cache() / "zig")
    env = os.environ | {"ZIG_GLOBAL_CACHE_DIR": cache, "ZIG_LOCAL_CACHE_DIR": cache}
    done = subprocess.run(
        command, env=env, text=True, errors="replace", check=False,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    if done.returncode:
        what = f"{Path(command[0]).name} failed (exit {done.returncode}):\n{done.stdout[-2000:]}"
        raise MonproError("MONPRO_ERR_BUILD", what)


def _cached(names: Mapping[str, list[list[str]]], compiler: str) -> dict[str, Path]:
    """Files that commands make. The cache has them by the content of all that they are made of.

    In a command, {work} is its folder, and {source} is the folder of the program.
    """
    digest = hashlib.sha256(compiler_version(compiler).encode() + sources_digest().encode())
    digest.update(repr(sorted(names.items())).encode())
    folder = paths.cache() / "assist" / digest.hexdigest()[:32]
    if not folder.is_dir():
        try:
            folder.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=folder.parent) as work:
                words = {"{work}": work, "{source}": str(sources())}
                for commands in names.values():
                    for command in commands:
                        _run([re.sub(r"{\w+}", lambda m: words[m[0]], x) for x in command])
                # One that another process made meanwhile is the same.
                if not folder.is_dir():
                    shutil.copytree(work, f"{folder}.{os.getpid()}")
                    Path(f"{folder}.{os.getpid()}").replace(folder)
        except OSError as why:
            if not folder.is_dir():
                raise MonproError("MONPRO_ERR_BUILD", f"{folder}: {why.strerror}") from why
    return {name: folder / name for name in names}


def compiled(build: Build) -> dict[str, Path]:
    """The assembly, and the program made of that very assembly."""
    start = [*_command(build.compiler), *COMPILERS[build.compiler], *COMMON]
    link = ["-nostdlib", "-static", "-Wl,-e,rsa128_encrypt"]
    source, made = "{source}/rsa128.c", "{work}/rsa128.s"
    return _cached(
        {
            "rsa128.s": [[*start, f"-{build.level}", *build.defines, "-S", "-o", made, source]],
            "rsa128.elf": [[*start, *link, "-o", "{work}/rsa128.elf", made]],
        },
        build.compiler,
    )


def assembly_lines(build: Build) -> tuple[int, int]:
    """All lines, and those with an instruction."""
    lines = compiled(build)["rsa128.s"].read_text(encoding="utf-8").splitlines()
    return len(lines), sum(bool(re.match(r"\s+[a-z]", line)) for line in lines)


def _host(step: int) -> dict[str, Path]:
    """The program for this machine, with its notes, and the function that counts blocks."""
    start = [*_command("clang"), "-O2", "-fno-sanitize=all", "-fPIC", "-shared", "-w"]
    choice = [*Build(step, "O2").defines, "-DWIDE_HALVES"]
    events = [*start, *choice, "-o", "{work}/events.so", "{source}/rsa128_events.c"]
    count = [*start, "-o", "{work}/count.so", "{source}/block_count.c"]
    return _cached({"events.so": [events], "count.so": [count]}, "clang")


@dataclass(frozen=True, slots=True)
class Image:
    """A 32-bit ELF file: what to put where, and where its symbols are."""

    segments: tuple[tuple[int, bytes], ...]
    symbols: Mapping[str, int]

    @classmethod
    def read(cls, path: Path) -> Image:
        data = path.read_bytes()
        if data[:6] != b"\x7fELF\x01\x01" or len(data) < 52:
            raise MonproError("MONPRO_ERR_FILE", f"{path} is not a 32-bit ELF file")
        programs, tables = struct.unpack_from("<II", data, 28)
        counts = struct.unpack_from("<HHHH", data, 42)
        segments = []
        for index in range(counts[1]):
            kind, offset, address, _, size = struct.unpack_from("<5I", data, programs + 32 * index)
            if kind == 1:
                segments.append((address, data[offset : offset + size]))
        sections = [struct.unpack_from("<10I", data, tables + 40 * i) for i in range(counts[3])]
        symbols = {}
        for section in (one for one in sections if one[1] == 2):
            strings = sections[section[6]][4]
            for at in range(section[4], section[4] + section[5], 16):
                name, value = struct.unpack_from("<II", data, at)
                end = data.index(b"\0", strings + name)
                symbols[data[strings + name : end].decode()] = value
        return cls(tuple(segments), symbols)


_EMULATOR = """
int uc_open(int arch, int mode, void **uc);
int uc_close(void *uc);
int uc_ctl(void *uc, int control, ...);
int uc_mem_map(void *uc, uint64_t address, uint64_t size, uint32_t permissions);
int uc_mem_write(void *uc, uint64_t address, const void *bytes, uint64_t size);
int uc_mem_read(void *uc, uint64_t address, void *bytes, uint64_t size);
int uc_reg_write(void *uc, int register_, const void *value);
int uc_reg_read(void *uc, int register_, void *value);
int uc_hook_add(void *uc, size_t *hook, int type, void *callback, void *data, uint64_t begin,
                uint64_t end, ...);
int uc_emu_start(void *uc, uint64_t begin, uint64_t until, uint64_t timeout, size_t count);
const char *uc_strerror(int code);
"""
_COUNTER = "void monpro_count_block(void *, uint64_t, uint32_t, void *);"
_EVENTS = "void rsa128_events(int, uint64_t *, const uint64_t *, uint64_t *);"


@functools.cache
def _native(path: Path, declarations: str) -> tuple[Any, Any]:
    import cffi

    ffi = cffi.FFI()
    ffi.cdef(declarations)
    try:
        return ffi, ffi.dlopen(str(path))
    except OSError as why:
        raise MonproError("MONPRO_ERR_FILE", f"{path} cannot be loaded: {why}") from why


class Arm:
    """An emulated 32-bit ARM with NEON, and one build of the program in it.

    The emulator's C interface is called as it is: counting is then a C function for each basic
    block, which costs next to nothing.
    """

    def __init__(self, image: Image) -> None:
        from unicorn import arm_const as arm
        from unicorn import unicorn_const as uc

        package = importlib.util.find_spec("unicorn")
        assert package is not None
        assert package.origin is not None
        [library, *_] = sorted((Path(package.origin).parent / "lib").glob("libunicorn.*[!a]"))
        self._ffi, self._lib = _native(library, _EMULATOR)
        counting_ffi, counting = _native(_host(8)["count.so"], _COUNTER)
        self._keep = counting
        self._registers = [getattr(arm, f"UC_ARM_REG_{name}") for name in ("R0", "R1", "SP", "LR")]
        self._pc = arm.UC_ARM_REG_PC
        handle = self._ffi.new("void **")
        self._check(self._lib.uc_open(uc.UC_ARCH_ARM, uc.UC_MODE_ARM, handle))
        self._uc = handle[0]
        model = uc.UC_CTL_CPU_MODEL | 1 << 26 | uc.UC_CTL_IO_WRITE << 30
        signed = model - (1 << 32) if model >> 31 else model
        cpu = self._ffi.cast("int", arm.UC_CPU_ARM_MAX)
        self._check(self._lib.uc_ctl(self._uc, signed, cpu))
        self._check(self._lib.uc_mem_map(self._uc, 0, MEMORY, uc.UC_PROT_ALL))
        for address, data in image.segments:
            self._check(self._lib.uc_mem_write(self._uc, address, data, len(data)))
        # Coprocessors 10 and 11 allowed, and switched on: NEON.
        self._write(arm.UC_ARM_REG_C1_C0_2, 0xF << 20)
        self._write(arm.UC_ARM_REG_FPEXC, 1 << 30)
        self._count = self._ffi.new("uint64_t *")
        callback = self._ffi.cast(
            "void *", int(counting_ffi.cast("intptr_t", counting.monpro_count_block))
        )
        hook = self._ffi.new("size_t *")
        self._check(
            self._lib.uc_hook_add(self._uc, hook, uc.UC_HOOK_BLOCK, callback, self._count, 1, 0)
        )
        self._entries = {name: image.symbols[f"rsa128_{name}"] for name in OPERATIONS}

    def close(self) -> None:
        self._lib.uc_close(self._uc)

    def _check(self, status: int) -> None:
        if status:
            why = self._ffi.string(self._lib.uc_strerror(status)).decode()
            raise MonproError("MONPRO_ERR_DEVICE_FAULT", f"the emulated processor: {why}")

    def _write(self, register: int, value: int) -> None:
        self._check(self._lib.uc_reg_write(self._uc, register, self._ffi.new("uint32_t *", value)))

    def run(self, operation: str, text: int) -> tuple[int, int]:
        """The result, and the instructions from the first to the return."""
        self._start(operation, text, 0)
        result = self._ffi.new("uint8_t[16]")
        self._check(self._lib.uc_mem_read(self._uc, DATA + 16, result, 16))
        return int.from_bytes(bytes(result), "little"), int(self._count[0])

    def stops_at(self, operation: str, text: int, instructions: int) -> int:
        """The address after a number of instructions: END, or where the program still was."""
        self._start(operation, text, instructions)
        value = self._ffi.new("uint32_t *")
        self._check(self._lib.uc_reg_read(self._uc, self._pc, value))
        return int(value[0])

    def _start(self, operation: str, text: int, most: int) -> None:
        self._check(self._lib.uc_mem_write(self._uc, DATA, text.to_bytes(16, "little"), 16))
        for register, value in zip(self._registers, (DATA + 16, DATA, STACK, END), strict=True):
            self._write(register, value)
        self._count[0] = 0
        entry = self._entries[operation]
        self._check(self._lib.uc_emu_start(self._uc, entry, END, TIMEOUT_US, most))


class Events:
    """The same program here: results, and how often what happened."""

    def __init__(self, step: int) -> None:
        self._ffi, self._lib = _native(_host(step)["events.so"], _EVENTS)
        sites, segments, kinds = EVENTS_SHAPE
        self._counts = self._ffi.new("uint64_t[]", sites * segments * kinds)

    def run(self, operation: str, text: int) -> tuple[int, tuple[int, ...]]:
        """The result; counts by site, segment and event, the last index fastest."""
        words = self._ffi.new("uint64_t[2]", [text & (1 << 64) - 1, text >> 64])
        result = self._ffi.new("uint64_t[2]")
        self._lib.rsa128_events(OPERATIONS.index(operation), result, words, self._counts)
        return result[1] << 64 | result[0], tuple(self._counts)
