/* One instance of the scanning methods: one width of the digit, in one form. A file includes it once for each instance,
 * so it has no guard. That file has included study/run.h, modexp.h, wipe.h and string.h, and defines
 *
 *     DIGIT_BITS         8, 16, 32 or 64
 *     NAME(x)            the name of x in this instance
 *     SCANNING_COUNTED   1: counts what it does; else 0
 *
 * If products of digits are to be something else than the compiler's own, it also defines PRODUCT_AB, PRODUCT_MN and
 * PRODUCT_M (the last: its low half). All of these are undefined again at the end, except SCANNING_COUNTED.
 *
 * Constant time: the products and the exponentiation, in everything but the lengths of modulus and exponent.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#if DIGIT_BITS == 8
typedef uint8_t NAME(digit);
typedef uint16_t NAME(wide);
typedef uint16_t NAME(top); /* see study/methods.h */
#elif DIGIT_BITS == 16
typedef uint16_t NAME(digit);
typedef uint32_t NAME(wide);
typedef uint16_t NAME(top);
#elif DIGIT_BITS == 32
typedef uint32_t NAME(digit);
typedef uint64_t NAME(wide);
typedef uint32_t NAME(top);
#else
typedef monpro_limb NAME(digit);
typedef monpro_wide NAME(wide);
typedef monpro_limb NAME(top);
#endif

#define digit NAME(digit)
#define wide NAME(wide)
#define top NAME(top)
#define MAX_DIGITS (8 * MONPRO_MAX_BYTES / DIGIT_BITS)
#define LOW(u) ((digit)(u))
#define HIGH(u) ((digit)((u) >> DIGIT_BITS))

typedef struct NAME(modulus) {
    size_t digits;
    void (*product)(digit *r, const digit *a, const digit *b, const struct NAME(modulus) *c);
    monpro_scanning_counts *counts; /* of the part at hand */
    digit n0;                       /* -1 / n modulo W */
    digit n[MAX_DIGITS];
    digit one[MAX_DIGITS];          /* R mod n */
    digit rr[MAX_DIGITS];           /* R^2 mod n */
} NAME(modulus);

#if SCANNING_COUNTED
#define COUNT(what) scanning_count(&c->counts->what)
#else
#define COUNT(what) ((void)0)
#endif
#define READ(place) (COUNT(reads), (place))
#define WRITE(place, value) (COUNT(writes), (place) = (value))
#define READ_AROUND(place) (COUNT(around_reads), (place))
#define WRITE_AROUND(place, value) (COUNT(around_writes), (place) = (value))
#define PLUS(x, y) (COUNT(additions), (wide)((wide)(x) + (y)))
#define MINUS(x, y) (COUNT(around_additions), (wide)((wide)(x) - (y)))
#ifndef PRODUCT_AB
#define PRODUCT_AB(x, y) (COUNT(products_ab), (wide)((wide)(x) * (y)))
#endif
#ifndef PRODUCT_MN
#define PRODUCT_MN(x, y) (COUNT(products_mn), (wide)((wide)(x) * (y)))
#endif
#ifndef PRODUCT_M
#define PRODUCT_M(x, y) (COUNT(products_m), LOW((wide)(x) * (y)))
#endif

#include "study/methods.h"

static void NAME(from_bytes)(digit *r, size_t digits, const uint8_t *bytes, size_t size)
{
    const size_t digit_bytes = DIGIT_BITS / 8;
    for (size_t i = 0; i < digits; i++) {
        wide value = 0;
        for (size_t j = digit_bytes; j-- > 0;) {
            const size_t place = i * digit_bytes + j; /* bytes from the end */
            value = (wide)((wide)(value << 8) | (place < size ? bytes[size - 1 - place] : 0u));
        }
        r[i] = LOW(value);
    }
}

static void NAME(to_bytes)(uint8_t *bytes, size_t size, const digit *a, size_t digits)
{
    for (size_t place = 0; place < size; place++) {
        const size_t i = 8 * place / DIGIT_BITS;
        bytes[size - 1 - place] = i < digits ? (uint8_t)(a[i] >> (8 * place % DIGIT_BITS)) : 0;
    }
}

/* r = 2r mod n. */
static void NAME(double_mod)(digit *r, const NAME(modulus) *c)
{
    const size_t s = c->digits;
    digit t[MAX_DIGITS + 1];
    digit carry = 0;
    for (size_t i = 0; i < s; i++) {
        const digit x = READ(r[i]);
        WRITE(t[i], (digit)((digit)(x << 1) | carry));
        carry = x >> (DIGIT_BITS - 1);
    }
    WRITE(t[s], carry);
    NAME(finish)(r, t, c);
    monpro_wipe(t, (s + 1) * sizeof *t);
}

/* n and n0: what a product needs. n0 by Newton's iteration, as in montgomery.c. */
static void NAME(set_modulus)(NAME(modulus) *c, const scanning_checked *checked)
{
    static void (*const methods[MONPRO_SCANNING_METHODS])(digit *, const digit *, const digit *,
                                                          const NAME(modulus) *) = {
        NAME(sos), NAME(cios), NAME(fios), NAME(fips), NAME(cihs),
    };
    c->digits = (checked->modulus_bits + DIGIT_BITS - 1) / DIGIT_BITS;
    c->product = methods[checked->job->method];
    NAME(from_bytes)(c->n, c->digits, checked->modulus, checked->modulus_len);
    digit inverse = c->n[0];
    for (unsigned right_bits = 3; right_bits < DIGIT_BITS; right_bits *= 2) {
        inverse = LOW((wide)inverse * LOW(2 - (wide)c->n[0] * inverse));
    }
    c->n0 = LOW(0 - (wide)inverse);
}

/* R and R^2, as in montgomery.c: doublings from 2^(bits-1), then squarings R * W^(s*k) -> R * W^(s*2k). */
static void NAME(set_constants)(NAME(modulus) *c, size_t bits)
{
    memset(c->one, 0, sizeof c->one);
    c->one[(bits - 1) / DIGIT_BITS] = (digit)((wide)1 << ((bits - 1) % DIGIT_BITS));
    for (size_t i = bits - 1; i < c->digits * DIGIT_BITS; i++) {
        NAME(double_mod)(c->one, c);
    }
    memcpy(c->rr, c->one, sizeof c->rr);
    for (size_t i = 0; i < c->digits; i++) {
        NAME(double_mod)(c->rr, c);
    }
    for (unsigned squared = 1; squared < DIGIT_BITS; squared *= 2) {
        c->product(c->rr, c->rr, c->rr, c);
    }
}

static void NAME(run_product)(const scanning_checked *checked)
{
    monpro_scanning_job *job = checked->job;
    NAME(modulus) modulus, *c = &modulus;
    digit a[MAX_DIGITS], b[MAX_DIGITS];
    NAME(set_modulus)(c, checked);
    c->counts = &job->counts[MONPRO_SCANNING_PART_PRODUCTS];
    NAME(from_bytes)(a, c->digits, job->a, job->a_len);
    NAME(from_bytes)(b, c->digits, job->b, job->b_len);
    const uint64_t start_ns = monpro_scanning_now_ns();
    for (uint64_t i = 0; i < job->repeats; i++) {
        c->product(a, a, b, c);
    }
    job->time_ns[MONPRO_SCANNING_PART_PRODUCTS] = monpro_scanning_now_ns() - start_ns;
    NAME(to_bytes)(job->result, job->result_len, a, c->digits);
    monpro_wipe(a, sizeof a);
    monpro_wipe(b, sizeof b);
    monpro_wipe(c, sizeof *c);
}

/* r = bit ? product : r. */
static void NAME(select_bit)(digit *r, const digit *product, unsigned bit, const NAME(modulus) *c)
{
    const digit mask = (digit)monpro_barrier(0 - (uint64_t)bit);
    for (size_t i = 0; i < c->digits; i++) {
        const digit square = READ_AROUND(r[i]);
        WRITE_AROUND(r[i], (digit)(square ^ (mask & (READ_AROUND(product[i]) ^ square))));
    }
}

static void NAME(run_modexp)(const scanning_checked *checked)
{
    monpro_scanning_job *job = checked->job;
    const monpro_exponent exponent = {job->b, job->b_len, 8 * job->b_len};
    NAME(modulus) modulus, *c = &modulus;
    digit one[MAX_DIGITS] = {1}, factor[MAX_DIGITS], r[MAX_DIGITS], product[MAX_DIGITS];
    uint64_t *spent_ns = job->time_ns;
    const uint64_t start_ns = monpro_scanning_now_ns();

    NAME(set_modulus)(c, checked);
    NAME(from_bytes)(factor, c->digits, job->a, job->a_len);
    const uint64_t vectors_ns = monpro_scanning_now_ns();

    c->counts = &job->counts[MONPRO_SCANNING_PART_CONSTANTS];
    NAME(set_constants)(c, checked->modulus_bits);
    const uint64_t constants_ns = monpro_scanning_now_ns();

    c->counts = &job->counts[MONPRO_SCANNING_PART_PRODUCTS];
    c->product(factor, factor, c->rr, c);
    memcpy(r, c->one, sizeof r);
    for (size_t bit = exponent.bits; bit-- > 0;) {
        c->product(r, r, r, c);
        c->product(product, r, factor, c);
        c->counts = &job->counts[MONPRO_SCANNING_PART_SELECT];
        NAME(select_bit)(r, product, monpro_exponent_digit(&exponent, bit, 1), c);
        c->counts = &job->counts[MONPRO_SCANNING_PART_PRODUCTS];
    }
    c->product(r, r, one, c);
    const uint64_t products_ns = monpro_scanning_now_ns();

    NAME(to_bytes)(job->result, job->result_len, r, c->digits);
    const uint64_t end_ns = monpro_scanning_now_ns();

    /* Too short to clock one by one between two products: all of them once more, on their own. */
    monpro_scanning_counts again = {0};
    c->counts = &again;
    for (size_t bit = exponent.bits; bit-- > 0;) {
        NAME(select_bit)(r, product, monpro_exponent_digit(&exponent, bit, 1), c);
    }
    const uint64_t select_ns = monpro_scanning_now_ns();

    spent_ns[MONPRO_SCANNING_PART_VECTORS] = (vectors_ns - start_ns) + (end_ns - products_ns);
    spent_ns[MONPRO_SCANNING_PART_CONSTANTS] = constants_ns - vectors_ns;
    spent_ns[MONPRO_SCANNING_PART_PRODUCTS] = products_ns - constants_ns;
    spent_ns[MONPRO_SCANNING_PART_SELECT] = select_ns - end_ns;
    spent_ns[MONPRO_SCANNING_PART_CLOCK] = 5 * monpro_scanning_clock_ns();
    monpro_wipe(factor, sizeof factor);
    monpro_wipe(r, sizeof r);
    monpro_wipe(product, sizeof product);
    monpro_wipe(c, sizeof *c);
}

#undef digit
#undef wide
#undef top
#undef MAX_DIGITS
#undef LOW
#undef HIGH
#undef COUNT
#undef READ
#undef WRITE
#undef READ_AROUND
#undef WRITE_AROUND
#undef PLUS
#undef MINUS
#undef PRODUCT_AB
#undef PRODUCT_MN
#undef PRODUCT_M
#undef DIGIT_BITS
#undef NAME
