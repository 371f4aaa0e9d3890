/* Which process this is.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_PROCESS_H
#define MONPRO_PROCESS_H

#include <stdint.h>

/* A number that a process keeps, and that its children do not share with it; never 0. */
uint64_t monpro_process(void);

#endif
