/* Host side of the dataflow kernel (rtl/dataflow/, docs/designs/dataflow.md): batches of products as streams.
 *
 * Numbers have s digits of 32 bits, least significant first; W = 2^32. A batch has a number of blocks, which are
 * products that are independent of each other. With L lanes, block k is number k / L of lane k mod L. If the blocks do
 * not come out even, the last lanes get zeros. What each form leaves to whom:
 *
 *     form  runs              in, a block              out, a block         host
 *     a, b  s for each block  s digits, constant apart s^2 products         carries
 *     c     one               s^2 pairs                s^2 products         carries
 *     d     one               s digits of a and b      s^2 products         carries
 *     e     one               s digits of a and b      2s digits of a * b   nothing
 *     f     one               s of a, b; s of n        a * b / W^s mod n    nothing
 *
 * Form a has one block, form b many; here that is the number of blocks in a batch. A run is one packet into the kernel
 * and one out. A header can say only so many blocks: a batch of more takes several runs.
 *
 * The thread that runs a batch makes the streams and clocks the kernel. A second thread takes the results through a
 * bounded ring and resolves carries. It then does with a whole product what the caller asks for, while the kernel goes
 * on.
 *
 * Constant time: everything, in all but the counts of digits and blocks.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_DATAFLOW_H
#define MONPRO_DATAFLOW_H

#include "dataflow/ring.h"
#include "dataflow/stream.h"

enum { MONPRO_DATAFLOW_MAX_LANES = 8, MONPRO_DATAFLOW_MAX_DIGITS = 128 };

typedef enum monpro_dataflow_form {
    MONPRO_DATAFLOW_A = 0,
    MONPRO_DATAFLOW_B = 1,
    MONPRO_DATAFLOW_C = 2,
    MONPRO_DATAFLOW_D = 3,
    MONPRO_DATAFLOW_E = 4,
    MONPRO_DATAFLOW_F = 5
} monpro_dataflow_form;

typedef struct monpro_dataflow_batch {
    monpro_dataflow_form form;
    size_t digits;
    size_t blocks;
    const uint32_t *const *a; /* of each block */
    const uint32_t *const *b;
    const uint32_t *const *n; /* form f: odd, a and b below it */
    const uint32_t *inverse;  /* form f: -1/n modulo W */
    uint32_t *const *product; /* 2s digits of a * b; form f: s digits. No product is a factor of another block */
    /* When a block's product is whole, by the second thread; may be NULL. */
    void (*finished)(void *context, size_t block);
    void *context;
} monpro_dataflow_batch;

/* Where in a batch a stream is: of every lane the same block and row. */
typedef struct monpro_dataflow_place {
    size_t block; /* in its lane */
    size_t row;
} monpro_dataflow_place;

typedef struct monpro_dataflow {
    monpro_stream stream;
    const monpro_dataflow_batch *batch;
    monpro_ring *ring;             /* while it is started */
    monpro_dataflow_place taken;   /* the row that comes out next; the second thread's */
    uint64_t cycles;               /* in runs, since it was opened */
    uint64_t runs, beats_in, beats_out;
} monpro_dataflow;

/* Takes the stream over. */
void monpro_dataflow_open(monpro_dataflow *df, const monpro_stream *stream);
void monpro_dataflow_close(monpro_dataflow *df);

/* Starts and stops the second thread; batches run in between. */
monpro_status monpro_dataflow_start(monpro_dataflow *df, monpro_error *error);
void monpro_dataflow_stop(monpro_dataflow *df);

/* Runs a batch; when it returns, every block is finished. An error leaves products that mean nothing, and a kernel that
 * was reset. */
monpro_status monpro_dataflow_run(monpro_dataflow *df, const monpro_dataflow_batch *batch, monpro_error *error);

/* ---- the streams: dataflow/streams.c ------------------------------------------------------------------------- */

/* Rows, of s beats each, that a block has at the kernel's input and output. */
size_t monpro_dataflow_rows_in(const monpro_dataflow_batch *batch);
size_t monpro_dataflow_rows_out(const monpro_dataflow_batch *batch);

/* The header beat of a run with `blocks` blocks in each lane. The first block is at `place`. */
void monpro_dataflow_header(uint32_t *words, const monpro_dataflow_batch *batch, uint32_t lanes,
                            const monpro_dataflow_place *place, size_t blocks);

/* The beats of one row at that place, 2 * s * lanes words. */
void monpro_dataflow_fill(uint32_t *words, const monpro_dataflow_batch *batch, uint32_t lanes,
                          const monpro_dataflow_place *place);

/* Takes one row that came out: products into carries, or digits as they are. */
void monpro_dataflow_take(const uint32_t *words, const monpro_dataflow_batch *batch, uint32_t lanes,
                          const monpro_dataflow_place *place);

/* On to the next row of so many of a block. */
static inline void monpro_dataflow_next(monpro_dataflow_place *place, size_t rows)
{
    if (++place->row == rows) {
        place->row = 0;
        place->block++;
    }
}

#endif
