/* SPDX-License-Identifier: Apache-2.0 */
#include "platform.h"

#include "report.h"
#include "soc_map.h"

/* Registers that VexRiscv has beyond RISC-V's: which interrupts are let through, and which of those are high. */
#define CSR_IRQ_MASK "0xBC0"
#define CSR_IRQ_PENDING "0xFC0"

uint64_t platform_cycles(void)
{
    uint32_t low, high, again;
    do {
        __asm__ __volatile__("rdcycleh %0\n\trdcycle %1\n\trdcycleh %2" : "=r"(high), "=r"(low), "=r"(again));
    } while (high != again);
    return (uint64_t)high << 32 | low;
}

#if defined(MONPRO_INTERRUPT)

bool platform_interrupt(void)
{
    uint32_t pending;
    __asm__ __volatile__("csrr %0, " CSR_IRQ_PENDING : "=r"(pending));
    return (pending >> MONPRO_INTERRUPT & 1u) != 0;
}

void platform_enable_interrupt(void)
{
    *(volatile uint32_t *)CSR_MONPRO_EV_ENABLE = 1;
    __asm__ __volatile__("csrs " CSR_IRQ_MASK ", %0" : : "r"(1u << MONPRO_INTERRUPT));
}

#endif

void platform_put(char c)
{
    while (*(volatile uint32_t *)CSR_UART_TXFULL != 0) {
    }
    *(volatile uint32_t *)CSR_UART_RXTX = (uint8_t)c;
}

void platform_died(uint32_t cause, uint32_t address, uint32_t value)
{
    report_begin("died");
    report_number("cause", cause);
    report_number("address", address);
    report_number("value", value);
    report_end();
    report_begin("end");
    report_end();
    for (;;) {
    }
}
