/* The scanning methods as they are, at each width of a digit.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "bignum/modexp.h"
#include "study/run.h"
#include "base/wipe.h"

#define SCANNING_COUNTED 0

#define DIGIT_BITS 8
#define NAME(x) plain8_##x
#include "study/template.h"

#define DIGIT_BITS 16
#define NAME(x) plain16_##x
#include "study/template.h"

#define DIGIT_BITS 32
#define NAME(x) plain32_##x
#include "study/template.h"

#if MONPRO_LIMB_BITS == 64
#define DIGIT_BITS 64
#define NAME(x) plain64_##x
#include "study/template.h"
#endif

const scanning_instance monpro_scanning_plain[] = {
    {MONPRO_SCANNING_PLAIN, 8, plain8_run_product, plain8_run_modexp},
    {MONPRO_SCANNING_PLAIN, 16, plain16_run_product, plain16_run_modexp},
    {MONPRO_SCANNING_PLAIN, 32, plain32_run_product, plain32_run_modexp},
#if MONPRO_LIMB_BITS == 64
    {MONPRO_SCANNING_PLAIN, 64, plain64_run_product, plain64_run_modexp},
#endif
};
size_t monpro_scanning_sos_size(void)
{
    return sizeof(plain32_modulus);
}

void monpro_scanning_sos_set(void *context, const uint32_t *n, uint32_t n0, size_t digits)
{
    plain32_modulus *c = context;
    c->digits = digits;
    c->n0 = n0;
    memcpy(c->n, n, digits * sizeof *n);
}

void monpro_scanning_sos_multiply(const void *context, uint32_t *t, const uint32_t *a, const uint32_t *b)
{
    plain32_multiply(t, a, b, context);
}

void monpro_scanning_sos_product(const void *context, uint32_t *r, const uint32_t *a, const uint32_t *b)
{
    plain32_sos(r, a, b, context);
}

const size_t monpro_scanning_plain_count = sizeof monpro_scanning_plain / sizeof *monpro_scanning_plain;
