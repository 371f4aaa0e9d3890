/* The kernel of AVX-512 IFMA in plain C: lanes_ifma.h over the instructions that it uses, written out. It shows on any
 * machine that what is computed with those instructions is right, and is much too slow for anything else. */
#include "lanes.h"

#if defined(__SIZEOF_INT128__)

__extension__ typedef unsigned __int128 wide;

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
        sum.lane[i] += (uint64_t)((wide)(a.lane[i] & LOW_52) * (b.lane[i] & LOW_52)) & LOW_52;
    }
    return sum;
}

static inline portable_vec _mm512_madd52hi_epu64(portable_vec sum, portable_vec a, portable_vec b)
{
    EACH_LANE {
        sum.lane[i] += (uint64_t)(((wide)(a.lane[i] & LOW_52) * (b.lane[i] & LOW_52)) >> 52);
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

static inline portable_vec _mm512_maskz_set1_epi64(uint8_t mask, long long x)
{
    portable_vec r;
    EACH_LANE {
        r.lane[i] = (uint64_t)x & (0 - (uint64_t)(mask >> i & 1u));
    }
    return r;
}

/* Bit by bit the function of three bits whose values are those of `table`, a having the highest place. */
static inline portable_vec _mm512_ternarylogic_epi64(portable_vec a, portable_vec b, portable_vec c, unsigned table)
{
    portable_vec r = _mm512_set1_epi64(0);
    EACH_LANE {
        for (unsigned entry = 0; entry < 8; entry++) {
            const uint64_t x = entry & 4u ? a.lane[i] : ~a.lane[i], y = entry & 2u ? b.lane[i] : ~b.lane[i];
            const uint64_t z = entry & 1u ? c.lane[i] : ~c.lane[i];
            r.lane[i] |= x & y & z & (0 - (uint64_t)(table >> entry & 1u));
        }
    }
    return r;
}

#define INLINE static inline /* there are no registers to keep sums in */
#include "lanes_ifma.h"
#include "lanes_template.h"

const monpro_lanes_kernel *monpro_lanes_portable(void)
{
    static const monpro_lanes_kernel kernel = {"portable", LANES, DIGIT_BITS, 512, memory_size, run};
    return &kernel;
}

#else

const monpro_lanes_kernel *monpro_lanes_portable(void)
{
    return NULL;
}

#endif
