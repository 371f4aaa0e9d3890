/* mmm and descale of rsa128.c by the custom function unit.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_ASSIST_PRODUCTS_H
#define MONPRO_ASSIST_PRODUCTS_H

#if ASSIST == ASSIST_LIMBS

/* T = (T odd ? T + M : T) / 2; what is above 128 bits is in the unit. */
SMALL void assist_halve(wide_ref t, const wide M) {
  ASSIST_HALVE_FIRST(t[0], M[0]);
  ASSIST_HALVE_NEXT(t[0], t[1], M[1]);
  ASSIST_HALVE_NEXT(t[1], t[2], M[2]);
  ASSIST_HALVE_NEXT(t[2], t[3], M[3]);
  ASSIST_HALVE_LAST(t[3]);
}

SMALL void assist_add(wide_ref t, const wide y) {
  ASSIST_ADD_FIRST(t[0], t[0], y[0]);
  ASSIST_ADD_NEXT(t[1], t[1], y[1]);
  ASSIST_ADD_NEXT(t[2], t[2], y[2]);
  ASSIST_ADD_NEXT(t[3], t[3], y[3]);
}

static void mmm(wide_ref result, const wide x, const wide y) {
  KEY(M);
  wide t = {0}, addend;
  unsigned top;
  wide_copy(addend, y);
  ASSIST_CLEAR();
  for (int i = 0; i < WIDE_WORD_COUNT; i++) {
    uint32_t word = x[i];
    for (unsigned left = 32; left != 0; left--) {
      if (word & 1) assist_add(t, addend);
      assist_halve(t, M);
      word >>= 1;
    }
  }
  ASSIST_TOP(top);
  if (top != 0 || wide_at_least(t, M)) wide_subtract(t, M);
  wide_copy(result, t);
}

static void descale(wide_ref result, const wide x) {
  KEY(M);
  wide t;
  wide_copy(t, x);
  ASSIST_CLEAR();
  for (unsigned left = KEY_BITS; left != 0; left--) assist_halve(t, M);
  wide_copy(result, t);
}

#else

/* M first: the unit may have served another modulus. */
SMALL void assist_modulus(void) {
  KEY(M);
  ASSIST_SET_M(M[0], M[1]);
  ASSIST_SET_M_HIGH(M[2], M[3]);
}

SMALL void assist_result(wide_ref result) {
  ASSIST_READ_0(result[0]);
  ASSIST_READ_1(result[1]);
  ASSIST_READ_2(result[2]);
  ASSIST_READ_3(result[3]);
}

static void mmm(wide_ref result, const wide x, const wide y) {
  assist_modulus();
  ASSIST_SET_Y(y[0], y[1]);
  ASSIST_SET_Y_HIGH(y[2], y[3]);
  ASSIST_SET_T(0, 0);
  ASSIST_SET_T_HIGH(0, 0);
  for (int i = 0; i < WIDE_WORD_COUNT; i++) ASSIST_STEP(x[i], 32);
  ASSIST_REDUCE();
  assist_result(result);
}

static void descale(wide_ref result, const wide x) {
  assist_modulus();
  ASSIST_SET_T(x[0], x[1]);
  ASSIST_SET_T_HIGH(x[2], x[3]);
  for (int i = 0; i < WIDE_WORD_COUNT; i++) ASSIST_STEP(0, 32);
  assist_result(result);
}

#endif

#endif
