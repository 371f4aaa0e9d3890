#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A LiteX system with a Monpro coprocessor, in the form of LiteX's own targets.

    python soc/monpro_soc.py --design small --output build/soc

writes the system's Verilog and what its memories begin with, the list of all sources that it is
made of, and the map of its registers as JSON. A system of one's own needs the two lines marked
below, and `pip install 'monpro[soc]'`.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from litex.soc.integration.soc_core import SoCCore

from monpro.litex import MonproCoprocessor, add_monpro, add_monpro_dma
from monpro.litex.system import Bare, Clocks


class ExampleSoC(SoCCore):
    def __init__(self, platform, design: str, sys_clk_freq: float, streams: bool) -> None:
        self.crg = Clocks(platform)
        super().__init__(
            platform,
            sys_clk_freq,
            cpu_type="vexriscv",
            cpu_variant="full",
            integrated_rom_size=128 << 10,
            integrated_rom_init=[0],
            integrated_sram_size=128 << 10,
            uart_name="serial",
        )
        coprocessor = MonproCoprocessor(platform, design, streams=streams)  # this one
        add_monpro(self, coprocessor)  # and this one
        if streams:
            add_monpro_dma(self, coprocessor)


def main() -> None:
    parser = argparse.ArgumentParser(description="LiteX system with a Monpro coprocessor")
    parser.add_argument("--design", default="small", help="a design of `monpro designs`")
    parser.add_argument("--sys-clk-freq", default=100e6, type=float, help="system clock, in Hz")
    parser.add_argument("--streams", action="store_true", help="with LiteX's DMA to its streams")
    parser.add_argument("--output", default="build/soc", type=Path, help="folder to write to")
    args = parser.parse_args()

    soc = ExampleSoC(Bare(), args.design, args.sys_clk_freq, args.streams)
    soc.finalize()
    verilog = soc.platform.get_verilog(soc, name="monpro_soc")
    args.output.mkdir(parents=True, exist_ok=True)
    # Not verilog.write(): it puts what memories begin with into the current folder.
    for name, text in {"monpro_soc.v": verilog.main_source, **verilog.data_files}.items():
        (args.output / name).write_text(text)
    files = [str(path) for path, *_ in soc.platform.sources]
    (args.output / "files.txt").write_text("\n".join([*files, "monpro_soc.v", ""]))
    regions = {name: hex(region.origin) for name, region in soc.csr_regions.items()}
    regions |= {name: hex(region.origin) for name, region in soc.bus.regions.items()}
    (args.output / "map.json").write_text(json.dumps(regions, indent=2) + "\n")
    memories = ", ".join(verilog.data_files)
    count = len(files) + 1
    print(f"{args.output}: monpro_soc.v, {memories}, files.txt ({count} files), map.json")


if __name__ == "__main__":
    main()
