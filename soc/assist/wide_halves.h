/* Numbers of 128 bits as two halves, the low one first.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_WIDE_HALVES_H
#define MONPRO_WIDE_HALVES_H

typedef uint64_t wide[2];
typedef uint64_t *wide_ref;
#define TO(x) (x)

SMALL unsigned wide_add(wide_ref t, const wide y) {
  uint64_t low = t[0] + y[0];
  unsigned carry = low < y[0];
  uint64_t high = t[1] + y[1];
  unsigned out = high < y[1];
  high += carry;
  out += high < carry;
  t[0] = low;
  t[1] = high;
  return out;
}

SMALL void wide_subtract(wide_ref t, const wide y) {
  unsigned borrow = t[0] < y[0];
  t[0] -= y[0];
  t[1] -= y[1] + borrow;
}

SMALL void wide_halve(wide_ref t, unsigned top) {
  t[0] = t[0] >> 1 | t[1] << 63;
  t[1] = t[1] >> 1 | (uint64_t)top << 63;
}

SMALL int wide_at_least(const wide x, const wide y) {
  return x[1] > y[1] || (x[1] == y[1] && x[0] >= y[0]);
}

SMALL unsigned wide_bit(const wide x, unsigned i) { return (unsigned)(x[i / 64] >> i % 64) & 1; }

SMALL unsigned wide_odd(const wide x) { return (unsigned)x[0] & 1; }

SMALL void wide_mask(wide_ref z, const wide x, unsigned b) {
  uint64_t mask = 0 - (uint64_t)b;
  z[0] = x[0] & mask;
  z[1] = x[1] & mask;
}

SMALL void wide_copy(wide_ref z, const wide x) {
  z[0] = x[0];
  z[1] = x[1];
}

SMALL void wide_set(wide_ref z, uint64_t high, uint64_t low) {
  z[0] = low;
  z[1] = high;
}

SMALL void wide_get(uint64_t out[2], const wide x) {
  out[0] = x[0];
  out[1] = x[1];
}

#endif
