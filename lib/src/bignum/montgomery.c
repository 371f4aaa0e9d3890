/* Montgomery products.
 *
 * All three kernels go by pairs of rows. They compute t += x * a + y * b over aligned columns in one pass, so a column
 * of t is loaded and stored once for two limb products.
 *   product  row i pairs b_i * a with q_i * n, q_i = (t_0 + a_0 * b_i) * n0 mod 2^L: 2s^2 + s limb products;
 *   square   the s(s-1)/2 products above the diagonal in pairs of rows, doubled, and the s squares;
 *   redc     pairs q_i * n with q_(i+1) * n: s^2 + s; square and redc together 1.5s^2 + 1.5s.
 *
 * Row i of a product or of a redc makes column i of t zero, so that column is not stored. The value stays below 2n *
 * 2^(Li). What is left above the s columns is below 2n. One subtraction of n ends it: it is always computed, and a mask
 * selects the result.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "bignum/montgomery.h"

#include <string.h>

#include "base/wipe.h"
#include "bignum/mulx.h"

static monpro_limb low(monpro_wide t)
{
    return (monpro_limb)t;
}

static monpro_limb high(monpro_wide t)
{
    return (monpro_limb)(t >> MONPRO_LIMB_BITS);
}

/* x * y + a + b: never more than two limbs. */
static monpro_wide mul_add2(monpro_limb x, monpro_limb y, monpro_limb a, monpro_limb b)
{
    return (monpro_wide)x * y + a + b;
}

/* The carries of a pair of rows. */
typedef struct carries {
    monpro_limb first, second;
} carries;

/* low(x * y + a + carry), and carry = high. The comparisons are what compilers make a bare add-with-carry of. */
static inline monpro_limb mul_add_step(monpro_limb x, monpro_limb y, monpro_limb a, monpro_limb *carry)
{
    const monpro_wide product = (monpro_wide)x * y;
    monpro_limb sum = low(product) + a;
    monpro_limb over = high(product) + (sum < a);
    sum += *carry;
    over += sum < *carry;
    *carry = over;
    return sum;
}

/* t[0..count) += x * a + carry; returns the carry out. */
static inline monpro_limb add_row(monpro_limb *t, monpro_limb x, const monpro_limb *a, size_t count, monpro_limb carry)
{
    size_t j = 0;
    for (; j < count % 4; j++) {
        t[j] = mul_add_step(x, a[j], t[j], &carry);
    }
    return j < count ? monpro_mulx_row(t + j, x, a + j, count / 4, carry) : carry;
}

/* t[0..count) += x * a + y * b + carries; returns the carries out. */
static inline carries add_rows(monpro_limb *t, monpro_limb x, const monpro_limb *a, monpro_limb y, const monpro_limb *b,
                               size_t count, carries in)
{
    monpro_limb first = in.first, second = in.second;
    if (monpro_has_mulx()) { /* a pass each, in less time than both in one */
        first = add_row(t, x, a, count, first);
        second = add_row(t, y, b, count, second);
        return (carries){first, second};
    }
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC unroll 2 /* more makes squares slower: registers run out */
#endif
    for (size_t j = 0; j < count; j++) {
        const monpro_limb u = mul_add_step(x, a[j], t[j], &first);
        t[j] = mul_add_step(y, b[j], u, &second);
    }
    return (carries){first, second};
}

void monpro_mont_mul(monpro_limb *r, const monpro_limb *a, const monpro_limb *b, const monpro_mont *m)
{
    const size_t s = m->limbs;
    monpro_limb t[2 * MONPRO_MAX_LIMBS];
    monpro_limb top = 0;
    const bool whole_rows = s % 4 == 0 && monpro_has_mulx();
    memset(t, 0, s * sizeof *t);
    for (size_t i = 0; i < s && whole_rows; i++) {
        const monpro_limb carry = monpro_mulx_row(t + i, b[i], a, s / 4, 0);
        const monpro_wide sum = (monpro_wide)carry + monpro_mulx_row(t + i, t[i] * m->n0, m->n, s / 4, 0) + top;
        t[i + s] = low(sum);
        top = high(sum);
    }
    for (size_t i = 0; i < s && !whole_rows; i++) {
        const monpro_wide u = mul_add2(b[i], a[0], t[i], 0);
        const monpro_limb q = low(u) * m->n0;
        const monpro_wide v = mul_add2(q, m->n[0], low(u), 0);
        const carries out = add_rows(t + i + 1, b[i], a + 1, q, m->n + 1, s - 1, (carries){high(u), high(v)});
        const monpro_wide sum = (monpro_wide)out.first + out.second + top;
        t[i + s] = low(sum);
        top = high(sum);
    }
    monpro_limbs_reduce_once(r, top, t + s, m->n, s);
    monpro_wipe(t, 2 * s * sizeof *t);
}

/* One row: t[0..s] = t + q * n. Column 0 becomes zero. Column s takes `top` too. Returns the new top. */
static monpro_limb redc_row(monpro_limb *t, monpro_limb top, const monpro_mont *m)
{
    const size_t s = m->limbs;
    const monpro_limb q = t[0] * m->n0;
    monpro_limb carry = 0;
    for (size_t j = 0; j < s; j++) {
        const monpro_wide u = mul_add2(q, m->n[j], t[j], carry);
        t[j] = low(u);
        carry = high(u);
    }
    const monpro_wide sum = (monpro_wide)t[s] + carry + top;
    t[s] = low(sum);
    return high(sum);
}

/* Two rows, for s >= 2: columns 0 and 1 become zero, columns s and s + 1 take the carries and `top`. */
static monpro_limb redc_row_pair(monpro_limb *t, monpro_limb top, const monpro_mont *m)
{
    const size_t s = m->limbs;
    const monpro_limb *n = m->n;
    const monpro_limb q0 = t[0] * m->n0;
    const monpro_wide u0 = mul_add2(q0, n[0], t[0], 0);
    const monpro_wide u1 = mul_add2(q0, n[1], t[1], high(u0));
    const monpro_limb q1 = low(u1) * m->n0;
    const monpro_wide v1 = mul_add2(q1, n[0], low(u1), 0);
    const carries out = add_rows(t + 2, q0, n + 2, q1, n + 1, s - 2, (carries){high(u1), high(v1)});
    /* Column s still lacks q1 * n[s-1]. */
    const monpro_wide v = mul_add2(q1, n[s - 1], out.first, out.second);
    const monpro_wide w = (monpro_wide)t[s] + low(v) + top;
    t[s] = low(w);
    const monpro_wide x = (monpro_wide)t[s + 1] + high(v) + high(w);
    t[s + 1] = low(x);
    return high(x);
}

void monpro_mont_redc(monpro_limb *r, monpro_limb *t, const monpro_mont *m)
{
    const size_t s = m->limbs;
    monpro_limb top = 0;
    size_t i = 0;
    for (const bool whole_rows = s % 4 == 0 && monpro_has_mulx(); i < s && whole_rows; i++) {
        const monpro_wide sum = (monpro_wide)t[i + s] + monpro_mulx_row(t + i, t[i] * m->n0, m->n, s / 4, 0) + top;
        t[i + s] = low(sum);
        top = high(sum);
    }
    for (; i + 2 <= s; i += 2) {
        top = redc_row_pair(t + i, top, m);
    }
    if (i < s) {
        top = redc_row(t + i, top, m);
    }
    monpro_limbs_reduce_once(r, top, t + s, m->n, s);
}

/* t[0..2s) = the products a_i * a_j of all i < j. Columns below i + s are written before row i, but not column i + s. */
static void square_above_diagonal(monpro_limb *t, const monpro_limb *a, size_t s)
{
    size_t i = 0;
    memset(t, 0, 2 * s * sizeof *t);
    for (; i + 2 < s; i += 2) {
        /* Row i has columns 2i + 1 to i + s - 1; row i + 1 has 2i + 3 to i + s. */
        monpro_limb *column = t + 2 * i + 1;
        const monpro_wide u0 = mul_add2(a[i], a[i + 1], column[0], 0);
        const monpro_wide u1 = mul_add2(a[i], a[i + 2], column[1], high(u0));
        column[0] = low(u0);
        column[1] = low(u1);
        const carries out = add_rows(column + 2, a[i], a + i + 3, a[i + 1], a + i + 2, s - i - 3,
                                     (carries){high(u1), 0});
        const monpro_wide last = mul_add2(a[i + 1], a[s - 1], out.first, out.second);
        t[i + s] = low(last);
        t[i + s + 1] = high(last);
    }
    if (i + 2 == s) {
        const monpro_wide u = mul_add2(a[i], a[i + 1], t[2 * i + 1], 0);
        t[2 * i + 1] = low(u);
        t[2 * i + 2] = high(u);
    }
}

/* t[0..2s) = 2t + the squares a_i^2 on the diagonal. */
static void double_and_add_diagonal(monpro_limb *t, const monpro_limb *a, size_t s)
{
    monpro_limb shifted_out = 0, carry = 0;
    for (size_t i = 0; i < s; i++) {
        const monpro_wide square = (monpro_wide)a[i] * a[i];
        const monpro_limb even = t[2 * i], odd = t[2 * i + 1];
        const monpro_wide u = (monpro_wide)low(square) + (even << 1 | shifted_out) + carry;
        const monpro_wide v = (monpro_wide)high(square) + (odd << 1 | even >> (MONPRO_LIMB_BITS - 1)) + high(u);
        t[2 * i] = low(u);
        t[2 * i + 1] = low(v);
        carry = high(v);
        shifted_out = odd >> (MONPRO_LIMB_BITS - 1);
    }
}

void monpro_mont_sqr(monpro_limb *r, const monpro_limb *a, const monpro_mont *m)
{
    monpro_limb t[2 * MONPRO_MAX_LIMBS];
    square_above_diagonal(t, a, m->limbs);
    double_and_add_diagonal(t, a, m->limbs);
    monpro_mont_redc(r, t, m);
    monpro_wipe(t, 2 * m->limbs * sizeof *t);
}

void monpro_mont_enter(monpro_limb *r, const monpro_limb *x, const monpro_mont *m)
{
    monpro_mont_mul(r, x, m->rr, m);
}

void monpro_mont_leave(monpro_limb *r, const monpro_limb *x, const monpro_mont *m)
{
    static const monpro_limb one[MONPRO_MAX_LIMBS] = {1};
    monpro_mont_mul(r, x, one, m);
}

/* r = 2r mod n. */
static void double_mod(monpro_limb *r, const monpro_mont *m)
{
    monpro_limbs_double_mod(r, r, 0, m->n, m->limbs);
}

/* n0 by Newton's iteration x <- x(2 - n x), which doubles the right bits: n is its own inverse modulo 8.
 * R^2 from 2^(bits-1), the largest power of two below n: doublings up to R, then s more to R * 2^s, and then
 * log2(limb bits) squarings in Montgomery form, R*2^k -> R*2^2k, to R * 2^(s * limb bits) = R^2. */
void monpro_mont_init(monpro_mont *m, const monpro_limb *n, size_t limbs, size_t bits)
{
    m->limbs = limbs;
    memmove(m->n, n, limbs * sizeof *n);
    monpro_limb inverse = n[0];
    for (unsigned right_bits = 3; right_bits < MONPRO_LIMB_BITS; right_bits *= 2) {
        inverse *= 2 - n[0] * inverse;
    }
    m->n0 = 0 - inverse;

    const size_t r_bits = limbs * MONPRO_LIMB_BITS;
    memset(m->one, 0, limbs * sizeof *m->one);
    m->one[(bits - 1) / MONPRO_LIMB_BITS] = (monpro_limb)1 << ((bits - 1) % MONPRO_LIMB_BITS);
    for (size_t i = bits - 1; i < r_bits; i++) {
        double_mod(m->one, m);
    }
    memcpy(m->rr, m->one, limbs * sizeof *m->rr);
    for (size_t i = 0; i < limbs; i++) {
        double_mod(m->rr, m);
    }
    for (unsigned squared = 1; squared < MONPRO_LIMB_BITS; squared *= 2) {
        monpro_mont_sqr(m->rr, m->rr, m);
    }
}
