/* What the library needs of it on bare metal.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_FIRMWARE_STDLIB_H
#define MONPRO_FIRMWARE_STDLIB_H

#include <stddef.h>

void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void free(void *memory);

#endif
