/* A coprocessor mapped into memory. Freestanding, but for calloc() and free().
 *
 * A load or a store of a volatile word is one access of 32 bits. The mapping must keep accesses in order, like the
 * mapping of any device. Waiting is polling. Where the platform shows the interrupt line, that line is polled, so the
 * bus stays free.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "device/transports/mmio.h"

#include <stdlib.h>

#include "base/status.h"
#include "device/access.h"


static bool failed(const monpro_mmio *mmio)
{
    return mmio->bus_error != NULL && mmio->bus_error(mmio->context);
}

static monpro_bus mmio_read(void *context, uint32_t address, uint32_t *value)
{
    const monpro_mmio *mmio = context;
    if (address >= mmio->size) {
        return MONPRO_BUS_DECERR;
    }
    *value = mmio->registers[address / 4];
    return failed(mmio) ? MONPRO_BUS_SLVERR : MONPRO_BUS_OKAY;
}

static monpro_bus mmio_write(void *context, uint32_t address, uint32_t value)
{
    const monpro_mmio *mmio = context;
    if (address >= mmio->size) {
        return MONPRO_BUS_DECERR;
    }
    mmio->registers[address / 4] = value;
    return failed(mmio) ? MONPRO_BUS_SLVERR : MONPRO_BUS_OKAY;
}

/* The interrupt line, by the device's registers. A bus error is for the next access to find. */
static bool line_is_high(const monpro_mmio *mmio)
{
    if (mmio->interrupt != NULL) {
        return mmio->interrupt(mmio->context);
    }
    const uint32_t status_word = mmio->registers[MONPRO_REGS_STATUS_OFFSET / 4];
    const uint32_t enabled = mmio->registers[MONPRO_REGS_INTERRUPT_OFFSET / 4];
    const bool done = MONPRO_REGS_GET(status_word, STATUS_DONE) != 0;
    const bool low = MONPRO_REGS_GET(status_word, STATUS_QUEUED) <= MONPRO_DEVICE_QUEUE / 2; /* as INTERRUPT.queue */
    return (done && MONPRO_REGS_GET(enabled, INTERRUPT_ENABLE) != 0) ||
           (low && MONPRO_REGS_GET(enabled, INTERRUPT_QUEUE) != 0);
}

static uint64_t mmio_wait(void *context, uint64_t cycles)
{
    const monpro_mmio *mmio = context;
    if (cycles == 0 || line_is_high(mmio)) {
        return 0;
    }
    const uint64_t start = mmio->cycles(mmio->context);
    uint64_t passed;
    bool high;
    do {
        high = line_is_high(mmio);
        passed = mmio->cycles(mmio->context) - start;
    } while (!high && passed < cycles);
    return passed == 0 ? 1 : passed;
}

static void mmio_close(void *context)
{
    monpro_mmio *mmio = context;
    if (mmio->close != NULL) {
        mmio->close(mmio->context);
    }
    free(mmio);
}

monpro_status monpro_mmio_open(monpro_engine **engine, const monpro_mmio *mmio, const char *spec, monpro_error *error)
{
    monpro_mmio *copy = malloc(sizeof *copy);
    if (copy == NULL) {
        if (mmio->close != NULL) {
            mmio->close(mmio->context);
        }
        return monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for the device's transport");
    }
    *copy = *mmio;
    const monpro_transport transport = {mmio_read, mmio_write, mmio_wait, mmio_close, copy};
    return monpro_device_open_dma(engine, &transport, mmio->dma, spec, error);
}
