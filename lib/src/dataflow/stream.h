/* A stream kernel, however it is reached: beats in, beats out, and a clock that counts.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_STREAM_H
#define MONPRO_STREAM_H

#include "monpro_sim_stream.h"

typedef struct monpro_stream {
    uint32_t lanes;
    uint32_t max_digits;
    /* As monpro_sim_stream_transfer(). */
    void (*transfer)(void *context, monpro_sim_transfer *transfer);
    void (*reset)(void *context);
    uint64_t (*cycles)(void *context);
    void (*close)(void *context);
    void *context;
} monpro_stream;

#endif
