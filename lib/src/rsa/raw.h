/* Raw RSA: one implementation behind the calls of rsa/calls.c.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_RSA_RAW_H
#define MONPRO_RSA_RAW_H

#include <stdbool.h>

#include "monpro/monpro.h"

/* Does a batch, as monpro_rsa_private_batch() and monpro_rsa_public_batch() have it. all_or_none: a batch in which a
 * job is refused is not begun, and of one that fails no counters are given; what to do with the results of the others
 * is the caller's. */
monpro_status monpro_rsa_run(monpro_engine *engine, monpro_rsa_job *jobs, size_t count, bool is_private,
                             bool all_or_none, const monpro_rsa_options *options, monpro_error *error);

#endif
