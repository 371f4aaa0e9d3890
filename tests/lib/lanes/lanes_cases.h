/* Operands on which carries have been lost before, for batches through the engine of lanes and through soft.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef MONPRO_LANES_CASES_H
#define MONPRO_LANES_CASES_H

#include "test.h"

enum { CASE_BYTES = 516 };

/* Numbers in memory of exactly their length, so that a sanitizer sees a byte read past them. */
typedef struct operand {
    uint8_t *bytes;
    size_t size;
} operand;

static inline operand make_operand(size_t size)
{
    operand made = {malloc(size), size};
    if (made.bytes == NULL) {
        exit(1);
    }
    memset(made.bytes, 0, size);
    return made;
}

/* The same sequence everywhere: splitmix64. */
static inline uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static inline operand random_operand(size_t size, uint64_t *state)
{
    operand made = make_operand(size);
    for (size_t i = 0; i < size; i++) {
        made.bytes[i] = (uint8_t)next_random(state);
    }
    return made;
}

/* An odd modulus of exactly so many bits: kind 0 all ones, 1 only the ends, 2 all ones but one bit, else random. */
static inline operand make_modulus(size_t bits, unsigned kind, uint64_t *state)
{
    const size_t size = (bits + 7) / 8;
    operand made = kind < 3 ? make_operand(size) : random_operand(size, state);
    if (kind == 0 || kind == 2) {
        memset(made.bytes, 0xff, size);
    }
    if (kind == 2 && bits > 2) {
        const size_t hole = 1 + next_random(state) % (bits - 2);
        made.bytes[size - 1 - hole / 8] ^= (uint8_t)(1u << (hole % 8));
    }
    made.bytes[0] &= (uint8_t)(0xffu >> (8 * size - bits));
    made.bytes[0] |= (uint8_t)(1u << ((bits - 1) % 8));
    made.bytes[size - 1] |= 1u;
    return made;
}

/* Below the modulus, as long: kind 0 zero, 1 one, 2 modulus - 1, 3 modulus - 2, 4 the bits below its highest all ones,
 * else random. */
static inline operand make_base(const operand *modulus, unsigned kind, uint64_t *state)
{
    operand made = make_operand(modulus->size);
    uint8_t *const last = &made.bytes[made.size - 1];
    unsigned top = 0x80;
    while ((modulus->bytes[0] & top) == 0) {
        top >>= 1;
    }
    switch (kind) {
    case 0:
        break;
    case 1:
        *last = 1;
        break;
    case 2:
    case 3:
        memcpy(made.bytes, modulus->bytes, made.size);
        *last &= 0xfe;
        if (kind == 3) { /* minus one more: an odd number below */
            for (uint8_t *byte = last; (*byte)-- == 0; byte--) {
            }
        }
        break;
    default:
        for (size_t i = 0; i < made.size; i++) {
            made.bytes[i] = kind == 4 ? 0xff : (uint8_t)next_random(state);
        }
        made.bytes[0] &= (uint8_t)(top - 1);
    }
    return made;
}

/* Exactly so many bits: kind 0 all ones, 1 only the highest, else random. */
static inline operand make_exponent(size_t bits, unsigned kind, uint64_t *state)
{
    operand made = make_modulus(bits, kind < 2 ? kind : 3, state);
    if (kind == 1 && bits > 1) {
        made.bytes[made.size - 1] &= 0xfe;
    }
    return made;
}

/* A job with operands of its own, which free_jobs() frees. */
static inline monpro_job make_case(operand modulus, operand base, operand exponent, uint32_t flags, uint32_t window)
{
    return (monpro_job){
        .modulus = modulus.bytes, .modulus_len = modulus.size,
        .base = base.bytes, .base_len = base.size,
        .exponent = exponent.bytes, .exponent_len = exponent.size,
        .result = make_operand(modulus.size).bytes, .result_len = modulus.size,
        .flags = flags, .window = window,
        .scheme = window != 0 ? MONPRO_SCHEME_FIXED_WINDOW : MONPRO_SCHEME_DEFAULT,
    };
}

static inline void free_jobs(monpro_job *jobs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        free((void *)(uintptr_t)jobs[i].modulus);
        free((void *)(uintptr_t)jobs[i].base);
        free((void *)(uintptr_t)jobs[i].exponent);
        free(jobs[i].result);
    }
}

/* Runs the batch, and each job alone by soft: the same statuses, results, schemes. Gives how many differ. */
static inline size_t compare_with_soft(monpro_engine *lanes, monpro_engine *soft, monpro_job *jobs, size_t count)
{
    size_t wrong = 0;
    monpro_status first = MONPRO_OK;
    const monpro_status status = monpro_modexp_batch(lanes, jobs, count, NULL);
    for (size_t i = 0; i < count; i++) {
        uint8_t expected[CASE_BYTES] = {0};
        monpro_job alone = jobs[i];
        alone.result = expected;
        (void)monpro_modexp_batch(soft, &alone, 1, NULL);
        first = first == MONPRO_OK ? alone.status : first;
        const bool same = alone.status == jobs[i].status && alone.used_scheme == jobs[i].used_scheme &&
                          alone.counters.operations == jobs[i].counters.operations &&
                          memcmp(expected, jobs[i].result, jobs[i].result_len) == 0;
        if (!same) {
            fprintf(stderr, "job %zu of %zu: modulus of %zu bytes, exponent of %zu, flags %u, window %u\n", i, count,
                    jobs[i].modulus_len, jobs[i].exponent_len, (unsigned)jobs[i].flags, (unsigned)jobs[i].window);
        }
        wrong += same ? 0 : 1;
    }
    return wrong + (status == first ? 0 : 1);
}

#endif
