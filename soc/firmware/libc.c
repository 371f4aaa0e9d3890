/* The little of a C library that the firmware has: memory and strings.
 *
 * The heap is one array. Blocks follow each other in it, each behind a header with its length. An allocation takes the
 * first free block that is long enough. Free neighbours are joined when it looks for one.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "platform.h"

/* Compilers know these loops by sight, and would make calls of them: of the function to itself. */
#if defined(__clang__)
#define OWN_LOOPS __attribute__((no_builtin))
#else
#define OWN_LOOPS __attribute__((optimize("no-tree-loop-distribute-patterns")))
#endif

/* Word by word where both ends are aligned. */
OWN_LOOPS void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    uint8_t *t = to;
    const uint8_t *f = from;
    if ((((uintptr_t)t | (uintptr_t)f) & 3u) == 0) {
        for (; size >= 4; size -= 4, t += 4, f += 4) {
            *(uint32_t *)(void *)t = *(const uint32_t *)(const void *)f;
        }
    }
    while (size-- > 0) {
        *t++ = *f++;
    }
    return to;
}

OWN_LOOPS void *memmove(void *to, const void *from, size_t size)
{
    uint8_t *t = to;
    const uint8_t *f = from;
    if (t <= f || t >= f + size) {
        return memcpy(to, from, size); /* it goes upwards */
    }
    while (size-- > 0) {
        t[size] = f[size];
    }
    return to;
}

OWN_LOOPS void *memset(void *to, int byte, size_t size)
{
    uint8_t *t = to;
    const uint32_t word = (uint8_t)byte * 0x01010101u;
    if (((uintptr_t)t & 3u) == 0) {
        for (; size >= 4; size -= 4, t += 4) {
            *(uint32_t *)(void *)t = word;
        }
    }
    while (size-- > 0) {
        *t++ = (uint8_t)byte;
    }
    return to;
}

OWN_LOOPS int memcmp(const void *a, const void *b, size_t size)
{
    const uint8_t *x = a, *y = b;
    for (size_t i = 0; i < size; i++) {
        if (x[i] != y[i]) {
            return x[i] < y[i] ? -1 : 1;
        }
    }
    return 0;
}

OWN_LOOPS size_t strlen(const char *text)
{
    size_t size = 0;
    while (text[size] != '\0') {
        size++;
    }
    return size;
}

int strncmp(const char *a, const char *b, size_t most)
{
    for (; most > 0; most--, a++, b++) {
        if (*a != *b || *a == '\0') {
            return (int)(unsigned char)*a - (int)(unsigned char)*b;
        }
    }
    return 0;
}

int strcmp(const char *a, const char *b)
{
    return strncmp(a, b, SIZE_MAX);
}

/* ---- division of 64 bits, which compilers call by these names ------------------------------------------------- */

static uint64_t divide(uint64_t number, uint64_t divisor, uint64_t *rest)
{
    uint64_t quotient = 0, left = 0;
    if ((number | divisor) >> 32 == 0) { /* nearly always: the processor has it */
        *rest = (uint32_t)number % (uint32_t)divisor;
        return (uint32_t)number / (uint32_t)divisor;
    }
    for (unsigned bit = 64; bit-- > 0;) {
        left = left << 1 | (number >> bit & 1u);
        if (left >= divisor) {
            left -= divisor;
            quotient |= (uint64_t)1 << bit;
        }
    }
    *rest = left;
    return quotient;
}

uint64_t __udivdi3(uint64_t number, uint64_t divisor);
uint64_t __umoddi3(uint64_t number, uint64_t divisor);

uint64_t __udivdi3(uint64_t number, uint64_t divisor)
{
    uint64_t rest;
    return divide(number, divisor, &rest);
}

uint64_t __umoddi3(uint64_t number, uint64_t divisor)
{
    uint64_t rest;
    (void)divide(number, divisor, &rest);
    return rest;
}

/* ---- the heap ------------------------------------------------------------------------------------------------ */

#define ALIGNMENT 8u

typedef struct header {
    uint32_t size; /* of the block behind it */
    uint32_t taken;
} header;

static header *after(header *block)
{
    return (header *)(void *)((uint8_t *)(block + 1) + block->size);
}

void *malloc(size_t size)
{
    static bool begun;
    header *const end = (header *)(void *)platform_heap_end;
    header *block = (header *)(void *)platform_heap;
    if (!begun) {
        begun = true;
        *block = (header){(uint32_t)(platform_heap_end - platform_heap) - (uint32_t)sizeof *block, 0};
    }
    if (size > (size_t)(platform_heap_end - platform_heap)) {
        return NULL;
    }
    const uint32_t wanted = ((uint32_t)size + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
    for (; block < end; block = after(block)) {
        while (block->taken == 0 && after(block) < end && after(block)->taken == 0) {
            block->size += (uint32_t)sizeof *block + after(block)->size;
        }
        if (block->taken != 0 || block->size < wanted) {
            continue;
        }
        if (block->size >= wanted + sizeof *block + ALIGNMENT) {
            const uint32_t rest = block->size - wanted - (uint32_t)sizeof *block;
            block->size = wanted;
            *after(block) = (header){rest, 0};
        }
        block->taken = 1;
        return block + 1;
    }
    return NULL;
}

void *calloc(size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size) {
        return NULL;
    }
    void *memory = malloc(count * size);
    if (memory != NULL) {
        memset(memory, 0, count * size);
    }
    return memory;
}

void free(void *memory)
{
    if (memory != NULL) {
        ((header *)memory)[-1].taken = 0;
    }
}
