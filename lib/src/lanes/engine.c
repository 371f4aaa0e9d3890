/* The engine of lanes: batches of exponentiations side by side in the vectors of the processor, and over its cores.
 *
 *   lanes                      what this processor does best
 *   lanes:isa=NAME             avx512ifma (8 lanes), avx2 (4), scalar (none), or portable: the algorithm of avx512ifma
 *                              in plain C, for tests
 *   lanes:threads=N            at most N threads, for groups that have work for them; else as many as the process may
 *                              use
 *
 * The environment's MONPRO_LANES_MOST=avx2|scalar hides what is above it, as if the processor did not have it.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#if defined(__linux__)
#define _GNU_SOURCE /* sched_getaffinity() */
#include <sched.h>
#include <unistd.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "bignum/mulx.h"
#include "engine/schemes.h"
#include "lanes/engine.h"
#include "lanes/schedule.h"

/* From the least able on. */
typedef enum isa { ISA_SCALAR, ISA_AVX2, ISA_IFMA, ISA_PORTABLE, ISA_COUNT } isa;

static const char *const isa_names[ISA_COUNT] = {"scalar", "avx2", "avx512ifma", "portable"};

/* So many operations of a kind take less time in vectors of their digits, two by two, than each in a lane. */
enum { WIDE_MOST = 3 };

typedef struct options {
    isa isa;
    size_t threads;
} options;

/* ---- what the machine has ------------------------------------------------------------------------------------ */

/* Whether the processor has it and the operating system saves the state that it needs. */
static bool processor_has(isa wanted)
{
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_cpu_init();
    switch (wanted) {
    case ISA_AVX2:
        return __builtin_cpu_supports("avx2") != 0;
    case ISA_IFMA:
        return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512ifma") != 0;
    default:
        break;
    }
#endif
    return wanted == ISA_SCALAR || wanted == ISA_PORTABLE;
}

static const monpro_lanes_kernel *kernel_for(isa wanted)
{
    switch (wanted) {
    case ISA_AVX2:
        return monpro_lanes_avx2();
    case ISA_IFMA:
        return monpro_lanes_ifma();
    case ISA_PORTABLE:
        return monpro_lanes_portable();
    default:
        return NULL;
    }
}

static bool is_there(isa wanted)
{
    const char *const most = getenv("MONPRO_LANES_MOST");
    for (isa hidden = ISA_SCALAR; most != NULL && hidden < wanted && wanted <= ISA_IFMA; hidden++) {
        if (strcmp(most, isa_names[hidden]) == 0) {
            return false;
        }
    }
    return processor_has(wanted) && (wanted == ISA_SCALAR || kernel_for(wanted) != NULL);
}

static size_t processors(void)
{
    size_t count = 1;
#if defined(__linux__)
    cpu_set_t set;
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        count = (size_t)CPU_COUNT(&set);
    } else if (online > 0) { /* more processors than a set has room for */
        count = (size_t)online;
    }
#endif
    return count < MONPRO_LANES_THREADS ? count : MONPRO_LANES_THREADS;
}

/* ---- options --------------------------------------------------------------------------------------------------- */

static monpro_status parse_isa(options *o, const char *value, monpro_error *error)
{
    for (isa i = ISA_SCALAR; i < ISA_COUNT; i++) {
        if (strcmp(value, isa_names[i]) == 0) {
            o->isa = i;
            return is_there(i) ? MONPRO_OK
                               : monpro_fail(error, MONPRO_ERR_UNSUPPORTED, "this processor, or build, has no %s",
                                             isa_names[i]);
        }
    }
    return monpro_fail(error, MONPRO_ERR_PARAMETER, "isa=%s: it can be avx512ifma, avx2, scalar or portable", value);
}

static monpro_status parse_threads(options *o, const char *value, monpro_error *error)
{
    size_t count = 0;
    for (size_t i = 0; value[i] != '\0' && count <= MONPRO_LANES_THREADS; i++) {
        count = value[i] >= '0' && value[i] <= '9' ? 10 * count + (size_t)(value[i] - '0') : MONPRO_LANES_THREADS + 1;
    }
    if (count == 0 || count > MONPRO_LANES_THREADS) {
        return monpro_fail(error, MONPRO_ERR_PARAMETER, "threads=%s: it can be 1 to %u", value,
                           (unsigned)MONPRO_LANES_THREADS);
    }
    o->threads = count;
    return MONPRO_OK;
}

static monpro_status check_environment(monpro_error *error)
{
    const char *const most = getenv("MONPRO_LANES_MOST");
    for (isa i = ISA_SCALAR; most != NULL && i <= ISA_IFMA; i++) {
        if (strcmp(most, isa_names[i]) == 0) {
            return MONPRO_OK;
        }
    }
    return most == NULL ? MONPRO_OK
                        : monpro_fail(error, MONPRO_ERR_PARAMETER,
                                      "MONPRO_LANES_MOST=%s: it can be scalar, avx2 or avx512ifma", most);
}

static monpro_status parse(options *o, const char *spec, monpro_error *error)
{
    const monpro_status hidden = check_environment(error);
    if (hidden != MONPRO_OK) {
        return hidden;
    }
    *o = (options){.isa = ISA_IFMA, .threads = processors()};
    while (!is_there(o->isa)) {
        o->isa = (isa)(o->isa - 1);
    }
    while (*spec != '\0') {
        char one[32] = {0}; /* longer than any that is right */
        const size_t length = strcspn(spec, ",");
        memcpy(one, spec, length < sizeof one ? length : sizeof one - 1);
        monpro_status status;
        if (length >= sizeof one) {
            status = monpro_fail(error, MONPRO_ERR_PARAMETER, "\"%s...\" is longer than any parameter of lanes", one);
        } else if (strncmp(one, "isa=", 4) == 0) {
            status = parse_isa(o, one + 4, error);
        } else if (strncmp(one, "threads=", 8) == 0) {
            status = parse_threads(o, one + 8, error);
        } else {
            status = monpro_fail(error, MONPRO_ERR_PARAMETER, "no parameter \"%s\" of lanes; there are: isa, threads",
                                 one);
        }
        if (status != MONPRO_OK) {
            return status;
        }
        spec += length + (spec[length] == ',');
    }
    return MONPRO_OK;
}

/* ---- the engine ------------------------------------------------------------------------------------------------ */

static uint32_t largest_window(const void *state, uint32_t modulus_bits, monpro_scheme scheme, bool crt)
{
    (void)state;
    (void)modulus_bits;
    (void)scheme;
    (void)crt;
    return MONPRO_MAX_WINDOW;
}

/* In hundredths of a product, which has 2s^2 products of digits: a digit of an entry takes a quarter of one's time with
 * AVX2, and three eighths with AVX-512, whose products are faster and whose entries are longer (measured). */
static uint32_t look_up_cost(const void *state, uint32_t modulus_bits, uint32_t window, bool crt)
{
    (void)crt;
    const monpro_lanes *const lanes = state;
    const monpro_lanes_kernel *const kernel = monpro_lanes_choose(lanes, modulus_bits);
    const uint32_t eighths = lanes->wide != NULL ? 3 : 2;
    const uint32_t digits = kernel != NULL ? (uint32_t)monpro_lanes_digits(kernel, modulus_bits)
                                           : (uint32_t)monpro_limbs_for_bits(modulus_bits);
    return (eighths * 100u << window) / (16u * digits);
}

static bool fits(const monpro_operation *first, const monpro_operation *other)
{
    (void)first;
    (void)other;
    return true; /* lanes/schedule.c sorts them */
}

static monpro_status run(void *state, const monpro_operation *operations, size_t count, monpro_counters *counters,
                         monpro_error *error)
{
    (void)error;
    monpro_lanes_run(state, operations, count);
    for (size_t i = 0; i < count; i++) {
        counters[i].operations = 1;
    }
    return MONPRO_OK;
}

static void close_lanes(void *state)
{
    monpro_lanes *const lanes = state;
    if (lanes->workers != NULL) {
        monpro_wipe(lanes->workers, lanes->threads * sizeof *lanes->workers);
    }
    if (lanes->memory != NULL) {
        monpro_wipe(lanes->memory, lanes->memory_size);
    }
    free(lanes->workers);
    free(lanes->memory);
    free(lanes);
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Memory for a modulus, which the kernel need not take. */
static size_t kernel_size(const monpro_lanes_kernel *kernel, size_t bits)
{
    return kernel != NULL ? kernel->size(monpro_lanes_digits(kernel, bits), MONPRO_MAX_WINDOW) : 0;
}

/* Workers with room for the longest modulus and window. */
static bool allocate(monpro_lanes *lanes)
{
    size_t each = 0;
    for (size_t bits = 2; bits <= MONPRO_MAX_BITS; bits++) {
        const monpro_lanes_kernel *const kernel = monpro_lanes_choose(lanes, bits);
        each = larger(each, kernel_size(kernel, bits));
        each = larger(each, kernel_size(lanes->wide, bits));
    }
    each = (each + MONPRO_LANES_ALIGN - 1) / MONPRO_LANES_ALIGN * MONPRO_LANES_ALIGN;
    lanes->memory_size = lanes->threads * each + MONPRO_LANES_ALIGN;
    lanes->workers = calloc(lanes->threads, sizeof *lanes->workers);
    lanes->memory = calloc(1, lanes->memory_size);
    if (lanes->workers == NULL || lanes->memory == NULL) {
        return false;
    }
    const uintptr_t start = (uintptr_t)lanes->memory;
    uint8_t *next = (uint8_t *)lanes->memory + (0 - start) % MONPRO_LANES_ALIGN;
    for (size_t i = 0; i < lanes->threads; i++) {
        lanes->workers[i].memory = next;
        next += each;
    }
    return true;
}

monpro_status monpro_lanes_open(monpro_engine **engine, const char *spec, monpro_error *error)
{
    static const monpro_engine_ops ops = {NULL, NULL, largest_window, look_up_cost, close_lanes, fits, run};
    monpro_engine_info info = {
        .min_bits = 2,
        .max_bits = MONPRO_MAX_BITS,
        .schemes = MONPRO_SCHEMES_ALL,
    };
    options o;
    const monpro_status status = parse(&o, spec, error);
    if (status != MONPRO_OK) {
        return status;
    }
    monpro_lanes *const lanes = calloc(1, sizeof *lanes);
    if (lanes == NULL) {
        return monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for the engine of lanes");
    }
    lanes->kernels[0] = kernel_for(o.isa);
    lanes->kernels[1] = o.isa == ISA_AVX2 ? monpro_lanes_avx2_wide() : NULL;
    lanes->wide = o.isa == ISA_IFMA ? monpro_lanes_ifma_wide() : o.isa == ISA_PORTABLE ? monpro_lanes_portable_wide() : NULL;
    /* Two halves of a key in a vector of four are faster than one by one where the scalar code is plain C. */
    lanes->least = lanes->wide != NULL ? WIDE_MOST + 1 : monpro_has_mulx() ? 3 : 2;
    lanes->threads = o.threads;
    info.word_bits = lanes->kernels[0] != NULL ? lanes->kernels[0]->digit_bits : MONPRO_LIMB_BITS;
    (void)snprintf(info.spec, sizeof info.spec, "lanes:isa=%s,threads=%u", isa_names[o.isa], (unsigned)o.threads);
    if (!allocate(lanes)) {
        close_lanes(lanes);
        return monpro_fail(error, MONPRO_ERR_MEMORY, "no memory for the engine of lanes");
    }
    return monpro_engine_create(engine, &ops, lanes, &info, error);
}
