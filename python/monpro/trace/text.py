# SPDX-License-Identifier: Apache-2.0
"""A trace on 80 columns, and as a record."""

from __future__ import annotations

import textwrap

from monpro import records
from monpro.records import Record
from monpro.trace.run import Difference, Injection, Pair, Trace, describe

COLUMN = 23  # of a value
PLACE = 22  # of the bits of a step
LINE = 64  # digits of a value that is shown in full
MARK = "  <--"


def _short(value: int | None, bits: int) -> str:
    """All digits, or the first and the last of them."""
    if value is None:
        return "-"
    digits = f"{value:0{(bits + 3) // 4}x}"
    if len(digits) <= COLUMN - 2:
        return digits
    half = (COLUMN - 3) // 2
    return f"{digits[:half]}..{digits[-half:]}"


def _long(value: int | None, bits: int) -> list[str]:
    if value is None:
        return ["-"]
    return textwrap.wrap(f"{value:0{(bits + 3) // 4}x}", LINE)


def show(trace: Trace, *, raw: bool, full: bool) -> None:
    """Prints it."""
    bits, way = trace.modulus.bit_length(), trace.way
    window = f", window {trace.window}" if trace.window else ""
    print(
        f"{trace.design.name}: {trace.scheme}{window}, {bits} bits, "
        f"{'public' if trace.public else 'secret'} exponent of {trace.bits} bits"
    )
    print(f"C: {way.method}, digits of {way.digit_bits} bits, R = {_power(trace.c_r)}")
    print(f"RTL: {trace.design.multiplier}, words of {trace.design.word_bits} bits, "
          f"R = {_power(trace.rtl_r)}")  # fmt: skip
    print(f"\n{'step':>5} {'of the exponent':{PLACE}} {'C':{COLUMN}} RTL")
    first = trace.difference.step if trace.difference else None
    for number, (label, digit, pair) in enumerate(trace.values):
        place = f"{label}: {digit}" if digit else label
        name = "" if number == len(trace.steps) else str(number)
        mark = MARK if number == first else ("  *" if pair.differ else "")
        if full:
            _show_full(trace, name, place, pair, mark, raw=raw)
            continue
        c, rtl = _short(pair.c, bits), _short(pair.rtl, bits)
        print(f"{name:>5} {_fit(place):{PLACE}} {c:{COLUMN}} {rtl}{mark}")
        if raw and number < len(trace.steps):
            c, rtl = _short(pair.c_raw, bits), _short(pair.rtl_raw, bits)
            print(f"{'':5} {'  as it is there':{PLACE}} {c:{COLUMN}} {rtl}")
    print("\n" + textwrap.fill(verdict(trace), 80))


def _fit(place: str, width: int = PLACE) -> str:
    return place if len(place) <= width else place[: width - 2] + ".."


def _power(r: int) -> str:
    return f"2^{r.bit_length() - 1}" if r > 1 else "1 (no Montgomery form)"


def _show_full(trace: Trace, name: str, place: str, pair: Pair, mark: str, *, raw: bool) -> None:
    bits = trace.modulus.bit_length()
    print(f"{name:>5} {place}{mark}")
    lines = [("C", pair.c), ("RTL", pair.rtl)]
    if raw and name:
        lines += [("C raw", pair.c_raw), ("RTL raw", pair.rtl_raw)]
    for side, value in lines:
        for part, digits in enumerate(_long(value, bits)):
            print(f"{'' if part else side:>13} {digits}")


def verdict(trace: Trace) -> str:
    """One sentence."""
    if trace.difference is None:
        return f"No difference in {len(trace.steps)} steps and the result."
    return f"First difference: {where(trace, trace.difference)}. Wrong: {trace.difference.wrong}."


def where(trace: Trace, difference: Difference) -> str:
    """The step and the value."""
    if difference.step == len(trace.steps):
        return "the result" if difference.what == "result" else "behind the last step"
    label, digit, _pair = trace.values[difference.step]
    place = f"{label}: {digit}" if digit else label
    return f'step {difference.step} ({place}), in the value of "{difference.what}"'


def record(trace: Trace, injection: Injection | None, *, raw: bool) -> Record:
    """All values, in full."""

    def item(number: int, label: str, digit: str, pair: Pair) -> Record:
        numbers = {"c": pair.c, "rtl": pair.rtl}
        if raw and number < len(trace.steps):
            numbers |= {"c_raw": pair.c_raw, "rtl_raw": pair.rtl_raw}
        values = {name: None if value is None else hex(value) for name, value in numbers.items()}
        return {"bits": label, "digit": digit, **values, "equal": pair.c == pair.rtl}

    difference = trace.difference
    found = difference and {
        "step": difference.step, "value": difference.what, "wrong": difference.wrong,
    }  # fmt: skip
    return records.record(
        "trace",
        {
            "steps": [item(i, *value) for i, value in enumerate(trace.values[:-1])],
            "result": item(len(trace.steps), *trace.values[-1]),
            "first_difference": found,
            "injected": describe(injection),
            "device_error": None if trace.error is None else str(trace.error),
            "c_r_bits": trace.c_r.bit_length() - 1,
            "rtl_r_bits": trace.rtl_r.bit_length() - 1,
        },
        design=trace.design.name,
        engine=f"sim:{trace.design.name}",
        operation="modexp",
        bits=trace.modulus.bit_length(),
        scheme=trace.scheme,
        exponent="public" if trace.public else "secret",
        ok=difference is None,
        obtained="simulated",
        window=trace.window or None,
        exponent_bits=trace.bits,
        method=trace.way.method,
        digit_bits=trace.way.digit_bits,
        cycles=trace.counters.cycles or None,
    )
