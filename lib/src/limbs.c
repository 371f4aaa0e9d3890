/* Natural numbers of a fixed count of limbs. Carries are computed in the double-width type, which compilers turn into
 * add-with-carry; nothing branches on a value. */
#include "limbs.h"

#include <string.h>

#include "wipe.h"

#define LIMB_BYTES (MONPRO_LIMB_BITS / 8)

static monpro_limb barrier(monpro_limb mask)
{
    return (monpro_limb)monpro_barrier(mask);
}

void monpro_limbs_from_bytes(monpro_limb *r, size_t limbs, const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < limbs; i++) {
        monpro_limb value = 0;
        for (size_t j = LIMB_BYTES; j-- > 0;) {
            const size_t place = i * LIMB_BYTES + j; /* bytes from the end */
            value = (value << 8) | (place < size ? bytes[size - 1 - place] : 0u);
        }
        r[i] = value;
    }
}

void monpro_limbs_to_bytes(uint8_t *bytes, size_t size, const monpro_limb *a, size_t limbs)
{
    for (size_t place = 0; place < size; place++) {
        const size_t limb = place / LIMB_BYTES;
        const unsigned shift = 8u * (unsigned)(place % LIMB_BYTES);
        bytes[size - 1 - place] = limb < limbs ? (uint8_t)(a[limb] >> shift) : 0;
    }
}

monpro_limb monpro_limbs_add(monpro_limb *r, const monpro_limb *a, const monpro_limb *b, size_t limbs)
{
    monpro_limb carry = 0;
    for (size_t i = 0; i < limbs; i++) {
        const monpro_wide sum = (monpro_wide)a[i] + b[i] + carry;
        r[i] = (monpro_limb)sum;
        carry = (monpro_limb)(sum >> MONPRO_LIMB_BITS);
    }
    return carry;
}

monpro_limb monpro_limbs_sub(monpro_limb *r, const monpro_limb *a, const monpro_limb *b, size_t limbs)
{
    monpro_limb borrow = 0;
    for (size_t i = 0; i < limbs; i++) {
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

void monpro_limbs_swap(monpro_limb mask, monpro_limb *a, monpro_limb *b, size_t limbs)
{
    mask = barrier(mask);
    for (size_t i = 0; i < limbs; i++) {
        const monpro_limb change = mask & (a[i] ^ b[i]);
        a[i] ^= change;
        b[i] ^= change;
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

/* r = a - (b & mask); returns the borrow. */
static monpro_limb sub_masked(monpro_limb *r, const monpro_limb *a, const monpro_limb *b, monpro_limb mask,
                              size_t limbs)
{
    mask = barrier(mask);
    monpro_limb borrow = 0;
    for (size_t i = 0; i < limbs; i++) {
        const monpro_wide difference = (monpro_wide)a[i] - (b[i] & mask) - borrow;
        r[i] = (monpro_limb)difference;
        borrow = (monpro_limb)(difference >> MONPRO_LIMB_BITS) & 1u;
    }
    return borrow;
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

/* Binary gcd in 2 * bits steps, whatever the operands. Invariants, with v always odd:
 *     u = s * a,  v = t * a  (mod n),  0 <= s, t < n.
 * A step: if u is odd, exchange (u, s) with (v, t) when u < v, and subtract, so that u becomes even; then halve u, and
 * halve s modulo n. Each step takes at least one bit from the lengths of u and v together as long as u > 0, so that
 * after 2 * bits steps u = 0, v = gcd(a, n), and t is the inverse if that is one. */
monpro_limb monpro_limbs_invert(monpro_limb *r, const monpro_limb *a, const monpro_limb *n, size_t limbs)
{
    monpro_limb u[MONPRO_MAX_LIMBS], v[MONPRO_MAX_LIMBS], s[MONPRO_MAX_LIMBS], t[MONPRO_MAX_LIMBS];
    monpro_limb difference[MONPRO_MAX_LIMBS];
    memcpy(u, a, limbs * sizeof *u);
    memcpy(v, n, limbs * sizeof *v);
    memset(s, 0, limbs * sizeof *s);
    memset(t, 0, limbs * sizeof *t);
    s[0] = 1;
    for (size_t step = 0; step < 2 * limbs * MONPRO_LIMB_BITS; step++) {
        const monpro_limb odd = 0 - (u[0] & 1u);
        const monpro_limb less = 0 - monpro_limbs_sub(difference, u, v, limbs);
        monpro_limbs_swap(odd & less, u, v, limbs);
        monpro_limbs_swap(odd & less, s, t, limbs);
        (void)sub_masked(u, u, v, odd, limbs);
        const monpro_limb borrow = 0 - sub_masked(s, s, t, odd, limbs);
        (void)add_masked(s, s, n, borrow, limbs);
        monpro_limbs_halve(u, 0, u, limbs);
        monpro_limbs_halve_mod(s, s, n, limbs);
    }
    memcpy(r, t, limbs * sizeof *r);
    monpro_limb not_one = v[0] ^ 1u;
    for (size_t i = 1; i < limbs; i++) {
        not_one |= v[i];
    }
    monpro_wipe(u, sizeof u);
    monpro_wipe(v, sizeof v);
    monpro_wipe(s, sizeof s);
    monpro_wipe(t, sizeof t);
    monpro_wipe(difference, sizeof difference);
    return (monpro_limb)monpro_ct_is_zero(not_one);
}
