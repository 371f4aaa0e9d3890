/* A board of one's own: the coprocessor's registers, and a DMA engine at its streams, behind a few functions.
 *
 * SPDX-License-Identifier: Apache-2.0
 *
 * monpro_engine_open() reaches simulated designs and Linux's UIO devices. For anything else, fill in a transport and open
 * an engine on it here. The conventions are those of monpro/monpro.h. */
#ifndef MONPRO_TRANSPORT_H
#define MONPRO_TRANSPORT_H

#include <stdbool.h>

#include "monpro/monpro.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a bus access came to: AXI's response codes, and one for none. */
typedef enum monpro_bus {
    MONPRO_BUS_OKAY = 0,
    MONPRO_BUS_EXOKAY = 1,
    MONPRO_BUS_SLVERR = 2,
    MONPRO_BUS_DECERR = 3,
    MONPRO_BUS_HANG = 4
} monpro_bus;

/* Access to the registers. Every function gets `context` as its first argument. */
typedef struct monpro_transport {
    /* Reads the register at a byte address, a multiple of four. */
    monpro_bus (*read)(void *context, uint32_t address, uint32_t *value);
    /* Writes it. */
    monpro_bus (*write)(void *context, uint32_t address, uint32_t value);
    /* Returns when the interrupt line is high, or after about `cycles` clock cycles of the device. The result is how many
     * cycles have passed; it is zero only if the line was high already. */
    uint64_t (*wait)(void *context, uint64_t cycles);
    /* Frees the context. Called once. */
    void (*close)(void *context);
    void *context;
} monpro_transport;

/* A DMA engine at the device's streams (PARAM_FEATURES.stream), and memory that it reaches. */
typedef struct monpro_dma {
    uint32_t *packets[2]; /* packet_words each: one goes out while the other is filled */
    uint32_t *answer;     /* answer_words */
    size_t packet_words, answer_words;
    /* Begins to send a packet, and to take its answer of at most `room` words. */
    monpro_status (*start)(void *context, const uint32_t *packet, size_t count, uint32_t *answer, size_t room,
                           monpro_error *error);
    /* Waits for the end of the answer, or for about `cycles` clock cycles of the device. *waited is how many have passed.
     * True: the answer has ended, and *taken words of it are in memory. */
    bool (*wait)(void *context, uint64_t cycles, uint64_t *waited, size_t *taken);
    /* Stops what was started, at its end or before it. */
    void (*stop)(void *context);
    void *context;
} monpro_dma;

/* Identifies the device and opens an engine on it. `spec` is what monpro_engine_info.spec will say. The engine takes the
 * transport over, and on an error it is closed. */
MONPRO_API monpro_status monpro_device_open(monpro_engine **engine, const monpro_transport *transport, const char *spec,
                                            monpro_error *error);

/* The same, but operations go as packets. Registers serve only what is about the device itself. `dma` stays the caller's,
 * and has to outlive the engine. UNSUPPORTED: the device has no streams. */
MONPRO_API monpro_status monpro_device_open_dma(monpro_engine **engine, const monpro_transport *transport,
                                                const monpro_dma *dma, const char *spec, monpro_error *error);

#ifdef __cplusplus
}
#endif

#endif
