/* Modular exponentiation, r = base^exponent mod n, over one Montgomery context.
 *
 * The exponent is the lowest `bits` bits of a big-endian byte string. Leading zeros inside `bits` are processed like
 * any other bit. bits > 0, base < n. No number is in Montgomery form. r may be base.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_MODEXP_H
#define MONPRO_MODEXP_H

#include "bignum/montgomery.h"

#define MONPRO_MAX_WINDOW 6

typedef struct monpro_exponent {
    const uint8_t *bytes;
    size_t size;
    size_t bits;
} monpro_exponent;

/* `count` bits of the exponent, the lowest of them being bit `from`. count <= 8; bits beyond the string are zero. */
static inline unsigned monpro_exponent_digit(const monpro_exponent *exponent, size_t from, unsigned count)
{
    const size_t place = from / 8; /* bytes from the end */
    unsigned two_bytes = 0;
    if (place < exponent->size) {
        two_bytes = exponent->bytes[exponent->size - 1 - place];
    }
    if (place + 1 < exponent->size) {
        two_bytes |= (unsigned)exponent->bytes[exponent->size - 2 - place] << 8;
    }
    return (two_bytes >> (from % 8)) & ((1u << count) - 1u);
}

/* Limbs of the table that a window needs. */
static inline size_t monpro_modexp_table_limbs(size_t limbs, unsigned window)
{
    return limbs << window;
}

/* The window of at most max_window bits that takes the least time for an exponent of this length. look_up_cost[w] is
 * what a look-up among 2^w entries costs, in hundredths of a product; NULL: nothing. */
unsigned monpro_modexp_window(size_t bits, unsigned max_window, const uint32_t *look_up_cost);

/* The sliding window of at most max_window bits that takes the fewest products, for a random exponent of this length. */
unsigned monpro_modexp_sliding_window(size_t bits, unsigned max_window);

/* Fixed window: 2^w - 2 products for the table, then a product for every w bits and a square for every bit. Constant
 * time in base, exponent and n: each look-up reads the whole table. `table` has monpro_modexp_table_limbs() limbs and
 * is wiped. */
void monpro_modexp_fixed_window(monpro_limb *r, const monpro_limb *base, const monpro_exponent *exponent,
                                unsigned window, monpro_limb *table, const monpro_mont *m);

/* Left-to-right binary, a square and a product for every bit. Constant time in base, exponent and n. */
void monpro_modexp_binary(monpro_limb *r, const monpro_limb *base, const monpro_exponent *exponent,
                          const monpro_mont *m);

/* Left-to-right binary, a product for set bits only. The time tells a public exponent; it still depends on nothing of
 * base and n but lengths. */
void monpro_modexp_binary_vartime(monpro_limb *r, const monpro_limb *base, const monpro_exponent *exponent,
                                  const monpro_mont *m);

#endif
