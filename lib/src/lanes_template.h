/* Exponentiations side by side, one in each lane of a vector: the algorithm, once for all machines. A file that includes
 * this has chosen its vector primitives (lanes_avx2.h, lanes_ifma.h, lanes_portable.h):
 *
 *   LANES              of a vector; `vec` is one, of a 64-bit number a lane
 *   DIGIT_BITS         d: numbers are s digits below 2^d, least significant first, a vector each
 *   HAS_HIGH           1: a product of digits comes in two halves of d bits, mac_low() and mac_high();
 *                      0: mac_low() adds the whole product of 2d bits, which a column has room for
 *   ENTRY_VECS(s)      vectors of a table's entry, with pack() and unpack()
 *
 * Almost-Montgomery product, R = 2^(d*s) > 4N, so that s = ceil((bits + 2) / d):
 *     r = (a * b + q * N) / R,  q = -a * b / N mod R
 *     a, b < 2N:  r < (4N^2 + R*N) / R < 2N; no final subtraction, and r is again an operand
 * Column k is the sum of all a_i * b_j and q_i * N_j with i + j = k, and of what column k - 1 carries. Columns 0 to
 * s - 1 end in zero, which is what gives q; the digits of r are columns s to 2s - 1 modulo 2^d. Room in a column, whose
 * carry in is below 2^(64-d):
 *     HAS_HIGH:  4s * 2^d < 2^63                    any s of ours
 *     else       s * (2^d - 1)^2 + 2^(65-d) < 2^64  a * b alone; what is above d bits then goes to the next column
 *                                                   (fold), and q * N has the room again: s < 2^(64-2d) - 1
 * A square has each a_i * a_j with i < j once, in columns that are then doubled: no more than a * b has.
 *
 * Work: 2s^2 + s products of digits, a square 1.5s^2 + 1.5s; with HAS_HIGH two instructions each. Columns go by blocks of
 * four and rows by fours, so that a tile of 16 products loads 11 digits.
 * Constant time: everything, in all but s, the window, and the bits of exponents that are processed. A look-up reads the
 * whole table. A shared exponent (public) steers branches. */
#include <string.h>

#include "lanes.h"

/* Sums stay in registers only if all of a product is one function. */
#if !defined(INLINE)
#define INLINE static inline __attribute__((always_inline))
#endif

enum { BLOCK = 4, SQUARE_END = 8 /* columns at the end of a square that do not save what is below the diagonal */ };

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

/* Rows first to last - 1 of columns k to k + 3: x_i * y_(k-i), all indices in range. */
INLINE void rows(columns *c, const vec *x, const vec *y, size_t k, size_t first, size_t last)
{
    size_t i = first;
    for (; i + 4 <= last; i += 4) {
        const vec *const at = y + (k - i);
        row4(c, x[i], at);
        row4(c, x[i + 1], at - 1);
        row4(c, x[i + 2], at - 2);
        row4(c, x[i + 3], at - 3);
    }
    for (; i < last; i++) {
        row4(c, x[i], y + (k - i));
    }
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

/* The sum of a column and of what came from before. */
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

/* One column k of a * b (or, square, of a * a), and of q * N, before any carry; as a block's first. */
static __attribute__((noinline)) columns one_column(const vec *a, const vec *b, const vec *q, const vec *n, size_t s,
                                                    size_t k, bool square, state *st)
{
    columns c = no_columns();
    const size_t first = k < s ? 0 : k - s + 1, end = k < s ? k + 1 : s;
    if (square) {
        size_t i = first;
        for (; i < k - i; i++) {
            mac(&c, 0, a[i], a[k - i]);
        }
        c.low[0] = vec_add(c.low[0], c.low[0]);
#if HAS_HIGH
        c.high[0] = vec_add(c.high[0], c.high[0]);
#endif
        if (k % 2 == 0 && k / 2 < s) {
            mac(&c, 0, a[k / 2], a[k / 2]);
        }
    } else {
        for (size_t i = first; i < end; i++) {
            mac(&c, 0, a[i], b[k - i]);
        }
    }
#if !HAS_HIGH
    const vec out = vec_shift(c.low[0]);
    c.low[0] = vec_add(vec_mask(c.low[0]), st->folded);
    st->folded = out;
#else
    (void)st;
#endif
    for (size_t i = first; i < (k < s ? k : s); i++) {
        mac(&c, 0, q[i], n[k - i]);
    }
    return c;
}

/* The part a * a of columns k to k + 3, for a k and an end of the first row (`first` is the first full one) that leave
 * at least one row in all of them. Of x = k / 2: an even k has full rows below x, an odd one to x. */
INLINE void square_block(columns *c, const vec *a, size_t k, size_t first)
{
    const size_t x = k / 2;
    if (k % 2 != 0) {
        rows(c, a, a, k, first, x + 1);
        mac(c, 2, a[x + 1], a[x + 2]);
        mac(c, 3, a[x + 1], a[x + 3]);
        double_columns(c);
        mac(c, 1, a[x + 1], a[x + 1]);
        mac(c, 3, a[x + 2], a[x + 2]);
    } else {
        rows(c, a, a, k, first, x);
        mac(c, 1, a[x], a[x + 1]);
        mac(c, 2, a[x], a[x + 2]);
        mac(c, 3, a[x], a[x + 3]);
        mac(c, 3, a[x + 1], a[x + 2]);
        double_columns(c);
        mac(c, 0, a[x], a[x]);
        mac(c, 2, a[x + 1], a[x + 1]);
    }
}

/* r = a * b / R mod N, almost: see above. r may be an operand. q has room for s digits. */
INLINE void product(vec *r, const vec *a, const vec *b, const vec *n, const vec *n0_at, vec *q, size_t s, bool square)
{
    const vec n0 = *n0_at;
    state st = {vec_zero(), vec_zero()};
    size_t k = 0;
    for (; k < s % BLOCK; k++) { /* the short columns go one by one, so that the others are whole blocks */
        const columns c = one_column(a, b, q, n, s, k, square, &st);
        q[k] = quotient(c.low[0], c.high[0], &st, n0, n[0]);
    }
    for (; k < s; k += BLOCK) {
        columns c = no_columns();
        if (square) {
            square_block(&c, a, k, 0);
        } else {
            rows(&c, a, b, k, 0, k + 1);
            rows_at_the_low_end(&c, a + k + 1, b);
        }
        fold(&c, &st);
        rows(&c, q, n, k, 0, k);
        const vec q0 = quotient(c.low[0], c.high[0], &st, n0, n[0]);
        mac(&c, 1, q0, n[1]);
        mac(&c, 2, q0, n[2]);
        mac(&c, 3, q0, n[3]);
        const vec q1 = quotient(c.low[1], c.high[1], &st, n0, n[0]);
        mac(&c, 2, q1, n[1]);
        mac(&c, 3, q1, n[2]);
        const vec q2 = quotient(c.low[2], c.high[2], &st, n0, n[0]);
        mac(&c, 3, q2, n[1]);
        q[k] = q0;
        q[k + 1] = q1;
        q[k + 2] = q2;
        q[k + 3] = quotient(c.low[3], c.high[3], &st, n0, n[0]);
    }
    /* Column k = s + u writes digit u of r, and those after it read a_(u+1) and on: r may be a or b. */
    for (; k + BLOCK <= 2 * s; k += BLOCK) {
        const size_t u = k - s;
        columns c = no_columns();
        rows_at_the_high_end(&c, a + u + 1, b + s);
        if (square && k + SQUARE_END <= 2 * s) {
            square_block(&c, a, k, u + 4);
        } else {
            rows(&c, a, b, k, u + 4, s);
        }
        fold(&c, &st);
        rows_at_the_high_end(&c, q + u + 1, n + s);
        rows(&c, q, n, k, u + 4, s);
        r[u] = digit(c.low[0], c.high[0], &st);
        r[u + 1] = digit(c.low[1], c.high[1], &st);
        r[u + 2] = digit(c.low[2], c.high[2], &st);
        r[u + 3] = digit(c.low[3], c.high[3], &st);
    }
    for (; k < 2 * s; k++) {
        const columns c = one_column(a, b, q, n, s, k, square, &st);
        r[k - s] = digit(c.low[0], c.high[0], &st);
    }
}

static __attribute__((noinline)) void multiply(vec *r, const vec *a, const vec *b, const vec *n, const vec *n0, vec *q,
                                               size_t s)
{
    product(r, a, b, n, n0, q, s, false);
}

static __attribute__((noinline)) void square(vec *r, const vec *a, const vec *n, const vec *n0, vec *q, size_t s)
{
    product(r, a, a, n, n0, q, s, true);
}

/* r = the entry of each lane's index, of `entries`, every one of which is read. */
static void look_up(vec *r, const vec *table, vec *masks, const uint64_t *index, unsigned entries, size_t s)
{
    const size_t size = ENTRY_VECS(s);
    const vec wanted = vec_load(index);
    vec entry[BLOCK];
    for (unsigned e = 0; e < entries; e++) {
        masks[e] = vec_equal(wanted, vec_set(e));
    }
    size_t j = 0;
    for (; j + BLOCK <= size; j += BLOCK) {
        vec x0 = vec_zero(), x1 = x0, x2 = x0, x3 = x0;
        for (unsigned e = 0; e < entries; e++) {
            const vec *const from = table + e * size + j;
            x0 = vec_choose(x0, masks[e], from[0]);
            x1 = vec_choose(x1, masks[e], from[1]);
            x2 = vec_choose(x2, masks[e], from[2]);
            x3 = vec_choose(x3, masks[e], from[3]);
        }
        entry[0] = x0;
        entry[1] = x1;
        entry[2] = x2;
        entry[3] = x3;
        unpack(r, entry, j, BLOCK, s);
    }
    for (; j < size; j++) {
        entry[0] = vec_zero();
        for (unsigned e = 0; e < entries; e++) {
            entry[0] = vec_choose(entry[0], masks[e], table[e * size + j]);
        }
        unpack(r, entry, j, 1, s);
    }
}

/* The parts of a group's memory: see lanes.h. */
typedef struct places {
    vec *base, *rr, *n, *n0, *accumulator, *factor, *q, *masks, *table;
} places;

static places place(void *memory, size_t s, unsigned window)
{
    places p = {.base = memory};
    p.rr = p.base + s;
    p.n = p.rr + s;
    p.n0 = p.n + s;
    p.accumulator = p.n0 + 1;
    p.factor = p.accumulator + s;
    p.q = p.factor + s;
    p.masks = p.q + s;
    p.table = p.masks + ((size_t)1 << window);
    return p;
}

static size_t memory_size(size_t s, unsigned window)
{
    return (6 * s + 1 + ((1 + ENTRY_VECS(s)) << window)) * sizeof(vec);
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

static void choose_entry(const places *p, vec *to, const monpro_lanes_group *group, size_t from, unsigned count)
{
    uint64_t index[LANES];
    for (size_t lane = 0; lane < LANES; lane++) {
        index[lane] = monpro_exponent_digit(&group->exponents[lane], from, count);
    }
    look_up(to, p->table, p->masks, index, 1u << group->window, group->digits);
    monpro_wipe(index, sizeof index);
}

/* Fixed window: as modexp.c, with an exponent for each lane. */
static void own_exponents(const places *p, const monpro_lanes_group *group)
{
    const size_t s = group->digits, size = ENTRY_VECS(s);
    const unsigned window = group->window, entries = 1u << window;
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
    choose_entry(p, p->accumulator, group, from, (unsigned)(group->bits - from));
    while (from > 0) {
        from -= window;
        for (unsigned i = 0; i < window; i++) {
            square(p->accumulator, p->accumulator, p->n, p->n0, p->q, s);
        }
        choose_entry(p, p->factor, group, from, window);
        multiply(p->accumulator, p->accumulator, p->factor, p->n, p->n0, p->q, s);
    }
}

static void run(const monpro_lanes_group *group)
{
    const size_t s = group->digits;
    const places p = place(group->memory, s, group->window);
    if (group->window == 0) {
        shared_exponent(&p, &group->exponents[0], s);
    } else {
        own_exponents(&p, group);
    }
    memset(p.factor, 0, s * sizeof(vec));
    p.factor[0] = vec_set(1);
    multiply(p.base, p.accumulator, p.factor, p.n, p.n0, p.q, s); /* at most N */
}
