/* A group of operations, spread over lanes and threads.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_LANES_SCHEDULE_H
#define MONPRO_LANES_SCHEDULE_H

#include "engine/engine.h"
#include "lanes/lanes.h"

enum { MONPRO_LANES_THREADS = 64 };

/* What one thread works in. */
typedef struct monpro_lanes_worker {
    void *memory; /* of the kernels, aligned */
    monpro_limb last_modulus[MONPRO_MAX_LIMBS], last_power[MONPRO_MAX_LIMBS];
    size_t last_bits, last_exponent; /* last_power is 2^last_exponent mod last_modulus; gone at the end of a call */
    monpro_mont modulus;
    monpro_limb table[MONPRO_MAX_LIMBS << MONPRO_MAX_WINDOW];
} monpro_lanes_worker;

typedef struct monpro_lanes {
    const monpro_lanes_kernel *kernels[2]; /* of the same lanes; NULL: none */
    size_t least;                          /* fewer operations of a kind than these go one by one */
    const monpro_lanes_kernel *wide;       /* or, if it takes the modulus, in this one's lanes; NULL: none */
    size_t threads;
    monpro_lanes_worker *workers;          /* as many */
    void *memory;                          /* theirs, in one */
    size_t memory_size;
} monpro_lanes;

/* The kernel for a modulus: of fewest digits. NULL: none takes it. */
const monpro_lanes_kernel *monpro_lanes_choose(const monpro_lanes *lanes, size_t bits);

/* Does operations to their ends. */
void monpro_lanes_run(const monpro_lanes *lanes, const monpro_operation *operations, size_t count);

#endif
