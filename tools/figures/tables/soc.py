"""The tables of docs/soc.md: a simulated system on chip."""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from typing import Any

from figures.store import Store
from figures.tables.kit import markdown, spaced, table
from monpro.base.terminal import significant
from monpro.soc import peer as soc_peer

PATHS = {"registers": "registers", "stream": "DMA"}
LENGTHS = (512, 1024, 1536, 2048)
SCHEMES = {
    "sliding_window": ("sliding window (public exponent)", "sliding window"),
    "fixed_window": ("fixed window (secret)", "fixed window"),
}
RECORDS = "systems/codesign"


@table
def soc_stream(store: Store) -> str:
    soft = store.one("systems/stream", engine="soft")["cycles_total"]
    rows = [["our software, VexRiscv", spaced(soft), "", "", "1"]]
    for path, name in PATHS.items():
        for state in ("cold", "warm"):
            item = store.one("systems/stream", path=path, key_state=state)
            rows.append(
                [
                    f"{name}, {state}",
                    spaced(item["cycles_total"]),
                    spaced(item["cycles_device"]),
                    f"{100 * item['overhead']:.1f} %",
                    f"{soft / item['cycles_total']:.1f}",
                ]
            )
    return markdown(["", "cycles", "device", "overhead", "software / this"], rows)


def _warm(store: Store, design: str, scheme: str, path: str, bits: int) -> dict[str, Any]:
    return store.one(RECORDS, design=design, scheme=scheme, path=path, bits=bits, key_state="warm")


def _percent(share: float) -> str:
    """Two decimals of what is below 1 %, none above 20 %: with the layout of firmware in the cache
    it moves by more than further ones would say."""
    return f"{share:.{2 if share < 1 else 1 if share < 20 else 0}f}"


@table
def soc_overhead(store: Store) -> str:
    rows = []
    for scheme, (first, then) in SCHEMES.items():
        for path, name in PATHS.items():
            found = [_warm(store, "codesign", scheme, path, bits)["overhead"] for bits in LENGTHS]
            cells = [_percent(100 * share) for share in found]
            rows.append([f"{first if path == 'registers' else then}, {name}", *cells])
    return markdown(["", *(str(bits) for bits in LENGTHS[:-1]), f"{LENGTHS[-1]} bits"], rows)


@table
def soc_speed(store: Store) -> str:
    bits = LENGTHS[-1]
    peer = store.one(RECORDS, engine="peer", bits=bits)["cycles_total"]
    soft = store.all(RECORDS, engine="soft", bits=bits, scheme="fixed_window")[0]["cycles_total"]
    rows = []
    for name, design, scheme in (
        ("`codesign`, sliding window", "codesign", "sliding_window"),
        ("`codesign`", "codesign", "fixed_window"),
        ("`small`", "small", "fixed_window"),
        ("`fast`", "fast", "fixed_window"),
    ):
        cycles = _warm(store, design, scheme, "stream", bits)["cycles_total"]
        ratios = [f"{other / cycles:.0f}" for other in (peer, soft)]
        rows.append([name, significant(cycles / 1e6), *ratios])
    heads = [
        f"over mbedTLS {soc_peer.VERSION} ({peer / 1e6:.0f} M)",
        f"over our software ({soft / 1e6:.0f} M)",
    ]
    return markdown(["", "M cycles", *heads], rows)
