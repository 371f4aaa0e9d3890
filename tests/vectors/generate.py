# SPDX-License-Identifier: Apache-2.0
"""Make modexp.json: modular exponentiations with their results, for the tests of all languages.

Run it to write the file anew. ``--check`` fails if the file is not what it makes. Each case is
``{"name", "bits", "modulus", "base", "exponent", "result"}`` with numbers in hexadecimal.
`exponent` keeps its leading zeros, which a secret exponent is processed with. Results are Python's
``pow``. The seed is fixed.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

FILE = Path(__file__).with_name("modexp.json")
SHORT_LENGTHS = (128, 129, 160, 192, 255, 256, 257, 384, 512, 521, 768, 1000, 1024)
LENGTHS = (*SHORT_LENGTHS, 1536, 2048, 3072, 4095, 4096)
LONG_BITS = 1024  # above this, few cases with full-length exponents: they are slow in a simulator
EXPONENT_LENGTHS = (1, 2, 16, 17, 32, 33, 64, 65, 128, 129)

# Name, modulus, base, exponent, bits of the exponent that are processed.
Case = tuple[str, int, int, int, int]


def odd_modulus(rng: random.Random, bits: int) -> int:
    return rng.getrandbits(bits) | 1 << (bits - 1) | 1


def moduli(rng: random.Random, bits: int) -> Iterator[tuple[str, int]]:
    yield "random modulus", odd_modulus(rng, bits)
    yield "modulus of all ones", (1 << bits) - 1
    yield "modulus just above a power of two", (1 << (bits - 1)) + 1
    if bits <= LONG_BITS:
        yield (
            "modulus of alternating all-ones limbs",
            sum(0xFFFFFFFF << i for i in range(0, bits, 64)) % (1 << bits) | 1 << (bits - 1),
        )


def bases(rng: random.Random, modulus: int) -> Iterator[tuple[str, int]]:
    bits = modulus.bit_length()
    yield "base 0", 0
    yield "base 1", 1
    yield "base N-1", modulus - 1
    yield "base a power of two", 1 << (bits - 2)
    yield "base of all ones", (1 << (bits - 1)) - 1
    yield "random base", rng.randrange(modulus)


def cases(rng: random.Random) -> Iterator[Case]:
    for bits in LENGTHS:
        for modulus_name, modulus in moduli(rng, bits):
            for base_name, base in bases(rng, modulus):
                yield f"{modulus_name}, {base_name}, e = 65537", modulus, base, 65537, 17
        modulus = odd_modulus(rng, bits)
        base = rng.randrange(modulus)
        for exponent in (0, 1, 2, 3):
            yield f"e = {exponent}", modulus, base, exponent, 8
        yield "0^0", modulus, 0, 0, 8
        for length in EXPONENT_LENGTHS:
            exponent = rng.getrandbits(length) | 1 << (length - 1)
            yield f"exponent of {length} bits", modulus, base, exponent, length
        if bits <= LONG_BITS or bits % 1024 == 0:
            yield (
                "exponent of full length",
                modulus,
                base,
                rng.getrandbits(bits) | 1 << (bits - 1),
                bits,
            )
        if bits <= LONG_BITS:
            yield "exponent of all ones", modulus, base, (1 << bits) - 1, bits
            yield "exponent a power of two", modulus, base, 1 << (bits - 1), bits
            yield "exponent of weight one, full length", modulus, base, 1, bits


def document() -> str:
    rng = random.Random(20261121)
    records = []
    for name, modulus, base, exponent, exponent_bits in cases(rng):
        size, exponent_size = (modulus.bit_length() + 7) // 8, (exponent_bits + 7) // 8
        records.append(
            {
                "name": name,
                "bits": modulus.bit_length(),
                "modulus": modulus.to_bytes(size, "big").hex(),
                "base": base.to_bytes(size, "big").hex(),
                "exponent": exponent.to_bytes(exponent_size, "big").hex(),
                "result": pow(base, exponent, modulus).to_bytes(size, "big").hex(),
            }
        )
    return json.dumps(records, indent=0) + "\n"


def main() -> int:
    if "--check" in sys.argv[1:]:
        return 0 if FILE.exists() and FILE.read_text() == document() else 1
    FILE.write_text(document())
    return 0


if __name__ == "__main__":
    sys.exit(main())
