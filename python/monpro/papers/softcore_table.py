"""Software and hardware on one softcore, beside R1's and R3's claims; from records alone."""

from __future__ import annotations

from collections.abc import Sequence

from monpro.base import terminal
from monpro.papers import softcore
from monpro.published.papers import Paper
from monpro.records import Record
from monpro.soc import peer as soc_peer

PEER = f"mbedTLS {soc_peer.VERSION}"
R1_HEAD = ["", "M\ncycles", "ms", "ops/s", "fixed\ncost", "ratio", "paper's\nratio"]
R3_HEAD = ["bits", "by", "scheme", "key", "M\ncycles", "over-\nhead %", "mbedTLS\n/ this",
           "own sw\n/ this"]  # fmt: skip
OPERATIONS = {
    "public": ("encrypt", "encrypt"),
    "private, CRT": ("decrypt, CRT", "decrypt"),
    "private": ("decrypt, no CRT", "decrypt"),
}
NOT_HERE = (
    "Software on the same softcore is measured in the full form only: it simulates a system on "
    "chip for minutes."
)


def split(found: Sequence[Record]) -> tuple[list[Record], list[Record]]:
    """The others, and those of the softcore."""
    own = [item for item in found if not softcore.is_softcore(item)]
    return own, [item for item in found if softcore.is_softcore(item)]


def _ratio(theirs: int | None, item: Record) -> str:
    return "" if theirs is None else terminal.significant(theirs / item["cycles_total"])


def r1_rows(found: Sequence[Record], paper: Paper, bits: int) -> list[list[str]]:
    """One table's: each operation by software and by the coprocessor, key cold and warm."""
    rows = []
    for item in (item for item in found if item["bits"] == bits):
        title, published = OPERATIONS[item["operation"]]
        soft, _ = softcore.cycles_by_software(found, item)
        theirs = paper.row(bits, published, "hardware").speedup
        device = item["engine"] == "device"
        by = f"{item['design']}, {item.get('key_state', 'cold')}" if device else "software"
        fixed = item["cycles_total"] - item["cycles_device"] if "cycles_device" in item else None
        rows.append(
            [f"{title}: {by}", terminal.significant(item["cycles_total"] / 1e6, 4),
             terminal.significant(item["time_ms"]), terminal.significant(1e3 / item["time_ms"]),
             "" if fixed is None else str(fixed), _ratio(soft, item) if device else "",
             f"{theirs:g}" if device and theirs else ""]
        )  # fmt: skip
    return rows


def r1_words(found: Sequence[Record], paper: Paper, bits: int) -> str:
    """Who is ahead, by the ratio of software to hardware on one processor."""
    said = []
    for operation, (title, published) in OPERATIONS.items():
        ours = [
            (soft / item["cycles_total"], item["design"])
            for item in found
            if item["bits"] == bits and item["operation"] == operation
            and item["engine"] == "device"
            and (soft := softcore.cycles_by_software(found, item)[0]) is not None
        ]  # fmt: skip
        theirs = paper.row(bits, published, "hardware").speedup
        if ours and theirs:
            best, design = max(ours)
            who = "Monpro" if best > theirs else "the paper"
            said.append(f"{title} {best:.3g} ({design}) to the paper's {theirs:g}, {who} is ahead")
    return f"Ratio of software to hardware on one processor: {'; '.join(said)}." if said else ""


def show_r1(found: Sequence[Record], paper: Paper, numbers: dict[int, str]) -> None:
    """numbers: of the paper's tables, by length."""
    if not found:
        terminal.show_text(NOT_HERE)
        return
    for bits, number in numbers.items():
        terminal.show_text(f"\nTable {number} on one softcore: RSA-{bits}, VexRiscv and pynq")
        terminal.show_table(R1_HEAD, r1_rows(found, paper, bits), numbers=R1_HEAD[1:])
        terminal.show_text(r1_words(found, paper, bits))
    terminal.show_text(
        "Both on one simulated VexRiscv, at one clock; ms and ops/s at "
        f"{softcore.ASSUMED_MHZ:g} MHz, assumed. Fixed cost: cycles of a call in which the "
        "multiplier does not work. A private result is checked with e inside the figure, and not "
        "blinded: there is no randomness in this system. What the paper compares are an ARM at 650 "
        "MHz and logic at a clock that it does not state; its software has no stated source. "
        "Encryption is short: with a cold key its constants, which the processor computes, decide."
    )


def r3_rows(found: Sequence[Record]) -> list[list[str]]:
    rows = []
    for item in found:
        soft, peer = softcore.cycles_by_software(found, item)
        by = {"soft": "own software", "peer": PEER}.get(item["engine"]) or item["design"]
        if item.get("path") == "stream":
            by += ", DMA"
        overhead = item.get("overhead")
        rows.append(
            [str(item["bits"]), by, str(item.get("scheme") or ""), str(item.get("key_state") or ""),
             terminal.significant(item["cycles_total"] / 1e6, 4),
             "" if overhead is None else f"{100 * overhead:.2f}",
             "" if item["engine"] == "peer" else _ratio(peer, item),
             "" if item["engine"] != "device" else _ratio(soft, item)]
        )  # fmt: skip
    return rows


def r3_words(found: Sequence[Record], most: float) -> str:
    """Against the poster's claim, at the longest length."""
    said = []
    for design in ("codesign", "small", "fast"):
        ours = [item for item in found if item.get("design") == design]
        longest = max((item["bits"] for item in ours), default=0)
        ratios = []
        for item in (item for item in ours if item["bits"] == longest):
            soft, peer = softcore.cycles_by_software(found, item)
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


def show_r3(found: Sequence[Record], most: float) -> None:
    """most: the poster's largest speed-up."""
    if not found:
        terminal.show_text(NOT_HERE)
        return
    terminal.show_text("\nOn one softcore: exponentiation by software, and with the coprocessor")
    terminal.show_table(R3_HEAD, r3_rows(found), numbers=R3_HEAD[4:])
    terminal.show_text(r3_words(found, most))
    terminal.show_text(
        "Cycles of VexRiscv's own counter, driver and bus inside; overhead: share of the time from "
        "the first access to the last in which the multiplier does not work. sliding_window: "
        "exponents that are public; the others are constant-time."
    )
