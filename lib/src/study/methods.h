/* The five methods, r = a * b / R mod n for a, b < n, R = W^s, W = 2^w, s digits of w bits. A part of
 * study/template.h, which has the names used here; the order of operations is that of Koc, Acar and Kaliski,
 * "Analyzing and Comparing Montgomery Multiplication Algorithms", IEEE Micro, June 1996.
 *
 * Counts of one product, as the paper counts: every digit is in memory but the carry C and the sum S at hand (a
 * compiler keeps more in registers). All methods: products of digits s^2 for a * b, s^2 for m * n, s for m. Before the
 * final subtraction:
 *
 *              additions              reads                  writes
 *     SOS      4s^2 + 2s              6s^2 + 3s              2s^2 + 3s + 1
 *       paper  4s^2 + 2s              6s^2 + 5s + 1          2s^2 + 5s + 1
 *     CIOS     4s^2 + 2s              6s^2 + 5s              2s^2 + 4s
 *       paper  the same               the same               the same
 *     FIOS     5s^2                   6s^2 + 2s              2s^2 + 2s
 *       paper  5s^2 + s               7s^2 + 3s              3s^2 + 3s
 *     FIPS     6s^2                   9s^2 + 6s              5s^2 + 7s
 *       paper  the same               the same               the same
 *     CIHS     4.5s^2 + 2.5s          7s^2 + 5s              3s^2 + 4s
 *       paper  4s^2 + 2s              6.5s^2 + 4.5s          3s^2 + 4s
 *
 * Around that, here: 2s + 1 additions, 4s + 1 reads, 2s writes and the zeros at the start (SOS s, CIOS s + 1, FIOS
 * s + 1, FIPS 3, CIHS s + 2). The paper: 2s + 2 additions, 2s + 2 reads, s + 1 writes; it does not count the zeros, and
 * it branches where a mask selects here (2s reads, s writes).
 *
 * Why they differ:
 *   SOS   The paper's ADD(t[i+s], C) lets a carry run up t as far as it goes, taken as two steps. That would tell of
 *         the operands; the carry bit waits in a register for the next row instead. The copy of t / R is left out.
 *   FIOS  The same, ADD(t[j+1], C) in each step: the bit waits for the next column. So t has s + 1 digits, not s + 3.
 *   CIHS  The paper sets t[s+1] := C where a carry may be there already, from another row or column, and loses it: with
 *         three digits or more some results are wrong. Here it is added.
 *
 * With w = 8 the sums of more than 128 products of digits outgrow three digits; the highest of them, in FIPS and CIHS,
 * has 16 bits then (type `top`) and counts as one digit.
 *
 * SPDX-License-Identifier: Apache-2.0 */

/* r = (t : t[s]) mod n for t[0..s] < 2n: always subtracts, and selects by mask. */
static void NAME(finish)(digit *r, const digit *t, const NAME(modulus) *c)
{
    const size_t s = c->digits;
    digit reduced[MAX_DIGITS];
    digit borrow = 0;
    for (size_t i = 0; i < s; i++) {
        const wide u = MINUS(MINUS(READ_AROUND(t[i]), READ_AROUND(c->n[i])), borrow);
        WRITE_AROUND(reduced[i], LOW(u));
        borrow = HIGH(u) & 1u;
    }
    /* t >= n exactly when t[s] is set or t - n does not borrow, and then the two are equal. */
    const digit smaller = (digit)monpro_barrier((digit)MINUS(READ_AROUND(t[s]), borrow));
    for (size_t i = 0; i < s; i++) {
        const digit difference = READ_AROUND(reduced[i]);
        WRITE_AROUND(r[i], (digit)(difference ^ (smaller & (READ_AROUND(t[i]) ^ difference))));
    }
    monpro_wipe(reduced, s * sizeof *reduced);
}

/* t[0..count) = 0. */
static inline void NAME(clear)(digit *t, size_t count, const NAME(modulus) *c)
{
    (void)c;
    for (size_t i = 0; i < count; i++) {
        WRITE_AROUND(t[i], 0);
    }
}

/* t[0..2s) = a * b: step 1 of SOS. */
static inline void NAME(multiply)(digit *t, const digit *a, const digit *b, const NAME(modulus) *c)
{
    const size_t s = c->digits;
    NAME(clear)(t, s, c);
    for (size_t i = 0; i < s; i++) {
        digit carry = 0;
        for (size_t j = 0; j < s; j++) {
            const wide u = PLUS(PLUS(PRODUCT_AB(READ(a[j]), READ(b[i])), READ(t[i + j])), carry);
            WRITE(t[i + j], LOW(u));
            carry = HIGH(u);
        }
        WRITE(t[i + s], carry);
    }
}

static void NAME(sos)(digit *r, const digit *a, const digit *b, const NAME(modulus) *c)
{
    const size_t s = c->digits;
    digit t[2 * MAX_DIGITS + 1];
    NAME(multiply)(t, a, b, c);
    digit over = 0;
    for (size_t i = 0; i < s; i++) {
        digit carry = 0, m;
        WRITE(m, PRODUCT_M(READ(t[i]), READ(c->n0)));
        for (size_t j = 0; j < s; j++) {
            const wide u = PLUS(PLUS(PRODUCT_MN(READ(m), READ(c->n[j])), READ(t[i + j])), carry);
            WRITE(t[i + j], LOW(u));
            carry = HIGH(u);
        }
        const wide u = PLUS(PLUS(READ(t[i + s]), carry), over);
        WRITE(t[i + s], LOW(u));
        over = HIGH(u);
    }
    WRITE(t[2 * s], over);
    NAME(finish)(r, t + s, c);
    monpro_wipe(t, (2 * s + 1) * sizeof *t);
}

/* t[0..s) = (t + m * n) / W with the m that makes this exact, and the value of column s of that before its last carry:
 * what CIOS and CIHS share. */
static inline wide NAME(reduce_row)(digit *t, const NAME(modulus) *c)
{
    const size_t s = c->digits;
    digit m;
    WRITE(m, PRODUCT_M(READ(t[0]), READ(c->n0)));
    wide u = PLUS(PRODUCT_MN(READ(m), READ(c->n[0])), READ(t[0]));
    digit carry = HIGH(u);
    for (size_t j = 1; j < s; j++) {
        u = PLUS(PLUS(PRODUCT_MN(READ(m), READ(c->n[j])), READ(t[j])), carry);
        WRITE(t[j - 1], LOW(u));
        carry = HIGH(u);
    }
    u = PLUS(READ(t[s]), carry);
    WRITE(t[s - 1], LOW(u));
    return HIGH(u);
}

static void NAME(cios)(digit *r, const digit *a, const digit *b, const NAME(modulus) *c)
{
    const size_t s = c->digits;
    digit t[MAX_DIGITS + 2];
    NAME(clear)(t, s + 1, c);
    for (size_t i = 0; i < s; i++) {
        digit carry = 0;
        for (size_t j = 0; j < s; j++) {
            const wide u = PLUS(PLUS(PRODUCT_AB(READ(a[j]), READ(b[i])), READ(t[j])), carry);
            WRITE(t[j], LOW(u));
            carry = HIGH(u);
        }
        const wide u = PLUS(READ(t[s]), carry);
        WRITE(t[s], LOW(u));
        WRITE(t[s + 1], HIGH(u));
        const wide over = NAME(reduce_row)(t, c);
        WRITE(t[s], LOW(PLUS(READ(t[s + 1]), over)));
    }
    NAME(finish)(r, t, c);
    monpro_wipe(t, (s + 2) * sizeof *t);
}

static void NAME(fios)(digit *r, const digit *a, const digit *b, const NAME(modulus) *c)
{
    const size_t s = c->digits;
    digit t[MAX_DIGITS + 1];
    NAME(clear)(t, s + 1, c);
    for (size_t i = 0; i < s; i++) {
        digit m;
        wide u = PLUS(PRODUCT_AB(READ(a[0]), READ(b[i])), READ(t[0]));
        wide v = PLUS(READ(t[1]), HIGH(u));
        WRITE(t[1], LOW(v));
        digit over = HIGH(v);
        WRITE(m, PRODUCT_M(LOW(u), READ(c->n0)));
        u = PLUS(PRODUCT_MN(READ(m), READ(c->n[0])), LOW(u));
        digit carry = HIGH(u);
        for (size_t j = 1; j < s; j++) {
            u = PLUS(PLUS(PRODUCT_AB(READ(a[j]), READ(b[i])), READ(t[j])), carry);
            v = PLUS(PLUS(READ(t[j + 1]), HIGH(u)), over);
            WRITE(t[j + 1], LOW(v));
            over = HIGH(v);
            u = PLUS(PRODUCT_MN(READ(m), READ(c->n[j])), LOW(u));
            WRITE(t[j - 1], LOW(u));
            carry = HIGH(u);
        }
        v = PLUS(READ(t[s]), carry);
        WRITE(t[s - 1], LOW(v));
        WRITE(t[s], LOW(PLUS(HIGH(v), over)));
    }
    NAME(finish)(r, t, c);
    monpro_wipe(t, (s + 1) * sizeof *t);
}

/* The three digits that a column is summed in. */
#define ADD_TO_T1(carry) \
    do { \
        const wide v = PLUS(READ(t1), carry); \
        WRITE(t1, LOW(v)); \
        WRITE(t2, (top)PLUS(READ(t2), HIGH(v))); \
    } while (0)
#define COLUMN_STEP(j) \
    do { \
        wide u = PLUS(PRODUCT_AB(READ(a[j]), READ(b[i - (j)])), READ(t0)); \
        ADD_TO_T1(HIGH(u)); \
        u = PLUS(PRODUCT_MN(READ(m[j]), READ(c->n[i - (j)])), LOW(u)); \
        WRITE(t0, LOW(u)); \
        ADD_TO_T1(HIGH(u)); \
    } while (0)
#define NEXT_COLUMN() \
    do { \
        const top over = READ(t2); \
        WRITE(t0, READ(t1)); \
        WRITE(t1, LOW(over)); \
        WRITE(t2, (top)HIGH((wide)over)); \
    } while (0)

static void NAME(fips)(digit *r, const digit *a, const digit *b, const NAME(modulus) *c)
{
    const size_t s = c->digits;
    digit m[MAX_DIGITS + 1];
    digit t0, t1;
    top t2;
    WRITE_AROUND(t0, 0);
    WRITE_AROUND(t1, 0);
    WRITE_AROUND(t2, 0);
    for (size_t i = 0; i < s; i++) {
        for (size_t j = 0; j < i; j++) {
            COLUMN_STEP(j);
        }
        wide u = PLUS(PRODUCT_AB(READ(a[i]), READ(b[0])), READ(t0));
        ADD_TO_T1(HIGH(u));
        WRITE(m[i], PRODUCT_M(LOW(u), READ(c->n0)));
        u = PLUS(PRODUCT_MN(READ(m[i]), READ(c->n[0])), LOW(u));
        ADD_TO_T1(HIGH(u));
        NEXT_COLUMN();
    }
    for (size_t i = s; i < 2 * s; i++) {
        for (size_t j = i - s + 1; j < s; j++) {
            COLUMN_STEP(j);
        }
        WRITE(m[i - s], READ(t0));
        NEXT_COLUMN();
    }
    m[s] = t0; /* where finish() looks for it; no digit of the paper's */
    NAME(finish)(r, m, c);
    monpro_wipe(m, (s + 1) * sizeof *m);
}

#undef ADD_TO_T1
#undef COLUMN_STEP
#undef NEXT_COLUMN

static void NAME(cihs)(digit *r, const digit *a, const digit *b, const NAME(modulus) *c)
{
    const size_t s = c->digits;
    digit t[MAX_DIGITS + 1];
    top over; /* t[s+1] */
    NAME(clear)(t, s + 1, c);
    WRITE_AROUND(over, 0);
    for (size_t i = 0; i < s; i++) {
        digit carry = 0;
        for (size_t j = 0; j < s - i; j++) {
            const wide u = PLUS(PLUS(PRODUCT_AB(READ(a[j]), READ(b[i])), READ(t[i + j])), carry);
            WRITE(t[i + j], LOW(u));
            carry = HIGH(u);
        }
        const wide u = PLUS(READ(t[s]), carry);
        WRITE(t[s], LOW(u));
        WRITE(over, (top)PLUS(READ(over), HIGH(u)));
    }
    for (size_t i = 0; i < s; i++) {
        const wide v = PLUS(READ(over), NAME(reduce_row)(t, c));
        WRITE(t[s], LOW(v));
        WRITE(over, (top)HIGH(v));
        for (size_t j = i + 1; j < s; j++) {
            wide u = PLUS(PRODUCT_AB(READ(b[j]), READ(a[s - j + i])), READ(t[s - 1]));
            WRITE(t[s - 1], LOW(u));
            u = PLUS(READ(t[s]), HIGH(u));
            WRITE(t[s], LOW(u));
            WRITE(over, (top)PLUS(READ(over), HIGH(u)));
        }
    }
    NAME(finish)(r, t, c);
    monpro_wipe(t, (s + 1) * sizeof *t);
}
