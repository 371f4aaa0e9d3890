/* A stream kernel in C, for tests of its host side. It takes the packets of docs/designs/dataflow.md, beat by beat, and
 * gives exact answers and errors. Its clock counts beats: in each cycle it takes a beat, and gives one if it has one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_FAKE_KERNEL_H
#define MONPRO_FAKE_KERNEL_H

#include <stdbool.h>

#include "dataflow/stream.h"

typedef struct fake_kernel {
    uint32_t lanes, max_digits;
    /* What it is made to do wrong. */
    uint32_t report;     /* this status at the end of a run, instead of OK */
    bool silent;         /* it never ends a run */
    bool early;          /* it ends a run after one row less */
    /* What it has seen. */
    uint64_t cycles, runs, resets, pairs;
    /* The run under way. */
    bool in_run, in_ended;
    uint32_t digits, form, blocks, status;
    uint32_t constant[8];
    size_t taken;        /* data beats */
    uint32_t *in;        /* those of the block at hand */
    uint32_t *out;       /* beats that wait to be taken, the status among them */
    size_t out_first, out_beats, out_room;
    bool status_given;   /* it is the last of them */
} fake_kernel;

monpro_stream fake_kernel_open(fake_kernel *fake, uint32_t lanes, uint32_t max_digits);

/* Its memory; monpro_stream's close() does it too, and both may be called. */
void fake_kernel_free(fake_kernel *fake);

/* r = a * b, and r = a * b / W^s mod n, digit by digit. */
void fake_multiply(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t s);
void fake_montgomery(uint32_t *r, const uint32_t *a, const uint32_t *b, const uint32_t *n, uint32_t inverse, size_t s);

#endif
