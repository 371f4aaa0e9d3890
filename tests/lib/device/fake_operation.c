/* The operations of fake_model.c, by libcrypto: the checks that a start makes, and the power. The power is right, or as
 * wrong as the mode wants it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <openssl/bn.h>
#include <stdlib.h>
#include <string.h>

#include "fake_model.h"

enum { CLEARING_CYCLES = 5000 }; /* reading a result takes less */

BIGNUM *slot_number(const monpro_sim *sim, unsigned slot)
{
    uint8_t bytes[4 * MAX_WORDS];
    for (size_t i = 0; i < MAX_WORDS; i++) {
        for (size_t j = 0; j < 4; j++) {
            bytes[sizeof bytes - 1 - 4 * i - j] = (uint8_t)(sim->operand[slot][i] >> (8 * j));
        }
    }
    return BN_bin2bn(bytes, sizeof bytes, NULL);
}

void put_slot_number(monpro_sim *sim, unsigned slot, const BIGNUM *number)
{
    uint8_t bytes[4 * MAX_WORDS];
    BN_bn2binpad(number, bytes, sizeof bytes);
    for (size_t i = 0; i < MAX_WORDS; i++) {
        const uint8_t *b = bytes + sizeof bytes - 4 * i - 4;
        sim->operand[slot][i] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
    }
}

bool is_crt(const monpro_sim *sim)
{
    return MONPRO_REGS_GET(sim->config, CONFIG_CRT) != 0;
}

/* s and K of PARAM_ARRAY.delay. */
static uint32_t operand_words(const monpro_sim *sim)
{
    return sim->length + (sim->exact ? 0 : 1 + sim->delay);
}

uint32_t product_digits(const monpro_sim *sim)
{
    const uint32_t rows = operand_words(sim) + sim->delay, passes = (rows + sim->elements - 1) / sim->elements;
    const uint32_t used = (rows + passes - 1) / passes, least = sim->elements / 2 + 1;
    return sim->exact ? rows : (used < least ? least : used) * passes - sim->delay;
}

static uint32_t slot_bits(const monpro_sim *sim, uint32_t slot)
{
    if (slot == MONPRO_REGS_SLOT_EXPONENT || slot == MONPRO_REGS_SLOT_EXPONENT_Q) {
        return sim->exponent_bits;
    }
    if (slot == MONPRO_REGS_SLOT_INVERSE && sim->exact) {
        return sim->word_bits;
    }
    return sim->word_bits * (slot == MONPRO_REGS_SLOT_BASE && is_crt(sim) ? 2 * product_digits(sim) : operand_words(sim));
}

uint32_t slot_words(const monpro_sim *sim, uint32_t slot)
{
    return (slot_bits(sim, slot) + 31) / 32;
}

uint32_t beyond_slot(const monpro_sim *sim, uint32_t slot, uint32_t position)
{
    const uint32_t bits = slot_bits(sim, slot);
    return bits / 32 == position && bits % 32 != 0 ? UINT32_MAX << bits % 32 : 0;
}

static bool is_missing(const monpro_sim *sim)
{
    bool missing = !sim->present[MONPRO_REGS_SLOT_MODULUS] || !sim->present[MONPRO_REGS_SLOT_BASE] ||
                   !sim->present[MONPRO_REGS_SLOT_EXPONENT];
    if (is_crt(sim)) {
        missing |= !sim->present[MONPRO_REGS_SLOT_MODULUS_Q] || !sim->present[MONPRO_REGS_SLOT_EXPONENT_Q] ||
                   !sim->present[MONPRO_REGS_SLOT_INVERSE];
    }
    return missing;
}

static uint32_t scheme_error(const monpro_sim *sim)
{
    const uint32_t scheme = MONPRO_REGS_GET(sim->config, CONFIG_SCHEME);
    const uint32_t window = MONPRO_REGS_GET(sim->config, CONFIG_WINDOW);
    const bool is_public = MONPRO_REGS_GET(sim->config, CONFIG_PUBLIC) != 0;
    uint32_t limit = is_crt(sim) ? sim->max_bits / 2 : sim->max_bits, entries = 1u << window;
    if ((sim->schemes >> scheme & 1u) == 0 ||
        (is_crt(sim) && (!sim->has_crt || scheme != MONPRO_REGS_SCHEME_FIXED_WINDOW))) {
        return MONPRO_REGS_ERROR_SCHEME;
    }
    if (!is_public && (scheme == MONPRO_REGS_SCHEME_SLIDING_WINDOW || scheme == MONPRO_REGS_SCHEME_REPEATED)) {
        return MONPRO_REGS_ERROR_SCHEME;
    }
    limit = scheme == MONPRO_REGS_SCHEME_REPEATED ? 32 : limit;
    if (sim->exponent_bits == 0 || sim->exponent_bits > limit) {
        return MONPRO_REGS_ERROR_EXPONENT_LENGTH;
    }
    if (scheme != MONPRO_REGS_SCHEME_FIXED_WINDOW && scheme != MONPRO_REGS_SCHEME_SLIDING_WINDOW) {
        return MONPRO_REGS_ERROR_NONE;
    }
    entries = scheme == MONPRO_REGS_SCHEME_SLIDING_WINDOW ? entries / 2 : entries;
    entries = (entries > 2 * sim->table_banks ? entries : 2 * sim->table_banks) << (is_crt(sim) ? 1 : 0);
    return window < 1 || window > 6 || operand_words(sim) * entries > sim->table_words ? MONPRO_REGS_ERROR_WINDOW
                                                                                       : MONPRO_REGS_ERROR_NONE;
}

static uint32_t modulus_error(const monpro_sim *sim, const BIGNUM *n)
{
    const uint32_t bits = (uint32_t)BN_num_bits(n);
    if (!BN_is_odd(n)) {
        return MONPRO_REGS_ERROR_MODULUS_EVEN;
    }
    return bits < sim->min_bits || bits > (is_crt(sim) ? sim->max_bits / 2 : sim->max_bits) ||
                   sim->length != (bits + 2 + sim->word_bits - 1) / sim->word_bits
               ? MONPRO_REGS_ERROR_MODULUS_SIZE
               : MONPRO_REGS_ERROR_NONE;
}

typedef struct numbers {
    BN_CTX *context;
    BIGNUM *n, *x, *e, *q, *eq, *qinv, *product, *r;
} numbers;

/* The checks that a start makes, as error_e says. */
static uint32_t start_error(const monpro_sim *sim, const numbers *a)
{
    const char *const forced = strstr(sim->mode, "error");
    if (forced != NULL) {
        return (uint32_t)atoi(forced + 5);
    }
    if (is_missing(sim)) {
        return MONPRO_REGS_ERROR_OPERAND_MISSING;
    }
    uint32_t error = modulus_error(sim, a->n);
    if (error == MONPRO_REGS_ERROR_NONE && is_crt(sim)) {
        error = modulus_error(sim, a->q);
    }
    if (error != MONPRO_REGS_ERROR_NONE) {
        return error;
    }
    if (BN_cmp(a->x, is_crt(sim) ? a->product : a->n) >= 0 || (is_crt(sim) && BN_cmp(a->qinv, a->n) >= 0)) {
        return MONPRO_REGS_ERROR_BASE_RANGE;
    }
    return scheme_error(sim);
}

/* x^e mod n, or with CRT x^d mod n * q as PKCS#1 has it. */
static void power(const monpro_sim *sim, const numbers *a)
{
    BN_mask_bits(a->e, (int)sim->exponent_bits);
    BN_mod_exp(a->r, a->x, a->e, a->n, a->context);
    if (!is_crt(sim)) {
        return;
    }
    BIGNUM *second = BN_new(), *difference = BN_new();
    BN_mask_bits(a->eq, (int)sim->exponent_bits);
    BN_mod_exp(second, a->x, a->eq, a->q, a->context);
    if (mode_is(sim, "wrong_half")) {
        BN_mod_add(second, second, BN_value_one(), a->q, a->context); /* what would give p away */
    }
    BN_mod_sub(difference, a->r, second, a->n, a->context);
    BN_mod_mul(difference, difference, a->qinv, a->n, a->context);
    BN_mul(a->r, difference, a->q, a->context);
    BN_add(a->r, a->r, second);
    BN_clear_free(second);
    BN_clear_free(difference);
}

/* What is used up, and what CONFIG.leave says of the rest. */
static void leave(monpro_sim *sim)
{
    const uint32_t how = MONPRO_REGS_GET(sim->config, CONFIG_LEAVE);
    sim->present[MONPRO_REGS_SLOT_BASE] = false;
    sim->locked = how == MONPRO_REGS_LEAVE_LOCK && !mode_is(sim, "never_warm");
    if (sim->locked) {
        return;
    }
    sim->present[MONPRO_REGS_SLOT_EXPONENT] = sim->present[MONPRO_REGS_SLOT_EXPONENT_Q] = false;
    sim->present[MONPRO_REGS_SLOT_INVERSE] = false;
    if (how != MONPRO_REGS_LEAVE_KEEP) {
        sim->present[MONPRO_REGS_SLOT_MODULUS] = sim->present[MONPRO_REGS_SLOT_MODULUS_Q] = sim->warm = false;
        sim->clearing_until = sim->cycles + CLEARING_CYCLES;
    }
}

void compute(monpro_sim *sim)
{
    const numbers a = {
        BN_CTX_new(),
        slot_number(sim, MONPRO_REGS_SLOT_MODULUS), slot_number(sim, MONPRO_REGS_SLOT_BASE),
        slot_number(sim, MONPRO_REGS_SLOT_EXPONENT), slot_number(sim, MONPRO_REGS_SLOT_MODULUS_Q),
        slot_number(sim, MONPRO_REGS_SLOT_EXPONENT_Q), slot_number(sim, MONPRO_REGS_SLOT_INVERSE),
        BN_new(), BN_new(),
    };
    const BIGNUM *const modulus = is_crt(sim) ? a.product : a.n;
    BN_mul(a.product, a.n, a.q, a.context);
    sim->error = start_error(sim, &a);
    if (sim->error != MONPRO_REGS_ERROR_NONE) {
        forget(sim);
    } else {
        power(sim, &a);
        if ((mode_is(sim, "wrong_result") && (!mode_is(sim, "crt") || is_crt(sim))) ||
            (mode_is(sim, "wrong_check") && !is_crt(sim)) ||
            (mode_is(sim, "wrong_half") && !mode_is(sim, "crt") && BN_num_bits(a.n) <= 512 &&
             sim->operations % 2 == 1)) {
            BN_mod_add(a.r, a.r, BN_value_one(), modulus, a.context); /* in range, and wrong */
        }
        if (mode_is(sim, "result_too_large")) {
            BN_copy(a.r, modulus);
        }
        put_slot_number(sim, MONPRO_REGS_SLOT_RESULT, a.r);
        sim->warm = !mode_is(sim, "never_warm");
        sim->warm_crt = is_crt(sim);
        leave(sim);
        sim->has_result = !mode_is(sim, "no_result");
        sim->operations += mode_is(sim, "miscount") ? 2 : 1;
        sim->products = mode_is(sim, "crt") ? sim->config : 2 * sim->exponent_bits; /* a test can see what came */
    }
    BN_free(a.n);
    BN_free(a.q);
    BN_free(a.product);
    BN_clear_free(a.x);
    BN_clear_free(a.e);
    BN_clear_free(a.eq);
    BN_clear_free(a.qinv);
    BN_clear_free(a.r);
    BN_CTX_free(a.context);
}
