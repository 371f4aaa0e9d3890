/* Numbers of 128 bits as four words, the lowest first, for a processor of 32 bits without flags. A comparison finds a
 * carry.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_WIDE_WORDS_H
#define MONPRO_WIDE_WORDS_H

enum { WIDE_WORD_COUNT = 4 };

typedef uint32_t wide[WIDE_WORD_COUNT];
typedef uint32_t *wide_ref;
#define TO(x) (x)

SMALL unsigned wide_add(wide_ref t, const wide y) {
  uint32_t carry = 0;
#pragma clang loop unroll(full)
  for (int i = 0; i < WIDE_WORD_COUNT; i++) {
    uint32_t sum = t[i] + y[i], more = sum + carry;
    carry = (sum < y[i]) + (more < sum);
    t[i] = more;
  }
  return carry;
}

SMALL void wide_subtract(wide_ref t, const wide y) {
  uint32_t borrow = 0;
#pragma clang loop unroll(full)
  for (int i = 0; i < WIDE_WORD_COUNT; i++) {
    uint32_t less = t[i] - y[i], rest = less - borrow;
    borrow = (t[i] < y[i]) + (less < borrow);
    t[i] = rest;
  }
}

SMALL void wide_halve(wide_ref t, unsigned top) {
#pragma clang loop unroll(full)
  for (int i = 0; i < WIDE_WORD_COUNT - 1; i++) t[i] = t[i] >> 1 | t[i + 1] << 31;
  t[WIDE_WORD_COUNT - 1] = t[WIDE_WORD_COUNT - 1] >> 1 | (uint32_t)top << 31;
}

SMALL int wide_at_least(const wide x, const wide y) {
  for (int i = WIDE_WORD_COUNT - 1; i > 0; i--) {
    if (x[i] != y[i]) return x[i] > y[i];
  }
  return x[0] >= y[0];
}

SMALL unsigned wide_bit(const wide x, unsigned i) { return x[i / 32] >> i % 32 & 1; }

SMALL unsigned wide_odd(const wide x) { return x[0] & 1; }

SMALL void wide_mask(wide_ref z, const wide x, unsigned b) {
  for (int i = 0; i < WIDE_WORD_COUNT; i++) z[i] = x[i] & (0 - (uint32_t)b);
}

SMALL void wide_copy(wide_ref z, const wide x) {
  for (int i = 0; i < WIDE_WORD_COUNT; i++) z[i] = x[i];
}

SMALL void wide_set(wide_ref z, uint64_t high, uint64_t low) {
  z[0] = (uint32_t)low;
  z[1] = (uint32_t)(low >> 32);
  z[2] = (uint32_t)high;
  z[3] = (uint32_t)(high >> 32);
}

SMALL void wide_get(uint64_t out[2], const wide x) {
  out[0] = (uint64_t)x[1] << 32 | x[0];
  out[1] = (uint64_t)x[3] << 32 | x[2];
}

#endif
