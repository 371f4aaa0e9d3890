/* What the soft engine does with an operation, for engines that leave some of theirs to scalar code. */
#ifndef MONPRO_ENGINE_SOFT_H
#define MONPRO_ENGINE_SOFT_H

#include "engine.h"
#include "modexp.h"

/* The operation's result. `m` and `table`, of MONPRO_MAX_LIMBS << MONPRO_MAX_WINDOW limbs, are scratch; `m` and all that is
 * on the stack is wiped. */
void monpro_soft_modexp(const monpro_operation *operation, monpro_mont *m, monpro_limb *table);

#endif
