"""What the tables of software and hardware on one softcore share; from records alone."""

from __future__ import annotations

from collections.abc import Sequence

from monpro.base import terminal
from monpro.papers import softcore
from monpro.records import Record
from monpro.soc import peer as soc_peer

PEER = f"mbedTLS {soc_peer.VERSION}"
NOT_HERE = (
    "Software on the same softcore is measured in the full form only: it simulates a system on "
    "chip for minutes."
)


def split(found: Sequence[Record]) -> tuple[list[Record], list[Record]]:
    """The others, and those of the softcore."""
    own = [item for item in found if not softcore.is_softcore(item)]
    return own, [item for item in found if softcore.is_softcore(item)]


def ratio(theirs: int | None, item: Record) -> str:
    return "" if theirs is None else terminal.significant(theirs / item["cycles_total"])
