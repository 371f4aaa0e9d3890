# SPDX-License-Identifier: Apache-2.0
"""The poster's comparison on one softcore: exponentiation by software and with coprocessors."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from monpro.base import terminal
from monpro.errors import MonproError
from monpro.papers import softcore
from monpro.papers.softcore import Run, cycles_by_software, ratio
from monpro.records import Record
from monpro.soc import peer as soc_peer

BITS = (512, 1024, 1536, 2048)
PEER = f"mbedTLS {soc_peer.VERSION}"
HEAD = ["bits", "by", "scheme", "key", "M\ncycles", "over-\nhead %", "mbedTLS\n/ this",
        "own sw\n/ this"]  # fmt: skip


def runs(*, peer: bool) -> list[Run]:
    """The same exponentiation of each length by software, by single products and on chip.

    peer: by the other library as well.
    """
    found = []
    for bits in BITS:
        found += softcore.runs("library" if peer else "modexp", "none", bits)
        found += softcore.runs("stream", "codesign", bits, "sliding_window", hardware=True)
        found += softcore.runs("stream", "codesign", bits, hardware=True)
        found += softcore.runs("stream", "small", bits, hardware=True)
        found += softcore.runs("stream", "fast", bits, hardware=True)
    return found


def measure(seed: int) -> list[Record]:
    """Measures with the other library, too, if it can be had."""
    peer = None
    try:
        peer = soc_peer.mbedtls()
    except MonproError as error:
        print(f"monpro: without mbedTLS: {error.message}", file=sys.stderr)
    return softcore.measure(runs(peer=peer is not None), seed, peer)


def rows(found: Sequence[Record]) -> list[list[str]]:
    result = []
    for item in found:
        soft, peer = cycles_by_software(found, item)
        by = {"soft": "own software", "peer": PEER}.get(item["engine"]) or item["design"]
        if item.get("path") == "stream":
            by += ", DMA"
        overhead = item.get("overhead")
        result.append(
            [str(item["bits"]), by, str(item.get("scheme") or ""), str(item.get("key_state") or ""),
             terminal.significant(item["cycles_total"] / 1e6, 4),
             "" if overhead is None else f"{100 * overhead:.2f}",
             "" if item["engine"] == "peer" else ratio(peer, item),
             "" if item["engine"] != "device" else ratio(soft, item)]
        )  # fmt: skip
    return result


def words(found: Sequence[Record], most: float) -> str:
    """Against the poster's claim, at the longest length."""
    said = []
    for design in ("codesign", "small", "fast"):
        ours = [item for item in found if item.get("design") == design]
        longest = max((item["bits"] for item in ours), default=0)
        ratios = []
        for item in (item for item in ours if item["bits"] == longest):
            soft, peer = cycles_by_software(found, item)
            if base := peer or soft:
                ratios.append(base / item["cycles_total"])
        if ratios:
            verdict = "above" if max(ratios) > most else "below"
            said.append(f"{design} {max(ratios):.0f} at {longest} bits, {verdict} it")
    of = PEER if any(item["engine"] == "peer" for item in found) else "the library's own software"
    return (
        f"Against {of} on the same processor, where the poster claims up to {most:g} over RELIC "
        f"on an ARM of several times its logic's clock: {'; '.join(said)}. Cycles against "
        "cycles: an ARM at 667 MHz beside logic at 100 MHz would divide these ratios by 7 and more."
    )


def show(found: Sequence[Record], most: float) -> None:
    """most: the poster's largest speed-up."""
    if not found:
        terminal.show_text(softcore.NOT_HERE)
        return
    terminal.show_text("\nOn one softcore: exponentiation by software, and with the coprocessor")
    terminal.show_table(HEAD, rows(found), numbers=HEAD[4:])
    terminal.show_text(words(found, most))
    terminal.show_text(
        "Cycles of VexRiscv's own counter, driver and bus inside; overhead: share of the time from "
        "the first access to the last in which the multiplier does not work. sliding_window: "
        "exponents that are public; the others are constant-time."
    )
