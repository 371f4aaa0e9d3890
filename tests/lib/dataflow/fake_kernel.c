/* See fake_kernel.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "fake_kernel.h"

#include <stdlib.h>
#include <string.h>

enum { CONSTANT = 1, PAIRS, HELD, PRODUCT, MONTGOMERY, FORMS, MAX_DIGITS = 128 };
enum { OK, BAD_FORM, BAD_DIGITS, BAD_BLOCKS, BAD_SHORT, BAD_LONG, BAD_INVERSE };

void fake_multiply(uint32_t *r, const uint32_t *a, const uint32_t *b, size_t s)
{
    memset(r, 0, 2 * s * sizeof *r);
    for (size_t i = 0; i < s; i++) {
        uint64_t carry = 0;
        for (size_t j = 0; j < s; j++) {
            carry += (uint64_t)a[j] * b[i] + r[i + j];
            r[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        r[i + s] = (uint32_t)carry;
    }
}

void fake_montgomery(uint32_t *r, const uint32_t *a, const uint32_t *b, const uint32_t *n, uint32_t inverse, size_t s)
{
    uint32_t t[2 * MAX_DIGITS + 1] = {0}, reduced[MAX_DIGITS];
    fake_multiply(t, a, b, s);
    for (size_t i = 0; i < s; i++) {
        const uint32_t m = t[i] * inverse;
        uint64_t carry = 0;
        for (size_t j = 0; j < s; j++) {
            carry += (uint64_t)m * n[j] + t[i + j];
            t[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        for (size_t j = i + s; carry != 0 && j <= 2 * s; j++) {
            carry += t[j];
            t[j] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    uint64_t borrow = 0;
    for (size_t j = 0; j < s; j++) {
        const uint64_t u = (uint64_t)t[s + j] - n[j] - borrow;
        reduced[j] = (uint32_t)u;
        borrow = u >> 63;
    }
    memcpy(r, t[2 * s] != 0 || borrow == 0 ? reduced : t + s, s * sizeof *r);
}

static size_t block_beats(const fake_kernel *fake)
{
    return fake->digits * (fake->form == MONTGOMERY ? 2 : 1);
}

/* One beat more at the output: where its words go. */
static uint32_t *give(fake_kernel *fake)
{
    if (fake->out_beats == fake->out_room) {
        fake->out_room = 2 * fake->out_room + 1024;
        fake->out = realloc(fake->out, fake->out_room * 2 * fake->lanes * sizeof *fake->out);
        if (fake->out == NULL) {
            abort();
        }
    }
    uint32_t *words = fake->out + 2 * fake->lanes * fake->out_beats++;
    memset(words, 0, 2 * fake->lanes * sizeof *words);
    return words;
}

static void split(uint32_t *words, uint32_t x, uint32_t y)
{
    words[0] = (uint32_t)((uint64_t)x * y);
    words[1] = (uint32_t)((uint64_t)x * y >> 32);
}

/* The answer of each lane to a whole block. */
static void answer(fake_kernel *fake)
{
    const size_t s = fake->digits, lanes = fake->lanes;
    const size_t rows = fake->form == HELD ? s : 1, first = fake->out_beats;
    for (size_t beat = 0; beat < rows * s; beat++) {
        (void)give(fake);
    }
    for (size_t lane = 0; lane < lanes; lane++) {
        uint32_t x[2 * MAX_DIGITS], y[2 * MAX_DIGITS], r[2 * MAX_DIGITS];
        uint32_t *out = fake->out + 2 * (lanes * first + lane);
        for (size_t j = 0; j < block_beats(fake); j++) {
            x[j] = fake->in[2 * (lanes * j + lane)];
            y[j] = fake->in[2 * (lanes * j + lane) + 1];
        }
        if (fake->form == PRODUCT) {
            fake_multiply(r, x, y, s);
        } else if (fake->form == MONTGOMERY) {
            if (x[s] * y[s] != UINT32_MAX) {
                fake->status = BAD_INVERSE;
            }
            fake_montgomery(r, x, y, x + s, y[s], s);
        }
        for (size_t beat = 0; beat < rows * s; beat++, out += 2 * lanes) {
            const size_t i = beat / s, j = beat % s;
            switch (fake->form) {
            case CONSTANT:
                split(out, x[j], fake->constant[lane]);
                break;
            case PAIRS:
                fake->pairs++;
                split(out, x[j], y[j]);
                break;
            case HELD:
                split(out, x[j], y[i]);
                break;
            case PRODUCT:
                memcpy(out, r + 2 * j, 2 * sizeof *out);
                break;
            default:
                out[0] = r[j];
            }
        }
    }
}

static void end_run(fake_kernel *fake)
{
    if (fake->early && fake->status == OK) {
        fake->out_beats -= fake->digits;
    }
    give(fake)[0] = fake->status != OK ? fake->status : fake->report;
    fake->status_given = true;
    fake->runs++;
}

static void begin_run(fake_kernel *fake, const uint32_t *words, bool last)
{
    fake->digits = words[0] & 0xff;
    fake->form = words[0] >> 8 & 0xf;
    fake->blocks = words[0] >> 12;
    fake->taken = fake->out_first = fake->out_beats = 0;
    fake->in_run = true;
    fake->in_ended = fake->status_given = false;
    fake->status = fake->form == 0 || fake->form >= FORMS ? BAD_FORM
                   : fake->digits == 0 || fake->digits > fake->max_digits ? BAD_DIGITS
                   : fake->blocks == 0 ? BAD_BLOCKS : last ? BAD_SHORT : OK;
    for (size_t lane = 0; lane < fake->lanes; lane++) {
        fake->constant[lane] = words[2 * lane + 1];
    }
}

static void take(fake_kernel *fake, const uint32_t *words, bool last)
{
    if (!fake->in_run) {
        begin_run(fake, words, last);
    } else if (fake->status == OK) {
        const size_t beats = block_beats(fake), all = beats * fake->blocks;
        memcpy(fake->in + 2 * fake->lanes * (fake->taken++ % beats), words, 2 * fake->lanes * sizeof *words);
        if (fake->taken % beats == 0) {
            answer(fake);
        }
        if (fake->status == OK && last != (fake->taken == all)) {
            fake->status = last ? BAD_SHORT : BAD_LONG;
        }
    }
    fake->in_ended = last;
    if (last && !fake->silent) {
        end_run(fake);
    }
}

static void transfer(void *context, monpro_sim_transfer *t)
{
    fake_kernel *fake = context;
    const size_t words = 2 * fake->lanes;
    t->in_done = t->out_done = 0;
    t->out_last = 0;
    for (uint64_t cycle = 0; cycle < t->cycles && !t->out_last; cycle++) {
        const bool offered = t->in_done < t->in_beats;
        if (t->out_done == t->out_beats || (!offered && !t->in_last)) {
            return;
        }
        if (fake->out_first < fake->out_beats) {
            memcpy(t->out + words * t->out_done++, fake->out + words * fake->out_first++, words * sizeof *t->out);
            t->out_last = fake->status_given && fake->out_first == fake->out_beats;
            fake->in_run = !t->out_last;
        } else if (offered && !fake->in_ended) {
            const bool last = t->in_last && t->in_done + 1 == t->in_beats;
            take(fake, t->in + words * t->in_done++, last);
        }
        if (t->out_last) {
            fake->in_ended = false;
        }
        fake->cycles++;
    }
}

static void reset(void *context)
{
    fake_kernel *fake = context;
    fake->in_run = fake->in_ended = fake->status_given = false;
    fake->out_first = fake->out_beats = 0;
    fake->resets++;
}

static uint64_t cycles(void *context)
{
    const fake_kernel *fake = context;
    return fake->cycles;
}

void fake_kernel_free(fake_kernel *fake)
{
    free(fake->in);
    free(fake->out);
    fake->in = fake->out = NULL;
}

static void close_kernel(void *context)
{
    fake_kernel_free(context);
}

monpro_stream fake_kernel_open(fake_kernel *fake, uint32_t lanes, uint32_t max_digits)
{
    *fake = (fake_kernel){.lanes = lanes, .max_digits = max_digits};
    fake->in = calloc((size_t)2 * MAX_DIGITS * 2 * lanes, sizeof *fake->in);
    if (fake->in == NULL) {
        abort();
    }
    return (monpro_stream){lanes, max_digits, transfer, reset, cycles, close_kernel, fake};
}
