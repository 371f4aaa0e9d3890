"""The tables of docs/lanes.md: the bound by counting instructions, and what was measured."""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from figures.store import Store
from figures.tables.kit import markdown, table
from monpro.base.terminal import significant

WINDOW_BITS = 5
PUBLIC_SQUARES, PUBLIC_PRODUCTS = 16, 3  # of an exponentiation by 65537, in and out of the form
IFMA_BITS, IFMA_LANES, IFMA_INSTRUCTIONS = 52, 8, 2  # two instructions for a product of digits
AVX2_LANES, AVX2_STARTED = 4, 2  # two started in a cycle
AVX2_WIDE_UP_TO = 1796  # bits of a modulus that has digits of 29 bits and not of 28


def _products(bits: int, s: int, *, public: bool) -> int:
    """Products of digits of an exponentiation, s digits."""
    square, product = 3 * (s * s + s) // 2, 2 * s * s + s
    if public:
        return PUBLIC_SQUARES * square + PUBLIC_PRODUCTS * product
    return bits * square + (-(-bits // WINDOW_BITS) + (1 << WINDOW_BITS) - 1) * product


@table
def lanes_bound(_: Store) -> str:
    wanted = [(f"RSA-{bits} private", bits // 2, 2, False) for bits in (1024, 2048, 3072, 4096)]
    wanted += [("modexp 2048, full exponent", 2048, 1, False)]
    wanted += [("RSA-2048 public, e = 65537", 2048, 1, True)]
    rows = []
    for name, bits, times, public in wanted:
        ifma = -(-(bits + 2) // IFMA_BITS)
        avx2 = -(-(bits + 2) // (29 if bits <= AVX2_WIDE_UP_TO else 28))
        eight = IFMA_INSTRUCTIONS * _products(bits, ifma, public=public)
        four = _products(bits, avx2, public=public)
        request = four * times / AVX2_LANES / AVX2_STARTED
        cells = [f"{ifma}", f"{eight:,}", f"{eight * times / IFMA_LANES:,.0f}"]
        rows.append([name, *cells, f"{avx2}", f"{four:,}", f"{request:,.0f}"])
    each = ["instructions / {} lanes", "cycles a request"]
    heads = ["Operation", "IFMA: s", each[0].format(8), each[1]]
    return markdown([*heads, "AVX2: s", each[0].format(4), each[1]], rows)


def _speed(store: Store, machine: str, step: str, contender: str) -> str:
    found = store.all(f"measured/lanes-{machine}", step=step, contender=contender)
    return f"{found[0]['speed_to_openssl']:.2f}" if found else ""


@table
def lanes_measured(store: Store) -> str:
    rows = []
    for item in store.all("measured/lanes-zen5", contender="lanes"):
        step = item["step"]
        peer = store.one("measured/lanes-zen5", step=step, contender="openssl")
        rows.append(
            [
                step,
                significant(item["time_ms"]),
                significant(peer["time_ms"]),
                f"**{item['speed_to_openssl']:.2f}**",
                _speed(store, "zen5", step, "soft"),
                _speed(store, "zen5", step, "lanes:isa=avx2"),
                _speed(store, "xeon", step, "lanes"),
                _speed(store, "xeon", step, "lanes:isa=avx2"),
            ]
        )
    avx2 = "AVX2 / OpenSSL without IFMA"
    heads = ["Operation", "lanes ms", "OpenSSL ms", "lanes / OpenSSL", "soft / OpenSSL", avx2]
    return markdown([*heads, "lanes / OpenSSL, Xeon", f"{avx2}, Xeon"], rows)
