/* The specification of an engine `gather`: its own parameters, and the engine inside.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_GATHER_POSIX_SPEC_H
#define MONPRO_GATHER_POSIX_SPEC_H

#include "monpro/monpro.h"

typedef struct monpro_gather_spec {
    char inner[256];
    size_t most;      /* jobs of a batch */
    uint64_t wait_us; /* that a leader waits at most */
} monpro_gather_spec;

/* Takes the parameters of this engine out of what follows "gather:"; what is left is the engine inside. `into` is zero
 * before. */
monpro_status monpro_gather_parse(monpro_gather_spec *into, const char *spec, monpro_error *error);

#endif
