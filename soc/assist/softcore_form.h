/* One form of the program on the softcore: rsa128.c, as a file has it that defines ASSIST and FORM. Its functions are
 * private. The list FORM has what is measured of them.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define ENTRY static __attribute__((unused)) /* for callers without a form */
#include "rsa128.c"
#include "softcore.h"

static void by_one(uint32_t result[4], const uint32_t operand[4]) { descale(result, operand); }

static void squared(uint32_t result[4], const uint32_t operand[4]) { mmm(result, operand, operand); }

static void encrypted(uint32_t result[4], const uint32_t operand[4]) {
  KEY(E);
  me(result, operand, E);
}

static void decrypted(uint32_t result[4], const uint32_t operand[4]) {
  KEY(D);
  me(result, operand, D);
}

const softcore_form FORM = {by_one, squared, encrypted, decrypted};
