/* Opening a simulated design.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_OPEN_SIM_H
#define MONPRO_OPEN_SIM_H

#include "engine/engine.h"

/* `spec` is what follows "sim:": NAME, or the path of a model, then parameters, ",trace=FILE", ",form=LETTER". */
monpro_status monpro_sim_open(monpro_engine **engine, const char *spec, monpro_error *error);

#endif
