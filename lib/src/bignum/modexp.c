/* Modular exponentiation. The accumulator starts at the first digit of the exponent, not at one, so the first digit
 * costs no squares. It stays in Montgomery form until the end.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "bignum/modexp.h"

#include <string.h>

#include "base/wipe.h"

unsigned monpro_modexp_window(size_t bits, unsigned max_window, const uint32_t *look_up_cost)
{
    unsigned best = 1;
    uint64_t least = UINT64_MAX;
    for (unsigned window = 1; window <= max_window; window++) {
        const uint64_t digits = (bits + window - 1) / window;
        const uint64_t cost = 100 * (digits + (1u << window)) + (look_up_cost != NULL ? digits * look_up_cost[window] : 0);
        if (cost < least) {
            least = cost;
            best = window;
        }
    }
    return best;
}

/* 2^(w-1) odd powers; then a product for every w + 1 bits on average, as a window is followed by as many zeros as there
 * are, and that is one on average. */
unsigned monpro_modexp_sliding_window(size_t bits, unsigned max_window)
{
    unsigned best = 1;
    size_t fewest = SIZE_MAX;
    for (unsigned window = 1; window <= max_window; window++) {
        const size_t products = bits / (window + 1) + ((size_t)1 << (window - 1));
        if (products < fewest) {
            fewest = products;
            best = window;
        }
    }
    return best;
}

/* r = table[digit], reading every entry. */
static void look_up(monpro_limb *r, const monpro_limb *table, unsigned entries, unsigned digit, size_t limbs)
{
    memset(r, 0, limbs * sizeof *r);
    for (unsigned entry = 0; entry < entries; entry++) {
        const monpro_limb mask = (monpro_limb)monpro_ct_is_zero(entry ^ digit);
        for (size_t i = 0; i < limbs; i++) {
            r[i] |= table[entry * limbs + i] & mask;
        }
    }
}

void monpro_modexp_fixed_window(monpro_limb *r, const monpro_limb *base, const monpro_exponent *exponent,
                                unsigned window, monpro_limb *table, const monpro_mont *m)
{
    const size_t s = m->limbs;
    const unsigned entries = 1u << window;
    monpro_limb accumulator[MONPRO_MAX_LIMBS], entry[MONPRO_MAX_LIMBS];

    memcpy(table, m->one, s * sizeof *table);
    monpro_mont_enter(table + s, base, m);
    for (unsigned i = 2; i < entries; i++) {
        if (i % 2 == 0) {
            monpro_mont_sqr(table + i * s, table + i / 2 * s, m);
        } else {
            monpro_mont_mul(table + i * s, table + (i - 1) * s, table + s, m);
        }
    }

    size_t from = (exponent->bits - 1) / window * window;
    look_up(accumulator, table, entries, monpro_exponent_digit(exponent, from, (unsigned)(exponent->bits - from)), s);
    while (from > 0) {
        from -= window;
        for (unsigned i = 0; i < window; i++) {
            monpro_mont_sqr(accumulator, accumulator, m);
        }
        look_up(entry, table, entries, monpro_exponent_digit(exponent, from, window), s);
        monpro_mont_mul(accumulator, accumulator, entry, m);
    }
    monpro_mont_leave(r, accumulator, m);
    monpro_wipe(table, monpro_modexp_table_limbs(s, window) * sizeof *table);
    monpro_wipe(accumulator, sizeof accumulator);
    monpro_wipe(entry, sizeof entry);
}

void monpro_modexp_binary(monpro_limb *r, const monpro_limb *base, const monpro_exponent *exponent,
                          const monpro_mont *m)
{
    const size_t s = m->limbs;
    monpro_limb accumulator[MONPRO_MAX_LIMBS], factor[MONPRO_MAX_LIMBS], product[MONPRO_MAX_LIMBS];
    monpro_mont_enter(factor, base, m);
    memcpy(accumulator, m->one, s * sizeof *accumulator);
    for (size_t bit = exponent->bits; bit-- > 0;) {
        monpro_mont_sqr(accumulator, accumulator, m);
        monpro_mont_mul(product, accumulator, factor, m);
        const monpro_limb set = 0 - (monpro_limb)monpro_exponent_digit(exponent, bit, 1);
        monpro_limbs_select(accumulator, set, product, accumulator, s);
    }
    monpro_mont_leave(r, accumulator, m);
    monpro_wipe(accumulator, sizeof accumulator);
    monpro_wipe(factor, sizeof factor);
    monpro_wipe(product, sizeof product);
}

void monpro_modexp_binary_vartime(monpro_limb *r, const monpro_limb *base, const monpro_exponent *exponent,
                                  const monpro_mont *m)
{
    const size_t s = m->limbs;
    monpro_limb accumulator[MONPRO_MAX_LIMBS], factor[MONPRO_MAX_LIMBS];
    size_t bit = exponent->bits;
    while (bit > 0 && monpro_exponent_digit(exponent, bit - 1, 1) == 0) {
        bit--;
    }
    monpro_mont_enter(factor, base, m);
    if (bit == 0) {
        memcpy(accumulator, m->one, s * sizeof *accumulator);
    } else {
        memcpy(accumulator, factor, s * sizeof *accumulator);
        bit--;
    }
    while (bit-- > 0) {
        monpro_mont_sqr(accumulator, accumulator, m);
        if (monpro_exponent_digit(exponent, bit, 1) != 0) {
            monpro_mont_mul(accumulator, accumulator, factor, m);
        }
    }
    monpro_mont_leave(r, accumulator, m);
    monpro_wipe(accumulator, sizeof accumulator);
    monpro_wipe(factor, sizeof factor);
}
