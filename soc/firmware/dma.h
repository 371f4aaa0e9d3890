/* LiteX's DMA between memory and the coprocessor's streams.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_FIRMWARE_DMA_H
#define MONPRO_FIRMWARE_DMA_H

#include <stddef.h>

#include "monpro/transport.h"

/* The engine for the library's driver: its buffers are here. */
extern const monpro_dma dma_engine;

/* A packet to the coprocessor, and its answer into memory; *taken: the words that came. Buffers are whole words in RAM.
 * Errors: ARGUMENT: a buffer not aligned or not in RAM, or a length of 0 or more than a packet has. DEVICE_TIMEOUT: the
 * answer did not end within so many cycles: both streams are flushed, and the coprocessor keeps what it holds. */
monpro_status dma_exchange(const uint32_t *packet, size_t count, uint32_t *answer, size_t room, size_t *taken,
                           uint64_t timeout_cycles, monpro_error *error);

#endif
