/* The engine `gather`: calls from many threads become batches on one engine inside.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_GATHER_H
#define MONPRO_GATHER_H

#include "monpro/monpro.h"

typedef monpro_status (*monpro_opener)(monpro_engine **engine, const char *spec, monpro_error *error);

/* Opens it; `spec` is what follows "gather:", and `open` opens the engine inside. */
monpro_status monpro_gather_open(monpro_engine **engine, const char *spec, monpro_opener open, monpro_error *error);

#endif
