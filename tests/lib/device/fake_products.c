/* The single products of fake_model.c, by libcrypto: a queue, entries, and products. The products are as untidy as
 * those of the hardware may be: without PARAM_ARRAY.exact any congruent number below 2M, for M = 2^w N' - 1.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "fake_model.h"

/* The command that fails if one does, and the product that is wrong: one that goes into the result, and later than the
 * check of an RSA operation has any. */
enum { PRODUCT_CYCLES = 200, COPY_CYCLES = 20, FAILING = 9, WRONG = 41 };

void forget_products(monpro_sim *sim)
{
    for (size_t i = 0; i < MAX_ENTRIES; i++) {
        BN_clear_free(sim->numbers[i]);
        sim->numbers[i] = NULL;
    }
    forget_modulus(sim);
    sim->queued = 0;
    sim->running = false;
}

static void fail(monpro_sim *sim, uint32_t error)
{
    forget(sim);
    sim->error = error;
    sim->done = true;
}

void open_entry(monpro_sim *sim)
{
    sim->present[MONPRO_REGS_SLOT_ENTRY] = sim->entry < sim->entries && sim->numbers[sim->entry] != NULL;
    if (sim->present[MONPRO_REGS_SLOT_ENTRY]) {
        put_slot_number(sim, MONPRO_REGS_SLOT_ENTRY, sim->numbers[sim->entry]);
    }
}

static void set_entry(monpro_sim *sim, uint32_t entry, BIGNUM *number)
{
    BN_clear_free(sim->numbers[entry]);
    sim->numbers[entry] = number;
}

void close_entry(monpro_sim *sim)
{
    BIGNUM *const number = slot_number(sim, MONPRO_REGS_SLOT_ENTRY);
    BN_mask_bits(number, 32 * (int)slot_words(sim, MONPRO_REGS_SLOT_ENTRY)); /* the slot may have held a longer one */
    set_entry(sim, sim->entry, number);
}

void forget_modulus(monpro_sim *sim)
{
    BN_clear_free(sim->m);
    BN_clear_free(sim->r_inverse);
    sim->m = sim->r_inverse = NULL;
}

/* M, or with exact N, and 1/R modulo that if there is one. */
static void take_modulus(monpro_sim *sim)
{
    if (sim->m != NULL) {
        return;
    }
    BN_CTX *const context = BN_CTX_new();
    BIGNUM *const r = BN_new();
    sim->m = slot_number(sim, MONPRO_REGS_SLOT_MODULUS);
    if (!sim->exact) {
        BN_lshift(sim->m, sim->m, (int)sim->word_bits);
        BN_sub_word(sim->m, 1);
    }
    BN_set_bit(r, (int)(sim->word_bits * product_digits(sim)));
    sim->r_inverse = BN_mod_inverse(NULL, r, sim->m, context);
    BN_free(r);
    BN_CTX_free(context);
}

/* What is wrong with a product's operands, or nothing. */
static uint32_t product_error(const monpro_sim *sim, const BIGNUM *x, const BIGNUM *y)
{
    if (!sim->present[MONPRO_REGS_SLOT_MODULUS] || (sim->exact && !sim->present[MONPRO_REGS_SLOT_INVERSE]) ||
        x == NULL || y == NULL) {
        return MONPRO_REGS_ERROR_OPERAND_MISSING;
    }
    if (!BN_is_odd(sim->m)) {
        return MONPRO_REGS_ERROR_MODULUS_EVEN;
    }
    const uint32_t *const inverse = sim->operand[MONPRO_REGS_SLOT_INVERSE];
    const uint32_t sum = inverse[0] * sim->operand[MONPRO_REGS_SLOT_MODULUS][0] + 1; /* n' N + 1, modulo 2^w zero */
    if (sim->exact && sum << (32 - sim->word_bits) != 0) {
        return MONPRO_REGS_ERROR_INVERSE;
    }
    BIGNUM *const limit = BN_dup(sim->m);
    BN_lshift(limit, limit, sim->exact ? 0 : 1);
    const bool too_large = BN_cmp(x, limit) >= 0 || BN_cmp(y, limit) >= 0;
    BN_free(limit);
    return too_large ? 15 : MONPRO_REGS_ERROR_NONE; /* no error of the hardware, which does not look */
}

/* x y / R mod M, and often M more. */
static BIGNUM *montgomery_product(const monpro_sim *sim, const BIGNUM *x, const BIGNUM *y)
{
    BN_CTX *const context = BN_CTX_new();
    BIGNUM *const product = BN_new();
    BN_mod_mul(product, x, y, sim->m, context);
    BN_mod_mul(product, product, sim->r_inverse, sim->m, context);
    if (!sim->exact && BN_is_bit_set(product, 3)) {
        BN_add(product, product, sim->m);
    }
    BN_CTX_free(context);
    return product;
}

/* The command under way ends. */
static void execute(monpro_sim *sim)
{
    const uint32_t word = sim->current, to = MONPRO_REGS_GET(word, PRODUCT_TO);
    const BIGNUM *const x = sim->numbers[MONPRO_REGS_GET(word, PRODUCT_X)];
    const BIGNUM *const y = sim->numbers[MONPRO_REGS_GET(word, PRODUCT_Y)];
    const bool choose = MONPRO_REGS_GET(word, PRODUCT_CHOOSE) != 0;
    const char *const forced = strstr(sim->mode, "error");
    take_modulus(sim);
    uint32_t error = product_error(sim, x, y);
    sim->taken++;
    if (forced != NULL && sim->taken == FAILING) {
        error = (uint32_t)atoi(forced + 5);
    }
    if (error == MONPRO_REGS_ERROR_NONE && to >= sim->entries) {
        error = MONPRO_REGS_ERROR_OPERAND_MISSING;
    }
    if (error != MONPRO_REGS_ERROR_NONE) {
        fail(sim, error);
    } else if (choose) {
        set_entry(sim, to, BN_dup(MONPRO_REGS_GET(word, PRODUCT_FIRST) != 0 ? x : y));
    } else {
        BIGNUM *const product = montgomery_product(sim, x, y);
        sim->products++;
        if (mode_is(sim, "wrong_result") && sim->products == WRONG) {
            BN_sub(product, product, BN_value_one());
        }
        set_entry(sim, to, product);
    }
    sim->operations += error == MONPRO_REGS_ERROR_NONE && !(mode_is(sim, "miscount") && sim->taken == FAILING) ? 1 : 0;
}

/* Takes the next command up. */
static void begin(monpro_sim *sim, uint64_t from)
{
    sim->current = sim->queue[0];
    sim->queued--;
    memmove(sim->queue, sim->queue + 1, sim->queued * sizeof *sim->queue);
    const bool choose = MONPRO_REGS_GET(sim->current, PRODUCT_CHOOSE) != 0;
    const uint64_t cycles = mode_is(sim, "instant") ? 0
                            : mode_is(sim, "slow")  ? 100000
                            : choose                ? COPY_CYCLES
                                                    : PRODUCT_CYCLES;
    sim->running = true;
    sim->working_cycles += cycles;
    sim->running_until = mode_is(sim, "never_done") || mode_is(sim, "never_idle") || mode_is(sim, "irq_lies")
                             ? UINT64_MAX
                             : from + cycles;
}

void run_products(monpro_sim *sim)
{
    while (sim->running && sim->running_until <= sim->cycles) {
        execute(sim);
        if (sim->queued > 0) {
            begin(sim, sim->running_until);
        } else if (sim->running) {
            sim->running = false;
            sim->done = true;
            if (mode_is(sim, "no_result")) {
                set_entry(sim, 0, NULL);
            }
        }
    }
}

void push_product(monpro_sim *sim, uint32_t word)
{
    if (sim->entries == 0 || sim->queued == QUEUE_DEPTH) {
        sim->fault = sim->fault != 0 ? sim->fault : MONPRO_REGS_FAULT_QUEUE_FULL;
        return;
    }
    sim->queue[sim->queued++] = word;
    sim->done = false;
    if (!sim->running && !sim->busy) {
        begin(sim, sim->cycles);
    }
}
