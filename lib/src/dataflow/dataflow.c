/* Runs of the dataflow kernel: feeding and collecting. See dataflow.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dataflow/dataflow.h"

#include <string.h>

#include "base/status.h"
#include "base/wipe.h"

enum {
    MAX_RUN_BLOCKS = (1 << 20) - 1, /* that a header can say */
    IN_WORDS = 4096,
    BEAT_WORDS = 2 * MONPRO_DATAFLOW_MAX_LANES
};
_Static_assert(MONPRO_RING_WORDS >= BEAT_WORDS * MONPRO_DATAFLOW_MAX_DIGITS, "a slot of the ring holds a row");
_Static_assert(IN_WORDS >= BEAT_WORDS * MONPRO_DATAFLOW_MAX_DIGITS, "the buffer holds a row");

/* One packet in and one out. */
typedef struct run {
    monpro_dataflow_place place; /* the row that goes in next */
    size_t rows_in, rows_out;    /* that are still to come */
    size_t beats, sent;          /* in `in`, and of them those that the kernel has taken */
    monpro_ring_slot *slot;      /* being filled, or NULL */
    size_t slot_beats;           /* in it */
    uint32_t status[BEAT_WORDS];
    uint32_t in[BEAT_WORDS + IN_WORDS];
} run;

static void consume(void *context, const uint32_t *words, size_t count)
{
    monpro_dataflow *df = context;
    const size_t row_words = 2 * df->stream.lanes * df->batch->digits;
    for (size_t place = 0; place < count; place += row_words) {
        monpro_dataflow_take(words + place, df->batch, df->stream.lanes, &df->taken);
        monpro_dataflow_next(&df->taken, monpro_dataflow_rows_out(df->batch));
    }
}

void monpro_dataflow_open(monpro_dataflow *df, const monpro_stream *stream)
{
    *df = (monpro_dataflow){.stream = *stream};
}

void monpro_dataflow_close(monpro_dataflow *df)
{
    monpro_dataflow_stop(df);
    df->stream.close(df->stream.context);
    monpro_wipe(df, sizeof *df);
}

monpro_status monpro_dataflow_start(monpro_dataflow *df, monpro_error *error)
{
    df->ring = monpro_ring_start(consume, df, error);
    return df->ring == NULL ? MONPRO_ERR_MEMORY : MONPRO_OK;
}

void monpro_dataflow_stop(monpro_dataflow *df)
{
    monpro_ring_stop(df->ring);
    df->ring = NULL;
}

/* The next rows into the buffer, behind what is there. */
static void refill(const monpro_dataflow *df, run *r)
{
    const size_t s = df->batch->digits, row_words = 2 * df->stream.lanes * s;
    const size_t rows = monpro_dataflow_rows_in(df->batch);
    for (size_t room = IN_WORDS; r->rows_in > 0 && room >= row_words; room -= row_words) {
        monpro_dataflow_fill(r->in + 2 * df->stream.lanes * r->beats, df->batch, df->stream.lanes, &r->place);
        monpro_dataflow_next(&r->place, rows);
        r->beats += s;
        r->rows_in--;
    }
}

/* Hands the rows of the slot over that are whole. */
static void give(monpro_dataflow *df, run *r)
{
    const size_t s = df->batch->digits, rows = r->slot_beats / s;
    r->slot->words = 2 * df->stream.lanes * s * rows;
    r->rows_out -= rows;
    r->slot = NULL;
    r->slot_beats = 0;
    monpro_ring_give(df->ring);
}

/* Clocks the kernel until something has to be done: new beats, a new slot, or the end of its packet, which sets
 * *ended. */
static void move(monpro_dataflow *df, run *r, uint64_t cycles, bool *ended)
{
    const size_t beat_words = 2 * df->stream.lanes, s = df->batch->digits;
    const size_t slot_rows = MONPRO_RING_WORDS / (beat_words * s);
    if (r->sent == r->beats && r->rows_in > 0) {
        r->beats = r->sent = 0;
        refill(df, r);
    }
    if (r->slot == NULL && r->rows_out > 0) {
        r->slot = monpro_ring_take(df->ring);
    }
    const size_t room = s * (r->rows_out < slot_rows ? r->rows_out : slot_rows) - r->slot_beats;
    monpro_sim_transfer transfer = {
        .in = r->in + beat_words * r->sent, .in_beats = r->beats - r->sent, .in_last = r->rows_in == 0,
        .out = r->slot != NULL ? r->slot->data + beat_words * r->slot_beats : r->status,
        .out_beats = r->slot != NULL ? room : 1, .cycles = cycles,
    };
    df->stream.transfer(df->stream.context, &transfer);
    r->sent += transfer.in_done;
    df->beats_in += transfer.in_done;
    df->beats_out += transfer.out_done;
    *ended = transfer.out_last != 0;
    if (r->slot == NULL) {
        return;
    }
    if (*ended) { /* among what should have been rows */
        memcpy(r->status, transfer.out + beat_words * (transfer.out_done - 1), beat_words * sizeof *r->status);
        transfer.out_done--;
    }
    r->slot_beats += transfer.out_done;
    if (transfer.out_done == room || *ended) {
        give(df, r);
    }
}

static monpro_status check(const run *r, monpro_error *error)
{
    static const char *const names[] = {
        "", "an unknown form", "a number of digits that it has not", "no blocks", "a packet that ends too early",
        "a packet that goes on", "an n' that is not -1/n",
    };
    const uint32_t status = r->status[0];
    if (status != 0) {
        return monpro_fail(error, MONPRO_ERR_DEVICE_FAULT, "the kernel reports status %u: %s", (unsigned)status,
                           status < sizeof names / sizeof *names ? names[status] : "unknown");
    }
    if (r->rows_out != 0 || r->sent != r->beats) {
        return monpro_fail(error, MONPRO_ERR_DEVICE_FAULT, "the kernel ended %u rows early", (unsigned)r->rows_out);
    }
    return MONPRO_OK;
}

/* One run over so many blocks of each lane, or form a and b: one row of them. */
static monpro_status run_packet(monpro_dataflow *df, run *r, size_t blocks, monpro_error *error)
{
    const monpro_dataflow_batch *batch = df->batch;
    const bool one_row = batch->form <= MONPRO_DATAFLOW_B;
    const uint64_t s = batch->digits, start = df->stream.cycles(df->stream.context);
    /* Far more than any form takes, work and beats together. */
    const uint64_t limit = 4096 + 4 * (blocks + 16) * (4 * s * s + 8 * s + 8);
    bool ended = false;
    r->rows_in = one_row ? 1 : blocks * monpro_dataflow_rows_in(batch);
    r->rows_out = one_row ? 1 : blocks * monpro_dataflow_rows_out(batch);
    r->sent = 0;
    r->beats = 1;
    monpro_dataflow_header(r->in, batch, df->stream.lanes, &r->place, blocks);
    refill(df, r);
    uint64_t spent = 0;
    while (!ended && spent < limit) {
        move(df, r, limit - spent, &ended);
        spent = df->stream.cycles(df->stream.context) - start;
    }
    if (r->slot != NULL) { /* it took too long */
        give(df, r);
    }
    df->cycles += spent;
    df->runs++;
    return ended ? check(r, error)
                 : monpro_fail(error, MONPRO_ERR_DEVICE_TIMEOUT, "the kernel has not ended a run of %u blocks",
                               (unsigned)blocks);
}

monpro_status monpro_dataflow_run(monpro_dataflow *df, const monpro_dataflow_batch *batch, monpro_error *error)
{
    const size_t lanes = df->stream.lanes, all = (batch->blocks + lanes - 1) / lanes;
    const bool one_row = batch->form <= MONPRO_DATAFLOW_B;
    const size_t most = batch->form == MONPRO_DATAFLOW_C ? MAX_RUN_BLOCKS / batch->digits : MAX_RUN_BLOCKS;
    run r;
    monpro_status status = MONPRO_OK;
    if (batch->digits == 0 || batch->digits > df->stream.max_digits) {
        return monpro_fail(error, MONPRO_ERR_MODULUS_LONG, "%u digits; the kernel takes 1 to %u",
                           (unsigned)batch->digits, (unsigned)df->stream.max_digits);
    }
    memset(&r, 0, sizeof r);
    df->batch = batch;
    df->taken = (monpro_dataflow_place){0, 0};
    while (r.place.block < all && status == MONPRO_OK) {
        const size_t left = all - r.place.block;
        status = run_packet(df, &r, one_row ? 1 : left < most ? left : most, error);
    }
    monpro_ring_drain(df->ring);
    if (status != MONPRO_OK) {
        df->stream.reset(df->stream.context);
    }
    monpro_wipe(&r, sizeof r);
    return status;
}
