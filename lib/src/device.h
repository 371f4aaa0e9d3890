/* The driver of the coprocessor: one register protocol (regs/monpro.rdl) over any transport. */
#ifndef MONPRO_DEVICE_H
#define MONPRO_DEVICE_H

#include "engine.h"

#define MONPRO_DEVICE_QUEUE 8u /* products that wait in a device with entries: STATUS.queued */

/* What a bus access came to: AXI's response codes, and one for none. */
typedef enum monpro_bus {
    MONPRO_BUS_OKAY = 0,
    MONPRO_BUS_EXOKAY = 1,
    MONPRO_BUS_SLVERR = 2,
    MONPRO_BUS_DECERR = 3,
    MONPRO_BUS_HANG = 4
} monpro_bus;

typedef struct monpro_transport {
    monpro_bus (*read)(void *context, uint32_t address, uint32_t *value);
    monpro_bus (*write)(void *context, uint32_t address, uint32_t value);
    /* Returns when the interrupt line is high or about `cycles` device clock cycles have passed; returns how many have.
     * Zero only if the line is high already. */
    uint64_t (*wait)(void *context, uint64_t cycles);
    void (*close)(void *context);
    void *context;
} monpro_transport;

/* Identifies the device and opens an engine on it. Takes the transport over, also on an error (closing it). */
monpro_status monpro_device_open(monpro_engine **engine, const monpro_transport *transport, const char *spec,
                                 monpro_error *error);

#endif
