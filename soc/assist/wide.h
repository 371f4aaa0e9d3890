/* Numbers of 128 bits, in one of three forms with the same functions:
 *
 *   wide_halves.h  two halves of 64 bits: up to step 1, or where WIDE_HALVES is defined
 *   wide_neon.h    one NEON vector
 *   wide_words.h   four words of 32 bits, where WIDE_WORDS is defined: the softcore
 *
 * `wide` is a parameter by value (an array: by its address, then it is not written to), `wide_ref`
 * one that is written, and TO(x) is what to pass for it.
 *
 *   unsigned wide_add(wide_ref t, const wide y)         t += y; carry
 *   void wide_subtract(wide_ref t, const wide y)        t -= y, modulo 2^128
 *   void wide_halve(wide_ref t, unsigned top)           t = (top 2^128 + t) / 2, for top < 2
 *   int wide_at_least(const wide x, const wide y)       x >= y
 *   unsigned wide_bit(const wide x, unsigned i)         bit i of x
 *   unsigned wide_odd(const wide x)                     bit 0
 *   void wide_mask(wide_ref z, const wide x, unsigned b)   z = b ? x : 0, for b < 2, no branch
 *   void wide_copy(wide_ref z, const wide x)
 *   void wide_set(wide_ref z, uint64_t high, uint64_t low)
 *   void wide_get(uint64_t out[2], const wide x)        low half first
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_WIDE_H
#define MONPRO_WIDE_H

#include <stdint.h>

#if R5_STEP >= 6
#define SMALL static inline __attribute__((unused))
#else
#define SMALL static __attribute__((unused))
#endif

#if defined(WIDE_WORDS)
#include "wide_words.h"
#elif R5_STEP >= 2 && !defined(WIDE_HALVES)
#include "wide_neon.h"
#else
#include "wide_halves.h"
#endif

#endif
