/* Memory that held a secret, and decisions that depend on one.
 *
 * Constant time: the time of every function here, and the order in which it touches memory, depend on lengths only. A
 * condition is a mask: all ones for true, zero for false. A compiler that sees where a mask comes from may turn a
 * selection back into a branch. monpro_barrier() hides that from it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_WIPE_H
#define MONPRO_WIPE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Clears memory in a way the compiler cannot drop as a dead store: it must assume that the asm reads what was cleared. */
static inline void monpro_wipe(void *data, size_t size)
{
    if (size == 0) {
        return;
    }
#if defined(__GNUC__)
#if defined(__x86_64__)
    __asm__("" : "+r"(size)); /* of a size that it knows gcc makes "rep stos", which is slower than memset() */
#endif
    memset(data, 0, size);
    __asm__ __volatile__("" : : "r"(data) : "memory");
#else
    volatile unsigned char *bytes = data;
    while (size-- > 0) {
        *bytes++ = 0;
    }
#endif
}

/* The same value. The compiler knows nothing of it. */
static inline uint64_t monpro_barrier(uint64_t value)
{
#if defined(__GNUC__)
    __asm__("" : "+r"(value));
    return value;
#else
    volatile uint64_t hidden = value;
    return hidden;
#endif
}

/* All ones if value is zero, else zero. */
static inline uint64_t monpro_ct_is_zero(uint64_t value)
{
    return monpro_barrier(((~value & (value - 1)) >> 63) * UINT64_MAX);
}

/* All ones if the two buffers are equal, else zero. */
static inline uint64_t monpro_ct_equal(const uint8_t *a, const uint8_t *b, size_t size)
{
    uint64_t difference = 0;
    for (size_t i = 0; i < size; i++) {
        difference |= (uint64_t)(a[i] ^ b[i]);
    }
    return monpro_ct_is_zero(difference);
}

/* The big-endian number in eight bytes; so written, compilers make one load of it. */
static inline uint64_t monpro_load_eight(const uint8_t *bytes)
{
    return (uint64_t)bytes[0] << 56 | (uint64_t)bytes[1] << 48 | (uint64_t)bytes[2] << 40 | (uint64_t)bytes[3] << 32 |
           (uint64_t)bytes[4] << 24 | (uint64_t)bytes[5] << 16 | (uint64_t)bytes[6] << 8 | (uint64_t)bytes[7];
}

/* All ones if a < b as big-endian numbers of the same size, else zero: the borrow that comes out of a - b. */
static inline uint64_t monpro_ct_less(const uint8_t *a, const uint8_t *b, size_t size)
{
    uint64_t borrow = 0;
    size_t i = size;
#if UINTPTR_MAX > UINT32_MAX
    for (; i >= 8; i -= 8) {
        const uint64_t x = monpro_load_eight(a + i - 8), y = monpro_load_eight(b + i - 8);
        borrow = ((~x & y) | ((~x | y) & (x - y - borrow))) >> 63;
    }
#endif
    while (i-- > 0) {
        borrow = ((uint64_t)a[i] - b[i] - borrow) >> 63;
    }
    return monpro_barrier(0 - borrow);
}

#endif
