# SPDX-License-Identifier: Apache-2.0
"""The UIO back end, on files: what is mapped there has to look like a coprocessor."""

from __future__ import annotations

import struct
import subprocess
import sys
from pathlib import Path

import pytest

from monpro import Engine
from monpro.errors import MonproError
from monpro.hardware import regs

assert regs.ID_MAGIC.reset is not None
assert regs.VERSION_MAJOR.reset is not None
MAGIC, MAJOR = regs.ID_MAGIC.reset, regs.VERSION_MAJOR.reset


def registers(magic: int = MAGIC, major: int = MAJOR, array: int | None = None) -> bytes:
    """A page of registers, as regs/monpro.rdl places them, of a coprocessor at rest."""
    sizes = regs.PARAM_ARRAY_WORD_BITS.put(17) | regs.PARAM_ARRAY_ELEMENTS.put(16)
    words = {
        regs.ID: magic,
        regs.VERSION: regs.VERSION_MAJOR.put(major),
        regs.PARAM_ARRAY: sizes if array is None else array,
        regs.PARAM_BITS: regs.PARAM_BITS_MIN_BITS.put(128) | regs.PARAM_BITS_MAX_BITS.put(4096),
        regs.PARAM_TABLE: regs.PARAM_TABLE_WORDS.put(8192) | regs.PARAM_TABLE_BANKS.put(1),
        regs.PARAM_FEATURES: regs.PARAM_FEATURES_MULTIPLIERS.put(16)
        | regs.PARAM_FEATURES_SCHEMES.put(0x3F),
    }
    page = bytearray(4096)
    for register, word in words.items():
        struct.pack_into("<I", page, register.offset, word)
    return bytes(page)


def engine(path: Path, content: bytes) -> Engine:
    path.write_bytes(content)
    return Engine(f"uio:{path}")


def test_a_device_says_what_it_is(tmp_path: Path) -> None:
    with engine(tmp_path / "uio", registers()) as unit:
        assert (unit.info.min_bits, unit.info.max_bits, unit.info.elements) == (128, 4096, 16)
    # The driver has let its interrupt through, and wiped it at the end.
    assert struct.unpack_from("<I", (tmp_path / "uio").read_bytes(), regs.INTERRUPT.offset) == (1,)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (registers(magic=0xFFFFFFFF), "MONPRO_ERR_DEVICE_ABSENT"),
        (bytes(4096), "MONPRO_ERR_DEVICE_ABSENT"),
        (b"short", "MONPRO_ERR_DEVICE_ABSENT"),
        (registers(major=MAJOR - 1), "MONPRO_ERR_DEVICE_VERSION"),
        (registers(major=MAJOR + 1), "MONPRO_ERR_DEVICE_VERSION"),
        (registers(array=0), "MONPRO_ERR_DEVICE_FAULT"),
    ],
)
def test_what_is_none_is_an_error(tmp_path: Path, content: bytes, name: str) -> None:
    with pytest.raises(MonproError) as caught:
        engine(tmp_path / "uio", content)
    assert caught.value.name == name


def test_a_device_in_use_is_locked(tmp_path: Path) -> None:
    """A second opener is refused, and disturbs nothing; after the first has closed, it gets in."""
    path = tmp_path / "uio"
    with engine(path, registers()):
        before = path.read_bytes()
        with pytest.raises(MonproError, match="is in use") as caught:
            Engine(f"uio:{path}")
        assert caught.value.name == "MONPRO_ERR_FILE"
        command = [sys.executable, "-c", f"import monpro; monpro.Engine('uio:{path}')"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert "is in use" in done.stderr
        assert path.read_bytes() == before
    Engine(f"uio:{path}").close()


def test_a_refused_device_is_not_left_locked(tmp_path: Path) -> None:
    path = tmp_path / "uio"
    with pytest.raises(MonproError):
        engine(path, b"short")
    engine(path, registers()).close()


def test_a_device_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MonproError) as caught:
        Engine(f"uio:{tmp_path / 'nothing'}")
    assert caught.value.name == "MONPRO_ERR_FILE"


def test_a_device_that_does_not_answer_is_a_timeout(tmp_path: Path) -> None:
    """Registers that keep what is written do not compute: the driver gives up."""
    with (
        engine(tmp_path / "uio", registers()) as unit,
        pytest.raises(MonproError) as caught,
    ):
        unit.modexp(3, 5, 2**127 + 1)
    assert caught.value.name == "MONPRO_ERR_DEVICE_TIMEOUT"
