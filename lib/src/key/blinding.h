/* Base blinding of private operations.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_BLINDING_H
#define MONPRO_BLINDING_H

#include "key/key.h"

/* Gives the pair for one operation, both in Montgomery form modulo n: factor = r^e, inverse = 1/r. */
monpro_status monpro_blinding_take(monpro_key *key, monpro_limb *factor, monpro_limb *inverse, monpro_error *error);

/* Forgets the pair: after anything that went wrong. */
void monpro_blinding_drop(monpro_key *key);

#endif
