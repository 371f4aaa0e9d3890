/* The ring between two threads. See dataflow/ring.h.
 *
 * Slots change hands under the mutex, so what one thread has written the other reads. The words themselves are touched
 * by one thread at a time and need no lock.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L

#include "dataflow/ring.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/status.h"
#include "base/wipe.h"

static void *work(void *argument)
{
    monpro_ring *ring = argument;
    (void)pthread_mutex_lock(&ring->mutex);
    for (;;) {
        while (ring->filled == ring->emptied && !ring->stop) {
            (void)pthread_cond_wait(&ring->changed, &ring->mutex);
        }
        if (ring->filled == ring->emptied) {
            break;
        }
        const monpro_ring_slot *slot = &ring->slots[ring->emptied % MONPRO_RING_SLOTS];
        (void)pthread_mutex_unlock(&ring->mutex);
        ring->consume(ring->context, slot->data, slot->words);
        (void)pthread_mutex_lock(&ring->mutex);
        ring->emptied++;
        (void)pthread_cond_broadcast(&ring->changed);
    }
    (void)pthread_mutex_unlock(&ring->mutex);
    return NULL;
}

monpro_ring *monpro_ring_start(void (*consume)(void *context, const uint32_t *words, size_t count), void *context,
                               monpro_error *error)
{
    monpro_ring *ring = calloc(1, sizeof *ring);
    if (ring == NULL) {
        (void)monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for a ring");
        return NULL;
    }
    ring->consume = consume;
    ring->context = context;
    (void)pthread_mutex_init(&ring->mutex, NULL); /* with these attributes neither fails where POSIX threads are */
    (void)pthread_cond_init(&ring->changed, NULL);
    /* The thread inherits the mask: the caller's handlers never run on a thread that the caller does not know. */
    sigset_t all, before;
    (void)sigfillset(&all);
    const bool masked = pthread_sigmask(SIG_SETMASK, &all, &before) == 0;
    const bool started = pthread_create(&ring->thread, NULL, work, ring) == 0;
    if (masked) {
        (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
    if (!started) {
        (void)pthread_cond_destroy(&ring->changed);
        (void)pthread_mutex_destroy(&ring->mutex);
        free(ring);
        (void)monpro_fail(error, MONPRO_ERR_MEMORY, "the system gives no thread for the carries");
        return NULL;
    }
    return ring;
}

monpro_ring_slot *monpro_ring_take(monpro_ring *ring)
{
    (void)pthread_mutex_lock(&ring->mutex);
    while (ring->filled - ring->emptied == MONPRO_RING_SLOTS) {
        (void)pthread_cond_wait(&ring->changed, &ring->mutex);
    }
    (void)pthread_mutex_unlock(&ring->mutex);
    monpro_ring_slot *slot = &ring->slots[ring->filled % MONPRO_RING_SLOTS];
    slot->words = 0;
    return slot;
}

void monpro_ring_give(monpro_ring *ring)
{
    (void)pthread_mutex_lock(&ring->mutex);
    ring->filled++;
    (void)pthread_cond_broadcast(&ring->changed);
    (void)pthread_mutex_unlock(&ring->mutex);
}

void monpro_ring_drain(monpro_ring *ring)
{
    (void)pthread_mutex_lock(&ring->mutex);
    while (ring->filled != ring->emptied) {
        (void)pthread_cond_wait(&ring->changed, &ring->mutex);
    }
    (void)pthread_mutex_unlock(&ring->mutex);
}

void monpro_ring_stop(monpro_ring *ring)
{
    if (ring == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&ring->mutex);
    ring->stop = true;
    (void)pthread_cond_broadcast(&ring->changed);
    (void)pthread_mutex_unlock(&ring->mutex);
    (void)pthread_join(ring->thread, NULL);
    (void)pthread_cond_destroy(&ring->changed);
    (void)pthread_mutex_destroy(&ring->mutex);
    monpro_wipe(ring, sizeof *ring);
    free(ring);
}
