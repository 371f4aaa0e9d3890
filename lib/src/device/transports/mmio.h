/* The transport to a coprocessor whose registers are mapped into memory: on bare metal, or by an operating system.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_DEVICE_MMIO_H
#define MONPRO_DEVICE_MMIO_H

#include <stdbool.h>

#include "monpro/transport.h"

/* What the platform says of it. Every function gets `context`. */
typedef struct monpro_mmio {
    volatile uint32_t *registers;
    uint32_t size; /* bytes that are mapped: what lies beyond answers DECERR, and no access is made */
    /* The device's clock cycles since some moment, or about as many. */
    uint64_t (*cycles)(void *context);
    /* Whether the interrupt line is high. NULL: it is worked out from STATUS and INTERRUPT, over the bus. */
    bool (*interrupt)(void *context);
    /* Whether an access has failed since this was asked before. NULL: the platform has no way to know. */
    bool (*bus_error)(void *context);
    /* When the device is closed. May be NULL. */
    void (*close)(void *context);
    void *context;
    const monpro_dma *dma; /* at the device's streams: operations go by it. NULL: over the registers */
} monpro_mmio;

/* Opens an engine on the device. Takes the platform over, also on an error (closing it). */
monpro_status monpro_mmio_open(monpro_engine **engine, const monpro_mmio *mmio, const char *spec, monpro_error *error);

#endif
