"""The UIO back end, on files: what is mapped there has to look like a coprocessor."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from monpro import Engine
from monpro.errors import MonproError

MAGIC, MAJOR = 0x4D4E5052, 2


def registers(**values: int) -> bytes:
    """A page of registers, as regs/monpro.rdl places them, of a coprocessor at rest."""
    words = {
        0x00: values.get("magic", MAGIC),
        0x04: values.get("major", MAJOR) << 16,
        0x08: values.get("array", 17 | 16 << 8),
        0x0C: 128 | 4096 << 16,
        0x10: 8192 | 1 << 24,
        0x14: 16 | 63 << 16,
    }
    page = bytearray(4096)
    for address, word in words.items():
        page[address : address + 4] = struct.pack("<I", word)
    return bytes(page)


def engine(path: Path, content: bytes) -> Engine:
    path.write_bytes(content)
    return Engine(f"uio:{path}")


def test_a_device_says_what_it_is(tmp_path: Path) -> None:
    with engine(tmp_path / "uio", registers()) as unit:
        assert (unit.info.min_bits, unit.info.max_bits, unit.info.elements) == (128, 4096, 16)
    # The driver has let its interrupt through, and wiped it at the end.
    assert struct.unpack_from("<I", (tmp_path / "uio").read_bytes(), 0x28) == (1,)


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (registers(magic=0xFFFFFFFF), "MONPRO_ERR_DEVICE_ABSENT"),
        (bytes(4096), "MONPRO_ERR_DEVICE_ABSENT"),
        (b"short", "MONPRO_ERR_DEVICE_ABSENT"),
        (registers(major=3), "MONPRO_ERR_DEVICE_VERSION"),
        (registers(array=0), "MONPRO_ERR_DEVICE_FAULT"),
    ],
)
def test_what_is_none_is_an_error(tmp_path: Path, content: bytes, name: str) -> None:
    with pytest.raises(MonproError) as caught:
        engine(tmp_path / "uio", content)
    assert caught.value.name == name


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
