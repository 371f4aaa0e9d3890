# SPDX-License-Identifier: Apache-2.0
"""The design `assist`: the report's instruction as a custom function unit of the softcore.

Further forms of it serve 128 bits. The same program is counted in cycles with and without each.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from monpro import records
from monpro.base import paths
from monpro.hardware import rtl
from monpro.papers.bishop2021 import arm
from monpro.records import Record
from monpro.soc import build as soc_build
from monpro.soc import run as soc
from monpro.soc import tasks as soc_tasks
from monpro.soc.build import System
from monpro.soc.run import Outcome

TOP = "monpro_assist"
VARIANT = "full+cfu"
BODY_TURNS = 8 * 32  # of softcore.c
BODIES = ("branch", "mask", "word")
FORMS = ("software", "limbs", "held")
PARTS = ("by_one", "product", "encrypt", "decrypt")
LIMIT_CYCLES = 20_000_000  # of one text: about eight times what it takes


def unit() -> Path:
    """The custom function unit in one file, as LiteX takes it: in the cache."""
    files = rtl.needed(TOP, rtl.sources(paths.share() / "rtl"))
    parts = [path.read_text(encoding="utf-8") for path in (*files, arm.sources() / "cfu.sv")]
    path = paths.cache() / "assist" / "Cfu.sv"
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".new")
    beside.write_text("\n".join(parts), encoding="utf-8")
    shutil.move(beside, path)
    return path


def system() -> System:
    """The softcore with the unit."""
    return System(None, variant=VARIANT, cfu=unit())


def program() -> bytes:
    """The firmware with every form of the program in it."""
    folder = arm.sources()
    files = [folder / f"softcore{name}.c" for name in ("", *(f"_{form}" for form in FORMS))]
    # What the files include is not among what firmware is known by: so by its name here.
    known = f"-DSOURCES={arm.sources_digest()}"
    return soc_build.firmware((files, ["-DR5_STEP=8", "-DWIDE_WORDS", f"-I{folder}", known]))


def right(text: int) -> dict[str, int]:
    """What each part has to result in, by Python."""
    m, word = arm.key()["M"], (1 << 32) - 1
    one = pow(2, -arm.BITS, m)
    z, body_m = (text & word) >> 2, (text >> 32 & word) >> 1 | 0x40000001
    found = {f"{name}_body": z * pow(2, -BODY_TURNS, body_m) % body_m for name in BODIES}
    values = (text * one, text * text * one, pow(text, arm.key()["E"], m), text)
    parts = {part: value % m for part, value in zip(PARTS, values, strict=True)}
    return found | {f"{form}_{part}": parts[part] for form in FORMS for part in PARTS}


def run(texts: Sequence[int]) -> list[list[Outcome]]:
    """What the firmware says of each text."""
    tasks = [
        soc_tasks.Task(soc_tasks.Kind.PEER, soc_tasks.On.SOFT, (soc_tasks.number(text),), None,
                       arm.BITS, "assist")
        for text in texts
    ]  # fmt: skip
    limit = LIMIT_CYCLES * len(texts)
    outcomes = soc.simulate(system(), tasks, program=program(), limit_cycles=limit)
    return [[outcome for outcome in outcomes if outcome.task is task] for task in tasks]


def missing() -> str | None:
    """Why the softcore cannot be had here, or None."""
    return soc.missing()


def measure(texts: Sequence[int]) -> list[Record]:
    """Cycles of each part in each form, mean over the texts."""
    if why := missing():
        return [_record("assist", "", None, None, skipped=why)]
    found = run(texts)
    expected = [right(text) for text in texts]
    result = []
    for name in expected[0]:
        form, _, part = name.partition("_")
        cycles, ok = [], True
        for outcomes, values in zip(found, expected, strict=True):
            [outcome] = [one for one in outcomes if one.what == name]
            cycles.append(outcome.cycles)
            ok &= outcome.status == "MONPRO_OK" and outcome.out == values[name]
        result.append(
            _record(
                part, form, ok, "simulated", inputs=len(texts), cycles=sum(cycles) / len(cycles),
                cycles_min=min(cycles), cycles_max=max(cycles),
                turns=BODY_TURNS if part == "body" else None, processor=f"VexRiscv {VARIANT}",
            )
        )  # fmt: skip
    return result


def _record(part: str, form: str, ok: bool | None, obtained: str | None, **more: Any) -> Record:
    return records.record(
        "papers", engine="softcore", operation=part, bits=32 if part == "body" else arm.BITS,
        scheme=None if part in ("body", "assist") else "right_to_left", ok=ok, obtained=obtained,
        design="assist" if form in ("word", "limbs", "held") else None,
        table="assist", form=form or None, **more,
    )  # fmt: skip
