/* Exponentiations side by side in the lanes of vectors: what a kernel for one kind of machine provides, and what the
 * engine of lanes (lanes/engine.c) gives it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_LANES_H
#define MONPRO_LANES_H

#include <stdbool.h>

#include "base/wipe.h"
#include "bignum/modexp.h"

enum { MONPRO_LANES_MAX = 8, MONPRO_LANES_ALIGN = 64 };

/* Exponentiations, one in each lane. All moduli have `digits` digits. Unused lanes repeat another.
 *
 * memory has size() bytes, aligned to MONPRO_LANES_ALIGN. It begins with base, R^2 mod N and N, `digits` vectors each,
 * and one vector of n0 = -1 / N mod 2^digit_bits. Digit j of lane l is the 64-bit number j * lanes + l. base is below N.
 * Afterwards the result is in the place of base. It is at most N, and N for zero only. The rest holds secrets. */
typedef struct monpro_lanes_group {
    size_t digits;
    size_t used;                       /* lanes with an operation of their own: the first ones */
    unsigned window;                   /* 1 to 6; 0: all exponents are one, the first, and public */
    size_t bits;                       /* of exponents that are processed: of the longest */
    const monpro_exponent *exponents;  /* a lane each */
    void *memory;
} monpro_lanes_group;

typedef struct monpro_lanes_kernel {
    const char *name;
    unsigned lanes, digit_bits, spare_bits; /* R = 2^(digits * digit_bits) has that many bits more than N, at least */
    size_t max_digits;                 /* what its columns have room for */
    size_t (*size)(size_t digits, unsigned window);
    void (*run)(const monpro_lanes_group *group);
} monpro_lanes_kernel;

/* NULL where this build does not have them. Only on processors that can. */
const monpro_lanes_kernel *monpro_lanes_ifma(void);
const monpro_lanes_kernel *monpro_lanes_avx2(void);      /* 28-bit digits */
const monpro_lanes_kernel *monpro_lanes_avx2_wide(void); /* 29-bit digits, for short moduli */
const monpro_lanes_kernel *monpro_lanes_portable(void);
/* One or two numbers as soon as possible: lanes/wide.h. */
const monpro_lanes_kernel *monpro_lanes_ifma_wide(void);
const monpro_lanes_kernel *monpro_lanes_portable_wide(void);

static inline size_t monpro_lanes_digits(const monpro_lanes_kernel *kernel, size_t bits)
{
    return (bits + kernel->spare_bits + kernel->digit_bits - 1) / kernel->digit_bits;
}

/* Digits of `bits` bits of a number of limbs, and back, `stride` numbers apart. */
void monpro_lanes_to_digits(uint64_t *digits, size_t stride, size_t count, unsigned bits, const monpro_limb *number,
                            size_t limbs);
void monpro_lanes_from_digits(monpro_limb *number, size_t limbs, const uint64_t *digits, size_t stride, size_t count,
                              unsigned bits);

/* -1 / n mod 2^bits of an odd number, for bits <= 64. */
uint64_t monpro_lanes_negative_inverse(uint64_t n, unsigned bits);

/* r = 2^power mod n, for an odd n of exactly `bits` bits in `limbs` limbs and power >= bits - 1. */
void monpro_lanes_power_of_two(monpro_limb *r, size_t power, const monpro_limb *n, size_t limbs, size_t bits);

#endif
