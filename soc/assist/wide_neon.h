/* Numbers of 128 bits as one NEON vector of two lanes, the low half in lane 0.
 *
 * NEON adds in each lane. It knows no carry and does not compare lanes of 64 bits. So the processor's own registers
 * find what crosses from the low lane to the high lane, and a branch depends on it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_WIDE_NEON_H
#define MONPRO_WIDE_NEON_H

#include <arm_neon.h>

typedef uint64x2_t wide;
typedef uint64x2_t *wide_ref;
#define TO(x) (&(x))


SMALL unsigned wide_add(wide_ref t, wide y) {
  wide sum = vaddq_u64(*t, y);
  unsigned carry = sum[1] < y[1];
  if (sum[0] < y[0]) {
    sum = vaddq_u64(sum, (wide){0, 1});
    if (sum[1] == 0) carry = 1;
  }
  *t = sum;
  return carry;
}

SMALL void wide_subtract(wide_ref t, wide y) {
  wide difference = vsubq_u64(*t, y);
  if ((*t)[0] < y[0]) difference = vsubq_u64(difference, (wide){0, 1});
  *t = difference;
}

SMALL void wide_halve(wide_ref t, unsigned top) {
  wide above = {(*t)[1], top};
  *t = vorrq_u64(vshrq_n_u64(*t, 1), vshlq_n_u64(above, 63));
}

SMALL int wide_at_least(wide x, wide y) {
  uint64_t high = x[1], other = y[1];
  return high > other || (high == other && x[0] >= y[0]);
}

SMALL unsigned wide_bit(wide x, unsigned i) {
  uint64_t half = i < 64 ? x[0] : x[1];
  return (unsigned)(half >> i % 64) & 1;
}

SMALL unsigned wide_odd(wide x) { return (unsigned)x[0] & 1; }

SMALL void wide_mask(wide_ref z, wide x, unsigned b) {
  *z = vandq_u64(x, vdupq_n_u64(0 - (uint64_t)b));
}

SMALL void wide_copy(wide_ref z, wide x) { *z = x; }

SMALL void wide_set(wide_ref z, uint64_t high, uint64_t low) {
  *z = (wide){low, high};
}

SMALL void wide_get(uint64_t out[2], wide x) {
  vst1_u64(out, vget_low_u64(x));
  vst1_u64(out + 1, vget_high_u64(x));
}

#endif
