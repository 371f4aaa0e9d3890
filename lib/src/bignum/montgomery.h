/* Montgomery arithmetic modulo an odd n of s limbs, R = 2^(limb bits * s).
 *
 *     product(a, b) = a * b / R mod n,  below n whenever a * b < n * R
 *
 * So operands may be anything below R, as long as one of the two is below n. A number x is in Montgomery form as x * R
 * mod n: product(x, R^2) takes it there, product(x, 1) takes it back.
 *
 * Constant time: all functions, in everything but the bit length of n.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_MONTGOMERY_H
#define MONPRO_MONTGOMERY_H

#include "bignum/limbs.h"

typedef struct monpro_mont {
    size_t limbs;
    monpro_limb n0;                    /* -1 / n modulo 2^(limb bits) */
    monpro_limb n[MONPRO_MAX_LIMBS];
    monpro_limb one[MONPRO_MAX_LIMBS]; /* R mod n: one in Montgomery form */
    monpro_limb rr[MONPRO_MAX_LIMBS];  /* R^2 mod n */
} monpro_mont;

/* From an odd n > 1 of exactly `bits` bits, held in `limbs` limbs; limbs may be more than n needs (the two primes of a
 * key share one R). */
void monpro_mont_init(monpro_mont *m, const monpro_limb *n, size_t limbs, size_t bits);

/* r = a * b / R mod n, for a * b < n * R. r may be an operand. */
void monpro_mont_mul(monpro_limb *r, const monpro_limb *a, const monpro_limb *b, const monpro_mont *m);

/* r = a^2 / R mod n, for a < n. r may be a. */
void monpro_mont_sqr(monpro_limb *r, const monpro_limb *a, const monpro_mont *m);

/* r = t / R mod n for t[0..2s) < n * R. t is used up. */
void monpro_mont_redc(monpro_limb *r, monpro_limb *t, const monpro_mont *m);

/* r = x * R mod n and r = x / R mod n. */
void monpro_mont_enter(monpro_limb *r, const monpro_limb *x, const monpro_mont *m);
void monpro_mont_leave(monpro_limb *r, const monpro_limb *x, const monpro_mont *m);

#endif
