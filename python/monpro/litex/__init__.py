"""Monpro in LiteX: `from monpro.litex import MonproCoprocessor` in a SoC of your own, or the whole
system that Monpro measures with, `MonproSoC`. Needs LiteX: pip install 'monpro[soc]'.

    class MySoC(SoCCore):
        def __init__(self, platform, sys_clk_freq):
            SoCCore.__init__(self, platform, sys_clk_freq, cpu_type="vexriscv", ...)
            add_monpro(self, MonproCoprocessor(platform, "small"))
"""

from monpro.litex.coprocessor import MonproCoprocessor, add_monpro, add_monpro_dma
from monpro.litex.system import MonproSoC

__all__ = ["MonproCoprocessor", "MonproSoC", "add_monpro", "add_monpro_dma"]
