/* What the library, and any compiler, needs of it on bare metal.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_FIRMWARE_STRING_H
#define MONPRO_FIRMWARE_STRING_H

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);
int memcmp(const void *a, const void *b, size_t size);
size_t strlen(const char *text);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t most);

#endif
