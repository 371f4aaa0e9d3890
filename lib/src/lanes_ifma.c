/* The kernel of AVX-512 IFMA: built with -mavx512f -mavx512ifma where the compiler has them, run where the processor has
 * them. Columns have room for 2^63 / 2^54 = 512 digits: see lanes_template.h. */
#include "lanes.h"

#if defined(__AVX512F__) && defined(__AVX512IFMA__)

#include <immintrin.h>

#include "lanes_ifma.h"
#include "lanes_template.h"

const monpro_lanes_kernel *monpro_lanes_ifma(void)
{
    static const monpro_lanes_kernel kernel = {"avx512ifma", LANES, DIGIT_BITS, 512, memory_size, run};
    return &kernel;
}

#else

const monpro_lanes_kernel *monpro_lanes_ifma(void)
{
    return NULL;
}

#endif
