# SPDX-License-Identifier: Apache-2.0
"""The verdict as tables and three sentences, from records alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from monpro.base import terminal
from monpro.power import sets as power_sets
from monpro.power.verdict import BITS, BOUND, OURS, THESIS
from monpro.published import power as published_power
from monpro.records import Record

NONE = "-"
OPERATIONS = {
    "rsa_private": "decrypt: the private operation",
    "rsa_public": "encrypt: e = 65537",
}


def _n(value: float | None) -> str:
    return NONE if value is None else terminal.significant(value)


def _ours(item: Record) -> bool:
    return item["who"] in OURS


def _even(item: Record, clock: str) -> str:
    """A rate; it may lie above what the microcontroller can do."""
    rates = item.get("break_even_per_s")
    if rates is None:
        return NONE
    return _n(rates[clock]) if clock in rates else "never"


def rows(items: Sequence[Record], clock: str) -> list[list[str]]:
    """A line of the table each; clock: of the microcontroller that the last rate is against."""
    found = []
    for item in items:
        assumed = _ours(item) and not item["clock_obtained"].startswith("placed")
        span = "-".join(_n(end / 1e3) for end in item.get("energy_uj_range", ())) or NONE
        found.append(
            [
                item["who"].replace(",word_bits=", ", "),
                f"{item['clock_mhz']:.0f}{'*' * assumed}",
                *(_n(item[key]) for key in ("time_ms", "power_mw")),
                _n(item["energy_uj"] / 1e3),
                span,
                _n(item.get("mean_mw")),
                _even(item, clock),
                item["obtained"],
            ]
        )
    return found


def _listed(items: Sequence[Record], value: str, unit: str, scale: float = 1.0) -> str:
    return ", ".join(f"{i['who']} {_n(i[value] / scale)} {unit}" for i in items)


def sentences(items: Sequence[Record], rate: float) -> list[str]:
    """Watts, joules, and the rate; of the private operation."""
    private = [item for item in items if item["operation"] == "rsa_private"]
    other = power_sets.microcontroller()
    slow = [item for item in private if item["who"].startswith(other.who)]
    best = min(slow, key=lambda item: item["energy_uj"])
    rest = [item for item in private if item not in slow]
    mine = [item for item in rest if _ours(item)] or rest
    least = min(rest, key=lambda item: item["power_mw"])
    watts = (
        f"Watts, which the thesis compares, rule out every design: the least takes "
        f"{_n(least['power_mw'])} mW while it works ({least['who']}), {other.who} at most "
        f"{other.active_W * 1e3:g} mW, and {other.sleep_W * 1e6:g} uW asleep."
    )
    first = min(mine, key=lambda item: item["energy_uj"])
    worse = [item["who"] for item in rest if item["energy_uj"] > best["energy_uj"]]
    joules = (
        f"Joules turn it round: {first['who']} takes {_n(first['energy_uj'] / 1e3)} mJ a private "
        f"operation and {_n(first['time_ms'])} ms, {best['who']} {_n(best['energy_uj'] / 1e3)} mJ "
        f"and {_n(best['time_ms'])} ms: "
        f"{terminal.significant(best['energy_uj'] / first['energy_uj'], 2)} times as much"
        + (f"; dearer than it: {', '.join(worse)}." if worse else ", and no design is dearer.")
    )
    clock = f"{best['clock_mhz']:g} MHz"
    even = {i["who"]: i.get("break_even_per_s", {}).get(clock) for i in mine}
    reached = {who: value for who, value in even.items() if value is not None}
    most = best["most_per_s"]
    if reached:
        who = min(reached, key=lambda name: reached[name])
        tail = (
            f"the break-even rate is {_n(reached[who])} a second ({who})"
            + (f", above the {_n(most)} that {best['who']} can do at all" if reached[who] > most
               else f", and {best['who']} ends at {_n(most)} a second")
        )  # fmt: skip
    else:
        tail = "no rate makes up for it"
    between = (
        f"What decides is the time in between: an FPGA that keeps its configuration goes on taking "
        f"{_n(mine[0]['idle_mw'])} mW, so at {rate:g} operations a second "
        f"{_listed([first], 'mean_mw', 'mW') if 'mean_mw' in first else first['who']} stands "
        f"against {_n(best.get('mean_mw'))} mW, and {tail}."
    )
    return [watts, joules, between]


def show(items: Sequence[Record], rate: float, out: Path) -> None:
    """Two tables, what their words mean, the verdict. out: where the records are."""
    other = power_sets.microcontroller()
    clocks = [f"{row.MHz:g} MHz" for row in published_power.load(power_sets.FITTED).software]
    for operation, title in OPERATIONS.items():
        of_one = [item for item in items if item["operation"] == operation]
        head = ["", "MHz", "ms", "mW\nworking", "mJ", "range", f"mW at\n{rate:g} / s",
                f"even at\n/ s, {clocks[-1]}", "obtained"]  # fmt: skip
        terminal.show_text(f"\nRSA-{BITS}, {title}")
        terminal.show_table(head, rows(of_one, clocks[-1]), numbers=[*head[1:5], *head[6:8]])
    terminal.show_text(
        f"\n{other.who}: time by the thesis's table 1, energy {other.active_W * 1e3:g} mW x time; "
        f"that power is stated for {other.active_MHz:g} MHz, so the energies at lower clocks are "
        f"upper bounds. {THESIS}as published, mean of 40 keys at 10 MHz, static power in between; "
        f"its cycles stand above the bound of its LUTs (monpro papers ledgard2023), so "
        f'"{BOUND.strip().removesuffix(":")}" has its watts for as long as a multiplier that '
        "keeps the bound works. Monpro: cycles by formula, key cold, constant time (the private "
        "operation with CRT and check, of serial designs without); area synthesized for XC7A100T, "
        "power estimated, static power as the thesis has it; MHz placed on ECP5, * assumed. even: "
        "from so many operations a second on a design takes less than the microcontroller."
    )
    terminal.show_text("\nVerdict")
    for line in sentences(items, rate):
        terminal.show_text(line)
    terminal.show_text(f"\nRecords: {out}")
