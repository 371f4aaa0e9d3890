/* Vector primitives of AVX-512 IFMA for lanes/template.h: eight lanes of 52-bit digits. The instructions read the lower
 * 52 bits of both factors. They add the lower or the upper 52 bits of the product to a number of 64 bits.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define LANES 8
#define DIGIT_BITS 52
#define HAS_HIGH 1
#define ENTRY_VECS(s) (s)
#define PICKED 10

typedef __m512i vec;
typedef uint64_t __attribute__((may_alias)) vec_digit; /* of a vector in memory */

static inline vec vec_zero(void)
{
    return _mm512_setzero_si512();
}

static inline vec vec_set(uint64_t x)
{
    return _mm512_set1_epi64((long long)x);
}

static inline vec vec_load(const uint64_t *x)
{
    return _mm512_loadu_si512(x);
}

static inline vec vec_add(vec a, vec b)
{
    return _mm512_add_epi64(a, b);
}

static inline vec vec_shift(vec a)
{
    return _mm512_srli_epi64(a, DIGIT_BITS);
}

/* Bits of 128 a lane, from bit `shift` on, shift < 64. */
static inline vec vec_bits(vec low, vec high, unsigned shift)
{
    return _mm512_or_si512(_mm512_srl_epi64(low, _mm_cvtsi32_si128((int)shift)),
                           _mm512_sll_epi64(high, _mm_cvtsi32_si128((int)(64 - shift))));
}

static inline vec vec_and(vec a, vec b)
{
    return _mm512_and_si512(a, b);
}

static inline vec vec_mask(vec a)
{
    return _mm512_and_si512(a, vec_set((UINT64_C(1) << DIGIT_BITS) - 1));
}

static inline vec mac_low(vec sum, vec a, vec b)
{
    return _mm512_madd52lo_epu64(sum, a, b);
}

static inline vec mac_high(vec sum, vec a, vec b)
{
    return _mm512_madd52hi_epu64(sum, a, b);
}

/* -sum / N modulo 2^52. */
static inline vec quotient_digit(vec sum, vec n0)
{
    return _mm512_madd52lo_epu64(vec_zero(), sum, n0);
}

typedef __mmask8 vec_mask_of;

static inline vec_mask_of vec_equal(vec a, vec b)
{
    return _mm512_cmpeq_epi64_mask(a, b);
}

/* Where the mask is set what is at x, elsewhere what was there; all is read. */
static inline vec vec_choose(vec was, vec_mask_of mask, const vec *x)
{
    return _mm512_mask_mov_epi64(was, mask, *x);
}

static inline void pack(vec *entry, const vec *digits, size_t s)
{
    memcpy(entry, digits, s * sizeof *entry);
}

/* `count` vectors of an entry, from vector j on, into the digits of r. */
static inline void unpack(vec *r, const vec *entry, size_t j, size_t count, size_t s)
{
    (void)s;
    for (size_t i = 0; i < count; i++) {
        r[j + i] = entry[i];
    }
}
