/* One exponentiation, or two, as soon as possible. The digits of a number lie side by side in vectors of AVX-512 IFMA.
 * The eight numbers of lanes/template.h take less time each, but there one number alone takes as long as eight. A file
 * that includes this one has included lanes/template.h over lanes/ifma/ifma.h.
 *
 * The modulus is a multiple of N whose lowest digit is -1, so quotient digits cost nothing (Orup):
 *
 *     W = N * (-1 / N mod 2^52) = M * 2^52 - 1
 *     t + q * W = t - t_0 + q * M * 2^52,  q = t_0 mod 2^52
 *
 * Almost-Montgomery product: R = 2^(52 s) > 4W, operands and result below 2W, and s = ceil((bits + 54) / 52). A step
 * takes
 *
 *     t = floor(t / 2^52) + q * M + a * b_k / 2^52
 *
 * The high halves of q * M are added a step later, when they are in line. The sum of a lane has s steps, with four
 * halves of products in each: 4s * 2^52 < 2^63. A step of v vectors has 4v multiply instructions. The next step waits
 * for the broadcast of t_0, a shift of lanes, an addition and a product. Two numbers take turns in that time. At the
 * end scalar code makes a product with 1 modulo N itself, which gives a result of at most N.
 *
 * Constant time: in all but s, the window, and the bits of exponents that are processed; a look-up reads the table.
 *
 * SPDX-License-Identifier: Apache-2.0 */

enum { WIDE_LANES = 2, WIDE_SPARE = 54, WIDE_DIGITS = 80, WIDE_MAX = WIDE_DIGITS / 8 };

__extension__ typedef unsigned __int128 wide_sum;

static const uint64_t wide_low = (UINT64_C(1) << 52) - 1;

/* The numbers of a group, v vectors each: first all vectors of the first number, then those of the second. */
typedef struct wide {
    size_t s, v, numbers;
    uint64_t *base, *rr, *n, *n0; /* as given: see lanes.h */
    vec *m, *above;               /* M; and M times 2^52 */
    vec *x, *factor, *accumulator, *table;
} wide;

/* Vectors for a number of s digits: a count that there is code for. */
static size_t wide_vectors(size_t s)
{
    const size_t v = (s + 7) / 8;
    return v <= 2 ? 2 : v == 3 ? 3 : v + v % 2;
}

static size_t wide_inputs(size_t s)
{
    return (3 * s + 1) * WIDE_LANES * sizeof(uint64_t) / sizeof(vec) + 1;
}

static size_t wide_size(size_t s, unsigned window)
{
    return (wide_inputs(s) + WIDE_LANES * wide_vectors(s) * (5 + ((size_t)1 << window))) * sizeof(vec);
}

/* Digits below 2^52 of a sum of lanes below 2^63. After one round a lane can carry one more at most; where it does, and
 * through which lanes it goes on, are bits of two numbers, whose sum tells where it ends. */
INLINE void wide_carry(vec *t, size_t v)
{
    vec below = vec_zero();
    wide_sum over = 0, full = 0;
    const vec low = vec_set(wide_low);
    for (size_t i = 0; i < v; i++) {
        const vec carry = vec_shift(t[i]);
        t[i] = vec_add(vec_mask(t[i]), _mm512_alignr_epi64(carry, below, 7));
        below = carry;
        over |= (wide_sum)_mm512_cmpgt_epu64_mask(t[i], low) << (8 * i);
        full |= (wide_sum)_mm512_cmpeq_epi64_mask(t[i], low) << (8 * i);
    }
    const wide_sum into = ((over << 1) + full) ^ full;
    for (size_t i = 0; i < v; i++) {
        t[i] = vec_mask(_mm512_mask_add_epi64(t[i], (__mmask8)(into >> (8 * i)), t[i], vec_set(1)));
    }
}

/* r = a * b / R modulo W of each number, almost. r may be an operand. */
INLINE void wide_product(vec *r, const vec *a, const vec *b, const vec *m, const vec *above, size_t s, size_t v,
                         size_t numbers)
{
    vec t[WIDE_LANES][WIDE_MAX], q[WIDE_LANES], digit[WIDE_LANES];
    for (size_t l = 0; l < numbers; l++) {
        q[l] = vec_zero();
        digit[l] = vec_set(((const vec_digit *)(b + l * v))[0]);
        for (size_t i = 0; i < v; i++) {
            t[l][i] = mac_low(vec_zero(), a[l * v + i], digit[l]);
        }
    }
    for (size_t k = 1; k <= s; k++) {
        for (size_t l = 0; l < numbers; l++) {
            const vec last = q[l], was = digit[l], zero = vec_zero();
            q[l] = _mm512_broadcastq_epi64(_mm512_castsi512_si128(t[l][0]));
            digit[l] = k < s ? vec_set(((const vec_digit *)(b + l * v))[k]) : zero;
            for (size_t i = 0; i < v; i++) {
                vec sum = mac_high(zero, m[l * v + i], last);
                sum = mac_high(sum, a[l * v + i], was);
                sum = mac_low(sum, a[l * v + i], digit[l]);
                if (i == 0) {
                    sum = _mm512_mask_add_epi64(sum, 1, sum, vec_shift(q[l]));
                }
                t[l][i] = vec_add(_mm512_alignr_epi64(i + 1 < v ? t[l][i + 1] : zero, t[l][i], 1), sum);
            }
            for (size_t i = 0; i < v; i++) {
                t[l][i] = mac_low(t[l][i], m[l * v + i], q[l]);
            }
        }
    }
    for (size_t l = 0; l < numbers; l++) {
        for (size_t i = 0; i < v; i++) {
            t[l][i] = mac_high(t[l][i], above[l * v + i], q[l]);
        }
        wide_carry(t[l], v);
        for (size_t i = 0; i < v; i++) {
            r[l * v + i] = t[l][i];
        }
    }
}

#define WIDE_PRODUCTS(V)                                                                                               \
    static __attribute__((noinline)) void wide_product_##V(vec *r, const vec *a, const vec *b, const wide *w)          \
    {                                                                                                                  \
        if (w->numbers == 1) {                                                                                         \
            wide_product(r, a, b, w->m, w->above, w->s, V, 1);                                                         \
        } else {                                                                                                       \
            wide_product(r, a, b, w->m, w->above, w->s, V, 2);                                                         \
        }                                                                                                              \
    }
WIDE_PRODUCTS(2)
WIDE_PRODUCTS(3)
WIDE_PRODUCTS(4)
WIDE_PRODUCTS(6)
WIDE_PRODUCTS(8)
WIDE_PRODUCTS(10)

static void wide_multiply(const wide *w, vec *r, const vec *a, const vec *b)
{
    switch (w->v) {
    case 2:
        wide_product_2(r, a, b, w);
        break;
    case 3:
        wide_product_3(r, a, b, w);
        break;
    case 4:
        wide_product_4(r, a, b, w);
        break;
    case 6:
        wide_product_6(r, a, b, w);
        break;
    case 8:
        wide_product_8(r, a, b, w);
        break;
    default:
        wide_product_10(r, a, b, w);
    }
}

static wide wide_place(void *memory, size_t s, size_t numbers)
{
    wide w = {.s = s, .v = wide_vectors(s), .numbers = numbers, .base = memory};
    const size_t size = WIDE_LANES * w.v;
    w.rr = w.base + s * WIDE_LANES;
    w.n = w.rr + s * WIDE_LANES;
    w.n0 = w.n + s * WIDE_LANES;
    w.m = (vec *)memory + wide_inputs(s);
    w.above = w.m + size;
    w.x = w.above + size;
    w.factor = w.x + size;
    w.accumulator = w.factor + size;
    w.table = w.accumulator + size;
    return w;
}

/* A number of the group's, as given, to vectors. */
static void wide_load(const wide *w, vec *to, const uint64_t *from)
{
    memset(to, 0, WIDE_LANES * w->v * sizeof *to);
    for (size_t l = 0; l < w->numbers; l++) {
        vec_digit *const digits = (vec_digit *)(to + l * w->v);
        for (size_t j = 0; j < w->s; j++) {
            digits[j] = from[j * WIDE_LANES + l];
        }
    }
}

/* M = (W + 1) / 2^52. W = N * n0 has the lowest digit 2^52 - 1. */
static void wide_modulus(const wide *w)
{
    memset(w->m, 0, 2 * WIDE_LANES * w->v * sizeof *w->m);
    for (size_t l = 0; l < w->numbers; l++) {
        vec_digit *const m = (vec_digit *)(w->m + l * w->v), *const above = (vec_digit *)(w->above + l * w->v);
        uint64_t carry = (uint64_t)(((wide_sum)w->n[l] * w->n0[l] + 1) >> 52);
        for (size_t j = 1; j < w->s; j++) {
            const wide_sum sum = (wide_sum)w->n[j * WIDE_LANES + l] * w->n0[l] + carry;
            m[j - 1] = above[j] = (uint64_t)sum & wide_low;
            carry = (uint64_t)(sum >> 52);
        }
    }
}

/* The results of the accumulators, out of Montgomery form, where the bases were: x / R mod N, at most N as x < R. */
static void wide_leave(const wide *w)
{
    for (size_t l = 0; l < w->numbers; l++) {
        vec_digit *const x = (vec_digit *)(w->accumulator + l * w->v);
        const uint64_t *const n = w->n + l;
        for (size_t i = 0; i < w->s; i++) {
            const uint64_t q = (x[0] * w->n0[l]) & wide_low;
            uint64_t carry = (uint64_t)(((wide_sum)q * n[0] + x[0]) >> 52);
            for (size_t j = 1; j < w->s; j++) {
                const wide_sum sum = (wide_sum)q * n[j * WIDE_LANES] + x[j] + carry;
                x[j - 1] = (uint64_t)sum & wide_low;
                carry = (uint64_t)(sum >> 52);
            }
            x[w->s - 1] = carry;
        }
        for (size_t j = 0; j < w->s; j++) {
            w->base[j * WIDE_LANES + l] = x[j];
        }
    }
}

/* to = each number's entry of its index. */
static void wide_look_up(const wide *w, vec *to, const monpro_lanes_group *group, size_t from, unsigned count)
{
    for (size_t l = 0; l < w->numbers; l++) {
        const vec wanted = vec_set(monpro_exponent_digit(&group->exponents[l], from, count));
        vec e = vec_zero(), picked[WIDE_MAX];
        for (size_t i = 0; i < WIDE_MAX; i++) {
            picked[i] = vec_zero();
        }
        for (size_t entry = 0; entry < (size_t)1 << group->window; entry++) {
            const vec_mask_of chosen = vec_equal(wanted, e);
            for (size_t i = 0; i < w->v; i++) {
                picked[i] = vec_choose(picked[i], chosen, w->table + (entry * WIDE_LANES + l) * w->v + i);
            }
            e = vec_add(e, vec_set(1));
        }
        memcpy(to + l * w->v, picked, w->v * sizeof *to);
    }
}

static void wide_shared_exponent(const wide *w, const monpro_exponent *exponent)
{
    size_t bit = exponent->bits;
    while (bit > 0 && monpro_exponent_digit(exponent, bit - 1, 1) == 0) {
        bit--;
    }
    memcpy(w->accumulator, bit == 0 ? w->factor : w->x, WIDE_LANES * w->v * sizeof *w->x);
    for (bit -= bit > 0; bit-- > 0;) {
        wide_multiply(w, w->accumulator, w->accumulator, w->accumulator);
        if (monpro_exponent_digit(exponent, bit, 1) != 0) {
            wide_multiply(w, w->accumulator, w->accumulator, w->x);
        }
    }
}

static void wide_own_exponents(const wide *w, const monpro_lanes_group *group)
{
    const size_t size = WIDE_LANES * w->v;
    const unsigned window = group->window;
    memcpy(w->table, w->factor, size * sizeof *w->table);
    memcpy(w->table + size, w->x, size * sizeof *w->table);
    for (size_t e = 2; e < (size_t)1 << window; e++) {
        const vec *const half = w->table + e / 2 * size;
        wide_multiply(w, w->table + e * size, e % 2 == 0 ? half : w->table + (e - 1) * size, e % 2 == 0 ? half : w->x);
    }
    size_t from = (group->bits - 1) / window * window;
    wide_look_up(w, w->accumulator, group, from, (unsigned)(group->bits - from));
    while (from > 0) {
        from -= window;
        for (unsigned i = 0; i < window; i++) {
            wide_multiply(w, w->accumulator, w->accumulator, w->accumulator);
        }
        wide_look_up(w, w->factor, group, from, window);
        wide_multiply(w, w->accumulator, w->accumulator, w->factor);
    }
}

static void wide_run(const monpro_lanes_group *group)
{
    const wide w = wide_place(group->memory, group->digits, group->used);
    wide_modulus(&w);
    wide_load(&w, w.accumulator, w.rr);
    wide_load(&w, w.x, w.base);
    memset(w.factor, 0, WIDE_LANES * w.v * sizeof *w.factor);
    for (size_t l = 0; l < w.numbers; l++) {
        ((vec_digit *)(w.factor + l * w.v))[0] = 1;
    }
    wide_multiply(&w, w.x, w.x, w.accumulator);           /* base, entered */
    wide_multiply(&w, w.factor, w.factor, w.accumulator); /* 1, entered */
    if (group->window == 0) {
        wide_shared_exponent(&w, &group->exponents[0]);
    } else {
        wide_own_exponents(&w, group);
    }
    wide_leave(&w);
}
