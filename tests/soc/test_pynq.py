# SPDX-License-Identifier: Apache-2.0
"""The coprocessor in the manner of PYNQ, on the simulated registers."""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Iterator

import pytest

from monpro.errors import MonproError
from monpro.hardware import simulator
from monpro.hardware.regs import ID_MAGIC, PRODUCT, PRODUCT_X, PRODUCT_Y, Slot
from monpro.pynq import Overlay, allocate, from_words, to_words

BITS = 512


@pytest.fixture(scope="module")
def overlay() -> Iterator[Overlay]:
    with Overlay("sim:pynq") as found:
        found.monpro.wait()  # for the wipe after the reset
        yield found


@pytest.mark.sim
def test_register_map(overlay: Overlay) -> None:
    registers = overlay.monpro.register_map
    assert int(registers.ID) == ID_MAGIC.reset
    assert registers.PARAM_BITS.max_bits == 2048
    assert "word_bits=32" in repr(registers.PARAM_ARRAY)
    registers.INTERRUPT.queue = 1
    assert (registers.INTERRUPT.queue, registers.INTERRUPT.enable) == (1, 0)
    registers.INTERRUPT.queue = 0
    assert "STATUS" in dir(registers)
    with pytest.raises(AttributeError, match="there are: magic"):
        _ = registers.ID.nothing
    with pytest.raises(AttributeError, match="no register NOTHING"):
        _ = registers.NOTHING


@pytest.mark.sim
def test_single_products(overlay: Overlay) -> None:
    rng = random.Random(3)
    n = rng.getrandbits(BITS) | 1 | 1 << (BITS - 1)
    overlay.monpro.load_modulus(n, BITS)
    for _ in range(3):
        x, y = rng.randrange(n), rng.randrange(n)
        assert overlay.monpro.product(x, y, BITS) == x * y * pow(1 << BITS, -1, n) % n


@pytest.mark.sim
def test_an_error_is_over_with_the_next_modulus(overlay: Overlay) -> None:
    """An error stays in STATUS, whatever is cleared, until the next start."""
    rng = random.Random(4)
    n = rng.getrandbits(BITS) | 1 | 1 << (BITS - 1)
    x, y = rng.randrange(n), rng.randrange(n)
    monpro = overlay.monpro
    monpro.load_modulus(n, BITS)
    monpro.write(PRODUCT.offset, PRODUCT_X.put(5) | PRODUCT_Y.put(6))  # which are empty
    for _ in range(2):
        with pytest.raises(MonproError) as caught:
            monpro.wait()
        assert caught.value.name == "MONPRO_ERR_DEVICE_FAULT"
        assert caught.value.message.endswith(": operand_missing")
        monpro.register_map.COMMAND.clear = 1
    monpro.load_modulus(n, BITS)
    assert monpro.product(x, y, BITS) == x * y * pow(1 << BITS, -1, n) % n


@pytest.mark.sim
def test_numbers_that_do_not_fit(overlay: Overlay, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are refused before anything is written, and are not in the message."""
    n = 3 << (BITS - 2) | 0xABCDEF
    monpro = overlay.monpro
    monpro.load_modulus(n, BITS)
    before = monpro.product(2, 3, BITS)
    with monkeypatch.context() as patch:
        patch.setattr(monpro, "write", None)
        for wrong in (-1, 0xABCDEF << BITS):
            for x, y in ((wrong, 2), (2, wrong)):
                with pytest.raises(MonproError, match="longer than 512 bits") as caught:
                    monpro.product(x, y, BITS)
                assert caught.value.name == "MONPRO_ERR_ARGUMENT"
                assert str(wrong) not in str(caught.value)
            with pytest.raises(MonproError, match="MONPRO_ERR_ARGUMENT"):
                monpro.load_modulus(wrong, BITS)
        for even in (0, n - 1):
            with pytest.raises(MonproError, match="MONPRO_ERR_MODULUS_EVEN"):
                monpro.load_modulus(even, BITS)
    assert monpro.product(2, 3, BITS) == before == 6 * pow(1 << BITS, -1, n) % n


@pytest.mark.sim
def test_errors_have_names(overlay: Overlay) -> None:
    with pytest.raises(MonproError) as caught:
        overlay.monpro.read(0x20)  # COMMAND is write only
    assert caught.value.name == "MONPRO_ERR_DEVICE_BUS"
    overlay.monpro.read_operand(Slot.BASE, allocate(1))  # which cannot be read
    with pytest.raises(MonproError, match=r": not_readable$"):
        overlay.monpro.wait()
    overlay.monpro.register_map.COMMAND.clear = 1
    overlay.monpro.wait()


@pytest.mark.sim
def test_a_closed_overlay_and_another_design() -> None:
    with Overlay("sim:study") as other:
        with pytest.raises(MonproError) as caught:
            other.monpro.load_modulus(2**63 + 1, 64)
        assert caught.value.name == "MONPRO_ERR_UNSUPPORTED"
    with pytest.raises(MonproError, match="closed"):
        other.monpro.read(0)


def test_streams_are_no_registers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulator, "model", None)  # nothing is built for that
    with pytest.raises(MonproError, match=r"MONPRO_ERR_UNSUPPORTED: dataflow .* has no registers"):
        Overlay("sim:dataflow")


def test_buffers() -> None:
    words = allocate(2)
    words[0], words[1] = to_words(5 << 32 | 7, 64)
    assert from_words(words) == 5 << 32 | 7
    assert to_words(2**33 - 1, 33) == [0xFFFFFFFF, 1]
    for wrong in (-1, 2**33):
        with pytest.raises(MonproError, match="MONPRO_ERR_ARGUMENT"):
            to_words(wrong, 33)
    with pytest.raises(MonproError):
        allocate(1, "f4")


@pytest.mark.skipif(importlib.util.find_spec("pynq") is not None, reason="PYNQ is installed")
def test_a_bitstream_wants_a_board() -> None:
    with pytest.raises(MonproError) as caught:
        Overlay("monpro.bit")
    assert caught.value.name == "MONPRO_ERR_UNSUPPORTED"
