# SPDX-License-Identifier: Apache-2.0
"""The figures of pai2025's tables: RSA over single products of a word-serial multiplier.

The hardware has one multiplier of words, or two. Keys and checks come from the openssl program, as
in the paper.
"""

from __future__ import annotations

import dataclasses
import tempfile
from dataclasses import dataclass
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa as peer_rsa

from monpro import rsa
from monpro.measure import openssl
from monpro.papers import products
from monpro.papers.pai2025 import figures as pai2025_figures
from monpro.papers.pai2025 import softcore
from monpro.papers.products import Item
from monpro.records import Record

DESIGNS = ("pynq", "pynq,elements=2")
BITS = (2048, 1024)
PRODUCT_BITS = (512, 1024, 2048)
QUICK_CYCLES = 2_500_000  # the longest operation that a quick run simulates
E = 65537


@dataclass(frozen=True, slots=True)
class Numbers:
    """A key of the openssl program."""

    pem: Path
    key: rsa.Key
    n: int
    d: int

    @classmethod
    def make(cls, folder: Path, bits: int) -> Numbers:
        party = openssl.Party(folder, bits)
        private = serialization.load_pem_private_key(party.key.read_bytes(), None)
        assert isinstance(private, peer_rsa.RSAPrivateKey)
        found = private.private_numbers()
        key = rsa.Key.read_file(party.key)
        return cls(party.key, key, found.public_numbers.n, found.d)


def items(bits: int, numbers: Numbers, *, quick: bool) -> list[Item]:
    """One length of tables I and II, on both designs."""
    n, d, pem = numbers.n, numbers.d, str(numbers.pem)
    found = []
    for name in DESIGNS:
        found += [
            Item(name, "encrypt", bits, "binary", public=True, n=n, exponent=E, pem=pem),
            Item(name, "decrypt", bits, "binary", public=False, n=n, exponent=d, pem=pem),
            Item(name, "decrypt", bits, "binary", public=True, n=n, exponent=d, pem=pem),
            Item(
                name,
                "decrypt",
                bits,
                "binary",
                public=False,
                n=n,
                exponent=d,
                crt=True,
                key=numbers.key,
                pem=pem,
            ),
        ]
    if not quick:
        return found
    return [dataclasses.replace(i, simulated=i.cost().cycles <= QUICK_CYCLES) for i in found]


def single_products() -> list[Item]:
    """Single products of each length, on both designs."""
    return [
        Item(name, "product", bits, "binary", public=True, n=(1 << bits) - 105, exponent=1)
        for bits in PRODUCT_BITS
        for name in DESIGNS
    ]


def measure(seed: int, quick: bool) -> list[Record]:
    """Everything, as records in the order of the tables."""
    paper = pai2025_figures.load()
    with tempfile.TemporaryDirectory(prefix="monpro-bench-") as name:
        todo: list[Item] = []
        for bits in BITS:
            todo += items(bits, Numbers.make(Path(name), bits), quick=quick)
        todo += single_products()
        runs, areas = products.measure(todo, DESIGNS, seed, quick=quick)
    found = []
    for run in runs:
        theirs = None
        if run.item.kind != "product":
            row = paper.row(run.item.bits, run.item.kind, "hardware")
            theirs = {
                "cycles_M": row.cycles_M,
                "time_ms": row.time_ms,
                "throughput_ops_s": row.throughput_ops_s,
            }
        found.append(products.record(run, published=theirs))
    compared = [] if quick else softcore.measure(seed)
    return areas + found + compared
