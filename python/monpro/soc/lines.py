# SPDX-License-Identifier: Apache-2.0
"""The lines that the firmware sends over the UART: soc/firmware/report.h has their form."""

from __future__ import annotations

import dataclasses
import re
import zlib

from monpro.errors import MonproError

_LINE = re.compile(r"\$([^*]*(?:\*[^*]*)*)\*([0-9a-f]{8})")


@dataclasses.dataclass(frozen=True, slots=True)
class Line:
    """One line: `$kind name=value ... *checksum`. The value of `text` is the rest of the line."""

    kind: str
    fields: dict[str, str]

    def number(self, name: str) -> int:
        try:
            return int(self.fields[name])
        except (KeyError, ValueError):
            raise MonproError(
                "MONPRO_ERR_DEVICE_FAULT", f'the line "{self.kind}" has no number "{name}"'
            ) from None


def parse(text: str) -> Line:
    """A line without its end. A wrong checksum is an error, and nothing of that line is used."""
    found = _LINE.fullmatch(text)
    if found is None:
        raise MonproError("MONPRO_ERR_DEVICE_FAULT", f"no line of the firmware: {text[:80]!r}")
    body, check = found[1], int(found[2], 16)
    if zlib.crc32(body.encode("utf-8")) != check:
        raise MonproError(
            "MONPRO_ERR_DEVICE_FAULT", f"a line with the wrong checksum: {text[:80]!r}"
        )
    head, separator, rest = body.partition(" text=")
    kind, *items = head.split(" ")
    fields = dict(item.partition("=")[::2] for item in items)
    if separator:
        fields["text"] = rest
    return Line(kind, fields)
