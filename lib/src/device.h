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

/* A DMA engine at the device's streams (PARAM_FEATURES.stream), and memory that it reaches. */
typedef struct monpro_dma {
    uint32_t *packets[2]; /* one goes out while the other is filled; packet_words each */
    uint32_t *answer;     /* answer_words */
    size_t packet_words, answer_words;
    /* Begins to send a packet, and to take its answer of at most `room` words. */
    monpro_status (*start)(void *context, const uint32_t *packet, size_t count, uint32_t *answer, size_t room,
                           monpro_error *error);
    /* Waits for the end of the answer, or about `cycles` device clock cycles; *waited: how many have passed. True: it has
     * ended, and *taken words of it are in memory. */
    bool (*wait)(void *context, uint64_t cycles, uint64_t *waited, size_t *taken);
    /* Stops what was started, at its end or before it. */
    void (*stop)(void *context);
    void *context;
} monpro_dma;

/* Identifies the device and opens an engine on it. Takes the transport over, also on an error (closing it). */
monpro_status monpro_device_open(monpro_engine **engine, const monpro_transport *transport, const char *spec,
                                 monpro_error *error);

/* The same, with operations as packets (device_dma.c): registers are used for what is about them. `dma` stays the
 * caller's, and has to stay. UNSUPPORTED: the device has no streams. */
monpro_status monpro_device_open_dma(monpro_engine **engine, const monpro_transport *transport, const monpro_dma *dma,
                                     const char *spec, monpro_error *error);

#endif
