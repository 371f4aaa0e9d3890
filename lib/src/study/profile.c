/* The scanning methods for a profile, with digits of 32 bits: products of digits are taken out, or moved into a
 * function.
 *
 * A product that is taken out becomes one exclusive-or of both operands: one instruction for another. The empty asm
 * keeps compilers from knowing more of its result, such as that its high digit is zero.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "bignum/modexp.h"
#include "study/run.h"
#include "base/wipe.h"

#define SCANNING_COUNTED 0

static inline uint64_t no_product(uint32_t x, uint32_t y)
{
    uint64_t both = (uint64_t)x ^ y;
#if defined(__GNUC__)
    __asm__("" : "+r"(both));
#endif
    return both;
}

/* x * y from four products of 16 bits and the carries between them, like mult32x32 of the paper `maxeler`. It is a
 * function of its own, as in a profile by gprof. The empty asm keeps compilers from seeing through the call. */
#if defined(__GNUC__)
__attribute__((noinline))
#endif
static uint64_t mult32x32(uint32_t x, uint32_t y)
{
#if defined(__GNUC__)
    __asm__("" : "+r"(x), "+r"(y));
#endif
    const uint32_t x0 = x & 0xffffu, x1 = x >> 16, y0 = y & 0xffffu, y1 = y >> 16;
    const uint32_t low = x0 * y0;
    const uint32_t middle = x1 * y0 + (low >> 16);
    const uint32_t other = x0 * y1 + (middle & 0xffffu);
    const uint32_t high = x1 * y1 + (middle >> 16) + (other >> 16);
    return (uint64_t)high << 32 | other << 16 | (low & 0xffffu);
}

#define DIGIT_BITS 32
#define NAME(x) no_ab_##x
#define PRODUCT_AB(x, y) no_product(x, y)
#include "study/template.h"

#define DIGIT_BITS 32
#define NAME(x) no_ab_mn_##x
#define PRODUCT_AB(x, y) no_product(x, y)
#define PRODUCT_MN(x, y) no_product(x, y)
#include "study/template.h"

#define DIGIT_BITS 32
#define NAME(x) no_products_##x
#define PRODUCT_AB(x, y) no_product(x, y)
#define PRODUCT_MN(x, y) no_product(x, y)
#define PRODUCT_M(x, y) ((uint32_t)((x) ^ (y)))
#include "study/template.h"

#define DIGIT_BITS 32
#define NAME(x) called_##x
#define PRODUCT_AB(x, y) mult32x32(x, y)
#define PRODUCT_MN(x, y) mult32x32(x, y)
#include "study/template.h"

#define DIGIT_BITS 32
#define NAME(x) called_no_ab_##x
#define PRODUCT_AB(x, y) no_product(x, y)
#define PRODUCT_MN(x, y) mult32x32(x, y)
#include "study/template.h"

const scanning_instance monpro_scanning_profile[] = {
    {MONPRO_SCANNING_NO_AB, 32, no_ab_run_product, no_ab_run_modexp},
    {MONPRO_SCANNING_NO_AB_MN, 32, no_ab_mn_run_product, no_ab_mn_run_modexp},
    {MONPRO_SCANNING_NO_PRODUCTS, 32, no_products_run_product, no_products_run_modexp},
    {MONPRO_SCANNING_CALLED, 32, called_run_product, called_run_modexp},
    {MONPRO_SCANNING_CALLED_NO_AB, 32, called_no_ab_run_product, called_no_ab_run_modexp},
};
const size_t monpro_scanning_profile_count = sizeof monpro_scanning_profile / sizeof *monpro_scanning_profile;
