/* The kernel of AVX-512 IFMA: built with -mavx512f -mavx512ifma where the compiler has them, run where the processor has
 * them. Columns have room for 2^63 / 2^54 = 512 digits: see lanes/template.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lanes/lanes.h"

#if defined(__AVX512F__) && defined(__AVX512IFMA__)

#include <immintrin.h>

/* The primes of RSA-1024, 2048 and 3072. Longer code would not stay in the cache for instructions. Not with a sanitizer's
 * checks in it, which takes compilers minutes. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_CHECKED
#endif
#endif
#if !defined(IS_CHECKED) && !defined(__SANITIZE_ADDRESS__)
#define EACH_FIXED(X) X(10) X(20) X(30)
#endif
#include "lanes/ifma/ifma.h"
#include "lanes/template.h"
#include "lanes/wide.h"

const monpro_lanes_kernel *monpro_lanes_ifma(void)
{
    static const monpro_lanes_kernel kernel = {"avx512ifma", LANES, DIGIT_BITS, SPARE_BITS, 512, memory_size, run};
    return &kernel;
}

const monpro_lanes_kernel *monpro_lanes_ifma_wide(void)
{
    static const monpro_lanes_kernel kernel = {"avx512ifma", WIDE_LANES, DIGIT_BITS, WIDE_SPARE, WIDE_DIGITS, wide_size,
                                               wide_run};
    return &kernel;
}

#else

const monpro_lanes_kernel *monpro_lanes_ifma(void)
{
    return NULL;
}

const monpro_lanes_kernel *monpro_lanes_ifma_wide(void)
{
    return NULL;
}

#endif
