/* Asking the program that builds simulator models for one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_MODEL_PROGRAM_H
#define MONPRO_MODEL_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "monpro/monpro.h"

/* Runs `monpro model SPEC [--trace]` (or the program that $MONPRO_PROGRAM names), without a shell. The last line of its
 * output is the path. Its exit codes 3, 4 and 5 become BUILD, DESIGN and PARAMETER; any other becomes BUILD. The message
 * is the end of its standard error. */
monpro_status monpro_model_path(char *path, size_t size, const char *spec, bool trace, monpro_error *error);

#endif
