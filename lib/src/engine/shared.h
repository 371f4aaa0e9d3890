/* An engine that many threads use at once. It takes whole calls, and has a lock of its own.
 *
 * Such an engine stands over the queue of engine/engine.c, not under it: each public call reaches it as a monpro_work.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_ENGINE_SHARED_H
#define MONPRO_ENGINE_SHARED_H

#include <stdbool.h>

#include "monpro/monpro.h"

typedef enum monpro_work_kind { MONPRO_WORK_POWERS, MONPRO_WORK_PRIVATE, MONPRO_WORK_PUBLIC } monpro_work_kind;

/* The jobs of one call. They are the caller's, and stay until the work has finished. */
typedef struct monpro_work {
    monpro_work_kind kind;
    monpro_job *powers;     /* of MONPRO_WORK_POWERS */
    monpro_rsa_job *blocks; /* of the others */
    size_t count;           /* not 0 */
    bool all_or_none;       /* the first block that fails fails the call; the caller wipes the others */
    int no_crt, no_blinding;
    monpro_counters *counters, *check_counters; /* out, may be NULL; of blocks only */
} monpro_work;

/* Each function may be called by any thread at any time. Only close() wants to be the last call. */
typedef struct monpro_shared_ops {
    /* Does the work to its end. The status and the error are those of the first job that failed. */
    monpro_status (*run)(void *state, const monpro_work *work, monpro_error *error);
    /* The same in two steps, as monpro_rsa_private_submit() has it. */
    monpro_status (*submit)(void *state, const monpro_work *work, int descriptor, monpro_ticket *ticket,
                            monpro_error *error);
    monpro_status (*poll)(void *state, monpro_ticket ticket, int *finished);
    monpro_status (*wait)(void *state, monpro_ticket ticket, monpro_error *error);
    void (*counters)(void *state, monpro_counters *counters);
    void (*gathering)(void *state, monpro_gathering *gathering);
    void (*close)(void *state);
} monpro_shared_ops;

/* Takes `state` over, also on an error (closing it). */
monpro_status monpro_shared_create(monpro_engine **engine, const monpro_shared_ops *ops, void *state,
                                   const monpro_engine_info *info, monpro_error *error);

/* The functions of a shared engine, and its state. NULL: the engine is not one. */
const monpro_shared_ops *monpro_engine_shared(const monpro_engine *engine, void **state);

#endif
