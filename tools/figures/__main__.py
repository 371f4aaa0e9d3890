"""Makes records and the tables of the pages; `make docs`, `make records` and their like call it."""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tools")]

from figures import check, pages, store, tables  # noqa: E402
from figures.catalogue import CYCLES, PLACED, Entry, FiguresError  # noqa: E402
from monpro.errors import MonproError  # noqa: E402


def chosen(found: store.Store, names: list[str], kind: str | None) -> list[Entry]:
    """The entries of these names; a kind's, with or without "kind/" before the name."""
    keys = [name if "/" in name or kind is None else f"{kind}/{name}" for name in names]
    if unknown := [key for key in keys if key not in found.entries]:
        known = ", ".join(key for key in found.entries if kind in (None, key.split("/")[0]))
        raise FiguresError(f"no record {unknown[0]}; there are: {known}")
    return [found.entries[key] for key in keys]


def outdated(found: store.Store) -> list[Entry]:
    """The cycle records that are missing, unreadable, or older than the RTL."""
    result = []
    for key, entry in found.entries.items():
        if entry.kind == CYCLES:
            try:
                fresh = not found.file(key).outdated(found.digest)
            except FiguresError:
                fresh = False
            if not fresh:
                result.append(entry)
    return result


def make(found: store.Store, entries: list[Entry], seeds: int | None) -> None:
    for entry in entries:
        path = store.make(entry, found.folder, found.digest, seeds=seeds)
        print(f"{path.relative_to(ROOT)}: made", flush=True)
    if not entries:
        print("no cycle record is older than the RTL")


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python tools/figures", description=__doc__)
    parser.add_argument(
        "task",
        choices=("docs", "check", "cycles", "placed", "slow"),
        help="docs: write the tables. check: what make lint checks. cycles: make the cycle records "
        "that are older than the RTL, or those named. placed: area and clock of the designs named, "
        "from the cache of monpro synth where it has them. slow: any record, by its key",
    )
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--seeds", type=int, metavar="N", help="of placed: seeds 1 to N")
    return parser.parse_args()


def main() -> int:
    asked = options()
    try:
        found = store.Store()
        match asked.task:
            case "docs":
                changed, wrong = pages.write(ROOT, tables.load(), found)
                print("\n".join(f"{page}: written" for page in changed) or "no page changed")
                if wrong:
                    raise FiguresError("\n".join(wrong))
            case "check":
                if problems := check.problems():
                    print("\n".join(problems), file=sys.stderr)
                    return 1
            case "cycles":
                named = chosen(found, asked.names, CYCLES)
                make(found, named or outdated(found), None)
            case "placed":
                if not asked.names:
                    known = (entry for entry in found.entries.values() if entry.kind == PLACED)
                    names = " ".join(entry.name for entry in known)
                    raise FiguresError(f'say which: make records-placed DESIGNS="{names}"')
                make(found, chosen(found, asked.names, PLACED), asked.seeds)
            case "slow":
                if not asked.names:
                    raise FiguresError("say which: make records-slow NAMES=KIND/NAME")
                make(found, chosen(found, asked.names, None), None)
    except (FiguresError, MonproError) as why:
        print(f"figures: error: {why}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
