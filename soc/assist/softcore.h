/* What is measured of a form of the program on the softcore.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_SOFTCORE_H
#define MONPRO_SOFTCORE_H

#include <stdint.h>

typedef void measured(uint32_t result[4], const uint32_t operand[4]);

typedef struct {
  measured *by_one, *product, *encrypt, *decrypt;
} softcore_form;

extern const softcore_form softcore_software, softcore_limbs, softcore_held;

#endif
