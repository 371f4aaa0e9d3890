# SPDX-License-Identifier: Apache-2.0
"""The system that Monpro measures with: VexRiscv, ROM, RAM, UART, timer and a coprocessor.

    0x0000_0000  ROM, the program             0x9000_0000  the coprocessor
    0x1000_0000  RAM                          0xf000_0000  LiteX's registers (CSR)

All of it runs on one clock. Caches of 4 KB each are those of the processor's variant.
"""

from __future__ import annotations

import json
from typing import Any, ClassVar

from litex.build.generic_platform import GenericPlatform, Pins, Subsignal
from litex.gen import ClockDomain, LiteXModule
from litex.soc.integration.export import get_csr_json
from litex.soc.integration.soc_core import SoCCore
from migen import ResetSignal

from monpro.hardware.designs import Design
from monpro.litex.coprocessor import MonproCoprocessor, add_monpro, add_monpro_dma

ROM_BYTES = 192 << 10
RAM_BYTES = 128 << 10
BUS_TIMEOUT_CYCLES = 1 << 16  # an access that nobody answers reads as ones

PORTS: list[Any] = [
    ("clk", 0, Pins(1)),
    ("rst", 0, Pins(1)),
    ("serial", 0, Subsignal("tx", Pins(1)), Subsignal("rx", Pins(1))),
]


class Bare(GenericPlatform):  # type: ignore[misc]
    """No device: the pins of the system are the ports of its module."""

    def __init__(self) -> None:
        super().__init__("none", PORTS, name="bare")


class Clocks(LiteXModule):  # type: ignore[misc]
    """The clock domain `sys` from the pins `clk` and `rst`."""

    def __init__(self, platform: Any) -> None:
        self.cd_sys = ClockDomain()
        self.comb += self.cd_sys.clk.eq(platform.request("clk"))
        self.comb += ResetSignal("sys").eq(platform.request("rst"))


class MonproSoC(SoCCore):  # type: ignore[misc]
    """The system around a design; without one, the processor alone.

    rom       the program, words of 32 bits
    streams   with DMA to the coprocessor and from it
    target    of the coprocessor: see there
    cfu       with the variant "full+cfu": the file of the custom function unit
    clocks    a module with the clock domain `sys`; for the module alone there is one

    Its addresses do not depend on the design, so one program runs on all of them.
    """

    csr_map: ClassVar = {
        "ctrl": 0, "timer0": 1, "uart": 2, "monpro": 3, "monpro_reader": 4, "monpro_writer": 5,
    }  # fmt: skip

    def __init__(
        self,
        platform: Any,
        design: Design | str | None,
        *,
        streams: bool = False,
        target: str | None = None,
        clock_hz: int = 100_000_000,
        baud: int = 115_200,
        variant: str = "full",
        cfu: str | None = None,
        rom: list[int] | None = None,
        rom_bytes: int = ROM_BYTES,
        ram_bytes: int = RAM_BYTES,
        clocks: Any = None,
        **more: Any,
    ) -> None:
        self.crg = clocks or Clocks(platform)
        super().__init__(
            platform,
            clock_hz,
            cpu_type="vexriscv",
            cpu_variant=variant,
            cpu_cfu=cfu,
            bus_timeout=BUS_TIMEOUT_CYCLES,
            integrated_rom_size=rom_bytes,
            integrated_rom_init=rom or [0],
            integrated_sram_size=ram_bytes,
            uart_baudrate=baud,
            ident="",
            **more,
        )
        if design is not None:
            coprocessor = MonproCoprocessor(platform, design, streams=streams, target=target)
            add_monpro(self, coprocessor)
            if streams:
                add_monpro_dma(self, coprocessor)

    def verilog(self, name: str) -> Any:
        """Its Verilog, as LiteX gives it: a text and the files of its memories."""
        self.finalize()
        return self.platform.get_verilog(self, name=name)

    def map(self) -> dict[str, Any]:
        """Addresses and constants, after verilog()."""
        found: dict[str, Any] = json.loads(
            get_csr_json(self.csr_regions, self.constants, self.mem_regions)
        )
        return found
