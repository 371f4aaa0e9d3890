/* libmonpro_scanning: Montgomery products by the five ways of scanning digits that Koc, Acar and Kaliski compare
 * (IEEE Micro, June 1996), for study. They have any digit width, they can be counted, and their multiplications can be
 * taken out. This is a library of its own, so that nothing in it can come near a key. docs/scanning.md is its page.
 * Conventions as in monpro.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_SCANNING_H
#define MONPRO_SCANNING_H

#include <monpro/monpro.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum monpro_scanning {
    MONPRO_SCANNING_SOS = 0,     /* separated operand scanning: all of a * b, then the reduction */
    MONPRO_SCANNING_CIOS = 1,    /* coarsely integrated operand scanning: a row of each in turn */
    MONPRO_SCANNING_FIOS = 2,    /* finely integrated operand scanning: both rows in one loop */
    MONPRO_SCANNING_FIPS = 3,    /* finely integrated product scanning: by columns */
    MONPRO_SCANNING_CIHS = 4,    /* coarsely integrated hybrid scanning: a * b by rows below, by columns above */
    MONPRO_SCANNING_LIBRARY = 5  /* none of them: the product that libmonpro itself computes with, to compare */
} monpro_scanning;

/* The forms that a method is compiled in, from one source. The control flow of a product depends on lengths only. So a
 * product with multiplications taken out does everything else as before. Its result is wrong, and its time says what the
 * multiplications cost. */
typedef enum monpro_scanning_form {
    MONPRO_SCANNING_PLAIN = 0,
    MONPRO_SCANNING_COUNTED = 1,
    /* 32-bit digits only: */
    MONPRO_SCANNING_NO_AB = 2,        /* without the s^2 products of a * b */
    MONPRO_SCANNING_NO_AB_MN = 3,     /* nor the s^2 of m * n */
    MONPRO_SCANNING_NO_PRODUCTS = 4,  /* nor the s for the digits of m */
    MONPRO_SCANNING_CALLED = 5,       /* right results: a function makes each product of digits, of four products of
                                       * half the width */
    MONPRO_SCANNING_CALLED_NO_AB = 6  /* as CALLED, without the products of a * b */
} monpro_scanning_form;

/* Operations on digits, as the paper counts them: a digit is in memory unless it is the carry or the sum at hand. */
typedef struct monpro_scanning_counts {
    uint64_t products_ab;       /* of digits, for a * b */
    uint64_t products_mn;       /* for m * n */
    uint64_t products_m;        /* low half only, for the digits of m */
    uint64_t additions;
    uint64_t reads;
    uint64_t writes;
    uint64_t around_additions;  /* around a product: zeros at its start, the final subtraction and selection */
    uint64_t around_reads;
    uint64_t around_writes;
} monpro_scanning_counts;

/* Parts of an exponentiation. */
enum {
    MONPRO_SCANNING_PART_VECTORS = 0,   /* bytes to digits and back */
    MONPRO_SCANNING_PART_CONSTANTS = 1, /* n', R mod n, R^2 mod n, with the products that this takes */
    MONPRO_SCANNING_PART_PRODUCTS = 2,  /* the exponentiation itself */
    MONPRO_SCANNING_PART_SELECT = 3,    /* in it: each bit selects the product or the square to go on with */
    MONPRO_SCANNING_PART_CLOCK = 4,     /* reading the clock for these figures */
    MONPRO_SCANNING_PARTS = 5
};

typedef struct monpro_scanning_job {
    monpro_scanning method;
    monpro_scanning_form form;
    uint32_t digit_bits;    /* 8, 16, 32, or 64 where the compiler has a 128-bit product; LIBRARY: its limb */
    const uint8_t *modulus; /* odd, above 1, at most 4096 bits */
    size_t modulus_len;
    const uint8_t *a;       /* below the modulus */
    size_t a_len;
    const uint8_t *b;       /* below the modulus; for an exponentiation the exponent, of 8 * b_len bits */
    size_t b_len;
    uint64_t repeats;       /* products in a chain: a <- a * b / R; for an exponentiation 0 */
    uint8_t *result;
    size_t result_len;      /* as long as the modulus, or longer */
    monpro_scanning_counts counts[MONPRO_SCANNING_PARTS]; /* out: COUNTED only, else zero; SELECT has its own */
    uint64_t time_ns[MONPRO_SCANNING_PARTS]; /* out: processor time of this thread. A chain has PRODUCTS only. SELECT is a
                                              * part of PRODUCTS */
} monpro_scanning_job;

/* result = a * (b / R)^repeats mod n with R = 2^(digit_bits * s). The modulus has s digits. */
MONPRO_API monpro_status monpro_scanning_product(monpro_scanning_job *job, monpro_error *error);

/* result = a^b mod n: binary, left to right. Each bit takes a square and a product, and a mask selects one of the two. */
MONPRO_API monpro_status monpro_scanning_modexp(monpro_scanning_job *job, monpro_error *error);

#ifdef __cplusplus
}
#endif

#endif
