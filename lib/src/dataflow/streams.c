/* The streams of the dataflow kernel, row by row, and the carries of what comes out. See dataflow.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "dataflow/dataflow.h"

/* The kernel's own forms, in a header; the paper's a and b are one, and its c is pairs of any kind. */
static const uint32_t codes[] = {
    [MONPRO_DATAFLOW_A] = 1, [MONPRO_DATAFLOW_B] = 1, [MONPRO_DATAFLOW_C] = 2,
    [MONPRO_DATAFLOW_D] = 3, [MONPRO_DATAFLOW_E] = 4, [MONPRO_DATAFLOW_F] = 5,
};

size_t monpro_dataflow_rows_in(const monpro_dataflow_batch *batch)
{
    switch (batch->form) {
    case MONPRO_DATAFLOW_A:
    case MONPRO_DATAFLOW_B:
    case MONPRO_DATAFLOW_C:
        return batch->digits;
    case MONPRO_DATAFLOW_D:
    case MONPRO_DATAFLOW_E:
        return 1;
    default:
        return 2;
    }
}

size_t monpro_dataflow_rows_out(const monpro_dataflow_batch *batch)
{
    return batch->form < MONPRO_DATAFLOW_E ? batch->digits : 1;
}

void monpro_dataflow_header(uint32_t *words, const monpro_dataflow_batch *batch, uint32_t lanes,
                            const monpro_dataflow_place *place, size_t blocks)
{
    const bool constant = codes[batch->form] == 1;
    /* For pairs a block of the kernel is a row of ours: only their number counts. */
    const size_t count = batch->form == MONPRO_DATAFLOW_C ? blocks * batch->digits : blocks;
    memset(words, 0, 2 * lanes * sizeof *words);
    words[0] = (uint32_t)batch->digits | codes[batch->form] << 8 | (uint32_t)count << 12;
    for (size_t lane = 0; constant && lane < lanes; lane++) {
        const size_t block = place->block * lanes + lane;
        words[2 * lane + 1] = block < batch->blocks ? batch->b[block][place->row] : 0;
    }
}

/* One lane of a row: low words from `low`, high words from `high`, or all of them `constant`. NULL: zeros. */
static void fill_lane(uint32_t *words, size_t step, size_t digits, const uint32_t *low, const uint32_t *high,
                      uint32_t constant)
{
    for (size_t j = 0; j < digits; j++) {
        words[j * step] = low != NULL ? low[j] : 0;
        words[j * step + 1] = high != NULL ? high[j] : constant;
    }
}

void monpro_dataflow_fill(uint32_t *words, const monpro_dataflow_batch *batch, uint32_t lanes,
                          const monpro_dataflow_place *place)
{
    const size_t s = batch->digits, step = 2 * lanes;
    for (size_t lane = 0; lane < lanes; lane++, words += 2) {
        const size_t block = place->block * lanes + lane;
        const bool padding = block >= batch->blocks;
        /* Form f checks n and its inverse. So padding repeats those of the last block, and multiplies zeros by zeros. */
        const size_t of = padding ? batch->blocks - 1 : block;
        switch (batch->form) {
        case MONPRO_DATAFLOW_A:
        case MONPRO_DATAFLOW_B:
            fill_lane(words, step, s, padding ? NULL : batch->a[of], NULL, 0);
            break;
        case MONPRO_DATAFLOW_C:
            fill_lane(words, step, s, padding ? NULL : batch->a[of], NULL, padding ? 0 : batch->b[of][place->row]);
            break;
        default:
            if (place->row == 0) {
                fill_lane(words, step, s, padding ? NULL : batch->a[of], padding ? NULL : batch->b[of], 0);
            } else {
                fill_lane(words, step, s, batch->n[of], NULL, batch->inverse[of]);
            }
        }
    }
}

/* Row i of a product; t has rows 0 to i - 1: t[i..i+s] += a * b_i, from the halves of a_j * b_i. The high half goes into
 * the next column together with the carry. It fits, because t_j + a_j * b_i + carry < W^2. */
static void add_row(uint32_t *t, size_t row, size_t s, const uint32_t *words, size_t step)
{
    uint64_t carry = 0;
    if (row == 0) {
        memset(t, 0, s * sizeof *t);
    }
    for (size_t j = 0; j < s; j++) {
        const uint64_t u = (uint64_t)t[row + j] + words[j * step] + carry;
        t[row + j] = (uint32_t)u;
        carry = (u >> 32) + words[j * step + 1];
    }
    t[row + s] = (uint32_t)carry;
}

void monpro_dataflow_take(const uint32_t *words, const monpro_dataflow_batch *batch, uint32_t lanes,
                          const monpro_dataflow_place *place)
{
    const size_t s = batch->digits, step = 2 * lanes;
    for (size_t lane = 0; lane < lanes; lane++, words += 2) {
        const size_t block = place->block * lanes + lane;
        if (block >= batch->blocks) {
            return;
        }
        uint32_t *t = batch->product[block];
        switch (batch->form) {
        case MONPRO_DATAFLOW_E:
            for (size_t j = 0; j < s; j++) {
                t[2 * j] = words[j * step];
                t[2 * j + 1] = words[j * step + 1];
            }
            break;
        case MONPRO_DATAFLOW_F:
            for (size_t j = 0; j < s; j++) {
                t[j] = words[j * step];
            }
            break;
        default:
            add_row(t, place->row, s, words, step);
        }
        if (batch->finished != NULL && place->row + 1 == monpro_dataflow_rows_out(batch)) {
            batch->finished(batch->context, block);
        }
    }
}
