/* The products of lanes/template.h. That file includes this one once for any count of digits, and once more for each
 * count for which a kernel has code of its own. NAMED() tells the functions apart. UNROLLED makes their loops straight
 * code.
 *
 * SPDX-License-Identifier: Apache-2.0 */

/* Rows first to last - 1 of columns k to k + 3: x_i * y_(k-i), all indices in range. */
INLINE void NAMED(rows)(columns *c, const vec *x, const vec *y, size_t k, size_t first, size_t last)
{
    size_t i = first;
    UNROLLED for (; i + 4 <= last; i += 4) {
        const vec *const at = y + (k - i);
        row4(c, x[i], at);
        row4(c, x[i + 1], at - 1);
        row4(c, x[i + 2], at - 2);
        row4(c, x[i + 3], at - 3);
    }
    UNROLLED for (; i < last; i++) {
        row4(c, x[i], y + (k - i));
    }
}

/* One column k of a * b (or, square, of a * a), and of q * N, before any carry; as a block's first. */
INLINE columns NAMED(one_column)(const vec *a, const vec *b, const vec *q, const vec *n, size_t s, size_t k, bool square,
                                 state *st)
{
    columns c = no_columns();
    const size_t first = k < s ? 0 : k - s + 1, end = k < s ? k + 1 : s;
    if (square) {
        size_t i = first;
        UNROLLED for (; i < k - i; i++) {
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
        UNROLLED for (size_t i = first; i < end; i++) {
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
    UNROLLED for (size_t i = first; i < (k < s ? k : s); i++) {
        mac(&c, 0, q[i], n[k - i]);
    }
    return c;
}

/* The part a * a of columns k to k + 3, for a k and an end of the first row (`first` is the first full one) that leave
 * at least one row in all of them. Of x = k / 2: an even k has full rows below x, an odd one to x. */
INLINE void NAMED(square_block)(columns *c, const vec *a, size_t k, size_t first)
{
    const size_t x = k / 2;
    if (k % 2 != 0) {
        NAMED(rows)(c, a, a, k, first, x + 1);
        mac(c, 2, a[x + 1], a[x + 2]);
        mac(c, 3, a[x + 1], a[x + 3]);
        double_columns(c);
        mac(c, 1, a[x + 1], a[x + 1]);
        mac(c, 3, a[x + 2], a[x + 2]);
    } else {
        NAMED(rows)(c, a, a, k, first, x);
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
INLINE void NAMED(product)(vec *r, const vec *a, const vec *b, const vec *n, const vec *n0_at, vec *q, size_t s, bool square)
{
    const vec n0 = *n0_at;
    state st = {vec_zero(), vec_zero()};
    size_t k = 0;
    UNROLLED for (; k < s % BLOCK; k++) { /* the short columns go one by one, so that the others are whole blocks */
        const columns c = NAMED(one_column)(a, b, q, n, s, k, square, &st);
        q[k] = quotient(c.low[0], c.high[0], &st, n0, n[0]);
    }
    UNROLLED for (; k < s; k += BLOCK) {
        columns c = no_columns();
        if (square) {
            NAMED(square_block)(&c, a, k, 0);
        } else {
            NAMED(rows)(&c, a, b, k, 0, k + 1);
            rows_at_the_low_end(&c, a + k + 1, b);
        }
        fold(&c, &st);
        NAMED(rows)(&c, q, n, k, 0, k);
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
    UNROLLED for (; k + BLOCK <= 2 * s; k += BLOCK) {
        const size_t u = k - s;
        columns c = no_columns();
        rows_at_the_high_end(&c, a + u + 1, b + s);
        if (square && k + SQUARE_END <= 2 * s) {
            NAMED(square_block)(&c, a, k, u + 4);
        } else {
            NAMED(rows)(&c, a, b, k, u + 4, s);
        }
        fold(&c, &st);
        rows_at_the_high_end(&c, q + u + 1, n + s);
        NAMED(rows)(&c, q, n, k, u + 4, s);
        r[u] = digit(c.low[0], c.high[0], &st);
        r[u + 1] = digit(c.low[1], c.high[1], &st);
        r[u + 2] = digit(c.low[2], c.high[2], &st);
        r[u + 3] = digit(c.low[3], c.high[3], &st);
    }
    UNROLLED for (; k < 2 * s; k++) {
        const columns c = NAMED(one_column)(a, b, q, n, s, k, square, &st);
        r[k - s] = digit(c.low[0], c.high[0], &st);
    }
}
