/* Asking the program that builds simulator models for one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_MODEL_PROGRAM_H
#define MONPRO_MODEL_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "monpro/monpro.h"

/* Runs `monpro model SPEC [--trace]` (or the program that $MONPRO_PROGRAM names), without a shell; the last line of its
 * output is the path. Its exit codes 3, 4 and 5 become BUILD, DESIGN and PARAMETER, any other BUILD, with the end of
 * what it wrote to its standard error as the message. */
monpro_status monpro_model_path(char *path, size_t size, const char *spec, bool trace, monpro_error *error);

#endif
