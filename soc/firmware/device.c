/* The coprocessor of this system, through the library's transport for mapped registers.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stddef.h>

#include "device/transports/mmio.h"
#include "dma.h"
#include "platform.h"
#include "report.h"
#include "soc_map.h"
#include "base/status.h"
#include "tasks.h"

static uint32_t first_access, last_access; /* the processor's counter, low half */
static bool accessed;

static uint64_t cycles(void *context)
{
    (void)context;
    return platform_cycles();
}

#if defined(MONPRO_INTERRUPT)
static bool interrupt(void *context)
{
    (void)context;
    return platform_interrupt();
}
#endif

void device_span_note(void)
{
    __asm__ __volatile__("rdcycle %0" : "=r"(last_access));
    if (!accessed) {
        accessed = true;
        first_access = last_access;
    }
}

/* Is called after every access, and notes its time. VexRiscv's Wishbone port hears of no bus error. */
static bool bus_error(void *context)
{
    (void)context;
    device_span_note();
    return false;
}

void device_span_reset(void)
{
    accessed = false;
}

uint32_t device_span(void)
{
    return accessed ? last_access - first_access : 0;
}

monpro_status device_open_at(monpro_engine **engine, uintptr_t address, const monpro_dma *dma, monpro_error *error)
{
    monpro_mmio mmio = {
        .registers = (volatile uint32_t *)address,
        .size = 128,
        .cycles = cycles,
        .bus_error = bus_error,
        .dma = dma,
    };
#if defined(MONPRO_INTERRUPT)
    mmio.interrupt = interrupt;
    platform_enable_interrupt();
#endif
    monpro_error_reset(error);
    return monpro_mmio_open(engine, &mmio, "mmio", error);
}

#if defined(MONPRO_BASE)

static monpro_engine *opened;
static bool opened_dma;

monpro_status device_engine(monpro_engine **engine, bool dma, monpro_error *error)
{
    if (opened != NULL && opened_dma != dma) {
        device_close();
    }
    if (opened == NULL) {
        opened_dma = dma;
        const monpro_status status = device_open_at(&opened, MONPRO_BASE, dma ? &dma_engine : NULL, error);
        if (status != MONPRO_OK) {
            opened = NULL;
            return status;
        }
    }
    *engine = opened;
    return MONPRO_OK;
}

void device_close(void)
{
    monpro_engine_close(opened);
    opened = NULL;
}

#else

monpro_status device_engine(monpro_engine **engine, bool dma, monpro_error *error)
{
    (void)engine;
    (void)dma;
    return monpro_fail(error, MONPRO_ERR_DEVICE_ABSENT, "this system was built without a coprocessor");
}

void device_close(void) {}

#endif
