# SPDX-License-Identifier: Apache-2.0
"""monpro_radix2: products equal to the model's, in exactly its cycles, one after the other."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from cocotb.triggers import RisingEdge

import agents
from agents.serial import Job, Multiplier, expected
from monpro.hardware.models.serial import Radix2, inverse, radix2_cycles

TOP = "monpro_radix2"
PARAMETERS = (
    {"MaxBits": 32, "Width": 32},
    {"MaxBits": 128, "Width": 32},
    {"MaxBits": 1024, "Width": 32},
)


def lengths() -> list[int]:
    most = agents.parameters()["MaxBits"]
    return sorted({32, most, max(32, most - 1), max(32, most // 2 + 3)})


def moduli(bits: int) -> list[int]:
    """Odd ones of exactly so many bits, of both residues modulo 4: M is N or 3N."""
    some = random.getrandbits(bits) | 1 << (bits - 1)
    return [(1 << bits) - 1, 1 << (bits - 1) | 1, some | 3, some & ~2 | 1]


async def check(unit: Multiplier, n: int, jobs: list[Job]) -> None:
    model = Radix2(n)
    await unit.modulus(n.bit_length(), inverse(n))
    outcomes = await unit.run(jobs, radix2_cycles(n.bit_length()))
    for number, (outcome, value) in enumerate(
        zip(outcomes, expected(jobs, model.product), strict=True)
    ):
        assert outcome.cycles == radix2_cycles(n.bit_length()), f"product {number}"
        assert outcome.value == value, f"product {number} modulo {n:#x}"
        assert value < model.bound


def operand(model: Radix2) -> int:
    return random.choice([0, 1, model.bound - 1, model.n, random.randrange(model.bound)])


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def products(dut: Any) -> None:
    """Extreme and random operands, with and without a gap."""
    unit = Multiplier(dut)
    await unit.set_up()
    for bits in lengths():
        for n in moduli(bits):
            model = Radix2(n)
            top = model.bound - 1
            jobs = [Job(top, top), Job(0, top), Job(top, 1, gap=7), Job(model.n, model.n - 1)]
            jobs += [
                Job(operand(model), operand(model), random.choice([0, 1, 2, 50])) for _ in "123"
            ]
            await check(unit, n, jobs)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def chained(dut: Any) -> None:
    """Results go in again as they come out: squarings, and either operand alone."""
    unit = Multiplier(dut)
    await unit.set_up()
    for bits in lengths():
        n = random.choice(moduli(bits))
        model = Radix2(n)
        jobs = [Job(operand(model), operand(model))]
        for _ in range(6):
            fixed = operand(model)
            jobs += [random.choice([Job(None, None), Job(None, fixed), Job(fixed, None)])]
        await check(unit, n, jobs)


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def wiped_in_the_middle(dut: Any) -> None:
    """Nothing is left in any register or memory; the next product is right."""
    unit = Multiplier(dut)
    await unit.set_up()
    bits = agents.parameters()["MaxBits"]
    n = (1 << bits) - 1
    top = Radix2(n).bound - 1
    for cycle in random.sample(range(3, bits + 9 + unit.words), 5):
        await unit.modulus(bits, inverse(n))
        agents.drive(dut, start_i=1)
        await RisingEdge(dut.clk_i)
        agents.drive(dut, start_i=0)
        for index in range(-1, cycle):
            word = top >> (32 * index) & 0xFFFFFFFF if 0 <= index < unit.words else 0
            agents.drive(dut, x_i=word, y_i=word)
            await RisingEdge(dut.clk_i)
        assert agents.not_zero(dut)
        agents.drive(dut, x_i=0, y_i=0, modulus_i=0)
        await unit.wipe()
        assert not agents.not_zero(dut, "x_index_q", "x_bit_q")
        await check(unit, n, [Job(top, top)])
