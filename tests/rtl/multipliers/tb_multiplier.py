"""monpro_multiplier: the multiplier that was named is at its ports, with its products and cycles.

SPDX-License-Identifier: Apache-2.0
"""

from __future__ import annotations

import random
from typing import Any

import cocotb

import agents
import tb_mul_array
import tb_mul_pipelined
import tb_mul_word

TOP = "monpro_multiplier"
PARAMETERS = {
    "array": {"Multiplier": '"array"', "WordBits": 8, "Elements": 4, "MaxWords": 34},
    "narrow": {
        "Multiplier": '"array"', "WordBits": 8, "DigitBits": 5, "Elements": 3, "MaxWords": 20,
    },
    "pipelined": {"Multiplier": '"pipelined"', "WordBits": 8, "Elements": 4, "MaxWords": 34},
    "word": {"Multiplier": '"word"', "WordBits": 8, "Elements": 2, "MaxWords": 40},
}  # fmt: skip


async def word(dut: Any) -> None:
    unit = await tb_mul_word.multiplier(dut, random.choice([16, 21]))
    n = random.getrandbits(unit.bits * unit.array.words) | 1
    await unit.compute(n, [(random.randrange(n), random.randrange(n)) for _ in range(4)])


async def other(dut: Any, bench: Any) -> None:
    """array or pipelined: products back to back."""
    dut.inverse_i.value = random.getrandbits(len(dut.inverse_i))
    unit = await bench.multiplier(dut, bench.few_words())
    for modulus in bench.moduli(unit.array):
        pairs = [(bench.any_operand(modulus), bench.any_operand(modulus)) for _ in range(3)]
        products = [bench.product(modulus, x, y) for x, y in pairs]
        await unit.run(products)
        bench.check_results(products, [modulus.product(x, y) for x, y in pairs])
        unit.check_cycles(products, back_to_back=True)
    assert not agents.number(dut.inverse_wrong_o)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def products(dut: Any) -> None:
    kind = agents.text("Multiplier")
    if kind == "word":
        dut.elements_i.value = random.getrandbits(2)
        await word(dut)
    else:
        await other(dut, {"array": tb_mul_array, "pipelined": tb_mul_pipelined}[kind])


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def wrong_inverse(dut: Any) -> None:
    """Only `word` is told n', and only it says that this is wrong."""
    if agents.text("Multiplier") != "word":
        return
    unit = await tb_mul_word.multiplier(dut, 16)
    n = random.getrandbits(unit.bits * 16) | 1
    dut.inverse_i.value = unit.array.inverse(n) ^ 1
    await unit.run([unit.product(n, 1, 1)])
    assert agents.number(dut.inverse_wrong_o)
