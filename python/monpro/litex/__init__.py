# SPDX-License-Identifier: Apache-2.0
"""Monpro in LiteX. Needs LiteX: pip install 'monpro[soc]'.

`MonproCoprocessor` goes into a SoC of your own. `MonproSoC` is the whole system that Monpro
measures with.

    class MySoC(SoCCore):
        def __init__(self, platform, sys_clk_freq):
            SoCCore.__init__(self, platform, sys_clk_freq, cpu_type="vexriscv", ...)
            add_monpro(self, MonproCoprocessor(platform, "small"))
"""

from monpro.litex.coprocessor import MonproCoprocessor, add_monpro, add_monpro_dma
from monpro.litex.system import MonproSoC

__all__ = ["MonproCoprocessor", "MonproSoC", "add_monpro", "add_monpro_dma"]
