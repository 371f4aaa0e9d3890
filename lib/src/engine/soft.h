/* The engine in portable C. Engines that leave some of their operations to scalar code use its function for one
 * operation.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_ENGINE_SOFT_H
#define MONPRO_ENGINE_SOFT_H

#include "bignum/modexp.h"
#include "engine/engine.h"

monpro_status monpro_soft_open(monpro_engine **engine, monpro_error *error);

/* The operation's result. `m` and `table`, of MONPRO_MAX_LIMBS << MONPRO_MAX_WINDOW limbs, are scratch; `m` and all that is
 * on the stack is wiped. */
void monpro_soft_modexp(const monpro_operation *operation, monpro_mont *m, monpro_limb *table);

#endif
