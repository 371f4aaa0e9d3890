/* A bounded ring between the thread that drives a kernel and the thread that resolves carries. It has slots of words,
 * filled and emptied in order. A full ring makes the first thread wait, an empty ring the second.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_DATAFLOW_RING_H
#define MONPRO_DATAFLOW_RING_H

#include <pthread.h>
#include <stdbool.h>

#include "monpro/monpro.h"

enum { MONPRO_RING_SLOTS = 8, MONPRO_RING_WORDS = 4096 };

typedef struct monpro_ring_slot {
    size_t words; /* in use */
    uint32_t data[MONPRO_RING_WORDS];
} monpro_ring_slot;

typedef struct monpro_ring {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    pthread_t thread;
    /* What the thread does with each slot, in order. */
    void (*consume)(void *context, const uint32_t *words, size_t count);
    void *context;
    uint64_t filled, emptied; /* slots, since the start */
    bool stop;
    monpro_ring_slot slots[MONPRO_RING_SLOTS];
} monpro_ring;

/* A ring with its thread, or NULL with an error. */
monpro_ring *monpro_ring_start(void (*consume)(void *context, const uint32_t *words, size_t count), void *context,
                               monpro_error *error);

/* The next slot to fill: waits until there is one. */
monpro_ring_slot *monpro_ring_take(monpro_ring *ring);

/* Hands over the slot that was taken. */
void monpro_ring_give(monpro_ring *ring);

/* Waits until every slot that was handed over has been consumed. */
void monpro_ring_drain(monpro_ring *ring);

/* Ends the thread after what was handed over; wipes and frees. NULL is accepted. */
void monpro_ring_stop(monpro_ring *ring);

#endif
