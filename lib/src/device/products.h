/* A modular exponentiation as a stream of single Montgomery products, for a device that does them one after the other
 * over a memory of entries (regs/monpro.rdl, PRODUCT). This is the software side: which product comes next.
 *
 *     product   entry[to] = entry[x] * entry[y] / R mod N
 *     choice    entry[to] = first ? entry[x] : entry[y]
 *
 * Before the first product the caller puts the base, 1 and R^2 mod N into their entries. After the last product the
 * result, base^exponent mod N out of Montgomery form, is in the accumulator. The entries of 1 and R^2 are never
 * written.
 *
 * Products, for n bits of the exponent, of which h are set, the top one among them, and a window of k bits:
 *
 *     secret  binary, right_to_left   2n + 1         a choice for each bit
 *             ladder                  2n + 3         n + 1 choices
 *     public  binary, right_to_left   n + h          right_to_left: one choice, as a copy
 *             ladder                  2n + 3         as for a secret
 *             sliding_window          2^(k-1) + 1 + (k > 1), squares, windows after the first
 *     both    fixed_window            2^k + 1 + (ceil(n/k) - 1) (k + 1)    2^k - 1 choices for each digit
 *     public zero                     3
 *
 * Constant time: of a secret exponent, only `first` depends on more than its length. Freestanding; no allocation.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_PRODUCTS_H
#define MONPRO_PRODUCTS_H

#include <stdbool.h>

#include "bignum/modexp.h"
#include "monpro/monpro.h"

/* What the entries are for. */
enum {
    MONPRO_ENTRY_ACCUMULATOR = 0,
    MONPRO_ENTRY_BASE = 1, /* as it came, and then in Montgomery form */
    MONPRO_ENTRY_SCRATCH = 2,
    MONPRO_ENTRY_ONE = 3,  /* 1 */
    MONPRO_ENTRY_RR = 4,   /* R^2 mod N */
    MONPRO_ENTRY_TABLE = 5
};

typedef struct monpro_product {
    uint32_t x, y, to;
    bool choose;    /* no product but a choice */
    uint32_t first; /* 0 or 1; of a choice: it may be a secret */
} monpro_product;

typedef struct monpro_products {
    monpro_exponent exponent;
    monpro_scheme scheme;
    uint32_t window;
    bool is_public;
    unsigned phase, step;  /* where the stream is: see products.c */
    size_t left;           /* bits of the exponent that are to be processed; right to left: that have been */
    uint32_t accumulator;  /* the entry that stands for it: a first factor is used where it is */
    unsigned digit, count; /* the window under way and its squarings; ladder: the bit before. It may be a secret */
} monpro_products;

/* The largest window of a scheme, at most MONPRO_MAX_WINDOW, whose table fits into so many entries; 0: none does, or
 * the scheme has no table. */
uint32_t monpro_products_largest_window(uint32_t entries, monpro_scheme scheme);

/* Starts a stream by a scheme of MONPRO_SCHEMES_OF_PRODUCTS. The exponent must be public if the scheme takes no secret
 * one. `window` counts for a scheme with a window only. The bytes of the exponent must stay. */
void monpro_products_init(monpro_products *p, monpro_scheme scheme, uint32_t window, const monpro_exponent *exponent,
                          bool is_public);

/* The next product as a device's PRODUCT takes it (regs/monpro.rdl), and a bit that it does not look at; 0: there is none,
 * and the state is wiped. */
#define MONPRO_PRODUCTS_NEXT 0x80000000u
uint32_t monpro_products_word(monpro_products *p);

/* Writes the next words, without that bit: as many as there are, or `room`. Returns how many. *choices: how many of them
 * do not multiply. */
size_t monpro_products_words(monpro_products *p, uint32_t *words, size_t room, size_t *choices);

/* The next one taken apart; false: there is none. */
bool monpro_products_next(monpro_products *p, monpro_product *product);

#endif
