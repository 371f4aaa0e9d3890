/* The engine over a dataflow kernel: exponentiations of a batch side by side, as blocks.
 *
 * Each exponentiation is the same stream of products and choices (products.h). So each block has one product in every
 * step, and all of these go through the kernel together. The kernel makes a * b. The second thread does the reduction
 * here, as soon as a product is whole. With form f the kernel makes the whole Montgomery product. Choices are made
 * here.
 *
 * Blocks go together if they have the same number of digits and the same steps. Secret exponents have the same steps if
 * they are equally long, public exponents if they are equal. Moduli may differ. R = W^s with the digits of all limbs,
 * as in montgomery.h, so constants from there serve both ways.
 *
 * Constant time: in everything but the lengths of secret exponents, bases and moduli.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "dataflow/engine.h"

#include <stdlib.h>
#include <string.h>

#include "base/secret.h"
#include "base/status.h"
#include "base/wipe.h"
#include "device/products.h"
#include "engine/schemes.h"

enum {
    DIGIT_BITS = 32,
    LIMB_DIGITS = MONPRO_LIMB_BITS / DIGIT_BITS,
    MAX_DIGITS = MONPRO_MAX_LIMBS * LIMB_DIGITS,
    MIN_BITS = 32,
    /* A fixed window's table is the largest; the memory of a group is as large as its window asks for. */
    MAX_ENTRIES = MONPRO_ENTRY_TABLE + (1 << MONPRO_MAX_WINDOW)
};
_Static_assert((int)MAX_DIGITS <= (int)MONPRO_DATAFLOW_MAX_DIGITS, "the longest numbers fit a row");

typedef struct block {
    monpro_mont mont;
    monpro_products steps;
    monpro_product step;            /* at hand */
    uint32_t modulus[MAX_DIGITS];
    uint32_t product[2 * MAX_DIGITS];
} block;

/* A group of operations under way. */
typedef struct group {
    size_t count, digits, entries;
    block *blocks;
    uint32_t *numbers; /* entries of every block */
    const uint32_t *a[MONPRO_MAX_GROUP], *b[MONPRO_MAX_GROUP], *n[MONPRO_MAX_GROUP];
    uint32_t *product[MONPRO_MAX_GROUP], *to[MONPRO_MAX_GROUP];
    uint32_t inverse[MONPRO_MAX_GROUP];
} group;

typedef struct engine_state {
    monpro_dataflow kernel;
    monpro_dataflow_form form;
} engine_state;

/* ---- numbers ------------------------------------------------------------------------------------------------- */

static void to_digits(uint32_t *digits, const monpro_limb *limbs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        digits[i] = (uint32_t)(limbs[i / LIMB_DIGITS] >> (i % LIMB_DIGITS * DIGIT_BITS));
    }
}

static void to_limbs(monpro_limb *limbs, const uint32_t *digits, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        limbs[i / LIMB_DIGITS] = (i % LIMB_DIGITS != 0 ? limbs[i / LIMB_DIGITS] : 0) |
                                 (monpro_limb)digits[i] << (i % LIMB_DIGITS * DIGIT_BITS);
    }
}

static uint32_t *entry(const group *g, size_t index, size_t number)
{
    return g->numbers + (index * g->entries + number) * g->digits;
}

/* Steps 2 and 3 of a Montgomery product, of a block whose a * b is whole. */
static void reduce(void *context, size_t index)
{
    const group *g = context;
    const block *own = &g->blocks[index];
    monpro_limb t[2 * MONPRO_MAX_LIMBS], r[MONPRO_MAX_LIMBS];
    to_limbs(t, own->product, 2 * g->digits);
    monpro_mont_redc(r, t, &own->mont);
    to_digits(g->to[index], r, g->digits);
    monpro_wipe(t, sizeof t);
    monpro_wipe(r, sizeof r);
}

/* entry[to] = first ? entry[x] : entry[y]. */
static void choose(const group *g, size_t index, const monpro_product *step)
{
    const uint32_t mask = (uint32_t)monpro_barrier(0 - (uint64_t)step->first);
    const uint32_t *x = entry(g, index, step->x), *y = entry(g, index, step->y);
    uint32_t *to = entry(g, index, step->to);
    for (size_t i = 0; i < g->digits; i++) {
        to[i] = y[i] ^ (mask & (x[i] ^ y[i]));
    }
}

/* ---- a group ------------------------------------------------------------------------------------------------- */

static bool fits(const monpro_operation *first, const monpro_operation *other)
{
    return monpro_limbs_for_bits(other->modulus_bits) == monpro_limbs_for_bits(first->modulus_bits) &&
           other->exponent_bits == first->exponent_bits && other->is_public == first->is_public &&
           other->scheme == first->scheme && other->window == first->window &&
           (!first->is_public || (other->exponent_len == first->exponent_len &&
                                  memcmp(other->exponent, first->exponent, first->exponent_len) == 0));
}

static void prepare(const group *g, size_t index, const monpro_operation *operation)
{
    block *own = &g->blocks[index];
    const size_t limbs = g->digits / LIMB_DIGITS;
    const monpro_exponent exponent = {operation->exponent, operation->exponent_len, operation->exponent_bits};
    monpro_limb number[MONPRO_MAX_LIMBS];
    monpro_limbs_from_bytes(number, limbs, operation->modulus, operation->modulus_len);
    monpro_mont_init(&own->mont, number, limbs, operation->modulus_bits);
    to_digits(own->modulus, own->mont.n, g->digits);
    to_digits(entry(g, index, MONPRO_ENTRY_RR), own->mont.rr, g->digits);
    monpro_limbs_from_bytes(number, limbs, operation->base, operation->base_len);
    to_digits(entry(g, index, MONPRO_ENTRY_BASE), number, g->digits);
    entry(g, index, MONPRO_ENTRY_ONE)[0] = 1; /* and zeros */
    monpro_products_init(&own->steps, operation->scheme, operation->window, &exponent, operation->is_public);
    monpro_wipe(number, sizeof number);
}

/* One product of every block, by the steps at hand. */
static monpro_status multiply(engine_state *state, group *g, monpro_error *error)
{
    const bool whole = state->form == MONPRO_DATAFLOW_F;
    for (size_t i = 0; i < g->count; i++) {
        block *own = &g->blocks[i];
        g->a[i] = entry(g, i, own->step.x);
        g->b[i] = entry(g, i, own->step.y);
        g->n[i] = own->modulus;
        g->inverse[i] = (uint32_t)own->mont.n0;
        g->to[i] = entry(g, i, own->step.to);
        g->product[i] = whole ? g->to[i] : own->product;
    }
    const monpro_dataflow_batch batch = {
        .form = state->form, .digits = g->digits, .blocks = g->count,
        .a = g->a, .b = g->b, .n = g->n, .inverse = g->inverse, .product = g->product,
        .finished = whole ? NULL : reduce, .context = g,
    };
    return monpro_dataflow_run(&state->kernel, &batch, error);
}

/* The next step of every block; false: there is none. */
static bool next(const group *g)
{
    bool more = false;
    for (size_t i = 0; i < g->count; i++) {
        more = monpro_products_next(&g->blocks[i].steps, &g->blocks[i].step);
    }
    return more;
}

static monpro_status exponentiate(engine_state *state, group *g, uint64_t *products, monpro_error *error)
{
    while (next(g)) {
        const bool choice = g->blocks[0].step.choose; /* of all of them */
        if (!choice) {
            const monpro_status status = multiply(state, g, error);
            if (status != MONPRO_OK) {
                return status;
            }
            ++*products;
        }
        for (size_t i = 0; choice && i < g->count; i++) {
            choose(g, i, &g->blocks[i].step);
        }
    }
    return MONPRO_OK;
}

static void finish(const group *g, size_t index, const monpro_operation *operation)
{
    monpro_limb number[MONPRO_MAX_LIMBS];
    to_limbs(number, entry(g, index, MONPRO_ENTRY_ACCUMULATOR), g->digits);
    monpro_limbs_to_bytes(operation->result, operation->result_len, number, g->digits / LIMB_DIGITS);
    monpro_wipe(number, sizeof number);
}

static size_t entries_of(const monpro_operation *operation)
{
    const bool table = monpro_scheme_is_in(operation->scheme, MONPRO_SCHEMES_WITH_WINDOW);
    return MONPRO_ENTRY_TABLE + (table ? (size_t)1 << operation->window : 0);
}

static monpro_status run(void *opaque, const monpro_operation *operations, size_t count, monpro_counters *counters,
                         monpro_error *error)
{
    engine_state *state = opaque;
    group g = {.count = count, .digits = LIMB_DIGITS * monpro_limbs_for_bits(operations->modulus_bits),
               .entries = entries_of(operations)};
    const size_t numbers = count * g.entries * g.digits;
    g.blocks = calloc(count, sizeof *g.blocks);
    g.numbers = calloc(numbers, sizeof *g.numbers);
    monpro_status status = MONPRO_OK;
    uint64_t products = 0;
    const uint64_t start = state->kernel.cycles;
    if (g.blocks == NULL || g.numbers == NULL) {
        status = monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for %u blocks", (unsigned)count);
    } else {
        status = monpro_dataflow_start(&state->kernel, error);
    }
    for (size_t i = 0; status == MONPRO_OK && i < count; i++) {
        prepare(&g, i, &operations[i]);
    }
    if (status == MONPRO_OK) {
        status = exponentiate(state, &g, &products, error);
    }
    monpro_dataflow_stop(&state->kernel);
    const uint64_t cycles = state->kernel.cycles - start;
    for (size_t i = 0; status == MONPRO_OK && i < count; i++) {
        finish(&g, i, &operations[i]);
        counters[i].operations = 1;
        counters[i].products = products;
        /* All of them together took these cycles: the first few bear what does not divide evenly. */
        counters[i].cycles_exponentiate = cycles / count + (i < cycles % count);
    }
    if (g.blocks != NULL) {
        monpro_wipe(g.blocks, count * sizeof *g.blocks);
    }
    if (g.numbers != NULL) {
        monpro_wipe(g.numbers, numbers * sizeof *g.numbers);
    }
    free(g.blocks);
    free(g.numbers);
    return status;
}

/* ---- the engine ---------------------------------------------------------------------------------------------- */

static uint32_t largest_window(const void *state, uint32_t modulus_bits, monpro_scheme scheme, bool crt)
{
    (void)state;
    (void)modulus_bits;
    (void)crt;
    return monpro_products_largest_window(MAX_ENTRIES, scheme);
}

/* A look-up is choices, which take none of the kernel's time. */
static uint32_t look_up_cost(const void *state, uint32_t modulus_bits, uint32_t window, bool crt)
{
    (void)state;
    (void)modulus_bits;
    (void)window;
    (void)crt;
    return 0;
}

static void close_engine(void *opaque)
{
    engine_state *state = opaque;
    monpro_dataflow_close(&state->kernel);
    monpro_wipe(state, sizeof *state);
    free(state);
}

monpro_status monpro_dataflow_engine_open(monpro_engine **engine, const monpro_stream *stream,
                                          monpro_dataflow_form form, const char *spec, monpro_error *error)
{
    static const monpro_engine_ops ops = {
        .largest_window = largest_window, .look_up_cost = look_up_cost, .close = close_engine, .fits = fits, .run = run,
    };
    enum { BLOCKS_A_LANE = 4 }; /* a product of digits is four of half their width */
    monpro_engine_info info = {
        .min_bits = MIN_BITS,
        .max_bits = DIGIT_BITS * stream->max_digits,
        .word_bits = DIGIT_BITS,
        .elements = stream->lanes,
        .multipliers = BLOCKS_A_LANE * stream->lanes,
        .schemes = MONPRO_SCHEMES_OF_PRODUCTS,
    };
    if (info.max_bits > MONPRO_MAX_BITS) {
        info.max_bits = MONPRO_MAX_BITS;
    }
    engine_state *state = calloc(1, sizeof *state);
    if (state == NULL) {
        stream->close(stream->context);
        return monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for an engine");
    }
    monpro_copy_text(info.spec, sizeof info.spec, spec);
    monpro_dataflow_open(&state->kernel, stream);
    state->form = form;
    return monpro_engine_create(engine, &ops, state, &info, error);
}
