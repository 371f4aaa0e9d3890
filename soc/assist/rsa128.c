/* RSA of 128 bits: x^E mod M and x^D mod M, from right to left, by Montgomery products bit by bit.
 *
 *   mmm(x, y):  T = 0;  for each bit of x, from the lowest:  T = (T + x_i y + q M) / 2,
 *               q such that the sum is even;  T - M if T >= M.     T = x y / 2^128 mod M
 *   mmm_1(x):   mmm(1, x): T = x;  128 times  T = (T + q M) / 2
 *   me(x, e):   P = x, Z = 1;  for each bit of e:  Z = Z P if it is one;  P = P^2
 *
 * For x, y < M < 2^128, T stays below 2 M and the sum below 4 M: two bits above 128, which `top`
 * has. Steps 0 to 7 make a product modulo M of four: both operands scaled by R^2, their product,
 * and that descaled by 1. One source for every step; rsa128.h says what each is.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include "rsa128.h"
#include "wide.h"

#include "assist.h"

#ifndef ENTRY
#define ENTRY
#endif
ENTRY void rsa128_encrypt(uint64_t result[2], const uint64_t text[2]);
ENTRY void rsa128_decrypt(uint64_t result[2], const uint64_t text[2]);

#if R5_STEP >= 1
#define VARIABLE
#define KEY(name) wide name; wide_set(TO(name), KEY_##name##_HIGH, KEY_##name##_LOW)
#else
#define VARIABLE static
uint64_t key_M[2] = {KEY_M_LOW, KEY_M_HIGH};
uint64_t key_E[2] = {KEY_E_LOW, KEY_E_HIGH};
uint64_t key_D[2] = {KEY_D_LOW, KEY_D_HIGH};
uint64_t key_R2[2] = {KEY_R2_LOW, KEY_R2_HIGH};
#define KEY(name) uint64_t *const name = key_##name
#endif

#if R5_STEP >= 3
#define OFTEN register
#else
#define OFTEN VARIABLE
#endif

/* From the lowest bit of x to the highest. Counting down, x is shifted instead of i looked up. */
#if R5_STEP >= 6
#define FOR_BITS(i) for (i = KEY_BITS; i != 0; i--)
#define BIT(x, i) wide_odd(x)
#define NEXT_BIT(x) wide_halve(TO(x), 0)
#else
#define FOR_BITS(i) for (i = 0; i < KEY_BITS; i++)
#define BIT(x, i) wide_bit(x, i)
#define NEXT_BIT(x)
#endif

/* Where a model of the cost looks on; nothing in the program itself. See rsa128_events.c. */
#ifndef NOTE_SITE
#define NOTE_SITE(site)
#define NOTE_TAKE(t, bit, y, M)
#define NOTE_END(top, t, M)
#endif
#define MMM(site, result, x, y) \
  do {                          \
    NOTE_SITE(site);            \
    mmm(result, x, y);          \
  } while (0)
#define DESCALE(site, result, x) \
  do {                           \
    NOTE_SITE(site);             \
    descale(result, x);          \
  } while (0)

/* T = (T + bit y + q M) / 2. */
#if TRY == TRY_PREDICATE
#define TAKE(t, top, bit, y, M)           \
  do {                                    \
    NOTE_TAKE(t, bit, y, M);                \
    wide masked;                          \
    wide_mask(TO(masked), y, bit);        \
    top += wide_add(TO(t), masked);       \
    wide_mask(TO(masked), M, wide_odd(t)); \
    top += wide_add(TO(t), masked);       \
    wide_halve(TO(t), top & 1);           \
    top >>= 1;                            \
  } while (0)
#elif R5_STEP >= 7
#define TAKE(t, top, bit, y, M)                     \
  do {                                              \
    NOTE_TAKE(t, bit, y, M);                        \
    if (bit) top += wide_add(TO(t), y);             \
    if (wide_odd(t)) top += wide_add(TO(t), M);     \
    wide_halve(TO(t), top & 1);                     \
    top >>= 1;                                      \
  } while (0)
#else
#define TAKE(t, top, bit, y, M)                         \
  do {                                                  \
    NOTE_TAKE(t, bit, y, M);                            \
    OFTEN unsigned take, q;                             \
    take = bit;                                         \
    q = wide_bit(t, 0) ^ (take & wide_bit(y, 0));       \
    if (take) top += wide_add(TO(t), y);                \
    if (q) top += wide_add(TO(t), M);                   \
    wide_halve(TO(t), top & 1);                         \
    top >>= 1;                                          \
  } while (0)
#endif

#if ASSIST >= ASSIST_LIMBS
#include "assist_products.h"
#else
static void mmm(wide_ref result, const wide x, const wide y) {
  KEY(M);
  VARIABLE wide t, bits;
  OFTEN unsigned top, i;
  wide_set(TO(t), 0, 0);
  wide_copy(TO(bits), x);
  top = 0;
#if TRY == TRY_UNROLL
  for (i = KEY_BITS / 2; i != 0; i--) {
    TAKE(t, top, wide_odd(bits), y, M);
    NEXT_BIT(bits);
    TAKE(t, top, wide_odd(bits), y, M);
    NEXT_BIT(bits);
  }
#elif TRY == TRY_PIPELINE
  OFTEN unsigned bit = wide_odd(bits), next;
  FOR_BITS(i) {
    NEXT_BIT(bits);
    next = wide_odd(bits);
    TAKE(t, top, bit, y, M);
    bit = next;
  }
#elif defined(WIDE_WORDS)
  for (i = 0; i < WIDE_WORD_COUNT; i++) {
    uint32_t word = x[i];
    for (unsigned left = 32; left != 0; left--) {
      TAKE(t, top, word & 1, y, M);
      word >>= 1;
    }
  }
#else
  FOR_BITS(i) {
    TAKE(t, top, BIT(bits, i), y, M);
    NEXT_BIT(bits);
  }
#endif
  NOTE_END(top, t, M);
  if (top != 0 || wide_at_least(t, M)) wide_subtract(TO(t), M);
  wide_copy(result, t);
}

/* x / 2^128 mod M; as T < M stays so, nothing is subtracted in the end. */
static void descale(wide_ref result, const wide x) {
#if R5_STEP >= 5
  KEY(M);
  VARIABLE wide t;
  OFTEN unsigned top, i;
  wide_copy(TO(t), x);
  FOR_BITS(i) {
    top = 0;
    NOTE_TAKE(t, 0, t, M);
    if (wide_odd(t)) top = wide_add(TO(t), M);
    wide_halve(TO(t), top);
  }
  wide_copy(result, t);
#else
  VARIABLE wide one;
  wide_set(TO(one), 0, 1);
  mmm(result, one, x);
#endif
}
#endif

#if R5_STEP < 8
/* x y mod M, of operands that are not scaled. */
static void product(wide_ref result, const wide x, const wide y) {
  KEY(R2);
  VARIABLE wide x_scaled, y_scaled;
  MMM(0, TO(x_scaled), x, R2);
  MMM(1, TO(y_scaled), y, R2);
  MMM(2, TO(x_scaled), x_scaled, y_scaled);
  DESCALE(3, result, x_scaled);
}
#endif

static void me(wide_ref result, const wide x, const wide e) {
  VARIABLE wide z, p, bits;
  OFTEN unsigned i;
  wide_copy(TO(p), x);
  wide_copy(TO(bits), e);
  wide_set(TO(z), 0, 1);
#if R5_STEP >= 4
  KEY(R2);
#endif
#if R5_STEP >= 8
  MMM(0, TO(p), p, R2);
  MMM(1, TO(z), z, R2);
#endif
  FOR_BITS(i) {
#if R5_STEP >= 8
    if (BIT(bits, i)) MMM(2, TO(z), z, p);
    MMM(4, TO(p), p, p);
#elif R5_STEP >= 4
    if (BIT(bits, i)) product(TO(z), z, p);
    MMM(4, TO(p), p, R2);
    MMM(5, TO(p), p, p);
    DESCALE(6, TO(p), p);
#else
    if (BIT(bits, i)) product(TO(z), z, p);
    product(TO(p), p, p);
#endif
    NEXT_BIT(bits);
  }
#if R5_STEP >= 8
  DESCALE(3, result, z);
#else
  wide_copy(result, z);
#endif
}

ENTRY void rsa128_encrypt(uint64_t result[2], const uint64_t text[2]) {
  KEY(E);
  VARIABLE wide x;
  wide_set(TO(x), text[1], text[0]);
  me(TO(x), x, E);
  wide_get(result, x);
}

ENTRY void rsa128_decrypt(uint64_t result[2], const uint64_t text[2]) {
  KEY(D);
  VARIABLE wide x;
  wide_set(TO(x), text[1], text[0]);
  me(TO(x), x, D);
  wide_get(result, x);
}
