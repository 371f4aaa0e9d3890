/* A batch of requests of one kind, and how it is done on the engine inside.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_GATHER_BATCH_H
#define MONPRO_GATHER_BATCH_H

#include "engine/shared.h"
#include "rsa/raw.h"

/* What one call asked for, and how it went. */
typedef struct monpro_asked {
    struct monpro_asked *next; /* in the batch */
    monpro_work work;
    monpro_status status;
    monpro_error error;
} monpro_asked;

/* Room for the jobs of a batch, `most` of each. */
typedef struct monpro_batch_room {
    size_t most;
    monpro_job *powers;
    monpro_rsa_job *blocks;
    monpro_rsa_spent *spent;
} monpro_batch_room;

/* Whether two requests can be in one batch. */
bool monpro_asked_fit(const monpro_asked *a, const monpro_asked *b);

/* Does the requests of a batch, which all fit the first. If there are more than one, they have `most` jobs at most. */
void monpro_batch_run(monpro_engine *inner, const monpro_batch_room *room, monpro_asked *first);

#endif
