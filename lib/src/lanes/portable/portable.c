/* The kernel of AVX-512 IFMA in plain C: lanes/ifma/ifma.h over its instructions, written out. It shows on any machine
 * that what is computed with those instructions is right. It is much too slow for anything else.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "lanes/lanes.h"

#if defined(__SIZEOF_INT128__)

__extension__ typedef unsigned __int128 emulated;

typedef struct __attribute__((may_alias)) portable_vec {
    uint64_t lane[8];
} portable_vec;

#define __m512i portable_vec
#define EACH_LANE for (int i = 0; i < 8; i++)
#define LOW_52 ((UINT64_C(1) << 52) - 1)

static inline portable_vec _mm512_set1_epi64(long long x)
{
    portable_vec r;
    EACH_LANE {
        r.lane[i] = (uint64_t)x;
    }
    return r;
}

static inline portable_vec _mm512_setzero_si512(void)
{
    return _mm512_set1_epi64(0);
}

static inline portable_vec _mm512_loadu_si512(const uint64_t *x)
{
    portable_vec r;
    memcpy(r.lane, x, sizeof r.lane);
    return r;
}

static inline portable_vec _mm512_add_epi64(portable_vec a, portable_vec b)
{
    EACH_LANE {
        a.lane[i] += b.lane[i];
    }
    return a;
}

static inline portable_vec _mm512_srli_epi64(portable_vec a, unsigned count)
{
    EACH_LANE {
        a.lane[i] >>= count;
    }
    return a;
}

static inline uint64_t _mm_cvtsi32_si128(int x)
{
    return (uint64_t)x;
}

static inline portable_vec _mm512_srl_epi64(portable_vec a, uint64_t count)
{
    EACH_LANE {
        a.lane[i] = count < 64 ? a.lane[i] >> count : 0;
    }
    return a;
}

static inline portable_vec _mm512_sll_epi64(portable_vec a, uint64_t count)
{
    EACH_LANE {
        a.lane[i] = count < 64 ? a.lane[i] << count : 0;
    }
    return a;
}

static inline portable_vec _mm512_or_si512(portable_vec a, portable_vec b)
{
    EACH_LANE {
        a.lane[i] |= b.lane[i];
    }
    return a;
}

static inline portable_vec _mm512_and_si512(portable_vec a, portable_vec b)
{
    EACH_LANE {
        a.lane[i] &= b.lane[i];
    }
    return a;
}

static inline portable_vec _mm512_madd52lo_epu64(portable_vec sum, portable_vec a, portable_vec b)
{
    EACH_LANE {
        sum.lane[i] += (uint64_t)((emulated)(a.lane[i] & LOW_52) * (b.lane[i] & LOW_52)) & LOW_52;
    }
    return sum;
}

static inline portable_vec _mm512_madd52hi_epu64(portable_vec sum, portable_vec a, portable_vec b)
{
    EACH_LANE {
        sum.lane[i] += (uint64_t)(((emulated)(a.lane[i] & LOW_52) * (b.lane[i] & LOW_52)) >> 52);
    }
    return sum;
}

/* A mask of a bit for each lane. */
static inline uint8_t _mm512_cmpeq_epi64_mask(portable_vec a, portable_vec b)
{
    unsigned mask = 0;
    EACH_LANE {
        mask |= (unsigned)(monpro_ct_is_zero(a.lane[i] ^ b.lane[i]) & 1u) << i;
    }
    return (uint8_t)mask;
}

/* x where the mask is set, else a. */
static inline portable_vec _mm512_mask_mov_epi64(portable_vec a, uint8_t mask, portable_vec x)
{
    EACH_LANE {
        a.lane[i] ^= (a.lane[i] ^ x.lane[i]) & (0 - monpro_barrier(mask >> i & 1u));
    }
    return a;
}

#define __mmask8 uint8_t
#define __m128i uint64_t

static inline portable_vec _mm512_mask_add_epi64(portable_vec was, uint8_t mask, portable_vec a, portable_vec b)
{
    return _mm512_mask_mov_epi64(was, mask, _mm512_add_epi64(a, b));
}

static inline uint8_t _mm512_cmpgt_epu64_mask(portable_vec a, portable_vec b)
{
    unsigned mask = 0;
    EACH_LANE {
        mask |= (unsigned)((emulated)((emulated)b.lane[i] - a.lane[i]) >> 127) << i;
    }
    return (uint8_t)mask;
}

/* The lowest eight lanes of high : low, shifted down by `count` lanes. */
static inline portable_vec _mm512_alignr_epi64(portable_vec high, portable_vec low, int count)
{
    portable_vec r;
    EACH_LANE {
        r.lane[i] = i + count < 8 ? low.lane[i + count] : high.lane[i + count - 8];
    }
    return r;
}

static inline __m128i _mm512_castsi512_si128(portable_vec a)
{
    return a.lane[0];
}

static inline portable_vec _mm512_broadcastq_epi64(__m128i x)
{
    return _mm512_set1_epi64((long long)x);
}

#define INLINE static inline /* there are no registers to keep sums in */
#include "lanes/ifma/ifma.h"
#include "lanes/template.h"
#include "lanes/wide.h"

const monpro_lanes_kernel *monpro_lanes_portable(void)
{
    static const monpro_lanes_kernel kernel = {"portable", LANES, DIGIT_BITS, SPARE_BITS, 512, memory_size, run};
    return &kernel;
}

const monpro_lanes_kernel *monpro_lanes_portable_wide(void)
{
    static const monpro_lanes_kernel kernel = {"portable", WIDE_LANES, DIGIT_BITS, WIDE_SPARE, WIDE_DIGITS, wide_size,
                                               wide_run};
    return &kernel;
}

#else

const monpro_lanes_kernel *monpro_lanes_portable(void)
{
    return NULL;
}

const monpro_lanes_kernel *monpro_lanes_portable_wide(void)
{
    return NULL;
}

#endif
