/* Vector primitives of AVX2 for lanes/template.h: four lanes, whole products of two digits below 2^32 in 64 bits. The
 * including file defines DIGIT_BITS. An entry of the table has two digits in a 64-bit number, so half the memory is
 * read.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <immintrin.h>

#define LANES 4
#define HAS_HIGH 0
#define ENTRY_VECS(s) (((s) + 1) / 2)
#define PICKED 6

typedef __m256i vec;

static inline vec vec_zero(void)
{
    return _mm256_setzero_si256();
}

static inline vec vec_set(uint64_t x)
{
    return _mm256_set1_epi64x((long long)x);
}

static inline vec vec_load(const uint64_t *x)
{
    return _mm256_loadu_si256((const __m256i *)x);
}

static inline vec vec_add(vec a, vec b)
{
    return _mm256_add_epi64(a, b);
}

static inline vec vec_shift(vec a)
{
    return _mm256_srli_epi64(a, DIGIT_BITS);
}

/* Bits of 128 a lane, from bit `shift` on, shift < 64. */
static inline vec vec_bits(vec low, vec high, unsigned shift)
{
    return _mm256_or_si256(_mm256_srl_epi64(low, _mm_cvtsi32_si128((int)shift)),
                           _mm256_sll_epi64(high, _mm_cvtsi32_si128((int)(64 - shift))));
}

static inline vec vec_and(vec a, vec b)
{
    return _mm256_and_si256(a, b);
}

static inline vec vec_mask(vec a)
{
    return _mm256_and_si256(a, vec_set((1u << DIGIT_BITS) - 1));
}

/* The empty asm keeps compilers from adding products to each other first, for which there are too few registers. */
static inline vec mac_low(vec sum, vec a, vec b)
{
    sum = _mm256_add_epi64(sum, _mm256_mul_epu32(a, b));
    __asm__("" : "+x"(sum));
    return sum;
}

/* -sum / N modulo 2^DIGIT_BITS: of a product the lower 32 bits of both factors count. */
static inline vec quotient_digit(vec sum, vec n0)
{
    return vec_mask(_mm256_mul_epu32(sum, n0));
}

typedef vec vec_mask_of;

static inline vec_mask_of vec_equal(vec a, vec b)
{
    return _mm256_cmpeq_epi64(a, b);
}

/* Where the mask is set what is at x, elsewhere what was there; it is set once at most, and before that there is zero. */
static inline vec vec_choose(vec was, vec_mask_of mask, const vec *x)
{
    return _mm256_or_si256(was, _mm256_and_si256(mask, *x));
}

static inline void pack(vec *entry, const vec *digits, size_t s)
{
    for (size_t j = 0; j < s / 2; j++) {
        entry[j] = _mm256_or_si256(digits[2 * j], _mm256_slli_epi64(digits[2 * j + 1], 32));
    }
    if (s % 2 != 0) {
        entry[s / 2] = digits[s - 1];
    }
}

/* `count` vectors of an entry, from vector j on, into the digits of r. */
static inline void unpack(vec *r, const vec *entry, size_t j, size_t count, size_t s)
{
    for (size_t i = 0; i < count; i++) {
        const size_t at = 2 * (j + i);
        r[at] = _mm256_and_si256(entry[i], vec_set(UINT32_MAX));
        if (at + 1 < s) {
            r[at + 1] = _mm256_srli_epi64(entry[i], 32);
        }
    }
}
