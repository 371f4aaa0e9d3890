# SPDX-License-Identifier: Apache-2.0
"""The table of the main job, from its records alone."""

from __future__ import annotations

from pathlib import Path

from monpro.base import terminal
from monpro.measure import openssl
from monpro.records import Record

LONG_BITS = 2048  # above it a simulation is long
HEADS = [
    "", "total\ncycles", "load", "pre-\ncompute", "expo-\nnentiate", "read",
    "sim s", "soft\nms", "OpenSSL\nms", "soft/\nOpenSSL",
]  # fmt: skip


def _cells(hardware: Record | None, soft: Record | None, peer: Record | None) -> list[str]:
    cells = [""] * (len(HEADS) - 1)
    if hardware:
        names = ("total", "load", "precompute", "exponentiate", "read")
        figures = [hardware.get(f"cycles_{name}") for name in names]
        cells[:5] = ["" if figure is None else str(figure) for figure in figures]
        cells[5] = terminal.significant(hardware["wall_ms"] / 1e3, 2)
    if soft and "time_ms" in soft:
        cells[6] = terminal.significant(soft["time_ms"])
        cells[8] = f"{soft['ratio_to_openssl']:.2f}"
    if peer:
        cells[7] = terminal.significant(peer["time_ms"])
    return cells


def rows(found: list[Record]) -> list[list[str]]:
    """A heading for each size; a line for each operation; a second one with a warm key."""
    result: list[list[str]] = []
    for bits in dict.fromkeys(item["bits"] for item in found):
        result.append([f"RSA-{bits}", *_cells(None, None, None)])
        of_size = [item for item in found if item["bits"] == bits]
        for step in dict.fromkeys(item["step"] for item in of_size):
            of_step = [item for item in of_size if item["step"] == step]
            soft, peer = (
                next((item for item in of_step if item["engine"] == name), None)
                for name in ("soft", "openssl")
            )
            hardware = [item for item in of_step if item["engine"] not in ("soft", "openssl")]
            first = hardware[0] if hardware else None
            result.append([f" {step}", *_cells(first, soft, peer)])
            for item in hardware[1:]:
                result.append([f"  {item['key_state']}", *_cells(item, None, None)])
    return result


def _notes(found: list[Record], spec: str, out: Path, elapsed_s: float) -> list[str]:
    checks = [item for item in found if item["engine"] != "openssl"]
    passed = sum(bool(item["ok"]) for item in checks)
    peers = {item["baseline"] for item in found if "baseline" in item}
    rounds = {item["rounds"] for item in found if "rounds" in item}
    lines = []
    if spec != "soft":
        lines.append(
            f"Cycles are exact: counted by the coprocessor itself ({spec}), whose RTL is simulated "
            "clock by clock. Each operation starts in a coprocessor that does not have the key "
            "(cold); warm: the same once more. Private operations use CRT, are blinded, and are "
            "checked with the public exponent before release, all inside the figure. sim s: "
            "seconds of simulation, not a speed of the design."
        )
        if any(item["bits"] > LONG_BITS for item in found):
            lines.append(
                f"Above {LONG_BITS} bits a decryption takes the cycles of a signature, and an "
                "encryption those of a verification. They are not simulated as well."
            )
    if rounds:
        lines.append(
            f"soft, OpenSSL: median of {rounds.pop()} rounds in turns on one processor, the "
            f"simulations over; {', '.join(sorted(peers))} is called in this process."
        )
    lines.append(
        f"{passed} of {len(checks)} results right: keys, files and checks by the openssl program "
        f"({openssl.version()}). {elapsed_s:.0f} s in all. Records: {out}"
    )
    return lines


def show(found: list[Record], spec: str, out: Path, elapsed_s: float) -> None:
    terminal.show_table(HEADS, rows(found), numbers=HEADS[1:])
    for line in _notes(found, spec, out, elapsed_s):
        terminal.show_text(f"\n{line}")
    for item in found:
        if "failure" in item:
            terminal.show_text(f"FAILED: {item['failure']}")
