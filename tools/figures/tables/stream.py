"""The table of docs/stream.md: cycles of packets, by the model that the benches hold the RTL to."""

# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

from figures.store import Store
from figures.tables.kit import markdown, table
from monpro.hardware import designs, regs
from monpro.hardware.models import stream
from monpro.hardware.models.coprocessor import MAX_WINDOW, Coprocessor
from monpro.hardware.models.stream import Section, operand, result, wait, write
from monpro.hardware.regs import Scheme, Slot

DESIGN = "small"
BUS_BITS = 32


def _packet(model: Coprocessor, bits: int, *, warm: bool) -> list[Section]:
    """An exponentiation with a secret exponent as long as the modulus; its values do not matter."""
    length = model.length(bits)
    words = -(-length * model.word_bits // BUS_BITS)
    if warm:
        first = write(regs.EXPONENT, bits, 0)
    else:
        slot = regs.OPERAND_SLOT.put(int(Slot.MODULUS))
        first = write(regs.LENGTH, length, bits, 0, slot, *[0] * words)
    return [
        first,
        operand(Slot.BASE, 0, words),
        operand(Slot.EXPONENT, 0, -(-bits // BUS_BITS)),
        write(regs.COMMAND, regs.COMMAND_START.put(1)),
        wait(),
        *result(-(-bits // BUS_BITS)),
    ]


@table
def stream_packets(_: Store) -> str:
    model = designs.get(DESIGN).model()
    assert isinstance(model, Coprocessor)
    rows = []
    for bits in (512, 1024, 2048):
        cells = [f"`{DESIGN}`, {bits} bits, secret exponent"]
        for warm in (False, True):
            packet = stream.cycles(_packet(model, bits, warm=warm), model.word_bits)
            work = min(
                model.modexp(Scheme.FIXED_WINDOW, bits, bits, window, warm=warm).cycles
                for window in range(1, MAX_WINDOW + 1)
                if model.window_fits(bits, window)
            )
            cells += [str(packet), f"{100 * packet / (packet + work):.2f} %"]
        rows.append(cells)
    return markdown(["", "packet, cold", "share", "packet, warm", "share"], rows)
