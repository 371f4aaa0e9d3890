/* The engine of lanes.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_LANES_ENGINE_H
#define MONPRO_LANES_ENGINE_H

#include "engine/engine.h"

/* `spec` is what follows "lanes:": parameters apart by commas, or nothing. PARAMETER: an unknown one, or a bad value. */
monpro_status monpro_lanes_open(monpro_engine **engine, const char *spec, monpro_error *error);

#endif
