/* Raw RSA: one implementation behind the calls of rsa/calls.c.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_RSA_RAW_H
#define MONPRO_RSA_RAW_H

#include <stdbool.h>

#include "engine/shared.h"
#include "monpro/monpro.h"

/* What one job of a batch spent: all of it, and the part that was the check. */
typedef struct monpro_rsa_spent {
    monpro_counters all, check;
} monpro_rsa_spent;

/* Does a batch, as monpro_rsa_private_batch() and monpro_rsa_public_batch() have it. all_or_none: a batch in which a
 * job is refused is not begun, and of one that fails no counters are given; what to do with the results of the others
 * is the caller's. `each`, which may be NULL, gets what each job spent; an engine of many threads does not fill it in. */
monpro_status monpro_rsa_run(monpro_engine *engine, monpro_rsa_job *jobs, size_t count, bool is_private,
                             bool all_or_none, const monpro_rsa_options *options, monpro_rsa_spent *each,
                             monpro_error *error);

/* Ends a job with an error; its output is zero. */
void monpro_rsa_refuse(monpro_rsa_job *job, monpro_status status);

/* A batch as an engine of many threads takes it. */
monpro_work monpro_rsa_work(monpro_rsa_job *jobs, size_t count, bool is_private, bool all_or_none,
                            const monpro_rsa_options *options);

#endif
