/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_RANDOM_H
#define MONPRO_RANDOM_H

#include "monpro/monpro.h"

/* Fills the buffer with random bytes fit for secrets. */
monpro_status monpro_random(uint8_t *bytes, size_t size, monpro_error *error);

#endif
