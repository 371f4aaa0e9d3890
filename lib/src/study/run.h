/* What the instances of study/template.h share. There is one instance for each width of a digit and each form.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_SCANNING_RUN_H
#define MONPRO_SCANNING_RUN_H

#include "bignum/limbs.h"
#include "monpro/scanning.h"

#define MONPRO_SCANNING_METHODS 5

/* A checked job: whose lengths are in range and whose operands are below the modulus. */
typedef struct scanning_checked {
    monpro_scanning_job *job;
    const uint8_t *modulus; /* without leading zeros */
    size_t modulus_len;
    size_t modulus_bits;
} scanning_checked;

/* One width of a digit in one form. */
typedef struct scanning_instance {
    monpro_scanning_form form;
    uint32_t digit_bits;
    void (*product)(const scanning_checked *checked);
    void (*modexp)(const scanning_checked *checked);
} scanning_instance;

extern const scanning_instance monpro_scanning_plain[];
extern const size_t monpro_scanning_plain_count;
extern const scanning_instance monpro_scanning_counted[];
extern const size_t monpro_scanning_counted_count;
extern const scanning_instance monpro_scanning_profile[];
extern const size_t monpro_scanning_profile_count;
extern const scanning_instance monpro_scanning_library;

/* SOS as it is, with digits of 32 bits, over numbers that are digits already (least significant first): step 1 alone
 * and whole. The context, of so many bytes, has n, its n0 = -1/n modulo W, and its digits, at most MONPRO_MAX_BITS / 32. */
size_t monpro_scanning_sos_size(void);
void monpro_scanning_sos_set(void *context, const uint32_t *n, uint32_t n0, size_t digits);
void monpro_scanning_sos_multiply(const void *context, uint32_t *t, const uint32_t *a, const uint32_t *b);
void monpro_scanning_sos_product(const void *context, uint32_t *r, const uint32_t *a, const uint32_t *b);

/* Nanoseconds that this thread has had a processor: what others take in between is not in it. */
uint64_t monpro_scanning_now_ns(void);

/* What one reading of the clock takes, by a few of them. */
uint64_t monpro_scanning_clock_ns(void);

#endif
