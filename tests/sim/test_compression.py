# SPDX-License-Identifier: Apache-2.0
"""sim/lz4.h and sim/zlib.h, which stand in for liblz4 and zlib in traced models."""

from __future__ import annotations

import random
import shutil
import subprocess
import zlib
from pathlib import Path

import pytest

from monpro.hardware import rtl

SIM = rtl.folder().parent / "sim"

# Standard input, compressed by the library that the argument names, to standard output.
PROGRAM = """
#include "lz4.h"
#include "zlib.h"
#include <cstdio>
#include <string>
int main(int, char **argv) {
    std::string in;
    for (int c; (c = std::getchar()) != EOF;) in += static_cast<char>(c);
    std::string out;
    if (argv[1][0] == 'l') {
        out.resize(LZ4_compressBound(static_cast<int>(in.size())));
        out.resize(LZ4_compress_default(in.data(), &out[0], static_cast<int>(in.size()),
                                        static_cast<int>(out.size())));
    } else {
        uLongf length = compressBound(in.size());
        out.resize(length);
        if (compress2(reinterpret_cast<Bytef *>(&out[0]), &length,
                      reinterpret_cast<const Bytef *>(in.data()), in.size(), 9) != Z_OK) return 1;
        out.resize(length);
    }
    return std::fwrite(out.data(), 1, out.size(), stdout) == out.size() ? 0 : 2;
}
"""


def unpack_lz4(block: bytes) -> bytes:
    """The LZ4 block format, with its rules for the end of a block."""
    out = bytearray()
    at = 0

    def length(value: int) -> int:
        nonlocal at
        while value >= 15:
            value += block[at]
            at += 1
            if block[at - 1] != 255:
                break
        return value

    while True:
        token = block[at]
        at += 1
        count = length(token >> 4)
        out += block[at : at + count]
        at += count
        if at == len(block):
            assert count >= 5 or len(out) == count, "the last five bytes must be literals"
            return bytes(out)
        distance = int.from_bytes(block[at : at + 2], "little")
        at += 2
        assert 0 < distance <= len(out)
        for _ in range(length(token & 15) + 4):
            out.append(out[-distance])


def samples() -> list[bytes]:
    rng = random.Random(5)
    found = [bytes(size) for size in range(40)]
    found += [rng.randbytes(size) for size in (1, 11, 12, 13, 14, 15, 255, 270, 271, 65535, 65536)]
    found += [bytes(100_000), b"abc" * 50_000, bytes(rng.choices(b"01", k=70_000))]
    found.append(rng.randbytes(66_000) * 2)  # repeats beyond the longest distance
    return found


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("c++")
    assert compiler, "no C++ compiler"
    folder = tmp_path_factory.mktemp("compression")
    (folder / "pack.cpp").write_text(PROGRAM, encoding="utf-8")
    flags = ["-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-fsanitize=address,undefined"]
    command = [compiler, *flags, f"-I{SIM}", str(folder / "pack.cpp"), "-o", str(folder / "pack")]
    subprocess.run(command, check=True)
    return folder / "pack"


def pack(program: Path, kind: str, data: bytes) -> bytes:
    run = subprocess.run([str(program), kind], input=data, stdout=subprocess.PIPE, check=True)
    return run.stdout


def test_lz4(program: Path) -> None:
    for data in samples():
        assert unpack_lz4(pack(program, "lz4", data)) == data
    assert len(pack(program, "lz4", bytes(100_000))) < 1000


def test_zlib(program: Path) -> None:
    for data in samples():
        assert zlib.decompress(pack(program, "zlib", data)) == data
