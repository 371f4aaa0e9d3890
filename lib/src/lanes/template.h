/* Exponentiations side by side, one in each lane of a vector: the algorithm, once for all machines. A file that
 * includes this one has chosen its vector primitives (lanes/avx2/avx2.h; lanes/ifma/ifma.h, over real instructions or
 * over those of lanes/portable/portable.c):
 *
 *   LANES              lanes of a vector; `vec` is a vector, with a 64-bit number in each lane
 *   DIGIT_BITS         d: numbers are s digits below 2^d, least significant first, one vector for each digit
 *   HAS_HIGH           1: a product of digits comes in two halves of d bits, mac_low() and mac_high();
 *                      0: mac_low() adds the whole product of 2d bits, which a column has room for
 *   ENTRY_VECS(s)      vectors of a table's entry, with pack() and unpack(); a look-up picks PICKED of them at a time
 *   EACH_FIXED(X)      or nothing: X(s) for each s that has code of its own
 *
 * Almost-Montgomery product, R = 2^(d*s) > 4N, so that s = ceil((bits + 2) / d):
 *
 *     r = (a * b + q * N) / R,  q = -a * b / N mod R
 *     a, b < 2N:  r < (4N^2 + R*N) / R < 2N; no final subtraction, and r is again an operand
 *
 * Column k is the sum of all a_i * b_j and q_i * N_j with i + j = k, and of the carry from column k - 1. Columns 0 to s
 * - 1 end in zero, and that gives q. The digits of r are columns s to 2s - 1 modulo 2^d. A column has room enough; its
 * carry in is below 2^(64-d):
 *
 *     HAS_HIGH:  4s * 2^d < 2^63                    any s of ours
 *     else       s * (2^d - 1)^2 + 2^(65-d) < 2^64  a * b alone; what is above d bits then goes to the next column
 *                                                   (fold), and q * N has the room again: s < 2^(64-2d) - 1
 *
 * A square has each a_i * a_j with i < j once, in columns that are then doubled: no more than a * b has.
 *
 * Work: a product is 2s^2 + s products of digits, a square 1.5s^2 + 1.5s. With HAS_HIGH each takes two instructions.
 * Columns go by blocks of four and rows by fours, so a tile of 16 products loads 11 digits.
 *
 * Constant time: everything, in all but s, the window, and the bits of exponents that are processed. A look-up reads
 * the whole table. A shared exponent (public) steers branches.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "lanes/lanes.h"

/* Sums stay in registers only if all of a product is one function. */
#if !defined(INLINE)
#define INLINE static inline __attribute__((always_inline))
#endif
enum { SPARE_BITS = 2, BLOCK = 4, SQUARE_END = 8 /* columns at the end of a square that do not save what is below the diagonal */ };

/* The sums of four columns; with HAS_HIGH what belongs a column further on apart, which also shortens the chains. */
typedef struct columns {
    vec low[BLOCK], high[BLOCK];
} columns;

/* What is carried into the next column, at most 2^(64-d); and, HAS_HIGH, the high halves of the column before. */
typedef struct state {
    vec carry, folded;
} state;

INLINE void mac(columns *c, int column, vec x, vec y)
{
    c->low[column] = mac_low(c->low[column], x, y);
#if HAS_HIGH
    c->high[column] = mac_high(c->high[column], x, y);
#endif
}

/* A row of all four columns: x times y[0], y[1], ... */
INLINE void row4(columns *c, vec x, const vec *y)
{
    mac(c, 0, x, y[0]);
    mac(c, 1, x, y[1]);
    mac(c, 2, x, y[2]);
    mac(c, 3, x, y[3]);
}

/* Rows i = k + 1 to k + 3, which are in the last columns of the block only: y_0 and on. */
INLINE void rows_at_the_low_end(columns *c, const vec *x, const vec *y)
{
    mac(c, 1, x[0], y[0]);
    mac(c, 2, x[0], y[1]);
    mac(c, 3, x[0], y[2]);
    mac(c, 2, x[1], y[0]);
    mac(c, 3, x[1], y[1]);
    mac(c, 3, x[2], y[0]);
}

/* Rows i = k - s + 1 to k - s + 3, which are in the first columns only: up to y_(s-1). */
INLINE void rows_at_the_high_end(columns *c, const vec *x, const vec *y_end)
{
    mac(c, 0, x[0], y_end[-1]);
    mac(c, 0, x[1], y_end[-2]);
    mac(c, 1, x[1], y_end[-1]);
    mac(c, 0, x[2], y_end[-3]);
    mac(c, 1, x[2], y_end[-2]);
    mac(c, 2, x[2], y_end[-1]);
}

INLINE columns no_columns(void)
{
    const vec zero = vec_zero();
    return (columns){{zero, zero, zero, zero}, {zero, zero, zero, zero}};
}

INLINE void double_columns(columns *c)
{
    for (int i = 0; i < BLOCK; i++) {
        c->low[i] = vec_add(c->low[i], c->low[i]);
#if HAS_HIGH
        c->high[i] = vec_add(c->high[i], c->high[i]);
#endif
    }
}

/* Makes room for q * N; what leaves the block for the column after it is kept. */
INLINE void fold(columns *c, state *st)
{
#if !HAS_HIGH
    const vec out = vec_shift(c->low[3]);
    c->low[3] = vec_add(vec_mask(c->low[3]), vec_shift(c->low[2]));
    c->low[2] = vec_add(vec_mask(c->low[2]), vec_shift(c->low[1]));
    c->low[1] = vec_add(vec_mask(c->low[1]), vec_shift(c->low[0]));
    c->low[0] = vec_add(vec_mask(c->low[0]), st->folded);
    st->folded = out;
#else
    (void)c;
    (void)st;
#endif
}

/* The sum of a column and of the carry from the column before. */
INLINE vec total(vec low, vec high, state *st)
{
    const vec sum = vec_add(low, st->carry);
#if HAS_HIGH
    const vec whole = vec_add(sum, st->folded);
    st->folded = high;
    return whole;
#else
    (void)high;
    return sum;
#endif
}

/* q of a low column, whose sum has everything but q * N_0; the carry goes on. */
INLINE vec quotient(vec low, vec high, state *st, vec n0, vec n_0)
{
    vec sum = total(low, high, st);
    const vec q = quotient_digit(sum, n0);
    sum = mac_low(sum, q, n_0);
#if HAS_HIGH
    st->folded = mac_high(st->folded, q, n_0);
#endif
    st->carry = vec_shift(sum);
    return q;
}

INLINE vec digit(vec low, vec high, state *st)
{
    const vec sum = total(low, high, st);
    st->carry = vec_shift(sum);
    return vec_mask(sum);
}

#define UNROLLED
#define NAMED(name) name##_any
#include "lanes/product.h"
#undef UNROLLED
#undef NAMED
#if defined(EACH_FIXED)
#if defined(__clang__) /* it warns where it does not obey */
#define UNROLLED
#else
#define UNROLLED _Pragma("GCC unroll 64")
#endif
#define NAMED(name) name##_fixed
#include "lanes/product.h"
#endif

/* One function for each count of digits that has one, and one for any. */
#define PRODUCTS(name, kind, digits)                                                                                        \
    static __attribute__((noinline)) void multiply_##name(vec *r, const vec *a, const vec *b, const vec *n,            \
                                                          const vec *n0, vec *q, size_t s)                             \
    {                                                                                                                  \
        (void)s;                                                                                                       \
        product_##kind(r, a, b, n, n0, q, digits, false);                                                              \
    }                                                                                                                  \
    static __attribute__((noinline)) void square_##name(vec *r, const vec *a, const vec *n, const vec *n0, vec *q,     \
                                                        size_t s)                                                      \
    {                                                                                                                  \
        (void)s;                                                                                                       \
        product_##kind(r, a, a, n, n0, q, digits, true);                                                               \
    }
#define PRODUCTS_FIXED(digits) PRODUCTS(digits, fixed, digits)
PRODUCTS(any, any, s)
#if defined(EACH_FIXED)
EACH_FIXED(PRODUCTS_FIXED)
#endif

static void multiply(vec *r, const vec *a, const vec *b, const vec *n, const vec *n0, vec *q, size_t s)
{
#if defined(EACH_FIXED)
#define MULTIPLY(digits)                                                                                               \
    if (s == (digits)) {                                                                                               \
        multiply_##digits(r, a, b, n, n0, q, s);                                                                       \
        return;                                                                                                        \
    }
    EACH_FIXED(MULTIPLY)
#endif
    multiply_any(r, a, b, n, n0, q, s);
}

static void square(vec *r, const vec *a, const vec *n, const vec *n0, vec *q, size_t s)
{
#if defined(EACH_FIXED)
#define SQUARE(digits)                                                                                                 \
    if (s == (digits)) {                                                                                               \
        square_##digits(r, a, n, n0, q, s);                                                                            \
        return;                                                                                                        \
    }
    EACH_FIXED(SQUARE)
#endif
    square_any(r, a, n, n0, q, s);
}

/* r = the entry of each lane's index. All `entries` entries are read. */
static void look_up(vec *r, const vec *table, vec wanted, unsigned entries, size_t s)
{
    const size_t size = ENTRY_VECS(s);
    const vec one = vec_set(1);
    for (size_t j = 0; j < size; j += PICKED) {
        const size_t count = size - j < PICKED ? size - j : PICKED;
        vec picked[PICKED], e = vec_zero();
        for (size_t i = 0; i < PICKED; i++) {
            picked[i] = vec_zero();
        }
        if (count == PICKED) {
            for (unsigned entry = 0; entry < entries; entry++) {
                const vec_mask_of chosen = vec_equal(wanted, e);
                for (size_t i = 0; i < PICKED; i++) {
                    picked[i] = vec_choose(picked[i], chosen, table + entry * size + j + i);
                }
                e = vec_add(e, one);
            }
            unpack(r, picked, j, PICKED, s);
        } else {
            for (unsigned entry = 0; entry < entries; entry++) {
                const vec_mask_of chosen = vec_equal(wanted, e);
                for (size_t i = 0; i < count; i++) {
                    picked[i] = vec_choose(picked[i], chosen, table + entry * size + j + i);
                }
                e = vec_add(e, one);
            }
            unpack(r, picked, j, count, s);
        }
    }
}

/* The parts of a group's memory: see lanes.h. */
typedef struct places {
    vec *base, *rr, *n, *n0, *accumulator, *factor, *q, *table;
} places;

static places place(void *memory, size_t s)
{
    places p = {.base = memory};
    p.rr = p.base + s;
    p.n = p.rr + s;
    p.n0 = p.n + s;
    p.accumulator = p.n0 + 1;
    p.factor = p.accumulator + s;
    p.q = p.factor + s;
    p.table = p.q + s;
    return p;
}

static size_t memory_size(size_t s, unsigned window)
{
    return (6 * s + 1 + (ENTRY_VECS(s) << window)) * sizeof(vec);
}

/* base, entered; then accumulator = base^exponent for one public exponent, from its highest set bit down. */
static void shared_exponent(const places *p, const monpro_exponent *exponent, size_t s)
{
    size_t bit = exponent->bits;
    while (bit > 0 && monpro_exponent_digit(exponent, bit - 1, 1) == 0) {
        bit--;
    }
    if (bit == 0) { /* R mod N is R^2 / R */
        memset(p->factor, 0, s * sizeof(vec));
        p->factor[0] = vec_set(1);
        multiply(p->accumulator, p->rr, p->factor, p->n, p->n0, p->q, s);
        return;
    }
    multiply(p->base, p->base, p->rr, p->n, p->n0, p->q, s);
    memcpy(p->accumulator, p->base, s * sizeof(vec));
    for (bit--; bit-- > 0;) {
        square(p->accumulator, p->accumulator, p->n, p->n0, p->q, s);
        if (monpro_exponent_digit(exponent, bit, 1) != 0) {
            multiply(p->accumulator, p->accumulator, p->base, p->n, p->n0, p->q, s);
        }
    }
}

/* The exponents, side by side like all else: word i of each lane's, and a zero after the last. */
typedef struct exponent_words {
    uint64_t lane[(MONPRO_MAX_BITS + 63) / 64 + 1][LANES];
} exponent_words;

static void load_exponents(exponent_words *words, const monpro_lanes_group *group)
{
    const size_t count = (group->bits + 63) / 64;
    for (size_t lane = 0; lane < LANES; lane++) {
        const monpro_exponent *const exponent = &group->exponents[lane];
        for (size_t i = 0, left = exponent->size; i <= count; i++) {
            uint64_t word = 0;
            if (i < count && left >= 8) {
                left -= 8;
                word = monpro_load_eight(exponent->bytes + left);
            } else if (i < count) {
                for (unsigned place = 0; left > 0; place += 8) {
                    word |= (uint64_t)exponent->bytes[--left] << place;
                }
            }
            words->lane[i][lane] = word;
        }
    }
}

static void choose_entry(const places *p, vec *to, const monpro_lanes_group *group, const exponent_words *words,
                         size_t from, unsigned count)
{
    const vec bits = vec_bits(vec_load(words->lane[from / 64]), vec_load(words->lane[from / 64 + 1]), from % 64);
    look_up(to, p->table, vec_and(bits, vec_set((1u << count) - 1)), 1u << group->window, group->digits);
}

/* Fixed window: as modexp.c, with an exponent for each lane. */
static void own_exponents(const places *p, const monpro_lanes_group *group)
{
    const size_t s = group->digits, size = ENTRY_VECS(s);
    const unsigned window = group->window, entries = 1u << window;
    exponent_words words;
    load_exponents(&words, group);
    memset(p->factor, 0, s * sizeof(vec));
    p->factor[0] = vec_set(1);
    multiply(p->accumulator, p->rr, p->factor, p->n, p->n0, p->q, s);
    pack(p->table, p->accumulator, s);
    multiply(p->base, p->base, p->rr, p->n, p->n0, p->q, s);
    pack(p->table + size, p->base, s);
    for (unsigned e = 2; e < entries; e++) {
        unpack(p->factor, p->table + (e % 2 == 0 ? e / 2 : e - 1) * size, 0, size, s);
        if (e % 2 == 0) {
            square(p->factor, p->factor, p->n, p->n0, p->q, s);
        } else {
            multiply(p->factor, p->factor, p->base, p->n, p->n0, p->q, s);
        }
        pack(p->table + e * size, p->factor, s);
    }
    size_t from = (group->bits - 1) / window * window;
    choose_entry(p, p->accumulator, group, &words, from, (unsigned)(group->bits - from));
    while (from > 0) {
        from -= window;
        for (unsigned i = 0; i < window; i++) {
            square(p->accumulator, p->accumulator, p->n, p->n0, p->q, s);
        }
        choose_entry(p, p->factor, group, &words, from, window);
        multiply(p->accumulator, p->accumulator, p->factor, p->n, p->n0, p->q, s);
    }
    monpro_wipe(&words, ((group->bits + 63) / 64 + 1) * sizeof words.lane[0]);
}

static void run(const monpro_lanes_group *group)
{
    const size_t s = group->digits;
    const places p = place(group->memory, s);
    if (group->window == 0) {
        shared_exponent(&p, &group->exponents[0], s);
    } else {
        own_exponents(&p, group);
    }
    memset(p.factor, 0, s * sizeof(vec));
    p.factor[0] = vec_set(1);
    multiply(p.base, p.accumulator, p.factor, p.n, p.n0, p.q, s); /* at most N */
}
