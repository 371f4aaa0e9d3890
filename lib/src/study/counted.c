/* The scanning methods, counting what they do, at each width of a digit.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "bignum/modexp.h"
#include "study/run.h"
#include "base/wipe.h"

#define SCANNING_COUNTED 1

/* A function, so that several of them in one expression are in some order. */
static inline void scanning_count(uint64_t *counter)
{
    (*counter)++;
}

#define DIGIT_BITS 8
#define NAME(x) counted8_##x
#include "study/template.h"

#define DIGIT_BITS 16
#define NAME(x) counted16_##x
#include "study/template.h"

#define DIGIT_BITS 32
#define NAME(x) counted32_##x
#include "study/template.h"

#if MONPRO_LIMB_BITS == 64
#define DIGIT_BITS 64
#define NAME(x) counted64_##x
#include "study/template.h"
#endif

const scanning_instance monpro_scanning_counted[] = {
    {MONPRO_SCANNING_COUNTED, 8, counted8_run_product, counted8_run_modexp},
    {MONPRO_SCANNING_COUNTED, 16, counted16_run_product, counted16_run_modexp},
    {MONPRO_SCANNING_COUNTED, 32, counted32_run_product, counted32_run_modexp},
#if MONPRO_LIMB_BITS == 64
    {MONPRO_SCANNING_COUNTED, 64, counted64_run_product, counted64_run_modexp},
#endif
};
const size_t monpro_scanning_counted_count = sizeof monpro_scanning_counted / sizeof *monpro_scanning_counted;
