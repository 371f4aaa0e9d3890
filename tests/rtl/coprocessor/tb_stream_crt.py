# SPDX-License-Identifier: Apache-2.0
"""RSA private operations by packets: one of them has p, q, dP, dQ, qInv and c."""

from __future__ import annotations

import random
from typing import Any

import cocotb

from agents import device
from agents.device import Device, Key
from agents.stream import Streams
from monpro.hardware import regs
from monpro.hardware.models import stream
from monpro.hardware.models.coprocessor import Coprocessor
from monpro.hardware.models.stream import Section, operand, result, wait, write
from monpro.hardware.regs import Error, Fault, Slot
from tb_crt import PARAMETERS as _PARAMETERS
from tb_crt import TOP as _TOP

TOP = _TOP
INSIDE = False
PARAMETERS = {"narrow": _PARAMETERS["narrow"]}


def operation(unit: Device, key: Key, c: int, window: int, *, warm: bool) -> list[Section]:
    length = unit.model.length(key.bits)
    words, exponent_words = unit.data_words(length), -(-key.bits // 32)
    config = regs.CONFIG_WINDOW.put(window) | regs.CONFIG_CRT.put(1)
    configure = write(regs.EXPONENT, key.bits, config)
    if not warm:
        configure = write(regs.LENGTH, length, key.bits, config)
    moduli = [operand(Slot.MODULUS, key.p, words), operand(Slot.MODULUS_Q, key.q, words)]
    return [
        configure,
        *([] if warm else moduli),
        operand(Slot.BASE, c, unit.base_words(key.bits)),
        operand(Slot.EXPONENT, key.dp, exponent_words),
        operand(Slot.EXPONENT_Q, key.dq, exponent_words),
        operand(Slot.INVERSE, key.inverse, words),
        write(regs.COMMAND, regs.COMMAND_START.put(1)),
        wait(),
        *result(-(-2 * key.bits // 32)),
    ]


@cocotb.test(timeout_time=100, timeout_unit="ms")
@cocotb.parametrize(stalls=[(0.0, 0.0), (0.5, 0.5)])
async def private_operations(dut: Any, stalls: tuple[float, float]) -> None:
    """Cold and warm; without stalls every cycle is accounted for."""
    unit = Device(dut)
    streams = Streams(unit, *stalls)
    await unit.set_up()
    assert isinstance(unit.model, Coprocessor)
    for bits in (32, 45) if not any(stalls) else (40,):
        key = device.key(bits)
        for warm in (False, True):
            c = random.randrange(key.p * key.q)
            sections = operation(unit, key, c, 2, warm=warm)
            answer = await streams.ask(sections)
            assert (answer.error, answer.fault, answer.busy) == (Error.NONE, Fault.NONE, 0), answer
            m_p, m_q = pow(c, key.dp, key.p), pow(c, key.dq, key.q)
            expected = m_q + key.q * (key.inverse * (m_p - m_q) % key.p)
            assert stream.join(answer.words) == expected
            cost = unit.model.rsa_private(key.bits, 2, warm=warm)
            assert await unit.cost() == cost
            if not any(stalls):
                cycles = stream.cycles(sections, unit.model.word_bits) + cost.cycles - 2
                assert answer.cycles == cycles
