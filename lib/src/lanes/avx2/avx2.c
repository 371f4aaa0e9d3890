/* The kernel of AVX2, 28-bit digits: built with -mavx2 where the compiler has it, run where the processor has it.
 * Columns have room for 2^(64-56) - 2 = 254 digits: see lanes/template.h.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lanes/lanes.h"

#if defined(__AVX2__)

#define DIGIT_BITS 28
#include "lanes/avx2/avx2.h"
#include "lanes/template.h"

const monpro_lanes_kernel *monpro_lanes_avx2(void)
{
    static const monpro_lanes_kernel kernel = {"avx2", LANES, DIGIT_BITS, SPARE_BITS, 254, memory_size, run};
    return &kernel;
}

#else

const monpro_lanes_kernel *monpro_lanes_avx2(void)
{
    return NULL;
}

#endif
