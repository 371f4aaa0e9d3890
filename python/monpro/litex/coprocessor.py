# SPDX-License-Identifier: Apache-2.0
"""The coprocessor as a LiteX module: AXI4-Lite registers, an interrupt, two streams."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from litex.gen import LiteXModule
from litex.soc.cores.dma import WishboneDMAReader, WishboneDMAWriter
from litex.soc.integration.soc import SoCRegion
from litex.soc.interconnect import axi, stream, wishbone
from litex.soc.interconnect.csr_eventmanager import EventManager, EventSourceLevel
from migen import ClockSignal, Instance, ResetSignal, Signal

from monpro.base import paths
from monpro.hardware import designs, rtl
from monpro.hardware.designs import Design

REGISTER_BITS = 7  # of an address: the width of s_axil_awaddr and s_axil_araddr


class MonproCoprocessor(LiteXModule):  # type: ignore[misc]
    """One coprocessor of a design, as "small" or "small,elements=4", in the clock domain `sys`.

    bus   AXI4-Lite, 32 bits, 128 bytes (the register map of docs/registers.html)
    ev    the interrupt: an event manager with one source, `ev.device`, at the level of irq_o
    sink, source   with `streams`: packets of accesses, and the answers to them, 32 bits a beat
                   (rtl/bus/monpro_stream.sv has their form)

    target   "ecp5" or "xilinx7": with that family's multiplier and RAM blocks instantiated
    """

    def __init__(
        self,
        platform: Any,
        design: Design | str = "small",
        *,
        streams: bool = False,
        target: str | None = None,
    ) -> None:
        self.design = design if isinstance(design, Design) else designs.parse(design)
        self.bus = bus = axi.AXILiteInterface(data_width=32, address_width=32)
        self.ev = EventManager()
        self.ev.device = EventSourceLevel(description="The interrupt line of the coprocessor.")
        self.ev.finalize()
        irq = Signal()
        self.comb += self.ev.device.trigger.eq(irq)

        self.sink = sink = stream.Endpoint([("data", 32)])
        self.source = source = stream.Endpoint([("data", 32)])
        parameters = {**self.design.rtl_parameters(), "Stream": int(streams)}
        if target is not None:
            parameters["Target"] = target
        self.specials += Instance(
            "monpro_coprocessor",
            **{f"p_{name}": _value(value) for name, value in parameters.items()},
            i_clk_i=ClockSignal("sys"),
            i_rst_ni=~ResetSignal("sys"),
            o_irq_o=irq,
            o_s_axil_awready=bus.aw.ready,
            i_s_axil_awvalid=bus.aw.valid,
            i_s_axil_awaddr=bus.aw.addr[:REGISTER_BITS],
            i_s_axil_awprot=0,
            o_s_axil_wready=bus.w.ready,
            i_s_axil_wvalid=bus.w.valid,
            i_s_axil_wdata=bus.w.data,
            i_s_axil_wstrb=bus.w.strb,
            i_s_axil_bready=bus.b.ready,
            o_s_axil_bvalid=bus.b.valid,
            o_s_axil_bresp=bus.b.resp,
            o_s_axil_arready=bus.ar.ready,
            i_s_axil_arvalid=bus.ar.valid,
            i_s_axil_araddr=bus.ar.addr[:REGISTER_BITS],
            i_s_axil_arprot=0,
            i_s_axil_rready=bus.r.ready,
            o_s_axil_rvalid=bus.r.valid,
            o_s_axil_rdata=bus.r.data,
            o_s_axil_rresp=bus.r.resp,
            i_s_axis_tvalid=sink.valid,
            o_s_axis_tready=sink.ready,
            i_s_axis_tdata=sink.data,
            i_s_axis_tkeep=0xF,
            i_s_axis_tlast=sink.last,
            o_m_axis_tvalid=source.valid,
            i_m_axis_tready=source.ready,
            o_m_axis_tdata=source.data,
            o_m_axis_tkeep=Signal(4),
            o_m_axis_tlast=source.last,
        )
        for path in sources():
            platform.add_source(str(path), language="systemverilog")


def sources() -> list[Path]:
    """The RTL that it is made of, in the order in which it compiles."""
    return list(rtl.needed("monpro_coprocessor", rtl.sources(paths.share() / "rtl")))


def add_monpro(
    soc: Any, coprocessor: MonproCoprocessor, name: str = "monpro", origin: int = 0x9000_0000
) -> None:
    """Puts a coprocessor on a SoC's bus, whichever standard that is, and on its interrupts.

    LiteX's software finds it at MONPRO_BASE and MONPRO_INTERRUPT.
    """
    setattr(soc, name, coprocessor)
    region = SoCRegion(origin=origin, size=1 << REGISTER_BITS, cached=False)
    soc.bus.add_slave(name, coprocessor.bus, region)
    if soc.irq.enabled:
        soc.irq.add(name)


def add_monpro_dma(soc: Any, coprocessor: MonproCoprocessor, name: str = "monpro") -> None:
    """LiteX's own DMA to a coprocessor's streams and from them, on the SoC's bus: a reader, which
    takes a packet from memory, and a writer, which puts the answer there. Software finds their
    registers as NAME_reader and NAME_writer."""
    width = {"data_width": 32, "address_width": 32, "addressing": "word"}
    reader = WishboneDMAReader(wishbone.Interface(**width), endianness="big", with_csr=True)
    writer = WishboneDMAWriter(wishbone.Interface(**width), endianness="big", with_csr=True)
    setattr(soc, f"{name}_reader", reader)
    setattr(soc, f"{name}_writer", writer)
    soc.comb += [reader.source.connect(coprocessor.sink), coprocessor.source.connect(writer.sink)]
    soc.bus.add_master(f"{name}_reader", master=reader.bus)
    soc.bus.add_master(f"{name}_writer", master=writer.bus)


def _value(value: int | str) -> int | str:
    """A parameter as migen wants it: strings without the quotes of SystemVerilog."""
    return value.strip('"') if isinstance(value, str) else value
