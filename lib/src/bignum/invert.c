/* Modular inversion by division steps (Bernstein and Yang, "Fast constant-time gcd computation and modular inversion",
 * 2019), a limb's worth of them at a time.
 *
 * A step takes (delta, f, g), f odd, to
 *
 *     (1 - delta, g, (g - f) / 2)            if delta > 0 and g is odd
 *     (1 + delta, f, (g + (g mod 2) f) / 2)  else
 *
 * from (1, n, a). By their theorem 11.2 g is zero after (49 * bits + 80) / 17 steps, and then f = +-gcd(a, n).
 *
 * The lowest bits decide what the next steps do. So STEP = L - 2 steps are done on the lowest limb alone. They are a
 * matrix T with (f, g) -> T (f, g) / 2^STEP exactly, and |T_i1| + |T_i2| <= 2^STEP. T is then applied to the whole
 * numbers. It is also applied to d and e, where f = d * a and g = e * a modulo n, -2n < d, e < n. A multiple of n makes
 * their division by 2^STEP exact. Numbers are digits of STEP bits, the highest signed.
 *
 * Room: a column is at most 2^STEP * 2^STEP, as much again for the multiple of n, and a carry: below 2^(2L-1).
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/wipe.h"
#include "bignum/limbs.h"

#if MONPRO_LIMB_BITS == 64
typedef int64_t digit;
__extension__ typedef __int128 column;
#else
typedef int32_t digit;
typedef int64_t column;
#endif

enum {
    STEP = MONPRO_LIMB_BITS - 2,
    MAX_DIGITS = (MONPRO_MAX_BITS + 2 + STEP - 1) / STEP
};

static const digit low_bits = (digit)(((monpro_limb)1 << STEP) - 1);

typedef struct matrix {
    digit u, v, q, r; /* 2^STEP f' = u f + v g,  2^STEP g' = q f + r g */
} matrix;

/* All ones if x is negative, else zero. */
static digit sign(digit x)
{
    return (digit)monpro_barrier((uint64_t)(int64_t)(x >> (MONPRO_LIMB_BITS - 1)));
}

/* STEP steps on the lowest bits of f and g; minus_delta is -delta. Unsigned, so that overflow is defined. */
static digit divide(matrix *t, digit minus_delta, monpro_limb f, monpro_limb g)
{
    monpro_limb u = 1, v = 0, q = 0, r = 1;
    for (unsigned i = 0; i < STEP; i++) {
        const monpro_limb odd = (monpro_limb)monpro_barrier(0 - (uint64_t)(g & 1u));
        const monpro_limb positive = (monpro_limb)sign(minus_delta), swap = positive & odd;
        g += ((f ^ positive) - positive) & odd;
        q += ((u ^ positive) - positive) & odd;
        r += ((v ^ positive) - positive) & odd;
        minus_delta = (digit)((((monpro_limb)minus_delta) ^ swap) - (swap + 1));
        f += g & swap; /* g - f + f */
        u += q & swap;
        v += r & swap;
        g >>= 1;
        u <<= 1;
        v <<= 1;
    }
    *t = (matrix){(digit)u, (digit)v, (digit)q, (digit)r};
    return minus_delta;
}

/* (f, g) = T (f, g) / 2^STEP. */
static void update_fg(digit *f, digit *g, const matrix *t, size_t count)
{
    column cf = (column)t->u * f[0] + (column)t->v * g[0], cg = (column)t->q * f[0] + (column)t->r * g[0];
    for (size_t i = 1; i < count; i++) {
        cf = (cf >> STEP) + (column)t->u * f[i] + (column)t->v * g[i];
        cg = (cg >> STEP) + (column)t->q * f[i] + (column)t->r * g[i];
        f[i - 1] = (digit)cf & low_bits;
        g[i - 1] = (digit)cg & low_bits;
    }
    f[count - 1] = (digit)(cf >> STEP);
    g[count - 1] = (digit)(cg >> STEP);
}

/* The multiple of n that makes the lowest digit of x + multiple * n zero; `start` is one that keeps the range. */
static digit multiple(digit start, column x, digit inverse)
{
    const monpro_limb wrong = (monpro_limb)inverse * (monpro_limb)x + (monpro_limb)start;
    return start - (digit)(wrong & (monpro_limb)low_bits);
}

/* (d, e) = (T (d, e) + multiples of n) / 2^STEP; inverse is 1/n modulo 2^STEP. */
static void update_de(digit *d, digit *e, const matrix *t, const digit *n, digit inverse, size_t count)
{
    const digit minus_d = sign(d[count - 1]), minus_e = sign(e[count - 1]);
    column cd = (column)t->u * d[0] + (column)t->v * e[0], ce = (column)t->q * d[0] + (column)t->r * e[0];
    const digit md = multiple((t->u & minus_d) + (t->v & minus_e), cd, inverse);
    const digit me = multiple((t->q & minus_d) + (t->r & minus_e), ce, inverse);
    cd += (column)n[0] * md;
    ce += (column)n[0] * me;
    for (size_t i = 1; i < count; i++) {
        cd = (cd >> STEP) + (column)t->u * d[i] + (column)t->v * e[i] + (column)n[i] * md;
        ce = (ce >> STEP) + (column)t->q * d[i] + (column)t->r * e[i] + (column)n[i] * me;
        d[i - 1] = (digit)cd & low_bits;
        e[i - 1] = (digit)ce & low_bits;
    }
    d[count - 1] = (digit)(cd >> STEP);
    e[count - 1] = (digit)(ce >> STEP);
}

/* x = (x ^ negate) - negate + (n & add), for masks. */
static void adjust(digit *x, digit negate, digit add, const digit *n, size_t count)
{
    digit carry = 0;
    for (size_t i = 0; i + 1 < count; i++) {
        carry += ((x[i] ^ negate) - negate) + (n[i] & add);
        x[i] = carry & low_bits;
        carry >>= STEP;
    }
    x[count - 1] = ((x[count - 1] ^ negate) - negate) + (n[count - 1] & add) + carry;
}

static void to_digits(digit *digits, size_t count, const monpro_limb *number, size_t limbs)
{
    for (size_t i = 0; i < count; i++) {
        const size_t limb = i * STEP / MONPRO_LIMB_BITS;
        const unsigned shift = (unsigned)(i * STEP % MONPRO_LIMB_BITS);
        monpro_limb found = limb < limbs ? number[limb] >> shift : 0;
        found |= shift > 0 && limb + 1 < limbs ? number[limb + 1] << (MONPRO_LIMB_BITS - shift) : 0;
        digits[i] = (digit)(found & (monpro_limb)low_bits);
    }
}

static void from_digits(monpro_limb *number, size_t limbs, const digit *digits, size_t count)
{
    memset(number, 0, limbs * sizeof *number);
    for (size_t i = 0; i < count; i++) {
        const size_t limb = i * STEP / MONPRO_LIMB_BITS;
        const unsigned shift = (unsigned)(i * STEP % MONPRO_LIMB_BITS);
        if (limb < limbs) {
            number[limb] |= (monpro_limb)digits[i] << shift;
        }
        if (shift > 0 && limb + 1 < limbs) {
            number[limb + 1] |= (monpro_limb)digits[i] >> (MONPRO_LIMB_BITS - shift);
        }
    }
}

monpro_limb monpro_limbs_invert(monpro_limb *r, const monpro_limb *a, const monpro_limb *n, size_t limbs)
{
    struct {
        digit n[MAX_DIGITS], f[MAX_DIGITS], g[MAX_DIGITS], d[MAX_DIGITS], e[MAX_DIGITS];
        matrix t;
    } x;
    const size_t bits = limbs * MONPRO_LIMB_BITS, count = (bits + 2 + STEP - 1) / STEP;
    monpro_limb inverse = n[0]; /* right modulo 8; each round doubles the right bits */
    for (unsigned right_bits = 3; right_bits < STEP; right_bits *= 2) {
        inverse *= 2 - n[0] * inverse;
    }
    memset(&x, 0, sizeof x);
    to_digits(x.n, count, n, limbs);
    memcpy(x.f, x.n, sizeof x.f);
    to_digits(x.g, count, a, limbs);
    x.e[0] = 1;
    digit minus_delta = -1;
    for (size_t done = 0; done < (49 * bits + 80) / 17; done += STEP) {
        minus_delta = divide(&x.t, minus_delta, (monpro_limb)x.f[0], (monpro_limb)x.g[0]);
        update_de(x.d, x.e, &x.t, x.n, (digit)(inverse & (monpro_limb)low_bits), count);
        update_fg(x.f, x.g, &x.t, count);
    }
    const digit minus = sign(x.f[count - 1]);
    adjust(x.d, 0, sign(x.d[count - 1]), x.n, count);
    adjust(x.d, minus, 0, x.n, count);
    adjust(x.d, 0, sign(x.d[count - 1]), x.n, count);
    adjust(x.f, minus, 0, x.n, count);
    from_digits(r, limbs, x.d, count);
    digit not_one = x.f[0] ^ 1;
    for (size_t i = 0; i < count; i++) {
        not_one |= (i > 0 ? x.f[i] : 0) | x.g[i];
    }
    monpro_wipe(&x, sizeof x);
    return (monpro_limb)monpro_ct_is_zero((uint64_t)(int64_t)not_one);
}
