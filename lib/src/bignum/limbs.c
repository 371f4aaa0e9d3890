/* Natural numbers of a fixed count of limbs. Carries are computed in the double-width type, which compilers turn into
 * add-with-carry. Nothing branches on a value.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "bignum/limbs.h"

#include <string.h>

#include "base/wipe.h"

#define LIMB_BYTES (MONPRO_LIMB_BITS / 8)

static monpro_limb barrier(monpro_limb mask)
{
    return (monpro_limb)monpro_barrier(mask);
}

/* Whole limbs go in one piece: compilers know this for a load or a store in the other order of bytes. */
static monpro_limb load_limb(const uint8_t *bytes)
{
#if MONPRO_LIMB_BITS == 64
    return monpro_load_eight(bytes);
#else
    monpro_limb value = 0;
    for (size_t j = 0; j < LIMB_BYTES; j++) {
        value |= (monpro_limb)bytes[j] << (8 * (LIMB_BYTES - 1 - j));
    }
    return value;
#endif
}

static void store_limb(uint8_t *bytes, monpro_limb value)
{
    for (size_t j = 0; j < LIMB_BYTES; j++) {
        bytes[j] = (uint8_t)(value >> (8 * (LIMB_BYTES - 1 - j)));
    }
}

void monpro_limbs_from_bytes(monpro_limb *r, size_t limbs, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < limbs; i++, size -= size < LIMB_BYTES ? size : LIMB_BYTES) {
        if (size >= LIMB_BYTES) {
            r[i] = load_limb(bytes + size - LIMB_BYTES);
        } else {
            r[i] = 0;
            for (size_t place = 0; place < size; place++) {
                r[i] |= (monpro_limb)bytes[size - 1 - place] << (8 * place);
            }
        }
    }
}

void monpro_limbs_to_bytes(uint8_t *bytes, size_t size, const monpro_limb *a, size_t limbs)
{
    for (size_t i = 0; size > 0; i++, size -= size < LIMB_BYTES ? size : LIMB_BYTES) {
        const monpro_limb value = i < limbs ? a[i] : 0;
        if (size >= LIMB_BYTES) {
            store_limb(bytes + size - LIMB_BYTES, value);
        } else {
            for (size_t place = 0; place < size; place++) {
                bytes[size - 1 - place] = (uint8_t)(value >> (8 * place));
            }
        }
    }
}

/* The carry stays in the processor's flag for a while where compilers are told so; alone they move it to and fro. */
#if defined(__x86_64__) && defined(__GNUC__) && MONPRO_LIMB_BITS == 64
#include <immintrin.h>
#define CARRY_BY_FOURS(step)                                                                                           \
    for (; i + 4 <= limbs; i += 4) {                                                                                   \
        unsigned long long x0, x1, x2, x3;                                                                             \
        flag = step(flag, a[i], b[i], &x0);                                                                            \
        flag = step(flag, a[i + 1], b[i + 1], &x1);                                                                    \
        flag = step(flag, a[i + 2], b[i + 2], &x2);                                                                    \
        flag = step(flag, a[i + 3], b[i + 3], &x3);                                                                    \
        r[i] = x0;                                                                                                     \
        r[i + 1] = x1;                                                                                                 \
        r[i + 2] = x2;                                                                                                 \
        r[i + 3] = x3;                                                                                                 \
    }
#else
#define CARRY_BY_FOURS(step)
#endif

monpro_limb monpro_limbs_add(monpro_limb *r, const monpro_limb *a, const monpro_limb *b, size_t limbs)
{
    size_t i = 0;
    unsigned char flag = 0;
    CARRY_BY_FOURS(_addcarry_u64)
    monpro_limb carry = flag;
    for (; i < limbs; i++) {
        const monpro_wide sum = (monpro_wide)a[i] + b[i] + carry;
        r[i] = (monpro_limb)sum;
        carry = (monpro_limb)(sum >> MONPRO_LIMB_BITS);
    }
    return carry;
}

monpro_limb monpro_limbs_sub(monpro_limb *r, const monpro_limb *a, const monpro_limb *b, size_t limbs)
{
    size_t i = 0;
    unsigned char flag = 0;
    CARRY_BY_FOURS(_subborrow_u64)
    monpro_limb borrow = flag;
    for (; i < limbs; i++) {
        const monpro_wide difference = (monpro_wide)a[i] - b[i] - borrow;
        r[i] = (monpro_limb)difference;
        borrow = (monpro_limb)(difference >> MONPRO_LIMB_BITS) & 1u;
    }
    return borrow;
}

void monpro_limbs_select(monpro_limb *r, monpro_limb mask, const monpro_limb *a, const monpro_limb *b, size_t limbs)
{
    mask = barrier(mask);
    for (size_t i = 0; i < limbs; i++) {
        r[i] = b[i] ^ (mask & (a[i] ^ b[i]));
    }
}

void monpro_limbs_halve(monpro_limb *r, monpro_limb top, const monpro_limb *a, size_t limbs)
{
    for (size_t i = 0; i + 1 < limbs; i++) {
        r[i] = (a[i] >> 1) | (a[i + 1] << (MONPRO_LIMB_BITS - 1));
    }
    r[limbs - 1] = (a[limbs - 1] >> 1) | (top << (MONPRO_LIMB_BITS - 1));
}

/* r = a + (b & mask); returns the carry. */
static monpro_limb add_masked(monpro_limb *r, const monpro_limb *a, const monpro_limb *b, monpro_limb mask,
                              size_t limbs)
{
    mask = barrier(mask);
    monpro_limb carry = 0;
    for (size_t i = 0; i < limbs; i++) {
        const monpro_wide sum = (monpro_wide)a[i] + (b[i] & mask) + carry;
        r[i] = (monpro_limb)sum;
        carry = (monpro_limb)(sum >> MONPRO_LIMB_BITS);
    }
    return carry;
}

void monpro_limbs_sub_mod(monpro_limb *r, const monpro_limb *a, const monpro_limb *b, const monpro_limb *n,
                          size_t limbs)
{
    const monpro_limb borrow = monpro_limbs_sub(r, a, b, limbs);
    (void)add_masked(r, r, n, 0 - borrow, limbs);
}

void monpro_limbs_reduce_once(monpro_limb *r, monpro_limb top, const monpro_limb *a, const monpro_limb *n,
                              size_t limbs)
{
    /* (top : a) >= n exactly when top is set or a - n does not borrow; top and no borrow cannot be, as (top:a) < 2n. */
    monpro_limb reduced[MONPRO_MAX_LIMBS];
    const monpro_limb borrow = monpro_limbs_sub(reduced, a, n, limbs);
    monpro_limbs_select(r, top - borrow, a, reduced, limbs);
    monpro_wipe(reduced, limbs * sizeof *reduced);
}

void monpro_limbs_double_mod(monpro_limb *r, const monpro_limb *a, monpro_limb bit, const monpro_limb *n,
                             size_t limbs)
{
    const monpro_limb top = monpro_limbs_add(r, a, a, limbs);
    r[0] |= bit;
    monpro_limbs_reduce_once(r, top, r, n, limbs);
}

void monpro_limbs_halve_mod(monpro_limb *r, const monpro_limb *a, const monpro_limb *n, size_t limbs)
{
    const monpro_limb carry = add_masked(r, a, n, 0 - (a[0] & 1u), limbs);
    monpro_limbs_halve(r, carry, r, limbs);
}

void monpro_limbs_mul(monpro_limb *r, const monpro_limb *a, size_t a_limbs, const monpro_limb *b, size_t b_limbs)
{
    memset(r, 0, (a_limbs + b_limbs) * sizeof *r);
    for (size_t i = 0; i < b_limbs; i++) {
        monpro_limb carry = 0;
        for (size_t j = 0; j < a_limbs; j++) {
            const monpro_wide t = (monpro_wide)a[j] * b[i] + r[i + j] + carry;
            r[i + j] = (monpro_limb)t;
            carry = (monpro_limb)(t >> MONPRO_LIMB_BITS);
        }
        r[i + a_limbs] = carry;
    }
}
