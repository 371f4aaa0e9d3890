/* What surrounds the kernels of lanes: numbers to digits and back, and the constants of a modulus.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lanes/lanes.h"

#include <string.h>

/* 64 bits of a number, the lowest of them bit `from`. */
static uint64_t bits_at(const monpro_limb *number, size_t limbs, size_t from)
{
    const size_t limb = from / MONPRO_LIMB_BITS;
    const unsigned shift = (unsigned)(from % MONPRO_LIMB_BITS);
    uint64_t found = limb < limbs ? (uint64_t)number[limb] >> shift : 0;
    for (unsigned i = 1, place = MONPRO_LIMB_BITS - shift; place < 64; i++, place += MONPRO_LIMB_BITS) {
        found |= limb + i < limbs ? (uint64_t)number[limb + i] << place : 0;
    }
    return found;
}

void monpro_lanes_to_digits(uint64_t *digits, size_t stride, size_t count, unsigned bits, const monpro_limb *number,
                            size_t limbs)
{
    const uint64_t mask = UINT64_MAX >> (64 - bits);
    for (size_t i = 0; i < count; i++) {
        digits[i * stride] = bits_at(number, limbs, i * bits) & mask;
    }
}

void monpro_lanes_from_digits(monpro_limb *number, size_t limbs, const uint64_t *digits, size_t stride, size_t count,
                              unsigned bits)
{
    memset(number, 0, limbs * sizeof *number);
    for (size_t i = 0; i < count; i++) {
        const size_t end = (i + 1) * bits;
        uint64_t left = digits[i * stride];
        for (size_t at = i * bits; at < end && at / MONPRO_LIMB_BITS < limbs;) {
            const unsigned shift = (unsigned)(at % MONPRO_LIMB_BITS), taken = MONPRO_LIMB_BITS - shift;
            number[at / MONPRO_LIMB_BITS] |= (monpro_limb)(left << shift);
            left = taken < 64 ? left >> taken : 0;
            at += taken;
        }
    }
}

uint64_t monpro_lanes_negative_inverse(uint64_t n, unsigned bits)
{
    uint64_t inverse = n; /* n is its own inverse modulo 8; each step doubles the right bits */
    for (unsigned right_bits = 3; right_bits < 64; right_bits *= 2) {
        inverse *= 2 - n * inverse;
    }
    return (0 - inverse) & (UINT64_MAX >> (64 - bits));
}

/* floor(2^(2L-1) / d) for 2^(L-1) < d <= 2^L, where L is the bits of a limb; bit by bit. */
static monpro_limb reciprocal(monpro_wide d)
{
    monpro_wide remainder = (monpro_wide)1 << (MONPRO_LIMB_BITS - 1);
    monpro_limb quotient = 0;
    for (unsigned i = 0; i < MONPRO_LIMB_BITS; i++) {
        const monpro_wide difference = 2 * remainder - d;
        const monpro_limb less = (monpro_limb)(difference >> (2 * MONPRO_LIMB_BITS - 1));
        quotient = 2 * quotient + (less ^ 1u);
        remainder = difference + (d & (0 - (monpro_wide)(monpro_limb)monpro_barrier(less)));
    }
    return quotient;
}

/* x = x * 2^k - q * n, for x < n, n with its highest bit set, k <= L - 4. v is the highest limb of n, t that of x, and
 *     q = floor(t * inverse / 2^(2L-1-k)),  inverse = floor(2^(2L-1) / (v + 1)).
 * x / n - t / (v + 1) < (2^(1-L)) * 2, and the inverse lacks less than one unit. Together q lacks less than
 * 2^k * 5 / 2^L, which is below one, and what the floor cuts off. So the rest is in [0, 2n), and a mask subtracts n once
 * more. */
static void shift_mod(monpro_limb *x, unsigned k, monpro_limb inverse, const monpro_limb *n, size_t limbs)
{
    const monpro_limb q = (monpro_limb)(((monpro_wide)x[limbs - 1] * inverse) >> (2 * MONPRO_LIMB_BITS - 1 - k));
    monpro_limb below = 0, carry = 0, borrow = 0;
    for (size_t i = 0; i < limbs; i++) {
        const monpro_wide part = (monpro_wide)q * n[i] + carry;
        const monpro_limb shifted = x[i] << k | below;
        const monpro_wide difference = (monpro_wide)shifted - (monpro_limb)part - borrow;
        below = x[i] >> (MONPRO_LIMB_BITS - k);
        carry = (monpro_limb)(part >> MONPRO_LIMB_BITS);
        borrow = (monpro_limb)(difference >> MONPRO_LIMB_BITS) & 1u;
        x[i] = (monpro_limb)difference;
    }
    monpro_limbs_reduce_once(x, below - carry - borrow, x, n, limbs);
}

void monpro_lanes_power_of_two(monpro_limb *r, size_t power, const monpro_limb *n, size_t limbs, size_t bits)
{
    enum { STEP = MONPRO_LIMB_BITS - 4 };
    monpro_limb shifted[MONPRO_MAX_LIMBS];
    const unsigned spare = (unsigned)(limbs * MONPRO_LIMB_BITS - bits); /* n and r are shifted by these until the end */
    memcpy(shifted, n, limbs * sizeof *n);
    for (size_t i = limbs; spare > 0 && i-- > 0;) {
        shifted[i] = n[i] << spare | (i > 0 ? n[i - 1] >> (MONPRO_LIMB_BITS - spare) : 0);
    }
    const monpro_limb inverse = reciprocal((monpro_wide)shifted[limbs - 1] + 1);
    memset(r, 0, limbs * sizeof *r);
    r[limbs - 1] = (monpro_limb)1 << (MONPRO_LIMB_BITS - 1); /* 2^(bits-1), the largest power of two below n */
    for (size_t left = power - (bits - 1); left > 0;) {
        const unsigned k = left < STEP ? (unsigned)left : STEP;
        shift_mod(r, k, inverse, shifted, limbs);
        left -= k;
    }
    for (size_t i = 0; spare > 0 && i < limbs; i++) {
        r[i] = r[i] >> spare | (i + 1 < limbs ? r[i + 1] << (MONPRO_LIMB_BITS - spare) : 0);
    }
    monpro_wipe(shifted, sizeof shifted);
}
